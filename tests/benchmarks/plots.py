"""Pictures: the seconds from a finished effect to a PNG of 640 x 480.

    python tests/benchmarks/plots.py [--repeats 3]

CPU time, medians after a warm-up. The 1,000 curves at 50 points are compared with the drawing of scikit-learn's own
display.
"""

from __future__ import annotations

import argparse
import io
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

os.environ["MPLBACKEND"] = "Agg"

import numpy as np
import pandas as pd

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance, plot_importance


def model(Z: pd.DataFrame) -> np.ndarray:
    """A response with an interaction and a level."""
    return np.asarray(np.sin(3 * Z["a"]) * Z["b"] + Z["c"] + (Z["g"] == "u"))


def pictures() -> dict[str, Callable[[], Any]]:
    """What is drawn, by name."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((1000, 6)), columns=[*"abcdef"]).assign(g=rng.choice([*"uvw"], 1000))
    predictor = Predictor(model, X, progress=False)
    curves = FeatureEffect(predictor, "a", method="pdp+ice", grid=50)
    effects = {
        "PD": FeatureEffect(predictor, "a"),
        "1,000 curves at 50 points": curves,
        "1,000 centred curves": curves.centered(),
        "boxes of a level's curves": FeatureEffect(predictor, "g", method="pdp+ice"),
        "surface, 20 x 20": FeatureEffect(predictor, ("a", "b")),
        "ALE": FeatureEffect(predictor, "a", method="ale"),
        "seven features": FeatureEffects(predictor),
    }
    table = pd_importance(predictor, grid=20)
    return {**{name: effect.plot for name, effect in effects.items()}, "importance": lambda: plot_importance(table)}


def sklearns() -> Callable[[], Any]:
    """scikit-learn's own picture of 1,000 curves, computed beforehand."""
    from sklearn.inspection import PartialDependenceDisplay
    from sklearn.linear_model import LinearRegression

    X = np.random.default_rng(0).random((1000, 4))
    display = PartialDependenceDisplay.from_estimator(
        LinearRegression().fit(X, X[:, 0]), X, [0], kind="both", grid_resolution=50, subsample=1000
    )

    def draw() -> None:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6.4, 4.8), dpi=100)
        display.plot(ax=axes)
        figure.savefig(io.BytesIO(), format="png")
        plt.close(figure)

    return draw


def saved(plot: Callable[[], Any]) -> None:
    """Draws into nowhere."""
    picture = plot()
    picture.save(io.BytesIO(), format="png", width=6.4, height=4.8, dpi=100, verbose=False)


def cpu_seconds(job: Callable[[], Any], repeats: int) -> float:
    """The median CPU time, after a warm-up."""
    times = []
    for _ in range(repeats + 1):
        begin = time.process_time()
        job()
        times.append(time.process_time() - begin)
    return float(np.median(times[1:]))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| picture | CPU seconds |")
    print("|---|---|")
    for name, plot in pictures().items():
        print(f"| {name} | {cpu_seconds(lambda plot=plot: saved(plot), options.repeats):.2f} |", flush=True)
    print(f"| scikit-learn: 1,000 curves at 50 points, drawing | {cpu_seconds(sklearns(), options.repeats):.2f} |")


if __name__ == "__main__":
    main()
