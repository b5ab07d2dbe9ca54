"""The house style: one theme, a handful of colours that survive colour blindness and a grey printer.

A plot wears the style only where the user has not set a theme, and asks for a size only where a default figure would
be too small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib import colormaps
from matplotlib.colors import to_hex, to_rgb
from plotnine import element_blank, element_line, element_rect, element_text, options, theme, theme_bw

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.plots.fonts import Families, texts

INK = "#1A1A1A"
GREY = "#8C8C8C"
SOFT_TEXT = "#4D4D4D"
FAINT_TEXT = "#6E6E6E"
BAR = "#D9D9D9"
BLUE = "#0072B2"  # PD
VERMILION = "#D55E00"  # ALE
GOLD = "#FFC20A"  # PD over ICE, always on a casing of INK
NOMINAL = (
    BLUE,
    VERMILION,
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    SOFT_TEXT,
)  # Okabe and Ito
LINETYPES = ("solid", "dashed", "dashdot", "dotted", (0, (7, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 2, 2, 2)))
LARGEST = 24.0  # inches: plotnine refuses to save a figure of more than 25
COLD, NEUTRAL, WARM = "#2166AC", "#F7F7F7", "#B2182B"  # signed effects, 0 in the middle


@door
def effect_theme(base_size: float = 11, base_family: str | Sequence[str] | None = None) -> theme:
    """Return the theme that effect plots wear.

    Parameters
    ----------
    base_size : float, default 11
        Size of the axis titles in points; the other texts follow.
    base_family : str or sequence of str, optional
        Font family, or several in the order in which a glyph is looked for: ``["DejaVu Sans", "Noto Sans CJK KR"]``
        draws Korean level names, and `interpret_pd.plots.readable_family("기온")` finds such a list among the
        installed families. The default is plotnine's own.

        Plots that wear this theme by themselves do so with the families that their names and levels need, if some are
        installed; a theme or family that you set is left alone.

    Returns
    -------
    plotnine.theme
        A complete theme, to add to any plot.

    Raises
    ------
    ValueError
        If the size is no number above 0, or the family neither a name nor a list of names.

    Examples
    --------
    >>> from plotnine import ggplot
    >>> plot = ggplot() + effect_theme(base_size=14)
    """
    if not checks.finite(base_size) or base_size <= 0:
        raise checks.must_be("base_size", "a number above 0", base_size)
    s = base_size / 11
    if base_family is not None and not isinstance(base_family, str):
        what = "None, the name of a font family, or a list of names"
        base_family = Families(texts("base_family", what, base_family))
    return theme_bw(base_size=base_size, base_family=base_family) + theme(
        panel_grid_minor=element_blank(),
        panel_grid_major=element_line(color="#EBEBEB", size=0.5),
        panel_border=element_rect(color=GREY, size=0.6, fill=None),
        axis_ticks=element_line(color=GREY, size=0.5),
        axis_ticks_minor=element_blank(),
        axis_text=element_text(color=SOFT_TEXT, size=9 * s),
        axis_title=element_text(color=INK, size=11 * s),
        plot_title=element_text(color=INK, size=12.6 * s, weight="bold", ha="left"),
        plot_subtitle=element_text(color=SOFT_TEXT, size=10 * s, ha="left"),
        plot_caption=element_text(color=FAINT_TEXT, size=8 * s, ha="left", linespacing=1.3),
        plot_title_position="plot",
        plot_caption_position="plot",
        strip_background=element_rect(fill="#F2F2F2", color=GREY, size=0.6),
        strip_text=element_text(color=INK, size=9.5 * s),
        legend_key=element_blank(),
        legend_key_width=24 * s,
        legend_title=element_text(color=INK, size=10 * s, ha="left", ma="left"),
        legend_text=element_text(color=INK, size=9 * s),
    )


def house(**extra: object) -> list[theme]:
    """The house theme with a plot's own touches; nothing where the user has set a theme."""
    return [] if options.current_theme is not None else [effect_theme() + theme(**extra)]


def size(width: float, height: float) -> theme:
    """A figure size in inches, for figures of several panels: plotnine never grows a figure by itself."""
    return theme(figure_size=(min(float(width), LARGEST), min(float(height), LARGEST)))


@dataclass(frozen=True)
class Palette:
    """The palette of a manual scale; plotnine's own is a local function, which cannot be pickled."""

    values: tuple[Any, ...]

    def __call__(self, n: int) -> tuple[Any, ...]:  # noqa: ARG002
        """All values, of which a scale takes the first n."""
        return self.values


def manual(scale: Callable[..., Any], values: Sequence[Any], limits: list[str] | None = None) -> Any:
    """A manual scale that survives pickling."""
    made = scale(list(values), limits=limits)
    made.palette = Palette(tuple(values))
    return made


def line_colors(n: int, ordered: bool = False) -> list[str]:
    """n colours: Okabe and Ito's for names, viridis without its pale end for an order or for many."""
    if not ordered and n <= len(NOMINAL):
        return list(NOMINAL[:n])
    viridis = colormaps["viridis"]
    return [to_hex(viridis(0.85 * i / max(n - 1, 1))) for i in range(n)]


def lighter(color: str, share: float) -> str:
    """The colour with so much of it left in white."""
    red, green, blue = (1 - share * (1 - part) for part in to_rgb(color))
    return str(to_hex((red, green, blue)))


def linetypes(n: int, ordered: bool = False) -> list[object]:
    """n line types beside the colours; solid where an order of colours says it already."""
    return ["solid"] * n if ordered or n > len(LINETYPES) else list(LINETYPES[:n])
