"""All features in one figure: a panel each, numbers, dates and levels side by side over a common value axis."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    element_blank,
    element_text,
    facet_wrap,
    geom_blank,
    geom_line,
    geom_linerange,
    geom_point,
    geom_rug,
    ggplot,
    labs,
    scale_x_continuous,
)

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.plots import fade
from interpret_pd.plots.canvas import left_out, zero_line
from interpret_pd.plots.columns import is_levels, label_without_anchor, main_layer, starts_at_zero
from interpret_pd.plots.fonts import in_readable_font
from interpret_pd.plots.geoms import geom_density_strip, geom_ice
from interpret_pd.plots.groups import named_lines, ribbons
from interpret_pd.plots.marks import (
    FAINT,
    band_caption,
    band_layer,
    dots,
    ice_alpha,
    legend_order,
    line_layers,
    line_scales,
    main_color,
    output_title,
)
from interpret_pd.plots.options import Options, asked, check_effect
from interpret_pd.plots.panels import STRIP, Panels, split
from interpret_pd.plots.support import rug_alpha
from interpret_pd.plots.text import plain, sentence, wrap
from interpret_pd.plots.theme import INK, SOFT_TEXT, house, size
from interpret_pd.plots.ticks import number_scales

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


@door
def plot_effects(
    effects: Sequence[FeatureEffect],
    *,
    rug: bool | str = True,
    ncol: int | None = None,
    max_curves: int = 300,
    support: bool = True,
) -> ggplot:
    """Draw the effects of several features in one figure, in the order given.

    Parameters
    ----------
    effects : sequence of FeatureEffect
        Of one feature each, with the same method and outputs.
    rug : bool or "histogram", default True
        What to show of the background data: ticks at data values (bars for levels), a strip of bars in every panel, or
        nothing.
    ncol : int, optional
        Panels side by side, by default at most 4.
    max_curves : int, default 300
        Most ICE curves per panel.
    support : bool, default True
        Whether what the data don't support is drawn as such, as in `plot_effect`.

    Returns
    -------
    plotnine.ggplot
        Facetted by `feature_`; panel j has the stretch from 10 j to 10 j + 1 of the x scale, labelled in its own units.

    Raises
    ------
    ValueError
        If there is no effect, one has two features, or methods or outputs differ.
    """
    effects = _alike(effects)
    check_columns(ncol)
    first = effects[0]
    options = asked(first, rug, "facets", max_curves, support, False, None)
    drawn, main, several = Panels(effects, options), main_layer(first), len(first.outputs) > 1
    frames = [drawn.curves(layer) for layer in ("ice", main) if layer in first.layers]
    layers: list[Any] = [zero_line()] if starts_at_zero(first) else []
    if "ice" in first.layers:
        layers += _ice(frames[0], several, named=main is None)
    banded = bool(main and "ice" not in first.layers and frames[-1]["lower_"].notna().any())
    if main and several:
        frames[-1]["look_"] = frames[-1]["look_"].clip(upper=1)  # dots would be read as an output's line type
        layers += _outputs(frames[-1], banded)
    elif main:
        layers += _curves(frames[-1], main_color(first), "ice" in first.layers)
    if several:
        order, texts = legend_order(frames[-1], "output_"), list(frames[-1]["output_"].cat.categories)
        layers += line_scales(texts, output_title(first), order, fill=True)
    plot = ggplot(frames[-1], aes("x_", "value_"))
    caption = _caption(effects, options, frames, (band_caption(first, "Bands"),) if banded else ())
    plot += labs(x="", y=wrap(label_without_anchor(first), 36), caption=caption)
    for part in house(axis_text=element_text(size=8, color=SOFT_TEXT), panel_grid_major_x=element_blank()):
        plot += part
    data = _data(drawn, options.rug, _reach(frames))
    scale = scale_x_continuous(breaks=drawn.bands.breaks, labels=drawn.bands.labels)
    names = [name for effect in effects for name in (*effect.features, *(effect.grid.axes[0].feature.levels or ()))]
    plot = in_readable_font(plot, [*names, *first.outputs])
    scales = [scale, *number_scales((), _reach(frames))]
    parts = [*data, *layers, *scales, *_facets(len(effects), ncol, several)]
    return plot + parts


def _reach(frames: list[pd.DataFrame]) -> np.ndarray:
    """All values, with those of the bands."""
    columns = ("value_", "lower_", "upper_")
    return np.concatenate([frame[name] for frame in frames for name in columns if name in frame])


def check_columns(ncol: Any) -> None:
    """Raises for what is no number of panels side by side."""
    if ncol is not None:
        checks.whole_number("ncol", ncol, 1)


def _alike(effects: Any) -> list[FeatureEffect]:
    """The effects, if they can share a figure."""
    got, effects = checks.article(type(effects).__name__), checks.items(effects)
    if effects is None:
        raise checks.wrong_type("effects", "a list of FeatureEffect", got)
    if not effects:
        raise checks.refused("effects must be at least one effect; got none.")
    for effect in effects:
        check_effect("each of the effects", effect)
        if len(effect.features) != 1:
            raise checks.refused(f"effects must have one feature each; got {plain(effect.features)}.")
        if (effect.method, effect.outputs) != (effects[0].method, effects[0].outputs):
            got = (
                f"{effects[0].method!r} of {plain(effects[0].outputs)} and {effect.method!r} of {plain(effect.outputs)}"
            )
            raise checks.refused(f"effects must be of one method and the same outputs; got {got}.")
    return effects


def _caption(
    effects: Sequence[FeatureEffect], options: Options, frames: list[pd.DataFrame], band: tuple[str, ...]
) -> str | None:
    """What gold, grey, the bands and pale lines are."""
    first, rug = effects[0], options.rug
    parts = []
    if "ice" in first.layers and main_layer(first) and len(first.outputs) == 1:
        slopes = first.method.startswith("d-")
        gold, thin = ("their mean", "slopes of ICE curves") if slopes else ("partial dependence", "ICE curves")
        parts.append(f"Gold: {gold}. Thin lines: {thin}.")
    if rug:
        parts.append(_where([is_levels(effect.grid.axes[0]) for effect in effects], rug))
    curves = "ice" in first.layers and bool((frames[0]["look_"] > 0).any())
    looks = frames[-1]["look_"].to_numpy() if main_layer(first) else None
    pale = fade.caption(looks, curves, ale=first.method == "ale")
    left = ("Some rows are left out: missing, or outside the grid.",) if any(map(left_out, effects)) else ()
    return sentence(*parts, *band, *pale, *left)


def _where(levels: Sequence[bool], rug: bool | str) -> str:
    """What shows where the data are, on panels of levels and of numbers."""
    if rug == "histogram":
        return "Grey bars: distribution of the data."
    drawn = ["ticks"] * (not all(levels)) + ["grey bars"] * any(levels)
    return f"{' and '.join(drawn)}: where the data are.".capitalize()


def _data(drawn: Panels, rug: bool | str, values: np.ndarray) -> list[Any]:
    """Bars, ticks, and the room that they need under the values."""
    bars = drawn.bars(levels_only=rug != "histogram") if rug else pd.DataFrame()
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 1.25 * STRIP * ((high - low) or abs(high) or 1.0) if len(bars) else 0.0
    layers: list[Any] = [geom_blank(data=drawn.margins(low - room))]
    if len(bars):
        layers.append(geom_density_strip(aes(xmin="xmin_", xmax="xmax_", height="height_"), bars, inherit_aes=False))
    ticks = drawn.ticks() if rug is True else pd.DataFrame()
    if len(ticks):
        look = {"color": INK, "alpha": rug_alpha(ticks["x_"].to_numpy()), "size": 0.3, "length": 0.04}
        layers.append(geom_rug(aes(x="x_"), ticks, inherit_aes=False, sides="b", **look))
    return layers


def _ice(frame: pd.DataFrame, several: bool, named: bool) -> list[Any]:
    """All ICE curves, in black or in their output's colour, `named` in the legend; points for an axis of one."""
    n = int(frame.groupby("feature_", observed=True)["id_"].nunique().min())
    alpha = (0.6 if several else 1.0) * ice_alpha(n)
    look: dict[str, Any] = {"show_legend": named} if several else {"color": "black"}
    color = {"color": "output_"} if several else {}
    alone = frame.groupby("id_")["x_"].transform("size") < 2
    layers: list[Any] = []
    for pale, part in fade.pieces_by_look(frame[~alone]):
        faint = alpha * (FAINT if pale else 1)
        layers.append(geom_ice(aes(group="id_", **color), part, size=0.25, raster=True, alpha=faint, **look))
    if alone.any():
        layers.append(geom_point(aes(**color), frame[alone], size=0.8, alpha=alpha, **look))
    return layers


def _curves(frame: pd.DataFrame, color: str, over_ice: bool) -> list[Any]:
    """The main curve of each panel: a line for numbers, dots on a dotted line for levels and single points."""
    lines, levels, points = split(frame)
    layers: list[Any] = []
    if not over_ice and lines["lower_"].notna().any():
        layers.append(band_layer(lines[lines["lower_"].notna()], color))
    if not over_ice and points["lower_"].notna().any():
        bars = points[points["lower_"].notna()]
        layers.append(geom_linerange(aes("x_", ymin="lower_", ymax="upper_"), bars, color=color, size=2, alpha=0.3))
    layers += line_layers(lines, color, over_ice, 0.8) if len(lines) else []
    if len(levels):
        look = {"color": INK if over_ice else color, "size": 0.5, "linetype": "dotted"}
        layers.append(geom_line(aes(group="id_"), levels, **look))
    return layers + (dots(points, color, over_ice, 2.2) if len(points) else [])


def _outputs(frame: pd.DataFrame, banded: bool) -> list[Any]:
    """A line per output in each panel, on its band; levels get dots on thin lines."""
    lines, levels, points = split(frame)
    look = aes(group="id_", color="output_", linetype="output_")
    layers: list[Any] = [ribbons(lines[lines["lower_"].notna()], "output_")] if banded and len(lines) else []
    if len(lines):
        layers += named_lines(lines, "output_")
    if len(levels):
        layers.append(geom_line(look, levels, size=0.5, show_legend=not len(lines)))
    if len(points):
        layers.append(geom_point(aes(color="output_"), points, size=2.0, show_legend=False))
    return layers


def _facets(n: int, ncol: int | None, legend: bool) -> list[Any]:
    """The facets, and a figure that they fill."""
    ncol = min(n, ncol or (n if n <= 4 else 3 if n in (5, 6, 9) else 4))
    width, height = max(2.25 * ncol + 0.5 + 1.3 * legend, 4.0), 1.9 * ceil(n / ncol) + 0.9
    return [facet_wrap(["feature_"], ncol=ncol, scales="free_x"), size(width, height)]
