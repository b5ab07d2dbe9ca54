"""Ticks: round numbers, dates and lengths of time between two ends, and their texts.

plotnine finds its own for most axes; these are for panels, bars and axes where it finds none, or none that are good.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator
from plotnine import scale_x_continuous, scale_x_datetime, scale_y_continuous, scale_y_datetime

from interpret_pd.plots.columns import ends
from interpret_pd.plots.text import rounded

if TYPE_CHECKING:
    from interpret_pd.features import Feature
    from interpret_pd.grid import Axis

VAST = 1e150  # its square is near the largest float: plotnine's search for ticks squares distances
WHOLE = 1e15  # floats above are hardly more than whole numbers
CLOSE = 1e-6  # numbers nearer to one another may all get the same text from plotnine


def axis_ticks(feature: Feature, low: float, high: float) -> tuple[list[float], list[str]]:
    """The ticks of a feature of numbers, dates or lengths of time between two of its values, and their texts."""
    if feature.kind != "date":
        return number_ticks(low, high, feature.integer)
    both = feature.readable(np.array([low, high]))
    return duration_ticks(low, high) if both.dtype.kind == "m" else date_ticks(low, high, both.dt.tz)


def round_numbers(low: float, high: float, locator: MaxNLocator) -> np.ndarray:
    """What a locator finds, (m,); very large and very small numbers in powers of ten, which it can't see otherwise."""
    far = max(abs(low), abs(high))
    unit = 1.0 if 1e-6 <= far < WHOLE or not far else 10.0 ** np.floor(np.log10(far))
    found = np.asarray(locator.tick_values(low / unit, high / unit))
    return np.asarray((np.round(found, 14) + 0.0) * unit)


def number_ticks(low: float, high: float, integer: bool, most: int = 4) -> tuple[list[float], list[str]]:
    """Round numbers from low to high, of at most so many steps, and their texts."""
    if low == high:
        return [low], [f"{low:.6g}"]
    integer = integer and max(abs(low), abs(high)) < WHOLE
    found = round_numbers(low, high, MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], integer=integer))
    ticks = found[(found >= low) & (found <= high)]
    return ticks.tolist(), large(ticks) if np.max(np.abs(ticks), initial=0.0) >= 1e6 else rounded(ticks)


def large(ticks: np.ndarray) -> list[str]:
    """Large numbers in as few digits, three at least, as say where they are, to a hundredth of their distance."""
    near = 0.01 * np.min(np.abs(np.diff(ticks)), initial=np.inf)
    texts: list[str] = []
    for digits in range(3, 17):
        texts = [f"{tick:.{digits}g}" for tick in ticks]
        if np.all(np.abs(np.array(texts, float) - ticks) <= near):
            break
    return texts


def breaks_within(limits: tuple[float, float]) -> list[float]:
    """Ticks between the limits of a scale."""
    return number_ticks(*limits, integer=False, most=6)[0]


def break_texts(breaks: Sequence[float]) -> list[str]:
    """Their texts."""
    return large(np.asarray(breaks, float))


def own_breaks(values: Any) -> dict[str, Any]:
    """What a scale of such values must be told for it to have ticks at all; nothing for most values."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    far, spread = np.max(np.abs(values), initial=0.0), float(np.max(values) - np.min(values)) if len(values) else 0.0
    vast = far > VAST or 0 < spread < CLOSE
    return {"breaks": breaks_within, "labels": break_texts} if vast else {}


def number_scales(axes: Sequence[Axis], values: Any) -> list[Any]:
    """Scales for numbers so large or so near one another that plotnine's own search for ticks fails.

    `values` are those along y, beside which one axis at most is not of levels; None for a map and for tiles.
    """
    along = [axis for axis in axes if axis.feature.levels is None]
    sides = [
        (scale, axis.points)
        for axis, scale in zip(along, (scale_x_continuous, scale_y_continuous), strict=False)
        if axis.feature.kind != "date"
    ]
    sides += [] if values is None else [(scale_y_continuous, values)]
    return [scale(**told) for scale, at in sides if (told := own_breaks(at))]


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
