"""Two features of which one or both are categorical: a line per level, or tiles with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    element_text,
    facet_wrap,
    geom_point,
    geom_text,
    geom_tile,
    ggplot,
    labs,
    theme,
)

from interpret_pd.plots import fade
from interpret_pd.plots.canvas import left_out, output_panels, zero_line
from interpret_pd.plots.columns import (
    axis_column,
    category,
    is_levels,
    level_names,
    line_order,
    output_column,
    starts_at_zero,
    steady,
)
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.groups import named_lines
from interpret_pd.plots.marks import dots, legend_order, line_layers, line_scales, main_color
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import where
from interpret_pd.plots.surface import map_parts
from interpret_pd.plots.text import brief, numbers, sentence, wrap
from interpret_pd.plots.theme import BAR, INK, NOMINAL, house, size
from interpret_pd.plots.veils import UNLIKE

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis

MOST_COLORS = len(NOMINAL)
MOST_PANELS = 24
MOST_NUMBERS = 150  # tiles that still have room for their numbers


def line_pair_frame(effect: FeatureEffect) -> pd.DataFrame:
    """The curves of a number by a category: x_, level_, value_, id_ and output_."""
    turned = is_levels(effect.grid.axes[0])
    number, level = effect.grid.axes[:: -1 if turned else 1]
    values = steady(effect, next(iter(effect.layers.values())))
    values = np.swapaxes(values, 1, 2) if not turned else values  # (K, levels, numbers)
    order = line_order(number)
    K, L, G = values.shape
    texts = level_names(level, 22)
    return pd.DataFrame(
        {
            "x_": axis_column(number).iloc[np.tile(order, K * L)].reset_index(drop=True),
            "value_": values[..., order].ravel(),
            "level_": category(np.tile(np.repeat(np.arange(L), G), K), texts),
            "id_": np.repeat(np.arange(K * L), G),
            **output_column(effect, np.repeat(np.arange(K), L * G)),
        }
    )


def pair_looks(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The looks of the lines' segments, (K * levels, numbers - 1), 0 or 1; None if all are as they are."""
    support = fade.support_of(effect, options)
    if support is None:
        return None
    support = support if is_levels(effect.grid.axes[0]) else support.T
    number = effect.grid.axes[1 if is_levels(effect.grid.axes[0]) else 0]
    found = np.minimum(fade.segment_looks(support[:, line_order(number)]), 1)
    return np.tile(found, (len(effect.outputs), 1)) if found.any() else None


def pair_lines(effect: FeatureEffect, options: Options) -> ggplot:
    """A number along x and a line per level: by colour and line type, viridis if ordered, a panel each if too many."""
    turn = -1 if is_levels(effect.grid.axes[0]) else 1
    number, level = effect.grid.axes[::turn]
    x_name, level_name = effect.features[::turn]
    frame, found = line_pair_frame(effect), pair_looks(effect, options)
    plot = ggplot(frame, aes("x_", "value_", group="id_"))
    plot += labs(x=wrap(x_name, 60), y=wrap(effect.value_label, 28 if len(effect.outputs) > 1 else 38))
    for part in house():
        plot += part
    layers: list[Any] = where(number, options.rug, frame["x_"], frame["value_"].to_numpy())
    layers += [zero_line()] if starts_at_zero(effect) else []
    L = len(level.points)
    few = L <= MOST_COLORS or level.feature.ordered or len(effect.outputs) > 1
    lines = colored_lines if few else level_panels if L <= MOST_PANELS else extreme_lines
    plot += labs(caption=sentence(_explained(lines, level), *fade.caption(found), *left_out(effect)))
    return plot + layers + lines(effect, fade.cut(frame, found), level, wrap(level_name, 18))


def _explained(lines: Any, level: Axis) -> str:
    """What the panels or colours are where not every level has its own colour."""
    if lines is level_panels:
        return f"Panels: {brief(level.feature.name, 60)}. Grey: the other levels."
    if lines is extreme_lines:
        return f"Colours: the three lowest and the three highest of {len(level.points):,} levels."
    return ""


def colored_lines(effect: FeatureEffect, frame: pd.DataFrame, level: Axis, title: str) -> list[Any]:
    """One line per level in a shared panel, the legend in the order of the lines."""
    texts = list(frame["level_"].cat.categories)
    order = legend_order(frame, "level_", level.feature.ordered)
    ordered = level.feature.ordered and len(texts) > 2
    return [*named_lines(frame, "level_"), *line_scales(texts, title, order, ordered), *output_panels(effect, 2.7)]


def level_panels(effect: FeatureEffect, frame: pd.DataFrame, level: Axis, _title: str) -> list[Any]:
    """One panel per level, the other levels' lines grey behind its own."""
    others, color = frame.drop(columns="level_"), main_color(effect)
    single = frame["x_"].nunique() < 2
    ncol = min(4, len(level.points))
    nrow = -(-len(level.points) // ncol)
    return [
        geom_point(data=others, color=BAR, size=1.2) if single else geom_ice(data=others, color=BAR, size=0.4),
        *(dots(frame, color, over_ice=False) if single else line_layers(frame, color, over_ice=False)),
        facet_wrap(["level_"], ncol=ncol),
        size(2.1 * ncol + 0.5, 1.8 * nrow + 0.8),
    ]


def extreme_lines(effect: FeatureEffect, frame: pd.DataFrame, level: Axis, title: str) -> list[Any]:
    """The three highest and three lowest levels in colour, the many others grey behind them."""
    mean = frame.groupby("level_", observed=True)["value_"].mean().sort_values(kind="stable")
    chosen = [*mean.index[:3], *mean.index[-3:]]
    shown = frame[frame["level_"].isin(chosen)]
    shown = shown.assign(level_=pd.Categorical(shown["level_"].astype(object), chosen, ordered=True))
    return [
        geom_ice(data=frame.drop(columns="level_"), color=BAR, size=0.4),
        *colored_lines(effect, shown, level, title),
    ]


def tile_frame(effect: FeatureEffect) -> pd.DataFrame:
    """The tiles of two categories: x_, y_ (first level on top), value_, n_ and output_."""
    first, second = effect.grid.axes
    values = steady(effect, next(iter(effect.layers.values())))
    K, G1, G2 = values.shape
    x = axis_column(first, level_names(first, max(44 // G1, 8), 3))
    y = axis_column(second, level_names(second, 20, 2), reverse=True)
    a, b = np.asarray(first.feature.values)[:, None], np.asarray(second.feature.values)[:, None]
    count = (a == first.points).T.astype(int) @ (b == second.points).astype(int)  # (G1, G2)
    frame = pd.DataFrame(
        {
            "x_": x.iloc[np.tile(np.repeat(np.arange(G1), G2), K)].reset_index(drop=True),
            "y_": y.iloc[np.tile(np.arange(G2), K * G1)].reset_index(drop=True),
            "value_": values.ravel(),
            "n_": np.tile(count.ravel(), K),
            **output_column(effect, np.repeat(np.arange(K), G1 * G2)),
        }
    )
    return frame.assign(label_=numbers(values.ravel()))


def dark_tiles(values: pd.Series, signed: bool) -> np.ndarray:
    """Whether a tile's colour is dark, so that its number must be white."""
    high, low = values.max(), values.min()
    if signed:
        return (values.abs() > 0.65 * values.abs().max()).to_numpy()
    return ((values - low) < 0.55 * (high - low)).to_numpy()


def tile_texts(frame: pd.DataFrame, signed: bool, counts: bool) -> list[Any]:
    """Each tile's value, and its rows under it, in the ink that its colour allows."""
    if counts:
        frame = frame.assign(label_=frame["label_"] + frame["n_"].map("\n(n = {:,})".format))
    dark = dark_tiles(frame["value_"], signed) & ~frame["faded_"].to_numpy()
    return [
        geom_text(aes(label="label_"), part, color=color, size=8 if counts else 7, lineheight=1.1)
        for part, color in ((frame[dark], "white"), (frame[~dark], INK))
        if len(part)
    ]


def pair_tiles(effect: FeatureEffect, options: Options) -> ggplot:
    """Two categories: a tile per pair with its value, faded where no row has the pair or the data support it little."""
    frame, rug_kind, support = tile_frame(effect), options.rug, fade.support_of(effect, options)
    G1, G2 = effect.grid.shape
    several = len(effect.outputs) > 1
    signed = starts_at_zero(effect)
    nobody = (frame["n_"] == 0).to_numpy() & bool(rug_kind)
    unlike = np.zeros_like(nobody) if support is None else np.resize(support.ravel() < fade.DOTTED, len(frame))
    empty = frame[nobody | unlike]
    said = [why for why, there in (("no observations", nobody), (UNLIKE, unlike & ~nobody)) if there.any()]
    plot = ggplot(frame, aes("x_", "y_")) + geom_tile(aes(fill="value_"), color="white", size=0.8)
    if len(empty):
        plot += geom_tile(aes(width=1, height=1), empty, fill=BAR if signed else "white", alpha=0.75)
    if len(frame) // len(effect.outputs) <= MOST_NUMBERS:
        plot += tile_texts(
            frame.assign(faded_=nobody | unlike), signed, counts=bool(rug_kind) and not several and max(G1, G2) <= 8
        )
    plot += map_parts(effect, frame["value_"], (f"Faded: {', or '.join(said)} (extrapolation).",) if said else ())
    if max(map(len, "\n".join(frame["x_"].cat.categories).split("\n"))) > 44 / G1:
        plot += theme(axis_text_x=element_text(rotation=30, ha="right"))
    width, height = max(5.8, 0.62 * G1 + 2), max(3.2, 0.45 * G2 + 1.4)
    return plot + (output_panels(effect, 0.5 * G1 + 1, 0.4 * G2 + 0.6, 1) or [size(width, height)])
