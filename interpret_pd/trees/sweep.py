"""The compiled walk for the curves of all features at once.

A row follows its own path. At each split, the sibling branch is explored with only that split's feature pinned to the
cells beyond the split; at the path's leaf, each feature on the path loses the leaf's value on the cells that leave it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interpret_pd.trees.kernels import (
    CUT,
    FEATURE,
    LEAF,
    RIGHT,
    Block,
    Floats,
    Forest,
    Int,
    Ints,
    Words,
    add_range,
    compiled,
    follow,
    inner,
    partition,
    weigh,
)  # fmt: skip


class Axes(NamedTuple):
    """All features' axes in a row: each cut's cell; where a feature's cuts and cells begin; its number of cells."""

    cuts: Ints
    first_cut: Ints
    first_cell: Ints
    cells: Ints


@inner
def find_range(path: Ints, level: Int, feature: Int, cells: Int) -> tuple[Int, Int]:
    """Return the range of a feature's cells that follow the path so far."""
    for i in range(level - 1, -1, -1):
        if path[i, 0] == feature:
            return np.int64(path[i, 1]), np.int64(path[i, 2])
    return np.int64(0), np.int64(cells)


@inner
def add_own(
    own: Floats, values: Floats, weights: Floats, rows: Ints, leaf: Int, output: Int, begin: Int, end: Int
) -> None:
    """Add a leaf to the predictions of its rows, or to their weighted sum."""
    for k in range(values.shape[1]):
        if len(own) == 1:
            own[0, output + k] += weigh(weights, rows, begin, end) * values[leaf, k]
            continue
        for i in range(begin, end):
            own[rows[i], output + k] += values[leaf, k]


@inner
def leave(
    curves: Floats, values: Floats, weights: Floats, rows: Ints, path: Ints, met: Ints, first_cell: Ints, n_cells: Ints,
    leaf: Int, output: Int, begin: Int, end: Int, level: Int,
) -> None:  # fmt: skip
    """Take a leaf from the cells, of all features on the path to it, that do not follow the path."""
    for i in range(level - 1, -1, -1):
        feature, low, high = path[i, 0], np.int64(path[i, 1]), np.int64(path[i, 2])
        cells, first = np.int64(n_cells[feature]), np.int64(first_cell[feature])
        if cells > 0 and met[feature] != leaf:  # the deepest split on a feature has its range
            met[feature] = leaf
            low, high, last = low + first, high + first, first + cells
            add_range(curves, values, weights, rows, leaf, output, begin, end, first, low, -1.0)
            add_range(curves, values, weights, rows, leaf, output, begin, end, high, last, -1.0)


@inner
def explore(
    nodes: Ints, values: Floats, words: Words, codes: Ints, weights: Floats, rows: Ints, stack: Ints, curves: Floats,
    cuts: Ints, first_cut: Int, first: Int, output: Int, node: Int, begin: Int, middle: Int, end: Int, low: Int,
    high: Int,
) -> Int:  # fmt: skip
    """Walk both children with the rows that do not belong there; return the cell where the range is divided."""
    feature, right = np.int64(nodes[node, FEATURE]), np.int64(nodes[node, RIGHT])
    cell = min(max(np.int64(cuts[first_cut + nodes[node, CUT]]), low), high)
    if middle < end and low < cell:
        follow(
            nodes, values, words, codes, weights, rows, stack, curves,
            cuts, feature, first_cut, first, output, node + 1, middle, end, low, cell,
        )  # fmt: skip
    if begin < middle and cell < high:
        follow(
            nodes, values, words, codes, weights, rows, stack, curves,
            cuts, feature, first_cut, first, output, right, begin, middle, cell, high,
        )  # fmt: skip
    return cell


@inner
def keep(path: Ints, level: Int, feature: Int, low: Int, high: Int, at: Int = 0) -> Int:
    """Put a split and the range of its side on the path, from position `at` of a level on; return the next level."""
    path[level, at] = feature
    path[level, at + 1] = low
    path[level, at + 2] = high
    return level + 1


@inner
def wait(
    waiting: Ints, top: Int, node: Int, begin: Int, end: Int, level: Int, feature: Int, low: Int, high: Int
) -> Int:
    """Put a set of rows and the last split on its path on the stack; return the stack's new height."""
    waiting[top, 0] = node
    waiting[top, 1] = begin
    waiting[top, 2] = end
    waiting[top, 3] = level
    return keep(waiting, top, feature, low, high, 4)


@inner
def sweep_tree(
    forest: Forest, block: Block, axes: Axes, node: Int, output: Int, path: Ints, met: Ints, waiting: Ints, stack: Ints,
    curves: Floats, own: Floats,
) -> None:  # fmt: skip
    """Walk all rows down one tree, see the module."""
    nodes, _, _, values, words = forest
    codes, weights, rows = block
    cuts, first_cut, first_cell, cells = axes
    begin, end, level, top = 0, len(rows), 0, 0
    while True:
        feature, right = np.int64(nodes[node, FEATURE]), np.int64(nodes[node, RIGHT])
        if feature == LEAF:
            add_own(own, values, weights, rows, right, output, begin, end)
            leave(curves, values, weights, rows, path, met, first_cell, cells, right, output, begin, end, level)
            if top == 0:
                return
            top -= 1
            node, begin, end, level = waiting[top, 0], waiting[top, 1], waiting[top, 2], waiting[top, 3]
            level = keep(path, level, waiting[top, 4], waiting[top, 5], waiting[top, 6])
            continue
        middle = partition(nodes, words, codes, rows, node, begin, end)
        low, high = find_range(path, level, feature, cells[feature])
        cell = low
        if cells[feature] > 0:
            cell = explore(
                nodes, values, words, codes, weights, rows, stack, curves,
                cuts, np.int64(first_cut[feature]), np.int64(first_cell[feature]), output, node, begin, middle, end,
                low, high,
            )  # fmt: skip
        node += 1
        if middle == begin:
            node, low = right, cell
        else:
            if middle < end:
                top = wait(waiting, top, right, middle, end, level, feature, cell, high)
                end = middle
            high = cell
        level = keep(path, level, feature, low, high)


@compiled
def walk_all(forest: Forest, block: Block, axes: Axes, depth: Int, curves: Floats, own: Floats) -> None:
    """Add all trees to the rows' predictions (1 or n, K) and the curves' deviations from them (1 or n, K, cells)."""
    path, met = np.empty((depth + 1, 3), np.int32), np.full(len(axes.cells), -1, np.int32)
    waiting, stack = np.empty((depth + 1, 7), np.int32), np.empty((depth + 1, 5), np.int32)
    for tree in range(len(forest.roots)):
        root, output = np.int64(forest.roots[tree]), np.int64(forest.outputs[tree])
        sweep_tree(forest, block, axes, root, output, path, met, waiting, stack, curves, own)


@compiled
def walk_all_by_group(
    forest: Forest, block: Block, ends: Ints, axes: Axes, depth: Int, curves: Floats, own: Floats
) -> None:
    """Add all trees to the weighted sums of each group of rows, (B, K) and (B, K, cells).

    The block's rows come group by group, the first group to `ends[0]` and so on. Every group walks a tree before the
    next tree is read, so that it is read once.
    """
    codes, weights, rows = block
    path, met = np.empty((depth + 1, 3), np.int32), np.empty(len(axes.cells), np.int32)
    waiting, stack = np.empty((depth + 1, 7), np.int32), np.empty((depth + 1, 5), np.int32)
    for tree in range(len(forest.roots)):
        root, output = np.int64(forest.roots[tree]), np.int64(forest.outputs[tree])
        begin = 0
        for group in range(len(ends)):
            members = Block(codes, weights, rows[begin : ends[group]])
            begin, one = ends[group], slice(group, group + 1)
            met[:] = -1
            sweep_tree(forest, members, axes, root, output, path, met, waiting, stack, curves[one], own[one])
