"""Reading an effect off at new values: linear between points, by table at levels, bilinear on a surface."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate import Values
from interpret_pd.features import Feature, measured
from interpret_pd.frames import reading
from interpret_pd.grid import Axis, Grid

Places = NDArray[np.float64]


def read_off(values: Values, grid: Grid, at: list[Places], extrapolate: bool) -> Values:
    """The effect at each new row, (K, n).

    Parameters
    ----------
    values : float array of shape (K, G1[, G2])
        The effect on the grid.
    grid : Grid
        Its axes; points may be in any order.
    at : list of float arrays of shape (n,)
        Where to read, one array per axis: numbers, days, or level places (-1 for missing, -2 for a level not there).
    extrapolate : bool
        Whether the nearest edge serves outside the axis; NaN otherwise.
    """
    ones = np.ones(len(at[0]))
    out = np.zeros((values.shape[0], len(at[0])))
    sides = [_neighbours(axis, x, extrapolate) for axis, x in zip(grid.axes, at, strict=True)]
    for corner in np.ndindex(*(2,) * len(sides)):  # 2 ends, or 4 corners
        weight, where = ones, list[Any]()
        for (low, high, share), side in zip(sides, corner, strict=True):
            weight = weight * (share if side else 1 - share)
            where.append(high if side else low)
        # a corner of weight 0 adds nothing, but NaN weights must stay NaN
        out += np.where(weight == 0, 0.0, weight * values[(slice(None), *where)])
    return out


def _neighbours(axis: Axis, x: Places, extrapolate: bool) -> tuple[NDArray[np.intp], NDArray[np.intp], Places]:
    """The points on either side of each x, and x's share of the way from the lower to the upper, (n,) each."""
    order = np.argsort(axis.points, kind="stable")[: np.sum(~np.isnan(axis.points))]  # a missing point is last
    points = axis.points[order]
    if axis.feature.kind == "categorical":
        found = np.clip(np.searchsorted(points, x), 0, len(points) - 1)
        return order[found], order[found], np.where(points[found] == x, 0.0, np.nan)
    inside = np.clip(x, points[0], points[-1])
    high = np.clip(np.searchsorted(points, inside), min(1, len(points) - 1), len(points) - 1)
    low = np.maximum(high - 1, 0)
    share = _share(inside, points[low], points[high])
    known = ~np.isnan(x) if extrapolate else (x >= points[0]) & (x <= points[-1])
    low, high, share = order[low], order[high], np.where(known, share, np.nan)
    if len(points) < len(axis):
        missing, last = np.isnan(x), len(axis) - 1
        low, high, share = np.where(missing, last, low), np.where(missing, last, high), np.where(missing, 0.0, share)
    return low, high, share


def _share(x: Places, low: Places, high: Places) -> Places:
    """The share of the way from one number to another at which x is; they may be too far apart for a float, (n,)."""
    size = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    x, low, high = (np.ldexp(one, -size) for one in (x, low, high))
    return np.divide(x - low, high - low, out=np.zeros_like(x), where=high > low)


def _truths(values: pd.Series, levels: tuple[Any, ...]) -> pd.Series:
    """The values; 0 and 1 as truths if the levels are truths, as they are where a grid is given, (n,)."""
    if values.dtype.kind not in "iuf" or not all(isinstance(level, bool | np.bool_) for level in levels):
        return values
    truths = values.map({0: False, 1: True})
    return truths.where(truths.notna(), values)


def places_of(feature: Feature, column: Any) -> Places:
    """New values of a feature as numbers (NaN where missing), days or level places (-1; -2 for no level), (n,)."""
    if not isinstance(column, pd.Series) and hasattr(column, "to_list"):  # of polars, say
        column = column.to_list()
    try:
        values = pd.Series(column)
        if feature.levels is None:
            return measured(feature, values)
        if feature.as_text:
            values = values.astype(object).map(reading.told, na_action="ignore")
        codes = reading.codes(_truths(values, feature.levels), feature.levels)
        return np.where((codes < 0) & values.notna().to_numpy(), -2.0, codes)  # no level, which isn't missing
    except (ValueError, TypeError):
        several = {"numeric": "numbers", "date": "dates"}.get(feature.kind, "levels")
        got = column.tolist() if hasattr(column, "tolist") else column
        raise checks.must_be("X_new", f"{several} for {checks.shown(feature.name)}", got) from None
