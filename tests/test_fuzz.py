"""Laws that hold for any data and any model, tried on made-up ones: against oracles, containers, trees, repetition.

The examples are the same every time. Others, for half an hour:

    python -m pytest tests/test_fuzz.py --hypothesis-profile=long
"""

from __future__ import annotations

import copy
import itertools
import warnings

import matplotlib.pyplot as plt
import numpy as np
import oracles
import oracles_ale
import oracles_rank
import pandas as pd
import pytest
from fuzz import GROUPED, TEXT, WHOLE, Case, Col, Mixed, cases, inf, law, nan
from hypothesis import assume, example
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
CURVES = ["pdp", "ice", "pdp+ice", "cice", "pdp+cice"]
METHODS = [*CURVES, "ale"]
PICK = st.integers(0, 10**6)  # of a list, modulo its length
GRIDS = st.sampled_from([2, 3, 5, "unique"])


def picked(some, pick):
    return some[pick % len(some)]


def effect_of(predictor, features, method="pdp", **options):
    return FeatureEffect(predictor, features, method=method, **options)


def readable(axis):
    """The points of an axis as Python's own values."""
    return axis.values.tolist()


def weights_of(case):
    return [1.0] * case.n if case.weights is None else list(case.weights)


def counted(case, name):
    """Which rows have a weight and a value of the feature."""
    return case.is_there(name) & (np.array(weights_of(case)) > 0)


# against the oracles


@law(40, case=cases(rows=6), pick=PICK, method=st.sampled_from(CURVES), grid=GRIDS)
def test_curves_are_the_oracles(case, pick, method, grid):
    assume(case.swept)
    X, name, f = case.frame, picked(case.swept, pick), case.model
    made = effect_of(case.predictor(), name, method, grid=grid)
    points = readable(made.grid.axes[0])
    if "c" in method.replace("ice", ""):
        curves = oracles.cice(f, X, name, points, made.anchor)
    else:
        curves = oracles.ice(f, X, name, points)
    for kind, values in made.layers.items():
        want = curves if kind == "ice" else np.average(curves, axis=1, weights=case.weights)
        assert_allclose(values, want, **CLOSE)


@law(40, case=cases(), pick=PICK, grid=GRIDS)
def test_points_are_the_distinct_values_or_so_many_between_them(case, pick, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    axis = effect_of(case.predictor(), name, grid=grid).grid.axes[0]
    distinct, role = case.distinct(name), case.columns[name].role
    points = pd.Series(case.columns[name].series.dropna().tolist(), dtype=object)
    assert axis.feature.kind == role
    if role == "categorical" or grid == "unique" or len(distinct) <= grid:
        assert readable(axis) == (distinct if role != "date" else [pd.Series([v], dtype=object)[0] for v in distinct])
    else:
        assert 2 <= len(axis) <= grid
        assert np.all(np.diff(axis.points) > 0)
        assert points.min() == distinct[0]
        assert (axis.points[0], axis.points[-1]) == (axis.feature.values[axis.feature.values > -inf].min(), axis.points.max())


@law(15, case=cases(rows=5, least=2), pick=PICK, grid=st.sampled_from([2, 3]))
def test_pairs_are_the_oracles(case, pick, grid):
    assume(len(case.swept) > 1)
    names = picked([*itertools.permutations(case.swept, 2)], pick)
    made = effect_of(case.predictor(), names, grid=grid)
    grids = [readable(axis) for axis in made.grid.axes]
    assert_allclose(made.values, oracles.pdp_2d(case.model, case.frame, names, grids, case.weights), **CLOSE)


def placed(case, names, axes):
    """The case for the oracle of local effects: swept columns as numbers or as texts, rows on the grid only."""
    there = np.logical_and.reduce([counted(case, name) for name in names])
    rows, X, plain, natives = np.flatnonzero(there), case.frame, {}, {}
    for name, axis in zip(names, axes, strict=True):
        levels = readable(axis)
        if case.columns[name].role == "categorical":
            labels = [f"level {place:02}" for place in range(len(levels))]
            plain[name] = [labels[levels.index(value)] for value in X[name].iloc[rows].tolist()]
        else:
            labels = axis.points.tolist()
            plain[name] = axis.feature.values[rows]
        natives[name] = dict(zip(labels, levels, strict=True))

    def f(row):
        values = {name: natives[name][row[name].iloc[0]] for name in names if row[name].iloc[0] in natives[name]}
        return case.model(oracles.one_row(X, int(row.index[0]), values))

    frame = pd.DataFrame(plain, index=rows)
    points = [list(natives[name]) for name in names]
    return f, frame, points, np.array(weights_of(case))[rows]


@law(40, case=cases(rows=10), pick=PICK, grid=GRIDS)
def test_local_effects_are_the_oracles(case, pick, grid):
    names = [name for name in case.swept if counted(case, name).any()]
    assume(names)
    name = picked(names, pick)
    made = effect_of(case.predictor(), name, "ale", grid=grid)
    f, frame, points, weights = placed(case, [name], made.grid.axes)
    on = (made.grid.axes[0].feature.values[frame.index] >= 0) if made.grid.axes[0].feature.levels else slice(None)
    assume(len(frame[on]) and len(points[0]) > 1)
    assert_allclose(made.values, oracles_ale.ale(f, frame, name, points[0], weights), **CLOSE)


@law(15, case=cases(rows=8, least=2), pick=PICK, grid=st.sampled_from([2, 3]))
def test_local_effects_of_pairs_are_the_oracles(case, pick, grid):
    pairs = [*itertools.permutations(case.swept, 2)]
    pairs = [pair for pair in pairs if (counted(case, pair[0]) & counted(case, pair[1])).any()]
    assume(pairs)
    names = picked(pairs, pick)
    made = effect_of(case.predictor(), names, "ale", grid=grid)
    f, frame, points, weights = placed(case, names, made.grid.axes)
    assume(min(map(len, points)) > 1)
    for name, axis in zip(names, made.grid.axes, strict=True):  # the oracle wants rows in every step
        steps = {k for value in frame[name] for k in oracles_ale.moves(value, points[names.index(name)])}
        assume(len(steps) == len(axis) - 1)
    assert_allclose(made.values, oracles_ale.ale_2d(f, frame, list(names), points, weights), **CLOSE)


@law(25, case=cases(rows=6), method=st.sampled_from(["pdp", "ice"]))
def test_importance_is_the_oracles(case, method):
    assume(case.swept)
    table = pd_importance(case.predictor(), case.swept, method=method)
    for name in case.swept:
        is_level = case.columns[name].role == "categorical"
        curves = oracles.ice(case.model, case.frame, name, case.distinct(name))
        if method == "pdp":
            want = [oracles_rank.spread(list(c), is_level) for c in np.average(curves, axis=1, weights=case.weights)]
        else:
            own = [[oracles_rank.spread(list(c), is_level) for c in rows] for rows in curves]
            want = [np.average(each, weights=case.weights) for each in own]
        found = table[[feature == name for feature in table["feature"]]]
        assert_allclose(found["importance"], want, **CLOSE)
        assert (found["n_values"] == len(case.distinct(name))).all()


@law(15, case=cases(rows=4, least=2), kind=st.sampled_from(["overall", "pairwise", "total"]))
def test_h_is_the_oracles(case, kind):
    names = case.swept
    assume(len(names) > 1)
    table = h_statistic(case.predictor(), names, kind=kind)
    table = table[table["output"] == 0] if "output" in table else table
    asked = {"overall": [[name] for name in names], "pairwise": [*itertools.combinations(names, 2)], "total": [names]}
    for some in map(list, asked[kind]):
        row = table
        for column, name in zip(("feature", "feature2"), some if kind != "total" else [], strict=False):
            row = row[[feature == name for feature in row[column]]]
        with np.errstate(invalid="ignore", divide="ignore"):
            want = oracles_rank.h2(case.model, case.frame, kind, some, case.weights)
        if row["denominator"].item() > 1e-12:
            assert_allclose(row["h2"].item(), want, rtol=1e-6, atol=1e-9)
        else:
            assert row["numerator"].item() < 1e-12


@law(15, case=cases(rows=12, extreme=False, kinds=("object", "str", "category", "float64", "int64", "Int64")), pick=PICK, grid=GRIDS)
def test_pipelines_are_the_oracles(case, pick, grid):
    assume(case.swept)
    X = case.frame.set_axis([f"c{j}" for j in range(len(case.columns))], axis=1)
    X = X.set_axis(range(len(X)))
    levels = [f"c{j}" for j, column in enumerate(case.columns.values()) if column.role == "categorical"]
    numbers = [name for name in X if name not in levels]
    steps = [
        ("levels", OneHotEncoder(handle_unknown="ignore"), levels),
        ("numbers", make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), numbers),
    ]
    y = np.resize(["no", "yes", "maybe"][: 2 + pick % 2], len(X)) if len(X) > 2 and pick % 3 else np.arange(len(X)) % 4
    last = LogisticRegression() if y.dtype.kind == "U" else Ridge()
    X = X.astype({name: object for name in levels if case.columns[[*case.columns][int(name[1:])]].levels})
    model = make_pipeline(ColumnTransformer([step for step in steps if step[2]]), last).fit(X, y)
    f = (lambda Z: model.predict_proba(Z)[:, 1:] if len(set(y)) == 2 else model.predict_proba(Z)) if y.dtype.kind == "U" else model.predict
    name = f"c{[*case.columns].index(picked(case.swept, pick))}"
    made = effect_of(Predictor(model, X, sample_weight=case.weights), name, "pdp+ice", grid=grid)
    curves = oracles.ice(f, X, name, readable(made.grid.axes[0]))
    assert_allclose(made.layers["ice"], curves, **CLOSE)
    assert_allclose(made.layers["pdp"], np.average(curves, axis=1, weights=case.weights), **CLOSE)
