"""Reader of scikit-learn's histogram-based gradient boosting.

It compares float64 values and has a direction for missing values at each node; the columns of categories come first,
numbered by an encoder of its own that knows their names.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees._sklearn import loss_link
from interpret_pd.trees.assemble import assemble
from interpret_pd.trees.columns import Dialect
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Bools, Tree
from interpret_pd.trees.refusal import attribute

Categories = tuple[tuple[Any, ...] | None, ...]


def read_histogram_boosting(model: Any, response: str) -> Ensemble:
    """Read a HistGradientBoosting regressor or classifier."""
    order, categories = _columns(model)
    trees = [
        _arrays(predictor, order, categories, k)
        for iteration in attribute(model, "_predictors")
        for k, predictor in enumerate(iteration)
    ]
    base = np.asarray(attribute(model, "_baseline_prediction"), dtype=np.float64).ravel()
    link = Link() if response == "decision_function" else loss_link(model)
    return assemble(model, trees, Dialect(), base=base, link=link, categories=categories)


def _columns(model: Any) -> tuple[NDArray[np.integer], Categories]:
    """Return each of the trees' columns' place in the data, and the columns' categories."""
    is_categorical, n_features = attribute(model, "is_categorical_"), attribute(model, "n_features_in_")
    if is_categorical is None:
        return np.arange(n_features), (None,) * n_features
    order = np.concatenate([np.flatnonzero(is_categorical), np.flatnonzero(~is_categorical)])
    encoder = attribute(model, "_preprocessor").named_transformers_["encoder"]
    known = dict(zip(order, encoder.categories_, strict=False))  # the first columns are the encoder's
    return order, tuple(_present(known[j]) if j in known else None for j in range(n_features))


def _present(categories: NDArray) -> tuple[Any, ...]:
    """Return the categories that are not missing."""
    return tuple(value for value in categories.tolist() if value is not None and value == value)


def _arrays(predictor: Any, order: NDArray[np.integer], categories: Categories, output: int) -> Tree:
    """Return the node arrays of one tree."""
    nodes = attribute(predictor, "nodes")
    leaf = nodes["is_leaf"].astype(bool)
    feature = order[nodes["feature_idx"] * ~leaf]
    left, right = (np.where(leaf, -1, nodes[side].astype(np.int64)) for side in ("left", "right"))
    subsets = {}
    for node in np.flatnonzero(nodes["is_categorical"].astype(bool) & ~leaf):
        bits = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]]
        subsets[int(node)] = _unpack(bits, len(categories[feature[node]] or ()))
    missing_left = nodes["missing_go_to_left"].astype(bool)
    return Tree(feature, nodes["num_threshold"], left, right, missing_left, nodes["value"][:, None], output, subsets)


def _unpack(bits: NDArray[np.uint32], n_categories: int) -> Bools:
    """Return whether each category is in a set of 256 bits; the further entry stands for others, which are missing."""
    flags = np.unpackbits(bits.astype("<u4").view(np.uint8), bitorder="little").astype(bool)
    return np.append(flags[:n_categories], False)
