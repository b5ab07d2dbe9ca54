"""Trees: the exact engine for models that are sums of trees.

`read` turns a fitted model into an `Ensemble`, which computes the same averages as predicting every row at every grid
point, in a fraction of the time; or it raises `NotExact` with the reason why this model cannot be walked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.grouped import group_averages
from interpret_pd.trees.pipeline import Preparation, is_of, moved, unwrap
from interpret_pd.trees.proof import prove
from interpret_pd.trees.refusal import NotExact

__all__ = ["Ensemble", "NotExact", "Preparation", "group_averages", "is_of", "moved", "prove", "read", "unwrap"]

# library, class -> module, function; a subclass is read as the first of its ancestors that is listed
READERS = {
    ("sklearn", "DecisionTreeRegressor"): ("_sklearn", "read_tree"),
    ("sklearn", "DecisionTreeClassifier"): ("_sklearn", "read_tree"),  # ExtraTree* are subclasses of these two
    ("sklearn", "RandomForestRegressor"): ("_sklearn", "read_forest"),
    ("sklearn", "RandomForestClassifier"): ("_sklearn", "read_forest"),
    ("sklearn", "ExtraTreesRegressor"): ("_sklearn", "read_forest"),
    ("sklearn", "ExtraTreesClassifier"): ("_sklearn", "read_forest"),
    ("sklearn", "BaggingRegressor"): ("_sklearn", "read_bagging"),
    ("sklearn", "BaggingClassifier"): ("_sklearn", "read_bagging"),
    ("sklearn", "GradientBoostingRegressor"): ("_sklearn", "read_gradient_boosting"),
    ("sklearn", "GradientBoostingClassifier"): ("_sklearn", "read_gradient_boosting"),
    ("sklearn", "IsolationForest"): ("_sklearn", "read_isolation_forest"),
    ("sklearn", "HistGradientBoostingRegressor"): ("_histogram", "read_histogram_boosting"),
    ("sklearn", "HistGradientBoostingClassifier"): ("_histogram", "read_histogram_boosting"),
    ("lightgbm", "LGBMModel"): ("_lightgbm", "read_lightgbm"),
    ("lightgbm", "Booster"): ("_lightgbm", "read_lightgbm"),
    ("xgboost", "XGBModel"): ("_xgboost", "read_xgboost"),
}


def read(
    model: Any, response_method: str, feature_names: Sequence[str], category_columns: Collection[int] = ()
) -> Ensemble:
    """Read a fitted model as a sum of trees.

    Parameters
    ----------
    model : estimator
        A tree, forest, bagged trees, gradient boosting or isolation forest of scikit-learn, LightGBM or XGBoost.
    response_method : {"predict", "predict_proba", "decision_function"}
        The method whose values are averaged.
    feature_names : sequence of str
        The columns of the data.
    category_columns : collection of int, default ()
        The positions of the columns with a categorical dtype; LightGBM matches them by their order.

    Returns
    -------
    Ensemble
        To be proved on rows before it is used, see `prove`.

    Raises
    ------
    NotExact
        If the model is something else, or does something that the walks do not do; the message names it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [3.0, 6.0]])
    >>> tree = DecisionTreeRegressor().fit(X, [1.0, 1.0, 4.0, 4.0])
    >>> ensemble = read(tree, "predict", ["a", "b"])
    >>> prove(ensemble, X, tree.predict(X)[:, None])
    >>> ensemble.average(X, np.ones(4), [(0, np.array([0.5, 2.5]))]).ravel()
    array([1., 4.])
    """
    module, function = _find_reader(model)
    _check_response(model, response_method)
    if find_spec("numba") is None:
        raise NotExact('the walks are compiled by numba: pip install "interpret-pd[trees]"')
    arguments = (tuple(category_columns),) if module == "_lightgbm" else ()
    ensemble = getattr(import_module(f"{__name__}.{module}"), function)(model, response_method, *arguments)
    if len(ensemble.columns) != len(feature_names):
        counts = f"{len(ensemble.columns)} features, the data have {len(feature_names)}"
        raise NotExact(f"{ensemble.name} was fitted on {counts}")
    return ensemble


def _find_reader(model: Any) -> tuple[str, str]:
    """Return the module and function that read models of this class."""
    for ancestor in type(model).__mro__:
        reader = READERS.get((ancestor.__module__.partition(".")[0], ancestor.__name__))
        if reader is not None:
            return reader
    raise NotExact(f"{type(model).__name__} is not among the sums of trees that are read")


def _check_response(model: Any, response_method: Any) -> None:
    """Refuse a method that returns labels, or that is none of the three."""
    name = type(model).__name__
    if response_method not in ("predict", "predict_proba", "decision_function") or not hasattr(model, response_method):
        raise NotExact(f"{name} is not read for the response {response_method!r}")
    if response_method == "predict" and (hasattr(model, "predict_proba") or hasattr(model, "fit_predict")):
        raise NotExact(f"'predict' of {name} returns labels")
