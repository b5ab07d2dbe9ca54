"""The model with its background data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from libraries import pl
from numpy.testing import assert_allclose
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from interpret_pd import FeatureEffect, Predictor


def total(Z):
    return np.asarray(Z, dtype=float).sum(axis=1)


def test_predictions_have_a_row_per_row_and_a_column_per_output(numbers):
    assert Predictor(total, numbers).predict(numbers).shape == (12, 1)
    three = Predictor(lambda Z: np.column_stack([total(Z)] * 3), numbers)
    assert three.predict(numbers.head(5)).shape == (5, 3)


def test_predict_shows_the_model_a_copy(container, numbers):
    seen = []

    def keep(Z):
        seen.append(Z)
        return np.zeros(len(Z))

    X = container(numbers)
    Predictor(keep, X).predict(X)
    assert seen[0] is not X
    assert type(seen[0]) is type(X)


def test_new_data_may_have_another_number_of_rows_and_an_index_of_their_own(numbers):
    predictor = Predictor(total, numbers)
    new = numbers.iloc[[3, 3, 1]].set_axis(["u", "v", "u"])
    assert_allclose(predictor.predict(new)[:, 0], total(new))


def test_the_constructor_asks_the_model_nothing(numbers):
    Predictor(lambda Z: 1 / 0, numbers)


def test_a_wrong_label_fails_at_once_where_the_model_knows_its_labels(numbers):
    model = LogisticRegression().fit(numbers, numbers["x0"] > 0)
    with pytest.raises(ValueError, match="target must be among False, True; got 'yes'"):
        Predictor(model, numbers, target="yes")


@pytest.mark.parametrize(
    "sequence",
    [
        lambda: [1, 2, 3] * 4,
        lambda: np.arange(12.0),
        lambda: pd.Series(range(12), index=list("abcdefghijkl")),
        lambda: pl.Series(range(12)),
    ],
    ids=["list", "numpy", "pandas", "polars"],
)
def test_weights_may_come_in_any_sequence(numbers, sequence):
    weights = sequence()
    got = Predictor(total, numbers, sample_weight=weights).weights
    assert got.dtype == float
    assert got.tolist() == list(map(float, weights))


def test_whole_numbers_can_be_declared_levels(mixed):
    X = mixed[["rooms", "size"]]
    predictor = Predictor(total, X, categorical=["rooms"])
    assert predictor.feature("rooms").levels == (1, 2, 3, 5)
    assert predictor.feature("size").levels is None
    assert Predictor(total, X, categorical="rooms").feature("rooms").kind == "categorical"
    assert Predictor(total, X.to_numpy(), categorical=[0]).feature(0).kind == "categorical"


def test_features_are_called_by_their_columns_or_as_the_user_says(numbers):
    assert Predictor(total, numbers).feature_names == ("x0", "x1", "x2")
    assert Predictor(total, numbers.to_numpy()).feature_names == ("x0", "x1", "x2")
    named = Predictor(total, numbers.to_numpy(), feature_names=np.array(["a", "b", "c"]))
    assert named.feature_names == ("a", "b", "c")
    assert FeatureEffect(named, "c").features == ("c",)


def test_one_row_and_one_column_work(container):
    X = container(pd.DataFrame({"a": [2.0]}))
    feature = 0 if isinstance(X, np.ndarray) else "a"
    predictor = Predictor(lambda Z: np.asarray(Z[:, 0] if isinstance(Z, np.ndarray) else Z["a"]) * 3, X)
    effect = FeatureEffect(predictor, feature, method="pdp+ice")
    assert effect.values.tolist() == [[[6.0]]]
    assert FeatureEffect(predictor, feature, grid=[1, 2]).values.tolist() == [[3.0, 6.0]]


def test_a_pipeline_gets_its_columns_by_name(mixed):
    columns = make_column_transformer((OneHotEncoder(), ["town", "state"]), remainder="passthrough")
    X = mixed[["size", "town", "state", "rooms"]]
    model = make_pipeline(columns, LinearRegression()).fit(X, np.arange(12.0))
    effect = FeatureEffect(Predictor(model, X), "town")
    for level, value in zip(effect.results["town"], effect.values[0], strict=True):
        assert_allclose(value, model.predict(X.assign(town=level)).mean())


def test_infinite_and_missing_values_beside_the_feature_reach_the_model():
    X = pd.DataFrame({"a": [1.0, 2, 3], "b": [np.nan, np.inf, 1.0]})
    model = lambda Z: np.isnan(Z["b"].to_numpy()) + 2.0 * np.isinf(Z["b"].to_numpy()) + Z["a"].to_numpy()  # noqa: E731
    assert_allclose(FeatureEffect(Predictor(model, X), "a").values[0], [2, 3, 4])


def test_a_row_whose_own_value_is_missing_counts_in_the_mean():
    X = pd.DataFrame({"a": [1.0, np.nan, np.inf, 2], "b": [1.0, 10, 100, 1000]})
    effect = FeatureEffect(Predictor(lambda Z: Z["a"].to_numpy() * Z["b"].to_numpy(), X), "a")
    assert effect.results["a"].tolist() == [1, 2]
    assert_allclose(effect.values[0], [1111 / 4, 2222 / 4])


def test_the_repr_says_what_is_wrapped(numbers):
    text = repr(Predictor(LinearRegression().fit(numbers, numbers["x0"]), numbers))
    assert text == "Predictor(LinearRegression, 12 rows x 3 features, response='predict', engine='auto')"
