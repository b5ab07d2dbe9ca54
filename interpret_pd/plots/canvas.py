"""The canvas that effect plots start from: a ggplot with axis titles, caption, output facets and the house theme."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import pandas as pd
from plotnine import facet_wrap, geom_hline, ggplot, labs

from interpret_pd.plots.columns import finite_ends, is_levels, steady
from interpret_pd.plots.fonts import in_readable_font
from interpret_pd.plots.text import sentence, wrap
from interpret_pd.plots.theme import GREY, house, size
from interpret_pd.plots.ticks import date_scales, number_scales

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def output_panels(effect: FeatureEffect, width: float = 2.5, height: float = 2.3, room: float = 0.6) -> list[Any]:
    """A facet per output and a figure that holds them; nothing for a single output."""
    K = len(effect.outputs)
    if K == 1:
        return []
    ncol, nrow = panel_table(K)
    return [facet_wrap(["output_"], ncol=ncol), size(width * ncol + 0.5, height * nrow + room)]


def panel_table(K: int) -> tuple[int, int]:
    """Columns and rows of the panels of K outputs."""
    ncol = min(K, 4) if K != 5 else 3
    return ncol, ceil(K / ncol)


def canvas(
    effect: FeatureEffect,
    data: pd.DataFrame,
    mapping: Any,
    caption: tuple[str, ...] = (),
    turned: bool = False,
    **extra: Any,
) -> ggplot:
    """An empty plot of a one-feature effect, with the feature along x and what the value is along y, or turned."""
    several = len(effect.outputs) > 1
    titles = labs(
        x=wrap(effect.features[0], 38 if turned else 60),
        y=wrap(effect.value_label, 28 if several else 38),
        caption=sentence(*caption, *left_out(effect)),
    )
    plot = ggplot(data, mapping) + titles
    for part in house(**extra):
        plot += part
    return plot


def left_out(effect: FeatureEffect) -> tuple[str, ...]:
    """How many rows an ALE does without."""
    n = effect.left_out if effect.method == "ale" else 0
    rows = "1 row is" if n == 1 else f"{n:,} rows are"
    return (f"{rows} left out: missing, or outside the grid.",) if n else ()


def finished(plot: ggplot, effect: FeatureEffect, color: Any = None) -> ggplot:
    """The plot with ticks on all axes, in a font that has the characters of its names, levels, outputs and colours."""
    axes = effect.grid.axes
    kinds = [is_levels(axis) for axis in axes]
    values = None
    if len(kinds) == 1 or kinds[0] != kinds[1]:  # else the values are colours
        values = steady(effect, [bound for layer in effect.layers.values() for bound in finite_ends(layer)])
    for scale in (*date_scales(axes), *number_scales(axes, values)):
        plot += scale
    features = [axis.feature for axis in axes]
    features += [] if color is None else [effect.predictor.feature(color)]
    levels = [level for feature in features for level in feature.levels or ()]
    return in_readable_font(plot, [*effect.features, effect.by, *levels, *effect.outputs, effect.value_label])


def zero_line() -> geom_hline:
    """The line of no effect."""
    return geom_hline(yintercept=0, color=GREY, size=0.5)
