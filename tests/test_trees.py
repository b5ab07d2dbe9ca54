"""The tree engine gives the numbers of brute force, for every model in `models.MODELS`."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from libraries import needs_numba
from models import HOLES, MODELS, Model, X, averages
from numpy.testing import assert_allclose

from interpret_pd.trees import Ensemble, prove, read

NAMES = [f"x{j}" for j in range(5)]
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())

# LightGBM names the columns of arrays, and misses the names when it predicts
pytestmark = [needs_numba, pytest.mark.filterwarnings("ignore:X does not have valid feature names")]


@cache
def ensemble_of(model: Model) -> Ensemble:
    return read(model.fitted(), model.response, NAMES)


def predict(model: Model, rows: np.ndarray) -> np.ndarray:
    """The model's own predictions, (n, K)."""
    out = np.asarray(getattr(model.fitted(), model.response)(rows), dtype=float)
    return out.reshape(len(rows), -1)


def brute_cube(model: Model, rows: np.ndarray, axes: list) -> np.ndarray:
    """Every row at every point: a loop over the points, (n, G, K)."""
    points = list(product(*[values for _, values in axes]))
    stacked = np.concatenate([rows] * len(points))
    for g, point in enumerate(points):
        for (column, _), value in zip(axes, point, strict=True):
            stacked[g * len(rows) : (g + 1) * len(rows), column] = value
    return predict(model, stacked).reshape(len(points), len(rows), -1).transpose(1, 0, 2)


def brute_average(model: Model, rows: np.ndarray, weights: np.ndarray, axes: list) -> np.ndarray:
    """The weighted mean of the rows at every point, (G, K)."""
    total = 0.0
    for row, weight in zip(brute_cube(model, rows, axes), weights, strict=True):
        total = total + weight * row
    return total / weights.sum()


def encoded(ensemble: Ensemble, rows: np.ndarray) -> np.ndarray:
    """The rows as the engine wants them."""
    return np.column_stack([ensemble.encode(j, rows[:, j]) for j in range(rows.shape[1])])


def encoded_axes(ensemble: Ensemble, axes: list) -> list:
    return [(j, ensemble.encode(j, np.asarray(values))) for j, values in axes]


def assert_equal(model: Model, ours: np.ndarray, brute: np.ndarray) -> None:
    scale = max(1.0, np.abs(brute).max())
    assert ours.shape == brute.shape
    assert_allclose(ours, brute, rtol=0, atol=model.tolerance * scale)


def awkward_axes(model: Model) -> list:
    """An axis per column, in no order: values of the data, duplicates, far outside, thresholds' neighbours."""
    axes = []
    for j in range(4):
        at = X[[3, 50, 7], j]
        values = [*at, at[0], -99.0, 99.0, np.nextafter(at[1], 9), np.nextafter(at[1], -9), 0.0, 0.05, -1e-40]
        values += [np.float32(at[2]), np.nan] if model.missing else []
        axes.append((j, np.array(values + [np.inf, -np.inf] * model.infinite)))
    return [*axes, (4, np.array([5.0, 0.0, 3.0, 0.0, 1.0, 2.0]))]


@every_model
def test_one_feature_equals_brute(model):
    ensemble, rows = ensemble_of(model), (HOLES if model.missing else X)[:25]
    Z, weights = encoded(ensemble, rows), np.arange(25.0)
    prove(ensemble, Z, predict(model, rows))
    axes = awkward_axes(model)
    sweep = averages(ensemble, Z, weights, encoded_axes(ensemble, axes))
    for axis, together in zip(axes, sweep, strict=True):
        ours = encoded_axes(ensemble, [axis])
        assert_equal(model, ensemble.cube(Z, ours), brute_cube(model, rows, [axis]))
        average = brute_average(model, rows, weights, [axis])
        assert_equal(model, ensemble.average(Z, weights, ours), average)
        assert_equal(model, together, average)


@every_model
def test_all_features_at_once_equal_brute(model):
    """Without missing values on the axes, so that the features share one sweep."""
    ensemble, rows, weights = ensemble_of(model), (HOLES if model.missing else X)[:40], np.ones(40)
    axes = [(j, values[~np.isnan(values)]) for j, values in awkward_axes(model)]
    sweep = averages(ensemble, encoded(ensemble, rows), weights, encoded_axes(ensemble, axes))
    for axis, ours in zip(axes, sweep, strict=True):
        assert_equal(model, ours, brute_average(model, rows, weights, [axis]))


@every_model
@pytest.mark.parametrize("pair", [(0, 1), (3, 2), (4, 0)])
def test_two_features_equal_brute(model, pair):
    ensemble, rows = ensemble_of(model), (HOLES if model.missing else X)[:15]
    Z, weights = encoded(ensemble, rows), np.arange(1.0, 16.0)
    axes = [awkward_axes(model)[j] for j in pair]
    axes = [(j, values[:5] if j < 4 else values) for j, values in axes]
    ours = encoded_axes(ensemble, axes)
    assert_equal(model, ensemble.cube(Z, ours), brute_cube(model, rows, axes))
    assert_equal(model, ensemble.average(Z, weights, ours), brute_average(model, rows, weights, axes))


@every_model
@pytest.mark.parametrize("columns", [(1, 0), (2, 4), (3,), (0, 1, 2)])
def test_scattered_points_equal_brute(model, columns):
    ensemble, rows = ensemble_of(model), X[:12]
    Z, weights = encoded(ensemble, rows), np.arange(1.0, 13.0)
    ours = ensemble.average_at(Z, weights, columns, Z[:, columns])
    for point, value in zip(rows[:, columns], ours, strict=True):
        axes = [(j, point[i : i + 1]) for i, j in enumerate(columns)]
        assert_equal(model, value[None], brute_average(model, rows, weights, axes))


@every_model
def test_columns_that_one_feature_became_are_pinned_together(model):
    ensemble, rows, weights = ensemble_of(model), X[:12], np.ones(12)
    Z = encoded(ensemble, rows)
    points = Z[20 % 12 :][:4][:, [0, 3]]
    together = ensemble.average(Z, weights, [((0, 3), points)])
    assert_equal(model, together, ensemble.average_at(Z, weights, (0, 3), points))
    with_other = ensemble.cube(Z, [((0, 3), points), (1, Z[:2, 1])])
    for g, (point, other) in enumerate(product(points, Z[:2, 1])):
        axes = [(0, point[:1]), (3, point[1:]), (1, np.array([other]))]
        assert_equal(model, with_other[:, g : g + 1], brute_cube(model, rows, axes))


def values_for(model: Model, column: int) -> st.SearchStrategy[float]:
    """Values of a column that find the edges: thresholds and their neighbours in either precision."""
    if column == 4:
        return st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    cuts = [float(cut) for cut in ensemble_of(model).columns[column].cuts if np.isfinite(cut) and abs(cut) < 1e30]
    edges = [0.0, -0.0, 1e-36, -1e-36, 1e30, -1e30, *cuts[:: max(1, len(cuts) // 20)]]
    for cut in edges[6:]:
        edges += [np.nextafter(cut, 9e9), np.nextafter(cut, -9e9), float(np.float32(cut))]
        edges += [float(np.nextafter(np.float32(cut), np.float32(9e9)))]
    edges += [np.nan] if model.missing else []
    edges += [np.inf, -np.inf] if model.infinite else []
    return st.sampled_from(edges) | st.floats(-3, 3)


@every_model
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_edges_equal_brute(model, data):
    ensemble = ensemble_of(model)
    n = data.draw(st.integers(1, 4))
    rows = np.array([[data.draw(values_for(model, j)) for j in range(5)] for _ in range(n)])
    rows = rows[data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5))]  # duplicates
    weights = np.array([data.draw(st.floats(0.01, 9.0)) for _ in rows])
    columns = data.draw(st.permutations(range(5)))[:2]
    axes = [(j, np.array(data.draw(st.lists(values_for(model, j), min_size=1, max_size=4)))) for j in columns]
    Z, ours = encoded(ensemble, rows), encoded_axes(ensemble, axes)
    assert_equal(model, ensemble.predict(Z), predict(model, rows))
    assert_equal(model, ensemble.cube(Z, ours), brute_cube(model, rows, axes))
    for axis, together in zip(axes, averages(ensemble, Z, weights, ours), strict=True):
        assert_equal(model, together, brute_average(model, rows, weights, [axis]))
