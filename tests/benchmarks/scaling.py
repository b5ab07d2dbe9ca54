"""Scaling: how the cost grows with rows, features, columns, outputs and points, and what workers bring.

    python tests/benchmarks/scaling.py [--repeats 3]

The slope is that of log(seconds) on log(size): 1 is linear. CPU time, medians; the model is a weighted sum, so that
most of the cost is the package's. *Speed-up* is one worker's time over two's by the clock, the median of pairs side by
side, for a model that computes in one thread and releases the GIL (a bare pool of two threads, given the same rows,
says what the machine has to give at that moment), and for one that waits 50 microseconds per row, as behind a network.
*CPU* is the CPU time of two workers over that of one: what sharing costs, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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
    "points G, PD": (lambda g: effect(points=g), (100, 400, 1600)),
    "outputs K, PD": (lambda k: effect(outputs=k), (16, 64, 256)),
    "columns p, PD of one": (lambda p: effect(p=p), (40, 160, 640)),
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


def waiting(Z: np.ndarray) -> np.ndarray:
    """A model that answers 20,000 rows a second, and computes nothing here."""
    time.sleep(5e-5 * len(Z))
    return np.asarray(Z[:, 0])


def speed_up(job: Callable[[int], Any], repeats: int) -> str:
    """One worker's time over two's, the median of pairs side by side with their range; and two's CPU over one's."""

    def seconds(jobs: int) -> np.ndarray:
        begin = np.array([time.perf_counter(), time.process_time()])
        job(jobs)
        return np.array([time.perf_counter(), time.process_time()]) - begin

    seconds(2)
    ratios = np.array([seconds(1) / seconds(2) for _ in range(repeats)])  # (repeats, 2): clock, CPU
    clock = ratios[:, 0]
    return f"{np.median(clock):.2f} ({clock.min():.2f} to {clock.max():.2f}) | {1 / np.median(ratios[:, 1]):.2f}"


def shared_jobs() -> dict[str, Callable[[int], Any]]:
    """What is shared by a number of workers, by name."""
    X = rows(2000)
    busy = HistGradientBoostingRegressor(max_iter=200, random_state=0).fit(X, X @ np.arange(10) + np.sin(9 * X[:, 0]))
    stack = np.repeat(X, 10, axis=0)

    def bare(jobs: int) -> None:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(busy.predict, [stack] * 4))

    def ours(model: Any, compute: Callable[..., Any], jobs: int) -> None:
        compute(Predictor(model, X, engine="brute", n_jobs=jobs, progress=False))

    def one(predictor: Predictor) -> Any:
        return FeatureEffect(predictor, 0, grid=20)

    def five(predictor: Predictor) -> Any:
        return FeatureEffects(predictor, list(range(5)), grid=10)

    def importance(predictor: Predictor) -> Any:
        return pd_importance(predictor, list(range(5)), grid=10)

    computations = {"PD of one feature": one, "PD of five features": five, "importance of five features": importance}
    return {
        "a bare pool of threads": bare,
        **{f"computing model, {name}": partial(ours, busy, compute) for name, compute in computations.items()},
        **{f"waiting model, {name}": partial(ours, waiting, compute) for name, compute in computations.items()},
    }


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| cost with | CPU ms by size | log-log slope |")
    print("|---|---|---|")
    for name in SIZES:
        print(line(name, options.repeats), flush=True)
    print("\n| two workers instead of one, threads | speed-up | CPU |")
    print("|---|---|---|")
    for name, job in shared_jobs().items():
        print(f"| {name} | {speed_up(job, 2 * options.repeats + 1)} |", flush=True)


if __name__ == "__main__":
    main()
