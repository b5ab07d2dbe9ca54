"""The tree engine behind steps that treat the columns one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from libraries import lgb, needs_numba, xgb
from models import HG, LG, SK, XG, averages
from numpy.testing import assert_allclose
from sklearn import ensemble as ske
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
)

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.trees import Ensemble, NotExact, moved, prove, read, unwrap

RNG = np.random.default_rng(6)
N = 150
FRAME = pd.DataFrame(
    {
        "letter": RNG.choice(list("abcd"), N),
        "x": RNG.normal(size=N).round(1),
        "size": RNG.choice(["small", "large"], N),
        "z": RNG.normal(size=N).round(1),
        "same": np.ones(N),
    }
)
FRAME.loc[::9, "x"] = np.nan
Y = FRAME["x"].fillna(2.0) * (FRAME["letter"] == "a") + (FRAME["size"] == "small") * FRAME["z"] + RNG.normal(size=N) / 9
LABELS = (Y > 0).astype(int)
NUMBERS, WORDS = ["x", "z", "same"], ["letter", "size"]
ONE_HOT = ColumnTransformer(
    [("n", make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), NUMBERS), ("w", OneHotEncoder(), WORDS)]
)
TWICE = ColumnTransformer(
    [
        ("n", FeatureUnion([("a", "passthrough"), ("b", FunctionTransformer(np.tanh))]), NUMBERS),
        ("w", OneHotEncoder(drop="first", sparse_output=False, handle_unknown="ignore"), WORDS),
    ]
)
RANKS = make_pipeline(
    ColumnTransformer([("w", OrdinalEncoder(), WORDS)], remainder="passthrough"),
    SimpleImputer(strategy="median"),
    QuantileTransformer(n_quantiles=20),
)
PIPELINES = {
    "one-hot forest": (lambda: make_pipeline(ONE_HOT, ske.RandomForestRegressor(**SK)).fit(FRAME, Y), "predict"),
    "one-hot boosting": (lambda: make_pipeline(ONE_HOT, ske.GradientBoostingRegressor(**SK)).fit(FRAME, Y), "predict"),
    "both": (
        lambda: make_pipeline(TWICE, ske.HistGradientBoostingClassifier(**HG)).fit(FRAME, LABELS),
        "predict_proba",
    ),
    "ranks": (lambda: make_pipeline(RANKS, lgb.LGBMRegressor(**LG)).fit(FRAME, Y), "predict"),
    "bins": (
        lambda: make_pipeline(
            ColumnTransformer([("n", KBinsDiscretizer(4, strategy="uniform"), ["z"])]),
            ske.RandomForestClassifier(**SK),
        ).fit(FRAME, LABELS),
        "predict_proba",
    ),
}
pytestmark = [needs_numba, pytest.mark.filterwarnings("ignore:X does not have valid feature names")]


def predict(model: Any, response: str, frame: pd.DataFrame) -> np.ndarray:
    return np.asarray(getattr(model, response)(frame), dtype=float).reshape(len(frame), -1)


class Space:
    """What the engine does with a pipeline: the background once, each axis in copies of its first row."""

    def __init__(self, model: Any, response: str, frame: pd.DataFrame) -> None:
        self.frame = frame
        self.prepare, final = unwrap(model)
        self.matrix = self.prepare(frame)
        self.ensemble: Ensemble = read(final, response, range(self.matrix.shape[1]))

    def copies(self, name: str, values: Sequence[Any]) -> np.ndarray:
        rows = self.frame.iloc[np.zeros(len(values), int)].reset_index(drop=True)
        return self.prepare(rows.assign(**{name: pd.Series(values).astype(self.frame[name].dtype)}))

    def axis(self, name: str, values: Sequence[Any]) -> tuple[tuple[int, ...], np.ndarray]:
        points = self.copies(name, values)
        columns = tuple(sorted({*moved(self.copies(name, self.frame[name].tolist())), *moved(points)}))
        return columns, points[:, columns]


AXES = {
    "letter": ["b", "a", "d", "a"],
    "size": ["small", "large"],
    "x": [0.3, -1.0, np.nan],
    "z": [0.5, -9.0],
    "same": [2.0],
}


@pytest.mark.parametrize(("fit", "response"), PIPELINES.values(), ids=PIPELINES.keys())
def test_pipelines_equal_brute(fit, response):
    model, weights = fit(), np.arange(1.0, 41.0)
    space = Space(model, response, FRAME[:40])
    prove(space.ensemble, space.matrix, predict(model, response, FRAME[:40]))
    brute = {}
    for name, values in AXES.items():
        frames = [FRAME[:40].assign(**{name: value}) for value in values]
        brute[name] = np.stack([predict(model, response, frame) for frame in frames], axis=1)
        assert_allclose(space.ensemble.cube(space.matrix, [space.axis(name, values)]), brute[name], atol=1e-12)
    means = averages(space.ensemble, space.matrix, weights, [space.axis(*axis) for axis in AXES.items()])
    for mean, cube in zip(means, brute.values(), strict=True):
        assert_allclose(mean, np.tensordot(weights, cube, 1) / weights.sum(), atol=1e-12)


@pytest.mark.parametrize("density", [0.0, 1.0])
def test_what_a_sparse_matrix_leaves_out_is_missing_to_xgboost(density):
    steps = ColumnTransformer(
        [("w", OneHotEncoder(handle_unknown="ignore"), WORDS), ("n", "passthrough", ["z"])], sparse_threshold=density
    )
    model = make_pipeline(steps, xgb.XGBRegressor(**XG)).fit(FRAME, Y)
    space = Space(model, "predict", FRAME)
    assert np.isnan(space.matrix).any() == (density == 1.0)
    for name in ("letter", "z"):
        values = [*AXES[name], *FRAME[name][:5]]
        brute = np.stack([predict(model, "predict", FRAME.assign(**{name: value})) for value in values], axis=1)
        assert_allclose(space.ensemble.cube(space.matrix, [space.axis(name, values)]), brute, rtol=0, atol=5e-6)


@pytest.mark.parametrize(("fit", "response"), PIPELINES.values(), ids=PIPELINES.keys())
@pytest.mark.parametrize("pair", [("letter", "x"), ("z", "x"), ("size", "letter")])
def test_pairs_in_pipelines_equal_brute(fit, response, pair):
    model = fit()
    space = Space(model, response, FRAME[:40])
    surface = space.ensemble.cube(space.matrix, [space.axis(name, AXES[name]) for name in pair])
    first, second = pair
    frames = [FRAME[:40].assign(**{first: u, second: v}) for u in AXES[first] for v in AXES[second]]
    assert_allclose(surface, np.stack([predict(model, response, frame) for frame in frames], axis=1), atol=1e-12)


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (PCA(2), "PCA"),
        (PolynomialFeatures(2), "PolynomialFeatures"),
        (FunctionTransformer(lambda rows: rows * 2), "FunctionTransformer"),
        (make_pipeline(StandardScaler(), PCA(2)), "PCA"),
        (ColumnTransformer([("a", PCA(2), [0, 1])], remainder="passthrough"), "PCA"),
        (type("StandardScaler", (StandardScaler,), {"__module__": "mine"})(), "StandardScaler"),
    ],
)
def test_a_step_that_may_mix_columns_is_refused_by_name(step, name):
    rows = RNG.normal(size=(30, 4))
    model = make_pipeline(step, ske.GradientBoostingRegressor(n_estimators=2)).fit(rows, rows[:, 0])
    with pytest.raises(NotExact) as refusal:
        unwrap(model)
    assert str(refusal.value) == f"the pipeline's {name} is not known to treat columns one by one"


def test_steps_that_return_words_are_refused():
    pipeline = make_pipeline(FunctionTransformer(), ske.GradientBoostingRegressor(n_estimators=2))
    prepare, _ = unwrap(pipeline.fit(FRAME[["z"]], Y))
    with pytest.raises(NotExact, match=r"^the pipeline's steps do not return numbers only$"):
        prepare(FRAME)


def test_what_is_no_pipeline_is_itself():
    model = ske.GradientBoostingRegressor()
    assert unwrap(model) == (None, model)


def both(model, X, feature, **options):
    """The effect by either engine."""
    return [
        FeatureEffect(Predictor(model, X, engine=engine), feature, **options).values for engine in ("brute", "trees")
    ]


@needs_numba
@pytest.mark.parametrize("feature", ["same", ("same", "z"), ("z", "same")])
def test_one_point_moves_a_feature_that_is_constant_in_the_background(feature):
    X, two = FRAME[["z", "same"]], np.resize([1.0, 2.0], N)
    model = make_pipeline(StandardScaler(), ske.GradientBoostingRegressor(**SK)).fit(X.assign(same=two), Y + 3 * two)
    grid = {"same": [2.0], "z": [0.5]} if isinstance(feature, tuple) else [2.0]
    assert_allclose(*both(model, X, feature, grid=grid), rtol=1e-11)


@needs_numba
def test_numbers_of_categories_behind_a_pipeline_need_not_be_their_positions():
    X = FRAME[["letter", "z"]].copy()
    X.loc[[5, 7], "letter"] = "f"  # rare, and beyond a gap: "e" is declared only
    steps = ColumnTransformer([("o", OrdinalEncoder(categories=[list("abcdef")]), ["letter"])], remainder="passthrough")
    boosted = ske.HistGradientBoostingRegressor(categorical_features=[0], min_samples_leaf=1, max_iter=5)
    model = make_pipeline(steps, boosted).fit(X, Y + 9 * (X["letter"] == "f"))
    for feature in ("letter", "z", ("letter", "z")):
        assert_allclose(*both(model, X, feature), rtol=1e-11, atol=1e-12)
