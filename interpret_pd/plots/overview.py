"""All features in one figure: a panel each, numbers, dates and levels side by side over a common value axis."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    element_blank,
    element_text,
    facet_wrap,
    geom_blank,
    geom_line,
    geom_point,
    geom_rug,
    ggplot,
    labs,
    scale_x_continuous,
)

from interpret_pd.plots.canvas import zero_line
from interpret_pd.plots.columns import label_without_anchor, main_layer, starts_at_zero
from interpret_pd.plots.geoms import geom_density_strip, geom_ice
from interpret_pd.plots.marks import ice_alpha, output_scales
from interpret_pd.plots.panels import STRIP, Panels, split
from interpret_pd.plots.support import check_rug, rug_alpha
from interpret_pd.plots.text import plain, sentence, wrap
from interpret_pd.plots.theme import BLUE, GOLD, INK, SOFT_TEXT, VERMILION, house, size

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def plot_effects(
    effects: Sequence[FeatureEffect], *, rug: bool | str = True, ncol: int | None = None, max_curves: int = 300
) -> ggplot:
    """Draw the effects of several features in one figure, in the order given.

    Parameters
    ----------
    effects : sequence of FeatureEffect
        Of one feature each, with the same method and outputs.
    rug : bool or "histogram", default True
        What to show of the background data: ticks at data values (bars for levels), a strip of bars in every panel, or
        nothing.
    ncol : int, optional
        Panels side by side, by default at most 4.
    max_curves : int, default 300
        Most ICE curves per panel.

    Returns
    -------
    plotnine.ggplot
        Facetted by `feature_`; panel j has the stretch from 10 j to 10 j + 1 of the x scale, labelled in its own units.

    Raises
    ------
    ValueError
        If there is no effect, one has two features, or methods or outputs differ.
    """
    effects, rug = _alike(list(effects)), check_rug(rug)
    drawn, first = Panels(effects), effects[0]
    main, several = main_layer(first), len(first.outputs) > 1
    frames = [drawn.curves(layer, max_curves) for layer in ("ice", main) if layer in first.layers]
    layers: list[Any] = [zero_line()] if starts_at_zero(first) else []
    if "ice" in first.layers:
        layers += _ice(frames[0], several)
    if main and several:
        layers += _outputs(frames[-1])
    elif main:
        layers += _curves(frames[-1], VERMILION if main == "ale" else BLUE, "ice" in first.layers)
    layers += output_scales(first, frames[-1]) if several else []
    plot = ggplot(frames[-1], aes("x_", "value_"))
    plot += labs(x="", y=wrap(label_without_anchor(first), 36), caption=_caption(first, rug))
    for part in house(axis_text=element_text(size=8, color=SOFT_TEXT), panel_grid_major_x=element_blank()):
        plot += part
    data = _data(drawn, rug, np.concatenate([frame["value_"] for frame in frames]))
    scale = scale_x_continuous(breaks=drawn.bands.breaks, labels=drawn.bands.labels)
    layers = [*data, *layers, scale, *_facets(len(effects), ncol, several)]
    return plot + layers


def _alike(effects: list[FeatureEffect]) -> list[FeatureEffect]:
    """The effects, if they can share a figure."""
    if not effects:
        raise ValueError("effects must be at least one effect; got none.")
    for effect in effects:
        if len(effect.features) != 1:
            raise ValueError(f"effects must have one feature each; got {plain(effect.features)}.")
        if (effect.method, effect.outputs) != (effects[0].method, effects[0].outputs):
            got = (
                f"{effects[0].method!r} of {plain(effects[0].outputs)} and {effect.method!r} of {plain(effect.outputs)}"
            )
            raise ValueError(f"effects must be of one method and the same outputs; got {got}.")
    return effects


def _caption(effect: FeatureEffect, rug: bool | str) -> str | None:
    """What gold and grey are."""
    parts = []
    if "ice" in effect.layers and main_layer(effect) and len(effect.outputs) == 1:
        parts.append("Gold: partial dependence. Thin lines: ICE curves.")
    if rug:
        parts.append(
            "Grey bars: distribution of the data." if rug == "histogram" else "Ticks and grey bars: where the data are."
        )
    return sentence(*parts)


def _data(drawn: Panels, rug: bool | str, values: np.ndarray) -> list[Any]:
    """Bars, ticks, and the room that they need under the values."""
    bars = drawn.bars(levels_only=rug != "histogram") if rug else pd.DataFrame()
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 1.25 * STRIP * ((high - low) or abs(high) or 1.0) if len(bars) else 0.0
    layers: list[Any] = [geom_blank(data=drawn.margins(low - room))]
    if len(bars):
        layers.append(geom_density_strip(aes(xmin="xmin_", xmax="xmax_", height="height_"), bars, inherit_aes=False))
    ticks = drawn.ticks() if rug is True else pd.DataFrame()
    if len(ticks):
        look = {"color": INK, "alpha": rug_alpha(ticks["x_"].to_numpy()), "size": 0.3, "length": 0.04}
        layers.append(geom_rug(aes(x="x_"), ticks, inherit_aes=False, sides="b", **look))
    return layers


def _ice(frame: pd.DataFrame, several: bool) -> list[Any]:
    """All ICE curves, in black or in their output's colour; points where a feature has one value only."""
    n = int(frame["id_"].nunique() / frame["feature_"].nunique())
    look = {"alpha": 0.6 * ice_alpha(n), "show_legend": False} if several else {"alpha": ice_alpha(n), "color": "black"}
    color = {"color": "output_"} if several else {}
    alone = frame.groupby("id_")["x_"].transform("size") < 2
    layers: list[Any] = []
    if not alone.all():
        layers.append(geom_ice(aes(group="id_", **color), frame[~alone], size=0.25, raster=True, **look))
    if alone.any():
        layers.append(geom_point(aes(**color), frame[alone], size=0.8, **look))
    return layers


def _curves(frame: pd.DataFrame, color: str, over_ice: bool) -> list[Any]:
    """The main curve of each panel: a line for numbers, dots on a dotted line for levels and single points."""
    lines, levels, dots = split(frame)
    group = aes(group="id_")
    layers: list[Any] = []
    if len(lines) and over_ice:
        layers += [geom_line(group, lines, color=INK, size=1.8), geom_line(group, lines, color=GOLD, size=1.0)]
    elif len(lines):
        layers.append(geom_line(group, lines, color=color, size=1.1))
    if len(levels):
        layers.append(geom_line(group, levels, color=INK if over_ice else color, size=0.5, linetype="dotted"))
    if len(dots):
        look = {"shape": "D", "fill": GOLD, "color": INK, "stroke": 0.5} if over_ice else {"color": color}
        layers.append(geom_point(data=dots, size=2.2, **look))
    return layers


def _outputs(frame: pd.DataFrame) -> list[Any]:
    """A line per output in each panel; levels get dots on thin lines."""
    lines, levels, dots = split(frame)
    look = aes(group="id_", color="output_", linetype="output_")
    layers: list[Any] = []
    if len(lines):
        layers.append(geom_line(look, lines, size=1.1))
    if len(levels):
        layers.append(geom_line(look, levels, size=0.5, show_legend=not len(lines)))
    if len(dots):
        layers.append(geom_point(aes(color="output_"), dots, size=2.0, show_legend=False))
    return layers


def _facets(n: int, ncol: int | None, legend: bool) -> list[Any]:
    """The facets, and a figure that they fill."""
    ncol = min(n, ncol or (n if n <= 4 else 3 if n in (5, 6, 9) else 4))
    width, height = max(2.25 * ncol + 0.5 + 1.3 * legend, 4.0), 1.9 * ceil(n / ncol) + 0.9
    return [facet_wrap(["feature_"], ncol=ncol, scales="free_x"), size(min(width, 24), min(height, 24))]
