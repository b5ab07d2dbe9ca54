"""A call that fails says where it was and ends its own feature only; what is finished is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import traceback

import numpy as np
import pytest
from joblib import parallel_config

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance


class TimedOutError(Exception):
    pass


def fails_for_x1(Z):
    if len(Z) > 1 and Z["x1"].nunique() <= 3:
        raise TimedOutError("no answer from the server")
    return Z["x0"] + Z["x1"]


def fails_for_two(Z):
    if len(Z) > 1 and (Z["x1"].nunique() <= 3 or Z["x2"].nunique() <= 3):
        raise TimedOutError("no answer from the server")
    return Z["x0"]


def notes(error):
    return "\n".join(error.__notes__)


@pytest.mark.parametrize("workers", [None, 2])
def test_the_error_of_a_call_says_at_which_feature_points_and_rows_it_was(numbers, workers):
    def picky(Z):
        if np.any(Z["x1"] == numbers["x1"].iloc[4]) and len(Z) < 12:
            raise TimedOutError("no answer")
        return Z["x0"]

    predictor = Predictor(picky, numbers, batch_rows=5, n_jobs=workers)
    with pytest.raises(TimedOutError, match="no answer") as raised:
        FeatureEffect(predictor, "x0", grid=[-1, 0, 1, 2, 3])
    assert notes(raised.value) == (
        "While the model was asked for 'x0': grid points 0 to 4 of 5 (-1.0 to 3.0), background rows 4 to 4 of 12."
    )
    names = [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert "picky" in names  # the original traceback


def test_a_pair_and_local_effects_are_named_too(numbers):
    def broken(Z):
        raise TimedOutError

    with pytest.raises(TimedOutError) as raised:
        FeatureEffect(Predictor(broken, numbers), ("x0", "x1"), grid=2)
    assert "for 'x0', 'x1': grid points 0 to 3 of 4" in notes(raised.value)
    with pytest.raises(TimedOutError) as raised:
        FeatureEffect(Predictor(broken, numbers), "x0", method="ale")
    assert "for local effects of 'x0': background rows 0 to" in notes(raised.value)


def test_an_error_in_another_process_brings_its_traceback_as_a_note(numbers):
    with parallel_config(backend="loky", n_jobs=2), pytest.raises(TimedOutError) as raised:
        FeatureEffect(Predictor(fails_for_x1, numbers), "x1", grid=3)
    assert "for 'x1': grid points 0 to 2 of 3" in notes(raised.value)
    assert "in fails_for_x1" in notes(raised.value)


@pytest.mark.parametrize("workers", [None, 2])
def test_skip_leaves_the_failed_features_out_by_name(numbers, workers):
    effects = FeatureEffects(Predictor(fails_for_x1, numbers, n_jobs=workers), grid=3, on_error="skip")
    assert sorted(effects.features) == ["x0", "x2"]
    assert isinstance(effects.failures["x1"], TimedOutError)
    assert repr(effects) == "FeatureEffects(method='pdp': 'x0', 'x2'; failed: 'x1')"
    want = FeatureEffect(Predictor(lambda Z: Z["x0"] + Z["x1"], numbers), "x0", grid=3)
    np.testing.assert_allclose(effects["x0"].values, want.values)


@pytest.mark.parametrize("workers", [None, 2])
def test_raise_comes_after_the_rest_and_brings_what_is_finished(numbers, workers):
    with pytest.raises(TimedOutError) as raised:
        FeatureEffects(Predictor(fails_for_x1, numbers, n_jobs=workers), grid=3)
    assert sorted(raised.value.effects.features) == ["x0", "x2"]


@pytest.mark.parametrize("workers", [None, 2])
def test_several_failures_are_listed_in_one_error(numbers, workers):
    with pytest.raises(ExceptionGroup) as raised:
        FeatureEffects(Predictor(fails_for_two, numbers, n_jobs=workers), grid=3)
    assert raised.value.message == (
        "the model failed for 2 of 3 features: 'x1', 'x2'. "
        "The others are this error's `effects`; on_error='skip' leaves the failed ones out."
    )
    assert [type(error) for error in raised.value.exceptions] == [TimedOutError, TimedOutError]
    assert raised.value.effects.features == ["x0"]


def test_a_prediction_that_is_no_number_is_a_failure_of_its_feature(numbers):
    def holes(Z):
        return np.where(len(Z) > 1 and Z["x1"].nunique() <= 3, np.nan, Z["x0"])

    effects = FeatureEffects(Predictor(holes, numbers), grid=3, on_error="skip")
    assert "36 non-finite predictions" in str(effects.failures["x1"])


def test_what_was_asked_for_wrongly_is_no_failure_of_the_model(numbers):
    with pytest.raises(ValueError, match="grid must be"):
        FeatureEffects(Predictor(fails_for_x1, numbers), grid="all", on_error="skip")
    with pytest.raises(ValueError, match=r"on_error must be one of 'raise', 'skip'; got 'ignore'\."):
        FeatureEffects(Predictor(fails_for_x1, numbers), on_error="ignore")


def test_nothing_finished_is_an_error_even_if_failures_are_skipped(numbers):
    def broken(Z):
        if len(Z) > 1:
            raise TimedOutError
        return Z["x0"]

    with pytest.raises(ExceptionGroup, match="3 of 3 features"):
        FeatureEffects(Predictor(broken, numbers), grid=3, on_error="skip")


def test_after_a_failure_the_feature_is_not_asked_about_again(numbers):
    asked = []

    def broken(Z):
        asked.append(len(Z))
        raise TimedOutError

    with pytest.raises(TimedOutError):
        FeatureEffect(Predictor(broken, numbers, batch_rows=1), "x0", grid=5)
    assert asked == [1]


def test_importance_raises_what_the_model_raised(numbers):
    with pytest.raises(TimedOutError, match="no answer"):
        pd_importance(Predictor(fails_for_x1, numbers), grid=3)


INTERRUPTED = """
    import os, sys, time
    import numpy as np
    from joblib import parallel_config
    from interpret_pd import FeatureEffects, Predictor

    def slow(Z):
        time.sleep(0.2)
        return np.asarray(Z)[:, 0]

    with parallel_config(backend=sys.argv[1], n_jobs=2):
        predictor = Predictor(slow, np.random.default_rng(0).random((100, 5)), batch_rows=20)
        print("started", flush=True)
        try:
            FeatureEffects(predictor, grid=20)
        except KeyboardInterrupt:
            pass
    import psutil
    deadline = time.time() + 10
    def mine():
        return [p for p in psutil.Process().children(recursive=True)
                if p.status() != "zombie" and "resource_tracker" not in " ".join(p.cmdline())]
    while mine() and time.time() < deadline:
        time.sleep(0.1)
    print("left", len(mine()), flush=True)
"""


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_an_interrupt_leaves_no_process_behind(backend):
    pytest.importorskip("psutil")
    code = textwrap.dedent(INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, backend],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "started\n"
    time.sleep(3.0)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert out == "left 0\n", err
    assert process.returncode == 0
