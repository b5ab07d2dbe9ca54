"""The errors of rankings, interactions and the report: every argument, and the whole message."""

from __future__ import annotations

import pytest
from error_table import (
    ALIKE,
    COLUMNS,
    GRID,
    MODEL,
    NAMES,
    NAN,
    NO_COUNT,
    NO_NAME,
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

from interpret_pd import h_statistic, pd_importance

MODELS = [(None, "None"), (X, "a DataFrame"), ("a", "a str"), (THING, "an object"), (3, "an int")]
NO_COMMON = [
    ([20, 30], "[20, 30]"),
    (None, "None"),
    (2.5, "2.5"),
    (NAN, "nan"),
    (True, "True"),
    (STREAM, "a generator"),
]

TABLE = [
    *(
        row
        for name in ("pd_importance", "h_statistic", "report")
        for row in (
            *rows(name, "predictor", MODEL, *MODELS, error=TypeError),
            *rows(name, "features", COLUMNS, *NO_NAME[:-1], (["agee"], "'agee'. Did you mean 'age'?")),
        )
    ),
    *(
        row
        for name in ("pd_importance", "report")
        for row in (
            *rows(name, "grid", ALIKE, *NO_COMMON),
            *rows(name, "grid", "grid must be a whole number of at least 2; got ....", (1, "1"), (0, "0"), (-1, "-1")),
            *rows(name, "grid", GRID, ("uniqe", "'uniqe'"), ("", "''"), ({"age": None}, "None"), ({"age": 0.5}, "0.5")),
            *rows(
                name,
                "grid",
                f"grid must be columns of the data; got ... {NAMES}",
                ({"ag": 3}, "'ag'. Did you mean 'age'?"),
            ),
        )
    ),
    *rows("pd_importance", "features", "features must differ; got ....", (["age", "age"], "('age', 'age')")),
    *rows("pd_importance", "features", "features must be at least 1 feature; got ....", ([], "()")),
    *rows(
        "pd_importance",
        "method",
        "method must be one of 'pdp', 'ice', 'pairwise'; got ....",
        *NO_OPTION,
        ("zzz", "'zzz'"),
    ),
    *rows("h_statistic", "features", "features must differ; got ....", (["age", "age"], "('age', 'age')")),
    *rows("h_statistic", "features", "features must be at least 1 feature; got ....", ([], "()")),
    *rows(
        "h_statistic",
        "kind",
        "kind must be one of 'overall', 'pairwise', 'total'; got ....",
        *NO_OPTION,
        ("zzz", "'zzz'"),
    ),
    *rows(
        "h_statistic",
        "n_max",
        "n_max must be a whole number of at least 2; got ....",
        (None, "None"),
        (1, "1"),
        *NO_COUNT,
    ),
    *rows("h_statistic", "random_state", "random_state must be None, a seed or a numpy Generator; got ....", *NO_SEED),
    *rows("report", "features", "features must be at least one feature; got ....", ([], "[]")),
    *rows(
        "report",
        "features",
        "features must be single features, with pairs or without; got ....",
        ([("age", "sex")], "[('age', 'sex')]"),
    ),
    *rows(
        "report",
        "method",
        "method must be one of 'pdp', 'ice', 'pdp+ice', 'cice', 'pdp+cice', 'ale'; got ....",
        *NO_OPTION,
    ),
    *rows(
        "report",
        "title",
        "title must be a text; got ....",
        (None, "None"),
        (3, "3"),
        (b"a", "b'a'"),
        (["a"], "['a']"),
        (THING, "an object"),
    ),
]


@pytest.mark.parametrize("row", TABLE, ids=told)
def test_a_wrong_argument_is_an_error_that_says_what_is_meant(row):
    check(row)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pd_importance(PREDICTOR, ["age"], method="pairwise"),
        lambda: h_statistic(PREDICTOR, ["age"], kind="pairwise"),
    ],
)
def test_pairs_need_two_features(call):
    refuses(call, "features must be at least 2 features; got ('age',).")


def test_the_nearest_argument_is_told():
    with pytest.raises(TypeError) as caught:
        h_statistic(PREDICTOR, kinds="total")
    assert str(caught.value) == "h_statistic() got an unexpected keyword argument 'kinds'. Did you mean 'kind'?"
