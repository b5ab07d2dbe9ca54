"""Workers: threads, processes and what joblib is configured to change nothing but the time; nothing is lost."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance
from interpret_pd.evaluate.calling import workers

BACKENDS = ["threading", "loky"]


def model(Z):
    return pd.DataFrame({"up": np.sin(Z["x0"]) * Z["x1"], "down": Z["x0"] + Z["x2"] ** 2})


def process(Z):
    return np.full(len(Z), float(os.getpid()))


def thread(Z):
    return np.full(len(Z), float(threading.get_ident()))


@pytest.fixture
def serial(numbers):
    return Predictor(model, numbers)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "pdp+cice", "ice", "ale"])
def test_the_effects_of_all_features_are_the_same_in_threads_and_processes(backend, method, numbers, serial):
    with parallel_config(backend=backend, n_jobs=2):
        shared = FeatureEffects(Predictor(model, numbers, batch_rows=7), method=method, grid=5)
    alone = FeatureEffects(serial, method=method, grid=5)
    assert shared.features == alone.features
    for name in alone.features:
        assert_allclose(shared[name].values, alone[name].values)
        assert_allclose(shared[name].results["value_"], alone[name].results["value_"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "table",
    [
        pd_importance,
        lambda predictor: pd_importance(predictor, method="ice"),
        lambda predictor: pd_importance(predictor, method="pairwise", grid=3),
        h_statistic,
        lambda predictor: h_statistic(predictor, kind="pairwise"),
    ],
    ids=["pdp", "ice", "pairwise", "H", "H of pairs"],
)
def test_tables_are_the_same_in_threads_and_processes(backend, table, numbers, serial):
    with parallel_config(backend=backend, n_jobs=2):
        shared = table(Predictor(model, numbers, batch_rows=50))
    pd.testing.assert_frame_equal(shared, table(serial))


@pytest.mark.parametrize("compute", [FeatureEffects, lambda predictor: pd_importance(predictor, grid=4)])
def test_the_batches_of_several_features_are_under_way_at_once(compute, numbers):
    both = threading.Barrier(2)

    def meeting(Z):  # a single call never gets through
        if len(Z) > 1:
            both.wait(timeout=20)
        return Z["x0"]

    compute(Predictor(meeting, numbers[["x0", "x1"]], n_jobs=2))


def test_a_slow_feature_holds_no_other(numbers):
    order = []

    def uneven(Z):
        slow = len(Z) > 1 and Z["x0"].nunique() <= 4  # x0 is the swept one
        time.sleep(0.6 if slow else 0.01)
        order.append("slow" if slow else "fast")
        return Z["x0"]

    FeatureEffects(Predictor(uneven, numbers, n_jobs=2), grid=4)
    assert order == ["fast", "fast", "fast", "slow"]  # the first is for the names of the outputs


@pytest.mark.parametrize("backend", BACKENDS)
def test_calls_are_counted_where_they_are_gathered(backend, numbers):
    alone = FeatureEffect(Predictor(model, numbers, batch_rows=7), "x0", grid=5)
    with parallel_config(backend=backend, n_jobs=2):
        shared = FeatureEffect(Predictor(model, numbers, batch_rows=7), "x0", grid=5)
    assert shared.provenance["model_calls"] == alone.provenance["model_calls"] == 12


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_names_of_the_outputs_come_back(backend, numbers):
    predictor = Predictor(model, numbers)
    with parallel_config(backend=backend, n_jobs=2):
        effects = FeatureEffects(predictor, grid=3)
    assert effects.outputs == effects["x0"].outputs == ("up", "down")


def test_joblibs_configuration_says_where(numbers):
    here = float(os.getpid())
    with parallel_config(backend="loky", n_jobs=2):
        assert not np.any(FeatureEffect(Predictor(process, numbers), "x0", grid=3).values == here)
    with parallel_config(backend="threading", n_jobs=2):
        assert np.all(FeatureEffect(Predictor(process, numbers), "x0", grid=3).values == here)
        assert not np.any(FeatureEffect(Predictor(thread, numbers), "x0", grid=3).values == threading.get_ident())
    assert np.all(FeatureEffect(Predictor(thread, numbers), "x0", grid=3).values == threading.get_ident())


def test_n_jobs_of_the_predictor_comes_before_the_configuration(numbers):
    with parallel_config(backend="threading", n_jobs=2):
        assert workers(Predictor(model, numbers)) == 2
        assert workers(Predictor(model, numbers, n_jobs=1)) == 1
        assert workers(Predictor(model, numbers, n_jobs=3)) == 3
        assert np.all(FeatureEffect(Predictor(thread, numbers, n_jobs=1), "x0", grid=3).values == threading.get_ident())
    assert workers(Predictor(model, numbers)) == 1


def test_the_work_of_one_feature_is_shared_too(rng):
    X = rng.normal(size=(2000, 2))
    predictor = Predictor(lambda Z: Z[:, 0], X, n_jobs=2)
    FeatureEffect(predictor, 0, grid=20)
    sizes = []
    FeatureEffect(Predictor(lambda Z: sizes.append(len(Z)) or Z[:, 0], X, n_jobs=2), 0, grid=20)
    assert sorted(sizes) == [20_000, 20_000]


def test_a_worker_gets_no_more_than_it_needs(numbers):
    import pickle

    predictor = Predictor(process, numbers)
    assert len(FeatureEffects(predictor, grid=3).results)  # every cache is full
    source = pickle.loads(pickle.dumps(predictor.source))
    assert_array_equal(source.answer(numbers)[0], predictor.predict(numbers))
    assert len(pickle.dumps(predictor.source)) < len(pickle.dumps(numbers)) + 3000


class Sized:
    """A model of five megabytes, in pieces that joblib doesn't take out of a pickle, that tells where it is opened."""

    def __init__(self, file):
        self.file, self.ballast = str(file), [np.full(2**13, float(i)) for i in range(80)]

    def __setstate__(self, state):
        self.__dict__ = state
        with Path(self.file).open("a") as file:
            file.write(f"{os.getpid()}\n")

    def predict(self, Z):
        return 2.0 * np.asarray(Z)[:, 0]


@pytest.fixture
def sent(monkeypatch):
    """The sizes of all that goes to joblib's processes."""
    queues, sizes = pytest.importorskip("joblib.externals.loky.backend.queues"), []
    dumps = queues.dumps

    def counted(*args, **kwargs):
        made = dumps(*args, **kwargs)
        sizes.append(len(made))
        return made

    monkeypatch.setattr(queues, "dumps", counted)
    return sizes


def test_model_and_data_go_to_processes_once_however_many_batches_and_calls(sent, rng, tmp_path, monkeypatch):
    folder, log = tmp_path / "files", tmp_path / "log"
    folder.mkdir()
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(folder))
    X = pd.DataFrame(rng.random((2**15, 40)), columns=[f"x{j}" for j in range(40)])  # ten megabytes
    predictor = Predictor(Sized(log), X, batch_rows=len(X) * 8 // 40)
    for anchored in (False, True, True):
        del sent[:]
        with parallel_config(backend="loky", n_jobs=2):
            FeatureEffects(predictor, ["x0", "x1"], method="pdp+cice" if anchored else "pdp", grid=8, ice_rows=2)
        calls = 90 + 20 * anchored
        assert sum(sent) < 2.5 * 8 * len(X) * 2 + 4000 * calls  # positions of rows, and little for each call
    opened = log.read_text().split()
    assert len(opened) == len(set(opened)) <= 2
    files = [file.stat().st_size for file in folder.glob("interpret_pd_*")]
    assert len(files) == 1
    assert 15e6 < files[0] < 17e6
    del predictor
    gc.collect()
    assert not list(folder.glob("interpret_pd_*"))


@pytest.mark.parametrize(
    ("backend", "kind"),
    [("multiprocessing", "pandas"), *(("loky", kind) for kind in ("numpy", "pandas", "objects", "polars", "pyarrow"))],
)
def test_every_container_reaches_a_process_as_it_is(kind, backend, numbers):
    made = {
        "numpy": lambda: numbers.to_numpy(),
        "pandas": lambda: numbers,
        "objects": lambda: numbers.assign(t=np.where(numbers["x0"] > 0, "up", "down")),
        "polars": lambda: pytest.importorskip("polars").from_pandas(numbers),
        "pyarrow": lambda: pytest.importorskip("pyarrow").Table.from_pandas(numbers),
    }
    X = made[kind]()
    shift = 2.0  # of a closure

    def model(Z):
        assert type(Z) is type(X)
        first = np.asarray(Z[:, 0] if kind == "numpy" else Z["x0"])
        return first * shift

    with parallel_config(backend=backend, n_jobs=2):
        there = FeatureEffect(Predictor(model, X, batch_rows=50), "x0", grid=5)
    assert_array_equal(there.values, FeatureEffect(Predictor(model, X), "x0", grid=5).values)


def test_a_model_may_write_into_its_own_arrays_in_a_process(numbers):
    class Counting:
        def __init__(self):
            self.seen = np.zeros(10_000)

        def predict(self, Z):
            self.seen[: len(Z)] += 1
            return np.asarray(Z["x0"])

    with parallel_config(backend="loky", n_jobs=2):
        there = FeatureEffect(Predictor(Counting(), numbers, batch_rows=50), "x0", grid=5)
    assert_array_equal(there.values, FeatureEffect(Predictor(Counting(), numbers), "x0", grid=5).values)


@pytest.mark.parametrize("n_jobs", [2, 100])
def test_a_model_that_uses_all_cores_is_held_to_its_share_of_them(n_jobs, numbers):
    from joblib import Parallel, cpu_count, delayed
    from threadpoolctl import threadpool_info

    share, seen = max(1, cpu_count() // n_jobs), []

    def greedy(Z):
        inner = Parallel(-1, require="sharedmem")(delayed(threading.get_ident)() for _ in range(50))
        seen.append((len(set(inner)), max((pool["num_threads"] for pool in threadpool_info()), default=1)))
        return Z["x0"]

    before = threadpool_info()
    FeatureEffects(Predictor(greedy, numbers, n_jobs=n_jobs), grid=3)
    seen = seen[1:]  # the first call asks for the names of the outputs, with nobody beside it
    assert max(pools for _, pools in seen) <= share
    if share == 1:
        assert max(inner for inner, _ in seen) == 1
    assert threadpool_info() == before


def test_numbers_do_not_depend_on_the_number_of_workers_bit_by_bit(rng):
    X = rng.normal(size=(500, 3))
    one, two, three = (
        FeatureEffect(Predictor(lambda Z: np.sin(Z @ [1, 2, 3]), X, n_jobs=n, batch_rows=777), 0) for n in (1, 2, 3)
    )
    assert_array_equal(one.values, two.values)
    assert_array_equal(one.values, three.values)
    assert_array_equal(one.se, three.se)
