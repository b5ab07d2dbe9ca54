"""All features at once: the same effects, in order of importance, in one frame and one figure."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from plotnine import ggplot
from sklearn.linear_model import LogisticRegression

from interpret_pd import FeatureEffect, FeatureEffects, Predictor

METHODS = ["pdp", "ice", "pdp+ice", "cice", "pdp+cice", "ale"]


def model(Z):
    return Z["size"] * 2 + Z["rooms"] + Z["town"].map({"bern": 30.0, "oslo": 4.0, "rome": 2.0})


@pytest.fixture(name="predictor")
def mixed_predictor(mixed):
    return Predictor(model, mixed)


@pytest.mark.parametrize("method", METHODS)
def test_each_effect_is_that_of_its_own_call(predictor, method):
    effects = FeatureEffects(predictor, method=method)
    assert len(effects) == len(predictor.feature_names)
    for effect in effects:
        alone = FeatureEffect(predictor, effect.features[0], method=method)
        pd.testing.assert_frame_equal(effect.results, alone.results)
        assert effects[effect.features[0]] is effect


def test_the_most_important_feature_comes_first(predictor):
    effects = FeatureEffects(predictor)
    assert effects.features[:3] == ["town", "size", "rooms"]


@pytest.mark.parametrize("method", METHODS)
def test_results_are_one_tidy_frame(predictor, method):
    effects = FeatureEffects(predictor, method=method)
    frame = effects.results
    assert list(frame)[:3] == ["feature", "x_", "label_"]
    assert list(frame["feature"].cat.categories) == [str(name) for name in effects.features]
    assert len(frame) == sum(len(effect.results) for effect in effects)
    town = frame[frame["feature"] == "town"]
    assert set(town["label_"]) == {"bern", "oslo", "rome"}
    assert_allclose(town["value_"], effects["town"].results["value_"])


def test_pairs_come_last_and_are_maps(predictor):
    effects = FeatureEffects(predictor, ["size", ("size", "town"), "rooms"], grid=4)
    assert effects.features == ["size", "rooms", ("size", "town")]
    assert effects["size", "town"].values.shape == (1, 4, 3)
    assert set(effects.results["feature"]) == {"size", "rooms"}
    effects.plot().save(io.BytesIO(), format="png", verbose=False)


@pytest.mark.parametrize("method", METHODS)
def test_all_features_are_one_picture(predictor, method):
    picture = FeatureEffects(predictor, method=method).plot()
    assert isinstance(picture, ggplot)
    picture.save(io.BytesIO(), format="png", verbose=False)


def test_all_classes_are_in_it(numbers):
    species = LogisticRegression().fit(numbers, np.resize(["red", "green", "blue"], 12))
    effects = FeatureEffects(Predictor(species, numbers))
    assert set(effects.results["output_"]) == {"red", "green", "blue"}
    effects.plot().save(io.BytesIO(), format="png", verbose=False)


def test_grids_and_anchors_are_given_by_feature(predictor):
    effects = FeatureEffects(
        predictor,
        ["size", "rooms", "town"],
        method="cice",
        grid={"size": [0, 1]},
        center_at={"town": "oslo", "size": 0.5},
    )
    assert effects["size"].grid.axes[0].points.tolist() == [0, 0.5, 1]
    assert (effects["town"].anchor, effects["rooms"].anchor) == ("oslo", 1)


def test_the_same_rows_are_kept_for_every_feature(predictor):
    rows = [tuple(effect.rows) for effect in FeatureEffects(predictor, method="ice", ice_rows=4)]
    assert len(set(rows)) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: FeatureEffects(p.model), "predictor must be a Predictor; got a function. Use Predictor(model, X)."),
        (lambda p: FeatureEffects(p, ["size", "size"]), "features must differ; got ['size', 'size']."),
        (lambda p: FeatureEffects(p, []), "features must be at least one feature; got []."),
        (lambda p: FeatureEffects(p, center_at=3), "center_at must be a mapping from features to anchors; got 3."),
        (
            lambda p: FeatureEffects(p, [("size", "town")], method="ice"),
            "method 'ice' takes one feature; got ('size', 'town'). Use method='pdp' for their joint effect.",
        ),
    ],
)
def test_bad_requests_are_told(predictor, call, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(predictor)
    assert str(caught.value) == message


def test_an_effect_that_is_not_there_is_told_with_the_nearest(predictor):
    with pytest.raises(KeyError, match=r"features must be among the effects; got 'siz'\. Did you mean 'size'"):
        FeatureEffects(predictor, ["size", "rooms"])["siz"]
