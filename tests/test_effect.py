"""Laws of effects: what must hold whatever the model."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression, LogisticRegression

from interpret_pd import FeatureEffect, Predictor

METHODS = ["pdp", "ice", "pdp+ice", "cice", "pdp+cice"]
CURVES = METHODS[1:]


def wavy(Z):
    return np.sin(Z["x0"].to_numpy()) * Z["x1"].to_numpy() + Z["x2"].to_numpy() ** 2


@pytest.fixture(name="predictor")
def wavy_predictor(numbers):
    return Predictor(wavy, numbers)


@pytest.fixture(name="classes")
def three_classes(numbers):
    model = LogisticRegression().fit(numbers, np.resize(["red", "green", "blue"], 12))
    return Predictor(model, numbers)


@pytest.mark.parametrize("weighted", [False, True])
def test_pd_is_the_weighted_mean_of_ice(numbers, weighted):
    weights = np.arange(12.0) if weighted else None
    effect = FeatureEffect(Predictor(wavy, numbers, sample_weight=weights), "x0", method="pdp+ice")
    assert_allclose(effect.layers["pdp"], np.average(effect.layers["ice"], axis=1, weights=weights))
    alone = FeatureEffect(Predictor(wavy, numbers, sample_weight=weights), "x0", method="ice")
    assert_allclose(alone.averaged().values, effect.layers["pdp"])


@given(
    slopes=arrays(float, 3, elements=st.floats(-10, 10)),
    X=arrays(float, (8, 3), elements=st.floats(-100, 100), unique=True),
)
@settings(deadline=None, max_examples=50)
def test_the_pd_of_a_linear_model_is_a_line_with_its_slope(slopes, X):
    effect = FeatureEffect(Predictor(lambda Z: Z @ slopes, X), 1, method="pdp+ice", grid=[-1.0, 0.0, 2.0])
    assert_allclose(np.diff(effect.layers["ice"][0]), slopes[1] * np.array([[1.0, 2.0]] * 8), atol=1e-9)
    assert_allclose(np.diff(effect.layers["pdp"][0]), slopes[1] * np.array([1.0, 2.0]), atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_prediction_is_flat_and_never_nan(mixed, method):
    predictor = Predictor(lambda Z: np.full(len(Z), 7.0), mixed)
    for name in mixed:
        effect = FeatureEffect(predictor, name, method=method)
        for values in effect.layers.values():
            assert_allclose(values, 0 if "cice" in method else 7, rtol=1e-14)
            assert np.ptp(values, axis=-1).max() == 0


def test_probabilities_sum_to_one_at_every_point(classes):
    for features in ("x0", ("x0", "x1")):
        effect = FeatureEffect(classes, features)
        assert effect.outputs == ("blue", "green", "red")
        assert_allclose(effect.values.sum(axis=0), 1)
    assert_allclose(FeatureEffect(classes, "x0", method="ice").values.sum(axis=0), 1)


def test_one_target_is_its_layer_of_all(numbers, classes):
    green = FeatureEffect(Predictor(classes.model, numbers, target="green"), "x0")
    assert_allclose(green.values[0], FeatureEffect(classes, "x0").values[1])


@pytest.mark.parametrize("names", [("x0", "x1"), ("x2", "x0")])
def test_swapping_two_features_transposes(classes, names):
    assert_allclose(
        FeatureEffect(classes, names).values,
        FeatureEffect(classes, names[::-1]).values.transpose(0, 2, 1),
    )


def test_two_features_with_one_point_are_the_pd_of_the_other(predictor):
    pair = FeatureEffect(predictor, ("x0", "x1"), grid={"x1": [0.3], "x0": [-1, 1]})
    fixed = Predictor(lambda Z: wavy(Z.assign(x1=0.3)), predictor.table.frame)
    assert_allclose(pair.values[0, :, 0], FeatureEffect(fixed, "x0", grid=[-1, 1]).values[0])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("anchor", [None, 0.123, 50])
def test_a_centred_curve_is_zero_at_its_anchor_and_centring_twice_changes_nothing(predictor, method, anchor):
    once = FeatureEffect(predictor, "x0", method=method).centered(at=anchor)
    twice = once.centered(at=anchor)
    place = list(once.grid.axes[0].points).index(once.anchor)
    for kind, values in once.layers.items():
        assert not values[..., place].any()
        assert_allclose(twice.layers[kind], values, atol=1e-12)


@pytest.mark.parametrize("method", ["ice", "pdp+ice"])
def test_centred_methods_are_centred_effects(predictor, method):
    by_verb = FeatureEffect(predictor, "x0", method=method).centered(at=0.5)
    by_name = FeatureEffect(predictor, "x0", method=method.replace("ice", "cice"), center_at=0.5)
    for kind, values in by_name.layers.items():
        assert_allclose(by_verb.layers[kind], values)
    pd.testing.assert_frame_equal(by_verb.results, by_name.results)


def test_a_shift_of_the_anchor_shifts_every_curve(predictor):
    first = FeatureEffect(predictor, "x0", method="cice", center_at=0.0)
    moved = first.centered(at=first.grid.axes[0].points[-1])
    assert_allclose(moved.values - first.values, -first.values[..., [-1]] * np.ones_like(first.values))


def test_an_anchor_joins_the_grid_and_one_that_is_there_does_not(predictor):
    assert len(FeatureEffect(predictor, "x0", method="cice", grid=[0, 1], center_at=0.5).grid.axes[0]) == 3
    assert len(FeatureEffect(predictor, "x0", method="cice", grid=[0, 1], center_at=1).grid.axes[0]) == 2


def test_verbs_leave_the_effect_as_it_was(predictor):
    effect = FeatureEffect(predictor, "x0", method="pdp+ice")
    before = (
        {kind: values.copy() for kind, values in effect.layers.items()},
        effect.results.copy(),
        len(effect.grid.axes[0]),
    )
    effect.centered(at=0.777)
    effect.averaged()
    effect.predict([0.0])
    assert effect.method == "pdp+ice"
    assert effect.anchor is None
    assert len(effect.grid.axes[0]) == before[2]
    for kind, values in before[0].items():
        assert np.array_equal(effect.layers[kind], values)
    pd.testing.assert_frame_equal(effect.results, before[1])


def test_values_cannot_be_overwritten(predictor):
    with pytest.raises(ValueError, match="read-only"):
        FeatureEffect(predictor, "x0").values[0] = 1


@pytest.mark.parametrize("method", CURVES)
def test_the_results_of_curves_name_rows_and_types(numbers, method):
    X = numbers.set_axis([f"row {i}" for i in range(12)])
    results = FeatureEffect(Predictor(wavy, X), "x0", method=method, grid=[0, 1]).results
    assert results.columns.tolist()[:4] == ["x0", "type_", "id_", "value_"]
    ice = results[results["type_"] == "ice"]
    assert ice["id_"].tolist() == np.repeat(X.index, 2).tolist()
    rest = results[results["type_"] != "ice"]
    assert rest["id_"].isna().all()
    assert set(rest["type_"]) == ({"pdp"} if method.startswith("pdp") else set())


def test_the_results_have_a_row_per_value_in_the_order_of_the_array(classes):
    for features in ("x0", ("x0", "x1")):
        effect = FeatureEffect(classes, features, grid=3)
        assert effect.results["value_"].tolist() == effect.values.ravel().tolist()
        expected = [*effect.features, "output_", "type_", "value_"]
        assert effect.results.columns.tolist()[: len(expected)] == expected
        assert effect.results["output_"].tolist() == np.repeat(effect.outputs, effect.values[0].size).tolist()
    curves = FeatureEffect(classes, "x0", method="ice", grid=3)
    assert curves.results["value_"].tolist() == curves.values.ravel().tolist()


def test_an_output_column_is_there_only_for_several(predictor, classes):
    assert "output_" not in FeatureEffect(predictor, "x0").results
    assert "output_" in FeatureEffect(classes, "x0").results


def test_some_rows_keep_their_curves_and_the_average_is_over_all(predictor):
    whole = FeatureEffect(predictor, "x0", method="pdp+ice")
    some = FeatureEffect(predictor, "x0", method="pdp+ice", ice_rows=4, random_state=3)
    again = FeatureEffect(predictor, "x0", method="pdp+ice", ice_rows=4, random_state=3)
    assert some.values.shape == (1, 4, 12)
    assert_allclose(some.layers["pdp"], whole.layers["pdp"])
    assert_allclose(some.layers["ice"], whole.layers["ice"][:, some.rows])
    assert some.rows.tolist() == sorted(set(some.rows.tolist())) == again.rows.tolist()
    assert FeatureEffect(predictor, "x0", method="ice", ice_rows=4, random_state=4).rows.tolist() != some.rows.tolist()


@pytest.mark.parametrize("state", [0, np.int64(0), np.random.default_rng(0), None])
def test_asking_for_more_curves_than_rows_gives_all(predictor, state):
    effect = FeatureEffect(predictor, "x0", method="ice", ice_rows=80, random_state=state)
    assert effect.rows.tolist() == list(range(12))


def test_drawing_curves_leaves_numpys_own_generator_alone(predictor):
    before = np.random.get_state()[1].copy()  # noqa: NPY002  (the one that must not be touched)
    FeatureEffect(predictor, "x0", method="ice", ice_rows=3)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_two_rows_with_one_label_are_two_curves(numbers):
    X = numbers.set_axis(["a", "b"] * 6)
    results = FeatureEffect(Predictor(wavy, X), "x0", method="ice", grid=[0, 1]).results
    assert results["id_"].tolist() == np.repeat(X.index, 2).tolist()


def test_one_name_may_come_in_a_list_and_two_in_any_sequence(predictor):
    assert FeatureEffect(predictor, ["x0"]).features == ("x0",)
    for pair in (("x0", "x1"), ["x0", "x1"], np.array(["x0", "x1"]), pd.Index(["x0", "x1"])):
        assert FeatureEffect(predictor, pair).features == ("x0", "x1")


def test_each_feature_may_have_a_grid_of_its_own(predictor):
    effect = FeatureEffect(predictor, ("x0", "x1"), grid={"x1": [1, 2, 3]})
    assert effect.grid.shape == (12, 3)
    assert FeatureEffect(predictor, "x0", grid={"x0": [1, 2]}).grid.shape == (2,)
    by_position = Predictor(lambda Z: Z[:, 0], predictor.table.frame.to_numpy())
    assert FeatureEffect(by_position, (0, 1), grid={1: 3, "x0": [5]}).grid.shape == (1, 3)


def test_a_wrong_prediction_anywhere_stops_the_effect(numbers):
    def poisoned(Z):
        return np.where(Z["x0"] == numbers["x0"].max(), np.nan, 1.0)

    with pytest.raises(ValueError, match="the model returned 12 non-finite predictions"):
        FeatureEffect(Predictor(poisoned, numbers), "x0", method="ice")
    assert np.all(FeatureEffect(Predictor(poisoned, numbers), "x0", grid=[0.0]).values == 1)


@pytest.mark.parametrize("method", METHODS)
def test_an_effect_can_be_pickled(numbers, method):
    model = LinearRegression().fit(numbers, numbers["x0"])
    effect = FeatureEffect(Predictor(model, numbers), "x0", method=method)
    back = pickle.loads(pickle.dumps(effect))
    assert_allclose(back.values, effect.values)
    pd.testing.assert_frame_equal(back.results, effect.results)
    assert back.predict([0.0]) == effect.predict([0.0])


def test_the_repr_says_what_was_computed(predictor, classes):
    effect = FeatureEffect(predictor, "x0", method="pdp+ice", grid=5, ice_rows=3)
    assert repr(effect) == (
        "FeatureEffect('x0', method='pdp+ice': 5 points, 3 curves, 12 rows, 'Prediction', engine='brute')"
    )
    text = repr(FeatureEffect(classes, ("x0", "x1"), grid=3))
    assert "('x0', 'x1')" in text
    assert "3 x 3 points, 3 outputs" in text
    assert "<table" in effect._repr_html_()


def test_what_was_computed_is_labelled(predictor, mixed):
    assert FeatureEffect(predictor, "x0").value_label == "Prediction"
    assert FeatureEffect(predictor, "x0", center_at=0.5).value_label == "Change in prediction from x0 = 0.5"
    flat = Predictor(lambda Z: np.zeros(len(Z)), mixed)
    assert FeatureEffect(flat, "sold", method="cice").value_label == "Change in prediction from sold = 2024-01-01"
    assert FeatureEffect(flat, "town", method="cice").value_label == "Change in prediction from town = bern"


@pytest.mark.parametrize("name", ["value_", "type_", "output_", "id_"])
def test_a_feature_called_like_a_column_of_the_results_is_refused_with_a_hint(name):
    predictor = Predictor(lambda Z: np.zeros(len(Z)), pd.DataFrame({name: [1.0, 2.0]}))
    with pytest.raises(ValueError, match=f"got '{name}'. Use X.rename"):
        _ = FeatureEffect(predictor, name).results


def test_two_hundred_thousand_curve_points_are_tidied_with_their_levels(mixed):
    many = mixed.loc[mixed.index.repeat(1000)]
    effect = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), many), "state", method="ice")
    assert len(effect.results) == 36_000
    assert effect.results["state"].cat.categories.tolist() == ["bad", "fair", "good"]
    assert effect.results["state"].cat.ordered
