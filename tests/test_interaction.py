"""Friedman's H: against its definition, R's hstats and iml, and what additive models must give."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba
from numpy.testing import assert_allclose
from oracles_rank import h2, pairs
from reference.closed_form import data, f_cls, f_reg, golden, weights
from sklearn.ensemble import RandomForestRegressor

from interpret_pd import Predictor, h_statistic

FEATURES = ["x1", "x2", "x3", "x4", "x5", "c1", "c2", "b"]
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def model(Z):
    town = Z["town"].map({"bern": 1.0, "oslo": 4.0, "rome": 2.0}).to_numpy(float)
    return Z["size"].to_numpy() * town + Z["rooms"].to_numpy() ** 2


@pytest.fixture(name="X")
def three_features(rng):
    n = 9
    return pd.DataFrame(
        {
            "size": rng.uniform(0, 10, n).round(2),
            "rooms": np.resize([1, 2, 3, 5], n),
            "town": np.resize(["oslo", "bern", "rome"], n),
        }
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_h_is_its_definition(X, weighted):
    w = np.arange(1.0, 10.0) if weighted else None
    predictor = Predictor(model, X, sample_weight=w)
    overall = h_statistic(predictor).set_index("feature")["h2"]
    pairwise = h_statistic(predictor, kind="pairwise").set_index(["feature", "feature2"])["h2"]
    for name in X:
        assert_allclose(overall[name], h2(model, X, "overall", [name], w), **TIGHT)
    for pair in pairs(X):
        assert_allclose(pairwise[pair], h2(model, X, "pairwise", list(pair), w), **TIGHT)
    total = h_statistic(predictor, kind="total")
    assert_allclose(total["h2"], h2(model, X, "total", list(X), w), **TIGHT)


@pytest.mark.parametrize(("prefix", "case_weights"), [("reg", None), ("reg_w", weights)])
@pytest.mark.parametrize(("kind", "key"), [("overall", "h2_overall"), ("pairwise", "h2_pairwise"), ("total", "h2")])
def test_h_gives_the_numbers_of_hstats(prefix, case_weights, kind, key):
    X = data()
    predictor = Predictor(f_reg, X[FEATURES], sample_weight=None if case_weights is None else case_weights())
    table, told = h_statistic(predictor, FEATURES, kind=kind), golden("hstats", f"{prefix}_{key}")
    if kind == "total":
        assert_allclose(table["h2"], told, **TIGHT)
        return
    names = [":".join(row) for row in table[[c for c in table if c.startswith("feature")]].to_numpy()]
    assert_allclose(table["h2"], [np.ravel(told[name])[0] for name in names], **TIGHT)
    bare = golden("hstats", f"{prefix}_{key}_unnorm")  # roots of the numerators
    assert_allclose(np.sqrt(table["numerator"]), [np.ravel(bare[name])[0] for name in names], **TIGHT)


def test_h_of_classes_gives_the_numbers_of_hstats():
    predictor = Predictor(f_cls, data()[FEATURES])
    told = golden("hstats", "cls_h2_overall")
    for output, table in h_statistic(predictor).groupby("output", observed=True):
        assert_allclose(table["h2"], [told[name][output] for name in table["feature"]], **TIGHT)
    assert_allclose(h_statistic(predictor, kind="total")["h2"], golden("hstats", "cls_h2"), **TIGHT)


def test_h_gives_the_numbers_of_iml():
    told = golden("iml", "interaction_overall_n300")
    found = h_statistic(Predictor(f_reg, data()[FEATURES])).set_index("feature")["h"]
    assert_allclose(found[told[".feature"]], told[".interaction"], rtol=1e-6, atol=1e-6)  # iml rounds on its way
    told = golden("iml", "interaction_x1_n300")
    table = h_statistic(Predictor(f_reg, data()[FEATURES]), FEATURES, kind="pairwise")
    found = {frozenset(pair): h for *pair, h in table[["feature", "feature2", "h"]].to_numpy()}
    wanted = [frozenset(name.split(":")) for name in told[".feature"]]
    assert_allclose([found[pair] for pair in wanted], told[".interaction"], rtol=1e-6, atol=1e-6)


def test_an_additive_model_has_no_interactions(X):
    predictor = Predictor(lambda Z: np.sin(Z["size"]) * 1e6 + Z["rooms"] ** 2, X)
    for kind in ("overall", "pairwise", "total"):
        assert (h_statistic(predictor, kind=kind)["h"] == 0).all()


@pytest.mark.parametrize("kind", ["overall", "pairwise", "total"])
@pytest.mark.parametrize("factor", [1e-6, -3.0, 1e6])
def test_the_unit_of_the_prediction_changes_no_h(X, kind, factor):
    told, scaled = (h_statistic(Predictor(lambda Z, c=c: c * model(Z), X), kind=kind) for c in (1.0, factor))
    assert_allclose(scaled["h2"], told["h2"], rtol=1e-9, atol=1e-15)
    assert_allclose(scaled["numerator"], factor**2 * told["numerator"], rtol=1e-9, atol=1e-15 * factor**2)


@pytest.mark.parametrize("factor", [1e-6, -1e6])
def test_a_feature_alone_and_an_additive_model_have_none_in_any_unit(X, factor):
    alone = h_statistic(Predictor(lambda Z: factor * (Z["size"] ** 2 + 1), X[["size"]]))
    additive = h_statistic(Predictor(lambda Z: factor * (np.sin(Z["size"]) + Z["rooms"] ** 2 + 1), X), kind="pairwise")
    assert (alone["h"] == 0).all()
    assert (additive["h"] == 0).all()


def test_a_constant_prediction_has_h_zero_and_never_nan(X):
    for kind in ("overall", "pairwise", "total"):
        table = h_statistic(Predictor(lambda Z: np.full(len(Z), 0.1), X), kind=kind)
        assert (table[["h2", "h", "numerator"]] == 0).all(axis=None)


def test_rows_with_missing_values_count_with_them(rng):
    X = pd.DataFrame({"a": rng.normal(size=12), "b": rng.normal(size=12)})
    X.loc[:2, "a"] = np.nan

    def f(Z):
        return Z["a"].fillna(-1.0) * Z["b"]

    filled = X.fillna({"a": -1.0})
    assert_allclose(h_statistic(Predictor(f, X))["h2"], h_statistic(Predictor(f, filled))["h2"])


def test_pairs_are_those_of_the_five_features_that_interact_most_unless_named(rng):
    X = pd.DataFrame(rng.normal(size=(30, 7)), columns=list("abcdefg"))

    def f(Z):
        return Z["f"] * Z["g"] + Z["a"] * Z["b"] * 0.5 + 0.1 * Z["c"] * Z["d"] + Z["e"]

    table = h_statistic(Predictor(f, X), kind="pairwise")
    assert len(table) == 10
    assert {"a", "b", "f", "g"} <= set(table["feature"]) | set(table["feature2"])
    assert "largest overall H" in table.attrs["pairs"]
    assert len(h_statistic(Predictor(f, X), list(X), kind="pairwise")) == 21


def test_a_sample_of_rows_is_drawn_by_its_seed(rng):
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    predictor = Predictor(lambda Z: Z["a"] * Z["b"], X)
    one, two = (h_statistic(predictor, n_max=20, random_state=4) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert one.attrs["n"] == 20
    assert h_statistic(predictor).attrs["n"] == 60


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["overall", "pairwise", "total"])
def test_h_of_a_sample_is_that_of_data_with_its_rows(rng, kind, weighted):
    X = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc")).assign(d=rng.integers(0, 3, 40))
    weights = rng.uniform(1, 2, 40) if weighted else np.ones(40)

    def f(Z):
        return Z["a"] * Z["b"] + Z["c"] * Z["d"] + Z["d"]

    rows = np.sort(np.random.default_rng(4).choice(40, 15, replace=False))
    sampled = h_statistic(Predictor(f, X, sample_weight=weights), kind=kind, n_max=15, random_state=4)
    alone = h_statistic(Predictor(f, X.iloc[rows], sample_weight=weights[rows]), kind=kind)
    pd.testing.assert_frame_equal(sampled, alone)
    assert sampled.attrs["n"] == alone.attrs["n"] == 15


def test_the_tables_say_what_was_done(X):
    predictor = Predictor(model, X)
    tables = {kind: h_statistic(predictor, kind=kind) for kind in ("overall", "pairwise", "total")}
    names = ["h2", "h", "rank", "numerator", "denominator"]
    assert list(tables["overall"]) == ["feature", *names]
    assert list(tables["pairwise"]) == ["feature", "feature2", *names]
    assert list(tables["total"]) == names
    assert tables["pairwise"].attrs == {"pairs": "all pairs of 3 features", "n": 9}
    assert tables["overall"].attrs == tables["total"].attrs == {"n": 9}
    for table in tables.values():
        assert table.index.tolist() == list(range(len(table)))
        assert table["h"].is_monotonic_decreasing
        assert_allclose(table["h"] ** 2, table["h2"])
        assert_allclose(table["numerator"] / table["denominator"], table["h2"])


def test_the_five_features_whose_pairs_are_looked_at_are_named(rng):
    X = pd.DataFrame(rng.normal(size=(20, 6)), columns=list("abcdef"))
    predictor = Predictor(lambda Z: sum((j + 1) * Z[name] * Z["f"] for j, name in enumerate("abcde")) + Z["a"], X)
    overall = h_statistic(predictor)["feature"].tolist()
    table = h_statistic(predictor, kind="pairwise")
    assert table.attrs["pairs"] == (f"the pairs of the 5 features with the largest overall H: {', '.join(overall[:5])}")
    assert set(table["feature"]) | set(table["feature2"]) == set(overall[:5])
    assert h_statistic(predictor, list("abcdef"), kind="pairwise").attrs["pairs"] == "all pairs of 6 features"
    five = h_statistic(Predictor(lambda Z: Z["a"] * Z["b"], X[list("abcde")]), kind="pairwise")
    assert five.attrs["pairs"] == "all pairs of 5 features"


@needs_numba
def test_both_engines_agree(rng):
    X = pd.DataFrame(rng.normal(size=(160, 4)).round(1), columns=list("abcd"))
    forest = RandomForestRegressor(8, random_state=0).fit(X, X["a"] * X["b"] + X["c"])
    for kind in ("overall", "pairwise", "total"):
        tables = [h_statistic(Predictor(forest, X, engine=engine), kind=kind) for engine in ("brute", "trees")]
        pd.testing.assert_frame_equal(*tables, rtol=1e-8)
