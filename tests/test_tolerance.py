"""A tolerance: only as many rows as needed, and the standard error that was asked for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd import FeatureEffect, FeatureEffects, Predictor
from interpret_pd.predictor.stopping import FIRST, Stop


def model(Z):
    return 2 * Z[:, 0] + np.sin(3 * Z[:, 1]) * Z[:, 2] * Z[:, 0] + Z[:, 3]


@pytest.fixture(scope="module", name="X")
def many_rows():
    return np.random.default_rng(4).normal(size=(50_000, 4))


GRID = np.linspace(-2, 2, 9)


def effect(X, f=model, tolerance=0.01, random_state=0, **options):
    return FeatureEffect(Predictor(f, X), 0, grid=GRID, tolerance=tolerance, random_state=random_state, **options)


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 0.005])
def test_the_standard_error_is_within_the_tolerance_of_the_range(X, tolerance):
    found = effect(X, tolerance=tolerance)
    assert np.all(found.se <= tolerance * np.ptp(found.values))
    assert found.provenance["rows"] < len(X)


def test_the_rows_and_calls_that_it_took_are_told(X):
    asked = []

    def counted(Z):
        asked.append(len(Z))
        return model(Z)

    found = effect(X, counted)
    told = found.provenance
    assert sum(asked) == told["rows"] * len(GRID)
    assert len(asked) == told["model_calls"]
    assert told["tolerance"] == 0.01
    assert f"{told['rows']} rows" in repr(found)


def test_few_more_rows_are_asked_about_than_needed(X):
    found = effect(X, tolerance=0.005)
    needed = found.rows_used * (found.se.max() / (0.005 * np.ptp(found.values))) ** 2
    assert found.rows_used < 1.5 * needed


def test_a_tenth_of_the_tolerance_takes_about_a_hundred_times_the_rows(X):
    few, many = (effect(X, tolerance=tolerance).rows_used for tolerance in (0.05, 0.005))
    assert few == FIRST or 30 < many / few < 300


def test_the_same_seed_gives_the_same_rows_and_no_seed_is_told(X):
    assert_array_equal(effect(X).values, effect(X).values)
    assert not np.array_equal(effect(X).values, effect(X, random_state=1).values)
    free = effect(X, random_state=None)
    assert_array_equal(effect(X, random_state=free.provenance["seed"]).values, free.values)


@pytest.mark.parametrize("tolerance", [0.01, 0.04])
def test_the_band_covers_the_average_of_all_rows_as_often_as_it_says(X, tolerance):
    whole = FeatureEffect(Predictor(model, X), 0, grid=GRID).values
    inside = []
    for seed in range(300):
        found = effect(X, tolerance=tolerance, random_state=seed)
        inside.append(np.abs(found.values - whole) <= 1.96 * found.se)
    assert 0.93 < np.mean(inside) < 0.99  # of a finite population a little more than 0.95


def test_rows_that_run_out_give_the_average_of_all(X):
    small = X[:500]
    found, whole = effect(small, tolerance=1e-6), FeatureEffect(Predictor(model, small), 0, grid=GRID)
    assert found.rows_used == 500
    assert_allclose(found.values, whole.values)
    assert_allclose(found.se, whole.se)


def test_a_flat_curve_without_noise_is_certain_at_once(X):
    assert effect(X, lambda Z: np.zeros(len(Z))).rows_used == FIRST


def test_every_output_is_exact_enough(X):
    found = effect(X, lambda Z: np.column_stack([model(Z), Z[:, 0] + 3 * Z[:, 3]]))
    assert np.all(found.se <= 0.01 * np.ptp(found.values, axis=1, keepdims=True))


def test_weights_groups_and_anchors_go_with_it(X):
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = FeatureEffect(
        Predictor(model, X, sample_weight=weights), 0, grid=GRID, tolerance=0.02, random_state=0, center_at=0
    )
    whole = FeatureEffect(Predictor(model, X, sample_weight=weights), 0, grid=GRID, center_at=0)
    assert np.all(np.abs(weighted.values - whole.values) <= 4 * weighted.se + 1e-12)
    assert weighted.rows_used < np.sum(weights > 0)
    frame = pd.DataFrame({"a": X[:, 0], "g": np.where(X[:, 1] > 0, "u", "v")})
    predictor = Predictor(lambda Z: Z["a"] * np.where(Z["g"] == "u", 1, 2), frame)
    grouped = FeatureEffect(predictor, "a", by="g", grid=GRID, tolerance=0.02, random_state=0)
    assert_allclose(grouped.values, [GRID, 2 * GRID])
    assert grouped.rows_used == 2 * FIRST


def test_an_anchor_added_later_keeps_the_tolerance(X):
    assert np.all(effect(X).centered(at=0).se <= 0.01 * np.ptp(effect(X).centered(at=0).values))


def test_the_effects_of_all_features_have_it_too(X):
    effects = FeatureEffects(Predictor(model, X, n_jobs=2), tolerance=0.02, random_state=0, grid=5)
    assert all(np.all(one.se <= 0.02 * np.ptp(one.values)) for one in effects if one.rows_used < len(X))
    assert effects["x0"].rows_used < len(X)


def test_a_record_keeps_what_it_took(X):
    found = effect(X)
    again = FeatureEffect.from_json(found.to_json())
    assert again.provenance["rows"] == found.rows_used


@pytest.mark.parametrize("wrong", [0, -1, 1, "small", True, float("nan")])
def test_a_tolerance_is_a_share(X, wrong):
    with pytest.raises(ValueError, match="tolerance must be None or a number between 0 and 1; got"):
        effect(X, tolerance=wrong)


def test_only_averages_have_a_tolerance(X):
    with pytest.raises(ValueError, match=r"tolerance must be None for method 'ice'; got 0\.01\. Use method='pdp'\."):
        effect(X, method="ice")


def test_blocks_are_all_rows_once():
    stop = Stop(0.5, 0)
    slices = []
    for block in stop.blocks(np.arange(10_000)):
        slices.append((block.start, block.stop))
        stop.weigh(np.array([[0.0, 1.0]]), np.array([[9.0, np.nan]]))
    assert slices == [(0, 200), (200, 800), (800, 3200), (3200, 10_000)]
    assert stop.used == 10_000
