"""Accumulated local effects: what small moves along a feature do to the rows that are there, added up.

A row *moves* along an axis: a number (or date) across its bin, from one edge to the next; a level to the next level up
and to the next one down. A row *stands* somewhere: half on either edge of its bin, or at its level. With these two
words one algorithm serves one feature or two, of any kinds:

    step(k)   = sum_i w_i [f(z_k, rest_i) - f(z_{k-1}, rest_i)] / sum_i w_i,    over the moves i from point k - 1 to k
    ALE(z_k)  = step(1) + ... + step(k) - c,    c such that the mean over where the rows stand is 0.

With two features the difference is that of the four corners of a pair of moves; what each feature does by itself,
measured by the same moves, is taken away, and the second-order effect is left: 0 for a model without their interaction.

Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box supervised learning models.
Journal of the Royal Statistical Society B 82(4), 1059-1086, sections 2 and 3, doi:10.1111/rssb.12377.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks, evaluate
from interpret_pd.evaluate import Values
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Axis, Grid
from interpret_pd.methods.ale_error import along_curve, by_groups
from interpret_pd.methods.cells import filled, middles
from interpret_pd.methods.computed import Computed, Options
from interpret_pd.predictor import Predictor

Places = NDArray[np.intp]


class Spots(NamedTuple):
    """For each row the places that it counts for on an axis, and how much; (n, a) each, of `size` places."""

    where: Places
    share: Values
    size: int


class Reach(NamedTuple):
    """The rows on one axis: each is moved between the places `first` and `last`, (n,) each, through `moves`.

    `stands` is where it counts in means, `ends_at` the point or level whose rows it is one of.
    """

    first: Places
    last: Places
    moves: Spots
    stands: Spots
    ends_at: Spots


def accumulated(predictor: Predictor, grid: Grid, rows: Rows, options: Options) -> Computed:  # noqa: ARG001
    """The accumulated local effect of one feature, or the second-order effect of two.

    Parameters
    ----------
    predictor : Predictor
        The model and its background data.
    grid : Grid
        One or two axes as `ale_axis` makes them: edges that increase, or levels in their order.
    rows, options
        Not used: local effects have no curves and no anchor.

    Returns
    -------
    Computed, with the layer "ale" : float array of shape (K, G1[, G2])
        In the units of the prediction; its mean over where the rows stand, with their weights, is 0. A step that no row
        makes adds 0; a cell of two features in which no row moves takes the difference of the nearest one with rows.
        Its standard error, of the same shape: see `interpret_pd.methods.ale_error`.

    Raises
    ------
    ValueError
        If no row with a weight is on the grid.

    References
    ----------
    Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box supervised learning
    models. Journal of the Royal Statistical Society B 82(4), 1059-1086. doi:10.1111/rssb.12377. Levels, the distances
    between cells and the conventions of centring are those of its R package ALEPlot 1.1.

    Examples
    --------
    >>> import pandas as pd
    >>> from interpret_pd import FeatureEffect, Predictor
    >>> X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [0.0, 1.0, 2.0, 3.0]})
    >>> predictor = Predictor(lambda X: 2 * X["a"] + X["a"] * X["b"], X)
    >>> FeatureEffect(predictor, "a", method="ale", grid=3).values
    array([[-4. , -1.5,  2.5,  7.5]])
    """
    if min(grid.shape) == 1:  # nowhere to move
        zeros = np.zeros((len(predictor.outputs), *grid.shape))
        return Computed({"ale": zeros}, zeros)
    part = _taking_part(predictor, grid)
    if not len(part):
        names = checks.listed(grid.features)
        raise checks.refused(f"no row of the background data is on the grid of {names}; there is no effect to draw.")
    weights = np.ones(len(part)) if predictor.weights is None else predictor.weights[part]
    reaches = [_reach(axis, part) for axis in grid.axes]
    differences = _moved(predictor, grid, part, reaches)  # (K, n, R1[, R2])
    for d in range(len(reaches)):
        differences = np.diff(differences, axis=2 + d)

    def effect(weights: Values) -> Values:
        return _effect(grid, reaches, differences, weights)

    values = effect(weights)
    if len(reaches) == 1:
        return Computed({"ale": values}, along_curve(values, differences, reaches[0], weights))
    return Computed({"ale": values}, by_groups(effect, weights))


def _effect(grid: Grid, reaches: Sequence[Reach], differences: Values, weights: Values) -> Values:
    """The effect from what each row's moves do, (K, n, R1[, R2]) -> (K, G1[, G2])."""
    moves = [reach.moves for reach in reaches]
    weight = _tally(weights, moves)  # (S1[, S2])
    totals = np.array([_tally(weights, moves, one) for one in differences])  # (K, S1[, S2])
    steps = np.divide(totals, weight, out=np.zeros_like(totals), where=weight > 0)
    if len(reaches) == 2:
        steps = filled(steps, weight > 0, [middles(axis) for axis in grid.axes])
    return _centred(_without_own(_summed(steps), reaches, weights), reaches, weights)


def counts(predictor: Predictor, grid: Grid) -> tuple[Places, int]:
    """How many rows are behind each value, and how many rows are left out.

    Returns
    -------
    counts : int array of shape (G1[, G2])
        The rows (of positive weight) in the bin that ends at the point, 0 at the first; for levels the rows at the
        level; for two features the rows in the cell.
    left_out : int
        The rows (of positive weight) with a missing or infinite value, or one outside the edges or levels.
    """
    part = _taking_part(predictor, grid)
    found = _tally(np.ones(len(part)), [_reach(axis, part).ends_at for axis in grid.axes])
    weighted = predictor.n_rows if predictor.weights is None else np.count_nonzero(predictor.weights)
    return np.round(found).astype(np.intp), int(weighted) - len(part)


def _taking_part(predictor: Predictor, grid: Grid) -> Rows:
    """The rows on the grid that have a weight, by position; comparisons with NaN are false."""
    there = np.ones(predictor.n_rows, bool) if predictor.weights is None else predictor.weights > 0
    for axis in grid.axes:
        there = there & (axis.feature.values >= axis.points[0]) & (axis.feature.values <= axis.points[-1])
    return np.flatnonzero(there)


def _reach(axis: Axis, rows: Rows) -> Reach:
    """Where these rows of the axis's feature are moved and stand."""
    x, size = axis.feature.values[rows], len(axis)
    if axis.feature.levels is not None:
        place = x.astype(np.intp)
        first, last = np.maximum(place - 1, 0), np.minimum(place + 1, size - 1)
        stands = Spots(place[:, None], np.ones((len(x), 1)), size)
        ends_at = stands
    else:  # bins (z_k, z_k+1], the first with its lower edge
        first = np.maximum(np.searchsorted(axis.points, x) - 1, 0)
        last = np.minimum(first + 1, size - 1)
        stands = Spots(np.column_stack([first, last]), np.full((len(x), 2), 0.5), size)
        ends_at = Spots(last[:, None], np.ones((len(x), 1)), size)
    step: Places = first[:, None] + np.arange(_widest(first, last) - 1)  # the move from `step` to `step + 1`
    moves = Spots(np.minimum(step, size - 2), (step < last[:, None]).astype(float), size - 1)
    return Reach(first, last, moves, stands, ends_at)


def _widest(first: Places, last: Places) -> int:
    """R, the most points that a row is set to: 2, or 3 between two neighbouring levels."""
    return int((last - first).max(initial=0)) + 1


def _moved(predictor: Predictor, grid: Grid, rows: Rows, reaches: Sequence[Reach]) -> Values:
    """The predictions for every row at every point of its reach, (K, n, R1[, R2]); 0 beyond it."""
    asked = np.ones((len(rows),) + (1,) * len(reaches), bool)
    for d, reach in enumerate(reaches):
        points = reach.first[:, None] + np.arange(_widest(reach.first, reach.last))
        within = points <= reach.last[:, None]  # (n, R)
        asked = asked & np.expand_dims(within, [1 + other for other in range(len(reaches)) if other != d])
    row, *offsets = np.nonzero(asked)  # the points of a row together
    columns = {
        axis.feature.name: predictor.table.pick(axis.column, reach.first[row] + offset)
        for axis, reach, offset in zip(grid.axes, reaches, offsets, strict=True)
    }
    answers = evaluate.at(predictor, rows[row], columns)  # (K, r)
    moved = np.zeros((len(answers), *asked.shape))
    moved[:, asked] = answers
    return moved


def _tally(weights: Values, spots: Sequence[Spots], values: Values | None = None) -> Values:
    """The sum over the rows of weight x share [x value] by place, or by pair of places, (size1[, size2])."""
    where = np.zeros((len(weights),) + (1,) * len(spots), np.intp)
    share = weights.reshape(where.shape)
    for d, spot in enumerate(spots):
        others = [1 + other for other in range(len(spots)) if other != d]
        where = where * spot.size + np.expand_dims(spot.where, others)  # (n, a1[, a2])
        share = share * np.expand_dims(spot.share, others)
    sizes = [spot.size for spot in spots]
    sums = share if values is None else share * values
    return np.bincount(where.ravel(), sums.ravel(), int(np.prod(sizes))).reshape(sizes).astype(float)


def _summed(steps: Values) -> Values:
    """The steps added up along every axis, from 0, (K, S1[, S2]) -> (K, G1[, G2])."""
    for axis in range(1, steps.ndim):
        steps = np.cumsum(steps, axis=axis)
    return np.pad(steps, [(0, 0)] + [(1, 0)] * (steps.ndim - 1))


def _without_own(values: Values, reaches: Sequence[Reach], weights: Values) -> Values:
    """Two features' accumulated differences without what each does by itself; one feature's as they are."""
    if len(reaches) == 1:
        return values
    one, two = reaches
    own = _own(values, _tally(weights, [one.moves, two.stands]))  # (K, G1)
    other = _own(values.swapaxes(1, 2), _tally(weights, [two.moves, one.stands]))  # (K, G2)
    return values - own[:, :, None] - other[:, None, :]


def _own(values: Values, weight: Values) -> Values:
    """What the first axis does by itself: its mean steps, weighted by where its moving rows stand on the other, (K, G).

    `values` are (K, G, H), `weight` (G - 1, H). A step that no row makes is weighted like the nearest that one makes.
    """
    made = np.flatnonzero(weight.sum(axis=1) > 0)
    nearest = made[np.argmin(np.abs(np.arange(len(weight))[:, None] - made), axis=1)]
    share = weight[nearest] / weight[nearest].sum(axis=1, keepdims=True)
    return _summed(np.sum(np.diff(values, axis=1) * share, axis=2))


def _centred(values: Values, reaches: Sequence[Reach], weights: Values) -> Values:
    """The values minus their mean over where the rows stand."""
    weight = _tally(weights, [reach.stands for reach in reaches])  # (G1[, G2])
    axes = tuple(range(1, values.ndim))
    return values - np.sum(values * weight, axis=axes, keepdims=True) / weight.sum()
