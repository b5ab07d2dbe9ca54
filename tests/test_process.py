"""The user's process is as it was after a call: no filter, option, font, seed, figure or handler of it has changed."""

from __future__ import annotations

import decimal
import io
import locale
import logging
import os
import random
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

HERE = Path(__file__).parent


def state():
    """Whatever a process shares among all its code, by name."""
    import matplotlib as mpl
    import plotnine
    import sklearn
    from matplotlib import font_manager
    from matplotlib import pyplot as plt
    from pandas._config import config
    from threadpoolctl import threadpool_info

    return {
        "warning filters": [*warnings.filters, warnings.showwarning],
        "random numbers": [random.getstate(), *map(str, np.random.get_state())],  # noqa: NPY002
        "floating-point errors": [np.geterr(), np.geterrcall(), np.get_printoptions(), decimal.getcontext().prec],
        "locale": locale.setlocale(locale.LC_ALL),
        "environment": [dict(os.environ), Path.cwd()],
        "rcParams": [dict(mpl.rcParams), mpl.rcParams._get_backend_or_none()],
        "fonts": [font.fname for font in font_manager.fontManager.ttflist],
        "figures": plt.get_fignums(),
        "plotnine's options": {name: value for name, value in vars(plotnine.options).items() if name[0] != "_"},
        "threads of libraries": {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()},
        "pandas' options": {name: pd.get_option(name) for name in config._registered_options},
        "scikit-learn's options": sklearn.get_config(),
        "interpreter": [*sys.path, *sys.meta_path, sys.excepthook, sys.stdout, sys.stderr, sys.getrecursionlimit()],
        "signal handlers": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "logging": [list(logging.root.handlers), logging.root.level, logging.getLogger("matplotlib").level],
    }


def calls():
    """Everything public, by name, on a fitted forest and on a function."""
    from sklearn.ensemble import RandomForestRegressor

    import interpret_pd as ip
    from interpret_pd.report import report

    names = ["temp", "hum", "season", "days_since_2011"]
    X = ip.load_bike()[names].head(120)
    function = ip.Predictor(lambda Z: 10 * Z["temp"] + (Z["season"] == "fall"), X, progress=False)
    forest = RandomForestRegressor(10, random_state=0).fit(X[["temp", "hum"]], X["temp"] * X["hum"])
    trees = ip.Predictor(forest, X[["temp", "hum"]])
    koreans = ip.Predictor(lambda Z: Z["기온"], X.rename(columns={"temp": "기온"}))
    effect = ip.FeatureEffect(function, "temp")
    methods = ["pdp", "ice", "pdp+ice", "cice", "pdp+cice", "ale"]
    return {
        "load_bike": ip.load_bike,
        "a forest": lambda: RandomForestRegressor(10, random_state=0).fit(X[["temp"]], X["hum"]),
        "Predictor": lambda: ip.Predictor(forest, X[["temp", "hum"]]),
        **{name: lambda name=name: ip.FeatureEffect(function, "temp", method=name) for name in methods},
        **{f"{name} drawn": lambda name=name: drawn(function, "temp", method=name) for name in methods},
        "levels": lambda: drawn(function, "season", method="pdp+ice"),
        "a pair": lambda: drawn(function, ("temp", "hum")),
        "a number and a level": lambda: drawn(function, ("temp", "season"), method="ale"),
        "by": lambda: drawn(function, "temp", by="season"),
        "letters": lambda: drawn(koreans, "기온", method="pdp+ice"),
        "saved": lambda: effect.plot().save(io.BytesIO(), format="png", verbose=False),
        "words": lambda: (effect.results, effect.predict([5, 25]), effect.to_json(), repr(effect), function.support()),
        "verbs": lambda: (effect.centered(), effect.derivative(), effect.rows_at(20.0, n=2)),
        "walked trees": lambda: (ip.FeatureEffect(trees, "temp"), ip.FeatureEffects(trees)),
        "recursion": lambda: ip.FeatureEffect(ip.Predictor(forest, X[["temp", "hum"]], engine="recursion"), "temp"),
        # a function: scikit-learn's own predict, in two threads at once, now and then mixes up the filters of warnings
        "threads": lambda: ip.FeatureEffects(ip.Predictor(function.model, X, n_jobs=2)),
        "all features": lambda: ip.FeatureEffects(function).plot().draw(),
        "tolerance": lambda: ip.FeatureEffect(function, "temp", tolerance=0.5, random_state=0),
        "sample": lambda: ip.Predictor(lambda Z: Z["temp"], X, rows=50),
        "pd_importance": lambda: ip.plot_importance(ip.pd_importance(function)).draw(),
        "h_statistic": lambda: ip.h_statistic(function, n_max=20, random_state=0),
        "compare": lambda: ip.compare({"one": effect, "two": effect}).draw(),
        "effect_theme": ip.effect_theme,
        "report": lambda: report(function, ["temp", "season"], grid=4),
        "progress": lambda: ip.FeatureEffect(ip.Predictor(lambda Z: Z["temp"], X, progress=True), "temp"),
        "an error": lambda: failing(X),
    }


def drawn(predictor, features, **options):
    from interpret_pd import FeatureEffect

    return FeatureEffect(predictor, features, grid=5, **options).plot().draw()


def failing(X):
    from interpret_pd import FeatureEffect, Predictor

    with pytest.raises(ZeroDivisionError):
        FeatureEffect(Predictor(lambda Z: 1 / 0, X, n_jobs=2), "temp")


def tell():
    """Runs each call and prints what it has changed, one line for each change."""
    from matplotlib import pyplot as plt

    figure = plt.figure()
    for name, call in calls().items():
        before = state()
        call()
        after = state()
        for what, old in before.items():
            new = {key: after[what][key] for key in old if key in after[what]} if isinstance(old, dict) else after[what]
            if new != old:
                print(f"{name}: {what}", flush=True)
    if not plt.fignum_exists(figure.number):
        print("the user's own figure is closed")


def fresh(code, **variables):
    """What a new interpreter prints, started in this folder."""
    variables = os.environ | {"PYTHONPATH": str(HERE.parent)} | variables  # this copy, not an installed one
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE, env=variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_call_changes_anything_of_the_users_process():
    assert fresh("import test_process; test_process.tell()") == ""


def test_computing_does_not_choose_a_backend():
    code = (
        "import matplotlib as mpl, interpret_pd as ip; bike = ip.load_bike()[['temp', 'season']].head(50);"
        "ip.FeatureEffects(ip.Predictor(lambda Z: Z['temp'], bike)).results; print(mpl.rcParams._get_backend_or_none())"
    )
    assert fresh(code, MPLBACKEND="") == "None"
