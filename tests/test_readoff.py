"""Reading an effect off: by table, by straight lines, by bilinear patches."""

from __future__ import annotations

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libraries import pa, pl
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor

X = pd.DataFrame(
    {
        "a": [0.0, 1, 2, 4],
        "k": [1, 2, 3, 5],
        "town": ["oslo", "bern", "rome", "bern"],
        "on": [True, False, True, True],
        "day": pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-05", "2024-01-09"]),
    }
)


def model(Z):
    towns = Z["town"].map({"oslo": 1.0, "bern": 5.0, "rome": -2.0, "lima": 0.0}).to_numpy(float)
    days = (pd.to_datetime(Z["day"]) - pd.Timestamp("2024-01-01")).dt.total_seconds().to_numpy() / 86400
    return Z["a"].to_numpy() ** 2 * towns + 3 * Z["k"].to_numpy() * Z["on"].to_numpy() + days * Z["a"].to_numpy()


def effect(features, **options):
    return FeatureEffect(Predictor(model, X), features, **options)


@pytest.mark.parametrize(
    "features", ["a", "k", "town", "on", "day", ("a", "k"), ("a", "town"), ("town", "on"), ("day", "a")], ids=str
)
def test_at_the_grid_points_it_is_the_effect(features):
    made = effect(features)
    points = pd.DataFrame(made.grid.frame())
    for new in (points, points.sample(frac=1, random_state=0)):
        assert_allclose(made.predict(new), made.values.ravel()[new.index])


@given(x=st.floats(0, 4))
def test_between_points_it_is_the_straight_line(x):
    made = effect("a")
    assert_allclose(made.predict([x])[0], np.interp(x, [0, 1, 2, 4], made.values[0]), atol=1e-12)


@given(x=st.floats(0, 3.99), y=st.floats(1, 4.99))
def test_between_points_of_a_surface_it_is_bilinear(x, y):
    made = effect(("a", "k"))
    want = oracles.bilinear(made.values[0], [0, 1, 2, 4], [1, 2, 3, 5], x, y)
    assert_allclose(made.predict(pd.DataFrame({"k": [y], "a": [x]}))[0], want, atol=1e-9)


def test_the_order_of_the_grid_changes_nothing():
    new = [0.5, 1.5, 3]
    assert_allclose(effect("a", grid=[4, 0, 2, 1]).predict(new), effect("a", grid=[0, 1, 2, 4]).predict(new))


def test_a_repeated_grid_point_does_no_harm():
    assert_allclose(effect("a", grid=[0, 1, 1, 2, 4]).predict([0.5, 1, 3]), effect("a").predict([0.5, 1, 3]))


def test_outside_it_is_missing_or_the_nearest_edge():
    made = effect("a")
    assert np.isnan(made.predict([-1, 9, np.nan, np.inf])).all()
    assert_allclose(made.predict([-1, 9, np.inf], extrapolate=True), made.values[0, [0, -1, -1]])
    assert np.isnan(made.predict([np.nan], extrapolate=True)).all()


def test_a_level_that_is_not_there_is_missing_also_when_extrapolating():
    for extrapolate in (False, True):
        read = effect("town").predict(["oslo", "lima", None], extrapolate=extrapolate)
        assert np.isnan(read).tolist() == [False, True, True]


def test_missing_in_one_of_two_features_is_missing():
    made = effect(("a", "town"))
    new = pd.DataFrame({"a": [np.nan, 1.0, 99.0, 1.0], "town": ["oslo", None, "oslo", "bern"]})
    assert np.isnan(made.predict(new)).tolist() == [True, True, True, False]
    assert np.isnan(made.predict(new, extrapolate=True)).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    "new",
    [
        [0, 1],
        (0.0, 1.0),
        np.array([0, 1]),
        pd.Series([0, 1], index=[7, 7]),
        pd.array([0, 1], dtype="Int64"),
    ],
    ids=lambda new: type(new).__module__ + type(new).__name__,
)
def test_values_of_one_feature_may_come_in_any_sequence(new):
    assert_allclose(effect("a").predict(new), effect("a").values[0, :2])


def test_values_may_come_in_a_series_of_polars():
    assert_allclose(effect("a").predict(pl.Series([0, 1])), effect("a").values[0, :2])
    days = pl.Series(["2024-01-02"]).str.to_date()
    assert_allclose(effect("day").predict(days), effect("day").values[0, :2].mean())


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns),
    "pyarrow": lambda columns: pa.table(columns),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_frames_may_be_of_another_kind_than_the_background_data(make):
    new = make({"town": ["bern", "oslo"], "a": [1.0, 2.0], "more": [0, 0]})
    assert_allclose(effect(("a", "town")).predict(new), effect(("a", "town")).values[0, [1, 2], [0, 1]])


@pytest.mark.parametrize(
    "new",
    [
        ["2024-01-02"],
        [pd.Timestamp("2024-01-02")],
        np.array(["2024-01-02"], "M8[D]"),
    ],
    ids=lambda new: type(new).__name__,
)
def test_dates_may_be_text_or_dates(new):
    assert_allclose(effect("day").predict(new), effect("day").values[0, :2].mean())


def test_an_array_is_read_by_position_if_it_has_all_columns():
    array = X[["a", "k"]].to_numpy()
    made = FeatureEffect(Predictor(lambda Z: Z[:, 0] * 10 + Z[:, 1], array), 1)
    assert_allclose(made.predict(array), made.values[0])
    assert_allclose(made.predict(array[:, 1]), made.values[0])


def test_several_outputs_are_several_columns():
    two = Predictor(lambda Z: np.column_stack([model(Z), -model(Z)]), X)
    read = FeatureEffect(two, "a").predict([0.5, 3])
    assert read.shape == (2, 2)
    assert_allclose(read[:, 0], -read[:, 1])


@pytest.mark.parametrize("method", ["pdp", "ice", "pdp+ice", "cice", "pdp+cice"])
def test_every_method_reads_off_its_average(method):
    made = effect("a", method=method)
    assert_allclose(made.predict([0, 1, 2, 4]), made.averaged().values[0])


def test_one_point_reads_off_there_only():
    made = effect("a", grid=[2])
    assert np.isnan(made.predict([1, 2, 3])).tolist() == [True, False, True]
    assert_allclose(made.predict([1, 2, 3], extrapolate=True), made.values[0, 0])
