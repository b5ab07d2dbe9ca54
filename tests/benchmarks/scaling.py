"""Scaling: how the cost grows with rows, features, columns, outputs and points, and what workers bring.

    python tests/benchmarks/scaling.py [--repeats 3]

The slope is that of log(seconds) on log(size): 1 is linear. CPU time, medians; the model is a weighted sum, so that
most of the cost is the package's. Workers are measured by the clock, in turns, with a model that releases the GIL and
uses one thread: *speed-up* is the median of the ratios of one worker's time to two's, side by side.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

os.environ.update({f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")})  # before the libraries load

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance


def rows(n: int, p: int = 10) -> np.ndarray:
    """Rows of uniform numbers."""
    return np.random.default_rng(0).random((n, p))


def several(Z: np.ndarray, outputs: int) -> np.ndarray:
    """A model of many outputs."""
    return Z @ np.ones((Z.shape[1], outputs))


def effect(n: int = 10_000, p: int = 10, outputs: int = 1, points: int = 50, method: str = "pdp") -> Callable[[], Any]:
    """The effect of one feature, to be computed."""
    X = rows(n, p)
    predictor = Predictor(partial(several, outputs=outputs), X, progress=False)
    grid = np.linspace(0, 1, points)
    return lambda: FeatureEffect(predictor, 0, method=method, grid=grid)


def of_features(compute: Callable[..., Any], count: int, **options: Any) -> Callable[[], Any]:
    """A computation for so many of 40 features, to be done."""
    predictor = Predictor(partial(several, outputs=1), rows(2000, 40), progress=False)
    return lambda: compute(predictor, list(range(count)), **options)


SIZES: dict[str, tuple[Callable[[int], Callable[[], Any]], Sequence[int]]] = {
    "rows n, PD": (lambda n: effect(n=n), (10_000, 40_000, 160_000)),
    "rows n, PD and all curves": (lambda n: effect(n=n, method="pdp+ice"), (10_000, 40_000, 160_000)),
    "rows n, ALE": (lambda n: effect(n=n, method="ale"), (40_000, 160_000, 640_000)),
    "points G, PD": (lambda g: effect(points=g), (25, 100, 400)),
    "outputs K, PD": (lambda k: effect(outputs=k), (4, 16, 64)),
    "columns p, PD of one": (lambda p: effect(p=p), (10, 40, 160)),
    "features, PD of each": (lambda f: of_features(FeatureEffects, f), (5, 10, 20, 40)),
    "features, importance": (lambda f: of_features(pd_importance, f, grid=50), (5, 10, 20, 40)),
    "features, overall H": (lambda f: of_features(h_statistic, f, n_max=100, random_state=0), (5, 10, 20, 40)),
}


def cpu_seconds(job: Callable[[], Any], repeats: int) -> float:
    """The median CPU time, after a warm-up."""
    times = []
    for _ in range(repeats + 1):
        begin = time.process_time()
        job()
        times.append(time.process_time() - begin)
    return float(np.median(times[1:]))


def line(name: str, repeats: int) -> str:
    """A line of the table: the times, and the slope."""
    make, sizes = SIZES[name]
    seconds = [cpu_seconds(make(size), repeats) for size in sizes]
    slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    shown = ", ".join(f"{size:,}: {1000 * s:.3g}" for size, s in zip(sizes, seconds, strict=True))
    return f"| {name} | {shown} | {slope:.2f} |"


def speed_up(compute: Callable[..., Any], repeats: int) -> str:
    """One worker's time over two's: the median of pairs measured side by side, and their range."""
    X = rows(4000)
    model = HistGradientBoostingRegressor(max_iter=200, random_state=0).fit(X, X @ np.arange(10) + np.sin(9 * X[:, 0]))

    def seconds(jobs: int) -> float:
        predictor = Predictor(model, X, engine="brute", n_jobs=jobs, progress=False)
        begin = time.perf_counter()
        compute(predictor)
        return time.perf_counter() - begin

    seconds(2)
    ratios = [seconds(1) / seconds(2) for _ in range(repeats)]
    return f"{np.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| cost with | CPU ms by size | log-log slope |")
    print("|---|---|---|")
    for name in SIZES:
        print(line(name, options.repeats), flush=True)
    print("\n| two workers instead of one, threads | speed-up |")
    print("|---|---|")
    jobs = {
        "PD of one feature": lambda predictor: FeatureEffect(predictor, 0, grid=50),
        "PD of five features": lambda predictor: FeatureEffects(predictor, list(range(5)), grid=20),
        "importance of five features": lambda predictor: pd_importance(predictor, list(range(5)), grid=20),
    }
    for name, compute in jobs.items():
        print(f"| {name} | {speed_up(compute, 2 * options.repeats + 1)} |", flush=True)


if __name__ == "__main__":
    main()
