"""A fan: the middle 90 % and the middle half of many ICE curves, as ribbons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, geom_ribbon, labs, scale_fill_manual

from interpret_pd.plots import fade
from interpret_pd.plots.columns import Pin, category, curve_frame, line_order, main_layer, steady
from interpret_pd.plots.marks import Marks, line_layers
from interpret_pd.plots.options import Options
from interpret_pd.plots.theme import BLUE, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
SHARES = ("5–95 %", "25–75 %")
FILLS = ("#DCE6EE", "#A9C4D8")


def quantiles(effect: FeatureEffect) -> np.ndarray:
    """The quantiles of the curves at LEVELS, (5, K, G) in the axis's own order."""
    values = effect.bands(LEVELS)["value_"].to_numpy()
    return steady(effect, values).reshape(len(LEVELS), len(effect.outputs), -1)


def fan_frame(effect: FeatureEffect) -> pd.DataFrame:
    """The ribbons: x_, lower_, upper_, share_, id_ and output_."""
    found = quantiles(effect)[..., line_order(effect.grid.axes[0])]
    base = curve_frame(effect, "ice", np.array([0]))
    parts = []
    for i, (low, high) in enumerate(((0, 4), (1, 3))):
        share = category(np.full(len(base), i), list(SHARES))
        part = base.assign(lower_=found[low].ravel(), upper_=found[high].ravel(), share_=share)
        parts.append(part.assign(id_=base["id_"] + i * len(effect.outputs)).drop(columns="value_"))
    return pd.concat(parts, ignore_index=True)


def fan_scales() -> list[Any]:
    """The two fills and their legend."""
    return [manual(scale_fill_manual, FILLS, list(SHARES)), labs(fill="ICE curves")]


def fan_marks(effect: FeatureEffect, options: Options, pin: Pin = pd.DataFrame) -> Marks:
    """The ribbons, and the median curve where there is no average; `pin` ties frames to a facet."""
    frame = pin(fan_frame(effect))
    mapping = aes("x_", ymin="lower_", ymax="upper_", fill="share_", group="id_")
    layers: list[Any] = [geom_ribbon(mapping, frame, inherit_aes=False), *fan_scales()]
    k, line = np.shape(effect.layers["ice"])[1], "mean" if effect.method.startswith("d-") else "partial dependence"
    if main_layer(effect) is None:
        line = "median"
        median = pin(curve_frame(effect, "ice", np.array([0])))
        median["value_"] = quantiles(effect)[2][..., line_order(effect.grid.axes[0])].ravel()
        layers += line_layers(fade.cut(median, fade.line_looks(effect, options)), BLUE, over_ice=False)
    curves = "slopes" if effect.method.startswith("d-") else "ICE curves"
    said = f"Line: {line}. Shaded: that share of the {k:,} {curves} at each point."
    return Marks(layers, [frame["lower_"], frame["upper_"]], (said,))
