"""The effects' errors: every argument of `FeatureEffect` and `FeatureEffects`, and the whole message."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from error_table import (
    ALIKE,
    COLUMNS,
    GRID,
    INF,
    MODEL,
    NAMES,
    NAN,
    NO_COUNT,
    NO_FLAG,
    NO_NAME,
    NO_NUMBER,
    NO_OPTION,
    NO_SEED,
    PREDICTOR,
    STREAM,
    THING,
    X,
    check,
    refuses,
    rows,
    told,
)
from libraries import pl

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance
from interpret_pd.report import report

MODELS = [
    (None, "None"),
    (len, "a builtin_function_or_method"),
    (X, "a DataFrame"),
    ("a", "a str"),
    (THING, "an object"),
]
METHOD = "method must be one of 'pdp', 'ice', 'pdp+ice', 'cice', 'pdp+cice', 'ale'; got ...."
SPACING = "spacing must be one of 'uniform', 'quantile'; got ...."
POINTS = "grid must be finite numbers for 'age'; got ...."
FLAT = "grid must be a flat list of values; got ...."
PERCENTILES = "percentiles must be two increasing numbers from 0 to 1; got ...."
TOLERANCE = "tolerance must be None or a number between 0 and 1; got ...."
ANCHOR = "center_at must be a finite number for 'age'; got ...."
ANCHORS = "center_at must be a mapping from features to anchors; got ...."
SEED = "random_state must be None, a seed or a numpy Generator; got ...."
ICE_ROWS = "ice_rows must be a whole number of at least 1; got ...."
NO_PAIR = [
    *[((0, 1, 2), "(0, 1, 2)"), ((0.9, 0.1), "(0.9, 0.1)"), ((-1, 1), "(-1, 1)"), ((0, NAN), "(0, nan)")],
    *[((False, True), "(False, True)"), (("0", "1"), "('0', '1')"), (([0], 1), "([0], 1)"), ({0, 1}, "{0, 1}")],
    *[(None, "None"), (0.5, "0.5"), ("01", "'01'"), ((), "()"), (THING, "an object"), (STREAM, "a generator")],
]
NO_POINTS = [
    *[(["a"], "['a']"), ([None], "[None]"), ([NAN], "[nan]"), ([INF], "[inf]"), ([1, "2"], "[1, '2']")],
    *[([True], "[True]"), ([THING], "[an object]"), ([10**400], f"[{str(10**400)[:180]} ... {'0' * 15}]")],
]
NO_GRID = [
    *[(None, "None"), (2.5, "2.5"), (NAN, "nan"), (True, "True"), (THING, "an object"), ("all", "'all'")],
    *[(b"20", "b'20'"), (np.array(2.5), "2.5"), ({3}, "{3}. Use a list: a set has no order"), ({"age": None}, "None")],
]
NESTED = [([[1, 2]], "[[1, 2]]"), ([[1], [1, 2]], "[[1], [1, 2]]"), ([{}], "[{}]"), ([np.ones(2)], "[array([1., 1.])]")]

BOTH = [  # of one effect, and of all
    row
    for name in ("FeatureEffect", "FeatureEffects")
    for row in (
        *rows(name, "predictor", MODEL, *MODELS, error=TypeError),
        *rows(name, "features", COLUMNS, *NO_NAME[:-1]),
        *rows(name, "method", METHOD, *NO_OPTION, ("zzz", "'zzz'")),
        *rows(name, "spacing", SPACING, *NO_OPTION, (0.5, "0.5"), (np.array(3), "3")),
        *rows(name, "grid", "grid must be a whole number of at least 2; got ....", (1, "1"), (0, "0"), (-1, "-1")),
        *rows(name, "grid", GRID, ("uniqe", "'uniqe'"), ("", "''"), ({"age": None}, "None"), ({"age": 0.5}, "0.5")),
        *rows(name, "percentiles", PERCENTILES, *NO_PAIR),
        *rows(name, "ice_rows", ICE_ROWS, (0, "0"), *NO_COUNT),
        *rows(name, "random_state", SEED, *NO_SEED),
        *rows(name, "tolerance", TOLERANCE, (0, "0"), (1, "1"), (-0.1, "-0.1"), *NO_NUMBER),
    )
]
ONE = [
    *rows("FeatureEffect", "features", COLUMNS, (None, "None."), (["age", "agee"], "'agee'. Did you mean 'age'?")),
    *rows(
        "FeatureEffect",
        "features",
        COLUMNS,
        ({"age"}, "{'age'}. Did you mean 'age'?"),
        (X, "a DataFrame of shape (4, 3)."),
    ),
    *rows("FeatureEffect", "features", "features must be one name or two; got ....", ([], "[]"), ((), "()")),
    *rows("FeatureEffect", "grid", GRID, *NO_GRID),
    *rows("FeatureEffect", "grid", POINTS, *NO_POINTS),
    *rows("FeatureEffect", "grid", FLAT, *NESTED),
    *rows(
        "FeatureEffect", "grid", "grid must be at least one value; got [].", ([], ""), (range(0), ""), ({"age": []}, "")
    ),
    *rows(
        "FeatureEffect",
        "center_at",
        ANCHOR,
        ("30", "'30'"),
        ([30], "[30]"),
        (True, "True"),
        (NAN, "nan"),
        (THING, "an object"),
    ),
    *rows(
        "FeatureEffect", "center_at", ANCHOR, ({30}, "{30}"), (STREAM, "a generator"), (np.ones(2), "array([1., 1.])")
    ),
    *rows("FeatureEffect", "within_support", "within_support must be True or False; got ....", *NO_FLAG),
    *rows("FeatureEffect", "missing", "missing must be True or False; got ....", *NO_FLAG),
    *rows(
        "FeatureEffect",
        "by",
        f"by must be a column of the data; got ... {NAMES}",
        *NO_NAME,
        ("sexx", "'sexx'. Did you mean 'sex'?"),
    ),
]
ALL = [
    *rows("FeatureEffects", "features", "features must be at least one feature; got ....", ([], "[]"), ({}, "[]")),
    *rows("FeatureEffects", "features", "features must differ; got ....", (["age", "age"], "['age', 'age']")),
    *rows("FeatureEffects", "features", "features must be names and pairs of names; got ....", ([()], "()")),
    *rows("FeatureEffects", "features", COLUMNS, ([("age", "agee")], "'agee'. Did you mean 'age'?")),
    *rows("FeatureEffects", "grid", ALIKE, ([20, 30], "[20, 30]"), (None, "None"), (2.5, "2.5"), (NAN, "nan")),
    *rows("FeatureEffects", "grid", ALIKE, (True, "True"), (THING, "an object"), (STREAM, "a generator"), ({3}, "{3}")),
    *rows(
        "FeatureEffects",
        "grid",
        f"grid must be columns of the data; got ... {NAMES}",
        ({"agee": 3}, "'agee'. Did you mean 'age'?"),
    ),
    *rows(
        "FeatureEffects",
        "center_at",
        ANCHORS,
        (30, "30"),
        ("age", "'age'"),
        ([30], "[30]"),
        (NAN, "nan"),
        (THING, "an object"),
    ),
    *rows("FeatureEffects", "center_at", ANCHOR, ({"age": "a"}, "'a'"), ({"age": NAN}, "nan")),
    *rows(
        "FeatureEffects",
        "center_at",
        f"center_at must be columns of the data; got ... {NAMES}",
        ({"agee": 3}, "'agee'. Did you mean 'age'?"),
    ),
    *rows(
        "FeatureEffects",
        "on_error",
        "on_error must be one of 'raise', 'skip'; got ....",
        *NO_OPTION,
        ("never", "'never'"),
    ),
]


@pytest.mark.parametrize("row", [*BOTH, *ONE, *ALL], ids=told)
def test_a_wrong_argument_is_an_error_that_says_what_is_meant(row):
    check(row)


def constant(Z):
    return np.ones(len(Z))


TOWNS = X.assign(town=["bern", "oslo", "rome", "york"])
OSLO = "'town'; got 'Oslo '. Did you mean 'oslo'? If not, make the column a categorical one that declares it."


def of_town(*arguments, data=TOWNS, **options):
    return FeatureEffect(Predictor(constant, data), "town", *arguments, **options)


SLIPS = [
    (lambda: of_town(grid=["bern", "Oslo "]), "grid must be levels of " + OSLO),
    (lambda: of_town("ale", grid=["bern", "Oslo "]), "grid must be levels of " + OSLO),
    (lambda: of_town(data=pl.DataFrame(TOWNS.to_dict("list")), grid=["Oslo "]), "grid must be levels of " + OSLO),
    (lambda: of_town(center_at="Oslo "), "center_at must be a level of " + OSLO),
    (lambda: of_town().centered("Oslo "), "at must be a level of " + OSLO),
    (lambda: of_town().rows_at("Oslo "), "point must be a level of " + OSLO),
]


@pytest.mark.parametrize(("call", "message"), SLIPS, ids=[message[:40] for _, message in SLIPS])
def test_what_is_a_level_but_for_case_and_spaces_is_taken_for_a_slip(call, message):
    refuses(call, message)


def test_a_level_unlike_those_of_the_data_is_kept_as_given():
    assert of_town(grid=["bern", "osslo"]).results["town"].tolist() == ["bern", "osslo"]


def test_a_level_that_the_column_declares_is_no_slip():
    levels = [*TOWNS["town"], "Oslo "]
    declared = TOWNS.assign(town=pd.Categorical(TOWNS["town"], levels))
    assert of_town(data=declared, grid=["Oslo "]).results["town"].tolist() == ["Oslo "]


TAKEN = "got '{}'. Use X.rename(...): the results have such a column of their own."
RESERVED = Predictor(constant, X.rename(columns={"age": "value_", "sex": "n_"}))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FeatureEffect(RESERVED, "value_"), "features must be called otherwise; " + TAKEN.format("value_")),
        (lambda: FeatureEffect(RESERVED, "fare", by="n_"), "by must be called otherwise; " + TAKEN.format("n_")),
        (lambda: FeatureEffects(RESERVED), "features must be called otherwise; " + TAKEN.format("value_")),
        (
            lambda: FeatureEffect(Predictor(constant, X.assign(which_=1)), "age").rows_at(30),
            "the data's columns must be called otherwise; " + TAKEN.format("which_"),
        ),
    ],
)
def test_a_name_of_the_results_own_is_refused_when_it_is_asked_for(call, message):
    refuses(call, message)


@pytest.mark.parametrize("ask", [FeatureEffects, pd_importance, report])
def test_values_are_a_grid_of_one_feature_only(ask):
    with pytest.raises(ValueError, match="grid must be a number, 'unique' or a mapping for several features"):
        ask(PREDICTOR, ["age", "fare", "sex"], grid=[20, 30])
    assert ask(PREDICTOR, ["age"], grid=[20, 30]) is not None


def test_the_nearest_argument_is_told():
    for wrong, right in [("grid_size", "grid"), ("centre_at", "center_at"), ("ice_row", "ice_rows")]:
        said = f"FeatureEffect.__init__() got an unexpected keyword argument '{wrong}'. Did you mean '{right}'?"
        refuses(partial(FeatureEffect, PREDICTOR, "age", **{wrong: 1}), said, TypeError)


@pytest.mark.parametrize(
    "options",
    [
        {"grid": {"sex": ["f", 1]}},
        {"center_at": {"sex": 1}},
        {"features": ["age", ("fare", "fare")]},
        {"features": ["age", ("fare", "sex")], "method": "ice"},
        {"method": "never"},
        {"on_error": "never"},
        {"grid": [1, 2]},
    ],
)
def test_what_is_asked_for_wrongly_fails_before_the_model_is_asked(options):
    asked = []

    def counting(Z):
        asked.append(len(Z))
        return np.ones(len(Z))

    with pytest.raises(ValueError):
        FeatureEffects(Predictor(counting, X), **options)
    assert not asked
