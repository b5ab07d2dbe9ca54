"""A table on a polars frame, a pyarrow table, or another eager frame that narwhals reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames import reading
from interpret_pd.frames.base import Column, Rows, Table


class NarwhalsTable(Table):
    """The background data as a narwhals frame; columns are narwhals series."""

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.frame = frame
        self.names, self.n_rows = tuple(frame.columns), frame.shape[0]
        self._check_names()
        self.row_bytes = float(frame.estimated_size()) / self.n_rows

    def column(self, name: Hashable) -> Column:
        return self.frame[str(name)]

    def series(self, column: Column) -> pd.Series:
        series = column
        if self.frame.implementation.is_pyarrow():
            column = series.to_native()
            gaps = column.null_count and str(column.type).startswith(("int", "uint"))
            return column.to_pandas(integer_object_nulls=True) if gaps else column.to_pandas()
        if isinstance(series.dtype, nw.Enum):
            return pd.Series(pd.Categorical(series.to_list(), categories=list(series.dtype.categories)))
        if series.dtype.is_integer() and (series.null_count() or "128" in str(series.dtype)):
            return pd.Series(series.to_list(), dtype=object)
        if series.dtype.is_numeric() and not series.dtype.is_decimal():
            return pd.Series(series.to_numpy())
        return pd.Series(series.to_list(), dtype=None if series.dtype.is_temporal() else object)

    def like(self, name: Hashable, values: Any) -> Column:
        values = _listed(values)
        if self.frame.implementation.is_pyarrow():
            from interpret_pd.frames.arrow import array_like

            return nw.from_native(array_like(self.frame.to_native()[str(name)], name, values), series_only=True)
        dtype = self.frame.schema[str(name)]
        if dtype.is_integer():
            whole = reading.whole(np.asarray(values), np.dtype(str(dtype).lower().replace("128", "64")))
            values, dtype = (values, nw.Float64()) if whole is None else (whole.tolist(), dtype)
        if isinstance(dtype, nw.Enum):
            for value in values:
                if value not in dtype.categories:
                    raise checks.unknown("grid", f"levels of {checks.shown(name)}", value, dtype.categories)
        if dtype.is_temporal() or dtype.is_decimal():
            made = nw.new_series(str(name), values, backend=self.frame.implementation)
            cast = made.cast(dtype)
            return cast if cast.cast(made.dtype).to_list() == made.to_list() else made  # else something would be lost
        return nw.new_series(str(name), values, dtype, backend=self.frame.implementation)

    def with_missing(self, column: Column) -> Column:
        if self.frame.implementation.is_pyarrow():
            from interpret_pd.frames.arrow import with_null

            return nw.from_native(with_null(column.to_native()), series_only=True)
        missing = column.head(1).to_frame().with_columns(nw.lit(None).cast(column.dtype).alias(column.name))
        return nw.concat([column.to_frame(), missing])[column.name]

    def pick(self, column: Column, positions: Rows) -> Column:
        return column[positions]

    def replace(self, rows: Rows, columns: Mapping[Hashable, Column]) -> Any:
        named = (column.alias(str(name)) for name, column in columns.items())
        return self.frame[rows].with_columns(*named).to_native()


def _listed(values: Any) -> list[Any]:
    """Python's own scalars."""
    values = getattr(values, "tolist", lambda: values)()
    values = [v.to_pytimedelta() if isinstance(v, pd.Timedelta) else v for v in values]
    return [v.to_pydatetime() if isinstance(v, pd.Timestamp) else v for v in values]
