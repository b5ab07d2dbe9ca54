"""A cluster: the same numbers as here, and model and data travel once per worker."""

from __future__ import annotations

import gc
import os
import pickle
import time

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose
from recorded import Recorded, lines

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance
from interpret_pd.frames import large

distributed = pytest.importorskip("distributed")
pytestmark = [
    # the cluster's own threads and sockets, closed by its own clock
    pytest.mark.filterwarnings("default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("default::DeprecationWarning", "default::FutureWarning", "default::UserWarning"),
]


class Sized:
    """A model of five megabytes, in pieces that nothing takes out of a pickle."""

    def __init__(self):
        self.ballast = [np.full(2**13, float(i)) for i in range(80)]

    def predict(self, Z):
        time.sleep(0.005)  # so that both workers have a part
        return 2.0 * np.asarray(Z)[:, 0] * np.asarray(Z)[:, 1]


def written():
    """The bytes that this process has written to all others, counted from the first call on."""
    from distributed.comm.tcp import TCP

    if not hasattr(TCP, "written"):
        TCP.written, write = 0, TCP.write

        async def counting(self, *args, **kwargs):
            size = await write(self, *args, **kwargs)
            TCP.written += size or 0
            return size

        TCP.write = counting
    return TCP.written


@pytest.fixture(scope="module")
def client():
    import dask

    with (
        dask.config.set({"distributed.worker.daemon": True}),
        distributed.LocalCluster(
            n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def traffic(client):
    """How many bytes travel between this process, with the scheduler, and the workers, while something is done."""

    def total():
        return written() + sum(client.run(written).values())

    def during(do):
        before = total()
        do()
        return total() - before

    total()
    return during


@pytest.fixture(scope="module")
def ten_megabytes():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.random((2**15, 40)), columns=[f"x{j}" for j in range(40)])


@pytest.fixture
def rows(rng):
    return pd.DataFrame(rng.normal(size=(400, 4)), columns=["a", "b", "c", "d"])


@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "ale"])
def test_a_cluster_gives_the_numbers_of_this_machine(client, rows, tmp_path, method):
    model = Recorded(tmp_path / "log", seconds=0.02)
    with parallel_config(backend="dask"):
        there = FeatureEffects(Predictor(model, rows, batch_rows=500), method=method)
    asked = set(lines(tmp_path / "log", "asked"))  # by now
    here = FeatureEffects(Predictor(model, rows), method=method)
    assert there.features == here.features
    for name in here.features:
        assert_allclose(there[name].values, here[name].values)
        assert_allclose(there[name].results["value_"], here[name].results["value_"])
    assert asked - {os.getpid()}


def test_model_and_data_travel_once_per_worker(client, rows, tmp_path):
    model = Recorded(tmp_path / "log", seconds=0.02)
    with parallel_config(backend="dask"):
        table = pd_importance(Predictor(model, rows, batch_rows=200), grid=20)
    asked, unpacked = lines(tmp_path / "log", "asked"), lines(tmp_path / "log", "unpacked")
    assert len(asked) >= 160  # 4 features x 400 rows x 20 points / 200
    assert len(set(asked) - {os.getpid()}) == 2  # both workers had a part
    assert sorted(unpacked) == sorted(set(asked) - {os.getpid()})
    here = pd_importance(Predictor(model, rows), grid=20)
    pd.testing.assert_frame_equal(table, here)


BATCH = 12_000  # bytes of a batch beside its predictions: its task, its rows' positions and points


@pytest.mark.parametrize("batches", [40, 80])
def test_the_bytes_on_the_wire_are_those_of_model_and_data_once_per_worker(batches, client, traffic, ten_megabytes):
    G, n = 8, len(ten_megabytes)
    predictor = Predictor(Sized(), ten_megabytes, batch_rows=n * G // batches)
    source, answers = len(pickle.dumps(predictor.source)), 8 * n * G
    assert 15e6 < source < 17e6
    # from here to the scheduler, from it to one worker, and from that to the other; predictions come over the scheduler
    once, every_time = 3 * source, 2.2 * answers + BATCH * batches

    def effect():
        assert FeatureEffect(predictor, "x0", grid=G).provenance["model_calls"] >= batches

    with parallel_config(backend="dask"):
        assert traffic(effect) < once + every_time
        effect()  # by now both workers have had a part
        assert traffic(effect) < every_time < source / 2


def test_the_anchors_of_several_features_send_nothing_again(client, traffic, ten_megabytes):
    predictor = Predictor(Sized(), ten_megabytes, batch_rows=2**14)
    source = len(pickle.dumps(predictor.source))
    answers = 8 * len(ten_megabytes) * 3 * (5 + 2)  # at 4 points and the anchor, and twice the rows' positions
    options = {"method": "pdp+cice", "grid": 4, "ice_rows": 10, "random_state": 0}

    with parallel_config(backend="dask"):
        sent = traffic(lambda: FeatureEffects(predictor, ["x0", "x1", "x2"], **options))
    assert sent < 3 * source + 2.2 * answers + BATCH * 40


def test_what_was_sent_is_let_go_with_the_predictor(client, ten_megabytes):
    def held():
        return {key for keys in client.has_what().values() for key in keys if "Source" in str(key)}

    predictor = Predictor(Sized(), ten_megabytes)
    before = held()
    with parallel_config(backend="dask"):
        FeatureEffect(predictor, "x0", grid=3)
    assert len(held() - before) == 1
    del predictor
    gc.collect()
    until = time.time() + 10
    while held() - before and time.time() < until:
        time.sleep(0.05)
    assert not held() - before


def test_partitions_stay_on_the_cluster_and_the_model_travels_once_per_worker(client, rows, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    model = Recorded(tmp_path / "log", seconds=0.02)
    predictor = Predictor(model, dd.from_pandas(rows, npartitions=8), rows="all")
    there = FeatureEffect(predictor, "a", grid=5)
    assert_allclose(there.values, FeatureEffect(Predictor(model, rows), "a", grid=5).values, rtol=1e-12)
    workers = set(client.run(os.getpid).values())
    unpacked = [pid for pid in lines(tmp_path / "log", "unpacked") if pid in workers]
    assert len(unpacked) == len(set(unpacked)) <= 2
    FeatureEffects(predictor, ["b", "c"], grid=5)
    unpacked = [pid for pid in lines(tmp_path / "log", "unpacked") if pid in workers]
    assert len(unpacked) == len(set(unpacked)) <= 2


def test_little_travels_with_a_partition(traffic, rng, monkeypatch):
    dd = pytest.importorskip("dask.dataframe")
    monkeypatch.setattr(large, "DISTINCT", 1000)  # so that quantiles are asked of the whole
    X = dd.from_pandas(pd.DataFrame(rng.normal(size=(60_000, 4)), columns=["a", "b", "c", "d"]), npartitions=60)
    predictor = Predictor(Sized(), X.persist(), rows="all")
    source = len(pickle.dumps(predictor.source))
    [predictor.feature(name) for name in "abcd"]
    assert traffic(lambda: FeatureEffect(predictor, "a", grid=5)) < 3 * source + 60 * BATCH
    assert (
        traffic(lambda: FeatureEffect(predictor, "b", grid=5)) < 60 * BATCH + source
    )  # of a worker without a part yet


def test_the_names_of_the_outputs_and_the_count_of_calls_come_back(client, rows):
    def two(Z):
        return pd.DataFrame({"up": Z["a"], "down": -Z["a"]})

    with parallel_config(backend="dask"):
        effect = FeatureEffect(Predictor(two, rows, batch_rows=500), "a")
    assert effect.outputs == ("up", "down")
    assert effect.provenance["model_calls"] == 16  # 25 rows of 20 points in each


def test_an_error_on_a_worker_says_where_it_was(client, rows):
    def broken(Z):
        raise KeyError("no such column")

    with parallel_config(backend="dask"), pytest.raises(KeyError, match="no such column") as raised:
        FeatureEffect(Predictor(broken, rows), "a")
    assert any("'a': grid points 0 to 19 of 20" in note for note in raised.value.__notes__)
