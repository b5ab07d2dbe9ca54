"""One number or date along x: PD and ALE as a line, ICE as many, PD over ICE in gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from plotnine import aes, geom_line, ggplot

from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.columns import (
    band_frame,
    chosen_rows,
    curve_frame,
    line_order,
    main_layer,
    starts_at_zero,
)
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.marks import (
    BAND,
    band_layer,
    ice_alpha,
    ice_caption,
    ice_layer,
    line_layers,
    missing_layers,
    output_scales,
)
from interpret_pd.plots.support import where
from interpret_pd.plots.theme import BLUE, VERMILION

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def curve_plot(effect: FeatureEffect, rug: bool | str, max_curves: int) -> ggplot:
    """The plot of a numeric or date feature, one panel per output."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    points, color = len(line_order(axis)) < 2, VERMILION if main == "ale" else BLUE
    rows = chosen_rows(effect, max_curves)
    layers: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    caption: tuple[str, ...] = ()
    values = []
    if len(rows):
        frame = curve_frame(effect, "ice", rows)
        layers.append(ice_layer(frame, len(rows), points, width=0.3 if len(effect.outputs) == 1 else 0.2))
        values.append(frame["value_"])
        caption = ice_caption(effect, len(rows))
    if main:
        frame = curve_frame(effect, main)
        band = None if len(rows) or points else band_frame(effect, frame)
        layers += [] if band is None else [band_layer(band, color)]
        layers += line_layers(frame, color, len(rows) > 0, points)
        values.append(frame["value_"] if band is None else band["lower_"])
        values.append(frame["value_"] if band is None else band["upper_"])
        caption = caption if band is None else (BAND,)
    support = where(axis, rug, frame["x_"], np.concatenate(values))
    plot = canvas(effect, frame, aes("x_", "value_"), caption)
    layers = [*support, *layers, *missing_layers(effect, rows, color), *output_panels(effect)]
    return plot + layers


def output_lines(effect: FeatureEffect, rug: bool | str, max_curves: int) -> ggplot:
    """All outputs in one panel, a line each, told apart by colour and line type; ICE curves faint behind."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    rows = chosen_rows(effect, max_curves)
    layers: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    values = []
    if len(rows):
        frame = curve_frame(effect, "ice", rows)
        look = {"size": 0.3, "alpha": 0.6 * ice_alpha(len(rows)), "show_legend": False}
        layers.append(geom_ice(aes(color="output_", group="id_"), frame, raster=True, **look))
        values.append(frame["value_"])
    if main:
        frame = curve_frame(effect, main)
        layers.append(geom_line(aes(color="output_", linetype="output_", group="id_"), frame, size=1.1))
        values.append(frame["value_"])
    support = where(axis, rug, frame["x_"], np.concatenate(values))
    plot = canvas(effect, frame, aes("x_", "value_"))
    layers = [*support, *layers, *output_scales(effect, frame)]
    return plot + layers
