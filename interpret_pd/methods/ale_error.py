"""The standard error of an accumulated local effect: how sure it is, the background data being a sample of rows.

Along one feature the edges are taken as given. A row changes the steps that it makes, and where the mean is; what it
adds to ALE(z_g) is, but for terms of second order,

    sum_k w_i (d_ik - step(k)) / w(k) [1(k <= g) - P(k)]  -  w_i / w [ALE(where it stands)],

with w(k) the weight of the rows that make step k and P(k) the share of the rows that stand at or beyond z_k. The
squared error is the sum of the squares. So errors grow along the curve as its steps add up, and two steps between
levels that share rows are not taken for independent. Of two features the rows are left out in groups instead: the
delete-a-group jackknife.

Hampel, F. R. (1974). The influence curve and its role in robust estimation. JASA 69, 383-393.
Efron, B. and Tibshirani, R. J. (1993). An introduction to the bootstrap, chapters 11 and 22. Chapman & Hall.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from interpret_pd.evaluate import Values
from interpret_pd.frames.base import Rows

if TYPE_CHECKING:
    from interpret_pd.methods.ale import Reach, Spots

GROUPS = 50  # of rows, for the jackknife


def along_curve(values: Values, differences: Values, reach: Reach, weights: Values) -> Values:
    """The standard error of one feature's ALE.

    Parameters
    ----------
    values : float array of shape (K, G)
        The effect, with mean 0 over where the rows stand.
    differences : float array of shape (K, n, R)
        What each row's moves do, 0 for those that it doesn't make.
    reach : Reach
        Where the n rows move and stand; R moves at most.
    weights : float array of shape (n,)
        Positive.

    Returns
    -------
    float array of shape (K, G)
        A step that one row makes takes the others' mean square for its own; NaN where no step has two rows.
    """
    n = len(weights)
    if n < 2:
        return np.full(values.shape, np.nan)
    where, size = reach.moves.where, reach.moves.size
    added = _deviations(differences, np.diff(values, axis=1), reach.moves)
    by_step = np.bincount(where.ravel(), (weights[:, None] * reach.moves.share).ravel(), size)
    added *= weights[:, None] / np.where(by_step > 0, by_step, 1.0)[where]  # (K, n, R)
    beyond = 1 - np.cumsum(_standing(reach.stands, weights))[:-1]  # P, (S,)
    moves_mean = np.sum(values[:, reach.stands.where] * reach.stands.share, axis=2) * weights / weights.sum()
    first = -np.sum(added * beyond[where], axis=2) - moves_mean * np.sqrt(n / (n - 1))  # what a row adds at z_0, (K, n)
    at = np.concatenate([first[..., None], first[..., None] + np.cumsum(added, axis=2)], axis=2)  # (K, n, R + 1)
    more = np.diff(at**2, axis=2)
    squares = np.sum(first**2, axis=1)[:, None]  # (K, 1)
    grown = np.array([np.cumsum(np.bincount(where.ravel(), one.ravel(), size)) for one in more])  # (K, S)
    return np.sqrt(np.maximum(np.concatenate([squares, squares + grown], axis=1), 0.0))


def _deviations(differences: Values, steps: Values, moves: Spots) -> Values:
    """The rows' differences less their step's mean, scaled so that their mean square is without bias, (K, n, R)."""
    made = moves.share > 0
    rows = np.bincount(moves.where[made], minlength=moves.size)  # (S,)
    away = np.where(made, differences - steps[:, moves.where], 0.0)
    free = np.sum(np.maximum(rows - 1, 0))
    usual = np.sqrt(np.sum(away**2, axis=(1, 2)) / free) if free else np.full(len(away), np.nan)  # (K,)
    scale = np.sqrt(rows / np.maximum(rows - 1, 1))
    return np.where(made & (rows == 1)[moves.where], usual[:, None, None], away * scale[moves.where])


def _standing(stands: Spots, weights: Values) -> Values:
    """The share of the rows that stand at each point, (G,)."""
    sums = np.bincount(stands.where.ravel(), (weights[:, None] * stands.share).ravel(), stands.size)
    return sums / weights.sum()


def by_groups(effect: Callable[[Values], Values], weights: Values) -> Values:
    """The delete-a-group jackknife's standard error of an effect as a function of the rows' weights, of its shape."""
    groups = random_groups(len(weights))
    count = groups.max() + 1
    if count < 2:
        return np.full_like(effect(weights), np.nan)
    without = np.stack([effect(np.where(groups == group, 0.0, weights)) for group in range(count)])
    return np.sqrt((count - 1) / count * np.sum((without - without.mean(axis=0)) ** 2, axis=0))


def random_groups(n: int, count: int = GROUPS) -> Rows:
    """A random group for each row, of equal sizes, the same every time."""
    return np.random.default_rng(0).permutation(np.arange(n) % min(count, n))
