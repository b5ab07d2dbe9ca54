"""One categorical feature: PD and ALE as points on stems, ICE as boxes with the PD as gold diamonds.

The levels stand along x in grid order; where their names would run into one another, they run downwards instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    coord_flip,
    element_blank,
    element_text,
    geom_boxplot,
    geom_hline,
    geom_line,
    geom_point,
    geom_segment,
    ggplot,
    theme,
)

from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.columns import (
    axis_column,
    band_frame,
    chosen_rows,
    curve_frame,
    level_names,
    main_layer,
    starts_at_zero,
)
from interpret_pd.plots.marks import BAND
from interpret_pd.plots.support import counts, level_counts, where
from interpret_pd.plots.text import pieces, plain
from interpret_pd.plots.theme import BLUE, GOLD, GREY, INK, VERMILION, size

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis


@dataclass(frozen=True)
class LevelAxis:
    """How levels are laid out: their texts in grid order, and whether they run downwards."""

    texts: list[str]
    downwards: bool

    def parts(self) -> list[Any]:
        """What the plot needs for a turned axis: the turn, and a figure tall enough for all names."""
        if not self.downwards:
            return []
        G = len(self.texts)
        parts: list[Any] = [coord_flip()]
        if G > 15:
            height = min(0.2 * G + 1, 24)
            parts += [size(6.4, height), theme(axis_text_y=element_text(size=min(9, 60 * (height - 1) / G)))]
        return parts


def level_axis(axis: Axis, room: int = 64) -> LevelAxis:
    """The layout of an axis of levels for which `room` characters fit side by side."""
    texts = [plain(text) for text in level_names(axis, 10**6, 1)]
    width = room // max(len(texts), 1) - 1
    longest = max((len(piece.rstrip()) for text in texts for piece in pieces(text)), default=0)
    if longest <= width and max(map(len, texts)) <= 3 * width:
        return LevelAxis(level_names(axis, max(width, longest), 4), downwards=False)
    return LevelAxis(level_names(axis, 26, 2), downwards=True)


def reference(effect: FeatureEffect, frame: pd.DataFrame) -> np.ndarray:
    """Where the stems start, one entry per row of the frame: 0, or each output's mean over the data."""
    if starts_at_zero(effect):
        return np.zeros(len(frame))
    count = level_counts(effect.grid.axes[0])
    values = frame["value_"].to_numpy().reshape(len(effect.outputs), -1)  # (K, G)
    mean = values @ count / count.sum() if count.sum() else values.mean(axis=1)
    return np.repeat(mean, values.shape[1])


def level_plot(effect: FeatureEffect, rug: bool | str, max_curves: int) -> ggplot:
    """The plot of a categorical feature, one panel per output."""
    axis, main, several = effect.grid.axes[0], main_layer(effect), len(effect.outputs) > 1
    levels = level_axis(axis, 30 if several else 64)
    x = axis_column(axis, levels.texts, levels.downwards)
    frame = curve_frame(effect, main, x=x) if main else None
    zero = starts_at_zero(effect)
    layers: list[Any] = [zero_line()] if zero else []
    caption: tuple[str, ...] = ()
    values = []
    if "ice" in effect.layers:
        ice = curve_frame(effect, "ice", chosen_rows(effect, 10 * max_curves), x)
        values.append(ice["value_"])
        layers.append(boxes(ice))
        caption = ("Boxes: the ICE curves at each level." + (" Diamonds: partial dependence." if main else ""),)
        layers += [] if frame is None else diamonds(frame, axis.feature.ordered and min(axis.points) >= 0)
    elif frame is not None:
        band = band_frame(effect, frame)
        color = VERMILION if main == "ale" else BLUE
        layers += stems(frame.assign(from_=reference(effect, frame)), color, not zero)
        layers += [] if band is None else [interval(band, color)]
        layers.append(geom_point(data=frame, color=color, size=3.5))
        caption = (*(() if zero else ("Dashed: mean over the data.",)), *(() if band is None else (BAND,)))
        values += [] if band is None else [band["lower_"], band["upper_"]]
    values += [] if frame is None else [frame["value_"]]
    counted = rug is True and not several and (levels.downwards or len(x) <= 10)
    support = (counts if counted else where)(axis, rug, x, np.concatenate(values), levels.downwards)
    caption += ("Grey bars: rows per level.",) if support and not counted else ()
    grid = {"panel_grid_major_y" if levels.downwards else "panel_grid_major_x": element_blank()}
    plot = canvas(effect, ice if frame is None else frame, aes("x_", "value_"), caption, **grid)
    layers = [*support, *layers, *output_panels(effect), *levels.parts()]
    return plot + layers


def boxes(ice: pd.DataFrame) -> geom_boxplot:
    """The spread of the ICE curves at each level."""
    return geom_boxplot(
        data=ice,
        fill="#F2F2F2",
        color="#7F7F7F",
        width=0.55,
        size=0.5,
        outlier_size=0.6,
        outlier_alpha=0.3,
        outlier_stroke=0,
    )


def diamonds(frame: pd.DataFrame, ordered: bool) -> list[Any]:
    """PD above boxes: gold diamonds, joined by dots where the levels have an order."""
    dots = (
        [geom_line(aes(group=1), frame, color=INK, linetype="dotted", size=0.6)] if ordered and len(frame) > 1 else []
    )
    return [*dots, geom_point(data=frame, shape="D", fill=GOLD, color=INK, size=3.2, stroke=0.6)]


def stems(frame: pd.DataFrame, color: str, dashed: bool) -> list[Any]:
    """A stem per level from the reference; the reference itself as a dashed line unless it is 0."""
    line = [
        geom_hline(
            aes(yintercept="from_"), frame.drop(columns=["x_", "value_"]), color=GREY, size=0.5, linetype="dashed"
        )
    ]
    stem = geom_segment(aes(x="x_", xend="x_", y="from_", yend="value_"), frame, color=color, size=0.8)
    return [*(line if dashed else []), stem]


def interval(band: pd.DataFrame, color: str) -> geom_segment:
    """How sure the average at each level is."""
    mapping = aes(x="x_", xend="x_", y="lower_", yend="upper_")
    return geom_segment(mapping, band, color=color, size=2.4, alpha=0.3)
