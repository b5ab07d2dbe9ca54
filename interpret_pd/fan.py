"""A fan: how much the rows' curves disagree, as quantiles at each point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate import Values


def quantiles(curves: Values, levels: Sequence[float], weights: NDArray[np.float64] | None) -> Values:
    """The weighted quantiles of curves at each point, (K, k, G) -> (q, K, G).

    The inverse of the weighted empirical distribution function, so that each is the value of some row.
    """
    shares = np.asarray(levels, dtype=float)
    if shares.ndim != 1 or not len(shares) or not np.all((shares >= 0) & (shares <= 1)):
        raise checks.must_be("levels", "shares from 0 to 1", list(levels))
    if weights is None:
        return np.quantile(curves, shares, axis=1, method="inverted_cdf")
    return _weighted(curves, shares, weights)


def _weighted(curves: Values, shares: Values, weights: NDArray[np.float64]) -> Values:
    """The same with weights, (q, K, G)."""
    order = np.argsort(curves, axis=1, kind="stable")
    ranked = np.take_along_axis(curves, order, axis=1)
    reached = np.cumsum(weights[order], axis=1)  # (K, k, G)
    reached /= reached[:, -1:]
    at = [np.argmax(reached >= share * (1 - 1e-12), axis=1)[:, None] for share in shares]  # (K, 1, G) each
    return np.stack([np.take_along_axis(ranked, place, axis=1)[:, 0] for place in at])
