"""A cluster: the same numbers as here, and model and data travel once per worker."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance

distributed = pytest.importorskip("distributed")
pytestmark = [
    # the cluster's own threads and sockets, closed by its own clock
    pytest.mark.filterwarnings("default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("default::DeprecationWarning", "default::FutureWarning", "default::UserWarning"),
]


class Recorded:
    """A model of a megabyte that writes into a file wherever it is unpacked and whenever it is asked."""

    def __init__(self, file):
        self.file, self.ballast = str(file), np.ones(2**17)

    def write(self, what):
        with Path(self.file).open("a") as file:
            file.write(f"{what} {os.getpid()}\n")

    def __setstate__(self, state):
        self.__dict__ = state
        self.write("unpacked")

    def predict(self, Z):
        self.write("asked")
        time.sleep(0.02)
        return np.sin(np.asarray(Z)[:, 0]) * np.asarray(Z)[:, 1] + np.asarray(Z)[:, 2]


def lines(file, what):
    """The processes that wrote so."""
    return [int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith(what)]


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
def rows(rng):
    return pd.DataFrame(rng.normal(size=(400, 4)), columns=["a", "b", "c", "d"])


@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "ale"])
def test_a_cluster_gives_the_numbers_of_this_machine(client, rows, tmp_path, method):
    model = Recorded(tmp_path / "log")
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
    model = Recorded(tmp_path / "log")
    with parallel_config(backend="dask"):
        table = pd_importance(Predictor(model, rows, batch_rows=200), grid=20)
    asked, unpacked = lines(tmp_path / "log", "asked"), lines(tmp_path / "log", "unpacked")
    assert len(asked) >= 160  # 4 features x 400 rows x 20 points / 200
    assert len(set(asked) - {os.getpid()}) == 2  # both workers had a part
    assert sorted(unpacked) == sorted(set(asked) - {os.getpid()})
    here = pd_importance(Predictor(model, rows), grid=20)
    pd.testing.assert_frame_equal(table, here)


def test_partitions_stay_on_the_cluster_and_the_model_travels_once_per_worker(client, rows, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    model = Recorded(tmp_path / "log")
    there = FeatureEffect(Predictor(model, dd.from_pandas(rows, npartitions=8), rows="all"), "a", grid=5)
    assert_allclose(there.values, FeatureEffect(Predictor(model, rows), "a", grid=5).values, rtol=1e-12)
    workers = set(client.run(os.getpid).values())
    unpacked = [pid for pid in lines(tmp_path / "log", "unpacked") if pid in workers]
    assert len(unpacked) == len(set(unpacked)) <= 2


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
