"""Pooling: the same effect of several refits, as one effect with a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from interpret_pd import checks

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def check_alike(effects: Sequence[FeatureEffect], least: int = 1) -> None:
    """Raises unless the effects are of the same feature(s), method, outputs and grid."""
    if len(effects) < least:
        raise checks.must_be("effects", f"at least {least} effects", len(effects))
    first = effects[0]
    for effect in effects[1:]:
        same = (
            effect.features == first.features
            and effect.method == first.method
            and effect.outputs == first.outputs
            and effect.grid.shape == first.grid.shape
            and all(np.array_equal(a.points, b.points, equal_nan=True)
                    for a, b in zip(effect.grid.axes, first.grid.axes, strict=True))
        )
        if not same:
            hint = "Use the same grid= (its values) for all."
            raise ValueError(checks.sentence("effects", "of one feature, method, grid and outputs", repr(effect), hint))


def pooled(effects: Sequence[FeatureEffect], test_share: float) -> FeatureEffect:
    """The mean over refits; see `FeatureEffect.pooled`."""
    from scipy.stats import t

    effects = list(effects)
    check_alike(effects, least=2)
    if not isinstance(test_share, int | float) or not 0 <= test_share:
        raise checks.must_be("test_share", "a number of at least 0", test_share)
    averages = np.stack([effect.averaged().values for effect in effects])  # (M, K, G1[, G2])
    m = len(effects)
    effect = effects[0].averaged()
    kind = next(iter(effect.layers))
    effect.layers = {kind: averages.mean(axis=0)}
    effect.se = np.sqrt((1 / m + test_share) * averages.var(axis=0, ddof=1))
    effect.quantile = float(t.ppf(0.975, m - 1))
    return effect
