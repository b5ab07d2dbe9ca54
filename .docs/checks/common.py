"""What the checks of `compare.md` share: data, a model that counts its calls, and how an answer is printed."""

from __future__ import annotations

import importlib.metadata
import warnings

import numpy as np

warnings.filterwarnings("ignore")  # of other packages; only answers matter here

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
AXIS = np.linspace(X[:, 0].min(), X[:, 0].max(), 20)
CALLS = []


def model(rows):
    """A function of the rows, as an array; it counts how often it is called."""
    rows = np.asarray(rows, float)
    CALLS.append(len(rows))
    return rows[:, 0] ** 2 * rows[:, 1] + rows[:, 2]


def by_hand():
    """Partial dependence of the first column at 20 equidistant points."""
    return np.array([np.mean(value**2 * X[:, 1] + X[:, 2]) for value in AXIS])


def three_classes(rows):
    """Three probabilities."""
    scores = np.exp(np.asarray(rows, float))
    return scores / scores.sum(axis=1, keepdims=True)


def answer(question, check):
    """Prints what a check returns, or the error that it ends with."""
    CALLS.clear()
    try:
        found = check()
    except Exception as error:
        found = f"no: {type(error).__name__}: {' '.join(str(error).split())[:90]}"
    print(f"{question:34} {found}")


def version(name):
    """Prints the version that is looked at."""
    print(f"# {name} {importlib.metadata.version(name)}")


def without(names, *words):
    """Whether no public name has any of these words in it."""
    hits = [name for name in names if not name.startswith("_") and any(word in name.lower() for word in words)]
    return f"some: {hits}" if hits else "no name"
