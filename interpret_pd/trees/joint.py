"""The compiled walks for two axes (boxes of cells) and for any set of up to 64 points (masks)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.kernels import (
    CUT,
    FEATURE,
    KIND,
    LEAF,
    RIGHT,
    Block,
    Floats,
    Forest,
    Int,
    Ints,
    compiled,
    goes_left,
    inner,
    partition,
    weigh,
)  # fmt: skip

Masks = NDArray[np.uint64]


@inner
def add_box(surfaces: Floats, values: Floats, leaf: Int, output: Int, row: Int, weight: float, here: Ints) -> None:
    """Add a leaf to the cells [low, high) x [low2, high2) of one surface, as differences both ways."""
    low, high, low2, high2 = here[3], here[4], here[5], here[6]
    for k in range(values.shape[1]):
        value = weight * values[leaf, k]
        surfaces[row, output + k, low, low2] += value
        surfaces[row, output + k, low, high2] -= value
        surfaces[row, output + k, high, low2] -= value
        surfaces[row, output + k, high, high2] += value


@inner
def add_boxes(
    surfaces: Floats, values: Floats, weights: Floats, rows: Ints, leaf: Int, output: Int, here: Ints
) -> None:
    """Add a leaf to the surfaces of its rows, or to their weighted sum."""
    if len(surfaces) == 1:
        add_box(surfaces, values, leaf, output, 0, weigh(weights, rows, np.int64(here[1]), np.int64(here[2])), here)
        return
    for i in range(here[1], here[2]):
        add_box(surfaces, values, leaf, output, rows[i], 1.0, here)


@inner
def divide(here: Ints, stack: Ints, top: Int, cell: Int, right: Int, low: Int) -> Int:
    """Divide the range that begins at position `low` of the state: one part goes on left, the other waits."""
    here[0] += 1
    if cell <= here[low]:
        here[0] = right
    elif cell < here[low + 1]:
        for i in range(len(here)):
            stack[top, i] = here[i]
        stack[top, 0], stack[top, low] = right, cell
        here[low + 1] = cell
        return top + 1
    return top


@inner
def follow_two(
    forest: Forest, block: Block, first: Int, second: Int, cuts: Ints, cuts2: Ints, output: Int, stack: Ints,
    here: Ints, surfaces: Floats,
) -> None:  # fmt: skip
    """Walk one tree with two pinned features; `here` is node, begin, end, low, high, low2, high2."""
    nodes, _, _, values, words = forest
    codes, weights, rows = block
    top = 0
    while True:
        node, begin, end = np.int64(here[0]), np.int64(here[1]), np.int64(here[2])
        feature, cut, right = nodes[node, FEATURE], nodes[node, CUT], nodes[node, RIGHT]
        if feature == LEAF:
            add_boxes(surfaces, values, weights, rows, right, output, here)
            if top == 0:
                return
            top -= 1
            for i in range(len(here)):
                here[i] = stack[top, i]
        elif feature == first:
            top = divide(here, stack, top, cuts[cut], right, 3)
        elif feature == second:
            top = divide(here, stack, top, cuts2[cut], right, 5)
        else:
            # rows are divided as a range is: those before the middle go on left
            middle = partition(nodes, words, codes, rows, node, begin, end)
            top = divide(here, stack, top, middle, right, 1)


@compiled
def walk_two(
    forest: Forest, block: Block, first: Int, second: Int, cuts: Ints, cuts2: Ints, depth: Int, surfaces: Floats
) -> None:
    """Add all trees to the surfaces over two axes, (1 or n, K, G1 + 1, G2 + 1), as differences both ways."""
    stack, here = np.empty((depth + 1, 7), np.int32), np.empty(7, np.int32)
    for tree in range(len(forest.roots)):
        here[0], here[1], here[2] = forest.roots[tree], 0, len(block.rows)
        here[3], here[4], here[5], here[6] = 0, surfaces.shape[2] - 1, 0, surfaces.shape[3] - 1
        follow_two(forest, block, first, second, cuts, cuts2, forest.outputs[tree], stack, here, surfaces)


@compiled
def mark(forest: Forest, pinned: Ints, points: Ints) -> Masks:
    """Return which of the points (P, G) go left at each node that splits on a pinned feature, as bits (N,)."""
    nodes, words = forest.nodes, forest.words
    masks = np.zeros(len(nodes), np.uint64)
    for node in range(len(nodes)):
        feature, cut, kind = nodes[node, FEATURE], nodes[node, CUT], nodes[node, KIND]
        if feature != LEAF and pinned[feature] >= 0:
            for g in range(points.shape[1]):
                if goes_left(words, cut, kind, points[pinned[feature], g]):
                    masks[node] |= np.uint64(1) << np.uint64(g)
    return masks


@inner
def add_points(
    out: Floats, values: Floats, weights: Floats, rows: Ints, leaf: Int, output: Int, begin: Int, end: Int, mask: Int
) -> None:
    """Add a leaf to the points of a mask, in the curves of its rows or in their weighted sum (1 or n, K, G)."""
    weight = 1.0 if len(out) > 1 else weigh(weights, rows, begin, end)
    for g in range(out.shape[2]):
        if (mask >> np.uint64(g)) & np.uint64(1) == 0:
            continue
        for k in range(values.shape[1]):
            if len(out) == 1:
                out[0, output + k, g] += weight * values[leaf, k]
                continue
            for i in range(begin, end):
                out[rows[i], output + k, g] += values[leaf, k]


@inner
def follow_points(
    forest: Forest, block: Block, pinned: Ints, left: Masks, node: Int, output: Int, mask: Int, stack: Ints,
    waiting: Masks, out: Floats,
) -> None:  # fmt: skip
    """Walk one tree with the points of one mask; `left` are the points that go left at each node."""
    nodes, _, _, values, words = forest
    codes, weights, rows = block
    begin, end, top = 0, len(rows), 0
    while True:
        feature, right = np.int64(nodes[node, FEATURE]), np.int64(nodes[node, RIGHT])
        if feature == LEAF:
            add_points(out, values, weights, rows, right, output, begin, end, mask)
            if top == 0:
                return
            top -= 1
            node, begin, end, mask = stack[top, 0], stack[top, 1], stack[top, 2], waiting[top]
            continue
        middle, start, ahead, behind = end, begin, mask & left[node], mask & ~left[node]
        if pinned[feature] < 0:
            middle = partition(nodes, words, codes, rows, node, begin, end)
            start = middle
            ahead = mask if middle > begin else np.uint64(0)
            behind = mask if middle < end else np.uint64(0)
        node += 1
        if ahead == 0:
            node, mask = right, behind
            continue
        if behind != 0:
            stack[top, 0], stack[top, 1], stack[top, 2], waiting[top] = right, start, end, behind
            top += 1
        end, mask = middle, ahead


@compiled
def walk_points(forest: Forest, block: Block, pinned: Ints, left: Masks, depth: Int, out: Floats) -> None:
    """Add all trees to the predictions at up to 64 points (1 or n, K, G); `left` is what `mark` returns for them."""
    stack, waiting = np.empty((depth + 1, 3), np.int32), np.empty(depth + 1, np.uint64)
    everything = ~np.uint64(0) >> np.uint64(64 - out.shape[2])
    for tree in range(len(forest.roots)):
        root, output = np.int64(forest.roots[tree]), np.int64(forest.outputs[tree])
        follow_points(forest, block, pinned, left, root, output, everything, stack, waiting, out)
