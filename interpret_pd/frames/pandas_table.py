"""A table on a pandas frame: every column keeps its dtype, categories without rows included."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames import reading
from interpret_pd.frames.base import Column, Rows, Table
from interpret_pd.frames.numpy_table import NumpyTable


class PandasTable(Table):
    """The background data as a pandas frame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        if isinstance(frame.columns, pd.MultiIndex):
            hint = 'Use X.columns = ["_".join(map(str, c)) for c in X.columns].'
            raise checks.marked(
                TypeError(checks.sentence("the data", "a frame with one level of column names", "a MultiIndex", hint))
            )
        self.frame = frame.copy(deep=False)
        self.names, self.n_rows = tuple(frame.columns), len(frame)
        self._check_names()
        self.row_bytes = frame.memory_usage(index=False).sum() / max(self.n_rows, 1)
        dtypes = set(frame.dtypes)
        plain = len(dtypes) == 1 and isinstance(only := next(iter(dtypes)), np.dtype) and only.kind in "iuf"
        plain = plain and type(frame) is pd.DataFrame  # a subclass is handed on as such
        # one block of numbers is stacked at a tenth of the cost of a frame
        self._block = NumpyTable(frame.to_numpy(copy=False), list(self.names)) if plain else None

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the frame, not the block of the same numbers once more."""
        return PandasTable, (self.frame,)

    def labels(self) -> pd.Index:
        return self.frame.index

    def column(self, name: Hashable) -> Column:
        return self.frame[name].array

    def series(self, column: Column) -> pd.Series:
        return reading.as_series(column)

    def like(self, name: Hashable, values: Any) -> Column:
        column = self.frame[name]
        if column.dtype == object:
            return pd.Series(reading.plain(values, column), dtype=object).array
        return fitted(values, column.dtype, name)

    def with_missing(self, column: Column) -> Column:
        return pd.Series(column, dtype=column.dtype).reindex(range(len(column) + 1)).array

    def pick(self, column: Column, positions: Rows) -> Column:
        return column.take(positions)

    def replace(self, rows: Rows, columns: Mapping[Hashable, Column]) -> pd.DataFrame:
        if self._block is not None and (numbers := self._fitting(columns)):
            return pd.DataFrame(self._block.replace(rows, numbers), columns=self.frame.columns, copy=False)
        replaced = self.frame.take(rows)
        replaced.index = pd.RangeIndex(len(replaced))
        for name, column in columns.items():
            # as a Series: of bare objects pandas 3 makes text or dates
            replaced.isetitem(self.names.index(name), pd.Series(column, replaced.index, dtype=column.dtype))
        return replaced

    def stack(self, rows: Rows, points: Mapping[Hashable, Column]) -> pd.DataFrame:
        if self._block is not None and (numbers := self._fitting(points)):
            return pd.DataFrame(self._block.stack(rows, numbers), columns=self.frame.columns, copy=False)
        return super().stack(rows, points)

    def _fitting(self, columns: Mapping[Hashable, Column]) -> dict[Hashable, np.ndarray]:
        """The columns as arrays of the block's dtype; none if one of them has another."""
        numbers = {name: np.asarray(column) for name, column in columns.items()}
        dtype = None if self._block is None else self._block.array.dtype
        return numbers if all(column.dtype == dtype for column in numbers.values()) else {}


def fitted(values: Any, dtype: Any, name: Hashable) -> Column:
    """The values as a pandas array of the dtype, or of a wider one if one of them doesn't fit."""
    if isinstance(dtype, pd.CategoricalDtype):
        strange = [v for v in values if not pd.isna(v) and v not in dtype.categories]
        if strange:
            raise checks.unknown("grid", f"levels of {checks.shown(name)}", strange[0], dtype.categories)
        return pd.Categorical(values, dtype=dtype)
    given = pd.Series(values)
    if pd.api.types.is_integer_dtype(dtype):
        sparse = isinstance(dtype, pd.SparseDtype)
        plain = np.dtype(dtype.subtype if sparse else getattr(dtype, "numpy_dtype", dtype))
        whole = reading.whole(given.dropna().to_numpy(), plain)
        if whole is None:
            floats = given.to_numpy(dtype=float, na_value=np.nan)
            return pd.array(floats, dtype=float if sparse or isinstance(dtype, np.dtype) else "Float64")
        given = pd.Series(whole, given.dropna().index).reindex(given.index)
    column = given.astype(dtype)
    measured = reading.kind_of(column) == "date" or "decimal" in str(dtype)
    coarse = measured and not np.array_equal(reading.numbers(column), reading.numbers(given))
    return given.array if coarse else column.array  # a time of day in a column of days
