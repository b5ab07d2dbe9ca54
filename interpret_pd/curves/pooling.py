"""Pooling: the same effect of several refits, as one effect with a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.grid import Axis
from interpret_pd.windows.record import detached

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def check_alike(effects: Sequence[FeatureEffect], least: int = 1) -> None:
    """Raises unless the effects are of the same feature(s), method, outputs and grid, centred and restricted alike."""
    if len(effects) < least:
        raise checks.must_be("effects", f"at least {least} effects", len(effects))
    first = effects[0]
    for effect in effects[1:]:
        same = (
            effect.features == first.features
            and effect.method == first.method
            and effect.outputs == first.outputs
            and (effect.anchor, effect.within_support, effect.by) == (first.anchor, first.within_support, first.by)
            and effect.grid.shape == first.grid.shape
            and all(map(_alike, effect.grid.axes, first.grid.axes))
        )
        if not same:
            hint = "Use the same grid= (its values) for all."
            raise checks.refused(
                checks.sentence("effects", "of one feature, method, grid and outputs", repr(effect), hint)
            )


def _alike(one: Axis, other: Axis) -> bool:
    """Whether two axes have the same points; levels by what they are, not by where each feature has them."""
    if one.feature.kind != other.feature.kind:
        return False
    if one.feature.levels is None or other.feature.levels is None:
        return np.array_equal(one.points, other.points, equal_nan=True)
    return _levels(one) == _levels(other)


def _levels(axis: Axis) -> list[Any]:
    """The levels at the points of an axis; None for a missing one."""
    levels = axis.feature.levels or ()
    return [levels[int(place)] if place >= 0 else None for place in axis.points]


@door
def pooled(effects: Sequence[FeatureEffect], test_share: float = 0.0) -> FeatureEffect:
    """The mean and band of the same effect over refits of a model: what the learner does, not one model.

    Parameters
    ----------
    effects : sequence of M FeatureEffect
        Of the same feature(s), method, outputs and grid, one per refit.
    test_share : float, default 0.0
        The ratio n_test / n_train of the resampling that the refits come from. Refits on overlapping samples are alike;
        the variance of their mean is corrected to (1 / M + n_test / n_train) times the sample variance.

    Returns
    -------
    FeatureEffect
        The mean, with `se_` over the refits and a band from Student's t with M - 1 degrees of freedom. It belongs to no
        one model, so that verbs that ask the model refuse; support is the refits' mean, axes and counts the first's.

    Raises
    ------
    ValueError
        If the effects differ in more than their model.

    References
    ----------
    Molnar, C. et al. (2023). Relating the partial dependence plot and permutation feature importance to the data
    generating process. xAI 2023, CCIS 1901, 456-479. doi:10.1007/978-3-031-44064-9_24.
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.
    """
    from scipy.stats import t

    several = checks.several(effects)
    if not all(hasattr(effect, "layers") for effect in several):
        raise checks.wrong_type("effects", "a list of FeatureEffect", checks.shown(several))
    check_alike(several, least=2)
    if not checks.finite(test_share) or test_share < 0:
        raise checks.must_be("test_share", "a number of at least 0", test_share)
    averages = np.stack([effect.averaged().values for effect in several])  # (M, K, G1[, G2])
    m = len(several)
    effect = detached(several[0].averaged())
    effect.support = np.mean([one.support for one in several], axis=0)
    effect.support.flags.writeable = False
    effect.recorded |= {
        "refits": m,
        "model_calls": sum(one.calls for one in several),
        "seconds": round(sum(one.seconds for one in several), 4),
    }
    kind = next(iter(effect.layers))
    effect.hold({kind: averages.mean(axis=0)}, np.sqrt((1 / m + test_share) * averages.var(axis=0, ddof=1)))
    effect.quantile = float(t.ppf(0.975, m - 1))
    return effect
