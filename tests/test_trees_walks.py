"""What must not matter to the walks (blocks, threads, repeated rows, a compiler), and curves that are flat."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from libraries import needs_numba
from models import MODELS, Model, X, Y, averages
from numpy.testing import assert_allclose
from test_trees import NAMES, assert_equal, brute_average, brute_cube, encoded, ensemble_of

from interpret_pd.trees import ensemble as ensemble_module
from interpret_pd.trees import grouped as grouped_module
from interpret_pd.trees import plan as plan_module
from interpret_pd.trees import read

pytestmark = [needs_numba, pytest.mark.filterwarnings("ignore:X does not have valid feature names")]


@pytest.mark.parametrize("name", ["forest, three classes", "boosting, three classes", "LightGBM, categories"])
def test_blocks_and_threads_change_nothing(name, monkeypatch):
    ensemble = ensemble_of(MODELS[name])
    Z, weights = encoded(ensemble, X), np.linspace(1, 2, len(X))
    axes = [(j, Z[:9, j]) for j in range(5)]

    def everything(n_jobs: int) -> list[np.ndarray]:
        return [
            ensemble.cube(Z, axes[:2], n_jobs),
            ensemble.average(Z, weights, axes[3:], n_jobs),
            ensemble.average_at(Z, weights, (0, 2), Z[:, [0, 2]], n_jobs),
            *averages(ensemble, Z, weights, axes, n_jobs),
        ]

    whole = everything(1)
    for threads in (3, -1):
        for ours, theirs in zip(everything(threads), whole, strict=True):
            assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)
    monkeypatch.setattr(ensemble_module, "BLOCK_ROWS", 7)
    monkeypatch.setattr(grouped_module, "BLOCK_ROWS", 7)
    monkeypatch.setattr(ensemble_module, "CURVE_CELLS", 64)
    monkeypatch.setattr(ensemble_module, "CURVE_ROWS", 3)
    monkeypatch.setattr(plan_module, "SURFACE_CELLS", 300)
    for ours, theirs in zip(everything(2), whole, strict=True):
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["forest", "XGBoost, two classes"])
def test_integer_weights_equal_repeated_rows(name):
    ensemble, times = ensemble_of(MODELS[name]), np.arange(len(X)) % 4
    axes = [(j, X[:5, j]) for j in range(5)]
    weighted = averages(ensemble, X, times.astype(float), axes)
    repeated = averages(ensemble, np.repeat(X, times, axis=0), np.ones(times.sum()), axes)
    assert_allclose(weighted, repeated, rtol=1e-12, atol=1e-14)


def test_a_feature_that_no_tree_uses_is_exactly_flat():
    from sklearn.ensemble import RandomForestRegressor

    rows = np.column_stack([X[:, :2], np.ones(len(X))])
    ensemble = read(RandomForestRegressor(5, random_state=0).fit(rows, Y), "predict", NAMES[:3])
    *_, flat = averages(ensemble, rows, np.ones(len(X)), [(j, np.array([-1.0, 0.5, 7.0])) for j in range(3)])
    assert np.ptp(flat) == 0.0


def test_a_constant_prediction_is_exactly_flat():
    from sklearn.ensemble import GradientBoostingRegressor

    ensemble = read(GradientBoostingRegressor().fit(X, np.full(len(X), 0.1)), "predict", NAMES)
    curves = averages(ensemble, X, np.ones(len(X)), [(j, X[:, j]) for j in range(5)])
    assert np.ptp(curves) == 0.0


def test_more_categories_than_a_mask_has_bits():
    import lightgbm as lgb

    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(0, 200, 800), rng.normal(size=800)])
    effect = rng.normal(size=200)
    model = Model(
        lambda: lgb.LGBMRegressor(n_estimators=10, min_child_samples=2, max_cat_threshold=200, cat_smooth=0.1,
                                  min_data_per_group=1, verbose=-1, n_jobs=1)
        .fit(rows, effect[rows[:, 0].astype(int)] + rows[:, 1], categorical_feature=[0])
    )  # fmt: skip
    ensemble = read(model.fitted(), "predict", NAMES[:2])
    axes = [(0, np.arange(-3.0, 240.0)), (1, np.array([0.3]))]
    assert_equal(model, ensemble.cube(rows[:10], axes), brute_cube(model, rows[:10], axes))
    assert_equal(model, ensemble.average(rows, np.ones(800), axes[:1]),
                 brute_average(model, rows, np.ones(800), axes[:1]))  # fmt: skip


def test_the_walks_need_no_compiler():
    """With numba switched off they are plain Python, with the same results."""
    code = (
        "import numpy as np; from models import MODELS, X, averages; from interpret_pd.trees import prove, read\n"
        "for name in ('histogram, categories', 'forest, three classes', 'XGBoost'):\n"
        "    model = MODELS[name]; fitted = model.fitted()\n"
        "    ensemble = read(fitted, model.response, ['x'] * 5); Z = X[:10]\n"
        "    if name[0] == 'h': Z = np.column_stack([ensemble.encode(j, Z[:, j]) for j in range(5)])\n"
        "    axes = [(j, Z[:3, j]) for j in range(5)]; ones = np.ones(10)\n"
        "    single = [ensemble.cube(Z, (axis,)).mean(axis=0) for axis in axes]\n"
        "    assert np.allclose(single, averages(ensemble, Z, ones, axes))\n"
        "    both = ensemble.cube(Z, axes[:2]).mean(axis=0)\n"
        "    assert np.allclose(both, ensemble.average(Z, ones, axes[:2]))\n"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-c", code], check=True, env=environment)
