"""ICE curves coloured by another feature: levels with the mean of each group on top, numbers and dates by viridis.

Where the curves of a feature go apart, the other feature often says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    geom_boxplot,
    geom_line,
    geom_point,
    guide_colorbar,
    guides,
    labs,
    position_dodge,
    scale_color_cmap,
    scale_fill_manual,
)

from interpret_pd.plots import fade
from interpret_pd.plots.columns import Pin, category, curve_frame, line_order, steady
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.marks import FAINT, MANY, Marks, drawn_curves, fade_caption, legend_order, line_scales, sampled
from interpret_pd.plots.options import Options
from interpret_pd.plots.text import names, wrap
from interpret_pd.plots.theme import GREY, NOMINAL, SOFT_TEXT, line_colors, manual
from interpret_pd.plots.ticks import axis_ticks, own_breaks

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.features import Feature

OTHERS, MISSING = "(other levels)", "(missing)"
RATE = 0.95  # of the rows are plausible where the data support all


def color_alpha(n: int) -> float:
    """Stronger than that of black curves: a colour must be seen."""
    return float(np.clip(4.5 / np.sqrt(max(n, 1)), 0.12, 0.6))


def groups(feature: Feature, rows: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The group of each row and the groups' names: the levels that are there, the rarer of very many as one."""
    codes = np.asarray(feature.values)[rows].astype(int)
    levels = list(feature.levels or ())
    there, count = np.unique(codes, return_counts=True)
    if len(there) > len(NOMINAL) and not feature.ordered:
        kept = np.sort(there[np.argsort(-count, kind="stable")[: len(NOMINAL) - 1]])
        texts = [*_level_texts(levels, kept), OTHERS]
        place = np.searchsorted(kept, codes).clip(max=len(kept) - 1)
        return np.where(kept[place] == codes, place, len(kept)), texts
    there = np.r_[there[there >= 0], there[there < 0]]  # the missing come last
    order = np.argsort(there)
    return order[np.searchsorted(there[order], codes)], _level_texts(levels, there)


def _level_texts(levels: list[Any], codes: np.ndarray) -> list[str]:
    """The names of levels by their places."""
    return names([levels[code] if code >= 0 else MISSING for code in codes], 22)


def repeated(effect: FeatureEffect, codes: np.ndarray) -> np.ndarray:
    """What each row has, (k,), for each line of a frame of its curves, (K * k * G,)."""
    K, G = len(effect.outputs), len(line_order(effect.grid.axes[0]))
    return np.tile(np.repeat(codes, G), K)


def colored_marks(effect: FeatureEffect, rows: np.ndarray, options: Options, pin: Pin = pd.DataFrame) -> Marks:
    """The chosen curves in the colours of another feature; `pin` ties frames to a facet."""
    feature = effect.predictor.feature(options.color)
    frame = pin(curve_frame(effect, "ice", rows))
    if feature.kind == "categorical":
        return _by_level(effect, frame, rows, options, pin)
    found = fade.curve_looks(effect, rows, options)
    frame = frame.assign(color_=repeated(effect, np.asarray(feature.values, float)[effect.rows[rows]]))
    layers = [*curves(fade.cut(frame, found), len(rows)), *number_scale(feature)]
    return Marks(layers, [frame["value_"]], sampled(effect, len(rows)) + fade_caption(effect, rows, options))


def curves(frame: pd.DataFrame, n: int) -> list[Any]:
    """Thin coloured curves; points for an axis of one point."""
    look: dict[str, Any] = {"alpha": color_alpha(n), "show_legend": False}
    if frame["color_"].dtype.kind == "f":
        look |= {"show_legend": {"color": True}}
    if frame["x_"].nunique() < 2:
        return [geom_point(aes(color="color_"), frame, size=1.4, **look)]
    return [
        geom_ice(
            aes(color="color_", group="id_"),
            part,
            size=0.35,
            raster=n > MANY,
            **(look | {"alpha": look["alpha"] * (FAINT if pale else 1)}),
        )
        for pale, part in fade.pieces_by_look(frame)
    ]


def _by_level(effect: FeatureEffect, frame: pd.DataFrame, rows: np.ndarray, options: Options, pin: Pin) -> Marks:
    """Curves in the colours of their groups, and the means of all kept rows of each group on a casing of white."""
    feature = effect.predictor.feature(options.color)
    codes, texts = groups(feature, effect.rows)
    frame = frame.assign(color_=category(repeated(effect, codes[rows]), texts))
    means = pin(mean_frame(effect, codes, texts))
    order = legend_order(means, "color_", feature.ordered)
    found, unlike = mean_looks(effect, codes, len(texts), options), fade.curve_looks(effect, rows, options)
    layers = curves(fade.cut(frame, unlike), len(rows))
    if means["x_"].nunique() < 2:
        layers.append(geom_point(aes(color="color_"), means, size=3.4))
    else:
        layers += mean_lines(fade.cut(means, found))
    layers += line_scales(texts, wrap(options.color, 18), order, feature.ordered and len(texts) > 2)
    said = "Thick lines: mean of the ICE curves of each group.", *sampled(effect, len(rows))
    return Marks(layers, [frame["value_"]], (*said, *fade.caption(found, unlike is not None)))


def mean_frame(effect: FeatureEffect, codes: np.ndarray, texts: list[str]) -> pd.DataFrame:
    """The (weighted) mean curve of each group, (K * groups) curves with color_."""
    base = curve_frame(effect, "ice", np.zeros(len(texts), int))
    means = group_means(effect, codes, len(texts))[..., line_order(effect.grid.axes[0])]
    color = category(repeated(effect, np.arange(len(texts))), texts)
    return base.assign(value_=means.ravel(), color_=color)


def group_means(effect: FeatureEffect, codes: np.ndarray, n: int) -> np.ndarray:
    """The (weighted) mean of the curves of each of n groups, (K, n, G)."""
    weights = np.ones(len(codes)) if effect.weights is None else np.asarray(effect.weights, float)[effect.rows]
    values, means = steady(effect, effect.layers["ice"]), []
    for g in range(n):
        own, rows = weights[codes == g], values[:, codes == g]
        means.append(np.average(rows, axis=1, weights=own if own.sum() else None))  # a group that weighs nothing
    return np.stack(means, axis=1)


def mean_looks(effect: FeatureEffect, codes: np.ndarray, G: int, options: Options) -> np.ndarray | None:
    """The looks of the means' segments, from the support of each group's own rows; None if all are as they are."""
    if fade.support_of(effect, options) is None:
        return None
    supported = pd.DataFrame(np.asarray(effect.supported, float)[:, line_order(effect.grid.axes[0])])
    share = supported.groupby(codes).mean().reindex(range(G)).fillna(1.0).to_numpy() / RATE
    found = np.minimum(fade.segment_looks(share), 1)  # dots would be read as a group's line type
    return np.tile(found, (len(effect.outputs), 1)) if found.any() else None


def mean_lines(pieces: pd.DataFrame) -> list[Any]:
    """Thick lines by colour and line type on white; translucent where their rows are unlike the data."""
    casing = geom_line(aes(group="id_"), pieces, color="white", size=2.6)
    look = aes(color="color_", linetype="color_", group="id_")
    return [casing] + [
        geom_line(look, part, size=1.4, alpha=0.4 if pale else 1.0, show_legend=not pale)
        for pale, part in fade.pieces_by_look(pieces)
    ]


def number_scale(feature: Feature) -> list[Any]:
    """Viridis and its bar, labelled in dates for dates; with its own number for a constant."""
    there = feature.values[np.isfinite(feature.values)]
    low, high = float(there.min()), float(there.max())
    ticks = own_breaks(there)
    if feature.kind == "date" or low == high:  # of a constant plotnine would say "0"
        ticks = dict(zip(("breaks", "labels"), axis_ticks(feature, low, high), strict=True))
    scale = scale_color_cmap(cmap_name="viridis", na_value=GREY, **ticks)
    return [scale, guides(color=guide_colorbar(display="raster")), labs(color=wrap(feature.name, 18))]


def colored_boxes(effect: FeatureEffect, rows: np.ndarray, options: Options, x: pd.Series) -> Marks:
    """For an axis of levels: a box per group beside one another at each level, or curves by number across them."""
    feature = effect.predictor.feature(options.color)
    frame = curve_frame(effect, "ice", rows, x)
    if feature.kind != "categorical":
        frame = frame.assign(color_=repeated(effect, np.asarray(feature.values, float)[effect.rows[rows]]))
        return Marks([*curves(frame, len(rows)), *number_scale(feature)], [frame["value_"]], sampled(effect, len(rows)))
    codes, texts = groups(feature, effect.rows[rows])
    frame = frame.assign(color_=category(repeated(effect, codes), texts))
    fills = line_colors(len(texts), feature.ordered and len(texts) > 2)
    look = {"color": SOFT_TEXT, "size": 0.4, "outlier_size": 0.6, "outlier_alpha": 0.3, "outlier_stroke": 0}
    box = geom_boxplot(aes(fill="color_"), frame, position=position_dodge(0.75), width=0.65, alpha=0.6, **look)
    scales = [manual(scale_fill_manual, fills, texts), labs(fill=wrap(options.color, 18))]
    return Marks(
        [box, *scales], [frame["value_"]], (f"Boxes: {drawn_curves(effect, len(rows))} of each group at each level.",)
    )
