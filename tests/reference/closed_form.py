"""The closed-form models behind the reference numbers; README.md has their formulas."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
FEATURES = ["x1", "x2", "x3", "x4", "x5", "c1", "c2", "b"]
CLASSES = ["red", "green", "blue"]

A = {"alpha": 0.0, "bravo": 1.1, "charlie": -0.7, "delta": 0.4}
B = {"alpha": 0.2, "bravo": -0.5, "charlie": 0.9, "delta": 0.0}
C = {"low": -0.6, "mid": 0.1, "high": 0.5}
E = {"alpha": 0.5, "bravo": -0.3, "charlie": 0.0, "delta": 0.8}
G = {"alpha": -0.6, "bravo": 0.2, "charlie": 0.5, "delta": 0.0}


def f_reg(d):
    """The regression, (n,)."""
    x1, x2, x3, x4, x5, b = (np.asarray(d[name], dtype=float) for name in ("x1", "x2", "x3", "x4", "x5", "b"))
    additive = (
        2 + 0.6 * x1 - 0.4 * x2 + 1.3 * np.sin(1.5 * x3) + 0.35 * x4 - 0.03 * x4**2 + 0.8 * np.log1p(x5) + 0.3 * b
    )
    products = 0.5 * x1 * x2 + 0.2 * b * x1 * x2
    return additive + products + looked_up(A, d["c1"]) + looked_up(B, d["c1"]) * x1 + looked_up(C, d["c2"])


def f_cls(d):
    """The probabilities of red, green and blue, (n, 3)."""
    x1, x2, x3, x4, x5, b = (np.asarray(d[name], dtype=float) for name in ("x1", "x2", "x3", "x4", "x5", "b"))
    red = 0.3 + 0.9 * x1 + 0.4 * x1 * x2 - 0.2 * x4
    green = 0.2 - 0.5 * x2 + np.sin(x3) + looked_up(E, d["c1"])
    blue = -0.4 + 0.7 * np.log1p(x5) + 0.25 * b + 0.3 * x4 + looked_up(G, d["c1"]) * x1
    odds = np.exp(np.column_stack([red, green, blue]))
    return odds / odds.sum(axis=1, keepdims=True)


def f_named(d):
    """The probabilities as a frame whose columns are the classes."""
    return pd.DataFrame(f_cls(d), columns=CLASSES)


def looked_up(table, column):
    return np.array([table[str(level)] for level in np.asarray(column)])


def exact_csv():
    """The file with its numbers to the last bit, which the fast parser of older pandas doesn't give."""
    text = pd.read_csv(HERE / "data.csv", dtype=str)
    kinds = {"c1": str, "c2": str, "x4": int, "b": int}
    return pd.DataFrame({name: text[name].map(kinds.get(name, float)) for name in text})


def data():
    """The 300 rows of the eight features, with text in `c1` and `c2`."""
    return exact_csv()[FEATURES]


def weights():
    """The 300 case weights."""
    return exact_csv()["w"].to_numpy()


def golden(package, key):
    """What the R package returned, as it stands in its file: columns by name, missing values as None."""
    return json.loads((HERE / f"{package}.json").read_text(encoding="utf-8"))[key]["result"]
