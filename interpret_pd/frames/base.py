"""The contract of a table: what every container can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks

Column = Any  # a column in the container's own type: an array, a pandas array, a polars or pyarrow series
Rows = NDArray[np.intp]  # positions of rows
ONE = ("by", "color", "--drop")  # arguments that name a single column


class Table(ABC):
    """The background data: n rows of named features, never changed.

    `names` are the column labels, `n_rows` is n, and `row_bytes` the size of a row in memory.
    """

    names: tuple[Hashable, ...]
    n_rows: int
    row_bytes: float

    def read(self, name: Hashable) -> pd.Series:
        """A feature as a pandas Series of shape (n,), for reading."""
        return self.series(self.column(name))

    @abstractmethod
    def series(self, column: Column) -> pd.Series:
        """A native column as a pandas Series, for reading."""

    @abstractmethod
    def column(self, name: Hashable) -> Column:
        """A feature in the container's own type, (n,)."""

    @abstractmethod
    def like(self, name: Hashable, values: Any) -> Column:
        """New values as a column of the feature's dtype; float64 for a fraction in a column of whole numbers."""

    @abstractmethod
    def with_missing(self, column: Column) -> Column:
        """A column of the feature with a missing value at its end; of a wider dtype if its own has none."""

    @abstractmethod
    def pick(self, column: Column, positions: Rows) -> Column:
        """The entries of a column at the positions."""

    @abstractmethod
    def replace(self, rows: Rows, columns: Mapping[Hashable, Column]) -> Any:
        """The rows, in a new frame or array, with columns of the same length in place of their own."""

    def stack(self, rows: Rows, points: Mapping[Hashable, Column]) -> Any:
        """Every row once per point, the copies of a row together, with the points' columns in place of the row's own.

        For r rows and m points: a new frame or array of r * m rows; row i * m + j is row `rows[i]` at point j.
        """
        m = len(next(iter(points.values())))
        tiles = np.tile(np.arange(m), len(rows))
        return self.replace(np.repeat(rows, m), {name: self.pick(column, tiles) for name, column in points.items()})

    def labels(self) -> pd.Index:
        """The rows' own index labels, or their positions where the container has no index."""
        return pd.RangeIndex(self.n_rows)

    def resolve(self, feature: Any, argument: str = "features") -> Hashable:
        """The name of the column that is meant; raises if there is none."""
        feature = checks.scalar(feature)
        if isinstance(feature, Hashable) and feature in self.names:
            return self.names[self.names.index(feature)]
        raise checks.unknown(argument, wanted(argument), feature, self.names)

    def _check_names(self) -> None:
        """Every column has a name of its own."""
        if not self.names:
            raise checks.refused("the data must have at least one column; got none.")
        if not self.n_rows:
            raise checks.refused("the data must have at least one row; got none.")
        check_unique(self.names)


def wanted(argument: str) -> str:
    """What an argument that names columns must be."""
    return "a column of the data" if argument in ONE else "columns of the data"


def check_unique(names: Iterable[Hashable]) -> None:
    """Raises if a column name comes twice."""
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            raise checks.refused(f"the data must have unique column names; got {checks.shown(name)} more than once.")
        seen.add(name)
