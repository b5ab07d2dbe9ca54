"""Ray: the same numbers as here, and model and data travel once per worker."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose
from recorded import Recorded, lines

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance
from interpret_pd.evaluate.calling import workers

ray = pytest.importorskip("ray", reason="Ray isn't installed: its backend of joblib is optional")
pytestmark = [
    # the cluster's own sockets, and joblib's arguments that Ray doesn't take
    pytest.mark.filterwarnings("default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("default::DeprecationWarning", "default::FutureWarning", "default::UserWarning"),
]


class Writing(Recorded):
    """It records its pickling too, and writes into its own array, as a model may."""

    def __getstate__(self):
        self.write("packed")
        return self.__dict__

    def predict(self, Z):
        self.ballast[0] += 0
        return super().predict(Z)


@pytest.fixture(scope="module", autouse=True)
def cluster():
    from ray.util.joblib import register_ray

    here = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}  # where the workers find the models of this file
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=here)
    register_ray()
    yield
    ray.shutdown()


@pytest.fixture
def rows(rng):
    return pd.DataFrame(rng.normal(size=(400, 4)), columns=["a", "b", "c", "d"])


@pytest.mark.parametrize("method", ["pdp", "pdp+cice", "ale"])
def test_ray_gives_the_numbers_of_this_machine(rows, tmp_path, method):
    model = Writing(tmp_path / "log")
    with parallel_config(backend="ray"):
        there = FeatureEffects(Predictor(model, rows, batch_rows=500), method=method)
    assert set(lines(tmp_path / "log", "asked")) - {os.getpid()}
    here = FeatureEffects(Predictor(model, rows), method=method)
    assert there.features == here.features
    for name in here.features:
        assert_allclose(there[name].values, here[name].values)
        assert_allclose(there[name].results["value_"], here[name].results["value_"])


def test_model_and_data_are_stored_once_and_opened_once_per_worker(rows, tmp_path, monkeypatch):
    from ray.util.multiprocessing import Pool

    sizes, run = [], Pool._run_batch

    def counted(self, actor, func, batch):
        sizes.append(len(ray.cloudpickle.dumps((func, batch))))
        return run(self, actor, func, batch)

    monkeypatch.setattr(Pool, "_run_batch", counted)
    predictor = Predictor(Writing(tmp_path / "log"), rows, batch_rows=200)
    with parallel_config(backend="ray"):
        table = pd_importance(predictor, grid=20)
        effect = FeatureEffect(predictor, "a", grid=5)
    asked, unpacked = lines(tmp_path / "log", "asked"), lines(tmp_path / "log", "unpacked")
    assert len(lines(tmp_path / "log", "packed")) == 1
    assert len(asked) >= 160  # 4 features x 400 rows x 20 points / 200
    assert len(set(asked) - {os.getpid()}) >= 2  # Ray starts workers anew for a call
    assert sorted(unpacked) == sorted(set(asked) - {os.getpid()})
    assert max(sizes) < 20_000
    here = Predictor(Writing(tmp_path / "log"), rows)
    pd.testing.assert_frame_equal(table, pd_importance(here, grid=20))
    assert_allclose(effect.values, FeatureEffect(here, "a", grid=5).values)


def test_all_of_ray_works_unless_a_number_of_workers_is_said(rows):
    with parallel_config(backend="ray"):
        assert workers(Predictor(len, rows)) == 2
        assert workers(Predictor(len, rows, n_jobs=1)) == 1
    with parallel_config(backend="ray", n_jobs=1):
        assert workers(Predictor(len, rows)) == 1


def test_an_error_on_a_worker_says_where_it_was(rows):
    def broken(Z):
        raise KeyError("no such column")

    with parallel_config(backend="ray"), pytest.raises(KeyError, match="no such column") as raised:
        FeatureEffect(Predictor(broken, rows), "a")
    assert any("'a': grid points 0 to 19 of 20" in note for note in raised.value.__notes__)
