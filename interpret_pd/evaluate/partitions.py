"""Partitions: an average over data that stay where they are; each partition gives sums, the scheduler adds them up.

The sums are of deviations from one row's curve, so that a large common level costs no digits.
"""

from __future__ import annotations

import contextlib
import copy
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd.evaluate.calling import Points, Sweep, Values, Work, perform
from interpret_pd.evaluate.sinks import Curves, Task
from interpret_pd.frames import as_table
from interpret_pd.frames.large import summed
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.source import Source


class Sums(NamedTuple):
    """What a partition gives: its rows, the sums of deviations and of their squares, (m, K) each, and its calls."""

    n: int
    first: Values
    second: Values
    calls: int

    def plus(self, other: Sums) -> Sums:
        """The sums of two partitions."""
        first, second = self.first + other.first, self.second + other.second
        return Sums(self.n + other.n, first, second, self.calls + other.calls)


class Deviations:
    """A sink: the sums of the rows' deviations from a curve of shape (m, K), and of their squares."""

    def __init__(self, level: Values) -> None:
        self.level, self.first, self.second = level, np.zeros_like(level), np.zeros_like(level)

    def add(self, task: Task, block: Values, m: int) -> None:  # noqa: ARG002, D102
        away = block - self.level[task.points]
        self.first[task.points] += away.sum(axis=0)
        self.second[task.points] += (away * away).sum(axis=0)

    def result(self) -> tuple[Values, Values]:  # noqa: D102
        return self.first, self.second


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """What is done with a partition: the same for all, so that a worker gets the model once."""

    predictor: Predictor  # without its partitions
    points: Points
    anchor: Points | None
    level: Values

    def __call__(self, frame: Any) -> Sums:
        """A partition's sums."""
        if not len(frame):
            return Sums(0, np.zeros_like(self.level), np.zeros_like(self.level), 0)
        local = copy.copy(self.predictor)
        local.table, local.calls = as_table(frame), [0]
        local.source = Source(local.response, local.table, local.target)
        rows = np.arange(local.n_rows)
        work = Work(local, Sweep(rows, self.points), [Deviations(self.level)], base(local, self.anchor, rows))
        perform([work])
        first, second = work.results()[0]
        return Sums(local.n_rows, first, second, local.calls[0])


def base(predictor: Predictor, anchor: Points | None, rows: NDArray[np.intp]) -> Values | None:
    """The rows' predictions at the anchor, (r, 1, K), if there is one."""
    return None if anchor is None else curves(predictor, anchor, rows).transpose(1, 2, 0)  # (K, r, 1) -> (r, 1, K)


def curves(predictor: Predictor, points: Points, rows: NDArray[np.intp]) -> Values:
    """The rows' predictions at the points, (K, r, m)."""
    work = Work(predictor, Sweep(rows, points), [Curves(np.ones(len(rows), bool))])
    perform([work])
    return work.results()[0]


def _sent(errand: Errand) -> Any:
    """The errand where the workers are, once for each; without a cluster as it is.

    In the graph it would be copied into the task of every partition.
    """
    if "distributed" in sys.modules:
        from distributed import get_client

        with contextlib.suppress(ValueError):  # there is no client
            return get_client().scatter([errand], broadcast=True, hash=False)[0]
    return errand


def _done(errand: Errand, frame: Any) -> Sums:
    """A task of the graph."""
    return errand(frame)


def average(
    predictor: Predictor, partitions: list[Any], points: Points, anchor: Points | None
) -> tuple[Values, Values]:
    """The mean over all rows of all partitions at each point, and its standard error, (K, m) each.

    Parameters
    ----------
    predictor : Predictor
        The model, with a sample of the rows.
    partitions : list of delayed frames
    points : mapping from names to native columns of shape (m,)
    anchor : mapping from names to native columns of shape (1,), optional
        Every row's prediction there is subtracted first.
    """
    from dask import delayed

    alone = copy.copy(predictor)
    alone.whole, alone.n_jobs, alone.progress = None, 1, False
    one = np.array([0])
    level = curves(predictor, points, one)[:, 0].T  # (K, m) -> (m, K)
    start = base(predictor, anchor, one)
    level = level if start is None else level - start[0]
    errand, done = _sent(Errand(alone, points, anchor, level)), delayed(_done, pure=False)
    total = summed([done(errand, frame) for frame in partitions], delayed(Sums.plus)).compute()
    predictor.calls[0] += total.calls
    mean = total.first / total.n
    with np.errstate(invalid="ignore", divide="ignore"):  # a single row has no standard error
        se = np.sqrt(np.maximum(total.second - total.n * mean**2, 0.0) / (total.n - 1) / total.n)
    return (mean + level).T, se.T
