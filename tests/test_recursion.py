"""The path-dependent curve: scikit-learn's numbers, on request only, and never without its name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba
from numpy.testing import assert_allclose
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LinearRegression

from interpret_pd import FeatureEffect, Predictor, h_statistic, pd_importance


@pytest.fixture(name="X")
def correlated(rng):
    a = rng.normal(size=200)
    return pd.DataFrame({"a": a, "b": a + 0.2 * rng.normal(size=200), "c": rng.normal(size=200)})


@pytest.fixture(name="forest")
def fitted(X):
    return RandomForestRegressor(20, random_state=0).fit(X, X["a"] + X["b"] * X["c"])


def test_it_is_the_curve_of_scikit_learn_and_not_the_partial_dependence(X, forest):
    effect = FeatureEffect(Predictor(forest, X, engine="recursion"), "a")
    told = partial_dependence(forest, X, ["a"], method="recursion", custom_values={"a": effect.grid.axes[0].points})
    assert_allclose(effect.values, told["average"])
    assert np.abs(effect.values - FeatureEffect(Predictor(forest, X), "a").values).max() > 0.05


def test_it_is_named_on_the_axis_and_in_the_provenance(X, forest):
    effect = FeatureEffect(Predictor(forest, X, engine="recursion"), "a")
    assert effect.engine == effect.provenance["engine"] == "recursion"
    assert effect.value_label == "Prediction (path-dependent)"
    assert "path-dependent" in effect.plot().labels.y


@needs_numba
def test_auto_never_chooses_it(X):
    model = HistGradientBoostingRegressor(max_iter=5).fit(X, X["a"])
    assert FeatureEffect(Predictor(model, pd.concat([X] * 30)), "a").engine == "trees"


def test_it_takes_pairs_arrays_and_anchors(X, forest):
    pair = FeatureEffect(Predictor(forest, X, engine="recursion"), ("a", "c"), grid=4)
    assert pair.values.shape == (1, 4, 4)
    array = RandomForestRegressor(5, random_state=0).fit(X.to_numpy(), X["a"])
    effect = FeatureEffect(Predictor(array, X.to_numpy(), engine="recursion"), 0, center_at=0.0)
    assert effect.predict([0.0])[0] == 0


def test_classes_keep_their_names_on_the_scale_of_the_decision_function(X):
    labels = np.resize(["red", "green", "blue"], len(X))
    model = GradientBoostingClassifier(n_estimators=5).fit(X, labels)
    effect = FeatureEffect(Predictor(model, X, engine="recursion", response_method="decision_function"), "a")
    assert effect.outputs == ("blue", "green", "red")
    told = partial_dependence(model, X, ["a"], method="recursion", custom_values={"a": effect.grid.axes[0].points})
    assert_allclose(effect.values, told["average"])


@pytest.mark.parametrize(
    ("options", "request_", "message"),
    [
        (
            {},
            {"method": "ice"},
            "engine='recursion' needs method='pdp': paths have no rows for 'ice'. Use engine='auto'.",
        ),
        (
            {"sample_weight": np.ones(200)},
            {},
            "engine='recursion' needs no sample_weight: the weights are those of the training rows. Use engine='auto'.",
        ),
        (
            {},
            {"within_support": True},
            "engine='recursion' needs by=None and within_support=False: paths have no rows.",
        ),
    ],
)
def test_what_it_cannot_do_it_refuses_by_name(X, forest, options, request_, message):
    with pytest.raises(ValueError, match=r"^engine='recursion' needs") as caught:
        FeatureEffect(Predictor(forest, X, engine="recursion", **options), "a", **request_)
    assert str(caught.value) == message


def test_other_models_and_other_questions_are_refused(X, forest):
    linear = Predictor(LinearRegression().fit(X, X["a"]), X, engine="recursion")
    with pytest.raises(ValueError, match="scikit-learn's recursion knows; got LinearRegression"):
        FeatureEffect(linear, "a")
    for question in (pd_importance, h_statistic):
        with pytest.raises(ValueError, match="gives FeatureEffect's method='pdp' only"):
            question(Predictor(forest, X, engine="recursion"))


def test_categorical_features_of_histogram_boosting_are_refused(X):
    # scikit-learn's walk knows no categorical splits, and looks for columns where they were before the encoding
    kinds = X.assign(d=pd.Categorical(np.resize([7, 3, 11], len(X))))
    boosted = HistGradientBoostingRegressor(max_iter=5).fit(kinds, kinds["a"])
    coded = HistGradientBoostingRegressor(max_iter=5, categorical_features=[1]).fit(np.abs(X).round(), X["a"])
    for model, data, feature in ((boosted, kinds, "d"), (boosted, kinds, "a"), (coded, np.abs(X).round(), "a")):
        with pytest.raises(ValueError, match="needs a model without categorical features"):
            FeatureEffect(Predictor(model, data, engine="recursion"), feature)
