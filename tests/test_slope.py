"""Slopes: ICEbox's numbers, straight lines, parabolas, dates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from reference.closed_form import data, f_reg, golden

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.curves.slope import slopes


def test_slopes_are_those_of_sfsmisc():
    y, x = np.array([[0.0, 1, 4, 9, 20]]), np.array([0.0, 1, 2, 3, 5])
    assert_allclose(slopes(y, x)[0], golden("icebox", "D1tr_example"))


@pytest.mark.parametrize(("key", "feature", "rows"), [
    ("dice_x1_first60rows_custom_fd", "x1", 60), ("dice_x4_custom_fd", "x4", 300),
])  # fmt: skip
def test_d_ice_gives_the_numbers_of_icebox(key, feature, rows):
    X, told = data().iloc[:rows], golden("icebox", key)
    effect = FeatureEffect(Predictor(f_reg, X), feature, method="pdp+ice", grid="unique").derivative()
    assert_allclose(effect.grid.axes[0].points, told["gridpts"])
    first = np.argsort(X[feature].to_numpy(), kind="stable")[:5]  # ICEbox sorts the rows by the feature
    assert_allclose(effect.layers["ice"][0, first], told["d_curves_first5_in_xj_order"], rtol=1e-10, atol=1e-10)
    assert_allclose(effect.layers["pdp"][0], told["dpdp"], rtol=1e-10, atol=1e-10)
    assert_allclose(effect.layers["ice"][0].std(axis=0, ddof=1), told["sd_deriv"], rtol=1e-10, atol=1e-10)


def test_the_slope_of_the_average_is_the_average_of_the_slopes(numbers):
    predictor = Predictor(lambda Z: np.sin(Z["x0"]) * Z["x1"], numbers)
    effect = FeatureEffect(predictor, "x0", method="pdp+ice").derivative()
    assert_allclose(effect.layers["pdp"], effect.layers["ice"].mean(axis=1), atol=1e-12)


@pytest.mark.parametrize("smooth", [None, 3, 5])
def test_a_line_has_its_slope_and_a_smoothed_parabola_its_own(smooth):
    x = np.linspace(-1, 3, 9)
    assert_allclose(slopes(np.array([2 * x + 1]), x, smooth)[0], 2)
    if smooth is not None:
        assert_allclose(slopes(np.array([x**2]), x, smooth)[0], 2 * x, atol=1e-12)


def test_the_order_of_the_points_does_not_matter():
    x, order = np.array([0.0, 1, 3, 4]), [2, 0, 3, 1]
    assert_allclose(slopes(np.array([x**2])[:, order], x[order]), slopes(np.array([x**2]), x)[:, order])


def test_the_slope_along_dates_is_per_day():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=9, freq="12h"), "a": 1.0})
    predictor = Predictor(lambda Z: (Z["day"] - pd.Timestamp("2020-01-01")).dt.total_seconds() / 3600, X)
    effect = FeatureEffect(predictor, "day").derivative()
    assert_allclose(effect.values, 24)
    assert effect.value_label == "Slope of prediction per day of day"


@pytest.mark.parametrize("features", ["x0", ("x0", "x1")])
def test_slopes_need_one_numeric_feature(numbers, features):
    X = numbers.assign(x0=list("abcabcabcabc"))
    effect = FeatureEffect(Predictor(lambda Z: Z["x2"], X), features)
    with pytest.raises(ValueError, match=r"derivative\(\) has no meaning for .* It needs one numeric feature"):
        effect.derivative()


def test_smoothing_needs_equidistant_points_and_an_odd_number_of_them():
    x = np.array([0.0, 1, 3])
    with pytest.raises(ValueError, match="smooth needs equidistant points"):
        slopes(np.zeros((1, 3)), x, 3)
    for smooth in (4, 5):
        with pytest.raises(ValueError, match=r"smooth must be an odd number from 3 to the number of points \(3\); got"):
            slopes(np.zeros((1, 3)), np.arange(3.0), smooth)
