"""The tables of errors are complete: every argument of every public callable is in a row, or takes anything."""

from __future__ import annotations

import inspect

import pytest
import test_errors
import test_errors_effect
import test_errors_plots
import test_errors_predictor
import test_errors_tables
import test_errors_verbs
from error_table import CALLABLES, PREDICTOR, X, arguments, assert_ends_at_the_door, f, own_frames

import interpret_pd
from interpret_pd import FeatureEffect, FeatureEffects, Predictor, plots
from interpret_pd.door import door

TABLE = [
    *test_errors_predictor.TABLE,
    *test_errors_effect.BOTH,
    *test_errors_effect.ONE,
    *test_errors_effect.ALL,
    *test_errors_verbs.TABLE,
    *test_errors_tables.TABLE,
    *test_errors_plots.ROWS,
]
ANYTHING = {  # arguments without a row of their own, and why
    (
        "Predictor",
        "target",
    ): "known only when the model has answered, if it has no classes: test_errors_predictor.OTHER",
    ("FeatureEffect.plot", "options"): "those of plots.plot_effect: every one of them has its rows",
}
HOUSE = {  # public by name, and the package's own: nobody is told of them
    "Predictor": {"answer", "ask", "chosen", "present_features"},
    "FeatureEffect": {"hold"},
    "FeatureEffects": set(),
}
DRAWN_BY_OTHERS = {"geom_density_strip", "geom_ice"}  # plotnine's classes: it reads their arguments when it draws


def methods(kind):
    """The public methods that a class defines."""
    found = {
        name for name, value in vars(kind).items() if callable(value) or isinstance(value, staticmethod | classmethod)
    }
    return {name for name in found if not name.startswith("_")} - HOUSE[kind.__name__]


def public():
    """Every public callable by its name."""
    names = {"report"}
    for name in interpret_pd.__all__:
        names.add(name)
        if inspect.isclass(value := getattr(interpret_pd, name)):
            names |= {f"{name}.{method}" for method in methods(value)}
    return names | {f"plots.{name}" for name in plots.__all__ if name not in DRAWN_BY_OTHERS}


def test_every_public_callable_is_in_the_tables():
    assert public() <= set(CALLABLES)


@pytest.mark.parametrize("name", CALLABLES)
def test_every_argument_is_in_a_row(name):
    rows = {(row[0], row[1]) for row in TABLE}
    asked = {(name, argument) for argument in arguments(name)}
    if name == "FeatureEffect.plot":
        asked |= {(name, argument) for argument in arguments("plots.plot_effect")[1:]}
    assert asked - rows - set(ANYTHING) == set()


def test_the_reasons_are_of_arguments_that_are_there():
    assert all(argument in arguments(name) for name, argument in ANYTHING)
    assert not set(ANYTHING) & {(row[0], row[1]) for row in TABLE}


def test_no_message_ends_in_an_ellipsis_and_a_stop():
    assert not [row for row in TABLE if "...." in row[4]]


@pytest.mark.parametrize(
    ("call", "message"),
    [*test_errors.VALUES, *test_errors.TYPES],
    ids=[message[:60] for _, message in [*test_errors.VALUES, *test_errors.TYPES]],
)
def test_every_traceback_ends_at_the_door(call, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    if "of which the model takes no missing value" in message:  # the model's own error is the cause, and stays
        assert len(own_frames(caught.value)) <= 2
    else:
        assert_ends_at_the_door(caught.value)


@pytest.mark.parametrize("workers", [None, 2])
def test_an_error_of_the_model_keeps_all_of_its_frames(workers):
    def broken(Z):
        raise ValueError("no answer")

    predictor = Predictor(broken, X, n_jobs=workers)
    for call in (lambda: FeatureEffect(predictor, "age"), lambda: predictor.predict(X)):
        with pytest.raises(ValueError, match="no answer") as caught:
            call()
        assert caught.traceback[-1].name == "broken"


def test_a_wrong_argument_within_a_model_keeps_the_frames_of_the_model():
    def careless(Z):
        return FeatureEffect(PREDICTOR, "agee")

    with pytest.raises(ValueError, match="got 'agee'") as caught:
        FeatureEffect(Predictor(careless, X), "age")
    assert "careless" in [entry.name for entry in caught.traceback]


def test_a_mistake_of_the_package_keeps_all_of_its_frames(monkeypatch):
    def mistaken(*_):
        raise ValueError("a mistake")

    monkeypatch.setattr("interpret_pd.effect.compute", mistaken)
    with pytest.raises(ValueError, match="a mistake") as caught:
        FeatureEffect(PREDICTOR, "age")
    assert caught.traceback[-1].name == "mistaken"


def test_a_door_changes_neither_name_nor_signature_nor_result():
    def public(a, b=2):
        """Doc."""
        return a + b

    behind = door(public)
    assert (behind.__name__, behind.__doc__, inspect.signature(behind)) == ("public", "Doc.", inspect.signature(public))
    assert behind(1) == 3
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'a'$"):
        behind()


def test_an_error_of_all_features_ends_at_their_door():
    for workers in (None, 2):
        with pytest.raises(ValueError, match="spacing must be") as caught:
            FeatureEffects(Predictor(f, X, n_jobs=workers), spacing="none")
        assert_ends_at_the_door(caught.value)
