"""Stopping: how many background rows are enough for an average that is as exact as asked for, and no more.

Rows join in random order, in blocks, until at every point the standard error is at most the tolerance times the range
of the curve. After a block the rows that will be needed are reckoned from its standard errors, which fall with the root
of the rows, so that few blocks are asked for and few rows too many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.frames.base import Rows

FIRST = 200  # rows of the first block: fewer would estimate a standard error too badly
LEAST, MOST = 1.2, 4.0  # a block makes the sample so many times as large
MARGIN = 1.05  # more rows than are reckoned, for the reckoning has an error itself


class Stop:
    """When an average is exact enough.

    Parameters
    ----------
    tolerance : float
        The standard error at every point, as a share of the curve's range over the points (of each output).
    random_state : seed or Generator
        Of the rows' order.

    Attributes
    ----------
    used : int
        The rows that were averaged so far.
    """

    def __init__(self, tolerance: float, random_state: Any) -> None:
        self.tolerance, self.used = tolerance, 0
        self.generator = np.random.default_rng(random_state)
        self.excess = math.inf  # the largest standard error over what is allowed

    def blocks(self, rows: Rows) -> Iterator[slice]:
        """Slices of rows in the order of the draw, until what `weigh` was told is exact enough or no row is left."""
        start, self.excess = 0, math.inf
        while start < len(rows) and self.excess > 1:
            growth = min(max(MARGIN * min(self.excess, MOST) ** 2, LEAST), MOST)
            stop = FIRST if start == 0 else math.ceil(start * growth)
            stop = len(rows) if stop > 0.9 * len(rows) else stop  # no small remainder
            self.used += stop - start
            yield slice(start, stop)
            start = stop

    def weigh(self, mean: NDArray[np.float64], se: NDArray[np.float64]) -> None:
        """Takes the average so far and its standard error, (K, m) each."""
        allowed = self.tolerance * np.ptp(mean, axis=-1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            excess = np.where(se <= allowed, 0.0, se / allowed)
        # NaN: a point that too few rows support to tell
        self.excess = math.inf if np.isnan(excess).any() else float(excess.max())
