"""The axis of a local effect: edges of bins, or levels in the order in which they are passed."""

from __future__ import annotations

from typing import Any

import numpy as np

from interpret_pd import checks
from interpret_pd.evaluate import Values
from interpret_pd.features import Feature, check_told_apart
from interpret_pd.grid import Axis, Spec, axis_at, is_count, make_axis
from interpret_pd.methods.level_order import ordered_levels
from interpret_pd.predictor import Predictor

FINEST = 10**6  # more quantiles than this find no further edges that a curve would show


def ale_axis(predictor: Predictor, feature: Feature, asked: Any, spec: Spec, anchor: Any = None) -> Axis:
    """The axis of one feature of an accumulated local effect.

    Parameters
    ----------
    predictor : Predictor
        The background data; their weights count in the quantiles.
    feature : Feature
        A number, a date, or levels.
    asked : int, "unique" or values
        A number K of intervals: the edges are the K + 1 equidistant quantiles, values of the data all (the inverse of
        the empirical distribution function); quantiles that coincide make one edge. `"unique"`: every distinct value is
        an edge. Values: the edges, sorted. Levels are all taken, in declared order or the order of similarity; values
        are the levels to take, in the order to pass them.
    spec : Spec
        Its percentiles are the shares of the data between which the edges lie.
    anchor : None
        Local effects have none.

    Returns
    -------
    Axis
        Edges that increase; or levels, of a feature whose order is the axis's. A feature with one value has one edge.

    Raises
    ------
    ValueError
        For fewer than two different edges, or an anchor.
    """
    if anchor is not None:
        hint = "Its mean over the data is 0."
        raise checks.must_be("center_at", "None for method 'ale', which is centred already", anchor, hint)
    if feature.levels is not None:
        return _levels(predictor, feature, asked, spec)
    if is_count(asked):
        check_told_apart(predictor.table, feature)
        intervals = min(checks.whole_number("grid", asked, 1), FINEST)
        shares = np.linspace(*spec.percentiles, intervals + 1)
        weights = predictor.weights
        edges = feature.quantiles(shares) if weights is None else quantiles(feature.values, weights, shares)
        return axis_at(predictor.table, feature, np.unique(edges))
    axis = make_axis(predictor.table, feature, asked, spec)
    edges = np.unique(axis.points)
    if len(edges) < 2 and not isinstance(asked, str):
        raise checks.must_be("grid", "at least two edges for method 'ale'", axis.values.tolist())
    return axis_at(predictor.table, feature, edges)


def quantiles(x: Values, weights: Values, shares: Values) -> Values:
    """The different values at which the weighted empirical distribution function reaches the shares, increasing.

    As numpy's `inverted_cdf`, type 1 of Hyndman and Fan (1996), to the last bit: where a share of the rows is a whole
    number of them, rounding decides as it does there.
    """
    used = np.isfinite(x) & (weights > 0)
    used = used if used.any() else np.isfinite(x)
    order = np.argsort(x[used], kind="stable")
    reached = np.cumsum(weights[used][order])
    places = np.searchsorted(reached, shares * reached[-1])
    return np.unique(x[used][order][np.minimum(places, len(reached) - 1)])


def _levels(predictor: Predictor, feature: Feature, asked: Any, spec: Spec) -> Axis:
    """The levels in their order, as places 0, 1, ... of a feature in the same order."""
    if is_count(asked) or isinstance(asked, str):
        make_axis(predictor.table, feature, asked, spec)  # refuses what no axis takes
        levels = ordered_levels(predictor, feature)
    else:
        axis = make_axis(predictor.table, feature, asked, spec)
        known = axis.feature.levels or ()
        feature, levels = axis.feature, tuple(dict.fromkeys(known[int(place)] for place in axis.points))
    return axis_at(predictor.table, feature.reordered(levels), np.arange(len(levels), dtype=float))
