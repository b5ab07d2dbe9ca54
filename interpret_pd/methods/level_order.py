"""An order for levels that have none: neighbours are levels whose rows are alike in the other features.

An accumulated effect goes from level to level, and a step is only as good as the move is plausible: the rows of a level
are set to a neighbouring one. So levels without an order of their own get the order of similarity of Apley and Zhu:

1. The distance of two levels is summed over the *other* features: for a number (or date) the largest difference between
   the two levels' empirical distribution functions at 100 quantiles of all rows; for levels half the sum of the
   absolute differences between their shares (the total variation).
2. Classical scaling puts the levels on a line so that their distances there are as near to these as can be.
3. A line has two directions; the one that follows the feature's own order (declared, else sorted) is taken, so that the
   order is the same on every machine. It is also what decides between lines that serve equally well.

Missing values count: a missing number stands above all numbers, a missing level is a level of its own.

Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box supervised learning models.
Journal of the Royal Statistical Society B 82(4), 1059-1086, doi:10.1111/rssb.12377, and its R package ALEPlot 1.1.
Torgerson, W. S. (1952). Multidimensional scaling: I. Theory and method. Psychometrika 17, 401-419.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.evaluate import Values
from interpret_pd.features import Feature
from interpret_pd.predictor import Predictor

QUANTILES = 100  # where two distribution functions are compared
DIGITS = 9  # of a level's place on the line that count; the rest is rounding


def ordered_levels(predictor: Predictor, feature: Feature) -> tuple[Any, ...]:
    """The levels of a feature in the order in which effects are accumulated.

    Parameters
    ----------
    predictor : Predictor
        The background data, with their weights.
    feature : Feature
        A feature with L levels.

    Returns
    -------
    tuple of length L
        The declared order of an ordered feature; False before True; else the order of similarity.

    Examples
    --------
    >>> import pandas as pd
    >>> from interpret_pd import Predictor
    >>> rents = {"a": range(0, 20), "b": range(12, 32), "c": range(3, 23)}
    >>> X = pd.DataFrame([(town, rent) for town in rents for rent in rents[town]], columns=["town", "rent"])
    >>> predictor = Predictor(lambda X: X["rent"], X)
    >>> ordered_levels(predictor, predictor.feature("town"))
    ('a', 'c', 'b')
    """
    levels = feature.levels or ()
    if feature.ordered or len(levels) < 3:  # two levels have one direction, which is their own
        return levels
    return tuple(levels[place] for place in on_a_line(distances(predictor, feature)))


def distances(predictor: Predictor, feature: Feature) -> Values:
    """How unlike the rows of any two levels are, summed over the other features, (L, L)."""
    L = len(feature.levels or ())
    weights = predictor.case_weights
    used = np.flatnonzero((feature.values >= 0) & (weights > 0))
    place, weights = feature.values[used].astype(int), weights[used] / weights[weights > 0].mean()
    total = np.zeros((L, L))
    for other in predictor.present_features():
        if other.name == feature.name:
            continue
        if other.levels is None:
            total += _apart(_distributions(other.values[used], place, weights, L), np.max)
        else:
            total += _apart(_shares(other.values[used].astype(int) + 1, place, weights, L), np.sum) / 2
    return total


def on_a_line(distance: Values) -> NDArray[np.intp]:
    """The places of L items in the order of classical scaling to one dimension, (L,).

    The items' places on the line are the first eigenvector of -J D^2 J / 2, with J the matrix that centres. Of its two
    directions, and of all eigenvectors that belong to the same eigenvalue, that one is taken which follows the order
    given most.
    """
    L = len(distance)
    centring = np.eye(L) - 1 / L
    values, vectors = np.linalg.eigh(-centring @ distance**2 @ centring / 2)
    best = vectors[:, values >= values[-1] - 1e-9 * max(abs(values[-1]), abs(values[0]))]
    given = np.arange(L) - (L - 1) / 2
    line = best @ (best.T @ given)
    if np.linalg.norm(line) < 1e-9 * np.linalg.norm(given):  # neither way: the first item off the middle comes first
        line = best[:, -1]
        line = -line * np.sign(line[np.abs(line) > 1e-9][0])
    return np.argsort(np.round(line / np.abs(line).max(), DIGITS), kind="stable")


def _distributions(x: Values, place: NDArray[np.int_], weights: Values, L: int) -> Values:
    """The levels' distribution functions at quantiles of all rows, (L, QUANTILES)."""
    x = np.where(np.isnan(x), np.inf, x)
    finite = np.isfinite(x)
    if not finite.any():
        return np.zeros((L, QUANTILES))
    points = _quantiles(x[finite], weights[finite])
    return np.cumsum(_shares(np.searchsorted(points, x), place, weights, L, QUANTILES + 1), axis=1)[:, :-1]


def _quantiles(x: Values, weights: Values) -> Values:
    """The values in the data at or just below `QUANTILES` quantiles of type 7 (Hyndman and Fan), (QUANTILES,).

    A distribution function has the same value at these as at the quantiles themselves, which lie between two values.
    """
    order = np.argsort(x, kind="stable")
    ranks = np.cumsum(weights[order])
    at = np.linspace(0, 1, QUANTILES) * (ranks[-1] - 1)
    return x[order][np.minimum(np.searchsorted(ranks, at + 1e-9, side="right"), len(x) - 1)]


def _shares(
    codes: NDArray[np.int_], place: NDArray[np.int_], weights: Values, L: int, size: int | None = None
) -> Values:
    """The share of each code among the rows of each level, (L, size)."""
    size = int(codes.max(initial=0)) + 1 if size is None else size
    counts = np.bincount(place * size + codes, weights, L * size).reshape(L, size)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), np.finfo(float).tiny)


def _apart(profiles: Values, norm: Any) -> Values:
    """A norm of the absolute difference of any two rows, (L, L)."""
    return np.array([norm(np.abs(profiles - one), axis=1) for one in profiles])
