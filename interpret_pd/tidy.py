"""A tidy frame: layers of values as one row per value, for people and for plotnine.

Columns that the library adds end in an underscore, so that a feature may be called `value` or `class`.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate import Values
from interpret_pd.grid import Grid

OWN = {"output_", "type_", "id_", "value_", "n_"}  # the columns that the library adds


def tidy(
    layers: dict[str, Values],
    grid: Grid,
    outputs: tuple[Hashable, ...],
    labels: pd.Index,
    counts: NDArray[np.intp] | None = None,
) -> pd.DataFrame:
    """One row per value: <feature>[, <feature2>][, output_], type_[, id_], value_[, n_].

    The averages come first, then the curves by row; `labels` are the index labels of the rows with curves, `counts` the
    rows behind each value of an average, (G1[, G2]).
    """
    taken = OWN & set(grid.features)
    if taken:
        hint = "Use X.rename(...), names that end in an underscore are the results' own."
        raise checks.must_be("features", "called otherwise than " + checks.listed(sorted(OWN)), taken.pop(), hint)
    parts = [_layer(kind, values, grid, outputs, labels) for kind, values in layers.items()]
    if "ice" in layers:
        for part in parts:
            part.setdefault("id_", _no_label(labels, len(part["value_"])))
    order = [*grid.features, *(["output_"] if len(outputs) > 1 else []), "type_", *(["id_"] if "ice" in layers else [])]
    frames = [pd.DataFrame({name: part[name] for name in [*order, "value_"]}) for part in parts]
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    return frame if counts is None else frame.assign(n_=np.tile(counts.ravel(), len(outputs)))


def _layer(
    kind: str, values: Values, grid: Grid, outputs: tuple[Hashable, ...], labels: pd.Index
) -> dict[Hashable, pd.Series]:
    """The columns of one layer, each of length K * [k *] m."""
    m = int(np.prod(grid.shape))
    copies = values.size // m  # K outputs [x k rows]
    columns: dict[Hashable, pd.Series] = {}
    for name, points in grid.frame().items():
        columns[name] = points.take(np.tile(np.arange(m), copies)).reset_index(drop=True)
    if len(outputs) > 1:
        place = np.repeat(np.arange(len(outputs)), values.size // len(outputs))
        columns["output_"] = pd.Series(pd.Categorical.from_codes(place, categories=pd.Index(outputs, tupleize_cols=False)))
    columns["type_"] = pd.Series(np.full(values.size, kind, dtype=object))
    if kind == "ice":
        columns["id_"] = _nullable(pd.Series(np.tile(np.repeat(labels, m), len(outputs))))
    columns["value_"] = pd.Series(values.ravel())
    return columns


def _nullable(labels: pd.Series) -> pd.Series:
    """Whole numbers as Int64, which has room for the averages' missing label."""
    return labels.astype("Int64") if labels.dtype.kind in "iu" else labels.astype(object)


def _no_label(labels: pd.Index, length: int) -> pd.Series:
    """The label of a row that is no row: missing."""
    dtype = "Int64" if getattr(labels.dtype, "kind", "O") in "iu" else object
    return pd.Series([pd.NA] * length, dtype=dtype)
