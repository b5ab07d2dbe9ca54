"""Evaluation: the model at every point, for every background row.

The one workhorse: `average` is the mean over the rows, which is all that partial dependence, importance and H need;
`cube` keeps every row's own curve. Rows are stacked instance-major (the copies of one row together), because neighbours
then take nearly the same path through a tree, and the block is the transposed ICE matrix as it stands. The average is
accumulated block by block in float64 and never holds a value per row and point: a block is a call of the model, which
`calling` makes, and `sinks` take from it what is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate.calling import Points, Sweep, Values, Work
from interpret_pd.evaluate.exact import proved
from interpret_pd.evaluate.partitions import average as partition_average
from interpret_pd.evaluate.sinks import Curves, Later, Sink, Spread, Sums, Task
from interpret_pd.evaluate.together import ask
from interpret_pd.frames.base import Rows
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.stopping import Stop

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
    weights = predictor.case_weights
    rows = np.arange(predictor.n_rows) if rows is None else rows
    rows = rows[weights[rows] > 0]  # a row without weight needs no prediction
    share = weights[rows] / weights[rows].sum()
    if predictor.engine == "trees":
        found = proved(predictor)
        group = groups[rows]
        parts = {b: found.average(points, rows[group == b], share[group == b]) for b in np.unique(group)}
        whole = np.zeros((group.max() + 1, *parts[group[0]].shape))  # a group without rows adds nothing
        whole[list(parts)] = list(parts.values())
        return whole
    return _swept(predictor, points, rows, Sums(share, groups[rows]))[0]


def all_group_averages(predictor: Predictor, sets: Sequence[Points], groups: Rows) -> list[Values]:
    """The summands of many averages, each at its own points, as a list of (B, K, m): see `group_averages`.

    The work is shared between the sets: batches of all of them go to the workers at once, and the trees need one walk
    per row for all features.
    """
    weights = predictor.case_weights / predictor.case_weights.sum()
    averaged = np.flatnonzero(weights > 0)
    if predictor.engine != "trees":
        sums = [Sums(weights[averaged], groups[averaged]) for _ in sets]
        works = [Work(predictor, Sweep(averaged, points), [one]) for points, one in zip(sets, sums, strict=True)]
        ask(*works)
        return [work.results()[0] for work in works]
    if any(len(points) > 1 for points in sets):
        return [group_averages(predictor, points, groups) for points in sets]
    return proved(predictor).group_averages(sets, averaged, weights[averaged], groups[averaged])


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
    if predictor.whole is not None and predictor.whole.partitions is not None:
        return _of_partitions(predictor, predictor.whole.partitions, points, rows, anchor, mask)
    weights = predictor.case_weights
    kept = np.zeros(predictor.n_rows, bool)
    kept[rows] = True
    needed = np.flatnonzero(kept | (weights > 0))
    if predictor.stop is not None:
        return _sampled(predictor, predictor.stop, points, needed, anchor, mask)
    sinks = Spread(weights[needed], None if mask is None else mask[needed]), Curves(kept[needed])
    base = _base(predictor, anchor, needed)
    (mean, se), curves = _swept(predictor, points, needed, *sinks, base=base)
    return Moments(mean, curves, se)


def _base(predictor: Predictor, anchor: Points | None, rows: Rows) -> Values | None:
    """The rows' predictions at the anchor, (r, 1, K), if there is one."""
    return None if anchor is None else cube(predictor, anchor, rows).transpose(1, 2, 0)  # (K, r, 1) -> (r, 1, K)


def _of_partitions(
    predictor: Predictor,
    partitions: list[Any],
    points: Points,
    rows: Rows,
    anchor: Points | None,
    mask: NDArray[np.bool_] | None,
) -> Moments:
    """The average over the rows of all partitions; curves are of the sample's rows."""
    if mask is not None or predictor.weights is not None or predictor.stop is not None:
        raise checks.must_be("rows", "a number for within_support, by and tolerance", "all")
    mean, se = partition_average(predictor, partitions, points, anchor)
    if not len(rows):
        return Moments(mean, np.empty((len(mean), 0, mean.shape[1])), se)
    curves = cube(predictor, points, rows)
    return Moments(mean, curves if anchor is None else curves - cube(predictor, anchor, rows), se)


def _sampled(
    predictor: Predictor, stop: Stop, points: Points, rows: Rows, anchor: Points | None, mask: NDArray[np.bool_] | None
) -> Moments:
    """The average over as many rows, drawn at random, as make it exact enough."""
    drawn = stop.generator.permutation(rows)
    spread = Spread(predictor.case_weights[drawn], None if mask is None else mask[drawn])
    for block in stop.blocks(drawn):
        some = drawn[block]
        mean, se = _swept(predictor, points, some, Later(spread, block.start), base=_base(predictor, anchor, some))[0]
        stop.weigh(mean, se)
    return Moments(mean, np.empty((len(mean), 0, mean.shape[1])), se)


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
        return proved(predictor).at(rows, columns)
    return _performed(Work(predictor, Sweep(rows, columns, own=True), [Curves(np.ones(len(rows), bool))]))[0][..., 0]


def _swept(predictor: Predictor, points: Points, rows: Rows, *sinks: Sink, base: Values | None = None) -> list[Any]:
    """What each sink makes of the rows at the points; `base`, (r, 1, K), is subtracted from every block first."""
    return _performed(Work(predictor, Sweep(rows, points), sinks, base))


def _performed(work: Work) -> list[Any]:
    """What each sink makes of a work, by the engine that the predictor has."""
    if work.predictor.engine == "trees":
        _walk(work)
    else:
        ask(work)
    return work.results()


def _walk(work: Work) -> None:
    """Takes the predictions from the trees, as many at once as memory allows."""
    found, sweep = proved(work.predictor), work.sweep
    n, m = len(sweep.rows), sweep.m
    step = max(1, CURVES // m)
    for start in range(0, n, step):
        some = slice(start, min(start + step, n))
        work.take(Task(some, slice(0, m)), found.cube(sweep.points, sweep.rows[some]))
