"""Slow and obvious: one row and one point at a time. Nothing here comes from the package.

`f` takes a pandas frame and returns one number, or K numbers, per row.
"""

from __future__ import annotations

import numpy as np
import pandas as pd


def one_row(X, i, values):
    """Row i of a frame with some features overwritten; the columns keep their dtypes where the values fit."""
    row = X.iloc[[i]].copy()
    for name, value in values.items():
        if pd.isna(value):
            row[name] = pd.Series([None], index=row.index, dtype=X[name].dtype)
            continue
        column = pd.Series([value], index=row.index)
        fractional = pd.api.types.is_integer_dtype(X[name].dtype) and value != round(value)
        row[name] = column.astype(float if fractional else X[name].dtype)
    return row


def answer(f, row):
    """The K outputs for one row."""
    return np.asarray(f(row), dtype=float).reshape(-1)


def ice(f, X, name, grid):
    """(K, n, G)."""
    curves = [[answer(f, one_row(X, i, {name: value})) for value in grid] for i in range(len(X))]
    return np.array(curves).transpose(2, 0, 1)


def cice(f, X, name, grid, anchor):
    """(K, n, G): the change from the row's own prediction at the anchor."""
    return ice(f, X, name, grid) - ice(f, X, name, [anchor])


def pdp(f, X, name, grid, weights=None):
    """(K, G)."""
    weights = [1.0] * len(X) if weights is None else list(weights)
    means = []
    for value in grid:
        total = sum(w * answer(f, one_row(X, i, {name: value})) for i, w in enumerate(weights))
        means.append(total / sum(weights))
    return np.array(means).T


def pdp_2d(f, X, names, grids, weights=None):
    """(K, G1, G2)."""
    weights = [1.0] * len(X) if weights is None else list(weights)
    table = []
    for a in grids[0]:
        line = []
        for b in grids[1]:
            total = sum(w * answer(f, one_row(X, i, {names[0]: a, names[1]: b})) for i, w in enumerate(weights))
            line.append(total / sum(weights))
        table.append(line)
    return np.array(table).transpose(2, 0, 1)


def bilinear(values, xs, ys, x, y):
    """A surface of shape (G1, G2) on increasing axes, at one point inside."""
    i = max(k for k in range(len(xs) - 1) if xs[k] <= x)
    j = max(k for k in range(len(ys) - 1) if ys[k] <= y)
    s, t = (x - xs[i]) / (xs[i + 1] - xs[i]), (y - ys[j]) / (ys[j + 1] - ys[j])
    low = values[i][j] * (1 - s) + values[i + 1][j] * s
    high = values[i][j + 1] * (1 - s) + values[i + 1][j + 1] * s
    return low * (1 - t) + high * t
