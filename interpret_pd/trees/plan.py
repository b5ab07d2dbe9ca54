"""A plan: the walk that fits a set of axes, and the columns that it pins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from interpret_pd.trees.columns import Codes, Floats
from interpret_pd.trees.rows import admit
from interpret_pd.trees.walks import OneStrip, Places, Points, Strip, Sweep, TwoStrips, Walk

if TYPE_CHECKING:
    from interpret_pd.trees.ensemble import Ensemble

# a column, or the columns that one feature became; and its values, (G,) or (G, number of columns)
Axis = tuple[int | tuple[int, ...], Floats]
Axes = Sequence[Axis]

Pinned = tuple[int, ...]
SURFACE_CELLS = 2**22  # numbers in one rectangle around scattered points, 32 MB


def plan_axes(ensemble: Ensemble, axes: Axes) -> tuple[Walk, Pinned]:
    """Return the walk over the product of the axes, and the columns that it pins."""
    if not axes:  # a walk along the axis of a feature that does not exist (-1 is a leaf's): plain predictions
        return OneStrip(Strip(-2, np.zeros(1, np.int32), 1, np.zeros(1, np.intp))), ()
    parts = [encode_axis(ensemble, axis) for axis in axes]
    pinned = tuple(column for columns, _ in parts for column in columns)
    if not all(is_strip(ensemble, columns, codes) for columns, codes in parts):
        return Points.gather(len(ensemble.columns), pinned, multiply([codes for _, codes in parts])), pinned
    strips = [Strip.lay(columns[0], ensemble.columns[columns[0]], codes[0]) for columns, codes in parts]
    return (OneStrip(strips[0]) if len(strips) == 1 else TwoStrips((strips[0], strips[1]))), pinned


def plan_sweep(ensemble: Ensemble, axes: Axes) -> tuple[Sweep | None, list[int]]:
    """Return the walk along many axes at once, and which of them it takes."""
    parts = [encode_axis(ensemble, axis) for axis in axes]
    swept = [i for i, (columns, codes) in enumerate(parts) if is_strip(ensemble, columns, codes)]
    if len({parts[i][0] for i in swept}) < len(swept):
        swept = []  # a feature with two axes
    strips = [Strip.lay(parts[i][0][0], ensemble.columns[parts[i][0][0]], parts[i][1][0]) for i in swept]
    return (Sweep(len(ensemble.columns), tuple(strips)) if strips else None), swept


def plan_points(
    ensemble: Ensemble, columns: Sequence[int | tuple[int, ...]], points: Floats
) -> Iterator[tuple[Walk, Pinned, Places]]:
    """Yield walks for scattered points (m, c), with the columns that they pin and the points that they answer."""
    pinned = tuple(column for group in columns for column in ((group,) if isinstance(group, int) else group))
    codes = np.stack([encode_column(ensemble, j, points[:, i]) for i, j in enumerate(pinned)])  # (c, m)
    if len(pinned) != 2 or not all(is_strip(ensemble, (j,), codes[i : i + 1]) for i, j in enumerate(pinned)):
        yield Points.gather(len(ensemble.columns), pinned, codes), pinned, np.arange(len(points))
        return
    order = np.argsort(codes[0], kind="stable")
    size = max(1, int((SURFACE_CELLS / len(ensemble.base)) ** 0.5))
    for start in range(0, len(points), size):
        at = order[start : start + size]
        first, second = (Strip.lay(j, ensemble.columns[j], codes[i, at]) for i, j in enumerate(pinned))
        yield TwoStrips((first, second), scattered=True), pinned, at


def encode_axis(ensemble: Ensemble, axis: Axis) -> tuple[Pinned, Codes]:
    """Return an axis' columns and the (c, G) codes of its points."""
    columns = (axis[0],) if isinstance(axis[0], int) else axis[0]
    values = np.asarray(axis[1], dtype=np.float64).reshape(len(axis[1]), len(columns))
    codes = np.empty(values.shape[::-1], np.int32)
    for i, column in enumerate(columns):
        codes[i] = encode_column(ensemble, column, values[:, i])
    return columns, codes


def encode_column(ensemble: Ensemble, column: int, values: Floats) -> Codes:
    """Return the codes of a column's values, after making sure that the library takes them."""
    admit(values, ensemble.dialect, ensemble.name)
    return ensemble.columns[column].encode(values, ensemble.dialect)


def is_strip(ensemble: Ensemble, columns: Pinned, codes: Codes) -> bool:
    """Whether an axis is a line: one numeric column without missing values."""
    return len(columns) == 1 and not ensemble.columns[columns[0]].n_categories and bool(np.all(codes >= 0))


def multiply(parts: Sequence[Codes]) -> Codes:
    """Return the product of axes (c_i, G_i) as points, the last axis fastest: (sum of c_i, product of G_i)."""
    if len(parts) == 1:
        return parts[0]
    first, second = parts
    return np.concatenate([np.repeat(first, second.shape[1], axis=1), np.tile(second, first.shape[1])])
