"""Recursion: scikit-learn's path-dependent curve, on request only. It is not the average over the background data.

Where a tree splits on another feature, both branches are taken, weighted by how the *training* rows went on: fast, and
another quantity wherever features are correlated. It is here so that it can be compared with the partial dependence.
"""

from __future__ import annotations

import inspect

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.grid import Grid
from interpret_pd.predictor import Predictor


def path_dependent(predictor: Predictor, method: str, grid: Grid) -> NDArray[np.float64]:
    """The path-dependent curve at each point of a grid, (K, G1[, G2]).

    Parameters
    ----------
    predictor : Predictor
        Of a model whose trees scikit-learn's `partial_dependence(method="recursion")` reads.
    method : str
        Must be `"pdp"`: paths have no rows.
    grid : Grid
        The points.

    Raises
    ------
    ValueError
        For curves of rows, sample weights, probabilities, categorical features of histogram boosting, and models that
        scikit-learn's recursion doesn't know.
    """
    from sklearn.inspection import partial_dependence

    reason = _refusal(predictor, method)
    if "custom_values" not in inspect.signature(partial_dependence).parameters:
        reason = "a scikit-learn whose partial_dependence takes custom_values"
    if reason:
        raise checks.refused(f"engine='recursion' needs {reason}. Use engine='auto'.")
    names = list(predictor.feature_names)
    points = {names.index(axis.feature.name): axis.points for axis in grid.axes}
    rows = predictor.table.replace(np.arange(predictor.n_rows), {})
    try:
        found = partial_dependence(predictor.model, rows, [*points], custom_values=points, method="recursion")
    except (ValueError, TypeError) as error:
        name = type(predictor.model).__name__
        told = checks.sentence("engine='recursion'", "asked of a model that scikit-learn's recursion knows", name)
        raise checks.refused(f"{told} {error}") from error
    curves = np.asarray(found["average"], float)  # (k, G1[, G2]); one of two classes: its decision function
    return predictor.selection.sign * curves[list(predictor.selection.columns)]


def _refusal(predictor: Predictor, method: str) -> str:
    """What the request lacks, or nothing."""
    if method != "pdp":
        return f"method='pdp': paths have no rows for {method!r}"
    if predictor.weights is not None:
        return "no sample_weight: the weights are those of the training rows"
    if predictor.response.method == "predict_proba":
        return "response_method='decision_function' for a classifier: leaves add up to scores, not to probabilities"
    if predictor.response.method == "callable":
        return "an estimator of scikit-learn; got a function"
    if np.any(getattr(predictor.model, "is_categorical_", False)):  # it reads their splits as numbers, of other columns
        return "a model without categorical features: scikit-learn's recursion misreads their splits"
    return ""
