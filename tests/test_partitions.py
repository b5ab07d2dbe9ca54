"""Partitions, without a cluster: what each gives, how they add up, and what travels."""

from __future__ import annotations

import sys
import types

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.evaluate import partitions
from interpret_pd.evaluate.partitions import Deviations, Errand, Sums
from interpret_pd.evaluate.sinks import Task

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")


@pytest.fixture(name="frame")
def rows(rng):
    return pd.DataFrame(rng.normal(size=(30, 3)), columns=["a", "b", "c"])


def model(Z):
    return pd.DataFrame({"one": np.sin(Z["a"]) * Z["b"] + Z["c"] ** 2, "two": Z["a"] - Z["b"]})


def whole(frame, f=model, pieces=4, **options):
    return Predictor(f, dd.from_pandas(frame, npartitions=pieces), rows="all", **options)


def test_the_sums_of_two_partitions_add_up_whichever_comes_first():
    one = Sums(2, np.array([[1.0]]), np.array([[3.0]]), 4)
    two = Sums(5, np.array([[10.0]]), np.array([[30.0]]), 40)
    assert one.plus(two) == two.plus(one) == (7, [[11.0]], [[33.0]], 44)


def test_deviations_are_from_the_level_and_by_points():
    sink = Deviations(np.array([[1.0], [2.0]]))
    sink.add(Task(slice(0, 2), slice(0, 2)), np.array([[[1.0], [4.0]], [[3.0], [2.0]]]), 2)
    sink.add(Task(slice(2, 3), slice(1, 2)), np.array([[[5.0]]]), 2)
    first, second = sink.result()
    assert_array_equal(first, [[2.0], [5.0]])
    assert_array_equal(second, [[4.0], [13.0]])


@pytest.mark.parametrize("target", [None, "two", ["two", "one"]])
@pytest.mark.parametrize("anchor", [None, 0.5])
def test_the_average_of_partitions_is_that_in_memory(frame, target, anchor):
    options = {"method": "pdp", "grid": [-1.0, 0.5, 1.0], "center_at": anchor}
    here = FeatureEffect(Predictor(model, frame, target=target), "a", **options)
    there = FeatureEffect(whole(frame, target=target), "a", **options)
    assert there.outputs == here.outputs
    assert_allclose(there.values, here.values, rtol=1e-12, atol=1e-13)
    assert_allclose(there.se, here.se, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("anchor", [None, 0.0])
def test_a_large_common_level_costs_no_digits(frame, anchor):
    def high(Z):
        return 1e9 * (1 + Z["a"]) + Z["b"] * Z["a"]

    options = {"grid": [0.0, 1.0], "center_at": anchor}
    there = FeatureEffect(whole(frame, high), "a", **options)
    curve = frame["b"].to_numpy()  # at 1; the rows' curves are alike at 0
    want = curve.std(ddof=1) / np.sqrt(len(frame))
    assert_allclose(there.se[0, 1], want, rtol=1e-5)
    assert_allclose(there.values[0, 1] - (2e9 if anchor is None else 1e9), curve.mean(), atol=1e-6)


def test_one_row_has_an_average_and_no_error(frame):
    effect = FeatureEffect(whole(frame.head(1), pieces=1), "a", grid=[0.0, 1.0])
    assert np.isfinite(effect.values).all()
    assert np.isnan(effect.se).all()


def test_an_empty_partition_gives_nothing_and_asks_nothing(frame):
    errand = Errand(Predictor(model, frame), None, {}, None, np.ones((3, 2)))
    n, first, second, calls = errand.sums(frame.head(0))
    assert (n, calls) == (0, 0)
    assert_array_equal(first, np.zeros((3, 2)))
    assert_array_equal(second, np.zeros((3, 2)))


def test_calls_are_counted_in_every_partition_and_added_to_those_before(frame):
    asked = []

    def counted(Z):
        asked.append(len(Z))
        return model(Z)

    predictor = whole(frame, counted, pieces=3, batch_rows=10)
    assert predictor.outputs == ("one", "two")
    before = len(asked)
    effect = FeatureEffect(predictor, "a", grid=[0.0, 1.0])
    assert effect.provenance["model_calls"] == len(asked) - before
    assert len(asked) - before == 1 + 3 * 2  # one row for the level, and 20 predictions in each partition
    again = FeatureEffect(predictor, "b", grid=[0.0, 1.0])
    assert again.provenance["model_calls"] == 7


def test_what_travels_is_small_silent_and_works_alone(frame, monkeypatch):
    sent, sums = [], Errand.sums

    def watched(self, part):
        sent.append(self)
        return sums(self, part)

    monkeypatch.setattr(Errand, "sums", watched)
    told = []
    FeatureEffect(whole(frame, n_jobs=2, progress=lambda *done: told.append(done)), "a", grid=[0.0, 1.0])
    bare = sent[0].predictor
    assert (bare.whole, bare.n_jobs, bare.progress) == (None, 1, False)
    assert bare.model is bare.response is bare.table is bare.source is None
    assert bare.cache["selection"].names == ("one", "two")
    assert len({id(errand.source) for errand in sent}) == 1


def test_equal_partitions_of_models_that_change_are_not_taken_for_the_same(frame):
    state = {"plus": 0.0}
    predictor = whole(frame, lambda Z: Z["a"] + state["plus"])
    first = FeatureEffect(predictor, "a", grid=[0.0, 1.0]).values
    state["plus"] = 5.0
    assert_allclose(FeatureEffect(predictor, "a", grid=[0.0, 1.0]).values, first + 5)


def test_the_source_is_scattered_where_there_is_a_cluster(monkeypatch):
    def no_client():
        raise ValueError("No global client found")

    fake = types.SimpleNamespace(get_client=lambda: "a client")
    monkeypatch.setattr(partitions, "scattered", lambda source, client: (source, client))
    monkeypatch.setattr(partitions, "sys", types.SimpleNamespace(modules={}))
    assert partitions._sent("a source") == "a source"
    monkeypatch.setattr(partitions, "sys", types.SimpleNamespace(modules={"distributed": fake}))
    monkeypatch.setitem(sys.modules, "distributed", fake)
    assert partitions._sent("a source") == ("a source", "a client")
    fake.get_client = no_client
    assert partitions._sent("a source") == "a source"
