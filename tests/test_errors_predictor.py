"""The predictor's errors: every argument, what is wrong with it, and the whole message."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from error_table import (
    ARRAY,
    BINARY,
    INF,
    NAMES,
    NAN,
    NO_COUNT,
    NO_FLAG,
    NO_NAME,
    NO_OPTION,
    NO_SEED,
    NUMBERS,
    STREAM,
    THING,
    X,
    check,
    f,
    refuses,
    rows,
    told,
)

from interpret_pd import FeatureEffect, Predictor

TYPES = [(None, "None"), ("a", "a str"), (3, "an int"), (NAN, "a float"), ([], "a list"), (THING, "an object")]
MODEL = "model must be an estimator with predict_proba, decision_function or predict, or a function f(X); got ...."
DATA = "the data must be a data frame or a 2-D array; got ...."
NEW = "X must be a data frame or a 2-D array; got .... Use rows like the background data's."
RESPONSE = "response_method must be one of 'auto', 'predict_proba', 'decision_function', 'predict'; got ...."
ENGINE = "engine must be one of 'auto', 'brute', 'trees', 'recursion'; got ...."
LENGTH = "sample_weight must have one entry per row (4); got ...."
ROWS = "rows must be None or a whole number ('all' for a dask DataFrame); got ...."
FRAME = "feature_names must be None for a data frame, which has names of its own; got ...."
WEIGHTS = [("a", "'a'"), (["1"] * 4, "['1', '1', '1', '1']"), (THING, "an object"), (STREAM, "a generator")]

TABLE = [
    *rows("Predictor", "model", MODEL, *TYPES, ({1}, "a set"), (np.ones(2), "an array"), error=TypeError),
    *rows("Predictor", "X", DATA, *(one for one in TYPES if one[0] != []), (STREAM, "a generator"), error=TypeError),
    *rows(
        "Predictor", "X", DATA, ([1], "a list. Use np.asarray(X)"), ({}, "a dict. Use pd.DataFrame(X)"), error=TypeError
    ),
    *rows(
        "Predictor",
        "X",
        DATA,
        (np.ones((2, 2, 2)), "an array of shape (2, 2, 2)"),
        (np.array(1), "an array of shape ()"),
    ),
    *rows("Predictor", "X", "the data must have at least one ...; got none.", (X.head(0), "row"), (X[[]], "column")),
    *rows("Predictor", "response_method", RESPONSE, *NO_OPTION, ("proba", "'proba'")),
    *rows("Predictor", "engine", ENGINE, *NO_OPTION, ("fast", "'fast'")),
    *rows(
        "Predictor", "sample_weight", "sample_weight must be numbers, one per row; got ....", *WEIGHTS, error=TypeError
    ),
    *rows(
        "Predictor", "sample_weight", LENGTH, (1.0, "1.0"), (True, "True"), (NAN, "nan"), ([], "0"), ([1, 1, 1], "3")
    ),
    *rows(
        "Predictor", "categorical", f"categorical must be columns of the data; got ... {NAMES}", *NO_NAME[:2], (7, "7.")
    ),
    *rows("Predictor", "categorical", "categorical must be a list of features; got ....", (True, "True"), (NAN, "nan")),
    *rows(
        "Predictor",
        "categorical",
        "categorical must be a list of features; got ....",
        (THING, "an object"),
        (1.5, "1.5"),
    ),
    *rows(
        "Predictor", "feature_names", FRAME, (["a", "b", "c"], "['a', 'b', 'c']"), ("a", "'a'"), (THING, "an object")
    ),
    *rows(
        "Predictor", "batch_rows", "batch_rows must be 'auto' or a whole number of at least 1; got ....", *NO_COUNT[:-1]
    ),
    *rows("Predictor", "batch_rows", "batch_rows must be a whole number of at least 1; got ....", (0, "0"), (-1, "-1")),
    *rows(
        "Predictor",
        "n_jobs",
        "n_jobs must be None, a positive number, or -1 for all cores; got ....",
        (0, "0"),
        *NO_COUNT[:-1],
    ),
    *rows("Predictor", "progress", "progress must be True, False, 'auto' or a callable; got ....", *NO_FLAG),
    *rows("Predictor", "rows", ROWS, *NO_COUNT[:-1], ("all", "'all'"), ("al", "'al'")),
    *rows("Predictor", "rows", "rows must be a whole number of at least 1; got ....", (0, "0"), (-1, "-1")),
    *rows("Predictor", "random_state", "random_state must be None, a seed or a numpy Generator; got ....", *NO_SEED),
    *rows("Predictor.predict", "X", NEW, *TYPES, (np.ones(3), "an array"), ({"a": 1}, "a dict"), error=TypeError),
    *rows("Predictor.feature", "feature", f"features must be columns of the data; got ... {NAMES}", *NO_NAME),
    *rows("Predictor.support", "features", f"features must be columns of the data; got ... {NAMES}", *NO_NAME[:-1]),
    *rows("Predictor.support", "features", "features must be at least 1 feature; got ....", ([], "()"), ({}, "()")),
    *rows("Predictor.support", "features", "features must differ; got ....", (["age", "age"], "('age', 'age')")),
]


@pytest.mark.parametrize("row", TABLE, ids=told)
def test_a_wrong_argument_is_an_error_that_says_what_is_meant(row):
    check(row)


def two(Z):
    return np.ones((len(Z), 2))


OTHER = [  # arguments that are wrong beside others
    (
        lambda: Predictor(len, ARRAY, feature_names=[1, 2, 3]),
        "feature_names must be a list of names, one per column; got [1, 2, 3].",
    ),
    (
        lambda: Predictor(len, ARRAY, feature_names={"a"}),
        "feature_names must be a list of names, one per column; got {'a'}.",
    ),
    (lambda: Predictor(two, X, target=True).outputs, "target must be among 0, 1; got True."),
    (lambda: Predictor(two, X, target=THING).outputs, "target must be among 0, 1; got an object."),
    (lambda: Predictor(two, X, target=NAN).outputs, "target must be among 0, 1; got nan."),
    (lambda: Predictor(two, X, target=STREAM).outputs, "target must be among 0, 1; got a generator."),
    (
        lambda: Predictor(two, X, target=[]).outputs,
        "target must be one or several different outputs; got [].",
    ),
    (lambda: Predictor(BINARY, NUMBERS, target={"no": 1}), "target must be among 'no', 'yes'; got {'no': 1}."),
    (
        lambda: Predictor(BINARY, NUMBERS, target=["no", "ye"]),
        "target must be among 'no', 'yes'; got 'ye'. Did you mean 'yes'?",
    ),
    (
        lambda: Predictor(f, X, rows=2, sample_weight=[1] * 4),
        "sample_weight must be None where rows are drawn; got [1, 1, 1, 1].",
    ),
    (
        lambda: Predictor(f, X, sample_weight=[1, INF, 1, 1]),
        "sample_weight must be finite, non-negative, with a positive sum; got inf in row 1.",
    ),
]
DRAWN = [(None, "None"), (THING, "an object"), ([[1]], "a list. Use np.asarray(X)")]


@pytest.mark.parametrize(("call", "message"), OTHER, ids=[message[:60] for _, message in OTHER])
def test_an_argument_that_does_not_go_with_the_others_is_a_value_error(call, message):
    refuses(call, message)


@pytest.mark.parametrize(("data", "text"), DRAWN, ids=[text for _, text in DRAWN])
def test_rows_are_drawn_from_data_only(data, text):
    message = f"the data must be a data frame or a 2-D array; got {text}."
    refuses(lambda: Predictor(f, data, rows=2), message, TypeError)


def test_parquet_data_that_cannot_be_read_are_named(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "days.parquet"
    path.write_text("no parquet")
    with pytest.raises(ValueError, match=r"the data must be parquet data that can be read; got '.*'. It says: "):
        Predictor(f, path, rows=2)


def test_dates_are_no_weights():
    with pytest.raises(TypeError, match="sample_weight must be numbers, one per row; got a DatetimeIndex of shape"):
        Predictor(f, X, sample_weight=pd.date_range("2024", periods=4))


def test_the_error_of_the_model_keeps_its_traceback():
    def broken(Z):
        return int("no number")

    with pytest.raises(ValueError, match="invalid literal") as caught:
        FeatureEffect(Predictor(broken, X), "age")
    assert "broken" in [entry.name for entry in caught.traceback]
    assert len(caught.traceback) > 3
