"""Calls: how many workers, what each is asked, in which order the answers come, and what an error says."""

from __future__ import annotations

import threading
import types
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from joblib import delayed, parallel_config
from joblib.parallel import ThreadingBackend

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.evaluate import calling
from interpret_pd.evaluate.calling import LEAST, WAVE, Sweep, Work, call, perform, workers
from interpret_pd.evaluate.sinks import Curves, Task


def total(Z):
    return np.asarray(Z, float).sum(axis=1)


def predictor(X, model=total, **options):
    return Predictor(model, X, **options)


# how many workers


class Backend:
    """A backend of joblib that has seven workers."""

    def __init__(self, has=7):
        self.has, self.asked = has, []

    def effective_n_jobs(self, n_jobs):
        self.asked.append(n_jobs)
        return self.has if n_jobs == -1 else min(n_jobs, self.has)


class DaskDistributedBackend(Backend):
    pass


@pytest.fixture
def active(monkeypatch):
    """Makes a backend the active one, with a number of workers configured."""

    def activate(backend, configured=None):
        def found(prefer):
            assert prefer == "threads"
            return backend, configured

        monkeypatch.setattr("joblib.parallel.get_active_backend", found)
        return backend

    return activate


@pytest.mark.parametrize(
    ("backend", "n_jobs", "configured", "found"),
    [
        (Backend(), 2, None, 2),
        (Backend(), -1, None, 7),
        (Backend(), 3, 5, 3),  # the predictor's own word comes first
        (Backend(), None, 5, 5),
        (Backend(), None, 1, 1),
        (Backend(0), -1, None, 1),  # no worker is there yet
        (DaskDistributedBackend(), None, None, 7),  # a cluster's workers are there to be used
        (DaskDistributedBackend(), None, 4, 4),
        (DaskDistributedBackend(), 2, None, 2),
    ],
)
def test_the_number_of_workers(numbers, active, backend, n_jobs, configured, found):
    active(backend, configured)
    assert workers(predictor(numbers, n_jobs=n_jobs)) == found


def test_nobody_is_asked_where_one_worker_is_wanted_or_nothing_is_loaded(numbers, active, monkeypatch):
    backend = active(Backend(), 5)
    assert workers(predictor(numbers, n_jobs=1)) == 1
    monkeypatch.setattr(calling, "sys", types.SimpleNamespace(modules={}))
    assert workers(predictor(numbers)) == 1
    assert backend.asked == []
    assert workers(predictor(numbers, n_jobs=2)) == 2  # it is loaded then
    active(Backend(), 1)
    assert workers(predictor(numbers, n_jobs=None)) == 1


def test_one_worker_that_is_configured_asks_no_backend(numbers, active):
    backend = active(Backend(), 1)
    assert workers(predictor(numbers)) == 1
    assert backend.asked == []


# what the workers get


def test_answers_come_in_order_and_the_first_before_the_last_call_is_done():
    heard = threading.Event()

    def late(number):
        return number if number < 20 else heard.wait(10) and number

    asked = (delayed(late)(number) for number in range(30))
    with parallel_config(backend="threading"):
        answers = calling._in_parallel(2, types.SimpleNamespace(supports_return_generator=True), asked)
        first = next(answers)
        heard.set()
        assert [first, *answers] == list(range(30))


def test_waves_come_in_order_and_are_asked_for_one_by_one():
    made, heard = [], []

    def asked():
        for number in range(50):
            made.append(number)
            yield delayed(lambda number=number: number)()

    with parallel_config(backend="threading"):
        for answer in calling._in_parallel(2, object(), asked()):
            heard.append(answer)
            assert len(made) == min(-(-len(heard) // (2 * WAVE)) * 2 * WAVE, 50)
    assert heard == list(range(50))


def test_waves_have_workers_of_their_own(monkeypatch):
    seen = []
    real = calling.islice

    def watched(asked, size):
        seen.append(size)
        return real(asked, size)

    monkeypatch.setattr(calling, "islice", watched)
    names = calling._in_parallel(3, object(), (delayed(lambda: threading.current_thread().name)() for _ in range(30)))
    with parallel_config(backend="threading"):
        assert threading.current_thread().name not in set(names)
    assert set(seen) == {3 * WAVE}


class Held:
    """A restraint that tells when it holds."""

    whole_now, made = False, []

    def __init__(self, jobs):
        self.jobs, self.calls = jobs, 0
        Held.made.append(self)

    @contextmanager
    def whole(self):
        Held.whole_now = True
        yield
        Held.whole_now = False

    @contextmanager
    def each(self):
        assert Held.whole_now
        self.calls += 1
        yield


@pytest.mark.parametrize("shared", [True, False])
def test_threads_are_restrained_and_what_shares_no_memory_gets_a_parcel(numbers, monkeypatch, shared):
    sent = []

    def parcel(source, backend):
        sent.append((source, type(backend).__name__))
        return source

    class Apart(ThreadingBackend):
        supports_sharedmem = shared

    monkeypatch.setattr(calling, "Restraint", Held)
    monkeypatch.setattr(calling, "sent", parcel)
    Held.made.clear()
    asking = predictor(numbers, n_jobs=2, batch_rows=10)
    with parallel_config(backend=Apart()):
        effect = FeatureEffect(asking, "x0", grid=5)
    assert [held.jobs for held in Held.made] == ([2] if shared else [])
    assert all(held.calls == effect.provenance["model_calls"] for held in Held.made)
    assert sent == [(asking.source, "Apart")]
    assert not Held.whole_now


def test_a_call_has_its_seconds_or_its_error_with_the_way_there(numbers):
    asking = predictor(numbers)
    part = Sweep(np.arange(3), {"x0": numbers["x0"].array[:2]})
    task = Task(slice(0, 3), slice(0, 2))
    answer = call(asking.source, part, task, 4)
    assert (answer.number, answer.task, answer.error) == (4, task, None)
    assert answer.matrix.shape == (6, 1)
    assert 0 < answer.seconds < 60

    def broken(Z):
        raise RuntimeError("out of order")

    answer = call(predictor(numbers, broken).source, part, task, 5)
    assert answer.number == 5
    assert answer.matrix is None
    assert answer.trace.startswith("Traceback")
    assert "out of order" in answer.trace


def test_an_error_from_elsewhere_brings_its_traceback_along():
    away = calling._located(RuntimeError("out of order"), "There.", "Traceback: all of it")
    assert away.__notes__ == ["There.", "In the worker:\nTraceback: all of it"]
    try:
        raise RuntimeError("here")
    except RuntimeError as error:
        assert calling._located(error, "There.", "not needed").__notes__ == ["There."]


# the cut into calls


def work(X, m, **options):
    asking = predictor(X, **options)
    return Work(asking, Sweep(np.arange(len(X)), {"x0": X["x0"].array[np.arange(m) % len(X)]}), [])


@pytest.mark.parametrize("batch_rows", [1, 3, 7, 100, 5000, "auto"])
@pytest.mark.parametrize(("n", "m"), [(12, 5), (1, 1), (3, 4000), (900, 7)])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_row_at_every_point_is_asked_for_once_and_no_call_is_too_large(rng, batch_rows, n, m, jobs):
    X = pd.DataFrame({"x0": rng.normal(size=n)})
    works = [work(X, m, batch_rows=batch_rows), work(X, 2, batch_rows=batch_rows)]
    counts = [np.zeros((n, m), int), np.zeros((n, 2), int)]
    last, left = (0, 0), sum(one.size for one in works)
    for number, task in calling._shared(works, jobs):
        counts[number][task.rows, task.points] += 1
        size = (task.rows.stop - task.rows.start) * (task.points.stop - task.points.start)
        assert batch_rows == "auto" or size <= batch_rows
        whole_row = task.points == slice(0, works[number].sweep.m)
        before = sum(one.size for one in works[:number])
        share = max(-(-(left - before) // jobs), LEAST)  # of what is left, to each worker
        assert size <= max(share, works[number].sweep.m if whole_row else 1)
        assert (number, task.rows.start) >= last  # in order
        last = (number, task.rows.start)
    assert all((one == 1).all() for one in counts)


def test_nothing_more_is_asked_after_a_failure(numbers):
    one = work(numbers, 5, batch_rows=10)
    tasks = calling._tasks(one, 10**6)
    assert next(tasks).rows == slice(0, 2)
    one.error = RuntimeError("broken")
    assert list(tasks) == []


def test_progress_is_of_predictions_that_were_made(numbers):
    told = []

    def model(Z):
        if told:
            raise RuntimeError("broken")
        return total(Z)

    asking = predictor(numbers, model, batch_rows=20, progress=lambda done, whole: told.append((done, whole)))
    with pytest.raises(RuntimeError, match="broken"):
        FeatureEffect(asking, "x0", grid=5)
    assert told == [(20, 60), (20, 60)]  # the failed call has made none


def test_non_finite_predictions_of_all_calls_are_counted(numbers):
    def model(Z):
        return np.where(Z["x0"] > 1, np.nan, 1.0)

    points = numbers["x0"].array[:3] * 0 + [0.0, 2.0, 3.0]
    one = Work(predictor(numbers, model, batch_rows=6), Sweep(np.arange(12), {"x0": points}), [])
    perform([one])
    with pytest.raises(ValueError, match=r"^the model returned 24 non-finite predictions for the background data"):
        one.results()


def test_a_block_of_many_outputs_has_rows_points_and_outputs(numbers):
    def model(Z):
        return np.c_[total(Z), -total(Z)]

    points = numbers["x0"].array[:3]
    one = Work(predictor(numbers, model), Sweep(np.arange(12), {"x0": points}), [Curves(np.ones(12, bool))])
    perform([one])
    curves = one.results()[0]
    want = np.array([[total(numbers.iloc[[i]].assign(x0=x))[0] for x in points] for i in range(12)])
    np.testing.assert_allclose(curves, [want, -want])


def test_where_a_call_of_two_features_was(numbers):
    table = predictor(numbers).table
    sweep = Sweep(np.arange(12), {"x0": pd.array([1.0, 1.0, 2.0, 2.0]), "x1": pd.array([5.0, 6.0, 5.0, 6.0])})
    assert sweep.place(table, Task(slice(3, 5), slice(1, 4))) == (
        "While the model was asked for 'x0', 'x1': grid points 1 to 3 of 4 (1.0, 6.0 to 2.0, 6.0), "
        "background rows 3 to 4 of 12."
    )
    own = Sweep(np.arange(12), {"x0": numbers["x0"].array}, own=True)
    assert own.place(table, Task(slice(3, 5), slice(0, 1))) == (
        "While the model was asked for local effects of 'x0': background rows 3 to 4 of 12."
    )
