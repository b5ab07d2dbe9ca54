"""Memory: the peak of a partial dependence above the data, each in a process of its own.

    python tests/benchmarks/memory.py [--rows 1000000] [--columns 50] [--points 100]

The model is a sum of the columns, so that what is measured is the package. *Data* is the array or frame, in place
before the measurement; *peak* is the highest resident size after it, minus that before, by the operating system.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import textwrap

CODE = """
    import resource, sys, threading
    import numpy as np, pandas as pd
    from interpret_pd import FeatureEffect, Predictor, pd_importance

    n, p, G, kind = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    options = {"n_jobs": 2} if "two jobs" in kind else {}
    X = np.random.default_rng(0).random((n, p))
    if "frame" in kind:
        X = pd.DataFrame(X, columns=[f"x{j}" for j in range(p)], copy=False)
    K = 10 if "outputs" in kind else 1

    def model(Z):
        total = np.asarray(Z).sum(axis=1)
        return np.column_stack([total] * K)

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    FeatureEffect(Predictor(model, X[:100]), "x0").results  # what is loaded once
    before = peak()
    predictor = Predictor(model, X, **options)
    if "all" in kind:
        pd_importance(predictor, ["x0", "x1"], grid=G)
    else:
        method = "pdp+ice" if "curves" in kind else "pdp"
        effect = FeatureEffect(predictor, "x0", method=method, grid=G, ice_rows=1000, random_state=0)
    print(n * p * 8, peak() - before)
"""
KINDS = ("array", "array, two jobs", "frame, 1000 curves", "frame, ten outputs")


def measured(n: int, p: int, points: int, kind: str) -> tuple[float, float]:
    """The data and the peak above them, in MiB."""
    code = textwrap.dedent(CODE)
    arguments = [sys.executable, "-c", code, str(n), str(p), str(points), kind]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    data, peak = map(int, done.stdout.split())
    return data / 2**20, peak / 2**20


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--points", type=int, default=100)
    parser.add_argument("kinds", nargs="*")
    options = parser.parse_args()
    size = f"{options.rows:,} rows x {options.columns} columns x {options.points} points"
    print(f"| {size} | data, MiB | peak above them, MiB |")
    print("|---|---|---|")
    for kind in options.kinds or KINDS:
        data, peak = measured(options.rows, options.columns, options.points, kind)
        print(f"| {kind} | {data:.0f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
