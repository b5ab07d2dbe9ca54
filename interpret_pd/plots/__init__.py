"""Pictures of effects: values in, a plotnine ggplot out.

`plot_effect` looks at what the axes of an effect are (numbers, dates, levels; one or two) and calls the room that draws
that kind. Whatever it returns takes `+ theme_...()`, `+ labs(...)` and further layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from plotnine import ggplot

from interpret_pd.door import door
from interpret_pd.plots.canvas import finished
from interpret_pd.plots.columns import is_levels
from interpret_pd.plots.compare import compare_plot, plot_ale_pd
from interpret_pd.plots.curves import curve_plot
from interpret_pd.plots.fonts import readable_family
from interpret_pd.plots.geoms import geom_density_strip, geom_ice
from interpret_pd.plots.groups import level_points, output_lines
from interpret_pd.plots.importance import plot_importance
from interpret_pd.plots.levels import level_plot
from interpret_pd.plots.options import Options, asked, check_effect
from interpret_pd.plots.overview import plot_effects
from interpret_pd.plots.pairs import pair_lines, pair_tiles
from interpret_pd.plots.slopes import slope_plot
from interpret_pd.plots.surface import surface_plot
from interpret_pd.plots.theme import effect_theme

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

__all__ = [
    "compare_plot",
    "effect_theme",
    "geom_density_strip",
    "geom_ice",
    "plot_ale_pd",
    "plot_effect",
    "plot_effects",
    "plot_importance",
    "readable_family",
]


@door
def plot_effect(
    effect: FeatureEffect,
    *,
    rug: bool | Literal["histogram"] = True,
    outputs: Literal["facets", "lines"] | None = None,
    max_curves: int = 1000,
    support: bool = True,
    fan: bool | Literal["auto"] = "auto",
    color: Any = None,
) -> ggplot:
    """Draw an effect as what it is: a line, curves, a fan, boxes, a map, lines by level, or tiles.

    Parameters
    ----------
    effect : FeatureEffect
        Of one or two features.
    rug : bool or "histogram", default True
        What to show of the background data. True: ticks at data values (at most 400, by rank); levels say
        how many rows they have, maps fade where there are few. "histogram": a strip of bars along the lower edge.
        False: nothing.
    outputs : "facets" or "lines", optional
        Several outputs, or groups of rows (`by=`), of one feature: a panel each, or one panel with a line each (at
        levels, a point each). By default panels for outputs and lines for groups.
    max_curves : int, default 1000
        Most ICE curves to draw; of more, the same sample each time, which the caption tells.
    support : bool, default True
        Whether what the data don't support is drawn as such: a line is pale where the support is below 0.8 and dotted
        below one half, a level's point pale and hollow, a curve faint where its row is unlike the data, a map veiled.
        Where the support is high everywhere, nothing changes. An ALE, which averages over rows that are there, is
        dotted across bins without rows, whatever this says.
    fan : bool or "auto", default "auto"
        Whether the curves are drawn as ribbons that hold 90 % and 50 % of them. "auto": above 1,000 curves. Levels
        have boxes instead.
    color : feature, optional
        Colours the curves by another feature of the data. Levels: with the mean curve of each group on top, the best
        way to see an interaction. Numbers and dates: by viridis.

    Returns
    -------
    plotnine.ggplot
        Its data have the columns `x_`, `value_` and, as needed, `output_`, `id_`.

    Raises
    ------
    ValueError
        If an option is none of the above, or has no meaning for the effect.

    Examples
    --------
    >>> from interpret_pd import FeatureEffect, Predictor, load_bike
    >>> predictor = Predictor(lambda X: X["temp"] * (X["workingday"] == "no"), load_bike())
    >>> plot = FeatureEffect(predictor, "temp", method="ice").plot(color="workingday")
    """
    check_effect("effect", effect)
    options = asked(effect, rug, outputs, max_curves, support, fan, color)
    return finished(_room(effect, options)(effect, options), effect, options.color)


def _room(effect: FeatureEffect, options: Options) -> Callable[[FeatureEffect, Options], ggplot]:
    """Who draws an effect of this kind."""
    kinds = [is_levels(axis) for axis in effect.grid.axes]
    if len(kinds) == 2:
        return pair_tiles if all(kinds) else pair_lines if any(kinds) else surface_plot
    if kinds[0]:
        return level_points if options.lines and "ice" not in effect.layers else level_plot
    if effect.method.startswith("d-") and "ice" in effect.layers and effect.grid.shape[0] > 1:
        return slope_plot
    return output_lines if options.lines else curve_plot
