"""A missing number: a point of its own, right of the curve, for what the model does when the feature is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, geom_point, geom_segment, geom_text

from interpret_pd.plots import fade
from interpret_pd.plots.colored import color_alpha, group_means, groups
from interpret_pd.plots.columns import category, ends, main_layer, output_column, steady
from interpret_pd.plots.fans import FILLS, quantiles
from interpret_pd.plots.marks import dots, ice_layers, main_color
from interpret_pd.plots.options import Options
from interpret_pd.plots.theme import FAINT_TEXT, INK

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis

APART = 0.09  # of the axis's range


def missing_place(axis: Axis) -> float | None:
    """Where a missing number stands on the axis, in its points' units; None if it isn't among them."""
    if np.isfinite(axis.points).all():
        return None
    low, high = ends(axis)
    return high + APART * ((high - low) or 1.0)


def missing_frame(effect: FeatureEffect, values: np.ndarray) -> pd.DataFrame:
    """Values (K, k, G) at the missing point: x_, value_ and output_."""
    axis = effect.grid.axes[0]
    place = missing_place(axis)
    x = pd.Series(axis.feature.readable(np.array([place], float))).iloc[0]
    at = steady(effect, values)[..., np.flatnonzero(~np.isfinite(axis.points))[0]]
    codes = np.repeat(np.arange(len(at)), at.shape[1])
    return pd.DataFrame({"x_": x, "value_": at.ravel(), **output_column(effect, codes)})


def missing_layers(effect: FeatureEffect, rows: np.ndarray, options: Options) -> list[Any]:
    """The curves' and the average's value where the number is missing; nothing if the axis lacks that point."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    if missing_place(axis) is None:
        return []
    layers: list[Any] = []
    if options.fan:
        layers += fan_bars(effect)
    elif options.color is not None:
        layers += colored_points(effect, rows, options)
    elif len(rows):
        layers += ice_layers(missing_frame(effect, effect.layers["ice"][:, rows]), len(rows))
    if main and not _by_level(effect, options):
        frame = missing_frame(effect, effect.layers[main][:, None])
        support = fade.support_of(effect, options)
        if support is not None:
            frame = frame.assign(look_=int(fade.looks(support[~np.isfinite(axis.points)])[0]))
        color = main_color(effect) if options.color is None else INK
        layers += dots(frame, color, len(rows) > 0 and not options.fan and options.color is None)
    return [*layers, missing_text(axis)]


def _by_level(effect: FeatureEffect, options: Options) -> bool:
    """Whether the means of groups stand in the average's place."""
    return options.color is not None and effect.predictor.feature(options.color).kind == "categorical"


def colored_points(effect: FeatureEffect, rows: np.ndarray, options: Options) -> list[Any]:
    """The curves' values in their colours, and the means of groups as larger points."""
    feature, look = effect.predictor.feature(options.color), {"show_legend": False}
    frame = missing_frame(effect, effect.layers["ice"][:, rows])
    K, alpha = len(effect.outputs), color_alpha(len(rows))
    if feature.kind != "categorical":
        frame = frame.assign(color_=np.tile(np.asarray(feature.values, float)[effect.rows[rows]], K))
        return [
            geom_point(aes("x_", "value_", color="color_"), frame, inherit_aes=False, size=1.2, alpha=alpha, **look)
        ]
    codes, texts = groups(feature, effect.rows)
    frame = frame.assign(color_=category(np.tile(codes[rows], K), texts))
    means = missing_frame(effect, group_means(effect, codes, len(texts)))
    means = means.assign(color_=category(np.tile(np.arange(len(texts)), K), texts))
    points = geom_point(aes("x_", "value_", color="color_"), frame, inherit_aes=False, size=1.2, alpha=alpha, **look)
    casing = geom_point(aes("x_", "value_"), means, inherit_aes=False, size=4.4, color="white")
    return [points, casing, geom_point(aes("x_", "value_", color="color_"), means, inherit_aes=False, size=3, **look)]


def missing_text(axis: Axis) -> geom_text:
    """The word under the point."""
    x = pd.Series(axis.feature.readable(np.array([missing_place(axis)], float)))
    text = pd.DataFrame({"x_": x, "value_": [-np.inf], "label_": ["missing"]})
    look = {"size": 7.5, "color": FAINT_TEXT, "va": "bottom"}
    return geom_text(aes("x_", "value_", label="label_"), text, inherit_aes=False, **look)


def fan_bars(effect: FeatureEffect) -> list[Any]:
    """The fan at the missing point: a bar of each ribbon's length."""
    found = quantiles(effect)
    mapping = aes(x="x_", xend="x_", y="lower_", yend="value_")
    bars = []
    for (low, high), fill in zip(((0, 4), (1, 3)), FILLS, strict=True):
        frame = missing_frame(effect, found[high][:, None])
        frame["lower_"] = missing_frame(effect, found[low][:, None])["value_"]
        bars.append(geom_segment(mapping, frame, inherit_aes=False, color=fill, size=4))
    return bars


def missing_points(effect: FeatureEffect, frame: pd.DataFrame, column: str) -> list[Any]:
    """Coloured points for lines by name, where the number is missing."""
    if missing_place(effect.grid.axes[0]) is None:
        return []
    look = aes("x_", "value_", color=column)
    return [geom_point(look, frame, inherit_aes=False, size=3, show_legend=False), missing_text(effect.grid.axes[0])]
