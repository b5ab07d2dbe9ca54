"""A comparison: the same effect of several models, refits or data sets in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from interpret_pd import checks, plots
from interpret_pd.door import door
from interpret_pd.effect import FeatureEffect

if TYPE_CHECKING:
    from plotnine import ggplot


@door
def compare(effects: Mapping[Any, FeatureEffect], *, rug: bool | str = True, support: bool = True) -> ggplot:
    """Draw the same effect of several models in one picture: where models part, the data don't decide.

    Parameters
    ----------
    effects : mapping from names to FeatureEffect
        `{"forest": effect1, "boosting": effect2}`: of the same feature(s), method, outputs and scale. Grids and data
        may differ; for two features the grid is the same and there is one output. Of effects with ICE curves the
        averages are drawn.
    rug : bool or "histogram", default True
        Where the data of the first effect are.
    support : bool, default True
        Whether lines fade where their data don't support them.

    Returns
    -------
    ggplot
        A line per model, on its band where standard errors are known; points at levels; a panel per output.

    Raises
    ------
    TypeError
        If `effects` is no mapping of effects.
    ValueError
        If there are fewer than two, or they differ in what can't be compared.

    Examples
    --------
    >>> from interpret_pd import FeatureEffect, Predictor, compare, load_bike
    >>> X = load_bike()[["temp", "hum"]]
    >>> models = {"straight": lambda X: 9 * X["temp"], "bent": lambda X: 20 * X["temp"] - 0.3 * X["temp"] ** 2}
    >>> plot = compare({name: FeatureEffect(Predictor(model, X), "temp") for name, model in models.items()})
    """
    what, hint = "a mapping from names to effects", "Use {'forest': effect, ...}."
    if not isinstance(effects, Mapping):
        raise checks.wrong_type("effects", what, checks.article(type(effects).__name__), hint)
    for name, effect in effects.items():
        if not isinstance(effect, FeatureEffect):
            got = f"{checks.article(type(effect).__name__)} for {checks.shown(name)}"
            raise checks.wrong_type("effects", what, got, hint)
    if len(effects) < 2:
        raise checks.must_be("effects", "at least two effects", list(effects))
    checks.flag("support", support)
    averages = {name: effect.averaged() for name, effect in effects.items()}
    _check_alike(averages)
    return plots.compare_plot(averages, rug=rug, support=support)


def _check_alike(effects: Mapping[Any, FeatureEffect]) -> None:
    """Raises unless the effects are of the same feature(s), method, outputs and scale."""
    first, *others = effects.values()
    for effect in others:
        for name in ("features", "method", "outputs", "by", "scale"):
            one, other = getattr(first, name), getattr(effect, name)
            if one != other:
                raise checks.must_be("effects", f"alike in their {name}, {checks.shown(one)}", other)
        if [axis.feature.kind for axis in effect.grid.axes] != [axis.feature.kind for axis in first.grid.axes]:
            raise checks.must_be("effects", "of features of one kind", [axis.feature.kind for axis in effect.grid.axes])
        if effect.anchor != first.anchor:
            raise checks.must_be("effects", f"centred at the same point, {checks.shown(first.anchor)}", effect.anchor)
        if len(first.features) == 2 and not _same_map(first, effect):
            hint = "Use grid={...} with its values for all, and target=."
            raise checks.must_be("effects", "of one grid and one output for two features", effect, hint)


def _same_map(one: FeatureEffect, other: FeatureEffect) -> bool:
    """Whether two maps have one output and the same grid."""
    axes = zip(one.grid.axes, other.grid.axes, strict=True)
    return len(one.outputs) == 1 and all(np.array_equal(a.points, b.points, equal_nan=True) for a, b in axes)
