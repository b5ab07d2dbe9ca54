"""Axes: which points, in which order, as which values."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from libraries import pl
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor, h_statistic, pd_importance
from interpret_pd.features import read_feature
from interpret_pd.frames import as_table
from interpret_pd.grid import Grid, Spec, make_axis


def axis(values, asked=20, anchor=None, categorical=False, **layout):
    table = as_table(pd.DataFrame({"x": values}))
    return make_axis(table, read_feature(table, "x", categorical), asked, Spec(asked, **layout), anchor)


def points(values, asked=20, **options):
    return axis(values, asked, **options).values.tolist()


FLOATS = st.lists(st.floats(-1e6, 1e6) | st.just(np.nan) | st.just(np.inf), min_size=1, max_size=60).filter(
    lambda values: np.isfinite(values).any()
)


@given(values=FLOATS, count=st.integers(2, 30), spacing=st.sampled_from(["uniform", "quantile"]))
@settings(deadline=None, max_examples=150)
def test_an_axis_increases_strictly_within_the_data_from_end_to_end(values, count, spacing):
    finite = np.array(values)[np.isfinite(values)]
    got = np.array(points(values, count, spacing=spacing))
    assert np.isfinite(got).all()
    assert len(got) <= count
    assert np.all(np.diff(got) > 0) or len(np.unique(finite)) > count  # equal floats may lie between close ends
    assert got[0] == finite.min()
    assert got[-1] == finite.max()


@given(values=FLOATS, count=st.integers(2, 30))
@settings(deadline=None, max_examples=100)
def test_few_distinct_values_are_the_axis(values, count):
    distinct = np.unique(np.array(values)[np.isfinite(values)])
    got = points(values, count)
    assert (got == distinct.tolist()) or (len(distinct) > count and len(got) == count)


@given(values=st.lists(st.integers(-500, 500), min_size=1, max_size=80), count=st.integers(2, 30))
@settings(deadline=None, max_examples=100)
def test_whole_numbers_stay_whole_on_an_axis_of_ours(values, count):
    for spacing in ("uniform", "quantile"):
        made = axis(values, count, spacing=spacing)
        assert made.values.dtype == np.int64
        assert np.asarray(made.column).dtype == np.int64
        assert len(set(made.values)) == len(made) <= count
        assert (made.values.iloc[0], made.values.iloc[-1]) == (min(values), max(values))


def test_quantile_points_are_values_of_the_data(rng):
    values = rng.exponential(size=200)
    assert set(points(values, 9, spacing="quantile")) <= set(values)


def test_coinciding_quantiles_are_one_point():
    assert points([0.0] * 90 + list(range(1, 31)), 10, spacing="quantile") == [0, 4, 17, 30]


@pytest.mark.parametrize("spacing", ["uniform", "quantile"])
def test_percentiles_leave_the_tails_out(spacing):
    values = np.arange(101.0)
    got = points(values, 11, spacing=spacing, percentiles=(0.05, 0.95))
    assert (got[0], got[-1]) == (5, 95)
    few = points([1.0, 2, 3] * 20 + [100.0], 20, spacing=spacing, percentiles=(0, 0.95))
    assert few == [1, 2, 3]


@pytest.mark.parametrize("percentiles", [[0, 1], (0, 1), np.array([0.0, 1.0]), (np.float32(0), np.int64(1))])
def test_percentiles_may_be_any_pair_of_numbers(percentiles):
    assert points([1.0, 2.0], percentiles=percentiles) == [1, 2]


def test_percentiles_that_coincide_give_the_value_between():
    assert points([2.0] * 98 + [1.0, 50.0], percentiles=(0.05, 0.95)) == [2]


@pytest.mark.parametrize(
    "values", [[7.0], [7.0] * 5, [7, 7], ["a", "a"], [True, True], pd.to_datetime(["2024-01-01"] * 2)]
)
def test_a_constant_has_one_point(values):
    for spacing in ("uniform", "quantile"):
        assert len(points(values, spacing=spacing)) == 1


def test_unique_takes_every_distinct_value(rng):
    values = rng.normal(size=300)
    assert points(values, "unique") == sorted(values)


def test_values_of_the_users_own_are_kept_in_their_order_and_outside_the_range():
    assert points([0.0, 1], [5, -1, 0.5]) == [5, -1, 0.5]
    assert points([0, 1], [5, -1, 2]) == [5, -1, 2]
    assert points(["a", "b", "c"], ["c", "a"]) == ["c", "a"]


@pytest.mark.parametrize(
    "own",
    [
        (1.5, 2),
        [np.float32(1.5), np.int8(2)],
        np.array([1.5, 2]),
        pd.Series([1.5, 2], index=["a", "a"]),
        pd.Index([1.5, 2]),
        pd.array([1.5, 2], dtype="Float64"),
        {1.5: "a", 2: "b"}.keys(),
        (value for value in [1.5, 2]),
        [Decimal("1.5"), 2],
    ],
    ids=lambda own: type(own).__name__,
)
def test_values_may_come_in_any_sequence(own):
    assert points([0.0, 1], own) == [1.5, 2]


def test_values_may_come_in_a_series_of_polars():
    assert points([0.0, 1], pl.Series([1.5, 2])) == [1.5, 2]


@pytest.mark.parametrize(
    "own",
    [
        ["2024-03-01"],
        [pd.Timestamp("2024-03-01")],
        np.array(["2024-03-01"], "M8[D]"),
        np.array(["2024-03-01"], "M8[ns]"),
    ],
)
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_dates_may_be_given_as_text_or_dates_in_the_columns_zone(own, zone):
    dates = pd.Series(pd.to_datetime(["2024-01-01", "2024-06-01"])).dt.tz_localize(zone)
    assert points(dates, own) == [pd.Timestamp("2024-03-01", tz=zone)]


def test_a_number_is_no_date_and_a_date_is_no_number():
    with pytest.raises(ValueError, match="grid must be dates for 'x'"):
        points(pd.to_datetime(["2024-01-01"]), [1, 2])
    with pytest.raises(ValueError, match="grid must be finite numbers for 'x'"):
        points([1.0, 2.0], pd.to_datetime(["2024-01-01"]))
    with pytest.raises(ValueError, match="grid must be dates for 'x'"):
        points(pd.to_timedelta([1, 2], unit="D"), pd.to_datetime(["2024-01-01"]))


def test_whole_days_stay_whole_on_an_axis_of_ours():
    days = pd.Series(pd.date_range("2024-01-01", periods=100))
    got = pd.Series(points(days, 7))
    assert (got == got.dt.normalize()).all()
    assert (got.iloc[0], got.iloc[-1]) == (days.iloc[0], days.iloc[-1])


def test_an_anchor_joins_in_its_place():
    assert points([0.0, 2], anchor=1) == [0, 1, 2]
    assert points([0.0, 2], anchor=-9) == [-9, 0, 2]
    assert points([0.0, 2], anchor=2) == [0, 2]
    assert points([0, 2], anchor=1.5) == [0, 1.5, 2]
    assert points([0.0, 2], [2, 0], anchor=1) == [2, 0, 1]
    assert points(["a", "c"], anchor="b") == ["a", "b", "c"]
    assert points(["a", "c"], ["c"], anchor="a") == ["a", "c"]


def test_a_level_may_be_declared_without_being_in_the_data():
    values = pd.Categorical(["high", "low"], ["low", "mid", "high"])
    assert points(values) == ["low", "high"]
    assert points(values, ["mid"]) == ["mid"]
    with pytest.raises(ValueError, match=r"grid must be levels of 'x'; got 'mids'. Did you mean 'mid'?"):
        points(values, ["mids"])


@pytest.mark.parametrize("values", [[1, 3, 1], [1.0, 3, np.nan]])
def test_a_number_declared_a_level_takes_levels_of_its_type(values):
    assert points(values, 2, categorical=True) == [1, 3]
    assert points(values, [3, 2], categorical=True) == [3, 2] if values[0] is int else True
    with pytest.raises(ValueError, match="grid must be levels of 'x'; got 'a'"):
        points(values, ["a"], categorical=True)


def test_both_truths_may_be_asked_of_a_column_with_one():
    assert points([True, True], [False, True]) == [False, True]


def test_the_product_has_the_last_axis_fastest():
    table = as_table(pd.DataFrame({"a": [1, 2, 3], "b": ["u", "v", "u"]}))
    axes = tuple(make_axis(table, read_feature(table, name), 20, Spec()) for name in ("a", "b"))
    grid = Grid(axes)
    assert grid.shape == (3, 2)
    assert list(grid.points(table)["a"]) == [1, 1, 2, 2, 3, 3]
    assert list(grid.points(table)["b"]) == ["u", "v"] * 3
    assert grid.frame()["b"].tolist() == ["u", "v"] * 3


def test_a_uniform_axis_is_equidistant():
    values = np.r_[0, np.linspace(0.3, 0.4, 99), 1]
    assert_allclose(points(values, 11), np.linspace(0, 1, 11))


# whole numbers that a float doesn't hold

NEAR = 2**60 + 7 * np.arange(10)
NAMES = " Use Predictor(..., categorical=['x']) if they are levels."


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64"])
@pytest.mark.parametrize("asked", [5, "unique"])
def test_the_largest_whole_numbers_stay_whole_and_of_their_dtype(dtype, asked):
    limits = np.iinfo("uint64" if "u" in dtype.lower() else "int64")
    values = pd.Series([limits.min, limits.max, *range(30)], dtype=dtype)
    made = axis(values, asked)
    assert str(made.column.dtype) == str(values.dtype)
    assert made.values.dtype == ("uint64" if "u" in dtype.lower() else "int64")
    assert list(made.column) == made.values.tolist()
    first, last = made.values.iloc[[0, -1]].tolist()
    assert first == limits.min
    assert last == limits.max  # though it is no float
    assert axis(values, [limits.max]).values.tolist() == [limits.max]


@pytest.mark.parametrize("dtype", ["int64", "Int64", "object"])
@pytest.mark.parametrize("options", [{}, {"asked": "unique"}, {"asked": 3, "spacing": "quantile"}, {"anchor": 2**60}])
def test_whole_numbers_that_floats_do_not_tell_apart_are_refused(dtype, options):
    told = f"feature 'x' must be of whole numbers that floats tell apart, as all up to 2**53; got {NEAR[-1]}.{NAMES}"
    with pytest.raises(ValueError) as caught:
        axis(pd.Series(NEAR, dtype=dtype), **options)
    assert str(caught.value) == told
    X = pd.DataFrame({"x": pd.Series(NEAR, dtype=dtype), "z": range(10)})
    predictor = Predictor(lambda Z: np.arange(len(Z)), X)
    for question in (lambda p: FeatureEffect(p, "x", method="ale"), h_statistic, pd_importance):
        with pytest.raises(ValueError) as caught:
            question(predictor)
        assert str(caught.value) == told
    assert FeatureEffect(predictor, "z").support.shape == (10,)  # nobody needs an axis of x
    assert axis(pd.Series(NEAR, dtype=dtype), categorical=True).values.tolist() == NEAR.tolist()


def test_whole_numbers_that_floats_tell_apart_have_an_axis_however_large(rng):
    for values in (2**58 * np.arange(10), rng.integers(2**62, 2**63 - 1, 10), np.arange(10) + 2**53 - 10):
        made = axis(values, "unique")
        assert_allclose(made.values, np.sort(values), rtol=1e-15)
        assert str(made.values.dtype) == str(made.column.dtype) == "int64"


@pytest.mark.parametrize(
    ("argument", "options", "what"),
    [
        ("grid", {"asked": [2**60, 2**60 + 7]}, "finite numbers"),
        ("grid", {"asked": np.array([2**60, 2**60 + 7])}, "finite numbers"),
        ("center_at", {"asked": [2**60], "anchor": 2**60 + 7}, "a finite number"),
    ],
)
def test_a_whole_number_asked_for_is_kept_or_refused(argument, options, what):
    with pytest.raises(ValueError) as caught:
        axis(NEAR, **options)
    holds = f"{argument} must be {what} for 'x' that a float holds, as all whole ones up to 2**53"
    assert str(caught.value) == f"{holds}; got {2**60 + 7}.{NAMES}"
    assert points(NEAR, [2**60, 2**53, -(2**62)]) == [2**60, 2**53, -(2**62)]
    assert points(NEAR.astype(float), [2**60 + 7]) == [2.0**60]  # a column of floats has nothing between


# what is asked for, and nothing near it


@pytest.mark.parametrize("pair", [(0.0, 1.5), (-0.1, 1.0), (0.5, 0.5), (0.9, 0.1), (0.1, 0.5, 0.9), "all"])
def test_percentiles_are_two_increasing_shares(pair):
    with pytest.raises(ValueError, match=r"^percentiles must be two increasing numbers from 0 to 1; got"):
        Spec(percentiles=pair)


def test_a_feature_that_a_mapping_leaves_out_has_twenty_points():
    assert Spec({"b": 5}).of(("a", "b"), lambda name, argument: name) == (20, 5)


@pytest.mark.parametrize(
    ("asked", "anchor", "want"),
    [
        ([1.0, 2.0, 4.0], 3.0, [1, 2, 3, 4]),
        ([1.0, 2.0, 4.0], 2.0, [1, 2, 4]),
        ([5.0, 1.0, 9.0, 2.0], 0.0, [5, 1, 9, 2, 0]),  # an order of the user's own: at its end
        ([1.0, 1.0, 2.0], 1.5, [1, 1, 2, 1.5]),
    ],
)
def test_an_anchor_joins_points_in_their_order_if_they_have_one(asked, anchor, want):
    assert points(np.arange(10.0), asked, anchor=anchor) == want


@pytest.mark.parametrize("slip", ["newyork", "New York", " NEW  YORK "])
def test_a_slip_in_case_or_spaces_is_told(slip):
    told = f"grid must be levels of 'x'; got {slip!r}. Did you mean 'new york'?"
    with pytest.raises(ValueError) as caught:
        points(["new york", "rome"], [slip])
    assert str(caught.value).startswith(told)


def test_what_is_no_date_is_told_as_one_or_several():
    days = pd.date_range("2024-01-01", periods=5)
    with pytest.raises(ValueError, match=r"^center_at must be a date for 'x'; got 'soon'\."):
        points(days, anchor="soon")
    with pytest.raises(ValueError, match=r"^grid must be dates for 'x'; got \['soon'\]\."):
        points(days, ["soon"])
