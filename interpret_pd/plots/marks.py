"""The marks that several plots share: ICE curves, the main curve and its band, a missing point, lines by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    geom_line,
    geom_point,
    geom_ribbon,
    guide_legend,
    guides,
    labs,
    scale_color_manual,
    scale_fill_manual,
    scale_linetype_manual,
)

from interpret_pd.plots import fade
from interpret_pd.plots.columns import band_frame, curve_frame, line_order, main_layer
from interpret_pd.plots.geoms import geom_ice
from interpret_pd.plots.options import Options
from interpret_pd.plots.text import plain, wrap
from interpret_pd.plots.theme import BLUE, GOLD, GREY, INK, VERMILION, lighter, line_colors, linetypes, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

MANY = 300  # curves from which a vector file gets them as one picture
FAINT = 0.3  # what is left of a curve's alpha where its row is unlike the data
NORMAL = 1.96  # standard errors of a band over rows; a band over refits takes more, from Student's t


@dataclass(frozen=True)
class Marks:
    """Layers, the values that they reach, and the sentences that say what they are."""

    layers: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    caption: tuple[str, ...] = ()

    def __add__(self, other: Marks) -> Marks:
        """These marks and others above them."""
        return Marks(self.layers + other.layers, self.values + other.values, self.caption + other.caption)

    @property
    def reach(self) -> np.ndarray:
        """All values."""
        return np.concatenate([np.asarray(values, float).ravel() for values in self.values])


def main_color(effect: FeatureEffect) -> str:
    """Blue for a PD, vermilion for an ALE."""
    return VERMILION if main_layer(effect) == "ale" else BLUE


def ice_alpha(n: int) -> float:
    """Fainter the more curves there are, and never gone."""
    return float(np.clip(2 / np.sqrt(max(n, 1)), 0.05, 0.5))


def ice_layers(frame: pd.DataFrame, n: int, width: float = 0.3, **look: Any) -> list[Any]:
    """All curves of a frame in black, fainter where their rows are unlike the data; points for an axis of one point."""
    look = {"color": "black", "alpha": ice_alpha(n), **look}
    if frame["x_"].nunique() < 2:
        return [geom_point(data=frame, size=1.2, **look)]
    group, faint = aes(group="id_"), look | {"alpha": FAINT * look["alpha"]}
    return [
        geom_ice(group, part, size=width, raster=n > MANY, **(faint if pale else look))
        for pale, part in fade.pieces_by_look(frame)
    ]


def ice_marks(effect: FeatureEffect, rows: np.ndarray, options: Options) -> Marks:
    """The chosen ICE curves in black."""
    found = fade.curve_looks(effect, rows, options)
    frame = fade.cut(curve_frame(effect, "ice", rows), found)
    width = 0.3 if len(effect.outputs) == 1 else 0.2
    return Marks(ice_layers(frame, len(rows), width), [frame["value_"]], ice_caption(effect, len(rows)))


def line_layers(frame: pd.DataFrame, color: str, over_ice: bool, share: float = 1.0) -> list[Any]:
    """The main curve: plain, or gold on a casing of ink above ICE curves; pale and dotted where its pieces are so."""
    group, pieces = aes(group="id_"), fade.pieces_by_look(frame)
    if not over_ice:
        return [
            geom_line(group, part, color=lighter(color, (1, 0.55, 0.8)[look]), size=1.1, linetype=_dash(look))
            for look, part in pieces
        ]
    casing = [geom_line(group, part, color=(INK, GREY, GREY)[look], size=2.2 * share) for look, part in pieces]
    gold = [
        geom_line(group, part, color=(GOLD, lighter(GOLD, 0.45), GOLD)[look], size=1.3 * share, linetype=_dash(look))
        for look, part in pieces
    ]
    return [*casing, *gold]


def _dash(look: int) -> str:
    """Dots where less than half is supported."""
    return "dotted" if look == 2 else "solid"


def cased_layers(frame: pd.DataFrame) -> list[Any]:
    """The main curve above curves of all colours: ink on a casing of white."""
    group, pieces = aes(group="id_"), fade.pieces_by_look(frame)
    casing = [geom_line(group, part, color="white", size=2.6) for _, part in pieces]
    return casing + [
        geom_line(group, part, color=(INK, GREY, GREY)[look], size=1.4, linetype=_dash(look)) for look, part in pieces
    ]


def dots(frame: pd.DataFrame, color: str, over_ice: bool, size: float = 3.4) -> list[Any]:
    """The main values as points: discs, or gold diamonds above ICE values; pale and hollow where `look_` says so."""
    if "look_" not in frame:
        frame = frame.assign(look_=0)
    layers = []
    for look, part in fade.pieces_by_look(frame):
        if over_ice:
            fill = (GOLD, lighter(GOLD, 0.4), "white")[look]
            style: dict[str, Any] = {"shape": "D", "fill": fill, "color": (INK, GREY, GREY)[look], "stroke": 0.6}
        else:
            fill = (color, lighter(color, 0.45), "white")[look]
            style = {"shape": "o", "fill": fill, "color": (color, fill, color)[look], "stroke": (0.5, 0.5, 0.7)[look]}
        layers.append(geom_point(data=part.drop(columns="look_"), size=size, **style))
    return layers


def main_marks(effect: FeatureEffect, options: Options, over: str = "") -> Marks:
    """The main curve, with its band unless it lies `over` "ice", a "fan" or "colors"; nothing if there is none."""
    main = main_layer(effect)
    if main is None:
        return Marks()
    frame, color = curve_frame(effect, main), main_color(effect)
    band = None if over or len(line_order(effect.grid.axes[0])) < 2 else band_frame(effect, frame)
    ribbon = Marks() if band is None else Marks([band_layer(band, color)], [band["lower_"], band["upper_"]])
    if len(line_order(effect.grid.axes[0])) < 2:
        return Marks(dots(frame, color, over == "ice"), [frame["value_"]])
    found = fade.line_looks(effect, options)
    frame = fade.cut(frame, found)
    layers = cased_layers(frame) if over == "colors" else line_layers(frame, color, over == "ice")
    said = () if band is None else (band_caption(effect),)
    return ribbon + Marks(layers, [frame["value_"]], said)


def fade_caption(effect: FeatureEffect, rows: np.ndarray, options: Options) -> tuple[str, ...]:
    """What is pale, dotted or hollow in a plot of curves."""
    curves = len(rows) > 0 and not options.fan and fade.curve_looks(effect, rows, options) is not None
    found = fade.line_looks(effect, options) if main_layer(effect) or options.fan else None
    return fade.caption(found, curves, ale=effect.method == "ale")


def band_layer(band: pd.DataFrame, color: str) -> geom_ribbon:
    """How sure the average is."""
    mapping = aes("x_", ymin="lower_", ymax="upper_", group="id_")
    return geom_ribbon(mapping, band, inherit_aes=False, fill=color, alpha=0.18)


def band_caption(effect: FeatureEffect, name: str = "Band") -> str:
    """What the band is, or the bands or bars: of an average over the rows, or of a mean over refits."""
    over = "of the mean over the refits" if effect.quantile > NORMAL + 1e-3 else "of the average over the rows"
    plural = "s" if name.endswith("s") else ""
    return f"{name}: 95 % confidence interval{plural} {over}."


def ice_caption(effect: FeatureEffect, shown: int) -> tuple[str, ...]:
    """What gold is, and how many of the curves are drawn."""
    drawn = drawn_curves(effect, shown, f"{shown:,} ICE curves")
    if effect.method.startswith("d-"):
        gold = "Gold line: their mean. " if main_layer(effect) else ""
        return (f"Thin lines: slopes of {drawn}. {gold}SD: their standard deviation.",)
    if main_layer(effect):
        return (f"Gold line: partial dependence. Thin lines: {drawn}.",)
    return sampled(effect, shown)


def drawn_curves(effect: FeatureEffect, shown: int, whole: str = "the ICE curves") -> str:
    """How many of the rows' curves are shown; `whole` if that is all of them."""
    k, n = np.shape(effect.layers["ice"])[1], len(effect.grid.axes[0].feature.values)
    return f"{shown:,} of {max(n, k):,} ICE curves" if shown < max(n, k) else whole


def sampled(effect: FeatureEffect, shown: int) -> tuple[str, ...]:
    """How many curves are drawn, unless that is all of them."""
    drawn = drawn_curves(effect, shown, "")
    return (f"Thin lines: {drawn}.",) if drawn else ()


def legend_order(frame: pd.DataFrame, column: str, ordered: bool = False) -> list[str]:
    """The names in a column, the line that ends highest first: a legend in the order of its lines.

    Names with an order keep it, from whichever end is nearer to that. Of several outputs the sum counts.
    """
    panels = ["output_"] if "output_" in frame and column != "output_" else []
    ends = frame.groupby([column, *panels], observed=True)["value_"].last().groupby(level=0, observed=True).sum()
    order = list(ends.sort_values(ascending=False, kind="stable").index)
    if not ordered:
        return order
    texts = [text for text in frame[column].cat.categories if text in order]
    return texts if order.index(texts[0]) <= order.index(texts[-1]) else texts[::-1]


def output_title(effect: FeatureEffect) -> str:
    """What the outputs are: classes, outputs, or the groups of a feature."""
    if effect.by is not None:
        return wrap(plain(effect.by), 18)
    return "Class" if "probability" in effect.value_label else "Output"


def line_scales(names: list[str], title: str, order: list[str], ordered: bool = False, fill: bool = False) -> list[Any]:
    """Colour and line type (and fill) by name under a title; the legend lists the names in `order`."""
    color = dict(zip(names, line_colors(len(names), ordered), strict=True))
    dash = dict(zip(names, linetypes(len(names), ordered), strict=True))
    filled = [manual(scale_fill_manual, [color[name] for name in order], order), labs(fill=title)] if fill else []
    return [
        manual(scale_color_manual, [color[name] for name in order], order),
        manual(scale_linetype_manual, [dash[name] for name in order], order),
        labs(color=title, linetype=title),
        guides(color=guide_legend(override_aes={"alpha": 1})),
        *filled,
    ]
