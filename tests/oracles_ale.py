"""Accumulated local effects, slow and obvious: a row, a move and a cell at a time. Nothing here comes from the package.

`points` are the edges of a numeric axis, or all levels in their order; an axis of text is one of levels.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd
from oracles import answer, one_row


def bin_of(value, edges):
    """The bin of a number: above its lower edge, up to and with its upper one; the first bin has both."""
    if len(edges) == 1:
        return None
    for k in range(len(edges) - 1):
        if value <= edges[k + 1]:
            return k
    raise AssertionError("a value above the last edge")


def is_levels(points):
    return isinstance(points[0], str | bool | np.bool_)


def moves(value, points):
    """The steps that a row makes: step k is from point k to point k + 1."""
    if not is_levels(points):
        k = bin_of(value, points)
        return [] if k is None else [k]
    place = list(points).index(value)
    return [k for k in (place - 1, place) if 0 <= k < len(points) - 1]


def stands(value, points):
    """Where a row counts in means: {point: share}."""
    if is_levels(points):
        return {list(points).index(value): 1.0}
    k = bin_of(value, points)
    return {k: 0.5, k + 1: 0.5}


def ale(f, X, name, points, weights=None):
    """One feature, (K, G)."""
    weights = [1.0] * len(X) if weights is None else list(weights)
    K = len(answer(f, X.iloc[[0]]))
    total, count = np.zeros((K, len(points) - 1)), np.zeros(len(points) - 1)
    for i in range(len(X)):
        for k in moves(X[name].iloc[i], points):
            up = answer(f, one_row(X, i, {name: points[k + 1]}))
            down = answer(f, one_row(X, i, {name: points[k]}))
            total[:, k] += weights[i] * (up - down)
            count[k] += weights[i]
    curve = np.zeros((K, len(points)))
    for k in range(len(points) - 1):
        curve[:, k + 1] = curve[:, k] + (total[:, k] / count[k] if count[k] > 0 else 0.0)
    mean = np.zeros(K)
    for i in range(len(X)):
        for place, share in stands(X[name].iloc[i], points).items():
            mean += weights[i] * share * curve[:, place]
    return curve - (mean / sum(weights))[:, None]


def ale_se(f, X, name, points, weights=None):
    """The standard error of one feature's effect, (K, G): what each row adds to it, squared and summed."""
    n, weights = len(X), np.ones(len(X)) if weights is None else np.asarray(weights)
    curve, steps = ale(f, X, name, points, weights), len(points) - 1
    away, made = np.zeros((n, len(curve), steps)), np.zeros((n, steps), bool)
    at_or_beyond, centre = np.zeros((n, steps)), np.zeros((n, len(curve)))
    for i in range(n):
        for k in moves(X[name].iloc[i], points):
            up, down = (answer(f, one_row(X, i, {name: points[place]})) for place in (k + 1, k))
            away[i, :, k], made[i, k] = up - down - (curve[:, k + 1] - curve[:, k]), True
        for place, share in stands(X[name].iloc[i], points).items():
            at_or_beyond[i, :place] += share
            centre[i] += share * curve[:, place] * np.sqrt(n / (n - 1))
    rows = made.sum(axis=0)
    usual = np.sqrt((away**2).sum(axis=(0, 2)) / sum(max(count - 1, 0) for count in rows))
    squares = np.zeros((len(curve), len(points)))
    for i in range(n):
        for g in range(len(points)):
            added = -weights[i] / sum(weights) * centre[i]
            for k in np.flatnonzero(made[i]):
                own = usual if rows[k] == 1 else away[i, :, k] * np.sqrt(rows[k] / (rows[k] - 1))
                later = np.average(at_or_beyond[:, k], weights=weights)
                added = added + weights[i] * own / sum(weights[made[:, k]]) * ((k < g) - later)
            squares[:, g] += added**2
    return np.sqrt(squares)


def ale_2d(f, X, names, points, weights=None):
    """The second-order effect of two features, (K, G1, G2)."""
    weights = [1.0] * len(X) if weights is None else list(weights)
    one, two = names
    total, count = defaultdict(float), defaultdict(float)
    for i in range(len(X)):
        for k in moves(X[one].iloc[i], points[0]):
            for m in moves(X[two].iloc[i], points[1]):

                def at(a, b, row=i):
                    return answer(f, one_row(X, row, {one: points[0][a], two: points[1][b]}))

                total[k, m] += weights[i] * (at(k + 1, m + 1) - at(k, m + 1) - at(k + 1, m) + at(k, m))
                count[k, m] += weights[i]
    known = {cell: total[cell] / count[cell] for cell in total if count[cell] > 0}
    G1, G2 = len(points[0]), len(points[1])
    surface = np.zeros((len(next(iter(known.values()))), G1, G2))
    for k in range(G1 - 1):
        for m in range(G2 - 1):
            step = known[k, m] if (k, m) in known else nearest(known, (k, m), points)
            surface[:, k + 1, m + 1] = surface[:, k, m + 1] + surface[:, k + 1, m] - surface[:, k, m] + step
    own_one = own(surface, X, one, two, points[0], points[1], weights)
    own_two = own(surface.transpose(0, 2, 1), X, two, one, points[1], points[0], weights)
    surface = surface - own_one[:, :, None] - own_two[:, None, :]
    mean = 0.0
    for i in range(len(X)):
        for a, share in stands(X[one].iloc[i], points[0]).items():
            for b, other in stands(X[two].iloc[i], points[1]).items():
                mean = mean + weights[i] * share * other * surface[:, a, b]
    return surface - (mean / sum(weights))[:, None, None]


def nearest(known, cell, points):
    """The mean difference of the nearest cells that have one; middles of bins in units of the range."""

    def middle(axis, k):
        if is_levels(points[axis]):
            return (k + 1) / (len(points[axis]) - 1)
        edges = points[axis]
        return (edges[k] + edges[k + 1]) / 2 / (edges[-1] - edges[0])

    far = {other: sum((middle(d, cell[d]) - middle(d, other[d])) ** 2 for d in (0, 1)) for other in known}
    least = min(far.values())
    near = [other for other in far if far[other] <= least * (1 + 1e-9)]
    return sum(known[other] for other in near) / len(near)


def own(surface, X, along, across, edges, others, weights):
    """What the first feature does by itself: the surface's steps, averaged over the rows that make them, (K, G1)."""
    curve = np.zeros(surface.shape[:2])
    sums, counts = {}, defaultdict(float)
    for i in range(len(X)):
        for k in moves(X[along].iloc[i], edges):
            for place, share in stands(X[across].iloc[i], others).items():
                step = surface[:, k + 1, place] - surface[:, k, place]
                sums[k] = sums.get(k, 0.0) + weights[i] * share * step
                counts[k] += weights[i] * share
    for k in range(len(edges) - 1):
        curve[:, k + 1] = curve[:, k] + sums[k] / counts[k]  # every bin has rows here
    return curve


def distance(X, name, a, b):
    """How unlike the rows of two levels are in the other features, without missing values."""
    total = 0.0
    for other in X.columns:
        if other == name:
            continue
        column, in_a, in_b = X[other], X[other][X[name] == a], X[other][X[name] == b]
        if pd.api.types.is_numeric_dtype(column) and column.dtype != bool:
            at = [np.quantile(column, p) for p in np.linspace(0, 1, 100)]
            total += max(abs(np.mean(in_a <= q) - np.mean(in_b <= q)) for q in at)
        else:
            total += sum(abs(np.mean(in_a == level) - np.mean(in_b == level)) for level in column.unique()) / 2
    return total
