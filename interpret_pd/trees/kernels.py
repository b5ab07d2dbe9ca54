"""The compiled walks. A walk takes sets of background rows down the trees and never looks at one grid point twice.

A set of rows is a slice of the array `rows`. At a split on an ordinary feature the slice is reordered so that those who
go left come first. At a split on a pinned feature *all* rows go both ways, and what is divided is the axis: a range
``[low, high)`` of its sorted cells, or a mask of points. At a leaf, its value is added to the cells of its rows. Thus
each row reaches only the leaves that it can reach by changing the pinned features, whatever the grid's size.

Nodes are rows of one int32 array: feature (or -1), cut, right child (or the leaf's number), kind; the left child is the
next row. Kinds: 0 numeric, 1 numeric with missing values going left, 2 and 3 the same for a subset of categories, whose
bits begin at ``words[cut]``.

The inner functions take arrays, never tuples or slices of them: a slice made in a loop costs numba two atomic counts of
references, which is more than the visit of a node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

FEATURE, CUT, RIGHT, KIND = 0, 1, 2, 3
LEAF = -1
SUBSET = 2  # the first kind that is a subset of categories

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Words = NDArray[np.uint32]

compiled: Any = njit(cache=True, nogil=True)
# the inner functions own no array: without the option numba counts references, atomically, at each of their calls,
# which takes longer than the visit of a node
inner: Any = njit(cache=True, nogil=True, _nrt=False)


class Forest(NamedTuple):
    """The trees: nodes (N, 4), each tree's root and first output, leaf values (L, width), bits of subsets."""

    nodes: Ints
    roots: Ints
    outputs: Ints
    values: Floats
    words: Words


class Block(NamedTuple):
    """Background rows: codes (p, n), weights (n,) or (1,) for all, and an order of the rows to work in."""

    codes: Ints
    weights: Floats
    rows: Ints


@inner
def goes_left(words: Words, cut: int, kind: int, code: int) -> bool:
    """Whether a code goes left at a node."""
    if kind < SUBSET:
        return code <= cut and code + (kind & 1) >= 0
    if code < 0:
        return kind == SUBSET + 1
    return (words[cut + (code >> 5)] >> np.uint32(code & 31)) & np.uint32(1) != 0


@inner
def partition(nodes: Ints, words: Words, codes: Ints, rows: Ints, node: int, begin: int, end: int) -> int:
    """Bring the slice's rows that go left at a node to its front; return where the others begin."""
    feature, cut, kind = nodes[node, FEATURE], nodes[node, CUT], nodes[node, KIND]
    middle = begin
    if kind < SUBSET:
        lowest = -(kind & 1)
        for i in range(begin, end):  # without a branch: nobody can foresee which way a row goes
            row = rows[i]
            code = codes[feature, row]
            rows[i] = rows[middle]
            rows[middle] = row
            middle += (code <= cut) & (code >= lowest)
        return middle
    for i in range(begin, end):
        row = rows[i]
        if goes_left(words, cut, kind, codes[feature, row]):
            rows[i] = rows[middle]
            rows[middle] = row
            middle += 1
    return middle


@inner
def weigh(weights: Floats, rows: Ints, begin: int, end: int) -> float:
    """Sum of the slice's weights."""
    if len(weights) == 1:
        return weights[0] * (end - begin)
    total = 0.0
    for i in range(begin, end):
        total += weights[rows[i]]
    return total


@inner
def add_range(
    curves: Floats, values: Floats, weights: Floats, rows: Ints, leaf: int, output: int, begin: int, end: int,
    low: int, high: int, sign: float,
) -> None:  # fmt: skip
    """Add a leaf to the cells [low, high) of its rows' curves, or of their weighted sum, as neighbours' differences."""
    if low >= high:
        return
    if len(curves) > 1:
        for i in range(begin, end):
            for k in range(values.shape[1]):
                value = sign * values[leaf, k]
                curves[rows[i], output + k, low] += value
                curves[rows[i], output + k, high] -= value
        return
    weight = sign * weigh(weights, rows, begin, end)
    for k in range(values.shape[1]):
        value = weight * values[leaf, k]
        curves[0, output + k, low] += value
        curves[0, output + k, high] -= value


@inner
def push(stack: Ints, top: int, node: int, begin: int, end: int, low: int, high: int) -> int:
    """Put a set of rows, where it is and its range on the stack; return the stack's new height."""
    stack[top, 0] = node
    stack[top, 1] = begin
    stack[top, 2] = end
    stack[top, 3] = low
    stack[top, 4] = high
    return top + 1


@inner
def descend(nodes: Ints, words: Words, codes: Ints, node: int, row: int, pinned: int) -> int:
    """Return the next leaf or pinned split on one row's way."""
    feature = nodes[node, FEATURE]
    while feature != LEAF and feature != pinned:
        code, cut, right, kind = codes[feature, row], nodes[node, CUT], nodes[node, RIGHT], nodes[node, KIND]
        if kind < SUBSET:
            node = node + 1 if (code <= cut) & (code >= -(kind & 1)) else right
        else:
            node = node + 1 if goes_left(words, cut, kind, code) else right
        feature = nodes[node, FEATURE]
    return node


@inner
def follow(
    nodes: Ints, values: Floats, words: Words, codes: Ints, weights: Floats, rows: Ints, stack: Ints, curves: Floats,
    cuts: Ints, pinned: int, first_cut: int, first: int, output: int, node: int, begin: int, end: int, low: int, high: int,
) -> None:  # fmt: skip
    """Walk one set of rows from a node with one feature pinned to the range [low, high) of its cells."""
    top = 0
    while True:
        feature, right = nodes[node, FEATURE], nodes[node, RIGHT]
        if feature == LEAF:
            low, high = low + first, high + first
            add_range(curves, values, weights, rows, right, output, begin, end, low, high, 1.0)
            if top == 0:
                return
            top -= 1
            node, begin, end, low, high = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        elif feature == pinned:
            middle = cuts[first_cut + nodes[node, CUT]]
            node += 1
            if middle <= low:
                node = right
            elif middle < high:
                top = push(stack, top, right, begin, end, middle, high)
                high = middle
        elif end - begin == 1:
            node = descend(nodes, words, codes, node, rows[begin], pinned)
        else:
            middle = partition(nodes, words, codes, rows, node, begin, end)
            node += 1
            if middle == begin:
                node = right
            elif middle < end:
                top = push(stack, top, right, middle, end, low, high)
                end = middle


@compiled
def walk_one(forest: Forest, block: Block, pinned: int, cuts: Ints, depth: int, curves: Floats) -> None:
    """Add all trees to the curves along one axis, (1 or n, K, cells + 1), as differences of neighbouring cells."""
    nodes, roots, outputs, values, words = forest
    codes, weights, rows = block
    stack = np.empty((depth + 1, 5), np.int32)
    cells = curves.shape[2] - 1
    for tree in range(len(roots)):
        follow(
            nodes, values, words, codes, weights, rows, stack, curves,
            cuts, pinned, 0, 0, outputs[tree], roots[tree], 0, len(rows), 0, cells,
        )  # fmt: skip


@compiled
def preorder(left: Ints, right: Ints, roots: Ints) -> tuple[Ints, int]:
    """Return the old numbers of all nodes, each parent's left child next to it, and the depth of the deepest leaf."""
    order = np.empty(len(left), np.int32)
    stack = np.empty((len(left) + 1, 2), np.int32)
    n, deepest = 0, 0
    for root in roots:
        stack[0, 0], stack[0, 1], top = root, 0, 1
        while top > 0:
            top -= 1
            node, depth = stack[top, 0], stack[top, 1]
            order[n] = node
            n += 1
            deepest = max(deepest, depth)
            if left[node] >= 0:
                stack[top, 0], stack[top, 1] = right[node], depth + 1
                stack[top + 1, 0], stack[top + 1, 1] = left[node], depth + 1
                top += 2
    return order[:n], deepest
