"""The models that every exactness test runs over: one line each.

All are fitted on `X` (120 rows, 5 columns, one decimal, so that values tie with thresholds; the last column holds the
numbers 0 to 5), or on `HOLES`, which is `X` with missing values.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from libraries import lgb, xgb
from sklearn import ensemble as ske
from sklearn import tree as skt
from threadpoolctl import threadpool_limits

from interpret_pd.trees import Ensemble, group_averages
from interpret_pd.trees.plan import Axis

threadpool_limits(limits=1, user_api="openmp")  # teams of threads wait for each other where processors are shared

RNG = np.random.default_rng(20)
X = np.column_stack([RNG.normal(size=(120, 4)).round(1), RNG.integers(0, 6, 120)])
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
Y = 2 * X[:, 0] + np.sin(2 * X[:, 1]) + X[:, 2] * X[:, 3] + (X[:, 4] % 3) + 0.1 * RNG.normal(size=120)
POSITIVE = np.abs(Y) + 0.1
TWO = (Y > 0).astype(int)
THREE = np.digitize(Y, [-1.0, 1.0])


@dataclass(frozen=True)
class Model:
    """A model to be fitted, and what its library accepts."""

    fit: Callable[[], Any]
    response: str = "predict"
    missing: bool = True
    infinite: bool = True
    tolerance: float = 1e-11

    def __hash__(self) -> int:
        return id(self)

    @cache  # noqa: B019
    def fitted(self) -> Any:
        return self.fit()


SK = {"n_estimators": 8, "random_state": 0}
HG = {"max_iter": 8, "min_samples_leaf": 4, "random_state": 0}
LG = {"n_estimators": 8, "min_child_samples": 4, "verbose": -1, "n_jobs": 1}
CAT = {"max_cat_to_onehot": 1, "cat_smooth": 1, "min_data_per_group": 1}
XG = {"n_estimators": 8, "max_depth": 4, "n_jobs": 1}
NAN_ONLY = {"infinite": False}
FINITE = {"infinite": False, "missing": False}
PROBA = {"response": "predict_proba"}
MARGIN = {"response": "decision_function"}
SINGLE = {"infinite": False, "tolerance": 5e-6}  # XGBoost adds up in float32


def own_objective(y: np.ndarray, margin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squared error by its gradient and curvature."""
    return margin - y, np.ones_like(y)


def aged(fit: Callable[[], Any]) -> Any:
    """Fit what a newer version of the library calls old."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit()


def early(model: Any, **options: Any) -> Any:
    """Fit with a validation set that stops it early; LightGBM 4.7 calls eval_set old, 4.5 has nothing else."""
    return aged(lambda: model.fit(X[:90], Y[:90], eval_set=[(X[90:], -Y[90:])], **options))


MODELS = {
    "tree": Model(lambda: skt.DecisionTreeRegressor(random_state=0).fit(X, Y), **NAN_ONLY),
    "tree, best first": Model(lambda: skt.DecisionTreeRegressor(max_leaf_nodes=15).fit(HOLES, Y), **NAN_ONLY),
    "tree, three classes": Model(lambda: skt.DecisionTreeClassifier(max_depth=4).fit(X, THREE), **PROBA, **NAN_ONLY),
    "extra tree": Model(lambda: skt.ExtraTreeRegressor(random_state=0).fit(X, Y), **NAN_ONLY),
    "forest": Model(lambda: ske.RandomForestRegressor(**SK).fit(X, Y), **NAN_ONLY),
    "forest, missing": Model(lambda: ske.RandomForestRegressor(**SK).fit(HOLES, Y), **NAN_ONLY),
    "forest, two targets": Model(lambda: ske.RandomForestRegressor(**SK).fit(X, np.c_[Y, -Y * X[:, 0]]), **NAN_ONLY),
    "forest, absolute error": Model(
        lambda: ske.RandomForestRegressor(criterion="absolute_error", **SK).fit(X, Y), **NAN_ONLY
    ),
    "forest, three classes": Model(lambda: ske.RandomForestClassifier(**SK).fit(X, THREE), **PROBA, **NAN_ONLY),
    "forest, weighted classes": Model(
        lambda: ske.RandomForestClassifier(class_weight="balanced", **SK).fit(X, TWO), **PROBA, **NAN_ONLY
    ),
    "forest, monotonic": Model(
        lambda: ske.RandomForestRegressor(monotonic_cst=[1, 0, 0, 0, 0], **SK).fit(X, Y), **FINITE
    ),
    "extra trees": Model(lambda: ske.ExtraTreesRegressor(**SK).fit(X, Y), **NAN_ONLY),
    "bagging": Model(lambda: ske.BaggingRegressor(max_features=0.6, **SK).fit(X, Y), **NAN_ONLY),
    "bagging, classes missing": Model(
        lambda: ske.BaggingClassifier(max_samples=5, max_features=0.6, **SK).fit(X, THREE), **PROBA, **NAN_ONLY
    ),
    "boosting": Model(lambda: ske.GradientBoostingRegressor(**SK).fit(X, Y), **FINITE),
    "boosting, huber": Model(lambda: ske.GradientBoostingRegressor(loss="huber", **SK).fit(X, Y), **FINITE),
    "boosting, from zero": Model(lambda: ske.GradientBoostingRegressor(init="zero", **SK).fit(X, Y), **FINITE),
    "boosting, two classes": Model(lambda: ske.GradientBoostingClassifier(**SK).fit(X, TWO), **PROBA, **FINITE),
    "boosting, exponential": Model(
        lambda: ske.GradientBoostingClassifier(loss="exponential", **SK).fit(X, TWO), **PROBA, **FINITE
    ),
    "boosting, three classes": Model(lambda: ske.GradientBoostingClassifier(**SK).fit(X, THREE), **PROBA, **FINITE),
    "boosting, margin": Model(lambda: ske.GradientBoostingClassifier(**SK).fit(X, THREE), **MARGIN, **FINITE),
    "histogram": Model(lambda: ske.HistGradientBoostingRegressor(**HG).fit(X, Y)),
    "histogram, missing": Model(lambda: ske.HistGradientBoostingRegressor(**HG).fit(HOLES, Y)),
    "histogram, poisson": Model(lambda: ske.HistGradientBoostingRegressor(loss="poisson", **HG).fit(HOLES, POSITIVE)),
    "histogram, quantile": Model(
        lambda: ske.HistGradientBoostingRegressor(loss="quantile", quantile=0.8, **HG).fit(X, Y)
    ),
    "histogram, two classes": Model(lambda: ske.HistGradientBoostingClassifier(**HG).fit(HOLES, TWO), **PROBA),
    "histogram, three classes": Model(lambda: ske.HistGradientBoostingClassifier(**HG).fit(HOLES, THREE), **PROBA),
    "histogram, margin": Model(lambda: ske.HistGradientBoostingClassifier(**HG).fit(X, TWO), **MARGIN),
    "histogram, categories": Model(
        lambda: ske.HistGradientBoostingRegressor(categorical_features=[4, 2], **HG).fit(HOLES, Y), **NAN_ONLY
    ),
    "isolation": Model(lambda: ske.IsolationForest(max_features=0.6, **SK).fit(X), **MARGIN),
    "LightGBM": Model(lambda: lgb.LGBMRegressor(**LG).fit(X, Y)),
    "LightGBM, missing": Model(lambda: lgb.LGBMRegressor(**LG).fit(HOLES, Y)),
    "LightGBM, zero as missing": Model(lambda: lgb.LGBMRegressor(zero_as_missing=True, **LG).fit(HOLES, Y)),
    "LightGBM, no missing": Model(lambda: lgb.LGBMRegressor(use_missing=False, **LG).fit(HOLES, Y)),
    "LightGBM, categories": Model(
        lambda: lgb.LGBMRegressor(**CAT, **LG).fit(HOLES, Y, categorical_feature=[4])
    ),
    "LightGBM, tweedie": Model(lambda: lgb.LGBMRegressor(objective="tweedie", **LG).fit(X, POSITIVE)),
    "LightGBM, square root": Model(lambda: lgb.LGBMRegressor(reg_sqrt=True, **LG).fit(X, Y)),
    "LightGBM, own objective": Model(lambda: lgb.LGBMRegressor(objective=own_objective, **LG).fit(X, Y)),
    "LightGBM, dart": Model(lambda: lgb.LGBMRegressor(boosting_type="dart", **LG).fit(X, Y)),
    "LightGBM, forest": Model(
        lambda: lgb.LGBMClassifier(boosting_type="rf", subsample=0.5, subsample_freq=1, **LG).fit(X, TWO), **PROBA
    ),
    "LightGBM, early": Model(
        lambda: early(lgb.LGBMRegressor(**LG), callbacks=[lgb.early_stopping(2, verbose=False)])
    ),
    "LightGBM, two classes": Model(lambda: lgb.LGBMClassifier(sigmoid=2.0, **LG).fit(X, TWO), **PROBA),
    "LightGBM, three classes": Model(lambda: lgb.LGBMClassifier(**LG).fit(HOLES, THREE), **PROBA),
    "LightGBM, one against all": Model(
        lambda: lgb.LGBMClassifier(objective="multiclassova", **LG).fit(X, THREE), **PROBA
    ),
    "LightGBM, booster": Model(lambda: lgb.LGBMClassifier(**LG).fit(X, TWO).booster_),
    "XGBoost": Model(lambda: xgb.XGBRegressor(**XG).fit(X, Y), **SINGLE),
    "XGBoost, missing": Model(lambda: xgb.XGBRegressor(**XG).fit(HOLES, Y), **SINGLE),
    "XGBoost, gamma": Model(lambda: xgb.XGBRegressor(objective="reg:gamma", **XG).fit(X, POSITIVE), **SINGLE),
    "XGBoost, own objective": Model(lambda: xgb.XGBRegressor(objective=own_objective, **XG).fit(X, Y), **SINGLE),
    "XGBoost, dart": Model(
        lambda: aged(lambda: xgb.XGBRegressor(booster="dart", rate_drop=0.5, **XG).fit(X, Y)), **SINGLE
    ),
    "XGBoost, forest": Model(lambda: aged(lambda: xgb.XGBRFRegressor(**XG).fit(X, Y)), **SINGLE),
    "XGBoost, early": Model(
        lambda: early(xgb.XGBRegressor(early_stopping_rounds=2, **XG), verbose=False), **SINGLE
    ),
    "XGBoost, two targets": Model(lambda: xgb.XGBRegressor(**XG).fit(X, np.c_[Y, Y**2]), **SINGLE),
    "XGBoost, two classes": Model(lambda: xgb.XGBClassifier(**XG).fit(X, TWO), **PROBA, **SINGLE),
    "XGBoost, three classes": Model(lambda: xgb.XGBClassifier(**XG).fit(HOLES, THREE), **PROBA, **SINGLE),
    "XGBoost, categories": Model(
        lambda: xgb.XGBRegressor(
            enable_categorical=True, feature_types=["q", "q", "q", "q", "c"], max_cat_to_onehot=1, **XG
        ).fit(X, Y),
        **SINGLE,
    ),
}  # fmt: skip


def averages(
    ensemble: Ensemble, X: np.ndarray, weights: np.ndarray, axes: list[Axis], n_jobs: int = 1
) -> list[np.ndarray]:
    """The weighted means along many axes, each for itself, as importance asks for them: of one group of rows."""
    one = np.zeros(len(X), int)
    return [sums[0] for sums in group_averages(ensemble, X, weights / weights.sum(), axes, one, n_jobs)]
