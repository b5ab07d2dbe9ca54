"""Wording: what an effect's values are called, on an axis and in a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from interpret_pd import checks
from interpret_pd.methods import METHODS

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def value_label(effect: FeatureEffect) -> str:
    """What the values are: "Prediction", "Change in predicted probability of yes from temp = 5", "Slope of ..."."""
    label = effect.scale + (" (path-dependent)" if effect.engine == "recursion" else "")
    lower = label[0].lower() + label[1:]
    if effect.method.startswith("d-"):
        unit = "day" if effect.grid.axes[0].feature.kind == "date" else "unit"
        return f"Slope of {lower} per {unit} of {effect.features[0]}"
    around = METHODS[effect.method].labels[len(effect.features) - 1]
    label = around.format(lower) if around != "{}" else label
    if effect.anchor is not None:
        label = f"Change in {lower} from {effect.features[0]} = {point_text(effect.anchor)}"
    return f"{label}, supported rows only" if effect.within_support else label


def point_text(point: Any) -> str:
    """A point in a text: numbers to six digits, dates without a time of midnight."""
    if isinstance(point, float):
        return f"{point:.6g}"
    if isinstance(point, pd.Timestamp) and point == point.normalize():
        return str(point.date())
    return str(point)


def summary(effect: FeatureEffect) -> str:
    """An effect in one line."""
    names = checks.shown(effect.features if len(effect.features) == 2 else effect.features[0])
    size = " x ".join(map(str, effect.grid.shape)) + " points"
    size += f", {len(effect.rows)} curves" if "ice" in effect.layers else ""
    groups = "outputs" if effect.by is None else f"groups of {checks.shown(effect.by)}"
    size += f", {len(effect.outputs)} {groups}" if len(effect.outputs) > 1 else ""
    rows = f"{effect.provenance['rows']} rows"
    label = checks.shown(effect.value_label)
    return f"FeatureEffect({names}, method={effect.method!r}: {size}, {rows}, {label}, engine={effect.engine!r})"
