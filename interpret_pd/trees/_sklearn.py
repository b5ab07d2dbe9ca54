"""Readers of scikit-learn's trees, forests, bagged trees, gradient boosting and isolation forests.

All of them compare float32(x) with a float64 threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.assemble import assemble
from interpret_pd.trees.columns import Dialect, Floats
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Tree
from interpret_pd.trees.refusal import NotExact, attribute

# the link of a loss, by the name of scikit-learn's own class
LOSS_LINKS = {
    "IdentityLink": Link(),
    "LogLink": Link("exp"),
    "LogitLink": Link("two classes"),
    "HalfLogitLink": Link("two classes", scale=2.0),
    "MultinomialLogit": Link("softmax"),
}


def read_tree(model: Any, _response: str) -> Ensemble:
    """Read a DecisionTree or an ExtraTree."""
    return _average([model], model)


def read_forest(model: Any, _response: str) -> Ensemble:
    """Read a RandomForest or ExtraTrees, any number of targets of a regression."""
    return _average(attribute(model, "estimators_"), model)


def read_bagging(model: Any, _response: str) -> Ensemble:
    """Read bagged trees, drawn features included."""
    estimators = attribute(model, "estimators_")
    for estimator in estimators:
        if not hasattr(estimator, "tree_"):
            reason = f"{type(model).__name__} is read when it bags trees; here it bags {type(estimator).__name__}"
            raise NotExact(reason)
    return _average(estimators, model, attribute(model, "estimators_features_"))


def read_gradient_boosting(model: Any, response: str) -> Ensemble:
    """Read gradient boosting with a constant `init`."""
    stages = attribute(model, "estimators_")  # (iterations, M) regression trees
    rate = attribute(model, "learning_rate")
    trees = [
        arrays(stage[k].tree_, rate * stage[k].tree_.value[:, 0], output=k)
        for stage in stages
        for k in range(stages.shape[1])
    ]
    link = loss_link(model) if response == "predict_proba" else Link()
    dialect = Dialect(single=True, missing=False, infinite=False)
    return assemble(model, trees, dialect, base=_initial(model), link=link)


def read_isolation_forest(model: Any, _response: str) -> Ensemble:
    """Read an isolation forest: its decision is -2 to the power of -(mean depth / expected depth), less the offset."""
    estimators = attribute(model, "estimators_")
    unit = len(estimators) * _expected_depth(attribute(model, "max_samples_"))
    if unit == 0:
        raise NotExact(f"{type(model).__name__} was fitted on single rows")
    lengths, rests = attribute(model, "_decision_path_lengths"), attribute(model, "_average_path_length_per_tree")
    depths = [(length + rest - 1.0)[:, None] / unit for length, rest in zip(lengths, rests, strict=True)]
    features = attribute(model, "estimators_features_")
    trees = [arrays(e.tree_, d, f) for e, d, f in zip(estimators, depths, features, strict=True)]
    link = Link("anomaly", shift=-float(attribute(model, "offset_")))
    return assemble(model, trees, Dialect(single=True), base=np.zeros(1), link=link)


def arrays(tree: Any, values: Floats, features: NDArray[np.integer] | None = None, output: int = 0) -> Tree:
    """Return scikit-learn's node arrays, the features numbered as in the whole data."""
    feature = tree.feature if features is None else np.where(tree.feature < 0, -1, np.asarray(features)[tree.feature])
    missing_left = attribute(tree, "missing_go_to_left").astype(bool)
    return Tree(feature, tree.threshold, tree.children_left, tree.children_right, missing_left, values, output)


def _average(estimators: Sequence[Any], model: Any, features: Sequence[NDArray] | None = None) -> Ensemble:
    """Return the mean of trees' predictions."""
    drawn: Sequence[NDArray | None] = features or (None,) * len(estimators)
    trees = [
        arrays(attribute(e, "tree_"), values / len(estimators), columns)
        for e, values, columns in zip(estimators, _leaf_values(model, estimators), drawn, strict=True)
    ]
    accepts = all(e.__sklearn_tags__().input_tags.allow_nan and e.monotonic_cst is None for e in estimators)
    dialect = Dialect(single=True, missing=accepts, infinite=False)
    return assemble(model, trees, dialect, base=np.zeros(trees[0].values.shape[1]))


def _leaf_values(model: Any, estimators: Sequence[Any]) -> Iterator[Floats]:
    """Yield each tree's (N, K) values: the targets' means, or the classes' shares."""
    classes = getattr(model, "classes_", None)
    if isinstance(classes, list):
        raise NotExact(f"{type(model).__name__} has several targets, each with its own classes")
    for estimator in estimators:
        value = attribute(estimator, "tree_").value  # (N, targets, classes or 1)
        if classes is None:
            yield value[:, :, 0]
        elif value.shape[2] == len(classes):
            yield value[:, 0, :]
        else:  # a bag without rows of some class
            shares = np.zeros((len(value), len(classes)))
            shares[:, np.asarray(estimator.classes_, dtype=int)] = value[:, 0, :]
            yield shares


def _initial(model: Any) -> Floats:
    """Return the constant that boosting starts from, (M,)."""
    init = attribute(model, "init_")
    constant = type(init).__name__ == "DummyRegressor" or getattr(init, "strategy", None) in ("prior", "most_frequent")
    if init != "zero" and not constant:
        raise NotExact(f"{type(model).__name__} starts from a {type(init).__name__}, not from a constant")
    row = np.zeros((1, attribute(model, "n_features_in_")), dtype=np.float32)
    return attribute(model, "_raw_predict_init")(row)[0]


def loss_link(model: Any) -> Link:
    """Return what turns the margins of a boosted model into its predictions."""
    name = type(attribute(attribute(model, "_loss"), "link")).__name__
    if name not in LOSS_LINKS:
        raise NotExact(f"{type(model).__name__} has the unknown link {name}")
    return LOSS_LINKS[name]


def _expected_depth(n: int) -> float:
    """Return the mean depth of an isolation tree grown on n rows (Liu, Ting and Zhou 2008, equation 1)."""
    if n <= 2:
        return float(max(n - 1, 0))
    return 2.0 * (np.log(n - 1.0) + np.euler_gamma) - 2.0 * (n - 1.0) / n
