"""Partitions: an average over data that stay where they are; each partition gives sums, the scheduler adds them up.

The sums are of deviations from one row's curve, so that a large common level costs no digits.
"""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd.evaluate.calling import Points, Sweep, Values, Work, perform
from interpret_pd.evaluate.sending import Parcel, opened, scattered
from interpret_pd.evaluate.sinks import Curves, Task
from interpret_pd.frames import as_table
from interpret_pd.frames.passes import summed
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.memo import Memo
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Errand:
    """What is done with a partition; a cluster's worker gets the model once for all."""

    predictor: Predictor  # without model, data and partitions
    source: Source | Parcel
    points: Points
    anchor: Points | None
    level: Values

    def sums(self, frame: Any) -> Sums:
        """A partition's sums."""
        if not len(frame):
            return Sums(0, np.zeros_like(self.level), np.zeros_like(self.level), 0)
        local, source = copy.copy(self.predictor), opened(self.source)
        local.response, local.table, local.calls = source.response, as_table(frame), [0]
        local.source = Source(source.response, local.table, source.target)
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


def _sent(source: Source) -> Source | Parcel:
    """The source where the workers are, once for each; without a cluster as it is."""
    if "distributed" in sys.modules:
        from distributed import get_client

        try:
            client = get_client()
        except ValueError:  # there is none
            return source
        return scattered(source, client)
    return source


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

    one = np.array([0])
    level = curves(predictor, points, one)[:, 0].T  # (K, m) -> (m, K)
    start = base(predictor, anchor, one)
    level = level if start is None else level - start[0]
    bare = copy.copy(predictor)  # what travels with every partition
    bare.whole, bare.n_jobs, bare.progress, bare.cache = None, 1, False, Memo(selection=predictor.selection)
    bare.model = bare.response = bare.table = bare.source = None  # type: ignore[assignment]
    sums = delayed(Errand(bare, _sent(predictor.source), points, anchor, level).sums, pure=False)
    total = summed([sums(frame) for frame in partitions], delayed(Sums.plus)).compute()
    predictor.calls[0] += total.calls
    mean = total.first / total.n
    with np.errstate(invalid="ignore", divide="ignore"):  # a single row has no standard error
        se = np.sqrt(np.maximum(total.second - total.n * mean**2, 0.0) / (total.n - 1) / total.n)
    return (mean + level).T, se.T
