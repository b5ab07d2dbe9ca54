"""Sending, in one process: what a file holds, what a parcel fetches and when, and where model and data are sent.

Real workers are in test_jobs (processes), test_cluster (dask) and test_ray.
"""

from __future__ import annotations

import gc
import pickle
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from interpret_pd import Predictor
from interpret_pd.evaluate import sending
from interpret_pd.evaluate.sending import Parcel


@pytest.fixture(autouse=True)
def another_worker(monkeypatch, tmp_path):
    """A worker that has opened nothing, and a folder of its own for files."""
    monkeypatch.setattr(sending, "_OPENED", {})
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path))


def made(mixed):
    ballast = np.arange(5.0)  # of a closure, which only cloudpickle takes
    return Predictor(lambda Z: Z["size"] * ballast[2], mixed.assign(small=np.arange(12, dtype=np.int8))).source


@pytest.fixture(name="source")
def some_source(mixed):
    return made(mixed)


def backend(name, **attributes):
    return type(name, (), attributes)()


def in_a_worker(parcel, monkeypatch):
    """The source that a parcel opens where it wasn't sent from."""
    monkeypatch.setattr(sending, "_HERE", {})
    return pickle.loads(pickle.dumps(parcel)).open()


# files


def test_a_file_holds_data_and_model_and_goes_with_the_source(mixed, tmp_path):
    source = made(mixed)
    path = sending._written(source)
    assert path.parent == tmp_path
    assert path.name.startswith("interpret_pd_")
    again = sending._read(path)
    assert again is not source
    pd.testing.assert_frame_equal(again.table.frame, source.table.frame)
    assert_array_equal(again.answer(mixed)[0], source.answer(mixed)[0])
    del source
    gc.collect()
    assert not path.exists()
    sending._removed(path)  # gone already: no error


def test_arrays_of_a_file_are_aligned_shared_and_may_be_written_to(tmp_path):
    X = np.random.default_rng(0).normal(size=(1001, 3))
    odd = np.arange(7, dtype=np.int8)  # what follows is aligned nevertheless
    source = Predictor(Sum(odd, np.arange(3.0)), X).source
    before = sending._dumped(source)
    one, two = (sending._read(sending._written(source)) for _ in range(2))
    for array in (one.table.array, one.response.ask.__self__.factors):
        assert array.ctypes.data % sending.ALIGNED == 0
        assert array.flags.writeable
        array[...] = 7
    assert_array_equal(two.table.array, X)  # another worker's pages
    assert_array_equal(sending._read(sending._written(source)).table.array, X)
    assert sending._dumped(source) == before
    files = {path.stat().st_size for path in tmp_path.iterdir()}
    assert len(files) == 1
    assert X.nbytes < files.pop() < X.nbytes + 5000


class Sum:
    def __init__(self, odd, factors):
        self.odd, self.factors = odd, factors

    def predict(self, Z):
        return Z @ self.factors


# parcels


def test_a_worker_keeps_the_last_two_sources_open():
    asked = []
    parcels = [Parcel(key, lambda key=key: asked.append(key) or key) for key in ("one", "two", "three")]
    for place in (0, 0, 1, 0, 2, 0, 1, 1):
        assert parcels[place].open() == ("one", "two", "three")[place]
    assert asked == ["one", "two", "three", "two"]


class Large:
    def __init__(self, size):
        self.size = size

    def __sizeof__(self):
        return self.size


@pytest.mark.parametrize(("size", "fetched"), [(sending.BYTES - 100, 1), (sending.BYTES + 1, 2)])
def test_a_worker_closes_a_large_source_before_it_opens_another(size, fetched):
    asked = []
    large = Parcel("large", lambda: asked.append("large") or Large(size))
    small = Parcel("small", lambda: Large(10))
    large.open()
    large.open()
    assert asked == ["large"]
    small.open()
    assert ("large" in sending._OPENED) == (fetched == 1)
    large.open()
    assert len(asked) == fetched


def test_where_it_was_sent_from_the_source_is_opened_itself(source):
    parcel = sending._known(source, "here", lambda: pytest.fail)
    assert parcel.open() is source
    assert sending.opened(parcel) is source
    assert sending.opened(source) is source
    assert not sending._OPENED


def test_a_source_is_sent_to_each_place_once(source, mixed):
    sent = []

    def send():
        sent.append(len(sent))
        return lambda: source

    parcels = [sending._known(source, place, send) for place in ("a", "b", "a", "b")]
    assert sent == [0, 1]
    assert parcels[0] is parcels[2]
    assert parcels[1] is parcels[3]
    assert parcels[0].key != parcels[1].key
    other = Predictor(len, mixed).source
    assert sending._known(other, "a", send).key not in {parcel.key for parcel in parcels}


# the backends of joblib


@pytest.mark.parametrize("name", ["threading", "sequential"])
def test_threads_get_the_source_itself(source, name):
    from joblib.parallel import BACKENDS

    assert sending.sent(source, BACKENDS[name]()) is source
    assert sending.sent(source, backend("SomebodysBackend")) is source


@pytest.mark.parametrize("name", ["loky", "multiprocessing"])
def test_processes_get_a_parcel_of_a_file(source, name, monkeypatch, tmp_path):
    from joblib.parallel import BACKENDS

    parcels = [sending.sent(source, BACKENDS[name]()) for _ in range(2)]
    assert parcels[0] is parcels[1]
    assert len(list(tmp_path.iterdir())) == 1
    assert len(pickle.dumps(parcels[0])) < 500
    there = in_a_worker(parcels[0], monkeypatch)
    pd.testing.assert_frame_equal(there.table.frame, source.table.frame)


class Client:
    """A client of dask without a cluster."""

    def __init__(self, name):
        self.id, self.scattered = name, []

    def scatter(self, source, hash):  # noqa: A002  (dask's word)
        assert hash is False  # else equal data of another model would be taken for the same
        self.scattered.append(
            types.SimpleNamespace(source=source, status="finished", key=f"{self.id}-{len(self.scattered)}")
        )
        return self.scattered[-1]


def test_a_cluster_gets_a_source_once_and_again_when_it_was_lost(source):
    one, two = Client("one"), Client("two")
    parcels = [sending.sent(source, backend("DaskDistributedBackend", client=client)) for client in (one, two, one)]
    assert len(one.scattered) == len(two.scattered) == 1
    assert one.scattered[0].source is source
    assert parcels[0] is parcels[2] is not parcels[1]
    assert parcels[0].fetch.args == ("one-0",)
    one.scattered[0].status = "lost"
    again = sending.scattered(source, one)
    assert len(one.scattered) == 2
    assert again.key != parcels[0].key
    assert again.fetch.args == ("one-1",)
    assert sending.scattered(source, one) is again
    assert sending.scattered(source, two) is parcels[1]


def test_a_worker_of_a_cluster_gathers_by_key(monkeypatch):
    asked = []

    def gather(future):
        asked.append(future)
        return "the source"

    client = types.SimpleNamespace(gather=gather)
    fake = types.SimpleNamespace(Future=lambda key, client, state: (key, client, state), get_client=lambda: client)
    monkeypatch.setitem(sys.modules, "distributed", fake)
    assert sending._gathered("key") == "the source"
    assert asked == [("key", client, "memory")]


class Store:
    """Ray without a cluster."""

    def __init__(self, worker="w", running=True):
        self.worker, self.running, self.kept = worker, running, []

    def is_initialized(self):
        return self.running

    def init(self):
        self.running = True

    def get_runtime_context(self):
        return types.SimpleNamespace(get_worker_id=lambda: self.worker)

    def put(self, value):
        self.kept.append(value)
        return len(self.kept) - 1

    def get(self, reference):
        return self.kept[reference]


def test_ray_stores_a_source_once_as_bytes(source, monkeypatch):
    store = Store()
    monkeypatch.setitem(sys.modules, "ray", store)
    parcels = [sending.sent(source, backend("RayBackend")) for _ in range(2)]
    assert parcels[0] is parcels[1]
    assert [type(kept) for kept in store.kept] == [bytes]
    there = in_a_worker(parcels[0], monkeypatch)
    pd.testing.assert_frame_equal(there.table.frame, source.table.frame)
    store.worker = "another driver"
    assert sending.sent(source, backend("RayBackend")) is not parcels[0]


def test_clusters_have_workers_of_their_own_and_ray_is_started(monkeypatch):
    store = Store(running=False)
    monkeypatch.setitem(sys.modules, "ray", store)
    assert not sending.is_cluster(backend("LokyBackend"))
    assert sending.is_cluster(backend("DaskDistributedBackend"))
    assert not store.running
    assert sending.is_cluster(backend("RayBackend"))
    assert store.running
    store.init = pytest.fail  # not twice
    assert sending.is_cluster(backend("RayBackend"))


def test_a_file_is_where_the_system_keeps_such_files_if_joblib_says_nothing(source, monkeypatch):
    import tempfile

    monkeypatch.delenv("JOBLIB_TEMP_FOLDER")
    assert sending._written(source).parent == Path(tempfile.gettempdir())
