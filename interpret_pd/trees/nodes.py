"""A tree as its library tells it, and the table of nodes that the walks read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.columns import Column, Floats
from interpret_pd.trees.refusal import NotExact

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Words = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One tree, its nodes in any order with the root first.

    Parameters
    ----------
    feature : ndarray of int of shape (N,)
        The feature that a node splits on; anything in leaves.
    threshold : ndarray of shape (N,)
        Where it splits; anything in leaves.
    left, right : ndarray of int of shape (N,)
        The children's numbers; negative in leaves.
    missing_left : ndarray of bool of shape (N,)
        Whether missing values go left.
    values : ndarray of shape (N, width)
        What a leaf adds to the outputs from `output` on.
    output : int, default 0
        The first output that the tree adds to.
    subsets : dict
        For each node that splits by categories: whether category 0, 1, ... goes left, (C + 1,), the last entry standing
        for all further ones.
    """

    feature: NDArray[np.integer]
    threshold: Floats
    left: NDArray[np.integer]
    right: NDArray[np.integer]
    missing_left: Bools
    values: Floats
    output: int = 0
    subsets: dict[int, Bools] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """All trees' nodes as the kernels want them; `kernels.Forest` says what the arrays hold."""

    nodes: Ints
    roots: Ints
    outputs: Ints
    values: Floats
    words: Words
    depth: int


def tabulate(trees: Sequence[Tree], n_features: int) -> tuple[Table, list[Column]]:
    """Return the table of all nodes, and for each feature the cuts that its splits are numbered by.

    Parameters
    ----------
    trees : sequence of Tree
        The trees, at least one.
    n_features : int
        The number of columns of the data.

    Returns
    -------
    table : Table
        The nodes.
    columns : list of Column
        One per feature.

    Raises
    ------
    NotExact
        If the splits on a feature are not of one kind, or one of them is at NaN.
    """
    from interpret_pd.trees import kernels

    starts = np.cumsum([0] + [len(tree.feature) for tree in trees])[:-1]
    left, right = (_children([getattr(tree, side) for tree in trees], starts) for side in ("left", "right"))
    order, depth = kernels.preorder(left, right, starts.astype(np.int32))
    place = np.full(len(left), -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)

    leaf = left[order] < 0
    feature = np.where(leaf, -1, _all(trees, "feature")[order]).astype(np.int32)
    kind = _all(trees, "missing_left")[order].astype(np.int32)
    subsets = _reachable_subsets(trees, starts, place)
    kind[list(subsets)] += kernels.SUBSET
    cut, words, columns = _number_splits(feature, _all(trees, "threshold")[order], subsets, n_features)
    target = np.where(leaf, np.cumsum(leaf) - 1, place[right[order]])  # a leaf's number, or the right child
    nodes = np.stack([feature, cut, target, kind], axis=1).astype(np.int32)
    outputs = np.array([tree.output for tree in trees], dtype=np.int32)
    values = np.ascontiguousarray(_all(trees, "values")[order[leaf]], dtype=np.float64)
    return Table(nodes, place[starts], outputs, values, words, int(depth)), columns


def _all(trees: Sequence[Tree], name: str) -> NDArray:
    """Return one attribute of all trees' nodes, (N,) or (N, width)."""
    return np.concatenate([getattr(tree, name) for tree in trees])


def _children(parts: Sequence[NDArray[np.integer]], starts: NDArray[np.integer]) -> Ints:
    """Return the (N,) children on one side, numbered through all trees; negative in leaves."""
    numbered = [np.where(part < 0, -1, part + start) for part, start in zip(parts, starts, strict=True)]
    return np.concatenate(numbered).astype(np.int32)


def _reachable_subsets(trees: Sequence[Tree], starts: NDArray[np.integer], place: Ints) -> dict[int, Bools]:
    """Return the subsets by the place of their node in the table."""
    subsets: dict[int, Bools] = {}
    for tree, start in zip(trees, starts, strict=True):
        subsets |= {int(place[start + node]): subset for node, subset in tree.subsets.items()}
    subsets.pop(-1, None)  # pruned nodes have no place
    return subsets


def _number_splits(
    feature: Ints, threshold: Floats, subsets: dict[int, Bools], n_features: int
) -> tuple[Ints, Words, list[Column]]:
    """Return each node's cut (N,), the subsets' bits and the columns."""
    cut = np.zeros(len(feature), np.int32)
    categorical = {int(feature[node]) for node in subsets}
    by_feature = np.argsort(feature, kind="stable")
    ends = np.searchsorted(feature[by_feature], np.arange(n_features + 1))
    columns, words = [], [np.zeros(1, np.uint32)]
    n_words = 1
    for j in range(n_features):
        at = by_feature[ends[j] : ends[j + 1]]
        if j in categorical:
            if not subsets.keys() >= set(at.tolist()):  # training went on with other categorical columns
                raise NotExact(f"trees split column {j} by its order and by categories")
            packed = _pack([subsets[int(node)] for node in at])  # (len(at), words of one subset)
            cut[at] = n_words + packed.shape[1] * np.arange(len(at))
            n_words += packed.size
            words.append(packed.ravel())
            columns.append(Column(np.empty(0), n_categories=max(len(subsets[int(node)]) for node in at) - 1))
        else:
            cuts, cut[at] = np.unique(threshold[at], return_inverse=True)
            if np.isnan(cuts[-1:]).any():  # a mean of infinite values; sorted last, it would have all on its left
                raise NotExact(f"trees compare column {j} with NaN")
            columns.append(Column(cuts))
    return cut, np.concatenate(words), columns


def _pack(subsets: Sequence[Bools]) -> Words:
    """Return subsets as bits, the lowest first: (len(subsets), words)."""
    size = -(-max(len(subset) for subset in subsets) // 32) * 32
    flags = np.stack([np.pad(subset, (0, size - len(subset)), mode="edge") for subset in subsets])
    return np.packbits(flags, axis=1, bitorder="little").view("<u4").astype(np.uint32)
