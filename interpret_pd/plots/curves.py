"""One number or date along x: PD and ALE as a line, ICE as many, PD over ICE in gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, geom_line, geom_point, ggplot, labs, scale_color_manual, scale_linetype_manual

from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.columns import chosen_rows, curve_frame, main_layer, starts_at_zero
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.support import where
from interpret_pd.plots.theme import BLUE, GOLD, INK, VERMILION, line_colors, linetypes, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

MANY = 300  # curves from which a vector file gets them as one picture


def ice_alpha(n: int) -> float:
    """Fainter the more curves there are, and never gone."""
    return float(np.clip(2 / np.sqrt(max(n, 1)), 0.05, 0.5))


def ice_layer(frame: pd.DataFrame, n: int, points: bool = False, width: float = 0.3) -> Any:
    """All curves of a frame in black; points for an axis of one point."""
    if points:
        return geom_point(data=frame, color="black", size=1.2, alpha=ice_alpha(n))
    return geom_ice(aes(group="id_"), frame, color="black", size=width, alpha=ice_alpha(n), raster=n > MANY)


def line_layers(frame: pd.DataFrame, color: str, over_ice: bool, points: bool = False) -> list[Any]:
    """The main curve: plain, or gold on a casing of ink above ICE curves; a point for an axis of one point."""
    if points:
        look = {"shape": "D", "fill": GOLD, "color": INK, "stroke": 0.6} if over_ice else {"color": color}
        return [geom_point(data=frame, size=3.4, **look)]
    group = aes(group="id_")
    if not over_ice:
        return [geom_line(group, frame, color=color, size=1.1)]
    return [geom_line(group, frame, color=INK, size=2.2), geom_line(group, frame, color=GOLD, size=1.3)]


def ice_caption(effect: FeatureEffect, shown: int) -> tuple[str, ...]:
    """What gold is, and how many of the curves are drawn."""
    k, n = np.shape(effect.layers["ice"])[1], len(effect.grid.axes[0].feature.values)
    drawn = f"{shown:,} of {n:,} ICE curves" if shown < max(n, k) else f"{k:,} ICE curves"
    if effect.method.startswith("d-"):
        gold = "Gold line: their mean. " if main_layer(effect) else ""
        return (f"Thin lines: slopes of {drawn}. {gold}SD: their standard deviation.",)
    if main_layer(effect):
        return (f"Gold line: partial dependence. Thin lines: {drawn}.",)
    return (f"Thin lines: {drawn}.",) if shown < max(n, k) else ()


def curve_plot(effect: FeatureEffect, rug: bool | str, max_curves: int) -> ggplot:
    """The plot of a numeric or date feature, one panel per output."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    points, has_ice = len(axis.points) < 2, "ice" in effect.layers
    layers: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    frames = []
    caption: tuple[str, ...] = ()
    if has_ice:
        rows = chosen_rows(effect, max_curves)
        frames.append(curve_frame(effect, "ice", rows))
        caption = ice_caption(effect, len(rows))
        layers.append(ice_layer(frames[0], len(rows), points))
    if main:
        frames.append(curve_frame(effect, main))
        layers += line_layers(frames[-1], VERMILION if main == "ale" else BLUE, has_ice, points)
    values = np.concatenate([frame["value_"] for frame in frames])
    plot = canvas(effect, frames[-1], aes("x_", "value_"), caption)
    layers = [*where(axis, rug, frames[-1]["x_"], values), *layers, *output_panels(effect)]
    return plot + layers


def output_lines(effect: FeatureEffect, rug: bool | str, max_curves: int) -> ggplot:
    """All outputs in one panel, a line each, told apart by colour and line type; ICE curves faint behind."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    layers: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    frames = []
    look = {"color": "output_", "linetype": "output_", "group": "id_"}
    if "ice" in effect.layers:
        rows = chosen_rows(effect, max_curves)
        frames.append(curve_frame(effect, "ice", rows))
        faint = 0.6 * ice_alpha(len(rows))
        layers.append(geom_ice(aes(color="output_", group="id_"), frames[0], size=0.3, alpha=faint, show_legend=False))
    if main:
        frames.append(curve_frame(effect, main))
        layers.append(geom_line(aes(**look), frames[-1], size=1.1))
    values = np.concatenate([frame["value_"] for frame in frames])
    plot = canvas(effect, frames[-1], aes("x_", "value_"))
    layers = [*where(axis, rug, frames[-1]["x_"], values), *layers, *output_scales(effect, frames[-1])]
    return plot + layers


def output_scales(effect: FeatureEffect, frame: pd.DataFrame) -> list[Any]:
    """Colours and line types of the outputs, in the order of their last values."""
    title = "Class" if "probability" in effect.value_label else "Output"
    last = frame.groupby("output_", observed=False)["value_"].last()
    order = last.sort_values(ascending=False, kind="stable").index
    return line_scales(list(frame["output_"].cat.categories), title, list(order))


def line_scales(names: list[str], title: str, order: list[str], ordered: bool = False) -> list[Any]:
    """Colour and line type by name under a title; the legend lists the names in `order`."""
    color = dict(zip(names, line_colors(len(names), ordered), strict=True))
    dash = dict(zip(names, linetypes(len(names), ordered), strict=True))
    return [
        manual(scale_color_manual, [color[name] for name in order], order),
        manual(scale_linetype_manual, [dash[name] for name in order], order),
        labs(color=title, linetype=title),
    ]
