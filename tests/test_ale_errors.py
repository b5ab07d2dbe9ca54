"""Accumulated local effects: what is refused, in full sentences."""

from __future__ import annotations

import numpy as np
import pytest
from homes import effect, made, price
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.methods.ale import Reach, Spots
from interpret_pd.methods.ale_error import along_curve


@pytest.fixture
def homes(rng):
    return made(rng)


@pytest.mark.parametrize(
    ("features", "options", "message"),
    [
        (
            "size",
            {"center_at": 2.0},
            "center_at must be None for method 'ale', which is centred already; got 2.0. Its mean over the data is 0.",
        ),
        ("size", {"grid": [3.0, 3.0]}, "grid must be at least two edges for method 'ale'; got [3.0, 3.0]."),
        ("size", {"grid": 0}, "grid must be a whole number of at least 1; got 0."),
        (
            "size",
            {"grid": [800.0, 900.0]},
            "no row of the background data is on the grid of 'size'; there is no effect to draw.",
        ),
        (
            "town",
            {"grid": ["oslo", 3]},
            "grid must be levels of 'town'; got 3. They are 'bern', 'oslo', 'rome', 'york'.",
        ),
    ],
)
def test_errors(homes, features, options, message):
    with pytest.raises(ValueError) as error:
        FeatureEffect(Predictor(price, homes), features, method="ale", **options)
    assert str(error.value) == message


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_rows_have_an_error_where_it_can_be_known(n):
    x = np.array([[0.0], [1.0], [5.0]])[:n]
    moves = Spots(np.zeros((n, 1), np.intp), np.ones((n, 1)), 1)
    stands = Spots(np.tile([0, 1], (n, 1)), np.full((n, 2), 0.5), 2)
    reach = Reach(np.zeros(n, np.intp), np.ones(n, np.intp), moves, stands, stands)
    differences = x.T[:, :, None]  # (1, n, 1): one step between two points
    step = differences.mean()
    se = along_curve(np.array([[-step / 2, step / 2]]), differences, reach, np.ones(n))
    assert se.shape == (1, 2)
    if n == 1:
        assert np.isnan(se).all()
    else:  # of a mean, half of it on either side
        assert_allclose(se, x.std(ddof=1) / np.sqrt(n) / 2 * np.ones((1, 2)))


def test_an_ale_is_not_centred_again(homes):
    with pytest.raises(ValueError, match=r"^centered\(\) takes a PD or ICE; got an ALE, whose mean over the data is 0"):
        effect(price, homes, "size").centered()


def test_predictions_that_are_not_finite_are_refused(homes):
    with pytest.raises(ValueError, match=r"^the model returned 2 non-finite predictions for the background data"):
        effect(lambda X: np.where(X["size"] == X["size"].max(), np.nan, 1.0), homes, "rooms")
