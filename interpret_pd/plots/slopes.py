"""Slopes of ICE curves (d-ICE), and below them how much they differ: a high spread means interaction."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, facet_grid, geom_hline, geom_line, geom_ribbon, ggplot

from interpret_pd.plots import fade
from interpret_pd.plots.canvas import canvas
from interpret_pd.plots.colored import colored_marks
from interpret_pd.plots.columns import chosen_rows, curve_frame, main_layer
from interpret_pd.plots.fans import fan_marks
from interpret_pd.plots.marks import Marks, fade_caption, ice_caption, ice_layers, line_layers
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import rug
from interpret_pd.plots.theme import BAR, BLUE, GREY, SOFT_TEXT, size

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

PANELS = ("slope of each curve", "SD")


def panel(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The frame, pinned to one of the two panels."""
    return frame.assign(panel_=pd.Categorical([name] * len(frame), PANELS, ordered=True))


def spread_frame(effect: FeatureEffect) -> pd.DataFrame:
    """The standard deviation of the slopes over the curves at each point, per output."""
    frame = curve_frame(effect, "ice")
    by = ["output_", "x_"] if "output_" in frame else ["x_"]
    return panel(frame.groupby(by, observed=True)["value_"].std(ddof=1).fillna(0.0).reset_index(), PANELS[1])


def slope_marks(effect: FeatureEffect, rows: np.ndarray, options: Options) -> Marks:
    """The slopes of the curves, black, coloured or as a fan, and of the average."""
    pin, main = partial(panel, name=PANELS[0]), main_layer(effect)
    if options.color is not None:
        return colored_marks(effect, rows, options, pin) + Marks(caption=("SD: standard deviation of all slopes.",))
    if options.fan:
        marks = fan_marks(effect, options, pin) + Marks(caption=("SD: their standard deviation.",))
    else:
        ice = fade.cut(pin(curve_frame(effect, "ice", rows)), fade.curve_looks(effect, rows, options))
        marks = Marks(ice_layers(ice, len(rows)), [], ice_caption(effect, len(rows)))
    if main:
        line = fade.cut(pin(curve_frame(effect, main)), fade.line_looks(effect, options))
        marks += Marks(line_layers(line, BLUE, over_ice=not options.fan))
    return marks + Marks(caption=fade_caption(effect, rows, options))


def slope_plot(effect: FeatureEffect, options: Options) -> ggplot:
    """Slopes above, their spread below; one column per output."""
    rows = chosen_rows(effect, options.max_curves, fade.known_rows(effect, options))
    marks, spread = slope_marks(effect, rows, options), spread_frame(effect)
    zero = panel(pd.DataFrame({"zero_": [0.0]}), PANELS[0])
    layers: list[Any] = [
        geom_hline(aes(yintercept="zero_"), zero, color=GREY, size=0.5),
        *marks.layers,
        geom_ribbon(aes(ymin=0, ymax="value_"), spread, fill=BAR),
        geom_line(data=spread, color=SOFT_TEXT, size=0.8),
    ]
    if options.rug:
        layers.append(rug(effect.grid.axes[0], partial(panel, name=PANELS[1]), length=0.06))
    K = len(effect.outputs)
    columns = ["output_"] if K > 1 else None
    facets = facet_grid(["panel_"], columns, scales="free_y", space={"y": [3.2, 1], "x": [1] * K})
    ice = panel(curve_frame(effect, "ice", rows), PANELS[0])
    plot = canvas(effect, ice, aes("x_", "value_"), marks.caption)
    layers += [facets, size(6.4 if K == 1 else 2.6 * K + 0.8, 4.6)]
    return plot + layers
