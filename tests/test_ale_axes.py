"""Accumulated local effects: their edges and levels, the rows left out, and what the result holds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from homes import TIGHT, effect, made, points, price, two_prices
from numpy.testing import assert_allclose, assert_array_equal
from oracles_ale import ale, ale_2d

from interpret_pd import FeatureEffect, Predictor


@pytest.fixture
def homes(rng):
    return made(rng)


# axes


def test_heavy_ties_make_fewer_bins():
    X = pd.DataFrame({"a": np.r_[np.full(80, 9.0), np.arange(1.0, 21)], "b": 1.0})
    got = effect(lambda X: X["a"] * X["b"], X, "a", 10)
    assert points(got)[0] == [1, 9, 10, 20]  # half the quantiles are 9
    assert_allclose(np.diff(got.values[0]), np.diff([1, 9, 10, 20]), **TIGHT)


def test_two_values_make_one_bin():
    X = pd.DataFrame({"flag": [0.0, 0, 0, 1], "b": [1.0, 2, 3, 6]})
    got = effect(lambda X: X["flag"] * X["b"], X, "flag", 10)
    assert_allclose(got.values, [[-1.5, 1.5]], **TIGHT)


@pytest.mark.parametrize("grid", [5, "unique"])
def test_one_value_has_no_effect(grid):
    X = pd.DataFrame({"a": [2.0, 2.0], "b": [1.0, 5.0], "c": ["u", "u"]})
    for name in ("a", "c"):
        got = effect(lambda X: X["a"] * X["b"], X, name, grid)
        assert_array_equal(got.values, [[0.0]])
        assert_array_equal(got.counts, [2])
    assert_array_equal(effect(lambda X: X["b"], X, ("a", "b"), grid).values, [[[0.0, 0.0]]])


def test_a_bin_without_rows_adds_nothing_and_is_marked():
    X = pd.DataFrame({"a": [0.0, 1, 9, 10]})
    got = effect(lambda X: X["a"] ** 2, X, "a", [0, 1, 5, 9, 10])
    assert_allclose(np.diff(got.values[0]), [1, 0, 56, 19], **TIGHT)
    assert got.results["n_"].tolist() == [0, 2, 0, 1, 1]


def test_a_whole_bin_without_rows_in_two_features():
    X = pd.DataFrame({"a": [0.0, 1, 9, 10], "b": [0.0, 1, 0, 1]})
    got = effect(lambda X: X["a"] * X["b"], X, ("a", "b"), {"a": [0, 1, 5, 9.5, 10], "b": [0, 1]})
    assert np.isfinite(got.values).all()
    assert got.counts.tolist() == [[0, 0], [0, 2], [0, 0], [0, 1], [0, 1]]


def test_unique_takes_every_value(homes):
    assert points(effect(price, homes, "rooms", "unique"))[0] == [1, 2, 3, 5]


def test_percentiles_leave_the_tails_out(homes):
    got = FeatureEffect(Predictor(price, homes), "size", method="ale", grid=4, percentiles=(0.1, 0.9))
    low, high = np.quantile(homes["size"], [0.1, 0.9], method="inverted_cdf")
    assert (points(got)[0][0], points(got)[0][-1]) == (low, high)
    assert got.left_out == np.sum((homes["size"] < low) | (homes["size"] > high)) > 0
    assert got.counts.sum() + got.left_out == len(homes)


def test_own_edges_are_sorted_and_rows_outside_left_out_and_counted(homes):
    inside = homes[(homes["size"] >= 1) & (homes["size"] <= 6)]
    got = effect(price, homes, "size", [6.0, 1.0, 3.0])
    assert points(got)[0] == [1, 3, 6]
    assert got.left_out == len(homes) - len(inside) > 0
    assert_allclose(got.values, ale(price, inside, "size", [1.0, 3.0, 6.0]), **TIGHT)


def test_fractional_edges_reach_the_model_in_a_column_of_whole_numbers():
    X = pd.DataFrame({"k": np.arange(10)})
    got = effect(lambda X: X["k"] ** 2, X, "k", [0, 2.5, 5.5, 9])
    assert_allclose(np.diff(got.values[0]), [6.25, 24, 50.75], **TIGHT)


def test_missing_and_infinite_values_are_left_out_and_counted(homes):
    holes = homes.copy()
    holes.loc[[3, 5], "size"] = [np.nan, np.inf]
    holes["town"] = holes["town"].astype(object).where(np.arange(len(homes)) != 7, None)

    def blind(X):  # finite whatever is missing
        return price(X.assign(size=X["size"].where(np.isfinite(X["size"]), 0.0), town=X["town"].fillna("bern")))

    for names, missing in (("size", [3, 5]), ("town", [7]), (("size", "town"), [3, 5, 7])):
        got = effect(blind, holes, names)
        assert got.left_out == len(missing)
        assert got.counts.sum() == len(homes) - len(missing)
        kept, axes = holes.drop(index=missing), points(got)
        want = ale(blind, kept, names, axes[0]) if isinstance(names, str) else ale_2d(blind, kept, names, axes)
        assert_allclose(got.values, want, **TIGHT)


def test_dates_have_dates_as_edges():
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(20), unit="D")
    X = pd.DataFrame({"day": days, "b": np.linspace(0, 1, 20)})

    def f(X):
        return (X["day"] - pd.Timestamp("2024-01-01")).dt.days * 2.0 + X["b"]

    got = effect(f, X, "day", 3)
    assert got.results["day"].dtype.kind == "M"
    slopes = np.diff(got.values[0]) / np.diff(got.grid.axes[0].points)
    assert_allclose(slopes, 2, **TIGHT)
    own = effect(f, X, "day", ["2024-01-05", "2024-01-10"])
    assert points(own)[0] == [pd.Timestamp("2024-01-05"), pd.Timestamp("2024-01-10")]
    assert own.left_out == 14


def test_ordered_levels_keep_their_order_and_truth_goes_from_false_to_true(homes):
    assert points(effect(price, homes, "grade"))[0] == ["bad", "fair", "good"]
    assert points(effect(price, homes, "garden"))[0] == [False, True]


def test_own_levels_are_passed_in_the_order_given(homes):
    kept = homes[homes["town"].isin(["york", "bern", "rome"])]
    got = effect(price, homes, "town", ["york", "bern", "rome"])
    assert points(got)[0] == ["york", "bern", "rome"]
    assert list(got.results["town"].cat.categories) == ["york", "bern", "rome"]
    assert got.left_out == len(homes) - len(kept)
    assert_allclose(got.values, ale(price, kept, "town", ["york", "bern", "rome"]), **TIGHT)


def test_a_column_declared_categorical_is_one_of_levels(homes):
    got = effect(price, homes, "rooms", categorical=["rooms"])
    assert sorted(points(got)[0]) == [1, 2, 3, 5]
    assert got.counts.sum() == len(homes) == sum(got.counts)
    assert 0 not in got.counts


def test_rows_without_weight_take_no_part(homes):
    homes = homes.sort_values("size", ignore_index=True)
    weights = np.ones(len(homes))
    weights[:10] = 0
    got, want = effect(price, homes, "size", sample_weight=weights), effect(price, homes.iloc[10:], "size")
    assert points(got) == points(want)
    assert_allclose(got.values, want.values, **TIGHT)
    assert got.counts.sum() == len(homes) - 10
    assert got.left_out == 0


# the result


def test_results_have_the_counts(homes):
    frame = effect(two_prices, homes, ("town", "size")).results
    assert list(frame.columns[:5]) == ["town", "size", "output_", "type_", "value_"]
    assert frame.columns[-1] == "n_"
    assert set(frame["type_"]) == {"ale"}
    assert frame.groupby("output_", observed=True)["n_"].sum().tolist() == [40, 40]
    assert "n_" not in FeatureEffect(Predictor(price, homes), "size").results


def test_other_methods_have_all_rows(homes):
    pdp = FeatureEffect(Predictor(price, homes), "size")
    assert pdp.counts is None
    assert pdp.left_out == 0


def test_predict_reads_between_edges_and_at_levels(homes):
    one = effect(price, homes, "size")
    edges = one.grid.axes[0].points
    middles = (edges[1:] + edges[:-1]) / 2
    assert_allclose(one.predict(middles), (one.values[0, 1:] + one.values[0, :-1]) / 2, **TIGHT)
    assert np.isnan(one.predict([edges[-1] + 1])).all()
    assert_allclose(one.predict([edges[-1] + 1], extrapolate=True), one.values[0, -1], **TIGHT)
    town = effect(price, homes, "town")
    assert_allclose(town.predict(town.results["town"]), town.values[0], **TIGHT)
    both = effect(price, homes, ("town", "size"))
    assert_allclose(both.predict(both.results[["town", "size"]]), both.values[0].ravel(), **TIGHT)


def test_the_target_and_all_classes(homes):
    def chances(X):
        p = 1 / (1 + np.exp(-price(X) / 10))
        return pd.DataFrame({"no": 1 - p, "yes": p})

    every, yes = effect(chances, homes, "size"), effect(chances, homes, "size", target="yes")
    assert every.outputs == ("no", "yes")
    assert_allclose(every.values.sum(axis=0), 0, atol=1e-12)
    assert_allclose(every.values[1], yes.values[0], **TIGHT)


def test_labels_say_what_the_values_are(homes):
    assert effect(price, homes, "size").value_label == "ALE: change in prediction"
    assert effect(price, homes, ("size", "town")).value_label == "Second-order ALE: change in prediction"


def test_the_average_of_an_ale_is_itself(homes):
    got = effect(price, homes, "size")
    again = got.averaged()
    assert again.method == "ale"
    assert_array_equal(again.values, got.values)


def test_both_edges_are_asked_in_one_call(homes):
    sizes = []

    def counted(X):
        sizes.append(len(X))
        return price(X)

    predictor = Predictor(counted, homes)
    reach = {"size": 2, "town": 3, ("size", "rooms"): 4, ("size", "town"): 6, ("town", "grade"): 9}
    for names, most in reach.items():
        FeatureEffect(predictor, names, method="ale")  # the first may ask for the outputs' names too
        sizes.clear()
        FeatureEffect(predictor, names, method="ale")
        assert len(sizes) == 1
        assert sizes[0] <= most * len(homes)
