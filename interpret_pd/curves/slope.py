"""A slope: the derivative of curves along a numeric axis, per unit of the feature (per day for dates)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate import Values


def slopes(values: Values, points: NDArray[np.float64], smooth: int | None = None) -> Values:
    """The slope at each point, of the same shape as `values`, (..., G).

    (y_{g+1} - y_{g-1}) / (x_{g+1} - x_{g-1}) inside, one-sided at the two ends, as R's ICEbox does after smoothing; or,
    with `smooth` points (an odd number), that of a parabola fitted around each point (Savitzky and Golay 1964), which
    needs equidistant points.
    """
    order = np.argsort(points, kind="stable")
    x, y = points[order], values[..., order]
    if smooth is None:
        last = np.arange(len(x))
        low, high = np.maximum(last - 1, 0), np.minimum(last + 1, len(x) - 1)
        slope = (y[..., high] - y[..., low]) / (x[high] - x[low])
    else:
        slope = _parabola(y, x, smooth)
    out = np.empty_like(values)
    out[..., order] = slope
    return out


def _parabola(y: Values, x: NDArray[np.float64], smooth: int) -> Values:
    """The slope of the parabola through `smooth` neighbouring points, (..., G)."""
    from scipy.signal import savgol_filter

    steps = np.diff(x)
    if not np.allclose(steps, steps[0]):
        raise checks.refused("smooth needs equidistant points; use a grid with a number of points, or smooth=None.")
    if checks.whole_number("smooth", smooth, 3) % 2 == 0 or smooth > len(x):
        raise checks.must_be("smooth", f"an odd number from 3 to the number of points ({len(x)})", smooth)
    return savgol_filter(y, smooth, polyorder=2, deriv=1, delta=steps[0], axis=-1)
