"""Conventions of the libraries that few rows show, so that no proof would notice if a reader had them wrong."""

from __future__ import annotations

import numpy as np
import pytest
from libraries import lgb, needs_numba, xgb
from models import LG, XG, X, Y, aged
from numpy.testing import assert_allclose

from interpret_pd.trees import read

pytestmark = [needs_numba, pytest.mark.filterwarnings("ignore:X does not have valid feature names")]


def test_xgboost_rounds_a_category_to_float32_before_it_cuts_its_fraction_off():
    types = ["q", "q", "q", "q", "c"]
    model = xgb.XGBRegressor(enable_categorical=True, feature_types=types, max_cat_to_onehot=1, **XG).fit(X, Y)
    ensemble, rows = read(model, "predict", range(5)), X[:12].copy()
    rows[:, 4] = [2.9999999999999996, 3 - 1e-9, 3 - 1e-6, 3.0, 3 + 1e-9, 3.9, -1e-9, -0.5, 7.0, 0.0, -0.0, np.nan]
    assert_allclose(ensemble.predict(rows)[:, 0], model.predict(rows), rtol=0, atol=5e-6)


@pytest.mark.parametrize("objective", ["regression", "l1", "huber", "fair", "quantile", "mape", "poisson"])
def test_lightgbm_squares_where_it_was_fitted_to_roots(objective):
    model = aged(lambda: lgb.LGBMRegressor(objective=objective, reg_sqrt=True, **LG).fit(X, np.abs(Y) + 0.1))
    assert_allclose(read(model, "predict", range(5)).predict(X)[:, 0], model.predict(X), rtol=0, atol=1e-11)
