"""Several outputs, groups of rows or models in one panel: a line each, or a point each at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    geom_line,
    geom_linerange,
    geom_point,
    geom_ribbon,
    ggplot,
    labs,
    position_dodge,
    scale_alpha_identity,
    scale_color_manual,
    scale_shape_manual,
)

from interpret_pd.plots import fade
from interpret_pd.plots.canvas import canvas, zero_line
from interpret_pd.plots.columns import (
    axis_column,
    band_frame,
    category,
    chosen_rows,
    curve_frame,
    line_order,
    main_layer,
    starts_at_zero,
)
from interpret_pd.plots.fans import quantiles
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.layout import level_axis
from interpret_pd.plots.marks import (
    Marks,
    band_caption,
    ice_alpha,
    legend_order,
    line_scales,
    output_title,
    sampled,
)
from interpret_pd.plots.missing import missing_frame, missing_points
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import at_levels, where
from interpret_pd.plots.text import names
from interpret_pd.plots.theme import line_colors, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

SHAPES = ("o", "s", "^", "D", "v", "P", "X")


def ordered_groups(effect: FeatureEffect) -> bool:
    """Whether the groups of rows have an order, which colours can show."""
    if effect.by is None or effect.predictor is None or len(effect.outputs) < 3:
        return False
    return bool(effect.predictor.feature(effect.by).ordered)


def named_groups(effect: FeatureEffect, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with groups called by their level alone, since the legend's title is their feature."""
    return frame.assign(output_=category(frame["output_"].cat.codes.to_numpy(), names(effect.outputs)))


def ribbons(band: pd.DataFrame, column: str, legend: bool = False) -> geom_ribbon:
    """Light ribbons in the colours of their lines, which the legend shows unless there are none."""
    mapping = aes("x_", ymin="lower_", ymax="upper_", group="id_", fill=column)
    return geom_ribbon(mapping, band, inherit_aes=False, alpha=0.15, show_legend=legend)


def named_lines(pieces: pd.DataFrame, column: str) -> list[Any]:
    """Lines by colour and line type; translucent where their rows are unlike the data; points for an axis of one."""
    if pieces["x_"].nunique() < 2:
        return [geom_point(aes(color=column), pieces, size=3)]
    look = aes(color=column, linetype=column, group="id_")
    return [
        geom_line(look, part, size=1.1, alpha=(1.0, 0.45, 0.25)[pale], show_legend=pale == pieces["look_"].min())
        for pale, part in fade.pieces_by_look(pieces)
    ]


def output_lines(effect: FeatureEffect, options: Options) -> ggplot:
    """All outputs or groups in one panel, a line each; behind them faint ICE curves, the middle half, or a band."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    rows = chosen_rows(effect, options.max_curves)
    marks = _behind(effect, rows, options)
    frame = named_groups(effect, curve_frame(effect, main or "ice", rows))
    if main:
        found = fade.line_looks(effect, options)
        said = fade.caption(None if found is None else np.minimum(found, 1), ale=main == "ale")
        marks += Marks(named_lines(fade.cut(frame, found), "output_"), [frame["value_"]], said)
        if np.isnan(axis.points).any():
            point = named_groups(effect, missing_frame(effect, effect.layers[main][:, None]))
            marks += Marks(missing_points(effect, point, "output_"))
    texts, ordered = list(frame["output_"].cat.categories), ordered_groups(effect)
    order = legend_order(frame, "output_", ordered)
    scales = line_scales(texts, output_title(effect), order, ordered, fill=True)
    support = where(axis, options.rug, frame["x_"], marks.reach)
    plot = canvas(effect, frame, aes("x_", "value_"), marks.caption)
    zero: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    layers = [*support, *zero, *marks.layers, *scales]
    return plot + layers


def _behind(effect: FeatureEffect, rows: np.ndarray, options: Options) -> Marks:
    """What lies behind the lines."""
    main = main_layer(effect)
    if options.fan:
        low, high = (values.ravel() for values in quantiles(effect)[[1, 3]][..., line_order(effect.grid.axes[0])])
        frame = curve_frame(effect, "ice", np.array([0]))
        band = named_groups(effect, frame.assign(lower_=low, upper_=high))
        return Marks(
            [ribbons(band, "output_", legend=main is None)],
            [low, high],
            ("Shaded: the middle half of the ICE curves.",),
        )
    if len(rows):
        frame = named_groups(effect, curve_frame(effect, "ice", rows))
        look = {"size": 0.3, "alpha": 0.6 * ice_alpha(len(rows)), "show_legend": main is None}
        layer = geom_ice(aes(color="output_", group="id_"), frame, raster=True, **look)
        return Marks([layer], [frame["value_"]], sampled(effect, len(rows)))
    sure = None if main is None else band_frame(effect, curve_frame(effect, main))
    if sure is None:
        return Marks()
    said = (band_caption(effect, "Bands"),)
    return Marks([ribbons(named_groups(effect, sure), "output_")], [sure["lower_"], sure["upper_"]], said)


def level_points(effect: FeatureEffect, options: Options) -> ggplot:
    """A point per output or group at every level, side by side, with its interval."""
    axis, main = effect.grid.axes[0], main_layer(effect)
    levels = level_axis(axis)
    x = axis_column(axis, levels.texts, levels.downwards)
    frame = named_groups(effect, curve_frame(effect, main or "pdp", x=x))
    band, support = band_frame(effect, frame), fade.support_of(effect, options)
    found = np.zeros(len(x), int) if support is None else np.minimum(fade.looks(support), 1)
    texts = list(frame["output_"].cat.categories)
    drawn = (frame if band is None else band).assign(look_=np.resize(found, len(frame)))
    marks = dodged_points(drawn, "output_", texts, output_title(effect), ordered_groups(effect))
    caption = () if band is None else (band_caption(effect, "Bars"),)
    data, said = at_levels(axis, options.rug, x, marks.reach, levels.downwards, several=False)
    plot = canvas(effect, frame, aes("x_", "value_"), (*caption, *said, *fade.caption(found)), levels.downwards)
    zero: list[Any] = [zero_line()] if starts_at_zero(effect) else []
    layers = [*data, *zero, *marks.layers, *levels.parts()]
    return plot + layers


def dodged_points(frame: pd.DataFrame, column: str, texts: list[str], title: str, ordered: bool = False) -> Marks:
    """Points by colour and shape beside one another, on bars from lower_ to upper_ if the frame has them.

    They are translucent where look_ is 1, and one layer, since points beside one another must know of each other.
    """
    frame = frame.assign(alpha_=np.where(frame["look_"] > 0, 0.4, 1.0))
    side = position_dodge(width=0.5)
    colors, shapes = line_colors(len(texts), ordered), [SHAPES[i % len(SHAPES)] for i in range(len(texts))]
    layers: list[Any] = []
    values = [frame["value_"]]
    if "lower_" in frame:
        mapping = aes("x_", ymin="lower_", ymax="upper_", color=column, group=column)
        bars = frame[np.isfinite(frame["lower_"])]
        look = {"size": 2.2, "alpha": 0.35, "show_legend": False}
        layers.append(geom_linerange(mapping, bars, inherit_aes=False, position=side, **look))
        values += [bars["lower_"], bars["upper_"]]
    layers += [
        geom_point(aes(color=column, shape=column, alpha="alpha_"), frame, size=3, position=side),
        scale_alpha_identity(),
        manual(scale_color_manual, colors, texts),
        manual(scale_shape_manual, shapes, texts),
        labs(color=title, shape=title),
    ]
    return Marks(layers, values)
