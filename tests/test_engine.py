"""Engines: which one runs, that it is told, and that the numbers are the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba
from numpy.testing import assert_allclose
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression

from interpret_pd import FeatureEffect, Predictor, evaluate, pd_importance
from interpret_pd.evaluate import engine, exact
from interpret_pd.evaluate.engine import run


@pytest.fixture(name="X")
def rounded(rng):
    return pd.DataFrame(rng.normal(size=(120, 4)).round(1), columns=list("abcd"))


@pytest.fixture(name="forest")
def fitted(X):
    return RandomForestRegressor(10, random_state=0).fit(X, X["a"] * X["b"] + X["c"])


@needs_numba
@pytest.mark.parametrize("method", ["pdp", "ice", "pdp+ice", "pdp+cice", "ale"])
@pytest.mark.parametrize("weighted", [False, True])
def test_trees_and_brute_give_the_same_effect(X, forest, rng, method, weighted):
    weights = rng.integers(0, 4, len(X)) if weighted else None
    one, two = (
        FeatureEffect(Predictor(forest, X, engine=name, sample_weight=weights), "a", method=method)
        for name in ("brute", "trees")
    )
    assert (one.engine, two.engine) == ("brute", "trees")
    for kind, values in one.layers.items():
        assert_allclose(two.layers[kind], values, rtol=1e-11, atol=1e-12)
    if one.se is not None:
        assert_allclose(two.se, one.se, rtol=1e-9, atol=1e-12)


@needs_numba
def test_trees_and_brute_give_the_same_surface_and_the_same_classes(X):
    model = GradientBoostingClassifier(n_estimators=8, random_state=0).fit(X, np.resize(["red", "green", "blue"], 120))
    for target in (None, "green", ["red", "blue"]):
        one, two = (
            FeatureEffect(Predictor(model, X, engine=name, target=target), ("a", "c"), grid=5)
            for name in ("brute", "trees")
        )
        assert one.outputs == two.outputs
        assert_allclose(two.values, one.values, rtol=1e-11)


@needs_numba
def test_auto_takes_brute_force_for_a_small_job_and_the_trees_for_a_large_one(X, forest):
    predictor = Predictor(forest, X)
    assert FeatureEffect(predictor, "a", grid=5).engine == "brute"
    assert FeatureEffect(Predictor(forest, pd.concat([X] * 20)), "a").engine == "trees"
    assert predictor.ensemble_reason is None


def test_auto_goes_brute_where_a_reader_refuses_and_keeps_the_reason(X):
    big = pd.concat([X] * 20)
    predictor = Predictor(LinearRegression().fit(X, X["a"]), big)
    assert FeatureEffect(predictor, "a").engine == "brute"
    assert predictor.ensemble_reason == "LinearRegression is not among the sums of trees that are read"
    assert "not trees: LinearRegression" in repr(predictor)


def test_trees_on_request_tell_the_reason(X):
    predictor = Predictor(lambda Z: Z["a"], X, engine="trees")
    with pytest.raises(
        ValueError, match=r"^engine='trees' needs a sum of trees: the model is a function. Use engine='auto'.$"
    ):
        FeatureEffect(predictor, "a")


@needs_numba
def test_a_doctored_ensemble_is_refused_by_its_proof(X, forest):
    forest.estimators_[3].tree_.value[:] += 1e-3  # the trees no longer say what `predict` did when it was read
    predictor = Predictor(forest, X, engine="trees")
    own = forest.predict

    def off(Z):
        return own(Z) + 1e-4

    forest.predict = off
    predictor = Predictor(forest, X, engine="trees")
    with pytest.raises(ValueError, match="do not reproduce its predictions"):
        FeatureEffect(predictor, "a")
    auto = Predictor(forest, pd.concat([X] * 20))
    assert FeatureEffect(auto, "a").engine == "brute"


def test_only_a_refusal_is_caught(X, forest, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(exact, "read", broken)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        FeatureEffect(Predictor(forest, pd.concat([X] * 20)), "a")


@needs_numba
def test_text_columns_are_no_sum_of_trees(X, forest):
    text = X.assign(d="word")
    predictor = Predictor(forest, text, engine="trees")
    with pytest.raises(ValueError, match=r"column 'd' holds .* values, not numbers"):
        FeatureEffect(predictor, "a")


def test_a_hint_at_the_extra_is_given_once_and_for_large_jobs_only(X, forest, monkeypatch, caplog):
    def no_numba(*arguments):
        raise engine.NotExact('the walks are compiled by numba: pip install "interpret-pd[trees]"')

    monkeypatch.setattr(exact, "read", no_numba)
    monkeypatch.setitem(engine._hint.__dict__, "given", False)
    monkeypatch.setattr(engine, "MANY", 10_000)
    small, large = Predictor(forest, X, engine="auto"), Predictor(forest, pd.concat([X] * 20))
    FeatureEffect(small, "a")
    engine._hint("pip install", 10_000)  # not more than that many
    assert not caplog.records
    FeatureEffect(large, "a")
    FeatureEffect(large, "b")
    assert [record.getMessage() for record in caplog.records] == [
        'The same numbers sooner: the walks are compiled by numba: pip install "interpret-pd[trees]"'
    ]
    assert (caplog.records[0].name, caplog.records[0].levelname) == ("interpret_pd", "WARNING")


def test_recursion_is_for_one_question_only(X, forest):
    with pytest.raises(ValueError, match="recursion") as caught:
        run(Predictor(forest, X, engine="recursion"), 1, lambda settled: None)
    only = "engine='recursion' gives FeatureEffect's method='pdp' only. Use engine='auto'."
    assert str(caught.value) == only


@needs_numba
def test_importance_needs_one_pass_for_all_features(X, forest):
    calls = []
    own = forest.predict

    def counted(Z):
        calls.append(len(Z))
        return own(Z)

    forest.predict = counted
    pd_importance(Predictor(forest, X, engine="trees"))
    assert sum(calls) <= 64 + 3 * X.shape[1]  # the proof's rows


@needs_numba
def test_the_proof_asks_for_every_category_and_for_the_ends_and_gaps_of_every_column(rng):
    n = 2_000
    X = pd.DataFrame({"a": rng.normal(size=n), "k": pd.Categorical(rng.choice(["u", "v"], n), list("uvw"))})
    X.loc[3, "k"], X.loc[5, "k"], X.loc[7, "a"] = "w", None, None
    model = HistGradientBoostingRegressor(max_iter=3, categorical_features="from_dtype", min_samples_leaf=1)
    model.fit(X, X["a"].fillna(0) + 3 * (X["k"] == "u") + 9 * (X["k"] == "w"))
    asked, own = [], model.predict
    model.predict = lambda Z: asked.append(Z) or own(Z)
    exact.proved(Predictor(model, X))
    rows = pd.concat(asked)
    assert {*rows["k"]} >= {"u", "v", "w"}
    assert rows.isna().any().all()
    assert (rows["a"].min(), rows["a"].max()) == (X["a"].min(), X["a"].max())
    assert len(rows) <= 64 + 3 + 4


@needs_numba
@pytest.mark.parametrize("names", [["a"], ["a", "b"]])
def test_a_group_whose_rows_have_no_weight_adds_nothing_by_either_engine(X, forest, names):
    weights, groups = np.repeat([0.0, 1.0, 2.0], 40), np.repeat([0, 1, 2], 40)
    points = {name: X[name].array[:5] for name in names}
    found = {}
    for name in ("brute", "trees"):
        predictor = Predictor(forest, X, engine=name, sample_weight=weights)
        found[name] = run(predictor, 10**6, lambda settled: evaluate.group_averages(settled, points, groups)).result
    assert not found["brute"][0].any()
    assert_allclose(found["trees"], found["brute"], rtol=1e-11, atol=1e-12)


@needs_numba
def test_auto_changes_over_at_so_many_predictions_and_earlier_once_the_model_has_been_read(X, forest):
    predictor = Predictor(forest, X)
    answers = [run(predictor, many, lambda settled: settled.engine) for many in (engine.FIRST - 1, engine.FIRST)]
    assert [ran.result for ran in answers] == [ran.engine for ran in answers] == ["brute", "trees"]
    answers = [run(predictor, many, lambda settled: settled.engine) for many in (engine.LATER - 1, engine.LATER)]
    assert [ran.result for ran in answers] == [ran.engine for ran in answers] == ["brute", "trees"]


@needs_numba
@pytest.mark.parametrize("name", ["brute", "trees"])
def test_a_run_counts_its_own_calls_and_seconds_and_leaves_the_predictor_alone(X, forest, name):
    predictor = Predictor(forest, X, engine=name)
    run(predictor, 10**6, lambda settled: settled.outputs)  # the proof's calls, where there is one
    before = list(predictor.calls)
    ran = run(predictor, 10**6, lambda settled: evaluate.average(settled, {"a": X["a"].array[:3]}))
    assert ran.calls == (1 if name == "brute" else 0)
    assert 0 < ran.seconds < 60
    assert predictor.engine == name
    assert predictor.calls == before
    again = run(predictor, 10**6, lambda settled: evaluate.average(settled, {"a": X["a"].array[:3]}))
    assert again.calls == ran.calls  # counted from nought


def test_a_long_refusal_is_cut_in_the_message_and_kept_whole(X, monkeypatch):
    def refusing(*arguments):
        raise engine.NotExact("of a depth " + "x" * 500)

    monkeypatch.setattr(engine, "proved", refusing)
    begin, end = "engine='trees' needs a sum of trees: ", ". Use engine='auto'."
    with pytest.raises(ValueError, match=f"^{begin}of a depth x+ ... x+{end}$") as caught:
        run(Predictor(lambda Z: Z["a"], X, engine="trees"), 1, lambda settled: None)
    assert len(str(caught.value).removeprefix(begin).removesuffix(end)) == 400
    assert caught.value.__suppress_context__
    predictor = Predictor(lambda Z: Z["a"], X)
    assert run(predictor, engine.FIRST, lambda settled: settled.engine).engine == "brute"
    assert predictor.ensemble_reason == "of a depth " + "x" * 500


@needs_numba
def test_whole_numbers_that_lightgbm_rounds_in_an_array_are_refused(rng):
    lgb = pytest.importorskip("lightgbm")
    X = np.c_[rng.integers(2**24, 2**26, 300), rng.integers(0, 9, 300)]
    model = lgb.LGBMRegressor(n_estimators=3, min_child_samples=2, verbose=-1).fit(X, X[:, 0] % 5)
    with pytest.raises(ValueError, match="LightGBM rounds whole numbers beyond 2\\*\\*24 in an array"):
        FeatureEffect(Predictor(model, X, engine="trees"), "x1")
    for data in (X.astype(float), X % 2**20):
        one, two = (FeatureEffect(Predictor(model, data, engine=name), "x0") for name in ("brute", "trees"))
        assert_allclose(two.values, one.values, rtol=1e-11)


@needs_numba
def test_a_categorical_of_truths_is_left_to_the_model(X):
    frame = X[["a"]].assign(k=pd.Categorical(X["b"] > 0))
    model = RandomForestRegressor(3, random_state=0).fit(frame, X["a"])
    with pytest.raises(ValueError, match="column 'k' holds category values, not numbers"):
        FeatureEffect(Predictor(model, frame, engine="trees"), "a")
    assert FeatureEffect(Predictor(model, pd.concat([frame] * 20)), "a").engine == "brute"
