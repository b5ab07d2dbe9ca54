"""A fan: how much the rows' curves disagree, as quantiles at each point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate import Values

ROUNDING = 1e-12  # of a share, that a sum of weights may fall short of


def quantiles(curves: Values, levels: Sequence[float], weights: NDArray[np.float64] | None) -> Values:
    """The weighted quantiles of curves at each point, (K, k, G) -> (q, K, G).

    The inverse of the weighted empirical distribution function, so that each is the value of some row.
    """
    shares = checks.numbers(levels)
    if shares is None or not np.all((shares >= 0) & (shares <= 1)):
        raise checks.must_be("levels", "shares from 0 to 1", levels)
    if weights is None:
        place = np.ceil(shares * curves.shape[1] * (1 - ROUNDING)).astype(int) - 1
        return np.sort(curves, axis=1)[:, np.maximum(place, 0)].transpose(1, 0, 2)  # (K, q, G) -> (q, K, G)
    return _weighted(curves, shares, weights)


def _weighted(curves: Values, shares: Values, weights: NDArray[np.float64]) -> Values:
    """The same with weights, (q, K, G)."""
    order = np.argsort(curves, axis=1, kind="stable")
    ranked = np.take_along_axis(curves, order, axis=1)
    reached = np.cumsum(weights[order], axis=1)  # (K, k, G)
    reached /= reached[:, -1:]
    least = np.maximum(shares * (1 - ROUNDING), np.finfo(float).tiny)  # a row without weight is no quantile
    at = [np.argmax(reached >= share, axis=1)[:, None] for share in least]  # (K, 1, G) each
    return np.stack([np.take_along_axis(ranked, place, axis=1)[:, 0] for place in at])
