"""Reader of LightGBM: the text form of the booster, version 4.

It compares float64 values; near zero and missing have conventions of their own in each column. The form is described by
what LightGBM's `Tree::ToString` writes; numbers have 17 digits, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.assemble import assemble
from interpret_pd.trees.columns import Dialect, Zero
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Bools, Tree
from interpret_pd.trees.refusal import NotExact, attribute

Fields = dict[str, str]

CATEGORICAL, DEFAULT_LEFT, MISSING_TYPE = 1, 2, 12  # bits of a node's decision type; the last two are its column's
ZEROS: dict[int, Zero] = {0: "nan", 4: "missing", 8: "tiny"}  # missing type none, zero, NaN
DIALECT = Dialect(unknown="other", rounding="trunc")

# the link of an objective; those that are not named return the sum of the trees
IDENTITY = {"regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg", ""}
LINKS = {
    "poisson": "exp", "gamma": "exp", "tweedie": "exp", "binary": "logistic", "multiclassova": "logistic",
    "multiclass": "softmax", "cross_entropy": "logistic", "cross_entropy_lambda": "log1p exp",
}  # fmt: skip


def read_lightgbm(model: Any, response: str, category_columns: Sequence[int]) -> Ensemble:
    """Read an LGBM regressor, classifier or ranker, or a Booster."""
    booster = model if type(model).__name__ == "Booster" else attribute(model, "booster_")
    head, *parts = booster.model_to_string().partition("end of trees")[0].split("\nTree=")
    header = _fields(head)
    if header.get("version") != "v4":
        raise NotExact(f"{type(model).__name__} has a model of version {header.get('version')!r}; version 'v4' is read")
    fields = [_fields(part) for part in parts]
    per_round = int(header["num_tree_per_iteration"])
    share = len(fields) // per_round if "average_output" in header else 1
    trees = [_arrays(tree, output=i % per_round, share=share) for i, tree in enumerate(fields)]
    n_features = int(header["max_feature_idx"]) + 1
    return assemble(
        model, trees, DIALECT, base=np.zeros(per_round), link=_link(model, response, header), n_features=n_features,
        categories=_categories(model, booster, category_columns, n_features), zeros=_zeros(fields),
    )  # fmt: skip


def _fields(text: str) -> Fields:
    """Return the lines "key=value" of a part."""
    return {key: value for key, _, value in (line.partition("=") for line in text.splitlines())}


def _numbers(tree: Fields, key: str, dtype: type) -> NDArray:
    """Return a line of numbers; none of them in a tree that is one leaf."""
    return np.array(tree.get(key, "").split(), dtype=dtype)


def _arrays(tree: Fields, output: int, share: int) -> Tree:
    """Return the node arrays of one tree: its splits, then its leaves."""
    if tree.get("is_linear", "0") != "0":
        raise NotExact("LightGBM's linear trees are not read")
    n_splits = int(tree["num_leaves"]) - 1
    leaves = np.full(n_splits + 1, -1)
    # a child that is leaf l is written as ~l
    left, right = (
        np.append(np.where(child < 0, n_splits + ~child, child), leaves)
        for child in (_numbers(tree, side, int) for side in ("left_child", "right_child"))
    )
    kind = np.append(_numbers(tree, "decision_type", int), 0 * leaves)
    feature = np.append(_numbers(tree, "split_feature", int), leaves)
    threshold = np.append(_numbers(tree, "threshold", float), 0.0 * leaves)
    values = np.append(np.zeros(n_splits), _numbers(tree, "leaf_value", float) / share)
    missing_left = (kind & DEFAULT_LEFT > 0) & (kind & CATEGORICAL == 0)  # a missing category goes right
    subsets = _subsets(tree, np.flatnonzero(kind & CATEGORICAL), threshold)
    return Tree(feature, threshold, left, right, missing_left, values[:, None], output, subsets)


def _subsets(tree: Fields, nodes: NDArray[np.integer], threshold: NDArray) -> dict[int, Bools]:
    """Return which categories go left at the given nodes, whose threshold is the number of their bit set."""
    bounds, bits = _numbers(tree, "cat_boundaries", int), _numbers(tree, "cat_threshold", np.uint32)
    subsets = {}
    for node in nodes:
        number = int(threshold[node])
        words = bits[bounds[number] : bounds[number + 1]].astype("<u4")
        flags = np.unpackbits(words.view(np.uint8), bitorder="little").astype(bool)
        subsets[int(node)] = np.append(flags, False)  # other categories go right
    return subsets


def _zeros(trees: Sequence[Fields]) -> dict[int, Zero]:
    """Return each split column's convention on zero and missing values."""
    features = np.concatenate([_numbers(tree, "split_feature", int) for tree in trees])
    kinds = np.concatenate([_numbers(tree, "decision_type", int) for tree in trees])
    numeric = kinds & CATEGORICAL == 0
    pairs = set(zip(features[numeric].tolist(), (kinds[numeric] & MISSING_TYPE).tolist(), strict=True))
    zeros = {feature: ZEROS[missing] for feature, missing in pairs}
    if len(zeros) < len(pairs):
        raise NotExact("LightGBM treats missing values of one column in several ways")
    return zeros


def _categories(
    model: Any, booster: Any, columns: Sequence[int], n_features: int
) -> tuple[tuple[Any, ...] | None, ...]:
    """Return the categories of the data's columns with categorical dtype, which LightGBM knows by their order only."""
    known = getattr(booster, "pandas_categorical", None) or []
    if len(known) != len(columns):
        counts = f"{len(known)} categorical columns, the data have {len(columns)}"
        raise NotExact(f"{type(model).__name__} was fitted on {counts}")
    place = dict(zip(sorted(columns), known, strict=True))
    return tuple(tuple(place[j]) if j in place else None for j in range(n_features))


def _link(model: Any, response: str, header: Fields) -> Link:
    """Return what turns the sum of trees into the response."""
    name = type(model).__name__
    if hasattr(model, "get_params") and model.get_params().get("pred_early_stop"):
        raise NotExact(f"{name} stops predicting early (pred_early_stop)")
    objective, *options = header.get("objective", "").split() or [""]
    scale = next((float(option.removeprefix("sigmoid:")) for option in options if option.startswith("sigmoid:")), 1.0)
    if objective in IDENTITY:
        return Link("signed square" if "sqrt" in options else "identity")
    if objective not in LINKS:
        raise NotExact(f"{name} has the unknown objective {objective!r}")
    two = objective == "binary" and response == "predict_proba"
    return Link("two classes" if two else LINKS[objective], scale)
