"""Importance: how much the partial dependence of a feature varies (Greenwell et al. 2018)."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, evaluate
from interpret_pd.curves.spread import spread
from interpret_pd.door import door
from interpret_pd.evaluate import Values
from interpret_pd.evaluate.engine import run
from interpret_pd.frames import reading
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Axis, Grid, Spec
from interpret_pd.methods import METHODS
from interpret_pd.methods.ale_error import random_groups
from interpret_pd.predictor import Predictor
from interpret_pd.windows.ranking import ranked
from interpret_pd.windows.request import asked_grid, check_predictor

MEASURES = ("pdp", "ice", "pairwise")
GROUPS = 20  # of rows, for the jackknife; more would cost the trees more than the ranking itself
MANY = 10_000_000  # predictions worth a warning
CHUNK = 2**23  # values of curves held at once


@door
def pd_importance(
    predictor: Predictor,
    features: Sequence[Any] | None = None,
    *,
    grid: Any = "unique",
    method: str = "pdp",
) -> pd.DataFrame:
    """Rank features by how much their partial dependence varies.

    For a numeric feature (integers and dates too) with unique values x_1, ..., x_K it is the standard deviation of the
    partial dependence over them; for every other kind (text, category, ordered, bool, declared categorical) a quarter
    of its range over the observed levels::

        i(x) = sqrt( sum_k (PD(x_k) - mean PD)^2 / (K - 1) )
        i(x) = ( max_k PD(x_k) - min_k PD(x_k) ) / 4

    It is in the units of the prediction, and 0 for a feature with one value.

    Parameters
    ----------
    predictor : Predictor
        The model with its background data.
    features : list of features, optional
        All by default.
    grid : "unique", int, or mapping from features to grids, default "unique"
        The points of numeric features. `"unique"` is the definition; a number of equidistant points costs less and
        changes the measure on skewed data (51 is what R's vip takes, 100 is alibi's).
    method : {"pdp", "ice", "pairwise"}, default "pdp"
        `"ice"` is the mean over the rows of each ICE curve's own spread: it sees a feature whose effects cancel out in
        the average. `"pairwise"` measures interactions: for two features, the spread over the values of one of the
        importance of the other given that value, averaged over both orders.

    Returns
    -------
    DataFrame
        One row per feature (or pair) and output, most important first: `feature`, [`feature2`], [`output`],
        `importance`, `rank`, `kind` ("numeric", "date" or "categorical"; of a pair both), `n_values` (points used), and
        `se`, the standard error that the importance has because the background data are a sample of rows
        (delete-a-group jackknife over 20 random groups; for `"ice"` that of a mean). It says nothing of the model's own
        uncertainty.

    Raises
    ------
    TypeError
        If `predictor` is no `Predictor`.
    ValueError
        If an argument has a value that it can't have; the message says which.

    Warns
    -----
    UserWarning
        Before more than ten million predictions are made.

    Notes
    -----
    It misleads in three ways. It measures main effects only: a feature that matters through an interaction can have a
    flat partial dependence (compare `method="ice"` and `h_statistic`). Every unique value weighs the same, one seen
    once as much as one seen often. And partial dependence averages over rows that correlated features make impossible.

    References
    ----------
    Greenwell, B. M., Boehmke, B. C. and McCarthy, A. J. (2018). A simple and effective model-based variable importance
    measure. arXiv:1805.04755.

    Examples
    --------
    >>> from interpret_pd import Predictor, load_bike, pd_importance
    >>> X = load_bike()[["temp", "season", "hum"]]
    >>> predictor = Predictor(lambda X: 10 * X["temp"] + 40 * (X["season"] == "fall"), X)
    >>> pd_importance(predictor).round(2)
      feature  importance  rank         kind  n_values   se
    0    temp       88.55     1      numeric       502  0.0
    1  season       10.00     2  categorical         4  0.0
    2     hum        0.00     3      numeric       595  0.0
    """
    check_predictor(predictor)
    checks.one_of("method", method, MEASURES)
    spec = Spec(grid)
    wanted = predictor.chosen(features, least=2 if method == "pairwise" else 1)
    axes = asked_grid(predictor, wanted, spec, None, METHODS["pdp"]).axes
    sets: list[tuple[Axis, ...]] = [(axis,) for axis in axes]
    if method == "pairwise":
        sets = [*itertools.combinations(axes, 2)]
    measure = _of_curves if method == "ice" else _of_averages
    predictions = predictor.n_rows * sum(int(np.prod([len(axis) for axis in axes])) for axes in sets)
    found = run(predictor, predictions, lambda settled: measure(settled, [Grid(axes) for axes in sets])).result
    outputs = predictor.outputs
    rows = [_row(one, value, se, outputs) for one, (value, se) in zip(sets, found, strict=True)]
    return ranked(pd.concat(rows, ignore_index=True), "importance", predictor.outputs)


def _row(axes: tuple[Axis, ...], importance: Values, se: Values, outputs: tuple[Hashable, ...]) -> pd.DataFrame:
    """The table's rows for one feature or pair, one per output."""
    names = {name: axis.feature.name for name, axis in zip(("feature", "feature2"), axes, strict=False)}
    return reading.as_frame(
        {
            **{column: [name] * len(outputs) for column, name in names.items()},
            "output": list(outputs),
            "importance": importance,
            "kind": ", ".join(axis.feature.kind for axis in axes),
            "n_values": int(np.prod([len(axis) for axis in axes])),
            "se": se,
        }
    )


def _measure(values: Values, axes: tuple[Axis, ...]) -> Values:
    """The importance from partial dependences, (..., G) -> (...), or of a pair, (..., G1, G2) -> (...)."""
    if len(axes) == 1:
        return spread(values, axes[0])
    given_first = spread(spread(values, axes[1], along=-1), axes[0], along=-1)
    given_second = spread(spread(values, axes[0], along=-2), axes[1], along=-1)
    return (given_first + given_second) / 2


def _of_averages(predictor: Predictor, grids: list[Grid]) -> list[tuple[Values, Values]]:
    """Importance and its standard error from the partial dependence, (K,) each, for every grid."""
    _warn_if_many(predictor, grids)
    groups = _groups(predictor)
    shares = _shares(predictor, groups)
    summands = evaluate.all_group_averages(predictor, [grid.points(predictor.table) for grid in grids], groups)
    found = []
    for grid, parts in zip(grids, summands, strict=True):
        parts = parts.reshape(*parts.shape[:2], *grid.shape)  # (B, K, m) -> (B, K, G1[, G2])
        found.append(jackknifed(partial(_measure, axes=grid.axes), parts, shares))
    return found


def _of_curves(predictor: Predictor, grids: list[Grid]) -> list[tuple[Values, Values]]:
    """The weighted mean over the rows of each curve's own spread, and its standard error, (K,) each, for every grid."""
    _warn_if_many(predictor, grids)
    n = predictor.n_rows
    weights = predictor.case_weights / predictor.case_weights.sum()
    counted = np.count_nonzero(weights)
    scale = counted / (counted - 1) if counted > 1 else np.nan
    found = []
    for grid in grids:
        points, step = grid.points(predictor.table), max(1, CHUNK // len(grid.axes[0]))
        chunks = (np.arange(start, min(n, start + step)) for start in range(0, n, step))
        cubes = [spread(evaluate.cube(predictor, points, rows), grid.axes[0]) for rows in chunks]
        own = np.concatenate(cubes, axis=1)  # (K, n)
        mean = own @ weights
        found.append((mean, np.sqrt(((own - mean[:, None]) ** 2) @ weights**2 * scale)))
    return found


def jackknifed(measure: Callable[[Values], Values], parts: Values, shares: Values) -> tuple[Values, Values]:
    """A statistic of averages and its delete-a-group jackknife standard error.

    `parts` are the averages' summands by group of rows, (B, ...), and `shares` the groups' shares of the weight, (B,).
    Without group b the averages are (total - part_b) / (1 - share_b).

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An introduction to the bootstrap, chapter 11. Chapman & Hall.
    """
    total = parts.sum(axis=0)
    if len(parts) < 2:
        return measure(total), np.full_like(measure(total), np.nan)
    without = (total - parts) / (1 - shares.reshape(-1, *[1] * total.ndim))
    left_out = measure(without)  # (B, ...): a statistic works along the last axes
    b = len(parts)
    return measure(total), np.sqrt((b - 1) / b * np.sum((left_out - left_out.mean(axis=0)) ** 2, axis=0))


def _groups(predictor: Predictor) -> Rows:
    """A random group for each row; those with weight are in groups of equal sizes."""
    weighted = np.arange(predictor.n_rows) if predictor.weights is None else np.flatnonzero(predictor.weights)
    groups = np.zeros(predictor.n_rows, int)
    groups[weighted] = random_groups(len(weighted), GROUPS)
    return groups


def _shares(predictor: Predictor, groups: Rows) -> Values:
    """The groups' shares of the weight, (B,)."""
    weights = predictor.case_weights
    return np.bincount(groups, weights) / weights.sum()


def _warn_if_many(predictor: Predictor, grids: list[Grid]) -> None:
    """Says before brute force starts what it will cost, and what a grid would."""
    predictions, fewer = (
        predictor.n_rows * sum(int(np.prod([min(g, most) for g in grid.shape])) for grid in grids)
        for most in (predictor.n_rows, 100)
    )
    if predictor.engine == "brute" and predictions > MANY:
        text = f"pd_importance is about to make {predictions:,} predictions; with grid=100 it would be {fewer:,}."
        warnings.warn(text, stacklevel=7)  # of the caller, before the door of pd_importance
