"""The tree engine on frames with categories: the libraries encode them, each in its own way."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import lgb, needs_numba, xgb
from models import CAT, HG, LG, XG, averages
from numpy.testing import assert_allclose
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from interpret_pd.trees import Ensemble, NotExact, prove, read

pytestmark = needs_numba

RNG = np.random.default_rng(5)
N = 150
LETTERS, SIZES = ["d", "b", "a", "c", "never"], [30, 10, 20]
FRAME = pd.DataFrame(
    {
        "letter": pd.Categorical(RNG.choice(LETTERS[:4], N), categories=LETTERS),
        "x": RNG.normal(size=N).round(1),
        "size": pd.Categorical(RNG.choice(SIZES, N), categories=sorted(SIZES), ordered=True),
        "z": RNG.normal(size=N).round(1),
    }
)
Y = FRAME["letter"].cat.codes % 3 * FRAME["x"] + FRAME["size"].astype(int) / 10 + 0.1 * RNG.normal(size=N)
HOLES = FRAME.mask(RNG.random(FRAME.shape) < 0.1)
LABELS = (Y.median() < Y).astype(int)

FITS = {
    "histogram": (lambda: HistGradientBoostingRegressor(**HG).fit(HOLES, Y), "predict"),
    "histogram, classes": (lambda: HistGradientBoostingClassifier(**HG).fit(FRAME, LABELS), "predict_proba"),
    "LightGBM": (lambda: lgb.LGBMRegressor(**CAT, **LG).fit(HOLES, Y), "predict"),
    "LightGBM, classes": (lambda: lgb.LGBMClassifier(**CAT, **LG).fit(FRAME, LABELS), "predict_proba"),
    "XGBoost": (lambda: xgb.XGBRegressor(enable_categorical=True, max_cat_to_onehot=1, **XG).fit(HOLES, Y), "predict"),
    "XGBoost, one-hot": (lambda: xgb.XGBRegressor(enable_categorical=True, **XG).fit(FRAME, Y), "predict"),
}


def encode(ensemble: Ensemble, frame: pd.DataFrame) -> np.ndarray:
    columns = [frame[name].astype(object if ensemble.categories[j] else float) for j, name in enumerate(frame)]
    return np.column_stack([ensemble.encode(j, column.to_numpy()) for j, column in enumerate(columns)])


def predict(model: object, response: str, frame: pd.DataFrame) -> np.ndarray:
    return np.asarray(getattr(model, response)(frame), dtype=float).reshape(len(frame), -1)


@pytest.mark.parametrize(("fit", "response"), FITS.values(), ids=FITS.keys())
@pytest.mark.parametrize("feature", ["letter", "size", "x"])
def test_categories_equal_brute(fit, response, feature):
    model, rows = fit(), HOLES[:30]
    ensemble = read(model, response, list(FRAME), category_columns=[0, 2])
    Z, place = encode(ensemble, rows), list(FRAME).index(feature)
    prove(ensemble, Z, predict(model, response, rows))
    levels = {"letter": LETTERS[:4], "size": SIZES, "x": [0.3, -1.0, 0.3]}[feature]
    values = pd.Series(levels * len(rows)).astype(FRAME[feature].dtype)
    stacked = rows.loc[rows.index.repeat(len(levels))].reset_index(drop=True)
    brute = predict(model, response, stacked.assign(**{feature: values})).reshape(len(rows), len(levels), -1)
    axis = (place, ensemble.encode(place, np.array(levels, dtype=object)))
    atol = 5e-6 if "XGB" in type(model).__name__ else 1e-11
    assert_allclose(ensemble.cube(Z, [axis]), brute, rtol=0, atol=atol)
    assert_allclose(averages(ensemble, Z, np.ones(30), [axis])[0], brute.mean(axis=0), rtol=0, atol=atol)


@pytest.mark.parametrize("name", ["histogram", "LightGBM"])
def test_a_category_that_was_never_seen_is_missing(name):
    fit, response = FITS[name]
    model = fit()
    ensemble = read(model, response, list(FRAME), category_columns=[0, 2])
    strange = FRAME[:20].assign(letter=pd.Categorical(["omega", "a"] * 10, categories=["omega", "a"]))
    ours = ensemble.predict(encode(ensemble, strange))
    assert_allclose(ours, predict(model, response, strange), rtol=0, atol=1e-11)


def test_a_category_that_xgboost_refuses_is_left_to_it():
    ensemble = read(FITS["XGBoost"][0](), "predict", list(FRAME))
    with pytest.raises(NotExact, match=r"^XGBRegressor does not know the category 'omega'$"):
        ensemble.encode(0, np.array(["a", "omega", None], dtype=object))


def test_letters_that_xgboost_saves_in_pieces_are_left_to_it():
    """Version 3.2 saves their bytes, but counts letters to say where a category begins."""
    accents = FRAME.assign(letter=FRAME["letter"].cat.rename_categories({"d": "é"}))
    model = xgb.XGBRegressor(enable_categorical=True, **XG).fit(accents, Y)
    with pytest.raises(NotExact, match=r"^XGBoost's categories with letters beyond ASCII are not read$"):
        read(model, "predict", list(FRAME))
    histogram = HistGradientBoostingRegressor(**HG).fit(accents, Y)
    ours = read(histogram, "predict", list(FRAME))
    assert_allclose(ours.predict(encode(ours, accents))[:, 0], histogram.predict(accents), rtol=0, atol=1e-11)
