"""Evaluation: the model at every point, for every background row.

The one workhorse: `average` is the mean over the rows, which is all that partial dependence, importance and H need; `cube`
keeps every row's own curve. Rows are stacked instance-major (the copies of one row together), because neighbours then take
nearly the same path through a tree, and the block is the transposed ICE matrix as it stands. The average is accumulated
block by block in float64 and never holds a value per row and point.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd.engine import exact
from interpret_pd.frames.base import Column, Rows
from interpret_pd.predictor import Predictor
from interpret_pd.progress import Progress

Points = Mapping[object, Column]  # the columns to overwrite, m values each
Values = NDArray[np.float64]


class Task(NamedTuple):
    """One call of the model: some rows at some points, by position."""

    rows: slice  # of the rows evaluated
    points: slice


def average(predictor: Predictor, points: Points, rows: Rows | None = None) -> Values:
    """The weighted mean over the background rows of the predictions at each point.

    f(x_S) = sum_i w_i f(x_S, x_i without S) / sum_i w_i: the features in `points` take the point's values in every row.

    Parameters
    ----------
    predictor : Predictor
        The model and its background data.
    points : mapping from names to native columns of shape (m,)
        The points.
    rows : int array, optional
        Average over these background rows only.

    Returns
    -------
    float array of shape (K, m)
    """
    return group_averages(predictor, points, np.zeros(predictor.n_rows, int), rows)[0]


def group_averages(predictor: Predictor, points: Points, groups: Rows, rows: Rows | None = None) -> Values:
    """The average taken apart: its summands by group of rows, (B, K, m), which add up to the average.

    `groups` is the group of every background row, 0 to B - 1.
    """
    weights = _weights(predictor)
    rows = np.arange(predictor.n_rows) if rows is None else rows
    rows = rows[weights[rows] > 0]  # a row without weight needs no prediction
    share = weights[rows] / weights[rows].sum()
    if predictor.engine == "trees":
        found = exact(predictor)
        members = [np.flatnonzero(groups[rows] == b) for b in range(groups[rows].max() + 1)]
        return np.stack([found.average(points, rows[some], share[some]) for some in members])
    return _sweep(predictor, points, rows, share, np.zeros(len(rows), bool), groups[rows])[0]


def all_group_averages(predictor: Predictor, sets: Sequence[Points], groups: Rows) -> list[Values]:
    """The summands of many averages, each at its own points, as a list of (B, K, m): see `group_averages`.

    The trees share the work between features: one walk per row and tree serves them all.
    """
    if predictor.engine != "trees" or any(len(points) > 1 for points in sets):
        return [group_averages(predictor, points, groups) for points in sets]
    weights = _weights(predictor) / _weights(predictor).sum()
    found, averaged = exact(predictor), np.flatnonzero(weights > 0)
    parts = []
    for group in range(groups.max() + 1):
        rows = averaged[groups[averaged] == group]
        parts.append(found.averages(list(sets), rows, weights[rows]))
    return [np.stack(by_group) for by_group in zip(*parts, strict=True)]


def cube(predictor: Predictor, points: Points, rows: Rows) -> Values:
    """Each of the rows at every point, (K, len(rows), m)."""
    if predictor.engine == "trees":
        return exact(predictor).cube(points, rows)
    return _sweep(predictor, points, rows, np.zeros(len(rows)), np.ones(len(rows), bool))[1]


def both(predictor: Predictor, points: Points, rows: Rows) -> tuple[Values, Values]:
    """The average over all rows, (K, m), and the curves of some (in increasing order), (K, len(rows), m), in one pass."""
    if predictor.engine == "trees":
        return average(predictor, points), cube(predictor, points, rows)
    weights = _weights(predictor)
    kept = np.zeros(predictor.n_rows, bool)
    kept[rows] = True
    needed = np.flatnonzero(kept | (weights > 0))
    means, curves = _sweep(predictor, points, needed, weights[needed] / weights.sum(), kept[needed])
    return means[0], curves


def _weights(predictor: Predictor) -> Values:
    """The weights of the background rows, (n,)."""
    return np.ones(predictor.n_rows) if predictor.weights is None else predictor.weights


def at(predictor: Predictor, rows: Rows, columns: Points) -> Values:
    """Every row once, with its own values in some of the columns, as local effects need it.

    Parameters
    ----------
    predictor : Predictor
        The model and its background data.
    rows : int array of shape (r,)
        Positions of background rows; a row may come several times.
    columns : mapping from names to native columns of shape (r,)
        What takes the place of these rows' own values, row by row.

    Returns
    -------
    float array of shape (K, r)
    """
    if predictor.engine == "trees":
        return exact(predictor).at(rows, columns)
    table = predictor.table

    def build(task: Task) -> Any:
        part = np.arange(len(rows))[task.rows]
        return table.replace(rows[part], {name: table.pick(column, part) for name, column in columns.items()})

    answers = list(_answers(predictor, _tasks(predictor, len(rows), 1), build, len(rows)))
    values = np.concatenate([matrix for _, matrix in answers]).T  # (r, K) -> (K, r)
    _check_finite(int(np.sum(~np.isfinite(values))))
    return values


def _sweep(
    predictor: Predictor,
    points: Points,
    rows: Rows,
    weights: Values,
    kept: NDArray[np.bool_],
    groups: Rows | None = None,
) -> tuple[Values, Values]:
    """The weighted sums over the rows of each group, (B, K, m), and the kept rows' curves, (K, k, m)."""
    m = len(next(iter(points.values())))
    place = np.cumsum(kept) - 1  # where a kept row's curve goes
    groups = np.zeros(len(rows), int) if groups is None else groups
    sums = curves = None
    non_finite = 0
    for task, block in _blocks(predictor, points, rows, m):
        if sums is None or curves is None:
            k = block.shape[2]
            sums, curves = np.zeros((groups.max() + 1, m, k)), np.empty((k, kept.sum(), m))
        part = _group_sums(block, weights[task.rows], groups[task.rows], len(sums))
        sums[:, task.points] += part
        if not np.isfinite(part).all():  # one bad prediction spoils its sum: cheaper than a look at each
            non_finite += int(np.sum(~np.isfinite(block)))
        keep = kept[task.rows]
        if keep.any():
            curves[:, place[task.rows][keep], task.points] = block[keep].transpose(2, 0, 1)  # (k, g, K) -> (K, k, g)
    _check_finite(non_finite)
    assert sums is not None and curves is not None  # noqa: S101  (for the type checker: there is at least one row)
    return sums.transpose(0, 2, 1), curves  # (B, m, K) -> (B, K, m)


def _group_sums(block: Values, weights: Values, groups: Rows, count: int) -> Values:
    """The weighted sums of a block's rows by group, (r, g, K) -> (B, g, K)."""
    by_group = weights[None]
    if count > 1:
        by_group = np.zeros((count, len(block)))
        by_group[groups, np.arange(len(block))] = weights
    return (by_group @ block.reshape(len(block), -1)).reshape(count, *block.shape[1:])


def _blocks(predictor: Predictor, points: Points, rows: Rows, m: int) -> Iterator[tuple[Task, Values]]:
    """Every task of rows x points with its predictions, (r, g, K)."""
    table = predictor.table

    def build(task: Task) -> Any:
        some, span = points, task.points
        if (span.start, span.stop) != (0, m):
            some = {name: table.pick(column, np.arange(span.start, span.stop)) for name, column in points.items()}
        return table.stack(rows[task.rows], some)

    for task, matrix in _answers(predictor, _tasks(predictor, len(rows), m), build, len(rows) * m):
        yield task, matrix.reshape(task.rows.stop - task.rows.start, -1, matrix.shape[1])  # (r * g, K) -> (r, g, K)


def _answers(
    predictor: Predictor, tasks: Iterator[Task], build: Callable[[Task], Any], total: int
) -> Iterator[tuple[Task, Values]]:
    """Every task with its predictions, (r * g, K); with several workers, as they come in order."""
    progress = Progress(predictor.progress, total)
    if predictor.n_jobs in (None, 1):
        answers = (_call(predictor, build, task) for task in tasks)
    else:
        from joblib import Parallel, delayed

        parallel = Parallel(predictor.n_jobs, prefer="threads", return_as="generator")
        answers = parallel(delayed(_call)(predictor, build, task) for task in tasks)
    for task, matrix, seconds in answers:
        predictor.pace.record(len(matrix), seconds)
        progress.add(len(matrix))
        yield task, matrix


def _tasks(predictor: Predictor, n: int, m: int) -> Iterator[Task]:
    """The rows x points cut into calls: whole rows while they fit, else one row at some points."""
    start = 0
    while start < n:
        size = predictor.pace.rows((n - start) * m)
        stop = min(n, start + max(1, size // m))
        for first in range(0, m, max(1, min(size, m))):
            yield Task(slice(start, stop), slice(first, min(m, first + size)))
        start = stop


def _call(predictor: Predictor, build: Callable[[Task], Any], task: Task) -> tuple[Task, Values, float]:
    """The task, the model's predictions for its rows, (r * g, K), and the seconds that they took."""
    stacked = build(task)
    begin = time.perf_counter()
    return task, predictor.ask(stacked), time.perf_counter() - begin


def _check_finite(non_finite: int) -> None:
    """Raises if any prediction is NaN or infinite."""
    if non_finite:
        raise ValueError(
            f"the model returned {non_finite} non-finite predictions for the background data; the effect would be NaN."
        )
