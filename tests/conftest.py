"""Tiny data, every container, and a seed."""

from __future__ import annotations

import os

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from libraries import pa, pl

settings.register_profile("fast", deadline=None, derandomize=True)  # the same examples every time
settings.register_profile("long", deadline=None, print_blob=True)  # other ones every time, for 30 minutes: see fuzz.py
settings.load_profile("fast")


def to_polars(frame):
    return pl.DataFrame({str(name): frame[name].tolist() for name in frame})


def to_pyarrow(frame):
    return pa.table({str(name): pa.array(frame[name].tolist()) for name in frame})


CONTAINERS = {
    "numpy": lambda frame: frame.to_numpy(),
    "pandas": lambda frame: frame,
    "polars": to_polars,
    "pyarrow": to_pyarrow,
}


@pytest.fixture(params=CONTAINERS)
def container(request):
    """From a pandas frame of one dtype to each container that the package takes."""
    return CONTAINERS[request.param]


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture
def numbers(rng):
    """Twelve rows of three numeric features."""
    return pd.DataFrame(rng.normal(size=(12, 3)).round(3), columns=["x0", "x1", "x2"])


@pytest.fixture
def mixed(rng):
    """Twelve rows of a number, a whole number, a text, an ordered level, a truth and a day."""
    n = 12
    return pd.DataFrame(
        {
            "size": rng.uniform(0, 10, n).round(2),
            "rooms": np.resize([1, 2, 3, 5], n),
            "town": np.resize(["oslo", "bern", "rome"], n),
            "state": pd.Categorical(
                np.resize(["bad", "good", "fair"], n), ["bad", "fair", "good", "new"], ordered=True
            ),
            "garden": np.resize([True, False], n),
            "sold": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(n) * 3, unit="D"),
        }
    )
