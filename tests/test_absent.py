"""Without the libraries that the package can do without: the same numbers, and what is missing is named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
OPTIONAL = ["numba", "pyarrow", "polars", "lightgbm", "xgboost", "dask", "distributed", "tqdm", "treelite", "IPython"]


def effects():
    """The effects of a model on columns of every kind, and what the trees say, printed as JSON."""
    from sklearn.ensemble import RandomForestRegressor

    from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, load_bike, pd_importance

    X = load_bike()[["temp", "season", "weather", "days_since_2011"]].head(200)
    X = X.assign(town=[*("oslo", "bern", None, "rome")] * 50, month=X["season"].astype("category"))
    predictor = Predictor(lambda Z: Z["temp"] * (Z["town"] == "oslo") + (Z["month"] == "fall"), X)
    found = {effect.features[0]: effect.results.to_json() for effect in FeatureEffects(predictor, grid=5)}
    found["ALE"] = FeatureEffect(predictor, ("temp", "town"), method="ale", grid=4).results.to_json()
    found["dtype of the levels"] = str(FeatureEffect(predictor, "town").results["town"].dtype)
    found["importance"] = pd_importance(predictor, grid=5).to_json()
    found["H"] = h_statistic(predictor, ["temp", "town"], n_max=30, random_state=0).to_json()
    FeatureEffect(predictor, "town", method="pdp+ice").plot().draw()
    numbers = np.random.default_rng(0).normal(size=(5000, 2))
    trees = Predictor(RandomForestRegressor(5, random_state=0).fit(numbers, numbers[:, 0]), numbers)
    found["forest"] = FeatureEffect(trees, 0, grid=100).values.round(10).tolist()
    print(json.dumps([found, trees.ensemble_reason]))


def hide(absent):
    """From now on this interpreter finds none of these libraries."""

    class Finder(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)

    sys.meta_path[:] = [Finder if finder is PathFinder else finder for finder in sys.meta_path]


def fresh(code, absent=()):
    """What a new interpreter prints that finds none of some libraries."""
    here = os.environ | {"PYTHONPATH": str(HERE.parent)}  # this copy, not an installed one
    code = f"import test_absent; test_absent.hide({list(absent)}); {code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE, env=here)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def there():
    return json.loads(fresh("test_absent.effects()"))[0]


@pytest.mark.parametrize("absent", [OPTIONAL, ["pyarrow"]], ids=["all", "pyarrow"])
def test_the_numbers_are_the_same_and_a_forest_says_what_it_lacks(absent, there):
    without, reason = json.loads(fresh("test_absent.effects()", absent))
    assert without == there
    if "numba" in absent:
        assert reason == 'the walks are compiled by numba: pip install "interpret-pd[trees]"'


def asked(what):
    """Asks for something that needs a library, and prints what is said of it."""
    from sklearn.tree import DecisionTreeRegressor

    from interpret_pd import FeatureEffect, Predictor

    try:
        if what == "trees":
            X = np.array([[1.0], [2.0]])
            FeatureEffect(Predictor(DecisionTreeRegressor().fit(X, [1, 2]), X, engine="trees"), 0)
        else:
            Predictor(len, "some.parquet", rows=10)
    except (ValueError, ImportError) as error:
        print(error)


@pytest.mark.parametrize(("absent", "what"), [("numba", "trees"), ("pyarrow", "parquet")])
def test_what_is_asked_for_and_missing_is_named(absent, what):
    assert absent in fresh(f"test_absent.asked({what!r})", [absent])
