"""Brute force against the floor: what a partial dependence costs over the model's own `predict`.

    python tests/benchmarks/brute.py [--repeats 5] [--sizes 1000 10000] [model ...]

*Floor* is one pass of `predict` over the n x 50 rows built beforehand, at the best of two row orders (the copies of a
row together, or the rows of a point together) and four batch sizes. Every figure is a median of samples taken in turn,
one thread, divided by the floor of the same run: ratios hold where absolute times do not.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from xgboost import XGBRegressor

from interpret_pd import FeatureEffect, Predictor

POINTS, BATCHES = 50, (2**13, 2**15, 2**17, 2**30)


class Slow:
    """A model with a fixed cost of 5 ms per call, as one behind a network has."""

    def __init__(self) -> None:
        self.coef = np.arange(1.0, 11.0)

    def fit(self, X: Any, y: Any) -> Slow:
        return self

    def __call__(self, X: Any) -> np.ndarray:
        time.sleep(0.005)
        return X[:, 0] + X[:, 1]


def models() -> dict[str, Any]:
    """Each model with one thread."""
    encoder = make_column_transformer((OneHotEncoder(), ["c0", "c1"]), remainder="passthrough")
    return {
        "linear": LinearRegression(),
        "linear (frame)": LinearRegression(),
        "mlp": MLPRegressor(hidden_layer_sizes=(64, 64), max_iter=30, random_state=0),
        "pipeline (frame)": make_pipeline(encoder, Ridge()),
        "callable, 5 ms": Slow(),
        "gbr": GradientBoostingRegressor(random_state=0),
        "hgb": HistGradientBoostingRegressor(random_state=0),
        "lgbm": LGBMRegressor(n_jobs=1, verbose=-1, random_state=0),
        "xgb": XGBRegressor(n_jobs=1, random_state=0),
        "rf": RandomForestRegressor(random_state=0),
    }


def data(n: int, name: str) -> tuple[Any, np.ndarray]:
    """Ten correlated numbers, as an array or a frame; of the pipeline, eight beside two columns of text."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 10)) @ (np.eye(10) + 0.3)
    y = X[:, 0] + np.sin(X[:, 1]) * X[:, 2] + rng.normal(size=n)
    if "frame" not in name:
        return X, y
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(10)])
    if "pipeline" in name:
        frame = frame.drop(columns=["x8", "x9"])
        frame["c0"], frame["c1"] = rng.choice(list("abcdef"), n), rng.choice(["u", "v", "w"], n)
    return frame, y


def stacked(X: Any, points: np.ndarray, instance_major: bool) -> Any:
    """The n x 50 rows, built beforehand."""
    n, g = len(X), len(points)
    rows = np.repeat(np.arange(n), g) if instance_major else np.tile(np.arange(n), g)
    swept = np.tile(points, n) if instance_major else np.repeat(points, n)
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows].assign(x0=swept).reset_index(drop=True).copy()
    out = np.ascontiguousarray(X[rows])
    out[:, 0] = swept
    return out


def one_pass(predict: Callable[[Any], Any], rows: Any, batch: int) -> None:
    """`predict` over all rows in batches."""
    if batch >= len(rows):
        predict(rows)
        return
    for start in range(0, len(rows), batch):
        predict(rows[start : start + batch])


def median_seconds(jobs: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Each job's median, sampled in turn after a warm-up."""
    samples: dict[str, list[float]] = {name: [] for name in jobs}
    for repeat in range(repeats + 1):
        for name, job in jobs.items():
            begin = time.perf_counter()
            job()
            if repeat:
                samples[name].append(time.perf_counter() - begin)
    return {name: float(np.median(times)) for name, times in samples.items()}


def measure(name: str, model: Any, n: int, repeats: int) -> str:
    """One line of the table."""
    X, y = data(n, name)
    model.fit(X, y)
    predict = model if isinstance(model, Slow) else model.predict
    predictor = Predictor(model, X, engine="brute")
    for _ in range(6):  # the pace settles
        points = FeatureEffect(predictor, "x0", grid=POINTS).grid.axes[0].points
    jobs: dict[str, Callable[[], Any]] = {"ours": lambda: FeatureEffect(predictor, "x0", grid=POINTS)}
    jobs["fresh"] = lambda: FeatureEffect(Predictor(model, X, engine="brute"), "x0", grid=POINTS)
    for instance_major in (True, False):
        rows = stacked(X, points, instance_major)
        for batch in BATCHES[: 3 if n * POINTS <= 2**17 else 4]:
            jobs[f"floor {instance_major} {batch}"] = lambda rows=rows, batch=batch: one_pass(predict, rows, batch)
    if not isinstance(model, Slow):
        jobs["scikit-learn"] = lambda: partial_dependence(
            model,
            X,
            ["x0"] if hasattr(X, "columns") else [0],
            method="brute",
            kind="average",
            custom_values=None,
            grid_resolution=POINTS,
        )
    else:
        jobs["scikit-learn"] = lambda: [predict(stacked(X, points[[j]], True)) for j in range(POINTS)]
    seconds = median_seconds(jobs, repeats)
    floor = min(value for job, value in seconds.items() if job.startswith("floor"))
    ratios = [seconds[job] / floor for job in ("ours", "fresh", "scikit-learn")]
    return f"| {name} | {n} | {1000 * floor:.3g} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10000])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| model | n | floor, ms | ours | ours, a new predictor | scikit-learn |")
    print("|---|---|---|---|---|---|")
    for n in options.sizes:
        for name, model in models().items():
            if not options.models or name in options.models:
                print(measure(name, model, n, options.repeats), flush=True)


if __name__ == "__main__":
    main()
