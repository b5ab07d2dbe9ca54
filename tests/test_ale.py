"""Accumulated local effects: the oracle, and the laws that they obey."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from homes import KINDS, NAMES, PAIRS, PRICES, TIGHT, additive, effect, made, points, price, two_prices
from numpy.testing import assert_allclose, assert_array_equal
from oracles_ale import ale, ale_2d


@pytest.fixture
def homes(rng):
    return made(rng)


# the oracle


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_feature_is_the_oracle(homes, rng, name, weighted):
    weights = rng.uniform(0.5, 2, len(homes)) if weighted else None
    got = effect(two_prices, homes, name, sample_weight=weights)
    assert_allclose(got.values, ale(two_prices, homes, name, points(got)[0], weights), **TIGHT)


@pytest.mark.parametrize("names", PAIRS)
def test_every_pair_is_the_oracle(homes, names):
    got = effect(two_prices, homes, names)
    assert_allclose(got.values, ale_2d(two_prices, homes, names, points(got)), **TIGHT)


@pytest.mark.parametrize("names", [("size", "rooms"), ("town", "size"), ("grade", "town")])
def test_weighted_pairs_are_the_oracle(homes, rng, names):
    weights = rng.uniform(0.5, 2, len(homes))
    got = effect(price, homes, names, sample_weight=weights)
    assert_allclose(got.values, ale_2d(price, homes, names, points(got), weights), **TIGHT)


@pytest.mark.parametrize("names", [("size", "rooms"), ("size", "town"), ("town", "grade")])
def test_empty_cells_take_the_nearest_difference(homes, names):
    few = homes.iloc[:14].reset_index(drop=True)
    got = effect(price, few, names, 6)
    assert np.any(got.counts[1:, 1:] == 0)
    assert_allclose(got.values, ale_2d(price, few, names, points(got)), **TIGHT)


# laws


def test_a_linear_model_has_its_coefficients_as_slopes(numbers):
    coefficients = np.array([2.0, -3.0, 0.5])
    for name, coefficient in zip(numbers, coefficients, strict=True):
        got = effect(lambda X: X.to_numpy() @ coefficients, numbers, name)
        assert_allclose(np.diff(got.values[0]) / np.diff(got.grid.axes[0].points), coefficient, **TIGHT)


@pytest.mark.parametrize("names", PAIRS)
def test_the_second_order_effect_of_an_additive_model_is_zero(homes, names):
    assert_allclose(effect(additive, homes, names).values, 0, atol=1e-12)


def test_an_additive_term_is_found_at_levels(homes):
    got = effect(additive, homes, "town")
    terms = np.array([PRICES[level] for level in points(got)[0]])
    assert_allclose(got.values[0], terms - np.mean([PRICES[level] for level in homes["town"]]), **TIGHT)


def test_a_product_of_two_numbers_is_found():
    table = [(float(a), float(b)) for a in range(5) for b in range(5)]
    X = pd.DataFrame(table, columns=["a", "b"])
    got = effect(lambda X: X["a"] * X["b"], X, ("a", "b"), "unique")
    centre = np.mean([0.5, 0.5, 1.5, 2.5, 3.5])
    assert_allclose(got.values[0], np.outer(np.arange(5) - centre, np.arange(5) - centre), **TIGHT)


@pytest.mark.parametrize("names", NAMES)
def test_a_constant_prediction_has_effect_zero(homes, names):
    values = effect(lambda X: np.full(len(X), 3.0), homes, names).values
    assert_array_equal(values, np.zeros_like(values))


@pytest.mark.parametrize("names", PAIRS)
def test_swapping_two_features_transposes(homes, names):
    one, other = effect(price, homes, names, 7), effect(price, homes, names[::-1], 7)
    assert_allclose(one.values, other.values.swapaxes(1, 2), **TIGHT)
    assert_array_equal(one.counts, other.counts.T)


def test_equally_near_cells_are_averaged_whatever_the_order():
    X = pd.DataFrame({"a": [0.0, 1, 2, 3, 0, 3], "b": [0.0, 3, 0, 3, 3, 0]})
    grid = [0.0, 1.0, 2.0, 3.0]
    one = effect(lambda X: (X["a"] * X["b"]) ** 2, X, ("a", "b"), {"a": grid, "b": grid})
    other = effect(lambda X: (X["a"] * X["b"]) ** 2, X, ("b", "a"), {"a": grid, "b": grid})
    assert_allclose(one.values, other.values.swapaxes(1, 2), **TIGHT)


@pytest.mark.parametrize("names", NAMES)
def test_the_mean_over_where_the_rows_stand_is_zero(homes, rng, names):
    weights = rng.uniform(0.5, 2, len(homes))
    got = effect(price, homes, names, sample_weight=weights)
    places = []
    for axis in got.grid.axes:
        if axis.feature.levels is not None:
            places.append([[p, p] for p in axis.feature.values.astype(int)])
        else:
            bins = [max(int(np.searchsorted(axis.points, x)), 1) for x in axis.feature.values]
            places.append([[k - 1, k] for k in bins])
    corners = [list(itertools.product(*row)) for row in zip(*places, strict=True)]
    means = [np.mean([got.values[(0, *corner)] for corner in some]) for some in corners]
    assert_allclose(np.average(means, weights=weights), 0, atol=1e-12)


@pytest.mark.parametrize("names", NAMES)
def test_equal_weights_change_nothing(homes, names):
    plain = effect(price, homes, names).values
    for weight in (1, 2):
        assert_allclose(effect(price, homes, names, sample_weight=np.full(len(homes), weight)).values, plain, **TIGHT)


@pytest.mark.parametrize("names", NAMES)
def test_integer_weights_equal_repeated_rows(homes, rng, names):
    times = rng.integers(0, 4, len(homes))
    repeated = homes.loc[np.repeat(homes.index, times)].reset_index(drop=True)
    one, other = effect(price, homes, names, sample_weight=times), effect(price, repeated, names)
    assert points(one) == points(other)
    assert_allclose(one.values, other.values, **TIGHT)


@pytest.mark.parametrize("names", NAMES)
def test_row_order_batches_and_workers_change_nothing(homes, rng, names):
    plain = effect(price, homes, names).values
    shuffled = homes.iloc[rng.permutation(len(homes))]
    assert_allclose(effect(price, shuffled, names).values, plain, **TIGHT)
    assert_allclose(effect(price, homes, names, batch_rows=7).values, plain, **TIGHT)
    assert_allclose(effect(price, homes, names, n_jobs=2, batch_rows=11).values, plain, **TIGHT)


@pytest.mark.parametrize("names", ["size", "garden", ("size", "rooms"), ("rooms", "garden")])
def test_both_engines_have_the_same_effects(homes, rng, names):
    pytest.importorskip("numba")
    from sklearn.ensemble import RandomForestRegressor

    X = homes[["size", "rooms", "garden"]].astype(float)
    forest = RandomForestRegressor(10, random_state=0).fit(X, price(homes))
    options = {"sample_weight": rng.uniform(0.5, 2, len(X)), "categorical": ["garden"]}
    brute, trees = (effect(forest, X, names, engine=engine, **options) for engine in ("brute", "trees"))
    assert (brute.engine, trees.engine) == ("brute", "trees")
    assert_allclose(trees.values, brute.values, **TIGHT)


@pytest.mark.parametrize("features", [0, (0, 2)])
def test_the_container_changes_nothing(numbers, container, features):
    def product(X):
        a = np.asarray(X) if not hasattr(X, "to_pandas") else X.to_pandas().to_numpy()
        return a[:, 0] * a[:, 1] + a[:, 2] ** 2 * a[:, 0]

    names = [f"x{j}" for j in np.atleast_1d(features)]
    names = names[0] if len(names) == 1 else tuple(names)
    plain = effect(product, numbers, names).values
    assert_allclose(effect(product, container(numbers), names).values, plain, **TIGHT)


def test_text_and_truth_in_polars(homes):
    pl = pytest.importorskip("polars")
    native = pl.DataFrame({name: homes[name].tolist() for name in homes})

    def ask(X):
        assert isinstance(X, pl.DataFrame)
        assert X.schema == native.schema
        return price(pd.DataFrame({name: X[name].to_list() for name in X.columns}))

    for names in ("town", "garden", ("town", "garden"), ("size", "town")):
        assert_allclose(effect(ask, native, names).values, effect(price, homes, names).values, **TIGHT)
