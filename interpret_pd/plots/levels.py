"""One categorical feature: PD and ALE as points on stems, ICE as boxes with the PD as gold diamonds.

The levels stand along x in grid order; where their names would run into one another, they run downwards instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, element_blank, geom_boxplot, geom_hline, geom_line, geom_segment, ggplot

from interpret_pd.plots import fade
from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.colored import colored_boxes
from interpret_pd.plots.columns import axis_column, band_frame, chosen_rows, curve_frame, main_layer, starts_at_zero
from interpret_pd.plots.layout import level_axis
from interpret_pd.plots.marks import Marks, band_caption, dots, drawn_curves, main_color
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import at_levels, level_counts
from interpret_pd.plots.theme import GREY, INK, lighter

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def reference(effect: FeatureEffect, frame: pd.DataFrame) -> np.ndarray:
    """Where the stems start, one entry per row of the frame: 0, or each output's mean over the data."""
    if starts_at_zero(effect):
        return np.zeros(len(frame))
    count = level_counts(effect.grid.axes[0], effect.weights)
    values = frame["value_"].to_numpy().reshape(len(effect.outputs), -1)  # (K, G)
    mean = values @ count / count.sum() if count.sum() else values.mean(axis=1)
    return np.repeat(mean, values.shape[1])


def level_plot(effect: FeatureEffect, options: Options) -> ggplot:
    """The plot of a categorical feature, one panel per output."""
    axis, several = effect.grid.axes[0], len(effect.outputs) > 1
    levels = level_axis(axis, 30 if several else 64)
    x = axis_column(axis, levels.texts, levels.downwards)
    ice = "ice" in effect.layers
    marks = level_boxes(effect, options, x) if ice else Marks()
    if options.color is None and main_layer(effect):
        marks += level_diamonds(effect, options, x) if ice else level_stems(effect, options, x)
    support, said = at_levels(axis, options.rug, x, marks.reach, levels.downwards, several)
    caption = marks.caption + said
    caption += fade.caption(point_looks(effect, options), points=True) if options.color is None else ()
    grid = {"panel_grid_major_y" if levels.downwards else "panel_grid_major_x": element_blank()}
    frame = curve_frame(effect, main_layer(effect) or "ice", np.array([0]), x)
    plot = canvas(effect, frame, aes("x_", "value_"), caption, levels.downwards, **grid)
    zero: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    layers = [*support, *zero, *marks.layers, *output_panels(effect), *levels.parts(len(effect.outputs))]
    return plot + layers


def point_looks(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The looks of the levels' points, (G,); None if all are as they are."""
    support = fade.support_of(effect, options)
    return None if support is None else fade.looks(support)


def looked(frame: pd.DataFrame, found: np.ndarray | None) -> pd.DataFrame:
    """The frame of points with their look_."""
    return frame.assign(look_=0 if found is None else np.resize(found, len(frame)))


def level_boxes(effect: FeatureEffect, options: Options, x: pd.Series) -> Marks:
    """The curves as boxes at the levels, or in the colours of another feature."""
    if options.color is not None:
        return colored_boxes(effect, chosen_rows(effect, options.max_curves), options, x)
    rows = chosen_rows(effect, 10 * options.max_curves)  # boxes take less room than curves
    ice = looked(curve_frame(effect, "ice", rows, x), point_looks(effect, options))
    layers = [boxes(part.drop(columns="look_"), look > 0) for look, part in fade.pieces_by_look(ice)]
    diamond = " Diamonds: partial dependence." if main_layer(effect) else ""
    return Marks(layers, [ice["value_"]], (f"Boxes: {drawn_curves(effect, len(rows))} at each level." + diamond,))


def boxes(ice: pd.DataFrame, pale: bool) -> geom_boxplot:
    """The spread of the ICE curves at each level."""
    look: dict[str, Any] = {"fill": "white" if pale else "#F2F2F2", "color": "#BFBFBF" if pale else "#7F7F7F"}
    look |= {"outlier_size": 0.6, "outlier_alpha": 0.3, "outlier_stroke": 0}
    return geom_boxplot(data=ice, width=0.55, size=0.5, **look)


def level_diamonds(effect: FeatureEffect, options: Options, x: pd.Series) -> Marks:
    """PD above boxes: gold diamonds, those of levels with an order joined by dots; a missing value stands apart."""
    axis, frame = effect.grid.axes[0], curve_frame(effect, "pdp", x=x)
    there = frame[np.resize(axis.points >= 0, len(frame))]
    layers: list[Any] = []
    if axis.feature.ordered and (axis.points >= 0).sum() > 1:
        layers.append(geom_line(aes(group=1), there, color=INK, linetype="dotted", size=0.6))
    layers += dots(looked(frame, point_looks(effect, options)), INK, over_ice=True, size=3.2)
    return Marks(layers, [frame["value_"]])


def level_stems(effect: FeatureEffect, options: Options, x: pd.Series) -> Marks:
    """PD or ALE as points on stems, with how sure they are."""
    zero, color = starts_at_zero(effect), main_color(effect)
    frame = curve_frame(effect, main_layer(effect) or "pdp", x=x)
    band, found = band_frame(effect, frame), point_looks(effect, options)
    layers = stems(looked(frame.assign(from_=reference(effect, frame)), found), color, not zero)
    values = [frame["value_"]]
    if band is not None:
        layers.append(interval(band, color))
        values += [band["lower_"], band["upper_"]]
    layers += dots(looked(frame, found), color, over_ice=False, size=3.5)
    said = (*(() if zero else ("Dashed: mean over the data.",)), *(() if band is None else (band_caption(effect),)))
    return Marks(layers, values, said)


def stems(frame: pd.DataFrame, color: str, dashed: bool) -> list[Any]:
    """A stem per level from the reference; the reference itself as a dashed line unless it is 0."""
    base = frame.drop(columns=["x_", "value_", "look_"])
    line = geom_hline(aes(yintercept="from_"), base, color=GREY, size=0.5, linetype="dashed")
    mapping = aes(x="x_", xend="x_", y="from_", yend="value_", group=1)  # one group: a level each takes its time
    drawn = [
        geom_segment(mapping, part.drop(columns="look_"), color=lighter(color, (1, 0.45, 0.45)[look]), size=0.8)
        for look, part in fade.pieces_by_look(frame)
    ]
    return [*([line] if dashed else []), *drawn]


def interval(band: pd.DataFrame, color: str) -> geom_segment:
    """How sure the average at each level is."""
    mapping = aes(x="x_", xend="x_", y="lower_", yend="upper_", group=1)
    return geom_segment(mapping, band[band["lower_"].notna()], color=color, size=2.4, alpha=0.3)
