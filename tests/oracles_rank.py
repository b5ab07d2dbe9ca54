"""Slow and obvious: importance and H, from the definitions in the papers. Nothing here comes from the package."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from oracles import answer, ice, one_row, pdp


def levels(column):
    """Whether a column has levels, and its different values in order."""
    present = column.dropna()
    if isinstance(column.dtype, pd.CategoricalDtype):
        return True, [c for c in column.cat.categories if (present == c).any()]
    return column.dtype == bool or not pd.api.types.is_numeric_dtype(column.dtype), sorted(set(present))


def spread(curve, is_level):
    """Greenwell's measure of a curve."""
    if len(curve) == 1:
        return 0.0
    if is_level:
        return (max(curve) - min(curve)) / 4
    mean = sum(curve) / len(curve)
    return (sum((v - mean) ** 2 for v in curve) / (len(curve) - 1)) ** 0.5


def importance(f, X, name, weights=None):
    """One number per output."""
    is_level, values = levels(X[name])
    return [spread(list(curve), is_level) for curve in pdp(f, X, name, values, weights)]


def ice_importance(f, X, name, weights=None):
    """The mean of the curves' own spreads, one number per output."""
    is_level, values = levels(X[name])
    own = [[spread(list(curve), is_level) for curve in curves] for curves in ice(f, X, name, values)]
    return [np.average(each, weights=weights) for each in own]


def pair_importance(table, first_is_level, second_is_level):
    """Greenwell's interaction measure of a table of partial dependences."""
    rows = [spread(list(line), second_is_level) for line in table]
    columns = [spread(list(line), first_is_level) for line in np.transpose(table)]
    return (spread(rows, first_is_level) + spread(columns, second_is_level)) / 2


def joint(f, X, names, weights):
    """The centred partial dependence of some features at every row's own values, (n,)."""
    out = []
    for i in range(len(X)):
        values = {name: X[name].iloc[i] for name in names}
        out.append(sum(w * answer(f, one_row(X, k, values))[0] for k, w in enumerate(weights)) / sum(weights))
    return np.array(out) - np.average(out, weights=weights)


def h2(f, X, kind, names, weights=None):
    """Friedman and Popescu's statistic of the first output: `names` is one feature, two, or all."""
    weights = [1.0] * len(X) if weights is None else list(weights)
    whole = np.array([answer(f, X.iloc[[i]])[0] for i in range(len(X))])
    whole = whole - np.average(whole, weights=weights)
    if kind == "overall":
        rest = [name for name in X if name not in names]
        left, right = whole - joint(f, X, names, weights) - joint(f, X, rest, weights), whole
    elif kind == "pairwise":
        right = joint(f, X, names, weights)
        left = right - joint(f, X, names[:1], weights) - joint(f, X, names[1:], weights)
    else:
        left, right = whole - sum(joint(f, X, [name], weights) for name in names), whole
    return np.average(left**2, weights=weights) / np.average(right**2, weights=weights)


def pairs(names):
    return list(itertools.combinations(names, 2))
