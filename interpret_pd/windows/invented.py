"""Invented rows: what a partial dependence averages at a point, shown beside the rows it was made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames import as_table
from interpret_pd.grid import Grid, point_axis
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.support import support
from interpret_pd.windows.request import check_names, drawn_rows


def invented_rows(
    predictor: Predictor, features: tuple[Any, ...], point: Any, n: int, random_state: int | None
) -> pd.DataFrame:
    """Two rows per drawn background row: the original, and what it is at the point."""
    several = len(features) == 2 and isinstance(point, list | tuple | np.ndarray)
    values = list(point) if several else [point]
    if len(values) != len(features):
        raise checks.must_be("point", f"one value per feature ({len(features)})", point)
    table = predictor.table
    check_names("the data's columns", table.names, ("which_", "supported_", "prediction_"))
    axes = tuple(
        point_axis(table, predictor.feature(name), value, "point") for name, value in zip(features, values, strict=True)
    )
    found = support(predictor, Grid(axes))
    size = min(checks.whole_number("n", n, 1), len(found.rows))
    chosen = drawn_rows(len(found.rows), size, random_state)
    rows = found.rows[chosen]
    columns = {axis.feature.name: table.pick(axis.column, np.zeros(size, int)) for axis in axes}
    original, invented = table.replace(rows, {}), table.replace(rows, columns)
    parts = []
    for which, native, supported in (("original", original, True), ("invented", invented, found.supported[chosen, 0])):
        names = table.names if isinstance(native, np.ndarray) else None
        read = as_table(native, names).read
        part = {"which_": which, **{name: read(name).array for name in table.names}}
        for name, prediction in zip(predictor.outputs, predictor.predict(native).T, strict=True):
            part["prediction_" if len(predictor.outputs) == 1 else f"prediction_{name}"] = prediction
        parts.append(pd.DataFrame(part | {"supported_": supported}, index=table.labels().take(rows)))
    both = pd.concat(parts)
    return both.iloc[np.arange(2 * size).reshape(2, size).T.ravel()]  # each original beside its invention
