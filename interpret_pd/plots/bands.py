"""One x scale for panels of numbers, dates and levels: each has a band of it, and its ticks are read back from there.

plotnine gives all facets of a plot one scale, continuous or discrete. Here panel j lies between `STEP * j` and
`STEP * j + 1`, and the scale's breaks and labels are asked from the panel whose band the limits lie in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator
from plotnine import scale_x_datetime, scale_y_datetime

from interpret_pd.plots.columns import ends, is_levels
from interpret_pd.plots.text import brief, escape, names, pieces, plain, rounded

if TYPE_CHECKING:
    from interpret_pd.grid import Axis

STEP = 10.0
ROOM = 27  # characters that fit side by side under a panel


@dataclass(frozen=True)
class Band:
    """The axis of one panel: what is drawn between 0 and 1, and the ticks there."""

    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    missing: float | None = None

    @property
    def end(self) -> float:
        """Up to where the panel reaches: with room for the word under a missing point."""
        return self.high if self.missing is None else 2 * self.missing - self.high

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points of the feature between 0 and 1; the middle for an axis of one point."""
        if self.high == self.low:
            return np.full(np.shape(points), 0.5)
        return (np.asarray(points, float) - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Bands:
    """The x axis of all panels."""

    bands: tuple[Band, ...]

    def place(self, j: int, points: np.ndarray) -> np.ndarray:
        """Points of panel j on the common scale."""
        return STEP * j + self.bands[j].place(points)

    def breaks(self, limits: tuple[float, float]) -> list[float]:
        """The ticks of the panel between these limits."""
        j = int(np.clip(round((sum(limits) / 2 - 0.5) / STEP), 0, len(self.bands) - 1))
        return [float(tick) for tick in self.place(j, np.array(self.bands[j].ticks)) if limits[0] <= tick <= limits[1]]

    def labels(self, breaks: Sequence[Any]) -> list[str]:
        """The texts of ticks, wherever they are."""
        known = {
            round(float(at), 9): text
            for j, band in enumerate(self.bands)
            for at, text in zip(self.place(j, np.array(band.ticks)), band.texts, strict=True)
        }
        return [known.get(round(float(at), 9), "") for at in breaks]


def band(axis: Axis) -> Band:
    """The band of an axis."""
    points = np.asarray(axis.points, float)
    if is_levels(axis):
        levels = axis.feature.levels or ()
        texts = level_texts([levels[int(code)] if code >= 0 else "(missing)" for code in points])
        return Band(-0.5, len(points) - 0.5, tuple(float(i) for i in range(len(points))), tuple(texts))
    low, high = ends(axis)
    dates = axis.feature.kind == "date"
    if dates and axis.values.dtype.kind == "m":
        ticks, texts = duration_ticks(low, high)
    else:
        ticks, texts = (
            date_ticks(low, high, axis.values.dt.tz) if dates else number_ticks(low, high, axis.feature.integer)
        )
    if np.isfinite(points).all():
        return Band(low, high, tuple(ticks), tuple(texts))
    missing = high + 0.14 * ((high - low) or 1.0)
    free = [i for i, tick in enumerate(ticks) if tick <= high - 0.12 * (high - low)]  # room for the word
    ticks, texts = [ticks[i] for i in free], [texts[i] for i in free]
    return Band(low, high, (*ticks, missing), (*texts, "missing"), missing)


def number_ticks(low: float, high: float, integer: bool) -> tuple[list[float], list[str]]:
    """Round numbers from low to high and their texts."""
    if low == high:
        return [low], [f"{low:.6g}"]
    found = np.array(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10], integer=integer).tick_values(low, high))
    ticks: np.ndarray = np.round(found[(found >= low) & (found <= high)], 12) + 0.0
    large = np.max(np.abs(ticks), initial=0.0) >= 1e6
    return ticks.tolist(), [f"{tick:.3g}" for tick in ticks] if large else rounded(ticks)


def duration_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Round lengths of time between two, in days, and their texts in the largest unit that the range has room for."""
    word, size = next((unit for unit in _UNITS if 2 * unit[1] <= (high - low or abs(low))), _UNITS[-1])
    ticks, texts = number_ticks(low / size, high / size, integer=False)
    return [tick * size for tick in ticks], [f"{text} {word}" for text in texts]


_UNITS = (
    ("d", 1.0),
    ("h", 1 / 24),
    ("min", 1 / 1440),
    ("s", 1 / 86_400),
    ("ms", 1 / 86_400_000),
    ("µs", 1e-6 / 86_400),
)


def date_ticks(low: float, high: float, zone: Any = None) -> tuple[list[float], list[str]]:
    """Days since 1970 where years, months or so many days begin in a zone, four or five at most, and their texts."""
    moments = [np.datetime64(0, "s") + np.timedelta64(round(86400 * day), "s") for day in (low, high)]
    on_clocks: Any = pd.DatetimeIndex(moments).tz_localize("UTC").tz_convert(zone).tz_localize(None).to_numpy()
    first, last = on_clocks
    if first == last:
        return [low], [first.item().strftime("%d %b\n%Y")]
    if high - low < 1:
        return [low, high], [date.item().strftime("%H:%M\n%d %b") for date in (first, last)]
    dates, pattern = np.array([first]), ""
    for unit, step, pattern in _DATE_STEPS:  # noqa: B007 (the pattern of the step that fits)
        zero = 1970 if unit == "Y" and step > 10 else 0  # the year from which numpy counts
        start, end = (date.astype(f"M8[{unit}]").astype(int) + zero for date in (first, last))
        count = range(-(-start // step) * step, end + 1, step)
        if len(count) > 6:
            continue
        dates = (np.array(count, int) - zero).astype(f"M8[{unit}]").astype("M8[s]")
        dates = dates[(dates >= first) & (dates <= last)]
        if len(dates) <= 4 + (unit == "Y"):
            break
    begin = pd.DatetimeIndex(dates).tz_localize(
        zone or "UTC", ambiguous=np.ones(len(dates), bool), nonexistent="shift_forward"
    )
    days = begin.tz_convert("UTC").tz_localize(None).to_numpy("M8[s]").astype("int64") / 86400
    return days.tolist(), [date.strftime(pattern) for date in dates.tolist()]


CALENDAR = (-719162.0, 2932896.0)  # the first and the last day that Python's dates know, since 1970


def date_scales(axes: Sequence[Axis]) -> list[Any]:
    """Scales for dates that plotnine's own scale has no good ticks for.

    Dates so near one another that its days would repeat are told day by day, or with the time of day. Dates so far
    apart that a margin, or a round year, is none that dates know stand without margins.
    """
    along = [axis for axis in axes if axis.feature.levels is None]
    scales = list[Any]()
    for axis, scale in zip(along, (scale_x_datetime, scale_y_datetime), strict=False):
        low, high = ends(axis)
        margin = 0.3 * (high - low)
        if axis.values.dtype.kind != "M":
            continue
        if not CALENDAR[0] < low - margin < high + margin < CALENDAR[1]:
            ticks, texts = date_ticks(low, high, zone := axis.values.dt.tz)
            dates = (np.datetime64(0, "s") + np.timedelta64(round(86400 * day), "s") for day in ticks)
            breaks = [date.item() if zone is None else date.item().replace(tzinfo=UTC) for date in dates]
            scales.append(scale(breaks=breaks, labels=texts, expand=(-1e-4, 0)))
        elif 0 < high - low < 5 and axis.feature.integer:
            scales.append(scale(date_breaks="1 day"))
        elif 0 < high - low < 5:
            time = "%H:%M" if high - low > 1 / 288 else "%H:%M:%S"
            scales.append(scale(date_labels=f"{time}\n%d %b"))
    return scales


_DATE_STEPS = (
    ("h", 6, "%H:%M\n%d %b"),
    ("D", 1, "%d %b\n%Y"),
    ("D", 2, "%d %b\n%Y"),
    ("D", 4, "%d %b\n%Y"),
    ("D", 7, "%d %b\n%Y"),
    ("D", 14, "%d %b\n%Y"),
    ("M", 1, "%b\n%Y"),
    ("M", 3, "%b\n%Y"),
    ("M", 6, "%b\n%Y"),
    *(("Y", years, "%Y") for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)),
)


def level_texts(levels: Sequence[object]) -> list[str]:
    """Level names that fit side by side: in lines, else on two heights in turn, else cut short and some of them."""
    G = len(levels)
    longest = max((len(piece.rstrip()) for level in levels for piece in pieces(plain(level))), default=0)
    for heights in (1, 2):
        room = ROOM * heights // G - 1
        if longest <= room and max(len(plain(level)) for level in levels) <= 2 * room:
            return [("\n" if i % heights else "") + text for i, text in enumerate(names(levels, room, 3))]
    every = -(-G // 4)
    room = max(2 * ROOM // min(G, 4) - 2, 5)
    shown = {i: escape(brief(levels[i], room)) for i in range(0, G, every)}
    return [("\n" if (i // every) % 2 else "") + shown[i] if i in shown else "" for i in range(G)]
