"""Pictures of effects: values in, a plotnine ggplot out.

`plot_effect` looks at what the axes of an effect are (numbers, dates, levels; one or two) and calls the room that draws
that kind. Whatever it returns takes `+ theme_...()`, `+ labs(...)` and further layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from plotnine import ggplot

from interpret_pd.plots.columns import is_levels
from interpret_pd.plots.compare import plot_ale_pd
from interpret_pd.plots.curves import curve_plot, output_lines
from interpret_pd.plots.geoms import geom_density_strip, geom_ice
from interpret_pd.plots.importance import plot_importance
from interpret_pd.plots.levels import level_plot
from interpret_pd.plots.overview import plot_effects
from interpret_pd.plots.pairs import pair_lines, pair_tiles
from interpret_pd.plots.slopes import slope_plot
from interpret_pd.plots.support import check_rug
from interpret_pd.plots.surface import surface_plot
from interpret_pd.plots.theme import effect_theme

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

__all__ = [
    "effect_theme",
    "geom_density_strip",
    "geom_ice",
    "plot_ale_pd",
    "plot_effect",
    "plot_effects",
    "plot_importance",
]


def plot_effect(
    effect: FeatureEffect,
    *,
    rug: bool | Literal["histogram"] = True,
    outputs: Literal["facets", "lines"] = "facets",
    max_curves: int = 1000,
) -> ggplot:
    """Draw an effect as what it is: a line, curves, boxes, a map, lines by level, or tiles.

    Parameters
    ----------
    effect : FeatureEffect
        Of one or two features.
    rug : bool or "histogram", default True
        What to show of the background data. True: ticks at data values (at most 400, by rank); levels say
        how many rows they have, maps fade where there are few. "histogram": a strip of bars along the lower edge.
        False: nothing.
    outputs : "facets" or "lines", default "facets"
        Several outputs: a panel each, or, for one numeric feature, one panel with a line each.
    max_curves : int, default 1000
        Most ICE curves to draw; of more, the same sample each time, which the caption tells.

    Returns
    -------
    plotnine.ggplot
        Its data have the columns `x_`, `value_` and, as needed, `output_`, `id_`.

    Raises
    ------
    ValueError
        If `rug` or `outputs` is none of the above.
    """
    kind = check_rug(rug)
    if outputs not in ("facets", "lines"):
        raise ValueError(f"outputs must be 'facets' or 'lines'; got {outputs!r}.")
    kinds = [is_levels(axis) for axis in effect.grid.axes]
    if len(kinds) == 2:
        room = pair_tiles if all(kinds) else pair_lines if any(kinds) else surface_plot
        return room(effect, kind)
    if kinds[0]:
        return level_plot(effect, kind, max_curves)
    if effect.method.startswith("d-") and "ice" in effect.layers and effect.grid.shape[0] > 1:
        return slope_plot(effect, kind, max_curves)
    if outputs == "lines" and len(effect.outputs) > 1:
        return output_lines(effect, kind, max_curves)
    return curve_plot(effect, kind, max_curves)
