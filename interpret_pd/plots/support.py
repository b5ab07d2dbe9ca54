"""Where the data are: a rug of exact values, a histogram strip, and how many rows lie near a point of a map.

An effect is worth believing where there are rows: each plot shows this from the background data, never from its grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import aes, geom_blank, geom_rug, geom_text

from interpret_pd import checks
from interpret_pd.plots.columns import Pin, ends, is_levels
from interpret_pd.plots.geoms import geom_density_strip
from interpret_pd.plots.theme import FAINT_TEXT, INK

if TYPE_CHECKING:
    from interpret_pd.grid import Axis

MOST_TICKS = 400
STRIP = 0.12  # height of the strip, as a share of the panel


def check_rug(rug: Any) -> bool | str:
    """The rug argument, or the error that names what it may be."""
    if isinstance(rug, bool | np.bool_) or (isinstance(rug, str) and rug == "histogram"):
        return rug if isinstance(rug, str) else bool(rug)
    raise checks.must_be("rug", "True, False or 'histogram'", rug, checks.suggest(rug, ["histogram"]))


def in_view(axis: Axis) -> np.ndarray:
    """Finite data values between the ends of a numeric axis, ascending."""
    values = np.asarray(axis.feature.values, float)
    low, high = ends(axis)
    return np.sort(values[np.isfinite(values) & (values >= low) & (values <= high)])


def rug_points(axis: Axis) -> np.ndarray:
    """At most MOST_TICKS of the data values in view: themselves, evenly spaced by rank."""
    values = in_view(axis)
    if len(values) > MOST_TICKS:
        values = values[np.linspace(0, len(values) - 1, MOST_TICKS).round().astype(int)]
    return values


def rug_alpha(points: np.ndarray) -> float:
    """So faint that the commonest value, its ties drawn over one another, stays short of black."""
    ties = np.unique(points, return_counts=True)[1].max(initial=1)
    return float(np.clip(1 - 0.3 ** (1 / ties), 0.1, 0.35))


def rug(axis: Axis, pin: Pin = pd.DataFrame, length: float = 0.03) -> geom_rug:
    """Ticks at data values along the lower edge; `pin` ties them to a facet."""
    points = rug_points(axis)
    data = pin(pd.DataFrame({"x_": pd.Series(axis.feature.readable(points)).reset_index(drop=True)}))
    few = len(np.unique(points)) <= 60
    return geom_rug(
        aes(x="x_"),
        data,
        inherit_aes=False,
        sides="b",
        color=INK,
        alpha=rug_alpha(points),
        size=0.6 if few else 0.3,
        length=length,
    )


def bin_edges(axis: Axis, bins: int = 28) -> np.ndarray:
    """Edges of the strip's bins: one per whole number if there are few, else equal widths."""
    low, high = ends(axis)
    if high == low:
        return np.array([low - 0.5, high + 0.5])
    if axis.feature.integer and high - low <= 30:
        return np.arange(np.floor(low) - 0.5, np.ceil(high) + 1)
    return np.linspace(low, high, bins + 1)


def level_counts(axis: Axis, weights: Any = None) -> np.ndarray:
    """Rows at each level of the axis, (G,), or the sum of their weights."""
    codes, each = np.asarray(axis.feature.values), 1 if weights is None else np.asarray(weights)
    return np.array([((codes == code) * each).sum() for code in axis.points])


def bars(axis: Axis, height: float = STRIP) -> pd.DataFrame:
    """A histogram: xmin_ and xmax_ (levels: around positions from 0), height_ as a share of the panel, n_ rows."""
    if is_levels(axis):
        count = level_counts(axis)
        place = np.arange(float(len(count)))
        left, right = place - 0.38, place + 0.38
    else:
        edges = bin_edges(axis)
        count = np.histogram(in_view(axis), edges)[0]
        left, right = edges[:-1], edges[1:]
    return pd.DataFrame({"xmin_": left, "xmax_": right, "height_": height * count / max(count.max(), 1), "n_": count})


def strip_frame(axis: Axis, downwards: bool = False) -> pd.DataFrame:
    """The bars where a scale has them: dates as dates, levels from 1, counted from the last if they run downwards."""
    frame = bars(axis)
    for side, other in (("xmin_", "xmax_"), ("xmax_", "xmin_")):
        at = frame[side].to_numpy()
        if is_levels(axis):
            frame[side + "new"] = len(frame) - frame[other] if downwards else at + 1
        else:
            frame[side + "new"] = axis.feature.readable(at) if axis.feature.kind == "date" else at
    return frame.drop(columns=["xmin_", "xmax_"]).rename(columns=lambda name: name.removesuffix("new"))


def strip(axis: Axis, downwards: bool = False) -> geom_density_strip:
    """A histogram of the feature along the lower edge."""
    mapping = aes(xmin="xmin_", xmax="xmax_", height="height_")
    return geom_density_strip(mapping, strip_frame(axis, downwards), inherit_aes=False)


def room_below(x: pd.Series, values: np.ndarray, share: float = 1.3 * STRIP) -> geom_blank:
    """Space under the lowest of the values, so that what stands on the lower edge stays clear of them."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    spread = (high - low) or abs(high) or 1.0
    data = x.iloc[[0]].to_frame("x_").assign(value_=low - share * spread)
    return geom_blank(aes("x_", "value_"), data, inherit_aes=False)


def counts(axis: Axis, kind: bool | str, x: pd.Series, values: np.ndarray, downwards: bool = False) -> list[Any]:
    """The rows at each level as small grey numbers along the edge."""
    del kind
    data = pd.DataFrame({"x_": x, "value_": -np.inf, "label_": [f"n = {n:,}" for n in level_counts(axis)]})
    align = {"ha": "left"} if downwards else {"va": "bottom"}
    mapping = aes("x_", "value_", label="label_", group=1)
    text = geom_text(mapping, data, inherit_aes=False, size=7.5, color=FAINT_TEXT, **align)
    return [room_below(x, values, 0.1 if downwards else 0.07), text]


def where(axis: Axis, kind: bool | str, x: pd.Series, values: np.ndarray, downwards: bool = False) -> list[Any]:
    """What a plot of values over x shows of the data: ticks, a strip (levels have no ticks), or nothing."""
    if not kind or not len(axis.feature.values):
        return []
    if kind == "histogram" or is_levels(axis):
        return [room_below(x, values), strip(axis, downwards)]  # the levels must reach the scale before the bars
    return [rug(axis)]


def at_levels(
    axis: Axis, kind: bool | str, x: pd.Series, values: np.ndarray, downwards: bool, several: bool
) -> tuple[list[Any], tuple[str, ...]]:
    """The rows at each level as numbers where there is room, else as bars, and the caption that bars need."""
    counted = kind is True and not several and len(x) <= (150 if downwards else 10)
    layers = (counts if counted else where)(axis, kind, x, values, downwards)
    return layers, () if counted or not layers else ("Grey bars: rows per level.",)


def neighbours(x: Axis, y: Axis, x_at: np.ndarray, y_at: np.ndarray, most: int = 20_000) -> np.ndarray:
    """Rows near each point of a map, (len(x_at), len(y_at)), counted with Gaussian weights.

    Near is 3.5 % of the axes' ranges; more with less than 500 rows, which would otherwise all be alone.
    """
    data = np.column_stack([np.asarray(x.feature.values, float), np.asarray(y.feature.values, float)])
    data = data[np.isfinite(data).all(axis=1)]
    scale = max(len(data) / most, 1.0)
    if scale > 1:
        data = data[np.random.default_rng(0).choice(len(data), most, replace=False)]
    reach = 0.035 * max(1.0, np.sqrt(500 / max(len(data), 1)))
    near = []
    for axis, at, values in ((x, x_at, data[:, 0]), (y, y_at, data[:, 1])):
        width = reach * (float(np.ptp(axis.points)) or 1.0)
        near.append(np.exp(-0.5 * ((at[:, None] - values) / width) ** 2))  # (m, n)
    return scale * near[0] @ near[1].T
