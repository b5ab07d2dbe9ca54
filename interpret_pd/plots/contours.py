"""Contour lines of a surface and a place for each one's number."""

from __future__ import annotations

import numpy as np
import pandas as pd
from contourpy import contour_generator
from matplotlib.ticker import MaxNLocator

from interpret_pd.plots.text import rounded
from interpret_pd.plots.ticks import round_numbers


def contour_levels(values: np.ndarray, most: int = 8) -> np.ndarray:
    """Round numbers strictly within the range of the values."""
    finite = values[np.isfinite(values)]
    if not finite.size or np.ptp(finite) <= 1e-12 * np.max(np.abs(finite)):
        return np.empty(0)
    levels = round_numbers(float(finite.min()), float(finite.max()), MaxNLocator(most))
    return levels[(levels > finite.min()) & (levels < finite.max())]


def contour_frame(x: np.ndarray, y: np.ndarray, values: np.ndarray, levels: np.ndarray) -> pd.DataFrame:
    """The contours of values (G1, G2) over x (G1,) and y (G2,): x_, y_, level_ and piece_, one number per line."""
    generator = contour_generator(x, y, values.T)
    found = [(level, line) for level in levels for line in generator.lines(float(level)) if len(line) > 1]
    if not found:
        return pd.DataFrame({"x_": [], "y_": [], "level_": [], "piece_": []}, dtype=float)
    length = [len(line) for _, line in found]
    xy = np.concatenate([line for _, line in found])
    level = np.repeat([level for level, _ in found], length)
    return pd.DataFrame(
        {"x_": xy[:, 0], "y_": xy[:, 1], "level_": level, "piece_": np.repeat(np.arange(len(found)), length)}
    )


def label_frame(contours: pd.DataFrame, near: np.ndarray, apart: float = 0.16, margin: float = 0.07) -> pd.DataFrame:
    """One labelled point per level, where a contour is long, has data near it, and no other label is close.

    `contours` lie in the unit square; `near` are the rows expected near each of their points.
    """
    place = contours[["x_", "y_"]].to_numpy()
    inside = ((place > margin) & (place < 1 - margin)).all(axis=1) & (near >= 2)
    taken: list[int] = []
    for rows in contours[inside].groupby("level_", sort=False).groups.values():
        candidates = _dense(contours.loc[rows])
        gap = _distance(place[candidates], place[taken])
        edge = np.minimum(place[candidates], 1 - place[candidates]).min(axis=1)
        best = int(np.argmax(np.minimum(gap, 2 * edge)))
        if gap[best] >= apart:
            taken.append(int(candidates[best]))
    chosen = contours.loc[taken].reset_index(drop=True)
    return chosen.assign(label_=rounded(chosen["level_"].to_numpy()))


def _dense(contour: pd.DataFrame) -> np.ndarray:
    """Row labels of the contour's longest piece, by how much of the square it crosses."""
    reach = contour.groupby("piece_")[["x_", "y_"]].agg(np.ptp).sum(axis=1)
    return contour.index[contour["piece_"] == reach.idxmax()].to_numpy()


def _distance(points: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Distance of each point to the nearest of those taken, (m,); 1 where there is none."""
    if not len(taken):
        return np.ones(len(points))
    return np.sqrt(((points[:, None] - taken[None]) ** 2).sum(axis=-1)).min(axis=1)
