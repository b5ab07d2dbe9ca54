"""Cells of two features: where they are, and what stands in for those without rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interpret_pd.evaluate import Values
from interpret_pd.grid import Axis, scaled

TIES = 8  # cells that are looked at first for the nearest


def middles(axis: Axis) -> Values:
    """Where an axis's steps are, in units of its range, for distances between cells, (S,)."""
    points = scaled(axis.points, axis.points)  # of levels their places: 0, 1, ...
    return (points[:-1] + points[1:]) / 2 / (points[-1] - points[0])


def filled(steps: Values, known: NDArray[np.bool_], spots: Sequence[Values]) -> Values:
    """The differences with the unknown cells taken from the nearest known one, or the mean of those equally near.

    Parameters
    ----------
    steps : float array of shape (K, S1, S2)
        What is known of the differences.
    known : bool array of shape (S1, S2)
        Where it is known; somewhere at least.
    spots : two float arrays of shapes (S1,) and (S2,)
        Where the cells are, as `middles` has it. A tie counts as one whichever feature comes first.

    Returns
    -------
    float array of shape (K, S1, S2)
    """
    from scipy.spatial import KDTree

    there, cells = np.argwhere(known), np.argwhere(~known)
    sources, targets = (np.column_stack([spots[d][some[:, d]] for d in (0, 1)]) for some in (there, cells))
    tree, result, most = KDTree(sources), steps.copy(), min(TIES, len(there))
    while len(cells):
        distance, index = tree.query(targets, np.arange(1, most + 1))  # (c, most)
        near = distance <= distance[:, :1] * (1 + 1e-9)  # ties but for rounding
        share = near / near.sum(axis=1, keepdims=True)
        for one in result:
            one[tuple(cells.T)] = np.sum(one[tuple(there.T)][index] * share, axis=1)
        unsure = near[:, -1] & (most < len(there))  # there may be more as near
        cells, targets, most = cells[unsure], targets[unsure], min(2 * most, len(there))
    return result
