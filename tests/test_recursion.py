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


RECURSION = "engine='recursion' needs"
OWN = {
    "rows": "method='pdp': paths have no rows for 'ice'",
    "weights": "no sample_weight: the weights are those of the training rows",
    "supported": "by=None and within_support=False: paths have no rows",
    "groups": "by=None and within_support=False: paths have no rows",
    "probabilities": (
        "response_method='decision_function' for a classifier: leaves add up to scores, not to probabilities"
    ),
    "a function": "an estimator of scikit-learn; got a function",
}


@pytest.mark.parametrize(
    ("case", "model", "options", "request_"),
    [
        ("rows", "forest", {}, {"method": "ice"}),
        ("weights", "forest", {"sample_weight": np.ones(200)}, {}),
        ("supported", "forest", {}, {"within_support": True}),
        ("groups", "forest", {"categorical": ["c"]}, {"by": "c"}),
        ("probabilities", "classes", {}, {}),
        ("a function", "function", {}, {}),
    ],
)
def test_what_it_cannot_do_it_refuses_by_name(X, forest, case, model, options, request_):
    models = {
        "forest": forest,
        "classes": GradientBoostingClassifier(n_estimators=2).fit(X, X["a"] > 0),
        "function": forest.predict,
    }
    with pytest.raises(ValueError, match=f"^{RECURSION}") as caught:
        FeatureEffect(Predictor(models[model], X, engine="recursion", **options), "a", **request_)
    hint = "" if case in ("supported", "groups") else " Use engine='auto'."
    assert str(caught.value) == f"{RECURSION} {OWN[case]}.{hint}"


def test_a_scikit_learn_that_takes_no_points_of_ours_is_refused(X, forest, monkeypatch):
    def older(estimator, X, features, *, percentiles=(0.05, 0.95), grid_resolution=100, method="auto"):
        """As it was before 1.7."""

    monkeypatch.setattr("sklearn.inspection.partial_dependence", older)
    with pytest.raises(ValueError, match=f"^{RECURSION}") as caught:
        FeatureEffect(Predictor(forest, X, engine="recursion"), "a")
    needs = "a scikit-learn whose partial_dependence takes custom_values"
    assert str(caught.value) == f"{RECURSION} {needs}. Use engine='auto'."


def test_other_models_and_other_questions_are_refused(X, forest):
    linear = Predictor(LinearRegression().fit(X, X["a"]), X, engine="recursion")
    told = r"^engine='recursion' must be asked of a model that scikit-learn's recursion knows; got LinearRegression\. "
    with pytest.raises(ValueError, match=told + "Only the following estimators") as caught:
        FeatureEffect(linear, "a")
    assert caught.value.__cause__ is not None
    for question in (pd_importance, h_statistic):
        with pytest.raises(ValueError, match=r"^engine='recursion' gives FeatureEffect's method='pdp' only") as caught:
            question(Predictor(forest, X, engine="recursion"))
        assert str(caught.value).endswith("only. Use engine='auto'.")


def test_its_provenance_counts_no_calls_and_the_seconds(X, forest):
    effect = FeatureEffect(Predictor(forest, X, engine="recursion"), "a")
    assert effect.provenance["model_calls"] == 0
    assert 0 < effect.provenance["seconds"] < 60


def test_categorical_features_of_histogram_boosting_are_refused(X):
    # scikit-learn's walk knows no categorical splits, and looks for columns where they were before the encoding
    kinds = X.assign(d=pd.Categorical(np.resize([7, 3, 11], len(X))))
    boosted = HistGradientBoostingRegressor(max_iter=5).fit(kinds, kinds["a"])
    coded = HistGradientBoostingRegressor(max_iter=5, categorical_features=[1]).fit(np.abs(X).round(), X["a"])
    for model, data, feature in ((boosted, kinds, "d"), (boosted, kinds, "a"), (coded, np.abs(X).round(), "a")):
        with pytest.raises(ValueError, match="needs a model without categorical features"):
            FeatureEffect(Predictor(model, data, engine="recursion"), feature)
