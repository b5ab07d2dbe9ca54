"""A table on a polars frame, a pyarrow table, or another eager frame that narwhals reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames.base import Column, Rows, Table, tiled


class NarwhalsTable(Table):
    """The background data as a narwhals frame; columns are narwhals series."""

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.frame = frame
        self.names, self.n_rows = tuple(frame.columns), frame.shape[0]
        self._check_names()
        self.row_bytes = float(frame.estimated_size()) / self.n_rows

    def column(self, name: Hashable) -> Column:
        return self.frame[name]

    def read(self, name: Hashable) -> pd.Series:
        series = self.frame[name]
        if self.frame.implementation.is_pyarrow():
            return series.to_native().to_pandas()
        if isinstance(series.dtype, nw.Enum):
            return pd.Series(pd.Categorical(series.to_list(), categories=list(series.dtype.categories)))
        if series.dtype.is_integer() and series.null_count():
            return pd.Series(series.to_list(), dtype="Int64")
        if series.dtype.is_numeric() and not series.dtype.is_decimal():
            return pd.Series(series.to_numpy())
        return pd.Series(series.to_list(), dtype=None if series.dtype.is_temporal() else object)

    def like(self, name: Hashable, values: Any) -> Column:
        dtype = self.frame.schema[str(name)]
        if dtype.is_integer() and any(float(v) != round(float(v)) for v in values):
            dtype = nw.Float64()
        values = [v.to_pydatetime() if isinstance(v, pd.Timestamp) else v for v in _listed(values)]
        if dtype.is_integer():
            values = [int(v) for v in values]
        if isinstance(dtype, nw.Enum):
            for value in values:
                if value not in dtype.categories:
                    raise checks.unknown("grid", f"levels of {checks.shown(name)}", value, dtype.categories)
        backend = self.frame.implementation
        made = nw.new_series(str(name), values, backend=backend) if values and dtype.is_temporal() else None
        return made.cast(dtype) if made is not None else nw.new_series(str(name), values, dtype, backend=backend)

    def pick(self, column: Column, positions: Rows) -> Column:
        return column[positions]

    def stack(self, rows: Rows, points: Mapping[Hashable, Column]) -> Any:
        m = len(next(iter(points.values())))
        stacked = self.frame[np.repeat(rows, m)]
        tiles = tiled(m, len(rows))
        return stacked.with_columns(*(c[tiles].alias(str(name)) for name, c in points.items())).to_native()


def _listed(values: Any) -> list[Any]:
    """Python's own scalars."""
    return list(getattr(values, "tolist", lambda: values)())
