from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from interpret_pd.features import read_feature
from interpret_pd.frames import as_table


def feature(values, categorical=False):
    return read_feature(as_table(pd.DataFrame({"x": values})), "x", categorical)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "numeric"),
        ([1.5, np.nan], "numeric"),
        (pd.array([1, None], dtype="Int64"), "numeric"),
        ([True, False], "categorical"),
        (pd.array([True, None], dtype="boolean"), "categorical"),
        (["a", None], "categorical"),
        (pd.Categorical([1, 2]), "categorical"),
        (pd.to_datetime(["2024-01-01", None]), "date"),
        (pd.to_timedelta([1, 2], unit="D"), "date"),
    ],
)
def test_the_kind_is_that_of_the_column(values, kind):
    assert feature(values).kind == kind


@pytest.mark.parametrize("values", [[2, 1, 2], [2.0, 1.0, np.nan], pd.array([2, 1, None], dtype="Int64")])
def test_numbers_declared_categorical_are_levels(values):
    declared = feature(values, categorical=True)
    assert declared.kind == "categorical"
    assert list(declared.levels) == [1, 2]
    assert declared.values.tolist()[:2] == [1, 0]


def test_missing_and_infinite_values_are_not_distinct_values():
    assert feature([3.0, np.nan, np.inf, -np.inf, 1.0, 1.0]).distinct.tolist() == [1, 3]


def test_a_missing_level_has_the_place_minus_one():
    assert feature(["b", None, "a"]).values.tolist() == [1, -1, 0]


def test_dates_are_days_since_1970_and_durations_are_days():
    assert feature(pd.to_datetime(["1970-01-02 12:00"])).values.tolist() == [1.5]
    assert feature(pd.to_timedelta(["36h"])).values.tolist() == [1.5]


def test_a_zoned_time_is_the_same_instant_anywhere():
    here = pd.Series(pd.to_datetime(["2024-07-01 12:00"])).dt.tz_localize("Europe/Zurich")
    assert feature(here).values.tolist() == feature(here.dt.tz_convert("Asia/Tokyo")).values.tolist()


@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
@pytest.mark.parametrize(
    "time", ["1677-10-01", "1969-12-31 23:59:59.999999", "2024-03-10 03:30", "2050-01-01 00:00:00.000001"]
)
def test_a_date_comes_back_to_the_microsecond(zone, time):
    dates = pd.Series(pd.to_datetime([time])).dt.tz_localize(zone)
    read = feature(dates)
    assert read.readable(read.values).tolist() == dates.tolist()


def test_declared_order_wins_over_the_alphabet_and_unobserved_levels_are_left_out():
    values = pd.Categorical(["mid", "low"], ["none", "low", "mid", "high"], ordered=True)
    read = feature(values)
    assert read.levels == ("low", "mid")
    assert read.ordered
    assert feature(["mid", "low"]).levels == ("low", "mid")
    assert not feature(["mid", "low"]).ordered


def test_levels_that_cannot_be_compared_are_sorted_by_type_and_name():
    assert feature(pd.Series(["b", 2, "a", 1], dtype=object)).levels == (1, 2, "a", "b")


def test_a_level_that_the_data_do_not_hold_joins_at_its_declared_place():
    read = feature(pd.Categorical(["high", "low"], ["low", "mid", "high"]))
    joined = read.with_levels(["mid", "high"])
    assert joined.levels == ("low", "mid", "high")
    assert joined.values.tolist() == [2, 0]
    assert read.with_levels(["low"]) is read


def test_a_level_without_declared_order_joins_in_sorted_order():
    joined = feature(["c", "a", None]).with_levels(["b"])
    assert joined.levels == ("a", "b", "c")
    assert joined.values.tolist() == [2, 0, -1]


@pytest.mark.parametrize("values", [[np.nan], [None], [pd.NaT], [np.inf, -np.inf], pd.Categorical([None], ["a"])])
@pytest.mark.parametrize("categorical", [False, True])
def test_a_feature_without_any_value_is_refused(values, categorical):
    if categorical and np.inf in values:
        return  # infinity is a level like any other
    with pytest.raises(ValueError, match=r"feature 'x' has no non-missing value; there is no effect to draw."):
        feature(values, categorical)


def test_the_largest_whole_numbers_are_read_as_whole():
    read = feature(pd.Series([2**63, 2**64 - 1], dtype="uint64"))
    assert read.readable(read.values).tolist() == [2**63, 2**64 - 1]
    assert read.readable(np.array([-1.0, 2.0**63])).dtype == float  # no dtype holds both
    assert read.readable(np.array([0.5])).dtype == float
