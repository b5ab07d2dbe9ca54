"""Threads: one predictor used by several at once gives each the numbers that it would get alone."""

from __future__ import annotations

import copy
import io
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from libraries import needs_numba
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_info, threadpool_limits

mpl.use("Agg")

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance
from interpret_pd.evaluate import progress
from interpret_pd.evaluate.exact import proved
from interpret_pd.evaluate.restraint import Restraint
from interpret_pd.predictor.pace import LADDER, Pace
from interpret_pd.trees import NotExact

pytestmark = needs_numba  # compiled walks are among the cases

THREADS = 4


@pytest.fixture(autouse=True)
def hurried():
    """Threads change places a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b", "c"])
    return frame.assign(town=np.resize(["oslo", "bern", "rome"], 150))


def model(Z):
    return np.sin(Z["a"]) * Z["b"] + Z["c"] * (Z["town"] == "bern")


@pytest.fixture(scope="module")
def trees(rows):
    X = rows[["a", "b", "c"]]
    few = {"n_estimators": 15, "random_state": 0}  # no forest: scikit-learn's own jobs mix up the filters of warnings
    chances = GradientBoostingClassifier(**few).fit(X, np.where(model(rows) > 0, "yes", "no"))
    return {"boosting": GradientBoostingRegressor(**few).fit(X, model(rows)), "chances": chances}


@pytest.fixture
def made(rows, trees):
    """A function that makes each kind of predictor anew."""
    X = rows[["a", "b", "c"]]
    return {
        "function": lambda: Predictor(model, rows),
        "small batches": lambda: Predictor(model, rows, batch_rows=100),
        "two workers": lambda: Predictor(model, rows, n_jobs=2),
        "trees": lambda: Predictor(trees["boosting"], X),
        "trees, walked": lambda: Predictor(trees["boosting"], X, engine="trees"),
        "trees, walked by two": lambda: Predictor(trees["boosting"], X, engine="trees", n_jobs=2),
        "chances, walked": lambda: Predictor(trees["chances"], X, engine="trees"),
    }


def of_all(effects):
    return np.concatenate([effects[name].values.ravel() for name in sorted(effects.features)])


TOOLS = {
    "pd and curves": lambda p: FeatureEffect(p, "a", "pdp+cice", grid=8).layers["pdp"],
    "ale": lambda p: FeatureEffect(p, "b", "ale", grid=8).values,
    "a pair": lambda p: FeatureEffect(p, ("a", "b"), grid=4).values,
    "all features": lambda p: of_all(FeatureEffects(p, grid=4)),
    "importance": lambda p: pd_importance(p, grid=4).sort_values("feature")["importance"].to_numpy(),
    "H": lambda p: h_statistic(p, n_max=15, random_state=0).sort_values("feature")["h2"].to_numpy(),
    "support": lambda p: FeatureEffect(p, "a", grid=8).support,
    "table of support": lambda p: p.support().sort_values("feature")["mean_support"].to_numpy(),
}


def at_once(work, threads=THREADS):
    """What each of several threads makes of its number, all begun at the same time."""
    gate = threading.Barrier(threads)

    def begin(number):
        gate.wait(timeout=60)
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(begin, range(threads)))


KINDS = ["function", "small batches", "two workers", "trees", "trees, walked", "trees, walked by two",
         "chances, walked"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_four_threads_get_the_numbers_of_one(kind, made):
    want = {name: tool(made[kind]()) for name, tool in TOOLS.items()}
    shared = made[kind]()

    def work(number):
        order = [*TOOLS][2 * number :] + [*TOOLS][: 2 * number]
        return {name: TOOLS[name](shared) for name in order}

    for found in at_once(work):
        for name, numbers in found.items():
            assert_allclose(numbers, want[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_each_effect_counts_its_own_calls(rows):
    shared = Predictor(model, rows, batch_rows=100)
    assert shared.outputs == (0,)
    effects = at_once(lambda number: FeatureEffect(shared, "abc"[number % 3], grid=4 + number))
    assert [effect.provenance["model_calls"] for effect in effects] == [6, 8, 10, 11]  # 150 rows, in hundreds
    assert [effect.rows_used for effect in effects] == [150] * 4


def blas():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.fixture
def two_of_blas():
    """BLAS has two threads, whatever was before."""
    before = blas()

    def limited(to):
        thread = threading.Thread(target=threadpool_limits, args=(to, "blas"))  # one that is gone when others set it
        thread.start()
        thread.join()

    limited(2)
    if set(blas()) != {2}:
        pytest.skip("BLAS has but one thread here")
    yield
    limited(before[0])


def test_threads_that_share_workers_leave_the_number_of_blas_threads_alone(rows, two_of_blas):
    shared = Predictor(model, rows, n_jobs=2, batch_rows=50)
    at_once(lambda _: [FeatureEffect(shared, "a", grid=4) for _ in range(4)])
    assert set(blas()) == {2}


def test_the_lowest_wish_of_overlapping_computations_holds_until_the_last_is_done(two_of_blas):
    first, second = Restraint(90).whole(), Restraint(100).whole()
    first.__enter__()
    second.__enter__()
    assert set(blas()) == {1}
    first.__exit__(None, None, None)  # the first ends first, as it does in threads
    assert set(blas()) == {1}
    second.__exit__(None, None, None)
    assert set(blas()) == {2}


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_threads_may_each_have_workers(backend, rows):
    want = FeatureEffect(Predictor(model, rows), "a", "pdp+ice", grid=5).values

    def work(_):
        with parallel_config(backend=backend, n_jobs=2):
            return FeatureEffect(Predictor(model, rows, batch_rows=200), "a", "pdp+ice", grid=5).values

    for found in at_once(work, 3):
        assert_allclose(found, want)


def test_the_pace_is_learned_by_several_threads():
    def work(number):
        rng = np.random.default_rng(number)
        for _ in range(400):
            pace.record(int(rng.choice(LADDER)), float(rng.random()))
            pace.rows(10**7)

    for _ in range(8):
        pace = Pace("auto", 8.0)
        at_once(work)


class Watched(dict):
    """A dictionary that refuses to be changed."""

    def __setitem__(self, key, value):
        raise AssertionError("another thread may be going through it")


def test_what_the_pace_has_learned_is_replaced_and_not_changed():
    pace = Pace("auto", 8.0)
    for rows in LADDER:
        pace.seconds, pace.calls = Watched(pace.seconds), Watched(pace.calls)
        pace.record(rows, 1.0)
    assert len(pace.seconds) == len(LADDER)


def test_a_predictor_is_pickled_and_copied_while_others_learn(rows):
    wide = pd.concat([rows.add_suffix(str(i)) for i in range(20)], axis=1)
    shared = Predictor(lambda Z: Z["a0"], wide)
    shared.model = shared.source = shared.response = None  # a function can't be pickled
    done = threading.Event()

    def work(number):
        if number:
            try:
                return [shared.feature(name).kind for name in wide]
            finally:
                done.set()
        copies = []
        while not done.is_set():
            copies.append(pickle.loads(pickle.dumps(shared)))
            copy.deepcopy(shared)
        return copies

    at_once(work)
    assert len(pickle.loads(pickle.dumps(shared)).cache["features"]) == wide.shape[1]


def test_pictures_made_and_drawn_in_threads_are_those_of_one(rows):
    shared = Predictor(model, rows)
    makers = [
        lambda: FeatureEffect(shared, "a", "pdp+ice", grid=5).plot(),
        lambda: FeatureEffect(shared, "town").plot(),
        lambda: FeatureEffect(shared, ("a", "b"), grid=4).plot(),
        lambda: FeatureEffects(shared, grid=4).plot(),
    ]

    def picture(number):
        file = io.BytesIO()
        makers[number]().save(file, format="png", dpi=50, verbose=False)
        return file.getvalue()

    want = [picture(number) for number in range(len(makers))]
    assert at_once(picture) == want


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("bar", ["tqdm", "a line"])
def test_threads_show_their_progress_and_leave_the_filters_of_warnings_alone(bar, rows, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    if bar == "tqdm":
        pytest.importorskip("tqdm")
        monkeypatch.delitem(sys.modules, "tqdm.auto", raising=False)
    else:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    shared = Predictor(model, rows, batch_rows=100)
    FeatureEffect(shared, "a", grid=5)  # imports what shows it
    before = list(warnings.filters)
    at_once(lambda _: FeatureEffects(shared, grid=3))
    assert warnings.filters == before
    assert ("/" if bar == "tqdm" else " of ") in sys.stderr.getvalue()


def test_a_refusal_of_the_trees_keeps_nothing_alive(rows):
    X = rows[["a", "b", "c"]]
    predictor = Predictor(LinearRegression().fit(X, X["a"]), X)
    depths = []
    for _ in range(3):
        with pytest.raises(NotExact, match="LinearRegression") as raised:
            proved(predictor)
        depths.append(len(raised.traceback))
        assert raised.value.__context__ is None
    assert len(set(depths)) == 1
    assert isinstance(predictor.cache["exact"], str)


FIRST = """
    import sys, threading
    import numpy as np
    from sklearn.ensemble import RandomForestRegressor
    from interpret_pd import FeatureEffect, Predictor

    sys.setswitchinterval(1e-6)
    X = np.random.default_rng(0).normal(size=(60, 3))
    forest = RandomForestRegressor(5, random_state=0).fit(X, X[:, 0] * X[:, 1])
    predictor = Predictor(forest, X, engine="trees")
    found, gate = {}, threading.Barrier(4)

    def work(number):
        gate.wait()
        found[number] = FeatureEffect(predictor, number % 2, grid=5).values

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(2):
        brute = FeatureEffect(Predictor(forest, X, engine="brute"), number, grid=5).values
        assert np.allclose(found[number], brute) and np.array_equal(found[number], found[number + 2])
    print("same")
"""


def test_the_first_walk_of_a_process_may_be_compiled_by_four_threads_at_once(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}  # nothing is compiled yet
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FIRST)],
        capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert done.stdout == "same\n", done.stderr


def test_layers_stay_read_only_in_copies_and_pickles(rows):
    effect = FeatureEffect(Predictor(LinearRegression().fit(rows[["a", "b"]], rows["c"]), rows[["a", "b"]]), "a")
    assert effect.support.size
    for other in (copy.copy(effect), copy.deepcopy(effect), pickle.loads(pickle.dumps(effect))):
        for values in (other.values, other.se, other.support):
            with pytest.raises(ValueError, match="read-only"):
                values[...] = 0
        assert_array_equal(other.values, effect.values)
