"""A spread: how much a curve varies, by the rule of its axis.

Greenwell's measure: the standard deviation (n - 1) over the points of a numeric axis, and a quarter of the range, which
estimates the same from few values, over levels.
"""

from __future__ import annotations

import numpy as np

from interpret_pd.evaluate import Values
from interpret_pd.grid import Axis


def spread(values: Values, axis: Axis, along: int = -1) -> Values:
    """The spread of values along the axis of that number, which goes; 0 for a single point."""
    if values.shape[along] == 1:
        return np.zeros(values.any(axis=along).shape)
    if axis.feature.kind == "categorical":
        return np.ptp(values, axis=along) / 4
    # values that are all the same have no spread, not even that of their rounding
    return np.where(np.ptp(values, axis=along) == 0, 0.0, np.std(values, axis=along, ddof=1))
