"""Time of the tree engine as a ratio to the floor: one `predict` on the prebuilt n x 50 rows.

One thread, CPU time, medians of interleaved runs, everything in one process:
`python tests/benchmarks/trees.py [seconds per cell]`.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

os.environ.update({f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")})  # before the libraries load

import numpy as np
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.inspection import partial_dependence

from interpret_pd.trees import Ensemble, group_averages, read

P, POINTS, TRAIN = 10, 50, 4000


def make_data(n: int, p: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n rows of p correlated features, and a response with interactions."""
    rng = np.random.default_rng(seed)
    X = 0.6 * rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, p))
    y = 3 * X[:, 0] + np.sin(3 * X[:, 1]) * X[:, 2] + X[:, 3] ** 2 + X[:, 4:].sum(axis=1) + rng.normal(size=n)
    return X, y


def make_models() -> dict[str, Any]:
    """Return the unfitted models of the table, each with 100 trees and one thread."""
    models: dict[str, Any] = {
        "gradient boosting": GradientBoostingRegressor(random_state=0),
        "histogram boosting": HistGradientBoostingRegressor(early_stopping=False, random_state=0),
        "random forest": RandomForestRegressor(random_state=0, n_jobs=1),
    }
    if find_spec("lightgbm"):
        from lightgbm import LGBMRegressor

        models["LightGBM"] = LGBMRegressor(n_jobs=1, verbose=-1)
    if find_spec("xgboost"):
        from xgboost import XGBRegressor

        models["XGBoost"] = XGBRegressor(n_estimators=100, max_depth=6, n_jobs=1)
    return models


def stack(X: np.ndarray, column: int, values: np.ndarray) -> np.ndarray:
    """Return each row with each of the values in a column, a row's copies together: (n * G, p)."""
    rows = np.repeat(X, len(values), axis=0)
    rows[:, column] = np.tile(values, len(X))
    return rows


def measure(tasks: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Return each task's median CPU time; the tasks take turns, so that a slow spell of the machine hits them all."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    started = time.perf_counter()
    while time.perf_counter() - started < seconds * len(tasks) or len(next(iter(times.values()))) < 3:
        for name, task in tasks.items():
            before = time.process_time()
            task()
            times[name].append(time.process_time() - before)
    return {name: float(np.median(values)) for name, values in times.items()}


def sklearn_tasks(model: Any, X: np.ndarray) -> dict[str, Callable[[], object]]:
    """Return scikit-learn's two ways to one feature's curve, where it has them for the model."""

    def run(method: str) -> Callable[[], object]:
        return lambda: partial_dependence(model, X, [0], grid_resolution=POINTS, percentiles=(0, 1), method=method)

    tasks = {"sklearn brute": run("brute")}
    if type(model).__module__.startswith("sklearn"):
        tasks["sklearn recursion"] = run("recursion")
    return tasks


def rival_tasks(model: Any, X: np.ndarray) -> dict[str, Callable[[], object]]:
    """Return woodelf's curves of all features, where it is installed; not for the forest, which takes it a minute."""
    if not find_spec("woodelf") or isinstance(model, RandomForestRegressor):
        return {}
    import pandas as pd
    from woodelf.pdp import woodelf_pdp

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # its progress bars
            woodelf_pdp(model, frame, POINTS)

    return {"woodelf, all": run}


def our_tasks(ensemble: Ensemble, X: np.ndarray) -> dict[str, Callable[[], object]]:
    """Return what the engine does with one, two and all features."""
    weights = np.ones(len(X))
    axes = [(j, np.linspace(X[:, j].min(), X[:, j].max(), POINTS)) for j in range(X.shape[1])]
    pair = tuple((j, values[::5]) for j, values in axes[:2])
    return {
        "PD": lambda: ensemble.average(X, weights, axes[:1]),
        "ICE": lambda: ensemble.cube(X, axes[:1]),
        "pair 10 x 10": lambda: ensemble.average(X, weights, pair),
        "all PD": lambda: group_averages(ensemble, X, weights, axes, np.zeros(len(X), int)),
    }


def report_curves(seconds: float) -> None:
    """Print the table of one, two and all features."""
    X_train, y_train = make_data(TRAIN, P, seed=0)
    for n in (1000, 10_000):
        X, _ = make_data(n, P, seed=1)
        for name, model in make_models().items():
            model.fit(X_train, y_train)
            rows = stack(X, 0, np.linspace(X[:, 0].min(), X[:, 0].max(), POINTS))
            ensemble = read(model, "predict", [f"x{j}" for j in range(P)])
            tasks = {"floor": lambda model=model, rows=rows: model.predict(rows)}
            tasks |= our_tasks(ensemble, X) | sklearn_tasks(model, X) | rival_tasks(model, X)
            tasks["read"] = lambda model=model: read(model, "predict", [f"x{j}" for j in range(P)])
            times = measure(tasks, seconds)
            floor = times.pop("floor")
            ratios = "  ".join(f"{task} {value / floor:.4f}" for task, value in times.items())
            brute = model.predict(rows).astype(float).reshape(n, POINTS).mean(axis=0)
            error = np.abs(our_tasks(ensemble, X)["PD"]()[:, 0] - brute).max() / np.abs(brute).max()
            print(f"n = {n:6d}  {name:18s} floor {1e3 * floor:7.1f} ms   {ratios}  error {error:.0e}", flush=True)


def report_importance(seconds: float) -> None:
    """Print the time of all unique values of 100 features, as a ratio to one `predict`."""
    X, y = make_data(1000, 100, seed=2)
    weights, one = np.ones(len(X)), np.zeros(len(X), int)
    for name, model in make_models().items():
        ensemble = read(model.fit(X, y), "predict", [f"x{j}" for j in range(100)])
        axes = [(j, np.unique(X[:, j])) for j in range(100)]
        times = measure(
            {
                "predict": lambda model=model: model.predict(X),
                "ours": lambda ensemble=ensemble, axes=axes: group_averages(ensemble, X, weights, axes, one),
            },
            seconds,
        )
        ours, theirs = times["ours"], times["predict"]
        text = f"{1e3 * ours:7.1f} ms, one predict {1e3 * theirs:5.1f} ms: {ours / theirs:.2f}"
        print(f"importance, 100 features, n = 1000  {name:20s} {text}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # LightGBM and scikit-learn on feature names
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    report_curves(budget)
    report_importance(budget)
