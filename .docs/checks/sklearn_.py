"""scikit-learn."""

import inspect

import numpy as np
import pandas as pd
from common import AXIS, CALLS, RNG, X, answer, by_hand, model, version, without
from sklearn import inspection
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.inspection import PartialDependenceDisplay, partial_dependence
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder


class Counting(RegressorMixin, BaseEstimator):
    """The counting function as an estimator."""

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return model(X)


fitted = Counting().fit(X, X[:, 0])
version("scikit-learn")
at = {0: AXIS}
answer("PD", lambda: np.allclose(partial_dependence(fitted, X, [0], custom_values=at)["average"][0], by_hand()))
answer(
    "calls for 20 points",
    lambda: (partial_dependence(fitted, X, [0], grid_resolution=20, percentiles=(0, 1)), len(CALLS))[1],
)
answer("a plain function", lambda: partial_dependence(model, X, [0]))
answer("ICE", lambda: partial_dependence(fitted, X, [0], kind="individual")["individual"].shape)
answer("two features", lambda: partial_dependence(fitted, X, [(0, 1)], grid_resolution=5)["average"].shape)
answer("three features", lambda: partial_dependence(fitted, X, [0, 1, 2], grid_resolution=5)["average"].shape)
answer("centred, arguments", lambda: inspect.signature(PartialDependenceDisplay.from_estimator).parameters["centered"])
answer("weights", lambda: partial_dependence(fitted, X, [0], sample_weight=np.r_[1.0, np.zeros(199)])["average"].shape)
answer("error of the average", lambda: list(partial_dependence(fitted, X, [0])))
three = LogisticRegression().fit(X, X.argmax(axis=1))
answer("three classes in a call", lambda: partial_dependence(three, X, [0])["average"].shape)
answer("three classes in a picture", lambda: PartialDependenceDisplay.from_estimator(three, X, [0]))
town = pd.DataFrame({"town": RNG.choice(["a", "b", "c"], 200), "x": X[:, 0]})
pipe = make_pipeline(OrdinalEncoder(), GradientBoostingRegressor()).fit(town, X[:, 0])
answer("levels as text", lambda: partial_dependence(pipe, town, ["town"], categorical_features=["town"])["grid_values"])
trees = GradientBoostingRegressor().fit(X, model(X))
auto, brute = (partial_dependence(trees, X, [0], method=m, kind="average")["average"][0] for m in ("auto", "brute"))
answer("trees, auto: brute's curve", lambda: np.allclose(auto, brute))
answer("  shapes differ, centred, by", lambda: np.abs((auto - auto.mean()) - (brute - brute.mean())).max().round(3))
answer(
    "ALE, H, PD importance",
    lambda: without(dir(inspection), "ale", "accumul", "inter", "h_stat", "importance", "deriv", "slope"),
)
answer("SHAP, regions", lambda: without(dir(inspection), "shap", "region"))
answer(
    "permutation importance",
    lambda: inspection.permutation_importance(fitted, X, model(X), n_repeats=2)["importances_mean"].shape,
)


def polars_frame():
    import polars as pl

    frame = pl.DataFrame(X, schema=["a", "b", "c"])
    return partial_dependence(GradientBoostingRegressor().fit(frame, X[:, 0]), frame, ["a"])["average"].shape


answer("polars", polars_frame)


def drawn():
    import matplotlib

    matplotlib.use("Agg")
    return type(PartialDependenceDisplay.from_estimator(fitted, X, [0]).figure_)


answer("picture", drawn)
