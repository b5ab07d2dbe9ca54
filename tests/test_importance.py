"""Importance: Greenwell's measure against its definition, R's vip, and a bootstrap."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba
from numpy.testing import assert_allclose
from oracles import ice, pdp_2d
from oracles_rank import ice_importance, importance, levels, pair_importance, spread
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


def without_each(curves, weights):
    """The weighted means over the rows of curves (n, ...) without each of the rows in its turn."""
    return [np.average(np.delete(curves, i, 0), 0, np.delete(weights, i)) for i in range(len(curves))]


def jackknife(left_out):
    """The delete-one standard error."""
    n = len(left_out)
    return np.sqrt((n - 1) / n * sum((one - sum(left_out) / n) ** 2 for one in left_out))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["size", "town", "garden"])
def test_the_standard_error_of_few_rows_is_the_jackknife_without_each_of_them(X, name, weighted):
    weights = np.arange(1.0, 15.0) if weighted else np.ones(14)
    table = pd_importance(Predictor(model, X, sample_weight=weights), [name])
    is_level, values = levels(X[name])
    left_out = [spread(list(mean), is_level) for mean in without_each(ice(model, X, name, values)[0], weights)]
    assert_allclose(table["se"][0], jackknife(left_out), atol=1e-12)


def test_the_standard_error_of_a_pair_is_the_jackknife_too(X):
    def one_row(i):
        return pdp_2d(model, X.iloc[[i]], ("size", "town"), (sizes, towns))[0]

    sizes, towns = [1.0, 4.0, 9.0], levels(X["town"])[1]
    left_out = [pair_importance(mean, False, True) for mean in without_each([*map(one_row, range(14))], np.ones(14))]
    table = pd_importance(Predictor(model, X), ["town", "size"], method="pairwise", grid={"size": sizes})
    assert_allclose(table["se"][0], jackknife(left_out), atol=1e-12)
    assert (table["kind"][0], table["n_values"][0]) == ("categorical, numeric", 9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["size", "town"])
def test_the_standard_error_of_ice_importance_is_that_of_a_mean_of_spreads(X, name, weighted):
    weights = np.r_[0.0, 0.0, np.arange(1.0, 13.0)] if weighted else np.ones(14)
    table = pd_importance(Predictor(model, X, sample_weight=weights), [name], method="ice")
    is_level, values = levels(X[name])
    own = np.array([spread(list(curve), is_level) for curve in ice(model, X, name, values)[0]])
    w, n = weights / weights.sum(), np.sum(weights > 0)
    assert_allclose(table["se"][0], np.sqrt(np.sum(w**2 * (own - own @ w) ** 2) * n / (n - 1)))


@pytest.mark.parametrize("method", ["pdp", "ice", "pairwise"])
def test_one_row_with_weight_has_no_error_that_could_be_known(X, method):
    table = pd_importance(Predictor(model, X, sample_weight=[1.0] + [0.0] * 13), ["size", "rooms"], method=method)
    assert np.isnan(table["se"]).all()
    assert np.isfinite(table["importance"]).all()


@pytest.mark.parametrize("n", [2, 14])
@pytest.mark.parametrize("method", ["pdp", "ice", "pairwise"])
def test_an_output_among_others_is_what_it_is_alone(X, method, n):
    X, grid = X[["size", "town", "rooms", "garden"]].head(n), {"size": [1.0, 5.0]}
    outputs = {"one": model, "two": lambda Z: 10 + Z["size"].to_numpy() ** 2 * (Z["town"] == "oslo").to_numpy()}
    both = Predictor(lambda Z: pd.DataFrame({name: f(Z) for name, f in outputs.items()}), X)
    table = pd_importance(both, ["size", "town"], grid=grid, method=method)
    assert (table["se"] >= 0).all()
    for name, f in outputs.items():
        alone = pd_importance(Predictor(f, X), ["size", "town"], grid=grid, method=method)
        among = table[table["output"] == name].drop(columns="output").reset_index(drop=True)
        pd.testing.assert_frame_equal(among, alone)


@pytest.mark.parametrize("method", ["pdp", "ice", "pairwise"])
def test_rows_without_weight_are_no_rows(rng, method):
    X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    grid = {"a": [-1.0, 0.0, 2.0], "b": [-1.0, 1.0]}
    weights = np.where(np.arange(60) % 3, rng.uniform(1, 2, 60), 0.0)
    predictors = [Predictor(lambda Z: np.sin(Z["a"] * Z["b"]) + Z["a"], data, sample_weight=weights[data.index])
                  for data in (X, X[weights > 0])]  # fmt: skip
    tables = [pd_importance(predictor, grid=grid, method=method) for predictor in predictors]
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.parametrize("method", ["pdp", "ice"])
def test_curves_held_in_pieces_change_nothing(X, method, monkeypatch):
    whole = pd_importance(Predictor(model, X), method=method)
    monkeypatch.setattr("interpret_pd.importance.CHUNK", 40)
    pd.testing.assert_frame_equal(pd_importance(Predictor(model, X), method=method), whole)


def test_the_pairs_are_all_pairs_of_the_features_asked_for(X):
    table = pd_importance(Predictor(model, X), ["rooms", "garden", "fixed"], method="pairwise", grid=2)
    assert list(table) == ["feature", "feature2", "importance", "rank", "kind", "n_values", "se"]
    pairs = set(zip(table["feature"], table["feature2"], strict=True))
    assert pairs == {("rooms", "garden"), ("rooms", "fixed"), ("garden", "fixed")}
    assert table["rank"].tolist() == [1, 2, 2]
    assert table.index.tolist() == [0, 1, 2]


def test_brute_force_says_beforehand_what_it_will_cost(rng):
    X = rng.normal(size=(2500, 3))
    with pytest.warns(UserWarning, match=r"18,750,000 predictions; with grid=100 it would be 750,000\.") as warned:
        pd_importance(Predictor(lambda Z: Z[:, 0], X))
    assert warned[0].filename == __file__  # the line of the caller


@needs_numba
@pytest.mark.parametrize("method", ["pdp", "ice", "pairwise"])
def test_both_engines_rank_alike(rng, method):
    X = pd.DataFrame(rng.normal(size=(150, 4)).round(1), columns=list("abcd"))
    forest = RandomForestRegressor(10, random_state=0).fit(X, X["a"] * X["b"] + X["c"])
    tables = [
        pd_importance(Predictor(forest, X, engine=engine), grid=6, method=method) for engine in ("brute", "trees")
    ]
    pd.testing.assert_frame_equal(*tables, rtol=1e-10)
