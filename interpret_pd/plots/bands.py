"""Bands: the stretches of one x scale that panels of numbers, dates and levels have, each with its own ticks.

plotnine gives all facets of a plot one scale, continuous or discrete. Here panel j lies between `STEP * j` and
`STEP * j + 1`, and the scale's breaks and labels are asked from the panel whose band the limits lie in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from interpret_pd.plots.columns import ends, is_levels
from interpret_pd.plots.text import brief, escape, names, pieces, plain
from interpret_pd.plots.ticks import axis_ticks

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
    ticks, texts = axis_ticks(axis.feature, low, high)
    if np.isfinite(points).all():
        return Band(low, high, tuple(ticks), tuple(texts))
    missing = high + 0.14 * ((high - low) or 1.0)
    free = [i for i, tick in enumerate(ticks) if tick <= high - 0.12 * (high - low)]  # room for the word
    ticks, texts = [ticks[i] for i in free], [texts[i] for i in free]
    return Band(low, high, (*ticks, missing), (*texts, "missing"), missing)


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
