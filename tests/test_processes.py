"""Processes: what was pickled here works there; an interrupt or an error leaves nothing behind and nothing wrong."""

from __future__ import annotations

import copy
import io
import json
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from conftest import CONTAINERS
from joblib import parallel_config
from libraries import needs_numba
from numpy.testing import assert_allclose
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression

mpl.use("Agg")

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, compare, h_statistic, pd_importance, plot_importance
from interpret_pd.evaluate import together

pytestmark = needs_numba  # compiled walks are among the cases

RNG = np.random.default_rng(8)
ROWS = pd.DataFrame(RNG.normal(size=(60, 3)), columns=["a", "b", "c"])
TOWNS = ROWS.assign(town=pd.Categorical(np.resize(["oslo", "bern", "rome"], 60)), day=pd.date_range("2024", periods=60))


def run(code, *arguments, where, timeout=120):
    """What a new interpreter prints, started elsewhere; it has not seen the tests."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", textwrap.dedent(code), *arguments],
        capture_output=True, text=True, check=False, timeout=timeout, cwd=where,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def steep(Z, slope):
    return slope * Z["a"] + np.asarray(Z["b"]) ** 2


def predictors():
    """By name: models and containers of all kinds that a new interpreter can find."""
    linear = LinearRegression().fit(ROWS, ROWS["a"] - ROWS["b"])
    trees = GradientBoostingRegressor(n_estimators=10, random_state=0).fit(ROWS, ROWS["a"] * ROWS["b"])
    classes = LogisticRegression().fit(ROWS, np.resize(["no", "yes", "maybe"], 60))
    found = {
        name: Predictor(LinearRegression().fit(make(ROWS), ROWS["a"]), make(ROWS)) for name, make in CONTAINERS.items()
    }
    found["callable"] = Predictor(linear.predict, ROWS, sample_weight=np.arange(1.0, 61.0))
    found["trees"] = Predictor(trees, ROWS, engine="trees", n_jobs=2)
    found["classes"] = Predictor(classes, ROWS, target=["yes", "no"], response_method="predict_proba")
    return found


def pictures():
    """By name: plots of every kind."""
    found = predictors()
    plain, trees, classes = found["pandas"], found["trees"], found["classes"]
    mixed = Predictor(partial(np.dot, b=np.ones(2)), TOWNS[["a", "b"]].to_numpy())
    return {
        "curves": FeatureEffect(plain, "a", "pdp+cice").plot(color="b"),
        "a fan": FeatureEffect(plain, "a", "ice").plot(fan=True, rug="histogram"),
        "an array": FeatureEffect(mixed, 0).plot(),
        "a map": FeatureEffect(trees, ("a", "b"), grid=5).plot(),
        "outputs": FeatureEffect(classes, "a").plot(outputs="lines"),
        "slopes": FeatureEffect(plain, "a", "pdp+ice").derivative().plot(),
        "ale": FeatureEffect(trees, "b", "ale").plot(),
        "all features": FeatureEffects(plain, method="pdp+ice").plot(),
        "with a pair": FeatureEffects(plain, ["a", ("a", "b")], grid=4).plot(),
        "importance": plot_importance(pd_importance(classes, grid=4)),
        "models": compare({"one": FeatureEffect(plain, "a"), "two": FeatureEffect(plain, "a")}),
    }


THERE = """
    import io, json, pickle, sys, warnings
    from pathlib import Path
    from interpret_pd import FeatureEffect, FeatureEffects, pd_importance

    warnings.simplefilter("error")
    content = pickle.loads(Path("content.pickle").read_bytes())
    told = {"kept": {}, "again": {}, "drawn": {}}
    for name, (predictor, effect, effects, table) in content["predictors"].items():
        told["kept"][name] = [effect.values.tolist(), [one.values.tolist() for one in effects], table.to_json()]
        told["kept"][name] += [len(effect.results), effect.support.tolist(), effect.values.flags.writeable]
        first = effect.features[0]
        again = FeatureEffect(predictor, first, "pdp+ice", grid=5)
        told["again"][name] = [again.values.tolist()]
        told["again"][name] += [[one.values.tolist() for one in FeatureEffects(predictor, grid=4)]]
        told["again"][name] += [pd_importance(predictor, grid=4).to_json()]
        assert len(effect.rows_at(0.5)) and effect.centered().values.shape and effect.predict([0.0]).shape
    for name, plot in content["pictures"].items():
        file = io.BytesIO()
        plot.save(file, format="png", dpi=40, verbose=False)
        told["drawn"][name] = file.getvalue()[:4].decode("latin-1")
    json.dump(told, sys.stdout)
"""


def test_what_was_pickled_works_in_a_fresh_process(tmp_path):
    content = {}
    for name, predictor in predictors().items():
        first = predictor.feature_names[0]
        effect = FeatureEffect(predictor, first, "pdp+ice", grid=5)
        content[name] = predictor, effect, FeatureEffects(predictor, grid=4), pd_importance(predictor, grid=4)
    drawn = pictures()
    file = tmp_path / "content.pickle"
    file.write_bytes(pickle.dumps({"predictors": content, "pictures": drawn}))
    told = json.loads(run(THERE, where=tmp_path))
    for name, (_, effect, effects, table) in content.items():
        kept, again = told["kept"][name], told["again"][name]
        assert_allclose(kept[0], effect.values, rtol=1e-12)
        for mine, its, its_again in zip(effects, kept[1], again[1], strict=True):
            assert_allclose(its, mine.values, rtol=1e-12)
            assert_allclose(its_again, mine.values, rtol=1e-9, atol=1e-12)
        assert kept[2:] == [table.to_json(), len(effect.results), effect.support.tolist(), False]
        assert_allclose(again[0], effect.values, rtol=1e-9, atol=1e-12)
        pd.testing.assert_frame_equal(pd.read_json(io.StringIO(again[2])), pd.read_json(io.StringIO(table.to_json())))
    assert told["drawn"] == dict.fromkeys(drawn, "\x89PNG")


@pytest.mark.parametrize("name", ["pandas", "polars", "trees", "classes"])
def test_a_deep_copy_shares_nothing_that_changes_and_gives_the_same_numbers(name):
    predictor = predictors()[name]
    want = FeatureEffect(predictor, "a", grid=5)
    other = copy.deepcopy(predictor)
    assert other.cache is not predictor.cache
    assert other.pace is not predictor.pace
    found = FeatureEffect(other, "a", grid=5)
    assert_allclose(found.values, want.values, rtol=1e-9, atol=1e-12)
    assert_allclose(copy.deepcopy(want).centered().values, want.centered().values, rtol=1e-9, atol=1e-12)


POOLS = """
    import multiprocessing, os, sys, threading
    import numpy as np
    from sklearn.ensemble import GradientBoostingRegressor
    from interpret_pd import FeatureEffect, FeatureEffects, Predictor

    X = np.random.default_rng(0).normal(size=(80, 3))

    def values(predictor, name):
        return os.getpid(), FeatureEffect(predictor, name, grid=5).values

    def main(method):
        model = GradientBoostingRegressor(n_estimators=5, random_state=0).fit(X, X[:, 0] * X[:, 1])
        tasks, numbers = [], []
        for engine in ("trees", "brute"):
            predictor = Predictor(model, X, engine=engine, n_jobs=2)
            want = [FeatureEffect(predictor, name, grid=5).values for name in range(3)]  # compiled, with threads
            FeatureEffects(predictor, grid=3)
            tasks += [(predictor, name) for name in range(3)]
            numbers += want
        with multiprocessing.get_context(method).Pool(1) as pool:
            found = pool.starmap_async(values, tasks).get(timeout=100)
        assert all(pid != os.getpid() for pid, _ in found)
        for one, (_, other) in zip(numbers, found):
            np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
        assert threading.active_count() == 1, threading.enumerate()
        print("same")

    if __name__ == "__main__":
        main(sys.argv[1])
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_pools_of_processes_get_the_same_numbers(method, tmp_path):
    import multiprocessing

    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system can't {method}")
    script = tmp_path / "pools.py"
    script.write_text(textwrap.dedent(POOLS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), method],
        capture_output=True, text=True, check=False, timeout=180, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout == "same\n", done.stderr


def test_a_lambda_travels_to_processes():
    slope = 3.0
    predictor = Predictor(lambda Z: slope * Z["a"], ROWS, batch_rows=100)
    with parallel_config(backend="loky", n_jobs=2):
        found = FeatureEffect(predictor, "a", grid=[0, 1, 2]).values
    assert_allclose(found, [[0.0, 3.0, 6.0]], atol=1e-12)


class Stubborn:
    """A model that ends its n-th call with an error, once."""

    def __init__(self, after, error):
        self.after, self.error, self.lock = after, error, threading.Lock()

    def predict(self, Z):
        with self.lock:
            self.after -= 1
            if self.after == 0:
                raise self.error
        return np.sin(Z["a"].to_numpy()) * Z["b"].to_numpy() + Z["c"].to_numpy()


def of_all(effects):
    return np.concatenate([effects[name].values.ravel() for name in sorted(effects.features)])


TOOLS = {
    "effect": lambda p: FeatureEffect(p, "a", grid=5).values,
    "centred curves": lambda p: FeatureEffect(p, "a", "pdp+cice", grid=5).values,
    "ale": lambda p: FeatureEffect(p, "b", "ale").values,
    "effects": lambda p: of_all(FeatureEffects(p, grid=4)),
    "importance": lambda p: pd_importance(p, grid=4).sort_values("feature")["importance"].to_numpy(),
    "H": lambda p: h_statistic(p, n_max=15, random_state=0).sort_values("feature")["h2"].to_numpy(),
}
NEVER = 10**9


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError, MemoryError])
@pytest.mark.parametrize("tool", TOOLS)
def test_after_an_error_a_predictor_gives_the_numbers_of_a_fresh_one(tool, error, workers):
    use, before = TOOLS[tool], threading.active_count()
    want = use(Predictor(Stubborn(NEVER, error()), ROWS))
    for after in (1, 2, 4):
        predictor = Predictor(Stubborn(after, error()), ROWS, batch_rows=20, n_jobs=workers)
        with pytest.raises((error, ExceptionGroup)):
            use(predictor)
        assert_allclose(use(predictor), want, rtol=1e-9, atol=1e-12)
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_inside_a_computation_among_others_reaches_the_caller(error):
    predictor = Predictor(Stubborn(NEVER, None), ROWS, n_jobs=2)
    asked = []

    def interrupted():
        raise error

    def waiting():
        asked.append(TOOLS["effect"](predictor))

    before = threading.active_count()
    with pytest.raises(error):
        list(together.together(predictor, [waiting, interrupted, waiting]))
    assert threading.active_count() == before
    assert not asked


def test_an_interrupt_while_the_trees_are_read_is_no_refusal(monkeypatch):
    model = GradientBoostingRegressor(n_estimators=5, random_state=0).fit(ROWS, ROWS["a"])
    predictor = Predictor(model, ROWS, engine="trees")
    monkeypatch.setattr("interpret_pd.evaluate.exact.prove", interrupt)
    with pytest.raises(KeyboardInterrupt):
        FeatureEffect(predictor, "a")
    monkeypatch.undo()
    assert FeatureEffect(predictor, "a").engine == "trees"
    assert predictor.ensemble_reason is None


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_walk_looks_up_every_few_trees(monkeypatch):
    from interpret_pd.trees import walks

    model = GradientBoostingRegressor(n_estimators=40, random_state=0).fit(ROWS, ROWS["a"] * ROWS["b"])
    make = partial(Predictor, model, ROWS, engine="trees")
    want = [FeatureEffect(make(), "a").values, FeatureEffect(make(), ("a", "b")).values, of_all(FeatureEffects(make()))]
    want += [FeatureEffect(make(), "a", "ice").values, pd_importance(make())["importance"].to_numpy()]
    monkeypatch.setattr(walks, "ROW_TREES", 180)  # three trees of sixty rows
    ensemble = make()
    found = [FeatureEffect(ensemble, "a").values, FeatureEffect(ensemble, ("a", "b")).values]
    found += [of_all(FeatureEffects(ensemble)), FeatureEffect(ensemble, "a", "ice").values]
    found += [pd_importance(ensemble)["importance"].to_numpy()]
    for one, other in zip(want, found, strict=True):
        np.testing.assert_array_equal(other, one)  # to the last bit
    forest = ensemble.cache["exact"].ensemble.forest()
    block = type("Block", (), {"rows": np.arange(60)})
    assert [len(some.roots) for some in walks.few_at_once(forest, block)] == [3] * 13 + [1]


INTERRUPTED = """
    import os, signal, sys, threading, time
    import numpy as np, pandas as pd
    from sklearn.ensemble import RandomForestRegressor
    from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 3)), columns=["a", "b", "c"])

    class Model:
        slow = True

        def predict(self, Z):
            if self.slow and len(Z) > 1:
                started.set()
                time.sleep(0.05)
            return Z["a"].to_numpy() * Z["b"].to_numpy() + Z["c"].to_numpy()

    def of_all(effects):
        return np.concatenate([effects[name].values.ravel() for name in sorted(effects.features)])

    def check(name, tool, make, quicken, limit):
        started.clear()
        fresh = make()
        quicken(fresh)
        want, predictor, before = tool(fresh), make(), threading.active_count()
        sent = []

        def send():
            started.wait()
            time.sleep(0.12)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        started.clear()
        thread = threading.Thread(target=send)
        thread.start()
        if limit > 1:
            started.set()
        try:
            tool(predictor)
        except KeyboardInterrupt:
            took = time.perf_counter() - sent[0]
        else:
            print(name, "was not interrupted")
            thread.join()
            return
        thread.join()
        if took > limit:
            print(name, f"took {took:.2f} s")
        deadline = time.perf_counter() + 3
        while threading.active_count() > before and time.perf_counter() < deadline:
            time.sleep(0.01)
        if threading.active_count() > before:
            print(name, "left", threading.enumerate())
        quicken(predictor)
        if not np.allclose(tool(predictor), want, rtol=1e-9, atol=1e-12):
            print(name, "gives other numbers")

    started = threading.Event()
    tools = {
        "effect": lambda p: FeatureEffect(p, "a", "pdp+ice").values,
        "effects": lambda p: of_all(FeatureEffects(p, grid=8)),
        "importance": lambda p: pd_importance(p, grid=8)["importance"].to_numpy(),
        "H": lambda p: h_statistic(p, n_max=60, random_state=0)["h2"].to_numpy(),
    }
    for n_jobs in (1, 2):
        for name, tool in tools.items():
            check(f"{name} {n_jobs}", tool, lambda: Predictor(Model(), X, batch_rows=100, n_jobs=n_jobs),
                  lambda predictor: setattr(predictor.model, "slow", False), 1.0)
    big = rng.normal(size=(3000, 6))
    forest = RandomForestRegressor(120, random_state=0).fit(big, big[:, 0] * big[:, 1])
    FeatureEffects(Predictor(forest, big[:50], engine="trees"))  # compiled

    def curves(predictor):
        return of_all(FeatureEffects(predictor, method="ice", grid=30, ice_rows=2000, random_state=0))

    for n_jobs in (1, 2):
        check(f"trees {n_jobs}", curves, lambda: Predictor(forest, big, engine="trees", n_jobs=n_jobs),
              lambda predictor: None, 2.5)
    print("done")
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system has no such signals")
def test_a_signal_is_heard_at_once_leaves_no_thread_and_changes_no_number(tmp_path):
    assert run(INTERRUPTED, where=tmp_path) == "done\n"
