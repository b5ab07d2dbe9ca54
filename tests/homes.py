"""Forty rows of every kind of feature, with models of every interaction and of none, for local effects."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from interpret_pd import FeatureEffect, Predictor

TIGHT = {"rtol": 1e-12, "atol": 1e-12}
PRICES = {"bern": 1.0, "oslo": 4.0, "rome": 2.0, "york": 7.0}
GRADES = {"bad": -1.0, "fair": 0.5, "good": 3.0}
KINDS = ["size", "rooms", "town", "grade", "garden"]
PAIRS = list(itertools.combinations(KINDS, 2))
NAMES = [*KINDS, ("size", "town"), ("town", "grade"), ("rooms", "size")]


def made(rng, n=40):
    """A number, a whole number with ties, a text, ordered levels and a truth."""
    return pd.DataFrame(
        {
            "size": rng.gamma(2.0, 2.0, n).round(2),
            "rooms": rng.choice([1, 2, 3, 5], n, p=[0.5, 0.2, 0.2, 0.1]),
            "town": rng.choice(list(PRICES), n),
            "grade": pd.Categorical(rng.choice(list(GRADES), n), list(GRADES), ordered=True),
            "garden": rng.choice([True, False], n),
        }
    )


def price(X):
    """Interactions of every pair."""
    town = X["town"].astype(str).map(PRICES).astype(float)
    grade = X["grade"].astype(str).map(GRADES).astype(float)
    garden, size, rooms = (X[name].astype(float) for name in ("garden", "size", "rooms"))
    return size * rooms + np.sqrt(size) * town + grade * (size + rooms * town) + garden * (town - grade * rooms + size)


def two_prices(X):
    return np.column_stack([price(X), np.sqrt(np.abs(price(X)))])


def additive(X):
    town = X["town"].astype(str).map(PRICES).astype(float)
    grade = X["grade"].astype(str).map(GRADES).astype(float)
    return np.sqrt(X["size"]) + X["rooms"] ** 2 + town + grade + 2 * X["garden"].astype(float)


def effect(f, X, features, grid=4, **options):
    return FeatureEffect(Predictor(f, X, **options), features, method="ale", grid=grid)


def points(effect):
    return [axis.values.tolist() for axis in effect.grid.axes]
