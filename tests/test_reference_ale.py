"""The accumulated local effects of R's iml and ALEPlot on closed-form models; see reference/README.md."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference.closed_form import CLASSES, data, f_named, f_reg, golden

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.methods.level_order import distances, ordered_levels

TIGHT = {"rtol": 1e-12, "atol": 1e-12}

ONE_FEATURE = {  # key of iml.json: bins
    "ale_x1_default": 20, "ale_x1_g20": 20, "ale_x1_g7": 7, "ale_x4int_g20": 20, "ale_x4dbl_g7": 7, "ale_x5_g20": 20,
    "ale_x5_g7": 7, "ale_b_g7": 7, "ale_c1": 20, "ale_c2": 20, "ale_c2ord": 20, "ale_c1_c2ordered_data": 20,
}  # fmt: skip
TWO_FEATURES = [
    "ale_x1x2_g3", "ale_x1x2_g7", "ale_x1x2_g7x4", "ale_x1x2_g20", "ale_x1x3_g7", "ale_x5x4_g7", "ale_x1c1_g7",
    "ale_c1x1_g7", "ale_x1c1_g20", "ale_x4dbl_c1", "ale_clsred_x1x2_g4", "ale_clsblue_x5x4_g7", "ale_clsblue_x4c1_g7",
    "ale_clsblue_x1c1_g40",
]  # fmt: skip
ALEPLOT = {  # key of aleplot.json: the class
    "x1_K20": None, "x1_K40": None, "x1_K7": None, "x3_K7": None, "x4_K20": None, "x5_K20": None, "x5_K7": None,
    "c1": None, "c2": None, "x1_K7_green": "green", "x1x2_K3": None, "x1x2_K7": None, "x1x2_K20": None, "x1x3_K7": None,
    "x5x4_K7": None, "c1x1_K7": None, "c1x1_K20": None, "c1x4_K7": None, "x5x4_K7_blue": "blue", "c1x4_K7_blue": "blue",
    "c1x1_K40_blue": "blue",
}  # fmt: skip


@pytest.fixture(scope="module", name="X")
def background():
    return data()


def predictor(X, ordered=False, target=None):
    if ordered:
        X = X.assign(c2=pd.Categorical(X["c2"], ["low", "mid", "high"], ordered=True))
    return Predictor(f_reg if target is None else f_named, X, target=target)


def placed(effect, axes):
    """The values in the order of R's axes, which may pass levels the other way; edges must be equal to the last bit."""
    places = []
    for axis, want in zip(effect.grid.axes, axes, strict=True):
        have = axis.values.tolist()
        assert sorted(have) == sorted(want)
        places.append([have.index(value) for value in want])
    return effect.values[(slice(None), *np.ix_(*places))]


def own_edges(names, axes):
    """R's edges as the grid; levels are left to the package."""
    return {name: axis for name, axis in zip(names, axes, strict=True) if not isinstance(axis[0], str)}


@pytest.mark.parametrize("key", ONE_FEATURE)
def test_iml_one_feature(X, key):
    want = golden("iml", key)
    name = next(column for column in want if not column.startswith("."))
    effect = FeatureEffect(predictor(X, "ord" in key), name, method="ale", grid=ONE_FEATURE[key])
    assert_allclose(placed(effect, [want[name]])[0], want[".value"], **TIGHT)


def test_iml_own_edges(X):
    want = golden("iml", "ale_x1_gridpoints_exact20")
    effect = FeatureEffect(predictor(X), "x1", method="ale", grid=want["x1"])
    assert_allclose(placed(effect, [want["x1"]])[0], want[".value"], **TIGHT)


def test_rows_outside_the_edges_are_left_out_where_iml_keeps_them(X):
    want = golden("iml", "ale_x1_gridpoints_inner")
    effect = FeatureEffect(predictor(X), "x1", method="ale", grid=want["x1"])
    inside = X[(X["x1"] >= -1) & (X["x1"] <= 1)]
    assert effect.left_out == len(X) - len(inside) > 0
    alone = FeatureEffect(predictor(inside), "x1", method="ale", grid=want["x1"])
    assert_allclose(effect.values, alone.values, **TIGHT)
    middle = np.diff(want[".value"])[1:-1]  # bins with the same rows in both
    assert_allclose(np.diff(effect.values[0])[1:-1], middle, **TIGHT)


@pytest.mark.parametrize(("key", "grid"), [("ale_cls_x1_g7", 7), ("ale_cls_x1_g20", 20), ("ale_cls_c1", 20)])
def test_iml_classes(X, key, grid):
    want = pd.DataFrame(golden("iml", key))
    name = want.columns[-1]
    effect = FeatureEffect(Predictor(f_named, X), name, method="ale", grid=grid)
    assert effect.outputs == tuple(CLASSES)
    for k, output in enumerate(CLASSES):
        part = want[want[".class"] == output]
        assert_allclose(placed(effect, [part[name].tolist()])[k], part[".value"], **TIGHT)


@pytest.mark.parametrize("key", TWO_FEATURES)
def test_iml_two_features(X, key):
    want = golden("iml", key)
    target = next((output for output in CLASSES if f"cls{output}" in key), None)
    names = re.findall("x[1-5]|c1", key.split("_g")[0])
    names = sorted(names) if "c1" in names else names  # a is the level
    one, two = re.search(r"_g(\d+)(?:x(\d+))?", key + "_g7").groups()
    grid = dict(zip(names, (int(one), int(two or one)), strict=True))
    effect = FeatureEffect(predictor(X, target=target), tuple(names), method="ale", grid=grid)
    assert_allclose(placed(effect, [want["a"], want["b"]])[0], want["value"], **TIGHT)


@pytest.mark.parametrize("key", ALEPLOT)
def test_aleplot_at_its_own_edges(X, key):
    want, names = golden("aleplot", key), re.findall("x[1-5]|c[12]", key)
    axes = [want["x"]] if len(names) == 1 else want["x"]
    effect = FeatureEffect(predictor(X, target=ALEPLOT[key]), tuple(names), method="ale", grid=own_edges(names, axes))
    assert_allclose(placed(effect, axes)[0], want["f"], **TIGHT)


@pytest.mark.parametrize("key", [key for key in ALEPLOT if "K7" in key])
def test_aleplot_finds_the_same_edges_at_seven_bins(X, key):
    want, names = golden("aleplot", key), re.findall("x[1-5]|c[12]", key)
    axes = [want["x"]] if len(names) == 1 else want["x"]
    effect = FeatureEffect(predictor(X, target=ALEPLOT[key]), tuple(names), method="ale", grid=7)
    assert_allclose(placed(effect, axes)[0], want["f"], **TIGHT)


def test_the_counts_are_aleplots(X):
    effect = FeatureEffect(predictor(X), ("x1", "x2"), method="ale", grid=7)
    assert_array_equal(effect.counts[1:, 1:], golden("aleplot", "x1x2_K7_cellcounts"))
    assert effect.counts.sum() == 300


@pytest.mark.parametrize("name", ["c1", "c2"])
def test_level_order_is_aleplots_but_for_the_direction(X, name):
    model = predictor(X)
    feature = model.feature(name)
    assert_allclose(distances(model, feature), golden("aleplot", f"{name}_distance_matrix"), **TIGHT)
    order = [feature.levels[place] for place in np.argsort(golden("aleplot", f"{name}_cmdscale"))]
    assert list(ordered_levels(model, feature)) in (order, order[::-1])
    assert golden("iml", "ale_c1_order") == ["delta", "alpha", "charlie", "bravo"]


@pytest.mark.parametrize(
    ("key", "options"), [("predict_ale_x1_g7", {}), ("predict_ale_x1_g7_extrapolate", {"extrapolate": True})]
)
def test_predict_is_imls(X, key, options):
    want = np.array(golden("iml", key), float)
    effect = FeatureEffect(predictor(X), "x1", method="ale", grid=7)
    assert_allclose(effect.predict(golden("iml", "predict_newv"), **options), want, **TIGHT)


def test_predict_of_a_frame_is_imls(X):
    effect = FeatureEffect(predictor(X), "x1", method="ale", grid=7)
    assert_allclose(effect.predict(X.iloc[:5]), golden("iml", "predict_ale_x1_g7_df"), **TIGHT)


def test_cat_by_cat_which_iml_refuses(X):
    effect = FeatureEffect(predictor(X), ("c1", "c2"), method="ale")
    assert_allclose(effect.values, 0, atol=1e-12)  # f_reg is additive in c2
