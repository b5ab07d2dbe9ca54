"""Importance: Greenwell's measure against its definition, R's vip, and a bootstrap."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from oracles import pdp_2d
from oracles_rank import ice_importance, importance, levels, pair_importance
from reference.closed_form import data, f_cls, f_reg, golden
from sklearn.ensemble import RandomForestRegressor

from interpret_pd import Predictor, pd_importance, plot_importance

FEATURES = ["x1", "x2", "x3", "x4", "x5", "c1", "c2", "b"]


def whole_in_r(most, points):
    """vip takes as.integer() of equidistant points in a column of whole numbers, repeated ones too."""
    return np.trunc(np.linspace(0, most, points) + 1e-12).tolist()


def model(Z):
    """Every kind of feature, with an interaction."""
    town = Z["town"].map({"bern": 1.0, "oslo": 4.0, "rome": 2.0}).to_numpy(float)
    return Z["size"].to_numpy() * town + Z["rooms"].to_numpy() ** 2 + 3 * Z["garden"].to_numpy() + 0.5 * town


@pytest.fixture(name="X")
def every_kind(rng):
    n = 14
    return pd.DataFrame(
        {
            "size": rng.uniform(0, 10, n).round(2),
            "rooms": np.resize([1, 2, 3, 5], n),
            "town": np.resize(["oslo", "bern", "rome"], n),
            "garden": np.resize([True, False, False], n),
            "fixed": np.full(n, 2.0),
        }
    )


def scores(table):
    return table.set_index("feature")["importance"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("method", "oracle"), [("pdp", importance), ("ice", ice_importance)])
def test_importance_is_its_definition(X, method, oracle, weighted):
    weights = np.arange(1.0, 15.0) if weighted else None
    found = scores(pd_importance(Predictor(model, X, sample_weight=weights), method=method))
    for name in X:
        assert_allclose(found[name], oracle(model, X, name, weights)[0], rtol=1e-12, atol=1e-13)


def test_pairwise_importance_is_its_definition(X):
    table = pd_importance(Predictor(model, X), ["size", "rooms", "town"], method="pairwise")
    for row in table.itertuples():
        names = [row.feature, row.feature2]
        kinds, grids = zip(*(levels(X[name]) for name in names), strict=True)
        assert_allclose(row.importance, pair_importance(pdp_2d(model, X, names, grids)[0], *kinds), atol=1e-12)
    assert (table["feature"][0], table["feature2"][0]) == ("size", "town")


def test_the_table_is_sorted_and_says_what_was_done(X):
    table = pd_importance(Predictor(model, X))
    assert list(table) == ["feature", "importance", "rank", "kind", "n_values", "se"]
    assert table["importance"].is_monotonic_decreasing
    assert table["rank"].tolist() == [1, 2, 3, 4, 5]
    told = table.set_index("feature")
    assert told["kind"].to_dict() == {
        "size": "numeric", "rooms": "numeric", "fixed": "numeric", "town": "categorical", "garden": "categorical",
    }  # fmt: skip
    assert told["n_values"].to_dict() == {"size": 14, "rooms": 4, "town": 3, "garden": 2, "fixed": 1}


@pytest.mark.parametrize("method", ["pdp", "ice"])
def test_a_constant_prediction_and_a_constant_feature_have_importance_zero(X, method):
    flat = pd_importance(Predictor(lambda Z: np.full(len(Z), 0.1), X), method=method)
    assert (flat["importance"] == 0).all()
    assert (flat["se"] == 0).all()
    assert scores(pd_importance(Predictor(model, X), method=method))["fixed"] == 0


def test_ice_importance_sees_what_cancels_out_in_the_average():
    X = pd.DataFrame({"a": np.tile([-1.0, 1.0], 10), "b": np.repeat([-1.0, 1.0], 10)})
    predictor = Predictor(lambda Z: Z["a"] * Z["b"], X)
    assert_allclose(pd_importance(predictor)["importance"], 0, atol=1e-15)
    assert_allclose(pd_importance(predictor, method="ice")["importance"], np.sqrt(2))


@pytest.mark.parametrize(
    ("key", "f", "options"),
    [
        ("firm_pd", f_reg, {"grid": 51}),
        ("firm_pd_res20", f_reg, {"grid": 20}),
        ("firm_ice", f_reg, {"grid": 51, "method": "ice"}),
        ("firm_ice_res20", f_reg, {"grid": 20, "method": "ice"}),
        ("firm_pd_cls_red", lambda X: f_cls(X)[:, 0], {"grid": 51}),
    ],
)
def test_a_grid_of_51_points_gives_the_numbers_of_vip(key, f, options):
    told = golden("vip", key)
    X = data()
    predictor = Predictor(f, X[FEATURES])
    found = scores(pd_importance(predictor, **options))
    grid = {"x4": whole_in_r(9, min(options["grid"], 9)), "b": whole_in_r(1, 2)}
    if options["grid"] == 20:  # given, so that it isn't cut to the number of distinct values
        grid = {"x4": whole_in_r(9, 20), "b": whole_in_r(1, 20)}
    found.update(scores(pd_importance(predictor, ["x4", "b"], **{**options, "grid": grid})))
    for name, value in zip(told["Variable"], told["Importance"], strict=True):
        assert_allclose(found[name], value, rtol=1e-10)


def test_a_grid_of_100_points_is_what_alibi_takes(rng):
    X = rng.normal(size=(200, 2))
    table = pd_importance(Predictor(lambda Z: np.exp(Z[:, 0]), X), grid=100)
    points = np.linspace(X[:, 0].min(), X[:, 0].max(), 100)
    assert_allclose(scores(table)["x0"], np.exp(points).std(ddof=1))


def test_several_outputs_are_ranked_each_for_itself(X):
    predictor = Predictor(lambda Z: pd.DataFrame({"one": model(Z), "two": -2 * Z["rooms"].to_numpy(float)}), X)
    table = pd_importance(predictor)
    assert list(table)[:3] == ["feature", "output", "importance"]
    assert table["output"].tolist() == ["one"] * 5 + ["two"] * 5
    assert table.loc[table["output"] == "two", "feature"].iloc[0] == "rooms"
    assert table.loc[table["output"] == "two", "rank"].tolist() == [1, 2, 2, 2, 2]
    plot_importance(table)


@pytest.mark.parametrize("method", ["pdp", "ice", "pairwise"])
def test_the_standard_error_is_that_of_a_bootstrap(rng, method):
    n = 300
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["u", "v", "w"], n)})
    grid = {"a": np.linspace(-2, 2, 9), "b": np.linspace(-2, 2, 7)}

    def f(Z):
        return Z["a"] * (1 + Z["b"]) + (Z["c"] == "u") * Z["b"] * 2

    table = pd_importance(Predictor(f, X), grid=grid, method=method)
    drawn = []
    for _ in range(150):
        again = pd_importance(Predictor(f, X.iloc[rng.integers(n, size=n)]), grid=grid, method=method)
        drawn.append(again.sort_values([c for c in again if c.startswith("feature")])["importance"].to_numpy())
    table = table.sort_values([c for c in table if c.startswith("feature")])
    assert_allclose(table["se"], np.std(drawn, axis=0), rtol=0.45, atol=0.01)


def test_brute_force_says_beforehand_what_it_will_cost(rng):
    X = rng.normal(size=(2500, 3))
    with pytest.warns(UserWarning, match=r"18,750,000 predictions; with grid=100 it would be 750,000\."):
        pd_importance(Predictor(lambda Z: Z[:, 0], X))


def test_both_engines_rank_alike(rng):
    X = pd.DataFrame(rng.normal(size=(150, 4)).round(1), columns=list("abcd"))
    forest = RandomForestRegressor(10, random_state=0).fit(X, X["a"] * X["b"] + X["c"])
    tables = [pd_importance(Predictor(forest, X, engine=engine)) for engine in ("brute", "trees")]
    pd.testing.assert_frame_equal(*tables, rtol=1e-10)
