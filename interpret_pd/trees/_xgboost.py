"""Reader of XGBoost: the JSON form of its booster.

It compares float32(x) with a float32 threshold by "less than", and adds up in float32, so that its own predictions have
an error of about 1e-6. A set of categories goes right; all other categories go left.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np

from interpret_pd.trees.assemble import assemble
from interpret_pd.trees.columns import Dialect, Floats
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Bools, Tree
from interpret_pd.trees.refusal import NotExact

Json = dict[str, Any]
Categories = tuple[tuple[Any, ...] | None, ...]

DIALECT = Dialect(single=True, strict=True, infinite=False, unknown="other", strangers=False)
ROUNDING = 2e-5  # of float32 sums over some hundred trees

IDENTITY = {
    "reg:squarederror", "reg:squaredlogerror", "reg:pseudohubererror", "reg:absoluteerror", "reg:quantileerror",
    "reg:expectileerror", "rank:pairwise", "rank:ndcg", "rank:map",
}  # fmt: skip
LINKS = {
    "binary:logistic": "logistic", "reg:logistic": "logistic", "multi:softprob": "softmax", "multi:softmax": "softmax",
    "count:poisson": "exp", "reg:gamma": "exp", "reg:tweedie": "exp", "survival:cox": "exp", "survival:aft": "exp",
}  # fmt: skip


def read_xgboost(model: Any, response: str) -> Ensemble:
    """Read an XGB or XGBRF regressor, classifier or ranker, trees or DART."""
    learner = json.loads(_booster(model).save_raw("json"))["learner"]
    link = _link(model, response, learner["objective"]["name"])
    forest, weights = _forest(model, learner["gradient_booster"])
    shape = {key: int(value) for key, value in learner["learner_model_param"].items() if key.startswith("num_")}
    n_margins = max(1, shape["num_class"], shape.get("num_target", 1))
    trees = [
        _arrays(tree, weight, output)
        for tree, weight, output in zip(forest["trees"], weights, forest["tree_info"], strict=False)
    ]
    base = np.broadcast_to(_base(learner["learner_model_param"]["base_score"], link), n_margins)
    return assemble(
        model, trees, DIALECT, base=base, link=link, n_features=shape["num_feature"],
        categories=_categories(forest, shape["num_feature"]), tolerance=ROUNDING,
    )  # fmt: skip


def _booster(model: Any) -> Any:
    """Return the fitted booster of an estimator whose data have the usual missing value."""
    if not hasattr(model, "_Booster"):
        raise NotExact(f"{type(model).__name__} is not fitted")
    missing = getattr(model, "missing", np.nan)
    if missing is not None and not np.isnan(missing):
        raise NotExact(f"{type(model).__name__} takes {missing!r} for missing; only NaN is read")
    _check_trees(model, getattr(model, "booster", None) or "gbtree")  # saving the linear one would warn, since 3.4
    return model.get_booster()


def _link(model: Any, response: str, objective: str) -> Link:
    """Return what turns the sum of trees into the response."""
    name = type(model).__name__
    if objective in IDENTITY:
        return Link()
    if objective not in LINKS:
        raise NotExact(f"{name} has the objective {objective!r}, which is not read")
    return Link("two classes" if response == "predict_proba" and LINKS[objective] == "logistic" else LINKS[objective])


def _forest(model: Any, booster: Json) -> tuple[Json, Floats]:
    """Return the trees, and the weights of those that predictions use (DART; the best iteration)."""
    _check_trees(model, booster["name"])
    forest = booster["model"] if booster["name"] == "gbtree" else booster["gbtree"]["model"]
    saved = booster.get("weight_drop") or forest.get("weight_drop")  # of DART; beside its trees since 3.4
    weights = np.array(saved or [1.0] * len(forest["trees"]))
    try:
        best = int(model.best_iteration)
    except AttributeError:  # there was no early stopping
        return forest, weights
    return forest, weights[: forest["iteration_indptr"][best + 1]]


def _check_trees(model: Any, booster: str) -> None:
    """Refuse another kind of booster."""
    if booster not in ("gbtree", "dart"):
        raise NotExact(f"{type(model).__name__} has the booster {booster!r}, not trees")


def _arrays(tree: Json, weight: float, output: int) -> Tree:
    """Return the node arrays of one tree."""
    if int(tree["tree_param"]["size_leaf_vector"]) > 1:
        raise NotExact("XGBoost's trees with several outputs each (multi_strategy) are not read")
    left, right = np.array(tree["left_children"]), np.array(tree["right_children"])
    threshold = np.array(tree["split_conditions"], dtype=np.float32).astype(np.float64)  # the values, in leaves
    missing_left = np.array(tree["default_left"], dtype=bool)
    feature = np.array(tree["split_indices"])
    return Tree(feature, threshold, left, right, missing_left, weight * threshold[:, None], output, _subsets(tree))


def _subsets(tree: Json) -> dict[int, Bools]:
    """Return which categories go left at the nodes that split by categories: all but the listed ones."""
    parts = zip(tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"], strict=True)
    subsets = {}
    for node, start, size in parts:
        listed = np.array(tree["categories"][start : start + size], dtype=int)
        flags = np.ones(listed.max() + 2, dtype=bool)
        flags[listed] = False
        subsets[node] = flags
    return subsets


def _base(score: str, link: Link) -> Floats:
    """Return the base score as a margin; it is saved as a prediction."""
    scores = np.atleast_1d(np.array(json.loads(score), dtype=np.float64))
    if link.name in ("logistic", "two classes"):
        return np.log(scores / (1.0 - scores))
    return np.log(scores) if link.name == "exp" else scores


def _categories(forest: Json, n_features: int) -> Categories:
    """Return the categories of the columns that had a categorical dtype at fitting."""
    saved = forest.get("cats", {}).get("enc") or [{}] * n_features
    return tuple(_decode(column) for column in saved)


def _decode(saved: Json) -> tuple[Any, ...] | None:
    """Return one column's categories: strings, saved as bytes and where each begins; or numbers."""
    values, offsets = saved.get("values", []), saved.get("offsets", [])
    if not values:
        return None
    if not offsets:
        return tuple(values)
    if not all(0 <= byte < 128 for byte in values):  # bytes that it divides as if each were a letter
        raise NotExact("XGBoost's categories with letters beyond ASCII are not read")
    text = bytes(values).decode()
    return tuple(text[a:b] for a, b in pairwise(offsets))
