"""A table on a pandas frame: every column keeps its dtype, categories without rows included."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames.base import Column, Rows, Table, tiled
from interpret_pd.frames.numpy_table import NumpyTable, fits


class PandasTable(Table):
    """The background data as a pandas frame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        if isinstance(frame.columns, pd.MultiIndex):
            hint = 'Use X.columns = ["_".join(map(str, c)) for c in X.columns].'
            raise TypeError(checks.sentence("the data", "a frame with one level of column names", "a MultiIndex", hint))
        self.frame = frame.copy(deep=False)
        self.names, self.n_rows = tuple(frame.columns), len(frame)
        self._check_names()
        self.row_bytes = frame.memory_usage(index=False).sum() / max(self.n_rows, 1)
        dtypes = set(frame.dtypes)
        plain = len(dtypes) == 1 and isinstance(only := next(iter(dtypes)), np.dtype) and only.kind in "iuf"
        # one block of numbers is stacked at a tenth of the cost of a frame
        self._block = NumpyTable(frame.to_numpy(copy=False), list(self.names)) if plain else None

    def labels(self) -> pd.Index:
        return self.frame.index

    def column(self, name: Hashable) -> Column:
        return self.frame[name].array

    def read(self, name: Hashable) -> pd.Series:
        return self.frame[name].reset_index(drop=True)

    def like(self, name: Hashable, values: Any) -> Column:
        return fitted(values, self.frame[name].dtype, name)

    def pick(self, column: Column, positions: Rows) -> Column:
        return column.take(positions)

    def stack(self, rows: Rows, points: Mapping[Hashable, Column]) -> pd.DataFrame:
        m = len(next(iter(points.values())))
        if self._block is not None:
            numbers = {name: np.asarray(column) for name, column in points.items()}
            if all(column.dtype == self._block.array.dtype for column in numbers.values()):
                return pd.DataFrame(self._block.stack(rows, numbers), columns=self.frame.columns, copy=False)
        stacked = self.frame.take(np.repeat(rows, m))
        stacked.index = pd.RangeIndex(len(stacked))
        for name, column in points.items():
            stacked.isetitem(self.names.index(name), column.take(tiled(m, len(rows))))
        return stacked


def fitted(values: Any, dtype: Any, name: Hashable) -> Column:
    """The values as a pandas array of the dtype, or of a wider one if one of them doesn't fit."""
    if isinstance(dtype, pd.CategoricalDtype):
        strange = [v for v in values if not pd.isna(v) and v not in dtype.categories]
        if strange:
            raise checks.unknown("grid", f"levels of {checks.shown(name)}", strange[0], dtype.categories)
        return pd.Categorical(values, dtype=dtype)
    if pd.api.types.is_integer_dtype(dtype):
        floats = pd.Series(values).to_numpy(dtype=float, na_value=np.nan)
        if not fits(floats[~np.isnan(floats)], np.dtype(getattr(dtype, "numpy_dtype", dtype))):
            return pd.array(floats, dtype=float if isinstance(dtype, np.dtype) else "Float64")
    if dtype == object:
        return pd.array(_plain(values), dtype=object)
    return pd.Series(values).astype(dtype).array


def _plain(values: Any) -> np.ndarray:
    """Python's own scalars in an object array, (m,)."""
    plain = np.empty(len(values), dtype=object)
    plain[:] = list(getattr(values, "tolist", lambda: values)())
    return plain
