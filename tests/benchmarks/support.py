"""The cost of support: 2,000 rows of 20 features, 20 points; the first feature pays for the distances of all.

python tests/benchmarks/support.py [--repeats 5]
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from interpret_pd import Predictor
from interpret_pd.grid import Grid, Spec, make_axis
from interpret_pd.predictor.support import support

N, P, POINTS = 2000, 20, 20


def seconds(repeats: int) -> dict[str, list[float]]:
    """The time of each stage, once per repeat."""
    X = np.random.default_rng(0).normal(size=(N, P))
    times: dict[str, list[float]] = {
        "the first feature": [],
        "another feature": [],
        "two features": [],
        "the table": [],
    }
    for _ in range(repeats):
        predictor = Predictor(len, X)
        axes = [make_axis(predictor.table, predictor.feature(j), POINTS, Spec()) for j in range(P)]
        for name, chosen in (
            ("the first feature", axes[:1]),
            ("another feature", axes[1:2]),
            ("two features", axes[2:4]),
        ):
            begin = time.perf_counter()
            support(predictor, Grid(tuple(chosen)))
            times[name].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        predictor.support()
        times["the table"].append(time.perf_counter() - begin)
    return times


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    for name, taken in seconds(parser.parse_args().repeats).items():
        print(f"{name:>20}: {statistics.median(taken):6.3f} s")
