"""The verbs' errors: what can be done with an effect, what is wrong with the asking, and the whole message."""

from __future__ import annotations

import numpy as np
import pytest
from error_table import (
    ALE,
    ALL,
    ICE,
    INF,
    NAMES,
    NAN,
    NO_COUNT,
    NO_FLAG,
    NO_NAME,
    NO_NUMBER,
    NO_SEED,
    PAIR,
    PD,
    PREDICTOR,
    STREAM,
    THING,
    X,
    assert_ends_at_the_door,
    check,
    refuses,
    rows,
    told,
)

from interpret_pd import FeatureEffect, FeatureEffects

NO_ANCHOR = [
    *[("30", "'30'"), ([30], "[30]"), (True, "True"), (NAN, "nan"), (INF, "inf"), (THING, "an object")],
    *[({30}, "{30}"), (STREAM, "a generator"), (np.ones(2), "array([1., 1.])"), ((30,), "(30,)")],
]
NO_LEVELS = [
    *[(None, "None"), (0.5, "0.5"), ("half", "'half'"), ([], "[]"), ([0.5, 1.5], "[0.5, 1.5]"), ([-0.1], "[-0.1]")],
    *[([NAN], "[nan]"), ([True], "[True]"), (["0.5"], "['0.5']"), ({0.5}, "{0.5}"), ([[1], [1, 2]], "[[1], [1, 2]]")],
    *[(THING, "an object"), (STREAM, "a generator"), ([[0.5]], "[[0.5]]")],
]
NO_VALUES = [
    *[(None, "None"), ("abc", "'abc'"), (30, "30"), (NAN, "nan"), (THING, "an object"), (STREAM, "a generator")],
    *[({30}, "{30}"), ({"age": 3}, "{'age': 3}"), (np.array(30), "30"), (b"30", "b'30'")],
]
NO_LIST = [(["a"], "['a']"), ([[1], [2]], "[[1], [2]]"), ([True], "[True]"), (np.array(["a"]), "['a']"), ([{}], "[{}]")]
NO_TEXT = [(None, "None"), ("", "''"), ("no", "'no'"), ("{}", "'{}'"), ("[]", "'[]'"), (3, "3"), (THING, "an object")]
NO_EFFECTS = [(None, "[None]"), (3, "[3]"), ("effects", "['effects']"), ({"a": PD}, "['a']"), ([1, 2], "[1, 2]")]
LEFT = '{"format": 1}'
AMONG = f"features must be among the effects; got ... {NAMES}"

TABLE = [
    *rows("FeatureEffect.centered", "at", "at must be a finite number for 'age'; got ....", *NO_ANCHOR),
    *rows(
        "FeatureEffect.derivative",
        "smooth",
        "smooth must be a whole number of at least 3; got ....",
        *NO_COUNT,
        (1, "1"),
    ),
    *rows(
        "FeatureEffect.predict",
        "X_new",
        "X_new must be a data frame with 'age' or a list of values; got ....",
        *NO_VALUES,
    ),
    *rows("FeatureEffect.predict", "X_new", "X_new must be numbers for 'age'; got ....", *NO_LIST),
    *rows(
        "FeatureEffect.predict",
        "X_new",
        "X_new must be a data frame with 'age'; got the columns ....",
        (X[["fare"]], "'fare'"),
    ),
    *rows(
        "FeatureEffect.predict",
        "X_new",
        "X_new must be a data frame or a 2-D array; got an array of shape ....",
        (np.ones((1, 1, 1)), "(1, 1, 1)"),
    ),
    *rows("FeatureEffect.predict", "extrapolate", "extrapolate must be True or False; got ....", *NO_FLAG),
    *rows("FeatureEffect.bands", "levels", "levels must be shares from 0 to 1; got ....", *NO_LEVELS),
    *rows(
        "FeatureEffect.rows_at",
        "point",
        "point must be a finite number for 'age'; got ....",
        (None, "None"),
        *NO_ANCHOR,
    ),
    *rows(
        "FeatureEffect.rows_at",
        "n",
        "n must be a whole number of at least 1; got ....",
        (None, "None"),
        (0, "0"),
        *NO_COUNT,
    ),
    *rows(
        "FeatureEffect.rows_at",
        "random_state",
        "random_state must be None, a seed or a numpy Generator; got ....",
        *NO_SEED,
    ),
    *rows(
        "FeatureEffect.pooled",
        "effects",
        "effects must be a list of FeatureEffect; got ....",
        *NO_EFFECTS,
        error=TypeError,
    ),
    *rows(
        "FeatureEffect.pooled",
        "effects",
        "effects must be at least 2 effects; got ....",
        ([], "0"),
        ([PD], "1"),
        (PD, "1"),
    ),
    *rows(
        "FeatureEffect.pooled",
        "test_share",
        "test_share must be a number of at least 0; got ....",
        (None, "None"),
        (-0.1, "-0.1"),
        *NO_NUMBER,
    ),
    *rows(
        "FeatureEffect.from_json",
        "text",
        "text must be what to_json() wrote, by this version; got ....",
        *NO_TEXT,
        (LEFT, repr(LEFT)),
    ),
    *rows(
        "FeatureEffects.__getitem__",
        "features",
        AMONG,
        *NO_NAME[:-1],
        (None, "None."),
        ({"age"}, "{'age'}. Did you mean 'age'?"),
        error=KeyError,
    ),
]


@pytest.mark.parametrize("row", TABLE, ids=told)
def test_a_wrong_argument_is_an_error_that_says_what_is_meant(row):
    check(row)


def test_text_that_was_cut_or_changed_is_refused():
    whole = PD.to_json()
    for text in (
        whole[:-1],
        whole.replace('"points"', '"dots"'),
        whole.replace('"format": 1', '"format": 2'),
        whole[1:],
    ):
        with pytest.raises(ValueError, match=r"text must be what to_json\(\) wrote, by this version; got ") as caught:
            FeatureEffect.from_json(text)
        assert len(str(caught.value)) < 300
        assert_ends_at_the_door(caught.value)


def five(**options):
    return FeatureEffect(PREDICTOR, "age", **options)


SLOPES = "slopes, method 'd-pdp'."
OTHER = [  # what has no meaning for the effect
    (lambda: PAIR.centered(), "centered() takes an effect of one feature; got ('age', 'fare')."),
    (lambda: ALE.centered(), "centered() takes a PD or ICE; got an ALE, whose mean over the data is 0 already."),
    (lambda: PD.derivative().centered(), f"centered() takes a PD or ICE; got {SLOPES}"),
    (lambda: PD.derivative().derivative(), f"derivative() takes values; got {SLOPES}"),
    (
        lambda: PAIR.derivative(),
        "derivative() has no meaning for ('age', 'fare') here. "
        "It needs one numeric feature with two points or more, none of them missing.",
    ),
    (
        lambda: five(grid=[1, 2, 3, 4, 5]).derivative(4),
        "smooth must be an odd number from 3 to the number of points (5); got 4.",
    ),
    (
        lambda: five(grid=[1, 2, 3, 4, 5]).derivative(7),
        "smooth must be an odd number from 3 to the number of points (5); got 7.",
    ),
    (
        lambda: five(grid=[1, 2, 3, 4, 50]).derivative(3),
        "smooth needs equidistant points; use a grid with a number of points, or smooth=None.",
    ),
    (lambda: PD.bands(), "bands() needs ICE curves; got method 'pdp'. Use method='pdp+ice'."),
    (lambda: PAIR.rows_at({20, 1}), "point must be one value per feature (2); got {1, 20}."),
    (
        lambda: FeatureEffect.pooled([PD, ALE]),
        "effects must be of one feature, method, grid and outputs; got FeatureEffect('age', method='ale': 4 points, "
        "4 rows, 'ALE: change in prediction', engine='brute'). Use the same grid= (its values) for all.",
    ),
    (
        lambda: FeatureEffects(PREDICTOR, [("age", "fare")], grid=2).results,
        "results holds single features; use effects[pair].results for a pair.",
    ),
]


@pytest.mark.parametrize(("call", "message"), OTHER, ids=[message[:60] for _, message in OTHER])
def test_what_has_no_meaning_for_the_effect_is_a_value_error(call, message):
    refuses(call, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PD.centered(att=3), "centered() got an unexpected keyword argument 'att'. Did you mean 'at'?"),
        (
            lambda: PD.derivative(smoth=3),
            "derivative() got an unexpected keyword argument 'smoth'. Did you mean 'smooth'?",
        ),
        (lambda: ICE.bands(level=[0.5]), "bands() got an unexpected keyword argument 'level'. Did you mean 'levels'?"),
        (lambda: PD.plot(rugg=True), "plot_effect() got an unexpected keyword argument 'rugg'. Did you mean 'rug'?"),
        (
            lambda: ALL.plot(suport=1),
            "FeatureEffects.plot() got an unexpected keyword argument 'suport'. Did you mean 'support'?",
        ),
    ],
)
def test_the_nearest_argument_is_told(call, message):
    refuses(call, message, TypeError)
