"""Progress: after two seconds, where somebody looks; predictions done of all."""

from __future__ import annotations

import io
import sys
import types

import numpy as np
import pytest

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, pd_importance
from interpret_pd.evaluate import progress
from interpret_pd.evaluate.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def looked_at(monkeypatch, written):
    """The package writes there (pytest puts its own stream in the place of `sys.stderr` before every test)."""
    monkeypatch.setattr(progress, "sys", types.SimpleNamespace(stderr=written, modules=sys.modules))
    return written


@pytest.fixture
def terminal(monkeypatch):
    """A terminal to write on, and a patience of no time."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    return looked_at(monkeypatch, Terminal())


@pytest.fixture
def no_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)


def model(Z):
    return np.asarray(Z)[:, 0]


def predictor(numbers, **options):
    return Predictor(model, numbers, batch_rows=25, **options)


def test_a_line_of_our_own_where_tqdm_is_not_installed(numbers, terminal, no_tqdm):
    FeatureEffect(predictor(numbers), "x0", grid=5)
    shown = terminal.getvalue().split("\r")[1:]
    assert [line.split(" predictions")[0] for line in shown] == ["25 of 60", "50 of 60", "60 of 60"]
    assert shown[-1].endswith("0 s left \n")


def test_a_bar_of_tqdm_where_it_is(numbers, terminal, monkeypatch):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(sys, "stderr", terminal)
    FeatureEffect(predictor(numbers), "x0", grid=5)
    assert "/60.0" in terminal.getvalue()


@pytest.mark.parametrize("wanted", ["auto", True])
def test_two_seconds_pass_before_anything_is_shown(wanted, numbers, monkeypatch):
    written = looked_at(monkeypatch, Terminal())
    FeatureEffects(predictor(numbers, progress=wanted), grid=5)
    assert written.getvalue() == ""
    assert progress.PATIENCE == 2.0


def test_nothing_is_shown_where_nobody_looks(numbers, monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    FeatureEffects(predictor(numbers), grid=5)
    pd_importance(predictor(numbers, n_jobs=2), grid=5)
    assert capsys.readouterr() == ("", "")


def test_true_shows_it_in_a_script_too_and_false_never(numbers, monkeypatch, terminal, no_tqdm):
    FeatureEffect(predictor(numbers, progress=False), "x0", grid=5)
    assert terminal.getvalue() == ""
    script = looked_at(monkeypatch, io.StringIO())
    FeatureEffect(predictor(numbers, progress=True), "x0", grid=5)
    assert "60 of 60" in script.getvalue()


def test_a_notebook_looks_too(monkeypatch):
    assert not progress.watched()
    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    assert progress.watched()


def test_many_features_have_a_line_of_their_own_around_those_of_each(numbers, terminal, no_tqdm):
    FeatureEffects(predictor(numbers), grid=5)
    shown = terminal.getvalue()
    assert "3 of 3 features" in shown
    assert shown.count("60 of 60 predictions") == 3


def test_several_workers_have_one_line_for_the_predictions_of_all_features(numbers, terminal, no_tqdm):
    FeatureEffects(predictor(numbers, n_jobs=2), grid=5)
    assert "180 of 180 predictions" in terminal.getvalue()


def test_a_function_hears_of_predictions_only(numbers):
    told = []
    with_function = predictor(numbers, progress=lambda done, of: told.append((done, of)))
    FeatureEffects(with_function, grid=5)
    assert told == [(25, 60), (50, 60), (60, 60)] * 3


def test_the_bar_is_closed_when_the_model_fails(numbers, terminal, no_tqdm):
    def fails(Z):
        if np.asarray(Z)[0, 0] > 0:
            raise RuntimeError
        return np.asarray(Z)[:, 0]

    with pytest.raises(RuntimeError):
        FeatureEffect(Predictor(fails, numbers, batch_rows=1), "x0", grid=[-1, 1])
    assert terminal.getvalue().endswith("\n")


def test_the_time_left_is_reckoned_from_the_start(terminal, no_tqdm, monkeypatch):
    clock = iter([0.0, 6.0, 6.0])
    monkeypatch.setattr(progress.time, "perf_counter", lambda: next(clock))
    told = Progress(True, 100)
    told.add(60)
    assert "60 of 100 predictions, 4 s left" in terminal.getvalue()


class Bar:
    """What tqdm makes, with what it was told."""

    def __init__(self, **options):
        self.options, self.done, self.closed, self.start_t = options, [], False, 100.0
        Bar.made.append(self)

    def update(self, done):
        self.done.append(done)

    def close(self):
        self.closed = True


@pytest.fixture
def clock(monkeypatch):
    """A clock that is moved by hand, and a terminal."""
    now = types.SimpleNamespace(time=50.0)
    monkeypatch.setattr(progress, "time", types.SimpleNamespace(perf_counter=lambda: now.time))
    now.terminal = looked_at(monkeypatch, Terminal())
    return now


def test_a_bar_of_tqdm_starts_where_the_work_did_and_leaves_nothing(monkeypatch, clock):
    Bar.made = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    with Progress(True, 40, "features") as told:
        clock.time += 2.0
        told.add(5)  # two seconds are not more than two
        assert not Bar.made
        clock.time += 1.0
        told.add(6)
        told.add(7)
    assert len(Bar.made) == 1
    bar = Bar.made[0]
    assert bar.options == {"total": 40, "unit": " features", "unit_scale": True, "leave": False}
    assert bar.start_t == 97.0  # three seconds before it was made
    assert bar.done == [11, 7]
    assert bar.closed


def test_the_line_tells_what_is_done_and_how_long_the_rest_takes(clock, no_tqdm):
    with Progress(True, 4000) as told:
        clock.time += 3.0
        told.add(0)
        clock.time += 1.0
        told.add(1)
        told.add(999)
    assert clock.terminal.getvalue().split("\r")[1:] == [
        "0 of 4,000 predictions, 12000 s left ",
        "1 of 4,000 predictions, 15996 s left ",
        "1,000 of 4,000 predictions, 12 s left \n",
    ]


def test_tqdm_is_loaded_once_and_warns_nobody(monkeypatch, clock):
    loaded = types.ModuleType("tqdm.auto")
    loaded.tqdm = Bar
    Bar.made = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", loaded)
    monkeypatch.setattr(progress.warnings, "catch_warnings", lambda: pytest.fail("filters are the process's"))
    with Progress(True, 2) as told:
        clock.time += 3.0
        told.add(1)
    assert len(Bar.made) == 1
