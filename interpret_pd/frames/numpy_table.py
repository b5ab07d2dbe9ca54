"""A table on a 2-D numpy array: columns are called x0, x1, ..., or as the user says."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames import reading
from interpret_pd.frames.base import Column, Rows, Table, wanted


class NumpyTable(Table):
    """The background data as a 2-D array of one dtype."""

    def __init__(self, array: np.ndarray, feature_names: Sequence[Hashable] | None = None) -> None:
        self.array = array
        self.n_rows, p = array.shape
        named = [f"x{j}" for j in range(p)] if feature_names is None else feature_names
        self.names: tuple[Hashable, ...] = tuple(named)
        self.row_bytes = p * array.itemsize
        if len(self.names) != p:
            raise checks.must_be("feature_names", f"one name per column ({p})", len(self.names))
        self._check_names()

    def resolve(self, feature: Any, argument: str = "features") -> Hashable:
        """A name, or a position."""
        p = len(self.names)
        place = checks.index(feature)
        if place is None:
            return super().resolve(feature, argument)
        if 0 <= place < p:
            return self.names[place]
        hint = f"They are {checks.listed(self.names)}, or a position from 0 to {p - 1}."
        raise checks.must_be(argument, wanted(argument), feature, hint)

    def column(self, name: Hashable) -> Column:
        return self.array[:, self.names.index(name)]

    def series(self, column: Column) -> pd.Series:
        return pd.Series(column, copy=False)

    def like(self, name: Hashable, values: Any) -> Column:
        dtype = self.array.dtype
        if dtype.kind == "O":
            return reading.plain(values, self.read(name))
        values = np.asarray(values)
        if dtype.kind in "iu":
            whole = reading.whole(values, dtype)
            return values.astype(float) if whole is None else whole
        if dtype.kind in "US":  # a longer text must not be cut
            return values.astype(dtype.kind)
        cast = values.astype(dtype)
        coarse = dtype.kind in "mM" and not np.array_equal(cast.astype(values.dtype), values)
        return values if coarse else cast  # a time of day in a column of days

    def with_missing(self, column: Column) -> Column:
        if column.dtype.kind in "mM":
            return np.append(column, np.array(["NaT"], column.dtype))
        if column.dtype.kind in "biuf":
            return np.append(column.astype(float), np.nan)
        return np.array([*column, None], dtype=object)

    def pick(self, column: Column, positions: Rows) -> Column:
        return column[positions]

    def replace(self, rows: Rows, columns: Mapping[Hashable, Column]) -> np.ndarray:
        replaced = self.array[rows].astype(np.result_type(self.array, *columns.values()), copy=False)
        for name, column in columns.items():
            replaced[:, self.names.index(name)] = column
        return replaced

    def stack(self, rows: Rows, points: Mapping[Hashable, Column]) -> np.ndarray:
        m, p = len(next(iter(points.values()))), len(self.names)
        dtype = np.result_type(self.array, *points.values())
        # np.repeat copies a row at a time, twice as fast as broadcasting its numbers
        stacked = np.repeat(np.ascontiguousarray(self.array[rows], dtype), m, axis=0).reshape(len(rows), m, p)
        for name, column in points.items():
            stacked[:, :, self.names.index(name)] = column
        return stacked.reshape(len(rows) * m, -1)
