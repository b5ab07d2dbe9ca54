"""The threads that a model may use for itself: a share of the cores each, and as they were before afterwards."""

from __future__ import annotations

import threading
import types
from contextlib import ExitStack

import joblib
import pytest
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController

from interpret_pd.evaluate.restraint import Ceiling, Restraint


@pytest.mark.parametrize(("cores", "jobs", "threads"), [(8, 2, 4), (8, 3, 2), (8, 8, 1), (8, 100, 1), (1, 2, 1)])
def test_the_cores_are_divided_among_the_workers(cores, jobs, threads, monkeypatch):
    monkeypatch.setattr(joblib, "cpu_count", lambda: cores)
    assert Restraint(jobs).threads == threads


def openmp():
    return ThreadpoolController().select(user_api="openmp").info()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_worker_has_its_share_of_openmp_and_joblib_works_by_itself_where_it_is_one(threads, monkeypatch):
    monkeypatch.setattr(joblib, "cpu_count", lambda: threads * 2)
    before, usual = openmp(), type(get_active_backend()[0])
    with Restraint(2).each():
        assert all(library["num_threads"] <= threads for library in openmp())
        inner = type(get_active_backend()[0]).__name__
        assert inner == ("SequentialBackend" if threads == 1 else usual.__name__)
    assert openmp() == before
    assert type(get_active_backend()[0]) is usual


class Blas:
    """A library of linear algebra with a number of threads, and what knows it."""

    def __init__(self, threads, libraries=1):
        self.threads, self.lib_controllers, self.set_by = threads, [None] * libraries, []

    def limit(self, limits):
        before, self.threads = self.threads, min(limits, self.threads)
        self.set_by.append(threading.get_ident())

        def restore():
            self.threads = before

        return types.SimpleNamespace(restore_original_limits=restore)


def test_the_lowest_wish_holds_and_what_was_before_comes_back_once_nobody_wishes():
    ceiling, blas = Ceiling(), Blas(8)
    first, second, third = (ExitStack() for _ in range(3))
    first.enter_context(ceiling.at(4, blas))
    assert blas.threads == 4
    second.enter_context(ceiling.at(2, blas))
    assert blas.threads == 2
    third.enter_context(ceiling.at(6, blas))
    assert blas.threads == 2
    assert sorted(ceiling.wishes) == [2, 4, 6]
    first.close()
    second.close()
    assert blas.threads == 2  # until the last is done
    third.close()
    assert blas.threads == 8
    assert ceiling.wishes == ceiling.before == []
    with ceiling.at(3, blas):
        assert blas.threads == 3
    assert blas.threads == 8


def test_a_library_that_is_loaded_meanwhile_is_remembered_too():
    ceiling, one, more = Ceiling(), Blas(8), Blas(6, libraries=2)
    with ceiling.at(2, one):
        with ceiling.at(1, more):
            assert (one.threads, more.threads) == (2, 1)
            assert [count for count, _ in ceiling.before] == [1, 2]
        assert more.threads == 1
    assert (one.threads, more.threads) == (8, 6)


def test_it_is_set_in_threads_of_their_own_which_are_over():
    ceiling, blas = Ceiling(), Blas(8)
    with ceiling.at(2, blas):
        assert threading.get_ident() not in blas.set_by
        assert not {thread.ident for thread in threading.enumerate()} & set(blas.set_by)


def test_an_error_takes_the_wish_back():
    ceiling, blas = Ceiling(), Blas(8)
    with pytest.raises(RuntimeError, match="broken"), ceiling.at(2, blas):
        raise RuntimeError("broken")
    assert (blas.threads, ceiling.wishes) == (8, [])
    assert not ceiling.lock.locked()


def test_a_wish_that_could_not_be_made_is_none():
    class Locked:
        def __enter__(self):
            if not self.open:
                self.open = True
                raise KeyboardInterrupt

        def __exit__(self, *error):
            pass

        open = False

    ceiling = Ceiling()
    ceiling.lock = Locked()
    with pytest.raises(KeyboardInterrupt), ceiling.at(2, Blas(8)):
        pytest.fail("never here")
    assert ceiling.wishes == ceiling.before == []
