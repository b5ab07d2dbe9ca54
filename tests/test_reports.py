"""Laws that bug reports about other packages of this field taught, where no other file has a place for them."""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import uuid
import warnings
from decimal import Decimal

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance


class Color(enum.Enum):
    RED = 1
    GREEN = 2


LEVELS = {
    "months": pd.period_range("2024-01", periods=2, freq="M"),
    "bins": pd.IntervalIndex.from_breaks([0.0, 1.0, 2.5]),
    "clock times": [dt.time(1), dt.time(2)],
    "decimals": pd.Categorical([Decimal("1.5"), Decimal(2)]),
    "days": pd.Categorical(pd.to_datetime(["2024-01-01", "2024-01-02"])),
    "bytes": [b"a", b"b"],
    "members": [Color.RED, Color.GREEN],
    "ids": [uuid.UUID(int=1), uuid.UUID(int=2)],
    "texts": ["a", "b"],
    "numbers": pd.Categorical([3, 1]),
    "truths": [True, False],
}


def numbers(n=24):
    return pd.DataFrame(np.random.default_rng(0).normal(size=(n, 3)), columns=list("abc"))


def drawn(plot):
    figure = plot.draw()
    figure.canvas.draw()
    texts = [[text.get_text() for text in axes.get_xticklabels()] for axes in figure.axes]
    plt.close(figure)
    return texts


@pytest.mark.parametrize("levels", LEVELS.values(), ids=LEVELS)
def test_an_effect_read_from_json_finds_the_levels_of_its_data(levels):
    X = numbers(12)
    X["q"] = pd.Series(levels).iloc[np.resize([0, 1], 12)].reset_index(drop=True)
    first = X["q"].iloc[0]
    effect = FeatureEffect(Predictor(lambda X: X["a"] * (X["q"] == first), X), "q", method="pdp+cice")
    back = FeatureEffect.from_json(effect.to_json())
    assert_allclose(back.predict(X), effect.predict(X))
    assert np.isfinite(effect.predict(X)).all()
    again = FeatureEffect.from_json(back.to_json())
    assert_allclose(again.predict(X), effect.predict(X))


def test_a_text_is_no_number_in_an_effect_read_from_json():
    X = numbers(12).assign(q=["1", "2"] * 6)
    effect = FeatureEffect(Predictor(lambda X: X["a"], X), "q")
    for known in (effect, FeatureEffect.from_json(effect.to_json())):
        assert np.isnan(known.predict([1, 2])).all()


ASKED = {
    **{
        method: lambda p, method=method: FeatureEffect(p, "a", method=method)
        for method in ("pdp", "pdp+ice", "pdp+cice", "ale")
    },
    "pair": lambda p: FeatureEffect(p, ("a", "t")),
    "groups": lambda p: FeatureEffect(p, "a", by="t"),
    "support": lambda p: FeatureEffect(p, "a", within_support=True),
    "importance": pd_importance,
    "interaction": lambda p: h_statistic(p, n_max=10, random_state=0),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_infinite_predictions_are_an_error_and_no_warning_besides(asked):
    X = numbers().assign(t=["p", "q"] * 12)
    predictor = Predictor(lambda X: np.where(X["b"] > 0, np.inf, -np.inf), X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="non-finite predictions"):
            asked(predictor)


def test_what_lies_under_a_mask_is_no_prediction():
    predictor = Predictor(lambda X: np.ma.masked_array(np.ones(len(X), int), mask=X["b"] > 0), numbers())
    with pytest.raises(ValueError, match="non-finite predictions"):
        FeatureEffect(predictor, "a")
    whole = Predictor(lambda X: np.ma.masked_array(X["a"]), numbers())
    assert_allclose(FeatureEffect(whole, "a", grid=[0.0, 1.0]).values, [[0, 1]])


@pytest.mark.parametrize("n", [2, 60])
def test_a_classifier_of_several_targets_says_how_to_ask_for_one(n):
    X = numbers(60)
    one = (X["a"] > 0).astype(int)
    for y, model in (
        (np.c_[one, 1 - one], MultiOutputClassifier(LogisticRegression())),
        (np.c_[one, np.resize([0, 1, 2], 60)], RandomForestClassifier(5, random_state=0)),  # 2 and 3 classes
    ):
        model.fit(X, y)
        with pytest.raises(TypeError, match=r"a list of 2 tables, one per target\. Use response_method=lambda"):
            FeatureEffect(Predictor(model, X.iloc[:n]), "a", grid=[0.5])
        of_first = Predictor(model, X.iloc[:n], response_method=lambda model, X: model.predict_proba(X)[0])
        expected = model.predict_proba(X.iloc[:n].assign(a=0.5))[0].mean(axis=0)
        assert_allclose(FeatureEffect(of_first, "a", grid=[0.5]).values[:, 0], expected)


def test_complex_numbers_are_no_points_of_a_grid():
    predictor = Predictor(lambda X: X["a"], numbers())
    for request in ({"grid": [1j]}, {"center_at": 1j}):
        with pytest.raises(ValueError, match="finite number"):
            FeatureEffect(predictor, "a", **request)
    with pytest.raises((TypeError, ValueError), match="numbers"):
        FeatureEffect(predictor, "a").predict([1j])


def test_a_grid_may_be_asked_for_as_fine_as_it_gets():
    X = numbers()
    for method, points in (("pdp", 24), ("ale", 24)):
        effect = FeatureEffect(Predictor(lambda X: X["a"], X), "a", method=method, grid=10**12)
        assert_allclose(effect.grid.axes[0].points, np.sort(X["a"]))
        assert effect.grid.shape == (points,)


def test_panels_of_durations_tell_lengths_of_time():
    X = numbers()
    X["days"] = pd.timedelta_range("0h", periods=24, freq="7h")
    X["seconds"] = pd.timedelta_range("1s", periods=24, freq="3s")
    X["always"] = pd.Timedelta("3h")
    texts = drawn(FeatureEffects(Predictor(lambda X: X["a"], X), ["days", "seconds", "always"], grid=4).plot())
    assert sorted(texts) == [["0 d", "2 d", "4 d", "6 d"], ["20 s", "40 s", "60 s"], ["3 h"]]


def test_panels_of_dates_tell_the_time_of_their_zone():
    X = numbers()
    X["when"] = pd.date_range("2024-03-31", periods=24, freq="30min", tz="Asia/Tokyo")
    X["day"] = pd.date_range("2024-01-01", periods=24, tz="Asia/Tokyo")
    effects = FeatureEffects(Predictor(lambda X: X["a"], X), ["when", "day"], grid=4)
    figure = effects.plot().draw()
    texts = {axes.get_xticklabels()[0].get_text(): axes for axes in figure.axes}
    assert "00:00\n31 Mar" in texts
    assert any(text.endswith("\n2024") for text in texts)
    plt.close(figure)


FAR = {"open end": "9999-12-31", "open beginning": "0001-01-01"}


@pytest.mark.parametrize("far", FAR.values(), ids=FAR)
def test_dates_that_stand_for_never_can_be_drawn(far):
    X = numbers()
    X["until"] = np.array(["2024-01-01"] * 12 + ["2025-01-01"] * 11 + [far], dtype="datetime64[s]")
    predictor = Predictor(lambda X: X["a"], X)
    for method in ("pdp+ice", "ale"):
        (texts,) = drawn(FeatureEffect(predictor, "until", method=method).plot())
        assert 2 <= len(texts) <= 6
        assert all(text.isdigit() for text in texts)
    drawn(FeatureEffects(predictor, ["a", "until"], grid=4).plot())
    if far > "9":
        drawn(FeatureEffect(predictor, ("until", "a"), grid=3).plot())


class Wrapper:
    """A model of the user's own: it has what its class knows, and labels as plain Python holds them."""

    predict_proba = None

    def decision_function(self, X):
        return np.c_[X["a"], X["b"]]


class Labelled:
    def __init__(self, classes):
        self.classes_ = classes

    def predict_proba(self, X):
        return np.c_[1 - X["a"], X["a"]]


def test_a_method_that_is_none_is_no_method():
    effect = FeatureEffect(Predictor(Wrapper(), numbers()), "a", grid=[0.5])
    assert effect.outputs == (0, 1)
    with pytest.raises(ValueError, match=r"must be a method of the model \('decision_function'\)"):
        Predictor(Wrapper(), numbers(), response_method="predict_proba")


@pytest.mark.parametrize("classes", [["no", "yes"], ("no", "yes"), np.array(["no", "yes"]), pd.Index(["no", "yes"])])
def test_labels_may_be_a_list(classes):
    effect = FeatureEffect(Predictor(Labelled(classes), numbers()), "a", grid=[0.5])
    assert effect.outputs == ("yes",)
    assert FeatureEffect(Predictor(Labelled(classes), numbers(), target="no"), "a", grid=[0.2]).values == 0.8


@pytest.mark.parametrize("labels", [[np.array([0, 1]), np.array([0, 1, 2])], np.array([[0], [1]]), None, 3])
def test_labels_of_several_targets_name_no_columns(labels):
    assert FeatureEffect(Predictor(Labelled(labels), numbers()), "a", grid=[0.5]).outputs == (1,)


def test_very_many_levels_are_named_as_far_as_names_fit():
    X = pd.DataFrame({"t": [f"name {i}" for i in range(300)], "a": np.arange(300.0)})
    effect = FeatureEffect(Predictor(lambda X: X["a"], X), "t")
    figure = effect.plot().draw()
    figure.canvas.draw()
    (axes,) = figure.axes
    boxes = [text.get_window_extent() for text in axes.get_yticklabels() if text.get_text()]
    boxes = sorted(boxes, key=lambda box: box.y0)
    assert 100 < len(boxes) < 300
    assert all(below.y1 <= above.y0 for below, above in itertools.pairwise(boxes))
    assert len(effect.results) == 300
    plt.close(figure)
