"""The order of levels that have none: similarity in the other features."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles_ale import distance

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.methods.level_order import distances, on_a_line, ordered_levels

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
