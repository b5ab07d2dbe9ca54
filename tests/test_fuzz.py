"""Laws that hold for any data and any model, tried on made-up ones: against oracles, containers, trees, repetition.

The examples are the same every time. Others, for half an hour:

    python -m pytest tests/test_fuzz.py --hypothesis-profile=long
"""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import numpy as np
import oracles
import oracles_ale
import oracles_rank
import pandas as pd
import pytest
from fuzz import GROUPED, WHOLE, Case, Col, Mixed, cases, columns_of, law, to_numpy, to_polars, to_pyarrow
from hypothesis import assume, example
from hypothesis import strategies as st
from libraries import needs_numba
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

# data of which a number came out wrong, or not at all
HUGE = Case({"x": Col("float64", (8.98846567431158e307, 8.98846567431158e307))})  # a sum that no float holds
SQUARED = Case({"x": Col("float64", (0.0, 2.6815615859885194e154))})  # a square that no float holds
APART = Case({"x": Col("float64", (0.0, -1.797693124862316e308, 1.0, 1e300)), "y": Col("int8", (0, 0, 0, 0))})
STEPS = Case({"x": Col("float64", (0.0, -1.797693124862316e308, 1e300)), "y": Col("boolean", (False, False, True))})
TINY = Case({"x": Col("float64", (0.0, 3.022314549036573e23, 1e-300))})
TRUTHS = Case({"x": Col("bool", (False, True)), "y": Col("bool", (False, False))})
NOWHERE = Case({"x": Col("int8", (0, 0)), "y": Col("object", ("a", None))}, weights=(0.0, 1.0))  # no level has weight
NA = Case({"x": Col("int64", (0, 0)), "y": Col("Int64", (0, None))})  # in an array of objects


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


@law(90, case=cases(rows=6), pick=PICK, method=st.sampled_from(CURVES), grid=GRIDS)
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


@law(90, case=cases(), pick=PICK, grid=GRIDS)
def test_points_are_the_distinct_values_or_so_many_between_them(case, pick, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    axis = effect_of(case.predictor(), name, grid=grid).grid.axes[0]
    role, days = case.columns[name].role, case.columns[name].kind == "days"
    distinct = [pd.Timestamp(v) if days else v for v in case.distinct(name)]
    assert axis.feature.kind == role
    if role == "categorical" or grid == "unique" or len(distinct) <= grid:
        assert readable(axis) == distinct
    else:
        assert 2 <= len(axis) <= grid
        assert np.all(np.diff(axis.points / 2) > 0)
        assert (readable(axis)[0], readable(axis)[-1]) == (distinct[0], distinct[-1])


@law(30, case=cases(rows=5, least=2), pick=PICK, grid=st.sampled_from([2, 3]))
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


@law(90, case=cases(rows=10), pick=PICK, grid=GRIDS)
def test_local_effects_are_the_oracles(case, pick, grid):
    names = [name for name in case.swept if counted(case, name).any()]
    assume(names)
    name = picked(names, pick)
    made = effect_of(case.predictor(), name, "ale", grid=grid)
    f, frame, points, weights = placed(case, [name], made.grid.axes)
    on = (made.grid.axes[0].feature.values[frame.index] >= 0) if made.grid.axes[0].feature.levels else slice(None)
    assume(len(frame[on]) and len(points[0]) > 1)
    assert_allclose(made.values, oracles_ale.ale(f, frame, name, points[0], weights), **CLOSE)


@law(30, case=cases(rows=8, least=2), pick=PICK, grid=st.sampled_from([2, 3]))
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


@law(60, case=cases(rows=6), method=st.sampled_from(["pdp", "ice"]))
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


@law(30, case=cases(rows=4, least=2), kind=st.sampled_from(["overall", "pairwise", "total"]))
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


@law(
    30,
    case=cases(rows=12, extreme=False, kinds=("object", "str", "category", "float64", "int64", "Int64")),
    pick=PICK,
    grid=GRIDS,
)
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
    f = (
        (lambda Z: model.predict_proba(Z)[:, 1:] if len(set(y)) == 2 else model.predict_proba(Z))
        if y.dtype.kind == "U"
        else model.predict
    )
    name = f"c{[*case.columns].index(picked(case.swept, pick))}"
    made = effect_of(Predictor(model, X, sample_weight=case.weights), name, "pdp+ice", grid=grid)
    curves = oracles.ice(f, X, name, readable(made.grid.axes[0]))
    assert_allclose(made.layers["ice"], curves, **CLOSE)
    assert_allclose(made.layers["pdp"], np.average(curves, axis=1, weights=case.weights), **CLOSE)


# containers, engines, weights, batches, order


PORTABLE = (
    *("int8", "int64", "uint16", "Int64", "float32", "float64", "object", "bool", "boolean", "category", "ordered"),
    *("datetime64[us]", "zoned", "days", "timedelta64[us]"),
)
OBJECTS = ("int64", "Int64", "float64", "object", "bool", "boolean", "datetime64[us]", "days")


def as_text_levels(case):
    """The case with names and levels of text, which is what other containers have."""
    columns = {}
    for name, column in case.columns.items():
        if column.kind in GROUPED:
            values = tuple(None if v is None else str(v) for v in column.values)
            column = Col(column.kind, values, tuple(map(str, column.levels)))
        columns[str(name)] = column
    return Case(columns, "range", case.weights, case.outputs)


def same_effect(one, other, **tolerance):
    assert set(one.layers) == set(other.layers)
    for kind, values in one.layers.items():
        assert_allclose(other.layers[kind], values, **(CLOSE | tolerance))


@law(90, case=cases(rows=9, kinds=PORTABLE), pick=PICK, method=st.sampled_from(METHODS), grid=GRIDS)
def test_polars_and_pyarrow_are_pandas(case, pick, method, grid):
    case = as_text_levels(case)
    assume(case.swept)
    name = picked(case.swept, pick)
    want = effect_of(case.predictor(), name, method, grid=grid)
    for container in (to_polars(case), to_pyarrow(case)):
        predictor = Predictor(case.model, container, sample_weight=case.weights)
        made = effect_of(predictor, name, method, grid=grid)
        if method == "ale" and case.columns[name].kind == "ordered":  # polars knows no ordered levels
            continue
        assert readable(made.grid.axes[0]) == readable(want.grid.axes[0])
        same_effect(want, made)
        assert_allclose(made.support, want.support, **CLOSE)


@law(
    75,
    example(case=NA, pick=1, method="pdp", grid=2),
    case=cases(rows=9, kinds=OBJECTS) | cases(rows=9, kinds=("float64",)),
    pick=PICK,
    method=st.sampled_from(METHODS),
    grid=GRIDS,
)
def test_arrays_are_pandas(case, pick, method, grid):
    case = as_text_levels(case)
    assume(case.swept)
    name = picked(case.swept, pick)
    want = effect_of(case.predictor(), name, method, grid=grid)
    predictor = Predictor(case.model, to_numpy(case), feature_names=list(case.columns), sample_weight=case.weights)
    made = effect_of(predictor, name, method, grid=grid)
    assert readable(made.grid.axes[0]) == readable(want.grid.axes[0])
    same_effect(want, made)


@law(90, case=cases(), pick=PICK, method=st.sampled_from(METHODS), grid=GRIDS)
def test_whole_weights_are_repeated_rows(case, pick, method, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    times = (2 * np.array(weights_of(case))).astype(int)
    rows = np.repeat(np.arange(case.n), times)
    again = {key: Col(one.kind, tuple(one.values[i] for i in rows), one.levels) for key, one in case.columns.items()}
    repeated = Case(again, "range", None, case.outputs)
    assume(name in repeated.swept)
    if method == "ale":
        assume(counted(case, name).any())
    weighted = effect_of(case.predictor(), name, method, grid=grid)
    own = method == "ale" and case.columns[name].role != "categorical" and grid != "unique"
    asked = grid if own else readable(weighted.grid.axes[0])
    assume(own or method != "ale" or len(asked) > 1)
    at = {} if weighted.anchor is None else {"center_at": asked[0]}
    made = effect_of(repeated.predictor(), name, method, grid=asked, **at)
    assert readable(made.grid.axes[0]) == readable(weighted.grid.axes[0])
    for kind, values in weighted.layers.items():
        assert_allclose(made.layers[kind], values[:, rows] if kind == "ice" else values, **CLOSE)


@law(30, case=cases(rows=8), method=st.sampled_from(["pdp", "ice"]))
def test_whole_weights_are_repeated_rows_in_importance_and_h(case, method):
    assume(case.swept)
    times = (2 * np.array(weights_of(case))).astype(int) + 1
    rows = np.repeat(np.arange(case.n), times)
    X, f = case.frame, case.model
    weighted = Predictor(f, X, sample_weight=times)
    repeated = Predictor(f, X.iloc[rows].set_axis(range(len(rows))))
    one, other = (pd_importance(p, case.swept, method=method) for p in (weighted, repeated))
    assert_allclose(np.sort(other["importance"]), np.sort(one["importance"]), **CLOSE)
    one, other = (h_statistic(p, case.swept) for p in (weighted, repeated))
    assert_allclose(np.sort(other["numerator"]), np.sort(one["numerator"]), **CLOSE)
    assert_allclose(np.sort(other["denominator"]), np.sort(one["denominator"]), **CLOSE)


SINGLE = Case({"x": Col("float32", (0.0, None))})  # one block of float32 with a gap
TREES = [
    lambda: DecisionTreeRegressor(max_depth=4, random_state=0),
    lambda: DecisionTreeClassifier(max_depth=3, random_state=0),
    lambda: RandomForestRegressor(5, random_state=0),
    lambda: RandomForestClassifier(4, random_state=0),
    lambda: ExtraTreesRegressor(4, random_state=0),
    lambda: GradientBoostingRegressor(n_estimators=5, random_state=0),
    lambda: HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=2, random_state=0),
    lambda: HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=2, random_state=0),
]
NUMBERS = (*WHOLE, "float32", "float64", "bool")


@needs_numba
@law(
    90,
    example(case=TRUTHS, pick=0, method="pdp", grid=2, which=0),
    example(case=SINGLE, pick=0, method="pdp", grid=2, which=0),
    case=cases(kinds=NUMBERS, extreme=False),
    pick=PICK,
    method=st.sampled_from(METHODS),
    grid=GRIDS,
    which=st.sampled_from(range(len(TREES))),
)
def test_trees_are_brute(case, pick, method, grid, which):
    case = as_text_levels(case)
    X, model = case.frame, TREES[which]()
    if isinstance(model, GradientBoostingRegressor):
        X = X.fillna(0)
    y = np.arange(case.n) * 7 % 5
    y = y % (2 + pick % 2) if hasattr(model, "predict_proba") else y + case.model(X).reshape(case.n, -1)[:, 0]
    assume(len(set(y)) > 1 and case.n > 1 and not (hasattr(model, "max_iter") and case.n < 8))
    # scikit-learn fits no trees to a read-only array of float32 with gaps, which pandas 3 hands out
    model.fit(X.astype({name: float for name in X if X[name].dtype == np.float32}), y)
    features = [name for name in case.swept if counted(case, name).any()]
    assume(features)
    name = picked(features, pick)
    trees, brute = (Predictor(model, X, sample_weight=case.weights, engine=engine) for engine in ("trees", "brute"))
    made = effect_of(trees, name, method, grid=grid)
    assert made.engine == "trees"
    same_effect(effect_of(brute, name, method, grid=grid), made)
    assert_allclose(made.se, effect_of(brute, name, method, grid=grid).se, **CLOSE) if made.se is not None else None
    one, other = (pd_importance(p, features) for p in (trees, brute))
    assert_allclose(np.sort(one["importance"]), np.sort(other["importance"]), **CLOSE)
    one, other = (h_statistic(p, features) for p in (trees, brute))
    assert_allclose(np.sort(one["numerator"]), np.sort(other["numerator"]), **CLOSE)
    if len(features) > 1:
        pair = picked([*itertools.permutations(features, 2)], pick)
        same_effect(effect_of(brute, pair, grid=3), effect_of(trees, pair, grid=3))


LARGEST = {"int64": 2**63 - 1, "uint64": 2**64 - 1}


@pytest.mark.parametrize("dtype", LARGEST)
@pytest.mark.parametrize("container", ["pandas", "numpy", "polars", "pyarrow"])
def test_the_largest_whole_number_stays_itself(container, dtype):
    """The float next to it is beyond the dtype, and turned around to its other end."""
    case = Case({"x0": Col(dtype, (LARGEST[dtype], 0))})
    X = {"polars": to_polars, "pyarrow": to_pyarrow}.get(container, lambda case: case.frame)(case)
    X = X.to_numpy() if container == "numpy" else X
    made = effect_of(Predictor(lambda Z: np.array(columns_of(Z)[0], dtype=float), X), "x0", "ice")
    assert made.values.tolist() == [[[0.0, float(LARGEST[dtype])]] * 2]


BATCHES = [{"batch_rows": 1}, {"batch_rows": 7}, {"batch_rows": 7, "n_jobs": 2}, {"n_jobs": 2}]


@law(40, case=cases(rows=12), method=st.sampled_from(METHODS), options=st.sampled_from(BATCHES))
def test_batches_and_jobs_change_nothing(case, method, options):
    names = [name for name in case.swept if method != "ale" or counted(case, name).any()]
    assume(names)
    plain, split = case.predictor(), case.predictor(**options)
    for name in names:
        want, made = (effect_of(p, name, method, grid=3) for p in (plain, split))
        same_effect(want, made)
        if want.se is not None:
            assert_allclose(made.se, want.se, rtol=1e-6, atol=1e-7)
    together = FeatureEffects(split, names, grid=3)
    for name in names:
        same_effect(effect_of(plain, name, grid=3), together[name])
    one, other = (pd_importance(p, names) for p in (plain, split))
    assert_allclose(np.sort(other["importance"]), np.sort(one["importance"]), **CLOSE)
    one, other = (h_statistic(p, names) for p in (plain, split))
    assert_allclose(np.sort(other["numerator"]), np.sort(one["numerator"]), **CLOSE)


@law(
    90,
    example(case=HUGE, pick=0, method="pdp", grid=2),
    example(case=SQUARED, pick=0, method="pdp", grid=2),
    case=cases(),
    pick=PICK,
    method=st.sampled_from(METHODS),
    grid=GRIDS,
)
def test_the_order_of_the_rows_changes_only_which_curve_is_whose(case, pick, method, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    assume(method != "ale" or counted(case, name).any())
    order = np.random.default_rng(pick).permutation(case.n)
    X = case.frame
    weights = None if case.weights is None else np.array(case.weights)[order]
    want = effect_of(case.predictor(), name, method, grid=grid)
    made = effect_of(Predictor(case.model, X.iloc[order], sample_weight=weights), name, method, grid=grid)
    assert readable(made.grid.axes[0]) == readable(want.grid.axes[0])
    for kind, values in want.layers.items():
        assert_allclose(made.layers[kind], values[:, order] if kind == "ice" else values, **CLOSE)
    if want.se is not None:
        assert_allclose(made.se, want.se, rtol=1e-6, atol=1e-7)
    assert_allclose(made.support, want.support, **CLOSE)
    if "ice" in want.layers:
        assert made.row_labels.equals(want.row_labels[order])


@law(90, case=cases(), pick=PICK, method=st.sampled_from(METHODS))
def test_data_stay_as_they_are_under_a_model_that_scribbles(case, pick, method):
    names = [name for name in case.swept if counted(case, name).any()]
    assume(names)
    X, name = case.frame, picked(names, pick)
    before, flags = X.copy(deep=True), X.index.copy()
    rude = Predictor(Mixed(case.outputs, scribbles=True), X, sample_weight=case.weights, engine="brute", batch_rows=5)
    made = effect_of(rude, name, method, grid=3)
    h_statistic(rude, names)
    rude.predict(X)
    _ = made.results
    pd.testing.assert_frame_equal(X, before)
    assert X.index.equals(flags)
    same_effect(effect_of(case.predictor(), name, method, grid=3), made)


# what an effect is good for


def read_off(made, new):
    """(K, n)."""
    return np.reshape(made.predict(new), (-1, len(made.outputs))).T


@law(
    90,
    example(case=HUGE, pick=0, method="pdp", grid=3),
    example(case=APART, pick=0, method="pdp", grid=3),
    case=cases(),
    pick=PICK,
    method=st.sampled_from(METHODS),
    grid=GRIDS,
)
def test_results_are_tidy_and_nothing_is_missing(case, pick, method, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    assume(method != "ale" or counted(case, name).any())
    made = effect_of(case.predictor(), name, method, grid=grid)
    results = made.results
    assert len(results) == sum(values.size for values in made.layers.values())
    for column in ("value_", "support_", "type_"):
        assert results[column].notna().all()
    assert results.columns.tolist()[0] == name
    assert results[name].notna().all()
    assert results["support_"].between(0, 1).all()
    averaged = results[results["type_"] != "ice"]
    assert_allclose(averaged["value_"], made.layers[next(iter(made.layers))].ravel() if len(averaged) else [])
    if "pdp" in method:
        several = np.count_nonzero(weights_of(case)) > 1
        assert averaged["se_"].notna().all() == several
    if "ice" in method:
        curves = results[results["type_"] == "ice"]
        labels = case.frame.index.tolist()
        assert len(curves) == case.outputs * len(labels) * len(made.grid.axes[0])
        got = [*itertools.islice(curves["id_"], 0, len(labels) * len(made.grid.axes[0]), len(made.grid.axes[0]))]
        assert all(a == b or ((a is pd.NA or a != a) and b != b) for a, b in zip(got, labels, strict=True))
    told = made.predictor.support([name])
    assert told["min_support"].between(0, 1).all()
    if method == "ale":
        assert made.counts.sum() + made.left_out == np.count_nonzero(weights_of(case))
    assert repr(made).startswith("FeatureEffect(")
    assert "<table" in made._repr_html_()


@law(
    90,
    example(case=TINY, pick=0, method="pdp", grid=3),
    case=cases(),
    pick=PICK,
    method=st.sampled_from(METHODS),
    grid=GRIDS,
)
def test_reading_off_at_the_grid_gives_the_effect_back(case, pick, method, grid):
    assume(case.swept)
    name = picked(case.swept, pick)
    assume(method != "ale" or counted(case, name).any())
    made = effect_of(case.predictor(), name, method, grid=grid)
    average = made.averaged().values
    for new in (pd.DataFrame(made.grid.frame()), readable(made.grid.axes[0])):
        assert_allclose(read_off(made, new), average, **CLOSE)
    if grid == "unique" and method == "pdp":
        there = case.is_there(name)
        own = [value for value, one in zip(case.columns[name].series.tolist(), there, strict=True) if one]
        at = [case.distinct(name).index(value) for value in own]
        assert_allclose(read_off(made, case.frame)[:, there], average[:, at], **CLOSE)


@law(
    40,
    example(case=STEPS, pick=0, method="ale"),
    case=cases(rows=12, least=2),
    pick=PICK,
    method=st.sampled_from(["pdp", "ale"]),
)
def test_reading_off_a_surface_at_the_grid_gives_it_back(case, pick, method):
    names = [name for name in case.swept if counted(case, name).any()]
    assume(len(names) > 1)
    pair = picked([*itertools.permutations(names, 2)], pick)
    assume(method == "pdp" or (counted(case, pair[0]) & counted(case, pair[1])).any())
    made = effect_of(case.predictor(), pair, method, grid=3)
    assert_allclose(read_off(made, pd.DataFrame(made.grid.frame())), made.values.reshape(case.outputs, -1), **CLOSE)
    assert made.results["value_"].notna().all()
    swapped = effect_of(case.predictor(), pair[::-1], method, grid=3)
    assert_allclose(swapped.values, made.values.swapaxes(1, 2), rtol=1e-7, atol=1e-7)


@law(90, case=cases(), pick=PICK, method=st.sampled_from(METHODS), missing=st.booleans())
def test_json_gives_the_effect_back(case, pick, method, missing):
    assume(case.swept)
    name = picked(case.swept, pick)
    assume(method != "ale" or counted(case, name).any())
    made = effect_of(case.predictor(), name, method, grid=3, missing=missing and method != "ale")
    back = FeatureEffect.from_json(made.to_json())
    for kind, values in made.layers.items():
        assert np.array_equal(back.layers[kind], values)
    one, other = made.results, back.results
    if case.index not in ("range", "text", "one label", "twice"):
        one, other = (frame.drop(columns="id_", errors="ignore") for frame in (one, other))
    pd.testing.assert_frame_equal(one, other)
    assert np.array_equal(*(read_off(one, readable(made.grid.axes[0])) for one in (made, back)), equal_nan=True)
    assert back.to_json() == made.to_json()


@law(75, case=cases(rows=8), pick=PICK)
def test_a_missing_point_is_the_model_at_missing(case, pick):
    assume(case.swept)
    X, name, f = case.frame, picked(case.swept, pick), case.model
    made = effect_of(case.predictor(), name, "pdp+ice", grid=3, missing=True)
    plain = effect_of(case.predictor(), name, "pdp+ice", grid=3)
    Z = X.astype({name: object})
    Z[name] = pd.Series([None] * case.n, Z.index, dtype=object)
    at_missing = f(Z).reshape(case.n, -1).T
    assert_allclose(made.layers["ice"][..., -1], at_missing, **CLOSE)
    assert_allclose(made.layers["ice"][..., :-1], plain.layers["ice"], **CLOSE)
    assert_allclose(made.layers["pdp"][..., -1], np.average(at_missing, axis=1, weights=case.weights), **CLOSE)


@law(75, example(case=APART, pick=0), example(case=NOWHERE, pick=0), case=cases(least=2), pick=PICK)
def test_restricted_and_parted_averages_are_those_of_the_rows_curves(case, pick):
    assume(case.swept)
    name = picked(case.swept, pick)
    made = effect_of(case.predictor(), name, "pdp+ice", grid=3, within_support=True)
    counts = np.array(weights_of(case))[:, None] * np.nan_to_num(made.supported)  # (n, G)
    with np.errstate(invalid="ignore"):
        want = np.sum(made.layers["ice"] * counts, axis=1) / counts.sum(axis=0)
    assert_allclose(made.layers["pdp"], want, **CLOSE)
    groups = [key for key in case.swept if key != name and case.columns[key].role == "categorical"]
    if groups and case.outputs == 1:
        by = picked(groups, pick)
        values = case.columns[by].series.tolist()
        if not any(weight > 0 and not pd.isna(value) for weight, value in zip(weights_of(case), values, strict=True)):
            with pytest.raises(ValueError, match=r"^by must be a feature of which a row with weight has a level"):
                effect_of(case.predictor(), name, grid=3, by=by)
            return
        parted = effect_of(case.predictor(), name, grid=3, by=by)
        for level, curve in zip(parted.outputs, parted.values, strict=True):
            weights = np.array(weights_of(case)) * [not pd.isna(value) and value == level for value in values]
            assert_allclose(curve, np.average(made.layers["ice"][0], axis=0, weights=weights), **CLOSE)


@law(12, case=cases(rows=8, least=2, extreme=False), pick=PICK, method=st.sampled_from([*METHODS, "pair", "ale pair"]))
def test_every_effect_can_be_drawn(case, pick, method):
    names = [name for name in case.swept if counted(case, name).any()]
    assume(len(names) > 1 and np.count_nonzero(weights_of(case)) > 1)  # one row has no standard error to draw
    features = picked([*itertools.permutations(names, 2)], pick)
    if method == "ale pair":
        assume((counted(case, features[0]) & counted(case, features[1])).any())
    pair = "pair" in method
    made = effect_of(
        case.predictor(),
        features if pair else features[0],
        method.replace("ale pair", "ale").replace("pair", "pdp"),
        grid=3,
    )
    made.plot().draw()
    plt.close("all")
