"""The public callables with arguments that are right, so that a row of the tables of errors says only what is wrong."""

from __future__ import annotations

import inspect
import os
import traceback
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import interpret_pd
from interpret_pd import (
    FeatureEffect,
    FeatureEffects,
    Predictor,
    compare,
    effect_theme,
    h_statistic,
    load_bike,
    pd_importance,
    plot_importance,
    plots,
)
from interpret_pd.report import report

HOUSE = Path(interpret_pd.__file__).parent.as_posix()

X = pd.DataFrame({"age": [20.0, 30, 40, 50], "fare": [1.0, 2, 3, 5], "sex": ["f", "m", "f", "m"]})
NUMBERS = X[["age", "fare"]]
ARRAY = NUMBERS.assign(size=1.0).to_numpy()
REGRESSION = LinearRegression().fit(NUMBERS, X["age"])
BINARY = LogisticRegression().fit(NUMBERS, ["no", "no", "yes", "yes"])


def f(Z):
    return np.asarray(Z["age"], float)


PREDICTOR = Predictor(f, X)
PD = FeatureEffect(PREDICTOR, "age")
ICE = FeatureEffect(PREDICTOR, "age", "pdp+ice")
ALE = FeatureEffect(PREDICTOR, "age", "ale")
PAIR = FeatureEffect(PREDICTOR, ("age", "fare"), grid=2)
ALL = FeatureEffects(PREDICTOR)
TABLE = pd_importance(PREDICTOR)

CALLABLES = {  # each with the arguments that a row keeps
    "Predictor": (Predictor, {"model": f, "X": X}),
    "Predictor.predict": (PREDICTOR.predict, {"X": X}),
    "Predictor.feature": (PREDICTOR.feature, {"feature": "age"}),
    "Predictor.support": (PREDICTOR.support, {}),
    "FeatureEffect": (FeatureEffect, {"predictor": PREDICTOR, "features": "age"}),
    "FeatureEffect.centered": (PD.centered, {}),
    "FeatureEffect.averaged": (PD.averaged, {}),
    "FeatureEffect.derivative": (PD.derivative, {}),
    "FeatureEffect.predict": (PD.predict, {"X_new": [30]}),
    "FeatureEffect.bands": (ICE.bands, {}),
    "FeatureEffect.rows_at": (PD.rows_at, {"point": 30}),
    "FeatureEffect.pooled": (FeatureEffect.pooled, {"effects": [PD, PD]}),
    "FeatureEffect.to_json": (PD.to_json, {}),
    "FeatureEffect.from_json": (FeatureEffect.from_json, {"text": PD.to_json()}),
    "FeatureEffect.plot": (ICE.plot, {}),
    "FeatureEffects": (FeatureEffects, {"predictor": PREDICTOR}),
    "FeatureEffects.__getitem__": (ALL.__getitem__, {"features": "age"}),
    "FeatureEffects.plot": (ALL.plot, {}),
    "pd_importance": (pd_importance, {"predictor": PREDICTOR}),
    "h_statistic": (h_statistic, {"predictor": PREDICTOR}),
    "plot_importance": (plot_importance, {"table": TABLE}),
    "compare": (compare, {"effects": {"one": PD, "two": PD}}),
    "effect_theme": (effect_theme, {}),
    "load_bike": (load_bike, {}),
    "plots.plot_effect": (plots.plot_effect, {"effect": ICE}),
    "plots.plot_effects": (plots.plot_effects, {"effects": [PD]}),
    "plots.compare_plot": (plots.compare_plot, {"effects": {"one": PD, "two": PD}}),
    "plots.plot_ale_pd": (plots.plot_ale_pd, {"ale": ALE, "pdp": PD}),
    "plots.plot_importance": (plots.plot_importance, {"table": TABLE}),
    "plots.effect_theme": (plots.effect_theme, {}),
    "plots.readable_family": (plots.readable_family, {"text": "a"}),
    "report": (report, {"predictor": PREDICTOR}),
}


NAN, INF = float("nan"), float("inf")
THING = object()
STREAM = (value for value in [1])

# wrong values with the text that a message shows them as
NO_NUMBER = [
    *[("2", "'2'"), (True, "True"), (NAN, "nan"), (INF, "inf"), ([3], "[3]"), ({3}, "{3}")],
    *[(THING, "an object"), (STREAM, "a generator"), (np.ones(2), "array([1., 1.])"), (b"3", "b'3'")],
]
NO_COUNT = [*NO_NUMBER, (2.5, "2.5"), (-1, "-1")]  # where a whole number is meant
NO_FLAG = [(None, "None"), ("yes", "'yes'"), (1, "1"), (NAN, "nan"), ([True], "[True]"), (THING, "an object")]
NO_OPTION = [(None, "None"), (1, "1"), (True, "True"), ([], "[]"), (NAN, "nan"), (THING, "an object"), ("", "''")]
NO_SEED = [("seed", "'seed'"), (True, "True"), (-1, "-1"), (1.5, "1.5"), (NAN, "nan"), (THING, "an object")]
NO_NAME = [
    *[("agee", "'agee'. Did you mean 'age'?"), ("AGE", "'AGE'. Did you mean 'age'?"), (7, "7."), (True, "True.")],
    *[(NAN, "nan."), (THING, "an object."), (["agee"], "['agee'].")],
]
NAMES = "They are 'age', 'fare', 'sex'."

# messages that several callables share
MODEL = "predictor must be a Predictor; got .... Use Predictor(model, X)."
COLUMNS = f"features must be columns of the data; got ... {NAMES}"
GRID = "grid must be a whole number of at least 2, 'unique' or values; got ...."
ALIKE = "grid must be a number, 'unique' or a mapping for several features; got .... Use grid={feature: values, ...}."


def rows(name, argument, message, *wrong, error=ValueError):
    """A row of the table for each wrong value: the callable, its argument, the value, the error, the whole message.

    The message is that of all values, with `...` where each one's own text goes.
    """
    before, _, after = message.partition("...")
    return [(name, argument, value, error, (before + text + after).replace("?.", "?")) for value, text in wrong]


def told(row):
    """What a row is called in pytest's list."""
    name, argument, _, _, message = row
    return f"{name}({argument}): {message[:70]}"


def check(row):
    """Calls with the wrong argument, and looks at the error, its message and its traceback."""
    name, argument, value, error, message = row
    refuses(lambda: ask(name, argument, value), message, error)


def refuses(call, message, error=ValueError):
    """A call ends in this error, with this message and nothing else, and its traceback at the door."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert caught.value.args == (message,), caught.value
    assert_ends_at_the_door(caught.value)


def assert_ends_at_the_door(error):
    """At most the public call and one more frame of ours are in the traceback, and no other error behind it."""
    if "MUTANT_UNDER_TEST" not in os.environ:  # there every function of ours is three frames
        assert len(own_frames(error)) <= 2, "".join(traceback.format_exception(error))
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def arguments(name):
    """The names of a callable's arguments."""
    return list(inspect.signature(CALLABLES[name][0]).parameters)


def ask(name, argument, value):
    """Calls it with one argument that is wrong."""
    function, right = CALLABLES[name]
    given = right | {argument: value}
    if name.endswith("__getitem__"):
        return function(*given.values())
    return function(**given)


def own_frames(error):
    """The frames of the package in an error's traceback."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append(Path(trace.tb_frame.f_code.co_filename).as_posix())
        trace = trace.tb_next
    return [frame for frame in frames if frame.startswith(HOUSE)]
