"""Evaluation: the model at every point, for every background row.

The one workhorse: `average` is the mean over the rows, which is all that partial dependence, importance and H need; `cube`
keeps every row's own curve. Rows are stacked instance-major (the copies of one row together), because neighbours then take
nearly the same path through a tree, and the block is the transposed ICE matrix as it stands. The average is accumulated
block by block in float64 and never holds a value per row and point: a block is a call of the model, and `sinks` take from
it what is asked for.
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
from interpret_pd.sinks import Curves, Sink, Spread, Sums, Task

Points = Mapping[object, Column]  # the columns to overwrite, m values each
Values = NDArray[np.float64]


CURVES = 2**20  # predictions of the trees held at once


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
    return _swept(predictor, points, rows, Sums(share, groups[rows]))[0]


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
    return _swept(predictor, points, rows, Curves(np.ones(len(rows), bool)))[0]


class Moments(NamedTuple):
    """What one pass over the background data gives: the average, some rows' curves, and how sure the average is.

    `mean` (K, m), `curves` (K, k, m), and `se` (K, m), the standard error that the mean has because the background data
    are a sample of rows: sum_i w_i^2 (f_i - mean)^2 / (sum_i w_i)^2 * n / (n - 1) is its square.
    """

    mean: Values
    curves: Values
    se: Values


def moments(
    predictor: Predictor,
    points: Points,
    rows: Rows,
    *,
    anchor: Points | None = None,
    mask: NDArray[np.bool_] | None = None,
) -> Moments:
    """The average over the background data with its standard error, and the curves of some rows, in one pass.

    Parameters
    ----------
    predictor : Predictor
        The model and its background data.
    points : mapping from names to native columns of shape (m,)
        The points.
    rows : int array of shape (k,)
        The rows whose curves are kept, in increasing order.
    anchor : mapping from names to native columns of shape (1,), optional
        Every row's prediction there is subtracted from its curve first.
    mask : bool array of shape (n, m), optional
        Which rows count in the average at which points; all by default.

    Returns
    -------
    Moments
    """
    weights = _weights(predictor)
    kept = np.zeros(predictor.n_rows, bool)
    kept[rows] = True
    needed = np.flatnonzero(kept | (weights > 0))
    sinks = Spread(weights[needed], None if mask is None else mask[needed]), Curves(kept[needed])
    base = None if anchor is None else cube(predictor, anchor, needed).transpose(1, 2, 0)  # (K, r, 1) -> (r, 1, K)
    (mean, se), curves = _swept(predictor, points, needed, *sinks, base=base)
    return Moments(mean, curves, se)


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


def _swept(predictor: Predictor, points: Points, rows: Rows, *sinks: Sink, base: Values | None = None) -> list[Any]:
    """What each sink makes of the rows at the points; `base`, (r, 1, K), is subtracted from every block first."""
    m, non_finite = len(next(iter(points.values()))), 0
    for task, block in _blocks(predictor, points, rows, m):
        flat = block.ravel()
        if not np.isfinite(flat @ flat):  # one bad prediction spoils the sum: cheaper than a look at each
            non_finite += int(np.sum(~np.isfinite(block)))
        values = block if base is None else block - base[task.rows]
        for sink in sinks:
            sink.add(task, values, m)
    _check_finite(non_finite)
    return [sink.result() for sink in sinks]


def _blocks(predictor: Predictor, points: Points, rows: Rows, m: int) -> Iterator[tuple[Task, Values]]:
    """Every task of rows x points with its predictions, (r, g, K)."""
    table = predictor.table
    if predictor.engine == "trees":
        found, step = exact(predictor), max(1, CURVES // m)
        for start in range(0, len(rows), step):
            some = slice(start, min(start + step, len(rows)))
            yield Task(some, slice(0, m)), found.cube(points, rows[some])
        return

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
