"""The veil over a map: thick where few rows are near, or where the rows that are averaged are unlike the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from plotnine import aes

from interpret_pd.plots import fade
from interpret_pd.plots.columns import line_order
from interpret_pd.plots.geoms import geom_veil
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import neighbours

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis

VEIL_POINTS = 61  # per axis
SCARCE = "few or no observations nearby"
UNLIKE = "rows unlike the data"
THICKEST = 0.3  # support at which the veil is as thick as over no observations


def readable(axis: Axis, at: np.ndarray) -> pd.Series:
    """Positions on an axis as its scale takes them: dates as dates, numbers as they are."""
    at = np.asarray(at, float)
    return pd.Series(axis.feature.readable(at) if axis.feature.kind == "date" else at).reset_index(drop=True)


def edges(points: np.ndarray) -> np.ndarray:
    """Edges of the cells around ascending points, (G + 1,): half-way between them, and the first and the last point."""
    if len(points) == 1:
        return np.array([points[0] - 0.5, points[0] + 0.5])
    return np.r_[points[0], (points[:-1] + points[1:]) / 2, points[-1]]


def nearness(x: Axis, y: Axis) -> np.ndarray:
    """Rows expected near each point of the veil's grid, (VEIL_POINTS, VEIL_POINTS)."""
    return neighbours(x, y, veil_points(x), veil_points(y))


def veil_points(axis: Axis) -> np.ndarray:
    """The veil's points along an axis, (VEIL_POINTS,)."""
    return np.linspace(np.min(axis.points), np.max(axis.points), VEIL_POINTS)


def support_surface(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The support at the veil's points, bilinear between those of the map; None if it is high everywhere."""
    values = fade.support_of(effect, options)
    if values is None:
        return None
    for axis in effect.grid.axes:  # along one axis and turned, twice
        order = line_order(axis)
        at = np.asarray(axis.points, float)[order]
        values = np.stack([np.interp(veil_points(axis), at, column) for column in values[order].T])
    return values


def covers(effect: FeatureEffect, options: Options, near: np.ndarray) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """How thick the veil is at its points, 0 to 1, and what it says; None if there is nothing to veil with.

    It thickens from 2 observations expected nearby down to one half, and from a support of 0.8 down to 0.3.
    """
    parts = {}
    support = support_surface(effect, options)
    if options.rug:
        parts[SCARCE] = np.clip((2 - near) / 1.5, 0, 1)
    if support is not None:
        parts[UNLIKE] = np.clip((fade.PALE - support) / (fade.PALE - THICKEST), 0, 1)
    parts = {why: cover for why, cover in parts.items() if cover.any()}
    if not parts:
        return None, ()
    return np.max(list(parts.values()), axis=0), (f"Faded: {', or '.join(parts)} (extrapolation).",)


def veil(x: Axis, y: Axis, cover: np.ndarray, fill: str) -> geom_veil:
    """White, or grey where white means 0, as thick as the cover."""
    ends = [edges(np.sort(axis.points))[[0, -1]] for axis in (x, y)]  # the cell of a single point has a width
    along = [np.linspace(low, high, VEIL_POINTS) for low, high in ends]
    x_at, y_at = (at.ravel() for at in np.meshgrid(*along, indexing="ij"))
    thick = (0.75 if fill == "white" else 0.85) * cover.ravel()
    frame = pd.DataFrame({"x_": readable(x, x_at), "y_": readable(y, y_at), "cover_": thick})
    return geom_veil(aes("x_", "y_", cover="cover_"), frame, inherit_aes=False, fill=fill)
