"""What the tree engine does not walk: each refusal by its full message."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from libraries import lgb, needs_numba, xgb
from models import CAT, HOLES, LG, MODELS, THREE, TWO, XG, X, Y, aged, averages
from sklearn import ensemble as ske
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from interpret_pd import trees
from interpret_pd.trees import NotExact, prove, read
from interpret_pd.trees.assemble import assemble
from interpret_pd.trees.columns import Dialect
from interpret_pd.trees.nodes import Tree

pytestmark = needs_numba

NAMES = [f"x{j}" for j in range(5)]


class CatBoostRegressor:
    """Stands for the real one, which is not installed."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        return rows[:, 0]


def linear_trees() -> Any:
    return lgb.LGBMRegressor(linear_tree=True, **LG).fit(X, Y)


REFUSALS = {
    "another model": (
        lambda: KNeighborsRegressor().fit(X, Y), "predict",
        "KNeighborsRegressor is not among the sums of trees that are read",
    ),
    "CatBoost": (CatBoostRegressor, "predict", "CatBoostRegressor is not among the sums of trees that are read"),
    "unfitted forest": (
        ske.RandomForestRegressor, "predict",
        "RandomForestRegressor has no attribute 'estimators_': it is not fitted, or its version is unknown",
    ),
    "unfitted boosting": (
        ske.GradientBoostingRegressor, "predict",
        "GradientBoostingRegressor has no attribute 'estimators_': it is not fitted, or its version is unknown",
    ),
    "unfitted histogram boosting": (
        ske.HistGradientBoostingRegressor, "predict",
        "HistGradientBoostingRegressor has no attribute 'is_categorical_': it is not fitted, or its version is unknown",
    ),
    "unfitted LightGBM": (
        lambda: lgb.LGBMRegressor(), "predict",
        "LGBMRegressor has no attribute 'booster_': it is not fitted, or its version is unknown",
    ),
    "unfitted XGBoost": (lambda: xgb.XGBRegressor(), "predict", "XGBRegressor is not fitted"),
    "other data": (
        lambda: ske.RandomForestRegressor(2).fit(X[:, :4], Y), "predict",
        "RandomForestRegressor was fitted on 4 features, the data have 5",
    ),
    "labels": (
        lambda: ske.RandomForestClassifier(2).fit(X, TWO), "predict",
        "'predict' of RandomForestClassifier returns labels",
    ),
    "anomaly labels": (
        lambda: ske.IsolationForest(n_estimators=2).fit(X), "predict", "'predict' of IsolationForest returns labels",
    ),
    "no such method": (
        lambda: ske.RandomForestRegressor(2).fit(X, Y), "predict_proba",
        "RandomForestRegressor is not read for the response 'predict_proba'",
    ),
    "several targets": (
        lambda: DecisionTreeClassifier().fit(X, np.c_[TWO, THREE]), "predict_proba",
        "DecisionTreeClassifier has several targets, each with its own classes",
    ),
    "bags of others": (
        lambda: ske.BaggingRegressor(LinearRegression(), 2).fit(X, Y), "predict",
        "BaggingRegressor is read when it bags trees; here it bags LinearRegression",
    ),
    "initial model": (
        lambda: ske.GradientBoostingRegressor(n_estimators=2, init=LinearRegression()).fit(X, Y), "predict",
        "GradientBoostingRegressor starts from a LinearRegression, not from a constant",
    ),
    "single rows": (
        lambda: ske.IsolationForest(n_estimators=2, max_samples=1).fit(X), "decision_function",
        "IsolationForest was fitted on single rows",
    ),
    "linear trees": (linear_trees, "predict", "LightGBM's linear trees are not read"),
    "early stop": (
        lambda: lgb.LGBMClassifier(pred_early_stop=True, **LG).fit(X, TWO), "predict_proba",
        "LGBMClassifier stops predicting early (pred_early_stop)",
    ),
    "linear booster": (
        lambda: aged(lambda: xgb.XGBRegressor(booster="gblinear", n_estimators=2).fit(X, Y)), "predict",
        "XGBRegressor has the booster 'gblinear', not trees",
    ),
    "another missing value": (
        lambda: xgb.XGBRegressor(missing=-9.0, **XG).fit(X, Y), "predict",
        "XGBRegressor takes -9.0 for missing; only NaN is read",
    ),
    "hinge": (
        lambda: xgb.XGBClassifier(objective="binary:hinge", **XG).fit(X, TWO), "predict_proba",
        "XGBClassifier has the objective 'binary:hinge', which is not read",
    ),
    "two kinds of splits": (
        lambda: aged(lambda: lgb.LGBMRegressor(**CAT, **LG).fit(
            X, Y, init_model=MODELS["LightGBM"].fitted(), categorical_feature=[4]
        )),
        "predict", "trees split column 4 by its order and by categories",
    ),
    "vector leaves": (
        lambda: xgb.XGBRegressor(multi_strategy="multi_output_tree", **XG).fit(X, np.c_[Y, Y]), "predict",
        "XGBoost's trees with several outputs each (multi_strategy) are not read",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "response", "message"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_reader_refuses_by_name(make, response, message):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the libraries say at fitting
        model = make()
    with pytest.raises(NotExact) as refusal:
        read(model, response, NAMES)
    assert str(refusal.value) == message


def test_categorical_columns_are_matched_by_their_number():
    with pytest.raises(NotExact, match=r"^LGBMRegressor was fitted on 0 categorical columns, the data have 1$"):
        read(MODELS["LightGBM"].fitted(), "predict", NAMES, category_columns=[2])


def test_another_version_of_the_text_is_refused():
    booster = MODELS["LightGBM"].fitted().booster_
    text = booster.model_to_string().replace("version=v4", "version=v9")
    model = type("Booster", (), {"__module__": "lightgbm", "model_to_string": lambda self: text, "predict": None})()
    with pytest.raises(NotExact, match=r"^Booster has a model of version 'v9'; version 'v4' is read$"):
        read(model, "predict", NAMES)


def test_a_part_that_another_version_lacks_is_named():
    model = ske.HistGradientBoostingRegressor(max_iter=2).fit(X, Y)
    model._loss = SimpleNamespace()
    with pytest.raises(
        NotExact, match=r"^SimpleNamespace has no attribute 'link': it is not fitted, or its version is"
    ):
        read(model, "predict", NAMES)
    model._loss = SimpleNamespace(link=np.zeros(1))
    with pytest.raises(NotExact, match=r"^HistGradientBoostingRegressor has the unknown link ndarray$"):
        read(model, "predict", NAMES)


def test_a_split_at_nan_is_refused():
    """scikit-learn makes one where a percentile lies between a number and infinity; nothing goes left there."""
    model = ske.HistGradientBoostingRegressor(max_iter=2).fit(X, Y)
    root = model._predictors[0][0].nodes[:1]
    root["num_threshold"] = np.nan
    with pytest.raises(NotExact, match=rf"^trees compare column {root['feature_idx'][0]} with NaN$"):
        read(model, "predict", NAMES)


@pytest.mark.parametrize(("feature", "output"), [(5, 0), (4, 1)])
def test_trees_beyond_the_arrays_of_the_walks_are_refused(feature, output):
    ends, values = np.array([-1, -1]), np.zeros((3, 1))
    tree = Tree(np.array([feature, 0, 0]), np.zeros(3), np.array([1, *ends]), np.array([2, *ends]), np.zeros(3, bool),
                values, output)  # fmt: skip
    with pytest.raises(NotExact, match=r"^SimpleNamespace has trees for more features or outputs than it says$"):
        assemble(SimpleNamespace(n_features_in_=5), [tree], Dialect(), base=np.zeros(1))


def test_without_numba_the_reason_says_what_to_install(monkeypatch):
    monkeypatch.setattr(trees, "find_spec", lambda name: None)
    with pytest.raises(NotExact) as refusal:
        read(MODELS["forest"].fitted(), "predict", NAMES)
    assert str(refusal.value) == 'the walks are compiled by numba: pip install "interpret-pd[trees]"'


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("boosting", np.nan, "GradientBoostingRegressor does not accept missing values"),
        ("boosting", np.inf, "GradientBoostingRegressor does not accept infinite values"),
        ("forest", 1e39, "RandomForestRegressor does not accept infinite values"),  # infinite in float32
        ("XGBoost", -np.inf, "XGBRegressor does not accept infinite values"),
    ],
)
def test_values_that_the_library_refuses_are_left_to_it(name, value, message):
    ensemble, rows = read(MODELS[name].fitted(), "predict", NAMES), X.copy()
    rows[3, 1] = value
    ones = np.ones(len(X))
    for compute in (
        lambda: ensemble.predict(rows),
        lambda: ensemble.cube(rows, [(0, X[:3, 0])]),
        lambda: ensemble.average(X, ones, [(1, rows[:5, 1])]),
        lambda: averages(ensemble, rows, ones, [(0, X[:3, 0]), (2, X[:3, 2])]),
        lambda: ensemble.average_at(X, ones, (1, 0), rows[:5, [1, 0]]),
    ):
        with pytest.raises(NotExact) as refusal:
            compute()
        assert str(refusal.value) == message
    assert np.isfinite(ensemble.average(rows, ones, [(1, X[:5, 1])])).all()  # the column is pinned: nobody sees it


@pytest.mark.parametrize("name", MODELS.keys())
def test_a_doctored_ensemble_is_refused(name):
    model = MODELS[name]
    ensemble = read(model.fitted(), model.response, NAMES)
    rows = (HOLES if model.missing else X)[:64]
    encoded = np.column_stack([ensemble.encode(j, rows[:, j]) for j in range(5)])
    predictions = np.asarray(getattr(model.fitted(), model.response)(rows), dtype=float).reshape(len(rows), -1)
    prove(ensemble, encoded, predictions)
    nodes = ensemble.table.nodes.copy()
    nodes[:, 1] = np.where((nodes[:, 0] >= 0) & (nodes[:, 3] < 2), nodes[:, 1] + 2, nodes[:, 1])
    for doctored in (
        replace(ensemble, base=ensemble.base + 0.01 * np.arange(1, len(ensemble.base) + 1)),
        replace(ensemble, table=replace(ensemble.table, values=ensemble.table.values * 1.001)),
        replace(ensemble, table=replace(ensemble.table, nodes=nodes)),
        replace(ensemble, table=replace(ensemble.table, roots=ensemble.table.roots[1:])),
    ):
        with pytest.raises(NotExact, match=r"^the trees read from .* do not reproduce its predictions"):
            prove(doctored, encoded, predictions)
    with pytest.raises(NotExact, match=r"returns an array of shape"):
        prove(ensemble, encoded, predictions[:, :0])


def test_a_subclass_is_read_as_its_ancestor_and_proved():
    class Shifted(ske.RandomForestRegressor):
        def predict(self, rows: np.ndarray) -> np.ndarray:
            return super().predict(rows) + 1.0

    model = Shifted(3, random_state=0).fit(X, Y)
    with pytest.raises(NotExact, match=r"^the trees read from Shifted do not reproduce its predictions .off by 1.$"):
        prove(read(model, "predict", NAMES), X, model.predict(X)[:, None])


@pytest.mark.parametrize("size", [1e-30, 1e-11, 1e9])
def test_a_proof_knows_no_unit(size):
    """What differs by a thousandth is refused, and rounding is not, however small or large the predictions."""
    for model in (ske.RandomForestRegressor(3, random_state=0), xgb.XGBRegressor(**XG)):
        predictions = model.fit(X, size * Y).predict(X).astype(float)[:, None]
        prove(read(model, "predict", NAMES), X, predictions)
        with pytest.raises(NotExact, match=r"do not reproduce its predictions"):
            prove(read(model, "predict", NAMES), X, 1.001 * predictions)
