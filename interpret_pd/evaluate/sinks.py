"""A sink: what a pass over the background data keeps of each block of predictions.

A block has the shape (r, g, K): some rows at some points. Sums are weighted and accumulated in float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from interpret_pd.frames.base import Rows

Values = NDArray[np.float64]


class Task(NamedTuple):
    """One call of the model: some rows at some points, by position."""

    rows: slice  # of the rows evaluated
    points: slice


class Sink(Protocol):
    """Anything that takes blocks and has a result in the end."""

    def add(self, task: Task, block: Values, m: int) -> None:
        """Takes a block of some of the rows at some of the m points."""

    def result(self) -> Any:
        """What was made of all blocks."""


class Sums:
    """The weighted sum over the rows of each group, (B, K, m)."""

    def __init__(self, weights: Values, groups: Rows) -> None:
        self.weights, self.groups = weights, groups
        self.sums: Values = np.empty((0, 0, 0))  # until the first block tells K

    def add(self, task: Task, block: Values, m: int) -> None:  # noqa: D102
        if not len(self.sums):
            self.sums = np.zeros((self.groups.max() + 1, m, block.shape[2]))
        count, weights = len(self.sums), self.weights[task.rows]
        by_group = weights[None]
        if count > 1:
            by_group = np.zeros((count, len(block)))
            by_group[self.groups[task.rows], np.arange(len(block))] = weights
        flat = by_group @ block.reshape(len(block), -1)
        self.sums[:, task.points] += flat.reshape(count, *block.shape[1:])  # (B, g K) -> (B, g, K)

    def result(self) -> Values:  # noqa: D102
        return self.sums.transpose(0, 2, 1)  # (B, m, K) -> (B, K, m)


class Later:
    """A sink that goes on with rows that come after those it has."""

    def __init__(self, sink: Sink, start: int) -> None:
        self.sink, self.start = sink, start

    def add(self, task: Task, block: Values, m: int) -> None:  # noqa: D102
        rows = slice(task.rows.start + self.start, task.rows.stop + self.start)
        self.sink.add(Task(rows, task.points), block, m)

    def result(self) -> Any:  # noqa: D102
        return self.sink.result()


class Curves:
    """The curves of the rows marked in `kept`, (K, k, m)."""

    def __init__(self, kept: NDArray[np.bool_]) -> None:
        self.kept, self.place = kept, np.cumsum(kept) - 1
        self.curves: Values = np.empty((0, 0, 0))  # until the first block tells K

    def add(self, task: Task, block: Values, m: int) -> None:  # noqa: D102
        if not len(self.curves):
            self.curves = np.empty((block.shape[2], self.kept.sum(), m))
        keep = self.kept[task.rows]
        if keep.any():
            place = self.place[task.rows][keep]
            self.curves[:, place, task.points] = block[keep].transpose(2, 0, 1)  # (k, g, K) -> (K, k, g)

    def result(self) -> Values:  # noqa: D102
        return self.curves


class Spread:
    """The weighted mean over the rows and its standard error, (K, m) each.

    With weights w_i that are scaled to sum 1, the squared error is sum_i w_i^2 (f_i - mean)^2 * n / (n - 1). Deviations
    are taken from the heaviest row of the first block, so that a large common level costs no digits.
    """

    def __init__(self, weights: Values, mask: NDArray[np.bool_] | None = None) -> None:
        self.weights, self.mask = weights / weights.sum(), mask
        self.level: Values = np.empty((0, 0))  # until the first block tells K

    def add(self, task: Task, block: Values, m: int) -> None:  # noqa: D102
        if not len(self.level):
            self.level = np.full((m, block.shape[2]), np.nan)
            self.sums = np.zeros((6, m, block.shape[2]))  # of 1, w, w d, w^2, w^2 d, w^2 d^2
        span = task.points
        if np.isnan(self.level[span]).any():
            self.level[span] = self._heaviest(task, block)
        away = block - self.level[span]
        weights = self.weights[task.rows]
        if self.mask is None:
            self.sums[:, span] += self._plain(weights, away)
        else:
            self.sums[:, span] += self._masked(weights[:, None] * self.mask[task.rows, task.points], away)

    def _heaviest(self, task: Task, block: Values) -> Values:
        """At each point the block's value of the row that counts most there, (g, K)."""
        weights = self.weights[task.rows]
        if self.mask is None:
            return block[weights.argmax()]
        counted = weights[:, None] * self.mask[task.rows, task.points]  # (r, g)
        return block[counted.argmax(axis=0), np.arange(block.shape[1])]

    @staticmethod
    def _plain(weights: Values, away: Values) -> Values:
        """A block's six sums where every row counts at every point, (6, g, K)."""
        flat = away.reshape(len(away), -1)  # (r, g K)
        squares = weights**2
        sums = np.empty((6, flat.shape[1]))
        sums[0], sums[1], sums[3] = np.count_nonzero(weights), weights.sum(), squares.sum()
        sums[2], sums[4] = weights @ flat, squares @ flat
        sums[5] = squares @ (flat * flat)
        return sums.reshape(6, *away.shape[1:])

    @staticmethod
    def _masked(weights: Values, away: Values) -> Values:
        """A block's six sums where each row has its own weight at each point, (r, g) -> (6, g, K)."""
        w = weights[..., None]  # (r, g, 1)
        terms = (w > 0, w, w * away, w**2, w**2 * away, w**2 * away**2)
        return np.stack([np.broadcast_to(term.sum(axis=0), away.shape[1:]) for term in terms])

    def result(self) -> tuple[Values, Values]:  # noqa: D102
        rows, total, first, square, square_first, square_second = self.sums
        with np.errstate(invalid="ignore", divide="ignore"):  # no row, or a single one: NaN
            mean = first / total
            variance = (square_second - 2 * mean * square_first + mean**2 * square) / total**2
            se = np.sqrt(np.maximum(variance, 0.0) * rows / (rows - 1))
        return (mean + self.level).T, se.T  # (m, K) -> (K, m)
