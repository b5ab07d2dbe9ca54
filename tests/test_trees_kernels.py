"""The kernels against slow loops over made-up trees, whose nodes are laid out here; plain Python without a compiler."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

pytest.importorskip("numba")

from interpret_pd.trees import kernels
from interpret_pd.trees.kernels import LEAF, Block, Forest

FEATURES, CODES, PINNED = 3, 40, 1  # more codes than a word has bits; the pinned feature has no subsets
SEEDS = pytest.mark.parametrize("seed", range(4))


def left(node, words, code):
    """Whether a code, or -1 for a missing value, goes left: the meaning of the four kinds."""
    (_, cut, _, kind), code = (int(part) for part in node), int(code)
    if code < 0:
        return kind in (1, 3)
    if kind < 2:
        return code <= cut
    return bool(int(words[cut + code // 32]) >> (code % 32) & 1)


def grow(rng, nodes, values, words, width, depth):
    """Add a random tree, each left child next to its parent; return its depth."""
    at = len(nodes)
    if depth == 0 or rng.random() < 0.15:
        nodes.append([LEAF, 0, len(values), 0])
        values.append(rng.normal(size=width))
        return 0
    feature = rng.integers(FEATURES)
    kind = rng.integers(2 if feature == PINNED else 4)
    cut = len(words) if kind >= 2 else rng.integers(CODES)
    if kind >= 2:
        words.extend(rng.integers(2**32, size=2, dtype=np.uint32))
    nodes.append([feature, cut, 0, kind])
    below = grow(rng, nodes, values, words, width, depth - 1)
    nodes[at][kernels.RIGHT] = len(nodes)
    return 1 + max(below, grow(rng, nodes, values, words, width, depth - 1))


def made(rng, width=1):
    """Some trees, the first one a leaf, each with its first output; rows of codes (p, n); the greatest depth."""
    nodes, values, words, roots, deepest = [[LEAF, 0, 0, 0]], [rng.normal(size=width)], [np.uint32(0)], [0], 0
    for _ in range(5):
        roots.append(len(nodes))
        deepest = max(deepest, grow(rng, nodes, values, words, width, 5))
    table, outputs = np.array(nodes, np.int32), np.array([0, 1, 0, 1, 1, 0], np.int32)
    forest = Forest(table, np.array(roots, np.int32), outputs, np.array(values), np.array(words, np.uint32))
    return forest, rng.integers(-1, CODES, size=(FEATURES, 30)).astype(np.int32), deepest


def along_axis(forest, codes, present, n_outputs):
    """The sums of the leaves of every row with each code in the pinned feature's place, (n, K, G)."""
    sums = np.empty((codes.shape[1], n_outputs, len(present)))
    for i, g in np.ndindex(codes.shape[1], len(present)):
        row = codes[:, i].copy()
        row[PINNED] = present[g]
        sums[i, :, g] = predicted(forest, row, n_outputs)
    return sums


def predicted(forest, row, n_outputs):
    """The sums of the leaves that a row of codes comes to, (K,)."""
    sums = np.zeros(n_outputs)
    for node, output in zip(forest.roots, forest.outputs, strict=True):
        while forest.nodes[node, kernels.FEATURE] != LEAF:
            split = forest.nodes[node]
            node = node + 1 if left(split, forest.words, row[split[kernels.FEATURE]]) else split[kernels.RIGHT]
        leaf = forest.values[forest.nodes[node, kernels.RIGHT]]
        sums[output : output + len(leaf)] += leaf
    return sums


@SEEDS
def test_a_code_goes_left_as_its_kind_has_it(rng, seed):
    words = np.random.default_rng(seed).integers(2**32, size=4, dtype=np.uint32)
    for kind in range(4):
        for cut in (0, 1, 2):
            for code in range(-1, 64):
                got = kernels.goes_left(words, cut, kind, code)
                assert got == left((0, cut, 0, kind), words, code)


@pytest.mark.parametrize(("begin", "end"), [(0, 30), (4, 21), (7, 7)])
@SEEDS
def test_those_who_go_left_come_first_and_nobody_is_lost(seed, begin, end):
    forest, codes, _ = made(np.random.default_rng(seed))
    for node in np.flatnonzero(forest.nodes[:, kernels.FEATURE] != LEAF):
        rows = np.random.default_rng(seed).permutation(30).astype(np.int32)
        before, split = rows.copy(), forest.nodes[node]
        middle = kernels.partition(forest.nodes, forest.words, codes, rows, node, begin, end)
        goes = [left(split, forest.words, codes[split[kernels.FEATURE], row]) for row in rows[begin:end]]
        assert goes == sorted(goes, reverse=True)
        assert middle - begin == sum(goes)
        assert_array_equal(np.sort(rows[begin:end]), np.sort(before[begin:end]))
        assert_array_equal([*rows[:begin], *rows[end:]], [*before[:begin], *before[end:]])


def test_the_weight_of_a_set_of_rows_is_its_sum(rng):
    weights, rows = rng.uniform(size=9), rng.permutation(9).astype(np.int32)
    assert_allclose(kernels.weigh(weights, rows, 2, 7), weights[rows[2:7]].sum())
    assert_allclose(kernels.weigh(weights[:1], rows, 2, 7), 5 * weights[0])
    assert kernels.weigh(weights, rows, 3, 3) == 0


@pytest.mark.parametrize(("low", "high"), [(0, 6), (2, 5), (3, 3), (4, 2)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_leaf_is_added_to_a_range_of_its_rows_curves(rng, low, high, sign):
    values, weights, rows = rng.normal(size=(4, 2)), rng.uniform(size=8), rng.permutation(8).astype(np.int32)
    want = np.zeros((8, 3, 7))
    want[rows[1:6], 1:, low:high] = sign * values[2, :, None]
    curves, average = rng.normal(size=(8, 3, 7)), rng.normal(size=(1, 3, 7))
    added, mean = curves.copy(), average.copy()
    for room in (added, mean):
        kernels.add_range(room, values, weights, rows, 2, 1, 1, 6, low, high, sign)
    assert_allclose((added - curves).cumsum(axis=-1), want, atol=1e-14)
    assert_allclose((mean - average).cumsum(axis=-1)[0], np.tensordot(weights, want, 1), atol=1e-14)


@SEEDS
@pytest.mark.parametrize("width", [1, 3])
def test_a_walk_along_an_axis_equals_a_row_and_a_cell_at_a_time(seed, width):
    rng = np.random.default_rng(seed)
    forest, codes, depth = made(rng, width)
    present = np.sort(rng.choice(CODES, 9, replace=False))
    cuts = np.searchsorted(present, np.arange(CODES + 1), side="right").astype(np.int32)
    want = along_axis(forest, codes, present, width + 1)

    def walked(weights, n):
        curves = np.zeros((n, width + 1, 10))
        block = Block(codes, weights, rng.permutation(30).astype(np.int32))
        kernels.walk_one(forest, block, PINNED, cuts, depth, curves)
        return curves.cumsum(axis=-1)[..., :-1]

    weights = rng.uniform(size=30)
    assert_allclose(walked(np.ones(1), 30), want, atol=1e-12)
    assert_allclose(walked(weights, 1)[0], np.tensordot(weights, want, 1), atol=1e-12)
    assert_allclose(walked(np.full(1, 0.5), 1)[0], 0.5 * want.sum(axis=0), atol=1e-12)


@SEEDS
def test_an_axis_may_begin_anywhere_among_the_cuts_and_the_cells_of_others(seed):
    rng = np.random.default_rng(seed)
    forest, codes, depth = made(rng)
    present = np.sort(rng.choice(CODES, 5, replace=False))
    cuts = np.searchsorted(present, np.arange(CODES + 1), side="right")
    others, first = np.full(3, -99), 4
    curves, stack = np.zeros((30, 2, 15)), np.empty((depth + 1, 5), np.int32)
    for root, output in zip(forest.roots, forest.outputs, strict=True):
        rows = rng.permutation(30).astype(np.int32)
        kernels.follow(
            forest.nodes, forest.values, forest.words, codes, np.ones(1), rows, stack, curves,
            np.r_[others, cuts].astype(np.int32), PINNED, len(others), first, output, root, 0, 30, 0, 5,
        )  # fmt: skip
    assert_allclose(curves.cumsum(axis=-1)[..., first : first + 5], along_axis(forest, codes, present, 2), atol=1e-12)
    assert not curves[..., :first].any()
    assert not curves[..., first + 6 :].any()


def test_two_rows_have_two_curves(rng):
    forest, codes, depth = made(rng)
    curves, cuts = np.zeros((2, 2, 2)), np.ones(CODES + 1, np.int32)
    cuts[:7] = 0  # one cell, of the code 7
    kernels.walk_one(forest, Block(codes[:, :2], np.ones(1), np.arange(2, dtype=np.int32)), PINNED, cuts, depth, curves)
    assert_allclose(curves[..., :1], along_axis(forest, codes[:, :2], [7], 2), atol=1e-12)


@pytest.mark.parametrize(("depth", "pushed"), [(1, 0), (4, 3)])
def test_a_set_of_rows_is_put_on_top_of_the_stack(depth, pushed):
    stack = np.zeros((depth, 5), np.int32)
    assert kernels.push(stack, pushed, 11, 12, 13, 14, 15) == pushed + 1
    assert_array_equal(stack[pushed], [11, 12, 13, 14, 15])
    assert not stack[:pushed].any()


def in_order(left, right, node, depth=0):
    """A tree's nodes, parents first and the left one next, with their depths."""
    yield node, depth
    if left[node] >= 0:
        yield from in_order(left, right, left[node], depth + 1)
        yield from in_order(left, right, right[node], depth + 1)


@SEEDS
def test_nodes_are_numbered_parents_first_and_left_children_next(seed):
    forest, _, deepest = made(np.random.default_rng(seed))
    n, split = len(forest.nodes), forest.nodes[:, kernels.FEATURE] != LEAF
    place = np.random.default_rng(seed).permutation(n)  # where each node is now
    children = np.full((2, n), -1, np.int32)
    children[:, place[split]] = place[np.flatnonzero(split) + 1], place[forest.nodes[split, kernels.RIGHT]]
    roots = place[forest.roots].astype(np.int32)
    order, depth = kernels.preorder(*children, roots)
    want = [pair for root in roots for pair in in_order(*children, root)]
    assert order.tolist() == [node for node, _ in want]
    assert depth == deepest == max(level for _, level in want)


@pytest.mark.parametrize("side", [0, 1])
def test_trees_that_lean_to_a_side_are_numbered_too(side):
    """A node of each level has a leaf on the other side."""
    children = np.full((2, 9), -1, np.int32)
    children[side, ::2][:4], children[1 - side, ::2][:4] = np.arange(2, 9, 2), np.arange(1, 9, 2)
    order, depth = kernels.preorder(*children, np.zeros(1, np.int32))
    assert order.tolist() == [node for node, _ in in_order(*children, 0)]
    assert depth == 4


def test_the_first_node_may_be_a_left_child_and_a_tree_a_leaf():
    children = np.array([[-1, 0, -1, -1], [-1, 2, -1, -1]], np.int32)
    order, depth = kernels.preorder(*children, np.array([3, 1], np.int32))
    assert (order.tolist(), depth) == ([3, 1, 0, 2], 1)
    assert kernels.preorder(*children, np.array([3], np.int32))[1] == 0
