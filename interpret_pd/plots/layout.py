"""The layout of levels along an axis: side by side in grid order, or downwards where their names would run together."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from plotnine import coord_flip, element_text, scale_x_discrete, theme

from interpret_pd.plots.canvas import panel_table
from interpret_pd.plots.columns import level_names
from interpret_pd.plots.text import breadth, pieces, plain
from interpret_pd.plots.theme import LARGEST, size

if TYPE_CHECKING:
    from interpret_pd.grid import Axis


@dataclass(frozen=True)
class LevelAxis:
    """How levels are laid out: their texts in grid order, how these are wrapped, and whether they run downwards."""

    texts: list[str]
    wrapped: tuple[int, int]
    downwards: bool

    def texts_of(self, axis: Axis) -> list[str]:
        """The texts of another axis of the feature, wrapped alike, so that a level is called the same on both."""
        return level_names(axis, *self.wrapped)

    def parts(self, outputs: int = 1) -> list[Any]:
        """What the plot needs for a turned axis: the turn, a figure tall enough, and of very many names some."""
        if not self.downwards:
            return []
        G = len(self.texts)
        parts: list[Any] = [coord_flip()]
        if G > 15:
            ncol, nrow = panel_table(outputs)
            height = min(0.2 * G + 1, max(LARGEST / nrow, 2))
            every = ceil(G / (10 * (height - 1)))  # at 6 points ten names fit in an inch
            parts += [
                size(max(6.4, 2.2 * ncol + 1.5), height * nrow),
                theme(axis_text_y=element_text(size=min(9, 60 * (height - 1) * every / G))),
            ]
            parts += [scale_x_discrete(breaks=self.texts[::every])] if every > 1 else []
        return parts


def level_axis(axis: Axis, room: int = 64) -> LevelAxis:
    """The layout of an axis of levels for which `room` characters fit side by side."""
    texts = [plain(text) for text in level_names(axis, 10**6, 1)]
    width = room // max(len(texts), 1) - 1
    longest = ceil(max((breadth(piece.rstrip()) for text in texts for piece in pieces(text)), default=0))
    if longest <= width and max(map(breadth, texts)) <= 3 * width:
        wrapped = max(width, longest), 4
        return LevelAxis(level_names(axis, *wrapped), wrapped, downwards=False)
    return LevelAxis(level_names(axis, 26, 2), (26, 2), downwards=True)
