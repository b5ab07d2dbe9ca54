"""The order of levels that have none: similarity in the other features."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles_ale import distance

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.methods.level_order import QUANTILES, _quantiles, distances, on_a_line, ordered_levels

TOWNS = ["bern", "oslo", "rome", "york"]
MIDDLES = {"rome": 0.0, "bern": 1.0, "york": 2.0, "oslo": 3.0}  # the order in which rents overlap


def rents(rng, n=120):
    town = rng.choice(TOWNS, n)
    rent = np.array([MIDDLES[t] for t in town]) + rng.normal(size=n)
    return pd.DataFrame({"town": town, "rent": rent.round(2), "noise": rng.integers(0, 3, n), "lift": rent > 1.5})


def order(X, name="town", **options):
    predictor = Predictor(lambda X: np.zeros(len(X)), X, **options)
    return list(ordered_levels(predictor, predictor.feature(name)))


def test_neighbours_are_alike_and_the_direction_is_the_features_own(rng):
    assert order(rents(rng)) in (["rome", "bern", "york", "oslo"], ["oslo", "york", "bern", "rome"])


def test_distances_are_the_oracles(rng):
    X = rents(rng)
    predictor = Predictor(lambda X: np.zeros(len(X)), X)
    want = [[distance(X, "town", a, b) for b in TOWNS] for a in TOWNS]
    assert_allclose(distances(predictor, predictor.feature("town")), want, rtol=1e-12, atol=1e-12)


def test_the_order_is_the_same_for_rows_and_columns_in_any_order(rng):
    X = rents(rng)
    first = order(X)
    for _ in range(5):
        assert order(X.iloc[rng.permutation(len(X))]) == first
        assert order(X[list(rng.permutation(X.columns))]) == first


def test_the_order_is_the_same_in_every_container(rng):
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    X = rents(rng)
    assert order(X) == order(pl.DataFrame({c: X[c].tolist() for c in X})) == order(pa.table(X))
    assert order(X) == order(X.assign(town=X["town"].astype("category")))


def test_reversed_distances_do_not_turn_the_line():
    places = np.array([0.2, 3.0, 1.1, 4.0, 2.5])
    D = np.abs(places[:, None] - places)
    assert_array_equal(on_a_line(D), np.argsort(places))
    assert_array_equal(on_a_line(D[::-1, ::-1]), np.argsort(-places[::-1]))


def test_a_line_goes_the_way_of_the_feature_s_own_order():
    places = np.array([4.0, 3.0, 1.0, 0.5, 0.0])
    assert_array_equal(on_a_line(np.abs(places[:, None] - places)), [0, 1, 2, 3, 4])


@pytest.mark.parametrize("L", [3, 4, 7])
def test_levels_that_are_equally_unlike_keep_their_order(L):
    assert_array_equal(on_a_line(1.0 - np.eye(L)), np.arange(L))
    assert_array_equal(on_a_line(np.zeros((L, L))), np.arange(L))


def test_rounding_decides_nothing(rng):
    places = np.array([0.0, 0.0, 1.0, 1.0, 5.0])
    for _ in range(20):
        D = np.abs(places[:, None] - places) + rng.uniform(0, 1e-14, (5, 5))
        assert_array_equal(on_a_line((D + D.T) / 2), [0, 1, 2, 3, 4])


def test_a_line_across_the_feature_s_own_order_starts_on_the_first_side():
    places = np.array([0.0, 2.0, 0.0])  # the middle one apart
    assert_array_equal(on_a_line(np.abs(places[:, None] - places)), [0, 2, 1])


def test_a_feature_alone_keeps_its_order():
    assert order(pd.DataFrame({"town": ["c", "a", "b", "a"]})) == ["a", "b", "c"]


def test_ordered_levels_and_pairs_keep_their_order(rng):
    X = rents(rng).assign(grade=lambda X: pd.Categorical(X["town"], ["york", "rome", "oslo", "bern"], ordered=True))
    assert order(X, "grade") == ["york", "rome", "oslo", "bern"]
    assert order(X, "lift") == [False, True]


def test_missing_values_count(rng):
    X = rents(rng)
    X["lift"] = False
    X["noise"] = 0
    share = {"rome": 0.0, "bern": 0.3, "york": 0.6, "oslo": 0.9}
    X["rent"] = np.where(rng.random(len(X)) < X["town"].map(share), np.nan, 0.0)
    assert order(X) in (["rome", "bern", "york", "oslo"], ["oslo", "york", "bern", "rome"])
    text = X.assign(rent=X["rent"].map({0.0: "here"}))
    assert order(text) == order(X)


def test_a_column_without_any_value_and_infinite_ones_change_nothing(rng):
    X = rents(rng)
    assert order(X.assign(empty=np.nan, never=None, ever=np.inf)) == order(X)


def test_weights_count_as_repeated_rows_do(rng):
    X = rents(rng)
    times = rng.integers(0, 4, len(X))
    repeated = X.loc[np.repeat(X.index, times)]
    assert order(X, sample_weight=times) == order(repeated)
    assert order(X, sample_weight=np.full(len(X), 0.01)) == order(X)


def test_the_axis_has_the_order(rng):
    X = rents(rng)
    effect = FeatureEffect(Predictor(lambda X: X["rent"], X), "town", method="ale")
    assert list(effect.results["town"].cat.categories) == order(X) == effect.results["town"].tolist()


def test_a_declared_categorical_of_numbers_is_ordered_by_similarity(rng):
    X = rents(rng)
    X["code"] = X.pop("town").map({"rome": 3, "bern": 1, "york": 4, "oslo": 2})
    assert order(X, "code", categorical=["code"]) in ([3, 1, 4, 2], [2, 4, 1, 3])


@pytest.mark.parametrize("n", [3, 57, 101, 400])
def test_quantiles_are_the_values_at_or_just_below_those_of_type_7(rng, n):
    x = rng.normal(size=n).round(1)
    at = np.quantile(x, np.linspace(0, 1, QUANTILES)) + 1e-9  # a quantile that is a value, but for rounding
    want = [max(value for value in x if value <= q) for q in at]
    assert_array_equal(_quantiles(x, np.ones(n)), want)
    times = rng.integers(1, 4, n)
    assert_array_equal(_quantiles(x, times.astype(float)), _quantiles(np.repeat(x, times), np.ones(times.sum())))


def test_the_scale_of_distances_changes_nothing(rng):
    places = rng.normal(size=(9, 3))
    D = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
    for scale in (1e-6, 1e6):
        assert_array_equal(on_a_line(scale * D), on_a_line(D))


def test_the_line_is_the_first_principal_component_of_places_that_are_known(rng):
    # classical scaling of Euclidean distances is principal component analysis (Gower, 1966)
    for _ in range(20):
        places = rng.normal(size=(8, 3)) * [3, 1, 0.5]
        D = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
        _, _, components = np.linalg.svd(places - places.mean(axis=0))
        line = (places - places.mean(axis=0)) @ components[0]
        line = line if line @ np.arange(8) > 0 else -line  # the way of the items' own order
        assert_array_equal(on_a_line(D), np.argsort(line))


def test_three_levels_are_put_in_order_and_two_are_not(rng):
    X = rents(rng)
    X = X[X["town"] != "oslo"]
    assert order(X) in (["rome", "bern", "york"], ["york", "bern", "rome"])  # york is last of the alphabet
    assert order(X[X["town"] != "bern"]) == ["rome", "york"]


def test_rows_without_weight_or_without_a_level_say_nothing(rng):
    X = rents(rng)
    weights = np.where(rng.random(len(X)) < 0.5, 0.0, rng.uniform(1, 2, len(X)))
    X["rent"] = np.where(weights > 0, X["rent"], rng.normal(size=len(X)) * 9)

    def far(X, **options):
        predictor = Predictor(lambda X: np.zeros(len(X)), X, **options)
        return distances(predictor, predictor.feature("town"))

    there = weights > 0
    alone = far(X[there], sample_weight=weights[there])
    assert_allclose(far(X, sample_weight=weights), alone)
    assert_allclose(far(X, sample_weight=5 * weights), alone)
    gaps = X.assign(town=X["town"].where(there))
    assert_allclose(far(gaps, sample_weight=np.where(there, weights, 1.0) / 3), alone, rtol=0.05)


def test_a_line_across_goes_by_the_first_item_off_the_middle():
    for places, want in (([0.0, -1, 1, 1, -1, 0.0], [1, 4, 0, 5, 2, 3]), ([1.0, -1, -1, 1], [0, 3, 1, 2])):
        line = np.array(places)
        assert line @ np.arange(len(line)) == 0  # neither way
        for sign in (1, -1):
            assert_array_equal(on_a_line(np.abs(sign * (line[:, None] - line))), want)
