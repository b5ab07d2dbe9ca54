"""One number or date along x: PD and ALE as a line, ICE as many or as a fan, PD over ICE in gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from plotnine import aes, ggplot

from interpret_pd.plots import fade
from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.colored import colored_marks
from interpret_pd.plots.columns import chosen_rows, curve_frame, main_layer, starts_at_zero
from interpret_pd.plots.fans import fan_marks
from interpret_pd.plots.marks import Marks, fade_caption, ice_marks, main_marks
from interpret_pd.plots.missing import missing_layers
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import where

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def curve_plot(effect: FeatureEffect, options: Options) -> ggplot:
    """The plot of a numeric or date feature, one panel per output."""
    rows = chosen_rows(effect, options.max_curves, fade.known_rows(effect, options))
    marks = one_line(effect, rows, options)
    frame = curve_frame(effect, main_layer(effect) or "ice", rows)
    support = where(effect.grid.axes[0], options.rug, frame["x_"], marks.reach)
    plot = canvas(effect, frame, aes("x_", "value_"), marks.caption)
    zero: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    layers = [*support, *zero, *marks.layers, *missing_layers(effect, rows, options), *output_panels(effect)]
    return plot + layers


def one_line(effect: FeatureEffect, rows: np.ndarray, options: Options) -> Marks:
    """The curves, coloured, black or as a fan, and the average over them."""
    faded = Marks(caption=fade_caption(effect, rows, options))
    if not len(rows):
        return main_marks(effect, options) + faded
    if options.fan:
        return fan_marks(effect, options) + main_marks(effect, options, "fan") + faded
    if options.color is None:
        return ice_marks(effect, rows, options) + main_marks(effect, options, "ice") + faded
    marks = colored_marks(effect, rows, options)
    if effect.predictor.feature(options.color).kind == "categorical":
        return marks  # the means of the groups take the average's place
    main = main_marks(effect, options, "colors")
    return Marks(caption=("Thick line: partial dependence.",) if main.layers else ()) + marks + main
