"""The compiled walks. A walk takes sets of background rows down the trees and never looks at one grid point twice.

A set of rows is a slice of the array `rows`. At a split on an ordinary feature the slice is reordered so that those who
go left come first. At a split on a pinned feature *all* rows go both ways, and what is divided is the axis: a range
``[low, high)`` of its sorted cells, or a mask of points. At a leaf, its value is added to the cells of its rows. Thus
each row reaches only the leaves that it can reach by changing the pinned features, whatever the grid's size.

Nodes are rows of one int32 array: feature (or -1), cut, right child (or the leaf's number), kind; the left child is the
next row. Kinds: 0 numeric, 1 numeric with missing values going left, 2 and 3 the same for a subset of categories, whose
bits begin at ``words[cut]``.

The inner functions take arrays, never tuples or slices of them: a slice made in a loop costs numba two atomic counts of
references, which is more than the visit of a node. They take numbers as int64, lest each mixture of sizes be compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

FEATURE, CUT, RIGHT, KIND = 0, 1, 2, 3
LEAF = -1
SUBSET = 2  # the first kind that is a subset of categories

Int = int | np.int64  # in numba, one and the same
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Words = NDArray[np.uint32]


def _options() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what numba is asked for: of functions that make arrays, and of the inner functions, which make none.

    Machine code is kept on disk where a directory can be written. In the inner functions numba would count references,
    atomically, at each call, which takes longer than the visit of a node; the option has no public name, and a release
    that knows it no longer makes slower walks, not other ones.
    """
    options: dict[str, Any] = {"cache": True, "nogil": True}
    try:
        probe = njit(**options)(lambda: None)
    except RuntimeError:  # there is no place for the cache
        options["cache"] = False
        probe = njit(**options)(lambda: None)
    known = hasattr(getattr(getattr(probe, "targetdescr", None), "options", None), "_nrt")
    return options, options | ({"_nrt": False} if known else {})


OUTER, INNER = _options()
compiled: Any = njit(**OUTER)
inner: Any = njit(**INNER)


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
def goes_left(words: Words, cut: Int, kind: Int, code: Int) -> bool:
    """Whether a code goes left at a node."""
    if kind < SUBSET:
        return bool(code <= cut and code + kind >= 0)
    if code < 0:
        return bool(kind == SUBSET + 1)
    return bool((words[cut + (code >> 5)] >> np.uint32(code & 31)) & np.uint32(1))


@inner
def partition(nodes: Ints, words: Words, codes: Ints, rows: Ints, node: Int, begin: Int, end: Int) -> Int:
    """Bring the slice's rows that go left at a node to its front; return where the others begin."""
    feature, cut, kind = nodes[node, FEATURE], nodes[node, CUT], nodes[node, KIND]
    middle = begin
    if kind < SUBSET:
        lowest = -kind
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
def weigh(weights: Floats, rows: Ints, begin: Int, end: Int) -> float:
    """Sum of the slice's weights."""
    if len(weights) == 1:
        return weights[0] * (end - begin)
    total = 0.0
    for i in range(begin, end):
        total += weights[rows[i]]
    return total


@inner
def add_range(
    curves: Floats, values: Floats, weights: Floats, rows: Ints, leaf: Int, output: Int, begin: Int, end: Int,
    low: Int, high: Int, sign: float,
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
def push(stack: Ints, top: Int, node: Int, begin: Int, end: Int, low: Int, high: Int) -> Int:
    """Put a set of rows, where it is and its range on the stack; return the stack's new height."""
    stack[top, 0] = node
    stack[top, 1] = begin
    stack[top, 2] = end
    stack[top, 3] = low
    stack[top, 4] = high
    return top + 1


@inner
def follow(
    nodes: Ints, values: Floats, words: Words, codes: Ints, weights: Floats, rows: Ints, stack: Ints, curves: Floats,
    cuts: Ints, pinned: Int, first_cut: Int, first: Int, output: Int, node: Int, begin: Int, end: Int, low: Int,
    high: Int,
) -> None:  # fmt: skip
    """Walk one set of rows from a node with one feature pinned to the range [low, high) of its cells."""
    top = 0
    while True:
        feature, right = np.int64(nodes[node, FEATURE]), np.int64(nodes[node, RIGHT])
        if feature == LEAF:
            low, high = low + first, high + first
            add_range(curves, values, weights, rows, right, output, begin, end, low, high, 1.0)
            if top == 0:
                return
            top -= 1
            node, begin, end, low, high = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        elif feature == pinned:
            middle = np.int64(cuts[first_cut + nodes[node, CUT]])
            node += 1
            if middle <= low:
                node = right
            elif middle < high:
                top = push(stack, top, right, begin, end, middle, high)
                high = middle
        else:
            middle = partition(nodes, words, codes, rows, node, begin, end)
            node += 1
            if middle == begin:
                node = right
            elif middle < end:
                top = push(stack, top, right, middle, end, low, high)
                end = middle


@compiled
def walk_one(forest: Forest, block: Block, pinned: Int, cuts: Ints, depth: Int, curves: Floats) -> None:
    """Add all trees to the curves along one axis, (1 or n, K, cells + 1), as differences of neighbouring cells."""
    nodes, roots, outputs, values, words = forest
    codes, weights, rows = block
    stack = np.empty((depth + 1, 5), np.int32)
    cells = curves.shape[2] - 1
    for tree in range(len(roots)):
        root, output = np.int64(roots[tree]), np.int64(outputs[tree])
        follow(
            nodes, values, words, codes, weights, rows, stack, curves,
            cuts, pinned, 0, 0, output, root, 0, len(rows), 0, cells,
        )  # fmt: skip


@compiled
def preorder(left: Ints, right: Ints, roots: Ints) -> tuple[Ints, int]:
    """Return the old numbers of all nodes, each parent's left child next to it, and the depth of the deepest leaf."""
    order = np.empty(len(left), np.int32)
    stack = np.empty((len(left), 2), np.int32)
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
