from __future__ import annotations

import numpy as np
import pytest

from interpret_pd import checks


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        (np.float64(1.5), "1.5"),
        (np.str_("a"), "'a'"),
        (np.array(3), "3"),
        ([np.int64(1), "b"], "[1, 'b']"),
        ((np.int64(1),), "(1,)"),
        ((), "()"),
        (list(range(12)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]"),
        ("x" * 500, "'" + "x" * 179 + " ... " + "x" * 14 + "'"),
        (np.zeros((30, 30)), "an array of shape (30, 30)"),
        (object(), "an object"),
        (int, "the class int"),
    ],
)
def test_a_value_is_shown_as_plain_python_and_never_endlessly(value, text):
    assert checks.shown(value) == text


@pytest.mark.parametrize(
    ("value", "options", "hint"),
    [
        ("agee", ["age", "fare"], " Did you mean 'age'?"),
        ("AGE", ["age", "fare"], " Did you mean 'age'?"),
        ("zzz", ["age", "fare"], ""),
        (2018, [2019, 1], " Did you mean 2019?"),
        (None, [], ""),
    ],
)
def test_a_suggestion_is_the_nearest_option_or_nothing(value, options, hint):
    assert checks.suggest(value, options) == hint


def test_a_sentence_has_what_it_must_be_what_it_is_and_a_hint():
    assert checks.sentence("grid", "a number", "'x'") == "grid must be a number; got 'x'."
    assert checks.sentence("grid", "a number", "'x'", " Use 20. ") == "grid must be a number; got 'x'. Use 20."


@pytest.mark.parametrize("value", [True, 1.0, "1", None, 0, -1, np.nan])
def test_a_whole_number_is_an_integer_of_at_least_so_much(value):
    with pytest.raises(ValueError, match="n must be a whole number of at least 1; got"):
        checks.whole_number("n", value, 1)


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_numpys_integers_are_whole_numbers(value):
    assert checks.whole_number("n", value, 1) == 3


@pytest.mark.parametrize(
    ("noun", "text"), [("Series", "a Series"), ("Index", "an Index"), ("NoneType", "None"), ("int", "an int")]
)
def test_a_noun_has_its_article(noun, text):
    assert checks.article(noun) == text


def test_an_option_must_be_a_string_that_is_listed():
    assert checks.one_of("engine", "auto", ["auto", "brute"]) == "auto"
    for value in ("Auto", None, 1, ["auto"], np.array(["auto"])):
        with pytest.raises(ValueError, match="engine must be one of 'auto', 'brute'; got"):
            checks.one_of("engine", value, ["auto", "brute"])


def test_a_list_says_how_many_more_there_are():
    assert checks.listed(range(3)) == "0, 1, 2"
    assert checks.listed(range(12)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"


def test_an_array_without_dimensions_is_what_it_holds():
    assert checks.one_of("engine", np.array("auto"), ["auto", "brute"]) == "auto"
    assert checks.flag("missing", np.array(True)) is True
    assert checks.finite(np.array(2.5))
    assert checks.index(np.array(3)) == 3
    assert checks.items(np.array(3)) is None


@pytest.mark.parametrize("value", [None, "ab", b"ab", 3, object()])
def test_one_value_is_no_list(value):
    assert checks.items(value) is None


def test_a_number_is_no_truth_and_no_text():
    assert checks.finite(1) and checks.finite(np.float32(0.5)) and checks.finite(np.int8(3))
    assert not any(map(checks.finite, [True, np.True_, "1", None, np.nan, np.inf, 1j, [1], 10**400]))
