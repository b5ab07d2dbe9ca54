"""Several computations that ask the model at the same time: turns, answers, errors, and ends."""

from __future__ import annotations

import contextvars
import threading
import time

import numpy as np
import pytest

from interpret_pd import Predictor
from interpret_pd.evaluate import together as room
from interpret_pd.evaluate.together import Outcome, ask, together

WORD = contextvars.ContextVar("word", default="none")


@pytest.fixture(name="asked")
def performed(monkeypatch):
    """What was handed to the workers, at a time."""
    asked = []

    def perform(works):
        asked.append(list(works))
        for work in works:
            if isinstance(work, Exception | KeyboardInterrupt):
                raise work

    monkeypatch.setattr(room, "perform", perform)
    return asked


def predictor(numbers, n_jobs=2, **options):
    return Predictor(lambda Z: np.zeros(len(Z)), numbers, n_jobs=n_jobs, **options)


def alive(before):
    """The threads that have come since and are still there."""
    deadline = time.monotonic() + 5
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    return set(threading.enumerate()) - before


def asking(name, times):
    def computation():
        for time_ in range(times):
            ask(f"{name}{time_}", f"{name}{time_}'")
        return name

    return computation


def test_what_several_ask_is_handed_over_at_once_and_each_goes_on_till_it_is_done(numbers, asked):
    outcomes = list(together(predictor(numbers), [asking("a", 2), asking("b", 0), asking("c", 3)]))
    assert outcomes == [Outcome("a"), Outcome("b"), Outcome("c")]
    assert asked == [["a0", "a0'", "c0", "c0'"], ["a1", "a1'", "c1", "c1'"], ["c2", "c2'"]]


@pytest.mark.parametrize(("n_jobs", "count"), [(1, 3), (2, 1)])
def test_with_one_worker_or_one_computation_they_run_one_after_the_other(numbers, asked, n_jobs, count):
    before = threading.active_count()
    found = together(predictor(numbers, n_jobs), [asking(name, 2) for name in "abc"[:count]])
    assert next(found) == Outcome("a")
    assert asked == [["a0", "a0'"], ["a1", "a1'"]]  # nothing is done before it is taken
    assert [outcome.result for outcome in found] == list("bc"[: count - 1])
    assert threading.active_count() == before


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_ends_no_other_computation(numbers, asked, n_jobs):
    def broken():
        ask("x")
        raise RuntimeError("broken")

    one, two, three = together(predictor(numbers, n_jobs), [asking("a", 1), broken, asking("c", 2)])
    assert (one, three) == (Outcome("a"), Outcome("c"))
    assert two.result is None
    assert isinstance(two.error, RuntimeError)
    assert asked[-1] == ["c1", "c1'"]


def test_they_run_in_turns_one_at_a_time(numbers, asked):
    at_work, order = [], []

    def computation(name):
        def go():
            for _ in range(2):
                order.append(name)
                at_work.append(name)
                time.sleep(0.002)
                assert at_work == [name]
                at_work.pop()
                ask(name)
            return name

        return go

    outcomes = together(predictor(numbers), [computation(name) for name in "abc"])
    assert [outcome.error for outcome in outcomes] == [None] * 3
    assert "".join(order) == "abcabc"


def test_they_see_the_callers_context(numbers, asked):
    token = WORD.set("said")
    try:
        outcomes = list(together(predictor(numbers), [WORD.get, WORD.get]))
    finally:
        WORD.reset(token)
    assert outcomes == [Outcome("said"), Outcome("said")]


@pytest.mark.parametrize("error", [RuntimeError("the workers are gone"), KeyboardInterrupt()])
def test_an_error_of_the_workers_is_the_callers_and_ends_those_that_wait(numbers, asked, error):
    before, went_on = set(threading.enumerate()), []

    def computation():
        ask(error)
        went_on.append(True)

    with pytest.raises(type(error)):
        list(together(predictor(numbers), [computation, asking("b", 2)]))
    assert not alive(before)
    assert not went_on


def test_an_exit_in_a_computation_is_the_callers(numbers, asked):
    before = set(threading.enumerate())

    def leaving():
        ask("x")
        raise SystemExit(3)

    with pytest.raises(SystemExit, match="3"):
        list(together(predictor(numbers), [asking("a", 3), leaving, asking("c", 3)]))
    assert not alive(before)
    assert asked == [["a0", "a0'", "x", "c0", "c0'"]]


def test_one_that_has_not_had_its_turn_is_never_begun(numbers, asked):
    before, begun = set(threading.enumerate()), []

    def leaving():
        raise SystemExit

    with pytest.raises(SystemExit):
        list(together(predictor(numbers), [leaving, lambda: begun.append(1)]))
    assert not alive(before)
    assert not begun


def test_threads_at_work_are_waited_for_a_second_and_not_longer(numbers, asked, monkeypatch):
    monkeypatch.setattr(room, "LEAVE", 0.2)
    deaf = []

    class Slow(room._Member):
        def give_up(self):  # as if it were at work, and hadn't heard
            deaf.append(super().give_up)

    monkeypatch.setattr(room, "_Member", Slow)
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="gone"):
        list(together(predictor(numbers), [lambda: ask(RuntimeError("gone")), lambda: ask("b")]))
    assert 0.15 < time.monotonic() - begin < 5
    for give_up in deaf:
        give_up()


def test_the_threads_end_with_the_program(numbers, asked):
    seen = []
    list(together(predictor(numbers), [lambda: seen.append(threading.current_thread().daemon), lambda: None]))
    assert seen == [True]


def test_outside_of_any_computation_the_model_is_asked_at_once(asked):
    ask("one", "two")
    assert [list(works) for works in asked] == [["one", "two"]]


@pytest.mark.parametrize("told", [True, False])
def test_one_after_the_other_is_told_by_features_unless_the_user_listens_himself(numbers, asked, told, monkeypatch):
    seen = []

    class Progress:
        def __init__(self, wanted, total, unit):
            seen.append((wanted, total, unit))

        def __enter__(self):
            return self

        def __exit__(self, *error):
            seen.append("end")

        def add(self, done):
            seen.append(done)

    monkeypatch.setattr(room, "Progress", Progress)
    options = {"progress": True} if told else {"progress": lambda done, total: None}
    list(together(predictor(numbers, 1, **options), [asking("a", 1), asking("b", 0)]))
    assert seen == [(told, 2, "features"), 1, 1, "end"]
