"""Ranks: the exact quantiles of a column that is not in memory, by two more passes over it when they are asked for.

No single pass finds them in bounded memory (Munro and Paterson 1980). The first counts the values between cuts,
which the sample gives; the second takes the values of those cells in which the quantiles lie: of N rows and a sample of
n about N / n for each.

Munro, J. I. and Paterson, M. S. (1980). Selection and sorting with limited storage. Theoretical Computer Science 12,
315-323.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.frames import reading
from interpret_pd.frames.base import Table

Counted = tuple[NDArray[np.float64], NDArray[np.int_]]  # different values, increasing, and how often they come


def ranks(n: int, shares: Sequence[float] | NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of quantiles among n sorted values: as numpy's `inverted_cdf` has them, to the last bit, (q,)."""
    return np.maximum(np.ceil(n * np.asarray(shares, float) - 1), 0).astype(np.intp)


def picked(counted: Counted, places: NDArray[np.intp]) -> NDArray[np.float64]:
    """The values at places of the sorted column, (q,)."""
    values, counts = counted
    return values[np.searchsorted(np.cumsum(counts), places, side="right")]


def joined(one: Counted, other: Counted) -> Counted:
    """The counted values of two parts."""
    values, place = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    return values, np.bincount(place, np.concatenate([one[1], other[1]])).astype(int)


class Ranks:
    """The quantiles of a numeric column (or dates) of data that are not in memory.

    Parameters
    ----------
    over : callable
        `over(name, of, add)` is what a function makes of the column's frames, added up.
    name : hashable
        The column.
    cuts : float array of shape (c,)
        Some of its values, increasing, the greatest among them.
    as_table : callable
        From a frame to a table.
    """

    def __init__(
        self,
        over: Callable[[Hashable, Callable[[Any], Any], Callable[[Any, Any], Any]], Any],
        name: Hashable,
        cuts: NDArray[np.float64],
        as_table: Callable[[Any], Table],
    ) -> None:
        self.over, self.name, self.cuts, self.as_table = over, name, cuts, as_table

    def quantiles(self, shares: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """The values below which shares of the column lie: values of the column, (q,)."""
        places = ranks(int(self._counts.sum()), shares)
        cells = np.searchsorted(np.cumsum(self._counts), places, side="right")
        wanted = np.zeros(len(self._counts), bool)
        wanted[cells] = True
        left_out = np.cumsum(np.where(wanted, 0, self._counts))  # values that the second pass doesn't take
        return picked(self.over(self.name, partial(self._within, wanted), joined), places - left_out[cells])

    def first(self, low: float, high: float, most: int) -> NDArray[np.float64]:
        """The different values from one number to another, if there are more than that the smallest `most` of them."""
        return self.over(self.name, partial(self._between, low, high, most), lambda *two: np.union1d(*two)[:most])

    def _between(self, low: float, high: float, most: int, frame: Any) -> NDArray[np.float64]:
        """Those of a part."""
        values = self._finite(frame)
        return np.unique(values[(values >= low) & (values <= high)])[:most]

    @cached_property
    def _counts(self) -> NDArray[np.int_]:
        """How many values are in each cell: above the cut before it, and at most its own, (c + 1,)."""
        return self.over(self.name, self._counted, np.add)

    def _counted(self, frame: Any) -> NDArray[np.int_]:
        """The counts of a part."""
        return np.diff(self._edges(values := self._finite(frame)), append=len(values))

    def _within(self, wanted: NDArray[np.bool_], frame: Any) -> Counted:
        """The values of a part that lie in the wanted cells."""
        values = self._finite(frame)
        sizes = np.diff(self._edges(values), append=len(values))
        found = np.unique(values[np.repeat(wanted, sizes)], return_counts=True)
        return found[0], found[1]

    def _edges(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Where each cell begins among sorted values, (c + 1,)."""
        return np.concatenate([[0], np.searchsorted(values, self.cuts, side="right")])

    def _finite(self, frame: Any) -> NDArray[np.float64]:
        """The column's numbers or days in a part, sorted, without missing and infinite ones; it may have no row."""
        if not len(frame):
            return np.empty(0)
        column = self.as_table(frame).read(self.name)
        numbers = reading.numbers(column) if column.notna().any() else np.empty(0)
        return np.sort(numbers[np.isfinite(numbers)])
