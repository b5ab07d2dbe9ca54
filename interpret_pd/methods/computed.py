"""What a method computes, and what it may be asked for besides the grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd.evaluate import Values

Layers = dict[str, Values]  # "pdp" or "ale": (K, G1[, G2]); "ice": (K, k, G1)


class Options(NamedTuple):
    """What changes an average: the place of the anchor on the axis, and which rows count where, (n, m)."""

    anchor: int | None = None
    mask: NDArray[np.bool_] | None = None


class Computed(NamedTuple):
    """Layers of values, and the standard error of the average among them, (K, G1[, G2])."""

    layers: Layers
    se: Values | None = None
