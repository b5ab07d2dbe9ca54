"""PD and ICE against two oracles: double loops, and scikit-learn's brute force."""

from __future__ import annotations

import numpy as np
import oracles
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVR

from interpret_pd import FeatureEffect, Predictor

WEIGHTS = np.array([0, 1, 2, 0.5] * 3)


def closed_form(Z):
    towns = Z["town"].map({"oslo": 1.0, "bern": -2.0, "rome": 0.5}).to_numpy(float)
    states = Z["state"].cat.codes.to_numpy(float)
    days = (pd.to_datetime(Z["sold"]) - pd.Timestamp("2024-01-01")).dt.days.to_numpy(float)
    size, rooms, garden = (Z[name].to_numpy(float) for name in ("size", "rooms", "garden"))
    return np.column_stack([size * rooms + towns * size, states * garden + days * rooms + towns])


GRIDS = {
    "size": [0.5, 3.25, 9],
    "rooms": [1, 2.5, 4],
    "town": ["rome", "bern"],
    "state": ["new", "bad"],
    "garden": [False, True],
    "sold": [pd.Timestamp("2024-01-05"), pd.Timestamp("2024-03-01")],
}


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("name", GRIDS)
def test_pd_is_the_double_loop(mixed, name, weights):
    effect = FeatureEffect(Predictor(closed_form, mixed, sample_weight=weights), name, grid=GRIDS[name])
    assert_allclose(effect.values, oracles.pdp(closed_form, mixed, name, GRIDS[name], weights), atol=1e-12)


@pytest.mark.parametrize("name", GRIDS)
def test_ice_is_the_double_loop(mixed, name):
    effect = FeatureEffect(Predictor(closed_form, mixed), name, method="ice", grid=GRIDS[name])
    assert_allclose(effect.values, oracles.ice(closed_form, mixed, name, GRIDS[name]), atol=1e-12)


@pytest.mark.parametrize("name", GRIDS)
def test_cice_is_the_double_loop(mixed, name):
    anchor = GRIDS[name][-1]
    effect = FeatureEffect(Predictor(closed_form, mixed), name, method="cice", grid=GRIDS[name], center_at=anchor)
    want = oracles.cice(closed_form, mixed, name, GRIDS[name], anchor)
    assert_allclose(effect.values, want, atol=1e-12)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("names", [(a, b) for i, a in enumerate(GRIDS) for b in list(GRIDS)[i + 1 :]], ids=" x ".join)
def test_pd_of_any_two_features_is_the_double_loop(mixed, names, weights):
    grid = {name: GRIDS[name] for name in names}
    effect = FeatureEffect(Predictor(closed_form, mixed, sample_weight=weights), names, grid=grid)
    want = oracles.pdp_2d(closed_form, mixed, names, list(grid.values()), weights)
    assert_allclose(effect.values, want, atol=1e-12)


@pytest.fixture(scope="module", name="train")
def training_data():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(80, 4)), columns=list("abcd"))
    return X, X["a"] * X["b"] + np.sin(2 * X["c"]) + rng.normal(scale=0.1, size=80)


MODELS = [
    LinearRegression(),
    GradientBoostingRegressor(n_estimators=10, random_state=0),
    SVR(),
    KNeighborsRegressor(),
    make_pipeline(StandardScaler(), MLPRegressor(hidden_layer_sizes=(5,), max_iter=20, tol=1.0, random_state=0)),
    RandomForestClassifier(10, random_state=0),
    HistGradientBoostingClassifier(max_iter=10),
    LogisticRegression(),
]


@pytest.mark.parametrize("as_frame", [True, False])
@pytest.mark.parametrize("features", ["c", ("a", "b")], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_pd_and_ice_are_scikit_learns_brute_force(train, model, features, as_frame):
    X, y = train
    y = np.digitize(y, [-0.5, 0.5]) if hasattr(model, "predict_proba") else y
    X = X if as_frame else X.to_numpy()
    names = [features] if isinstance(features, str) else list(features)
    asked = names if as_frame else ["abcd".index(name) for name in names]
    model.fit(X, y)
    kind = "both" if len(names) == 1 else "average"
    theirs = partial_dependence(model, X, asked, method="brute", kind=kind, grid_resolution=7, percentiles=(0, 1))
    ours = FeatureEffect(Predictor(model, X), asked, method="pdp+ice" if kind == "both" else "pdp", grid=7)
    for axis, points in zip(ours.grid.axes, theirs["grid_values"], strict=True):
        assert_allclose(axis.points, points)
    assert_allclose(ours.layers["pdp"], theirs["average"], rtol=1e-6, atol=1e-8)
    if kind == "both":
        assert_allclose(ours.layers["ice"], theirs["individual"], rtol=1e-6, atol=1e-8)


def test_levels_in_a_pipeline_are_scikit_learns_brute_force(train):
    X, y = train
    X = X.assign(town=np.resize(["oslo", "bern", "rome"], 80))
    one_hot = make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough")
    model = make_pipeline(one_hot, LinearRegression()).fit(X, y)
    theirs = partial_dependence(model, X, ["town"], categorical_features=["town"], method="brute", kind="both")
    ours = FeatureEffect(Predictor(model, X), "town", method="pdp+ice")
    assert ours.results["town"].unique().tolist() == theirs["grid_values"][0].tolist()
    assert_allclose(ours.layers["pdp"], theirs["average"])
    assert_allclose(ours.layers["ice"], theirs["individual"])


def test_weights_are_scikit_learns(train):
    X, y = train
    weights = np.random.default_rng(1).uniform(size=80)
    model = SVR().fit(X, y)
    theirs = partial_dependence(
        model, X, ["a"], method="brute", sample_weight=weights, grid_resolution=5, percentiles=(0, 1)
    )
    ours = FeatureEffect(Predictor(model, X, sample_weight=weights), "a", grid=5)
    assert_allclose(ours.values, theirs["average"])
