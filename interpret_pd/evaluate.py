"""Evaluation: the model at every point, for every background row.

The one workhorse: `average` is the mean over the rows, which is all that partial dependence, importance and H need; `cube`
keeps every row's own curve. Rows are stacked instance-major (the copies of one row together), because neighbours then take
nearly the same path through a tree, and the block is the transposed ICE matrix as it stands. The average is accumulated
block by block in float64 and never holds a value per row and point.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd.frames.base import Column, Rows
from interpret_pd.predictor import Predictor
from interpret_pd.progress import Progress

Points = Mapping[object, Column]  # the columns to overwrite, m values each
Values = NDArray[np.float64]


class Task(NamedTuple):
    """One call of the model: some rows at some points, by position."""

    rows: slice  # of the rows evaluated
    points: slice


def average(predictor: Predictor, points: Points) -> Values:
    """The weighted mean over the background rows of the predictions at each point.

    f(x_S) = sum_i w_i f(x_S, x_i without S) / sum_i w_i: the features in `points` take the point's values in every row.

    Returns
    -------
    float array of shape (K, m)
    """
    return both(predictor, points, np.empty(0, int))[0]


def cube(predictor: Predictor, points: Points, rows: Rows) -> Values:
    """Each of the rows at every point, (K, len(rows), m)."""
    return _sweep(predictor, points, rows, np.zeros(len(rows)), np.ones(len(rows), bool))[1]


def both(predictor: Predictor, points: Points, rows: Rows) -> tuple[Values, Values]:
    """The average over all rows, (K, m), and the curves of some, (K, len(rows), m), in one pass."""
    n, weights = predictor.n_rows, predictor.weights
    weights = np.full(n, 1.0) if weights is None else weights
    kept = np.zeros(n, bool)
    kept[rows] = True
    needed = np.flatnonzero(kept | (weights > 0))  # a row without weight needs no prediction
    weights = weights[needed]
    return _sweep(predictor, points, needed, weights / weights.sum(), kept[needed])


def _sweep(
    predictor: Predictor, points: Points, rows: Rows, weights: Values, kept: NDArray[np.bool_]
) -> tuple[Values, Values]:
    """The weighted sum over the rows, (K, m), and the kept rows' curves, (K, k, m)."""
    m = len(next(iter(points.values())))
    place = np.cumsum(kept) - 1  # where a kept row's curve goes
    mean = curves = None
    non_finite = 0
    for task, block in _blocks(predictor, points, rows, m):
        if mean is None or curves is None:
            mean, curves = np.zeros((m, block.shape[2])), np.empty((block.shape[2], kept.sum(), m))
        part = (weights[task.rows] @ block.reshape(len(block), -1)).reshape(block.shape[1:])  # (r, g, K) -> (g, K)
        mean[task.points] += part
        if not np.isfinite(part).all():  # one bad prediction spoils its sum: cheaper than a look at each
            non_finite += int(np.sum(~np.isfinite(block)))
        keep = kept[task.rows]
        if keep.any():
            curves[:, place[task.rows][keep], task.points] = block[keep].transpose(2, 0, 1)  # (k, g, K) -> (K, k, g)
    if non_finite:
        raise ValueError(
            f"the model returned {non_finite} non-finite predictions for the background data; the effect would be NaN."
        )
    assert mean is not None and curves is not None  # noqa: S101  (for the type checker: there is at least one row)
    return mean.T, curves


def _blocks(predictor: Predictor, points: Points, rows: Rows, m: int) -> Iterator[tuple[Task, Values]]:
    """Every task with its predictions, (r, g, K); with several workers, as they come in order."""
    progress = Progress(predictor.progress, len(rows) * m)
    tasks = _tasks(predictor, len(rows), m)
    if predictor.n_jobs in (None, 1):
        answers = ((task, _call(predictor, points, rows[task.rows], task.points)) for task in tasks)
    else:
        from joblib import Parallel, delayed

        parallel = Parallel(predictor.n_jobs, prefer="threads", return_as="generator")
        answers = parallel(delayed(_job)(predictor, points, rows[task.rows], task) for task in tasks)
    for task, (matrix, seconds) in answers:
        predictor.pace.record(len(matrix), seconds)
        progress.add(len(matrix))
        yield task, matrix.reshape(task.rows.stop - task.rows.start, -1, matrix.shape[1])  # (r * g, K) -> (r, g, K)


def _tasks(predictor: Predictor, n: int, m: int) -> Iterator[Task]:
    """The rows x points cut into calls: whole rows while they fit, else one row at some points."""
    start = 0
    while start < n:
        size = predictor.pace.rows((n - start) * m)
        stop = min(n, start + max(1, size // m))
        for first in range(0, m, max(1, min(size, m))):
            yield Task(slice(start, stop), slice(first, min(m, first + size)))
        start = stop


def _job(predictor: Predictor, points: Points, rows: Rows, task: Task) -> tuple[Task, tuple[Values, float]]:
    """A call that carries its task, for workers."""
    return task, _call(predictor, points, rows, task.points)


def _call(predictor: Predictor, points: Points, rows: Rows, span: slice) -> tuple[Values, float]:
    """The model at these rows and points, (r * g, K), and the seconds it took."""
    table = predictor.table
    m = len(next(iter(points.values())))
    some = points
    if (span.start, span.stop) != (0, m):
        some = {name: table.pick(column, np.arange(span.start, span.stop)) for name, column in points.items()}
    stacked = table.stack(rows, some)
    begin = time.perf_counter()
    return predictor.ask(stacked), time.perf_counter() - begin
