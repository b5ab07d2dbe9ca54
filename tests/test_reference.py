"""The numbers of R's iml, pdp, ICEbox and hstats on closed-form models; reference/README.md says how they were made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from reference.closed_form import CLASSES, data, f_cls, f_named, f_reg, golden, weights

from interpret_pd import FeatureEffect, Predictor

TIGHT = {"rtol": 1e-12, "atol": 1e-12}


@pytest.fixture(scope="module", name="X")
def rows():
    return data()


@pytest.fixture(scope="module")
def predictor(X):
    return Predictor(f_reg, X)


@pytest.fixture(scope="module")
def classes(X):
    return Predictor(f_named, X)


def columns(package, key):
    return {name: np.array(column) for name, column in golden(package, key).items()}


def test_the_python_models_are_the_models_of_r(X):
    assert_allclose(f_reg(X), golden("closed_form", "f_reg"), **TIGHT)
    assert_allclose(f_cls(X), golden("closed_form", "f_cls"), **TIGHT)


@pytest.mark.parametrize(
    ("package", "key", "feature", "value"),
    [
        ("iml", "pdp_x1_g50", "x1", ".value"),
        ("iml", "pdp_x4int_g6", "x4", ".value"),
        ("iml", "pdp_x4dbl_g20", "x4", ".value"),
        ("iml", "pdp_x5_g20", "x5", ".value"),
        ("iml", "pdp_x1_gridpoints", "x1", ".value"),
        ("iml", "pdp_c1", "c1", ".value"),
        ("iml", "pdp_c2ord", "c2", ".value"),
        ("pdp", "x1_default", "x1", "yhat"),
        ("pdp", "x4dbl_default", "x4", "yhat"),
        ("pdp", "x4int_default", "x4", "yhat"),
        ("pdp", "x5_quantiles_default_probs", "x5", "yhat"),
        ("pdp", "x5_trim", "x5", "yhat"),
        ("pdp", "c1_factor", "c1", "yhat"),
        ("pdp", "c2_ordered", "c2", "yhat"),
        ("pdp", "x1_predgrid", "x1", "yhat"),
        ("hstats", "pd_x1_default", "x1", "y"),
        ("hstats", "pd_x5_g20_quantile", "x5", "y"),
        ("hstats", "pd_x4", "x4", "y"),
    ],
)
def test_pd_of_one_feature(predictor, package, key, feature, value):
    want = columns(package, key)
    effect = FeatureEffect(predictor, feature, grid=list(want[feature].tolist()))
    assert effect.results[feature].tolist() == want[feature].tolist()
    assert_allclose(effect.values[0], want[value], **TIGHT)


@pytest.mark.parametrize(
    ("package", "key", "feature", "options"),
    [
        ("iml", "pdp_x1_default", "x1", {}),
        ("iml", "pdp_x1_g20", "x1", {"grid": 20}),
        ("iml", "pdp_x1_g50", "x1", {"grid": 50}),
        ("iml", "pdp_x5_g20", "x5", {"grid": 20}),
        ("iml", "pdp_x4int_g6", "x4", {"grid": 6}),
        ("hstats", "pd_x1_g20_trim01", "x1", {"grid": 20}),
        ("hstats", "pd_x1_default", "x1", {"grid": 49, "percentiles": (0.01, 0.99)}),
        ("hstats", "pd_x1_g20_quantile", "x1", {"grid": 20, "spacing": "quantile", "percentiles": (0.01, 0.99)}),
        ("hstats", "pd_x4", "x4", {}),
    ],
)
def test_our_own_grid_where_the_conventions_agree(predictor, package, key, feature, options):
    want = columns(package, key)
    effect = FeatureEffect(predictor, feature, **options)
    assert_allclose(effect.results[feature].astype(float), want[feature], **TIGHT)
    assert_allclose(effect.values[0], want["y" if package == "hstats" else ".value"], **TIGHT)


@pytest.mark.parametrize(
    ("package", "key", "feature"),
    [
        ("iml", "ice_x1_g20", "x1"),
        ("iml", "ice_x4int_g20", "x4"),
        ("iml", "ice_x5_g20", "x5"),
        ("iml", "ice_c1", "c1"),
        ("pdp", "x1_ice_res10", "x1"),
        ("hstats", "ice_x1_g10", "x1"),
    ],
)
def test_ice(predictor, package, key, feature):
    want = golden(package, key)
    effect = FeatureEffect(predictor, feature, method="pdp+ice", grid=want["grid"])
    assert effect.values.shape == (1, want["n_curves"], len(want["grid"]))
    assert_allclose(effect.values[0, :5], want["curves_rows_1_to_5"], **TIGHT)
    assert_allclose(effect.values[0].std(axis=0, ddof=1), want["sd"], **TIGHT)
    assert_allclose(effect.layers["pdp"][0], want["mean"], **TIGHT)


@pytest.mark.parametrize(
    ("package", "key", "feature", "anchor"),
    [
        ("iml", "ice_x1_g20_center0", "x1", 0),
        ("iml", "ice_x4int_g6_center2", "x4", 2),
        ("iml", "pdp_ice_x1_g20_center0_icerows", "x1", 0),
        ("pdp", "x1_cice_res10", "x1", None),
        ("pdp", "c1_cice", "c1", None),
        ("pdp", "x5_cice_quantiles", "x5", None),
    ],
)
def test_cice(predictor, package, key, feature, anchor):
    want = golden(package, key)
    effect = FeatureEffect(predictor, feature, method="pdp+cice", grid=want["grid"], center_at=anchor)
    assert_allclose(effect.values[0, :5], want["curves_rows_1_to_5"], **TIGHT)
    assert_allclose(effect.layers["pdp"][0], want["mean"], **TIGHT)


def test_cice_of_some_rows_at_a_point_in_the_middle(X):
    want = golden("hstats", "ice_x1_g10_centered_first20rows")
    effect = FeatureEffect(Predictor(f_reg, X.head(20)), "x1", method="cice", grid=10, center_at=want["grid"][4])
    assert_allclose(effect.results["x1"].unique(), want["grid"], **TIGHT)
    assert_allclose(effect.values[0, :5], want["curves_rows_1_to_5"], **TIGHT)


@pytest.mark.parametrize(
    ("key", "anchor"), [("pdp_x1_g20_center0", 0.0), ("pdp_x1_g20_center_min", -3.5084686279296875)]
)
def test_centred_pd(predictor, key, anchor):
    want = columns("iml", key)
    by_constructor = FeatureEffect(predictor, "x1", center_at=anchor)
    by_verb = FeatureEffect(predictor, "x1").centered(at=anchor)
    assert_allclose(by_constructor.results["x1"], want["x1"], **TIGHT)
    assert_allclose(by_constructor.values[0], want[".value"], **TIGHT)
    assert_allclose(by_verb.values, by_constructor.values, **TIGHT)


@pytest.mark.parametrize("key", ["ice_x1_g20", "ice_x1_indices_1to50_g20", "ice_x4", "ice_x5_g20"])
def test_icebox_sorts_the_same_curves_by_the_feature(X, key):
    want = golden("icebox", key)
    feature = key.split("_")[1]
    rows = X.head(50) if "1to50" in key else X
    effect = FeatureEffect(Predictor(f_reg, rows), feature, method="pdp+ice", grid=want["gridpts"])
    first = rows[feature].argsort(kind="stable")[:5]
    assert_allclose(effect.values[0, first], want["curves_first5_in_xj_order"], **TIGHT)
    assert_allclose(effect.layers["pdp"][0], want["pdp"], **TIGHT)


@pytest.mark.parametrize(
    ("package", "key", "names"),
    [
        ("iml", "pdp_x1x2_g10", ("x1", "x2")),
        ("iml", "pdp_x1x2_g7x4", ("x1", "x2")),
        ("iml", "pdp_x1c1_g10", ("x1", "c1")),
        ("pdp", "x1x2_res8", ("x1", "x2")),
        ("pdp", "x1c1_res6", ("x1", "c1")),
    ],
)
def test_pd_of_two_features(predictor, package, key, names):
    want = golden(package, key)
    effect = FeatureEffect(predictor, names, grid={names[0]: want["a"], names[1]: want["b"]})
    swapped = FeatureEffect(predictor, names[::-1], grid={names[0]: want["a"], names[1]: want["b"]})
    assert_allclose(effect.values[0], want["value"], **TIGHT)
    assert_allclose(swapped.values[0].T, want["value"], **TIGHT)


def test_our_own_grid_of_two_features(predictor):
    want = golden("iml", "pdp_x1x2_g7x4")
    effect = FeatureEffect(predictor, ("x1", "x2"), grid={"x1": 7, "x2": 4})
    assert_allclose(effect.grid.axes[0].points, want["a"], **TIGHT)
    assert_allclose(effect.grid.axes[1].points, want["b"], **TIGHT)
    assert_allclose(effect.values[0], want["value"], **TIGHT)


@pytest.mark.parametrize(("key", "feature"), [("pdp_cls_x1_g10", "x1"), ("pdp_cls_c1", "c1")])
def test_pd_of_all_classes_at_once(classes, key, feature):
    want = columns("iml", key)
    grid = list(dict.fromkeys(want[feature].tolist()))
    effect = FeatureEffect(classes, feature, grid=grid)
    assert effect.outputs == tuple(CLASSES)
    assert effect.results["output_"].tolist() == want[".class"].tolist()
    assert_allclose(effect.results["value_"], want[".value"], **TIGHT)


def test_centred_pd_of_all_classes(classes):
    want = columns("iml", "pdp_cls_x1_g10_center0")
    effect = FeatureEffect(classes, "x1", grid=10, center_at=0)
    assert_allclose(effect.results["value_"], want[".value"], **TIGHT)


def test_pd_of_all_classes_and_two_features(classes):
    want = columns("iml", "pdp_cls_x1x2_g4")
    effect = FeatureEffect(classes, ("x1", "x2"), grid=4)
    joined = effect.results.merge(pd.DataFrame(want), left_on=["output_"], right_on=[".class"])
    same = joined[np.isclose(joined["x1_x"], joined["x1_y"]) & np.isclose(joined["x2_x"], joined["x2_y"])]
    assert len(same) == len(effect.results) == 48
    assert_allclose(same["value_"], same[".value"], **TIGHT)


@pytest.mark.parametrize("key", ["pdp_clsred_x1_g10"])
def test_pd_of_one_class_of_three(X, key):
    want = columns("iml", key)
    effect = FeatureEffect(Predictor(f_named, X, target="red"), "x1", grid=10)
    assert "output_" not in effect.results
    assert_allclose(effect.values[0], want[".value"], **TIGHT)


@pytest.mark.parametrize(
    ("key", "feature"), [("pd_x1_g20_w", "x1"), ("pd_c1_w", "c1"), ("pd_x1c1_g49_w", ("x1", "c1"))]
)
def test_weights_are_those_of_hstats(X, key, feature):
    want = columns("hstats", key)
    names = (feature,) if isinstance(feature, str) else feature
    grid = {name: list(dict.fromkeys(want[name].tolist())) for name in names}
    effect = FeatureEffect(Predictor(f_reg, X, sample_weight=weights()), feature, grid=grid)
    ours = effect.results.set_index(list(names))["value_"]
    keys = list(zip(*(want[name] for name in names), strict=True)) if len(names) == 2 else want[names[0]]
    assert_allclose([ours.loc[at] for at in keys], want["y"], **TIGHT)


def test_weights_with_classes(X):
    want = columns("hstats", "pd_cls_x1_g10_w")
    effect = FeatureEffect(Predictor(f_named, X, sample_weight=weights()), "x1", grid=want["x1"].tolist())
    assert_allclose(effect.values, [want[name] for name in CLASSES], **TIGHT)


@pytest.mark.parametrize(
    ("key", "method", "extrapolate"),
    [
        ("predict_pdp_x1", "pdp", False),
        ("predict_pdp_x1_extrapolate", "pdp", True),
        ("predict_pdp_x1", "pdp+ice", False),
    ],
)
def test_predict_reads_the_curve_off_as_iml_does(predictor, key, method, extrapolate):
    new = golden("iml", "predict_newv")
    read = FeatureEffect(predictor, "x1", method=method).predict(new, extrapolate=extrapolate)
    assert_allclose(read, np.array(golden("iml", key), dtype=float), **TIGHT)


def test_predict_of_a_skewed_feature_with_ice(predictor):
    read = FeatureEffect(predictor, "x5", method="pdp+ice").predict([0, 0.001, 1.5, 1e6])
    assert_allclose(read, np.array(golden("iml", "predict_pdpice_x5"), dtype=float), **TIGHT)


def test_predict_of_levels(predictor):
    read = FeatureEffect(predictor, "c1").predict(["delta", "alpha", "zulu", "alpha"])
    assert_allclose(read, np.array(golden("iml", "predict_pdp_c1"), dtype=float), **TIGHT)
