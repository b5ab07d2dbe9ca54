"""The workhorse: batches, workers, weights and containers change nothing but the time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba
from numpy.testing import assert_allclose
from sklearn.tree import DecisionTreeRegressor

from interpret_pd import FeatureEffect, Predictor, evaluate
from interpret_pd.predictor.stopping import Stop


def model(Z):
    Z = np.asarray(Z, dtype=float)
    return np.column_stack([np.sin(Z[:, 0]) * Z[:, 1], Z[:, 0] + Z[:, 2] ** 2])


POINTS = {"x0": np.linspace(-1, 1, 5)}
ROWS = np.array([0, 3, 4, 11])


def shapes(numbers, **options):
    predictor = Predictor(model, numbers, **options)
    return (
        evaluate.average(predictor, POINTS),
        evaluate.cube(predictor, POINTS, ROWS),
        *evaluate.moments(predictor, POINTS, ROWS),
    )


def test_the_shapes_are_outputs_rows_points(numbers):
    average, cube, mean, curves, se = shapes(numbers)
    assert average.shape == mean.shape == se.shape == (2, 5)
    assert cube.shape == curves.shape == (2, 4, 5)


def test_the_average_is_the_mean_of_the_cube_and_one_pass_gives_both(numbers):
    average, cube, mean, curves, _ = shapes(numbers)
    whole = evaluate.cube(Predictor(model, numbers), POINTS, np.arange(12))
    assert_allclose(average, whole.mean(axis=1))
    assert_allclose(mean, average)
    assert_allclose(curves, cube)
    assert_allclose(cube, whole[:, ROWS])


@pytest.mark.parametrize("batch_rows", [1, 2, 3, 4, 5, 6, 7, 12, 59, 60, 61, "auto"])
def test_the_size_of_the_calls_changes_nothing_and_is_never_exceeded(numbers, batch_rows):
    sizes = []

    def counted(Z):
        sizes.append(len(Z))
        return model(Z)

    predictor = Predictor(counted, numbers, batch_rows=batch_rows)
    average, curves, _ = evaluate.moments(predictor, POINTS, ROWS)
    want = shapes(numbers)
    assert_allclose(average, want[0])
    assert_allclose(curves, want[1])
    assert sum(sizes) == 60
    assert max(sizes) <= (60 if batch_rows == "auto" else batch_rows)


@pytest.mark.parametrize("n_jobs", [1, 2, -1, np.int64(2)])
def test_the_number_of_workers_changes_nothing(numbers, n_jobs):
    for got, want in zip(shapes(numbers, n_jobs=n_jobs, batch_rows=7), shapes(numbers), strict=True):
        assert_allclose(got, want)


def test_one_call_serves_a_thousand_predictions(rng):
    calls = []

    def counted(Z):
        calls.append(len(Z))
        return Z[:, 0]

    FeatureEffect(Predictor(counted, rng.normal(size=(100, 2))), 0, method="pdp+ice")
    assert calls == [2000]


def test_the_standard_error_is_that_of_a_mean_of_rows(numbers):
    curves = evaluate.cube(Predictor(model, numbers), POINTS, np.arange(12))
    assert_allclose(shapes(numbers)[4], curves.std(axis=1, ddof=1) / np.sqrt(12))


def test_weights_all_equal_are_no_weights(numbers):
    none = shapes(numbers)[0]
    for equal in (np.ones(12), np.full(12, 2.0), np.full(12, 1e-300), np.full(12, 1e300)):
        assert_allclose(shapes(numbers, sample_weight=equal)[0], none)


def test_whole_weights_are_repeated_rows(numbers):
    weights = np.array([0, 1, 2, 3] * 3)
    repeated = numbers.loc[numbers.index.repeat(weights)]
    assert_allclose(shapes(numbers, sample_weight=weights)[0], evaluate.average(Predictor(model, repeated), POINTS))


def test_weights_never_change_a_curve(numbers):
    plain, weighted = shapes(numbers), shapes(numbers, sample_weight=np.arange(12.0))
    assert_allclose(weighted[1], plain[1])
    assert_allclose(weighted[3], plain[3])


def test_a_row_without_weight_is_not_asked_about(numbers):
    def picky(Z):
        assert np.all(Z["x1"] != numbers["x1"].iloc[0])
        return model(Z)

    weights = np.r_[0.0, np.ones(11)]
    average = evaluate.average(Predictor(picky, numbers, sample_weight=weights), POINTS)
    assert_allclose(average, evaluate.average(Predictor(model, numbers.iloc[1:]), POINTS))


def test_a_row_without_weight_is_asked_about_for_its_curve_only(numbers):
    seen = []

    def watched(Z):
        seen.append(Z["x1"].to_numpy())
        return model(Z)

    predictor = Predictor(watched, numbers, sample_weight=np.r_[0.0, np.ones(10), 0.0])
    evaluate.moments(predictor, POINTS, np.array([3, 11]))
    assert set(np.concatenate(seen)) == set(numbers["x1"].iloc[1:])


@pytest.mark.parametrize("first", [5, 200])
def test_rows_drawn_until_they_run_out_have_the_average_of_all(numbers, first, monkeypatch):
    monkeypatch.setattr("interpret_pd.predictor.stopping.FIRST", first)
    predictor = Predictor(model, numbers, sample_weight=np.arange(12.0))
    asked = {"anchor": {"x0": np.array([0.5])}, "mask": np.arange(60).reshape(12, 5) % 7 > 0}
    want = evaluate.moments(predictor, POINTS, ROWS[:0], **asked)
    predictor.stop = Stop(1e-9, 0)
    got = evaluate.moments(predictor, POINTS, ROWS[:0], **asked)
    assert_allclose(got.mean, want.mean)
    assert_allclose(got.se, want.se)
    assert got.curves.shape == want.curves.shape == (2, 0, 5)


def test_a_row_without_weight_still_has_its_curve(numbers):
    weights = np.r_[0.0, np.ones(11)]
    curves = evaluate.moments(Predictor(model, numbers, sample_weight=weights), POINTS, np.arange(12)).curves
    assert_allclose(curves, evaluate.cube(Predictor(model, numbers), POINTS, np.arange(12)))


ENGINES = pytest.mark.parametrize("engine", ["brute", pytest.param("trees", marks=needs_numba)])


@pytest.fixture
def tree(numbers):
    return DecisionTreeRegressor(random_state=0).fit(numbers, np.c_[numbers["x0"] * numbers["x1"], numbers["x2"]])


@ENGINES
def test_the_average_over_some_rows_is_that_of_data_with_these_rows(numbers, tree, engine):
    weights = np.arange(12.0)
    got = evaluate.average(Predictor(tree, numbers, sample_weight=weights, engine=engine), POINTS, ROWS)
    alone = Predictor(tree, numbers.iloc[ROWS], sample_weight=weights[ROWS], engine="brute")
    assert_allclose(got, evaluate.average(alone, POINTS))


@ENGINES
def test_one_row_is_its_own_average(numbers, tree, engine):
    predictor = Predictor(tree, numbers.head(1), engine=engine)
    assert_allclose(evaluate.average(predictor, POINTS), evaluate.cube(predictor, POINTS, np.zeros(1, int))[:, 0])


@ENGINES
def test_the_summands_of_groups_add_up_and_are_their_shares_of_their_averages(numbers, tree, engine):
    weights, groups = np.arange(12.0), np.arange(12) % 3
    predictor = Predictor(tree, numbers, sample_weight=weights, engine=engine)
    parts = evaluate.group_averages(predictor, POINTS, groups)
    assert_allclose(parts.sum(axis=0), evaluate.average(predictor, POINTS))
    for b, part in enumerate(parts):
        share = weights[groups == b].sum() / weights.sum()
        assert_allclose(part, share * evaluate.average(predictor, POINTS, np.flatnonzero(groups == b)))


@ENGINES
def test_many_averages_at_once_are_those_one_by_one(numbers, tree, engine):
    predictor = Predictor(tree, numbers, sample_weight=np.arange(12.0), engine=engine)
    groups, other = np.arange(12) % 3, {"x1": np.linspace(-1, 1, 4)}
    for sets in ([POINTS, other], [POINTS, {**other, "x2": np.zeros(4)}]):
        together = evaluate.all_group_averages(predictor, sets, groups)
        for points, parts in zip(sets, together, strict=True):
            assert_allclose(parts, evaluate.group_averages(predictor, points, groups))


def test_a_row_without_weight_is_not_asked_about_in_many_averages(numbers):
    seen = []

    def watched(Z):
        seen.append(Z["x1"].to_numpy())
        return model(Z)

    predictor = Predictor(watched, numbers, sample_weight=np.r_[0.0, np.ones(11)])
    evaluate.all_group_averages(predictor, [POINTS, {"x2": np.zeros(2)}], np.zeros(12, int))
    assert numbers["x1"].iloc[0] not in np.concatenate(seen)


def test_the_order_of_the_rows_changes_no_average(numbers):
    shuffled = numbers.sample(frac=1, random_state=0)
    assert_allclose(shapes(shuffled)[0], shapes(numbers)[0])


def test_the_container_changes_nothing(container, numbers):
    def any_model(Z):
        columns = Z.T if isinstance(Z, np.ndarray) else [np.asarray(Z[name]) for name in ("x0", "x1", "x2")]
        return np.sin(columns[0]) * columns[1] + columns[2]

    X = container(numbers)
    got = FeatureEffect(Predictor(any_model, X), "x0", method="pdp+ice", grid=[-1, 0.5])
    want = FeatureEffect(Predictor(any_model, numbers), "x0", method="pdp+ice", grid=[-1, 0.5])
    assert_allclose(got.values, want.values)
    assert_allclose(got.results["value_"], want.results["value_"])


def test_averages_are_taken_in_double_precision():
    X = np.zeros((20_000, 1), dtype="float32")
    single = lambda Z: np.full(len(Z), 0.1, dtype="float32")  # noqa: E731
    average = evaluate.average(Predictor(single, X, batch_rows=777), {"x0": np.zeros(1, "float32")})
    assert_allclose(average, np.float64(np.float32(0.1)), rtol=1e-13)


def test_only_predictions_that_are_averaged_must_be_finite():
    X = pd.DataFrame({"a": [np.nan, 1.0, 2.0], "b": [1.0, 2, 3]})
    effect = FeatureEffect(Predictor(lambda Z: Z["a"].to_numpy() * Z["b"].to_numpy(), X), "a")
    assert np.isfinite(effect.values).all()


@pytest.mark.parametrize("workers", [None, 2])
def test_progress_is_told_after_every_call_up_to_all(numbers, workers):
    told = []
    predictor = Predictor(
        model, numbers, batch_rows=25, n_jobs=workers, progress=lambda done, of: told.append((done, of))
    )
    evaluate.average(predictor, POINTS)
    assert told == [(25, 60), (50, 60), (60, 60)]


def test_no_progress_is_written_where_nobody_looks(numbers, capsys):
    for progress in ("auto", False, True):
        evaluate.average(Predictor(model, numbers, progress=progress), POINTS)
    assert capsys.readouterr() == ("", "")
