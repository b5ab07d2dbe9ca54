"""The marks that several plots share: ICE curves, the main curve and its band, a missing point, lines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    geom_line,
    geom_point,
    geom_ribbon,
    geom_text,
    labs,
    scale_color_manual,
    scale_linetype_manual,
)

from interpret_pd.plots.columns import ends, main_layer, output_column, steady
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.text import plain, wrap
from interpret_pd.plots.theme import FAINT_TEXT, GOLD, INK, line_colors, linetypes, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

BAND = "Band: 95 % confidence interval of the average over the rows."
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
        return [dot(frame, color, over_ice)]
    group = aes(group="id_")
    if not over_ice:
        return [geom_line(group, frame, color=color, size=1.1)]
    return [geom_line(group, frame, color=INK, size=2.2), geom_line(group, frame, color=GOLD, size=1.3)]


def dot(frame: pd.DataFrame, color: str, over_ice: bool) -> geom_point:
    """The main value at a point: a disc, or a gold diamond above ICE values."""
    look = {"shape": "D", "fill": GOLD, "color": INK, "stroke": 0.6} if over_ice else {"color": color}
    return geom_point(data=frame, size=3.4, **look)


def band_layer(band: pd.DataFrame, color: str) -> geom_ribbon:
    """How sure the average is."""
    mapping = aes("x_", ymin="lower_", ymax="upper_", group="id_")
    return geom_ribbon(mapping, band, inherit_aes=False, fill=color, alpha=0.18)


def missing_layers(effect: FeatureEffect, rows: np.ndarray, color: str) -> list[Any]:
    """What the model does where the number is missing, right of the curve; nothing if the axis lacks that point."""
    axis = effect.grid.axes[0]
    missing = np.flatnonzero(~np.isfinite(axis.points))
    if not len(missing):
        return []
    low, high = ends(axis)
    place = pd.Series(axis.feature.readable(np.array([high + 0.09 * ((high - low) or 1.0)]))).iloc[0]
    layers: list[Any] = []
    main = main_layer(effect)
    for layer in [name for name in ("ice", main) if name in effect.layers]:
        values = steady(effect.layers[layer])[..., missing[0]]
        values = values[:, rows] if layer == "ice" else values[:, None]  # (K, k)
        codes = np.repeat(np.arange(len(values)), values.shape[1])
        frame = pd.DataFrame({"x_": place, "value_": values.ravel(), **output_column(effect, codes)})
        layers.append(dot(frame, color, len(rows) > 0) if layer == main else ice_layer(frame, len(rows), points=True))
    text = pd.DataFrame({"x_": [place], "value_": [-np.inf], "label_": ["missing"]})
    look = {"size": 7.5, "color": FAINT_TEXT, "va": "bottom"}
    return [*layers, geom_text(aes("x_", "value_", label="label_"), text, inherit_aes=False, **look)]


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


def output_scales(effect: FeatureEffect, frame: pd.DataFrame) -> list[Any]:
    """Colours and line types of the outputs, in the order of their last values."""
    by = getattr(effect, "by", None)
    title = "Class" if "probability" in effect.value_label else "Output"
    last = frame.groupby("output_", observed=False)["value_"].last()
    order = last.sort_values(ascending=False, kind="stable").index
    title = title if by is None else wrap(plain(by), 18)
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
