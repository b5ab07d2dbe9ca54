"""Two numbers or dates: a map of cells with contours, faded where there are few data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    coord_cartesian,
    element_blank,
    geom_label,
    geom_path,
    geom_rect,
    ggplot,
    guide_colorbar,
    guides,
    labs,
    scale_fill_cmap,
    scale_fill_gradientn,
)

from interpret_pd.plots.canvas import left_out, output_panels
from interpret_pd.plots.columns import line_order, output_column, starts_at_zero, steady
from interpret_pd.plots.contours import contour_frame, contour_levels, label_frame
from interpret_pd.plots.geoms import geom_hatch
from interpret_pd.plots.options import Options
from interpret_pd.plots.text import numbers, sentence, wrap
from interpret_pd.plots.theme import BAR, COLD, GREY, INK, NEUTRAL, WARM, house, size
from interpret_pd.plots.ticks import own_breaks
from interpret_pd.plots.veils import VEIL_POINTS, covers, edges, nearness, readable, veil

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis

HATCHED = "Hatched: no observations."


def sorted_surface(effect: FeatureEffect) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ascending points of both axes and the values over them, (G1,), (G2,), (K, G1, G2)."""
    first, second = (line_order(axis) for axis in effect.grid.axes)
    values = steady(effect, next(iter(effect.layers.values())))[:, first][:, :, second]
    x, y = (np.asarray(axis.points, float) for axis in effect.grid.axes)
    return x[first], y[second], values


def cells(x: Axis, y: Axis, x_edges: np.ndarray, y_edges: np.ndarray, repeats: int = 1) -> pd.DataFrame:
    """The cells between edges, the last axis fastest, the whole list `repeats` times: left_, right_, bottom_, top_."""
    i, j = np.divmod(np.tile(np.arange((len(x_edges) - 1) * (len(y_edges) - 1)), repeats), len(y_edges) - 1)
    sides = {
        "left_": (x, x_edges[i]),
        "right_": (x, x_edges[i + 1]),
        "bottom_": (y, y_edges[j]),
        "top_": (y, y_edges[j + 1]),
    }
    return pd.DataFrame({name: readable(axis, at) for name, (axis, at) in sides.items()})


def surface_plot(effect: FeatureEffect, options: Options) -> ggplot:
    """The map of two numeric features, one panel per output."""
    x, y = effect.grid.axes
    x_at, y_at, values = sorted_surface(effect)
    frame = cells(x, y, edges(x_at), edges(y_at), len(values))
    codes = np.repeat(np.arange(len(values)), values[0].size)
    frame = frame.assign(value_=values.ravel(), **output_column(effect, codes))
    plot = ggplot(frame, aes(xmin="left_", xmax="right_", ymin="bottom_", ymax="top_", fill="value_"))
    signed = starts_at_zero(effect)
    near, hatched = nearness(x, y), empty_cells(effect)
    cover, said = covers(effect, options, near)
    lines, labels = contour_layers(effect, values, near, signed)
    layers = [
        geom_rect(raster=True),
        *lines,
        *([] if cover is None else [veil(x, y, cover, BAR if signed else "white")]),
        *([] if hatched is None else [hatch(hatched)]),
        *labels,
        *map_parts(effect, values, (*said, *(() if hatched is None else (HATCHED,)))),
        coord_cartesian(expand=False),
        *(output_panels(effect, 2.6, 2.5) or [size(5.8, 4.4)]),
    ]
    return plot + layers


def map_parts(effect: FeatureEffect, values: Any, caption: tuple[str, ...]) -> list[Any]:
    """Titles, colours and theme of a map of values: viridis, or cold and warm, as far on both sides of 0."""
    scale: list[Any] = []
    if starts_at_zero(effect):
        far = float(np.nanmax(np.abs(values))) or 1.0
        scale = [scale_fill_gradientn([COLD, NEUTRAL, WARM], limits=(-far, far), **own_breaks((-far, far)))]
    elif (low := float(np.nanmin(values))) == float(np.nanmax(values)):  # a constant: plotnine would say "0" of 0.3
        scale = [scale_fill_cmap(breaks=[low], labels=numbers(np.array([low])))]
    elif told := own_breaks(values):
        scale = [scale_fill_cmap(**told)]
    x, y = effect.features
    return [
        labs(
            x=wrap(x, 50),
            y=wrap(y, 38),
            fill=wrap(effect.value_label, 16, 5),
            caption=sentence(*caption, *left_out(effect), width=85),
        ),
        guides(fill=guide_colorbar(display="raster")),  # a smooth bar alone takes 2 MB of an SVG
        *scale,
        *house(panel_grid_major=element_blank()),
    ]


def empty_cells(effect: FeatureEffect) -> pd.DataFrame | None:
    """The cells between an ALE's edges that hold no row: left_, right_, bottom_, top_; None if there are none."""
    if effect.method != "ale" or effect.counts is None:
        return None
    x, y = effect.grid.axes
    empty = np.asarray(effect.counts)[np.ix_(line_order(x), line_order(y))][1:, 1:] == 0
    x_at, y_at, _ = sorted_surface(effect)
    return cells(x, y, x_at, y_at)[empty.ravel()] if empty.any() else None


def hatch(frame: pd.DataFrame) -> geom_hatch:
    """Grey strokes over cells."""
    mapping = aes(xmin="left_", xmax="right_", ymin="bottom_", ymax="top_")
    return geom_hatch(mapping, frame, inherit_aes=False, color=GREY)


def contour_layers(
    effect: FeatureEffect, values: np.ndarray, near: np.ndarray, signed: bool
) -> tuple[list[Any], list[Any]]:
    """Contours, and their numbers, which lie above the veil."""
    lines = labels = pd.DataFrame()
    if min(effect.grid.shape) > 1:
        levels = contour_levels(values)
        found = [output_contours(effect, k, values[k], levels, near) for k in range(len(values))]
        lines, labels = (pd.concat(parts, ignore_index=True) for parts in zip(*found, strict=True))
    look = {"color": INK if signed else "white", "size": 0.4, "alpha": 0.85}
    paths = [geom_path(aes("x_", "y_", group="piece_"), lines, inherit_aes=False, **look)] if len(lines) else []
    return paths, [contour_labels(labels)] if len(labels) else []


def output_contours(
    effect: FeatureEffect, k: int, values: np.ndarray, levels: np.ndarray, near: np.ndarray
) -> list[pd.DataFrame]:
    """Contours and labels of output k, in the axes' own units."""
    x_at, y_at, _ = sorted_surface(effect)
    line = contour_frame(to_unit(x_at), to_unit(y_at), values, levels)
    cell = np.clip((line[["x_", "y_"]].to_numpy() * (VEIL_POINTS - 1)).round().astype(int), 0, VEIL_POINTS - 1)
    label = label_frame(line, near[cell[:, 0], cell[:, 1]])
    out = []
    for frame in (line, label):
        place = {
            name: readable(axis, at[0] + np.ptp(at) * frame[name].to_numpy())
            for name, axis, at in zip(("x_", "y_"), effect.grid.axes, (x_at, y_at), strict=True)
        }
        out.append(frame.assign(**place, **output_column(effect, np.full(len(frame), k))))
    return out


def to_unit(at: np.ndarray) -> np.ndarray:
    """Ascending points between 0 and 1."""
    return (at - at[0]) / np.ptp(at)


def contour_labels(frame: pd.DataFrame) -> geom_label:
    """The numbers on the contours."""
    look = {"size": 7, "color": INK, "fill": "#FFFFFFC0", "label_size": 0, "label_padding": 0.15}
    return geom_label(aes("x_", "y_", label="label_"), frame, inherit_aes=False, **look)
