"""Any model, any answer, becomes floats of shape (n_rows, n_outputs) with the right names."""

from __future__ import annotations

import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from libraries import pa, pl
from numpy.testing import assert_allclose
from sklearn.ensemble import IsolationForest, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from interpret_pd import Predictor
from interpret_pd.predictor.response import as_matrix, find_response

X = pd.DataFrame({"a": [0.0, 1, 2, 3, 4, 5], "b": [1.0, 0, 1, 1, 0, 1]})
TWO = ["no", "no", "yes", "no", "yes", "yes"]
THREE = ["low", "mid", "high", "low", "mid", "high"]


class Bare:
    """An object with nothing but the methods it is given."""

    def __init__(self, classes=None, **methods):
        self.__dict__.update(methods)
        if classes is not None:
            self.classes_ = np.array(classes)


class Tensor:
    """What a deep-learning library returns: no array until it is detached and on the CPU."""

    def __init__(self, values, detached=False, host=False):
        self.values, self.detached, self.host = values, detached, host

    def detach(self):
        return Tensor(self.values, True, self.host)

    def cpu(self):
        return Tensor(self.values, self.detached, True)

    def __array__(self, dtype=None, copy=None):
        if not (self.detached and self.host):
            raise TypeError("detach first")
        return np.asarray(self.values, dtype)


def sums(Z):
    return Z["a"].to_numpy() + 2 * Z["b"].to_numpy()


WANT = sums(X)
ANSWERS = {
    "array": lambda v: v,
    "column": lambda v: v[:, None],
    "two singleton axes": lambda v: v[:, None, None],
    "float32": lambda v: v.astype("float32"),
    "int8": lambda v: v.astype("int8"),
    "list": lambda v: v.tolist(),
    "list of lists": lambda v: v[:, None].tolist(),
    "tuple": lambda v: tuple(v.tolist()),
    "series": lambda v: pd.Series(v),
    "series with another index": lambda v: pd.Series(v, index=range(100, 100 - len(v), -1)),
    "nullable series": lambda v: pd.Series(v, dtype="Float64"),
    "arrow series": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.float64())),
    "frame": lambda v: pd.DataFrame({0: v}),
    "polars series": lambda v: pl.Series(v),
    "polars frame": lambda v: pl.DataFrame({"y": v}),
    "objects": lambda v: v.astype(object),
    "decimals": lambda v: [Decimal(x) for x in v],
    "tensor": lambda v: Tensor(v),
    "matrix": lambda v: __import__("scipy.sparse").sparse.csr_matrix(v[:, None]),
    "generator": lambda v: (float(x) for x in v),
    "map": lambda v: map(float, v),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_of_any_kind_is_the_same_numbers(answer):
    got = Predictor(lambda Z: answer(sums(Z)), X).predict(X)
    assert got.dtype == np.float64
    assert got.shape == (6, 1)
    assert_allclose(got[:, 0], WANT)


@pytest.mark.parametrize("answer", [lambda v: v > 2, lambda v: pd.Series(v > 2, dtype="boolean")])
def test_truths_are_zeros_and_ones(answer):
    got = Predictor(lambda Z: answer(sums(Z)), X).predict(X)
    assert got[:, 0].tolist() == (WANT > 2).tolist()


def test_a_tensor_that_only_has_numpy_is_read_and_one_that_refuses_is_named():
    class OnlyNumpy:
        def __init__(self, values):
            self.numpy = lambda: values

    class Elsewhere:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("tensor is on another device")

    assert_allclose(Predictor(lambda Z: OnlyNumpy(sums(Z)), X).predict(X)[:, 0], WANT)
    with pytest.raises(TypeError, match=r"got an Elsewhere that it can't. It says: tensor is on another device"):
        Predictor(lambda Z: Elsewhere(), X).predict(X)


def test_one_probability_of_two_classes_is_that_of_the_positive_class():
    model = Bare(classes=["no", "yes"], predict_proba=lambda Z: np.full(len(Z), 0.3))
    assert Predictor(model, X).outputs == ("yes",)
    assert Predictor(model, X, target="yes").predict(X)[0].tolist() == [0.3]
    with pytest.raises(ValueError, match="target must be among 'yes'; got 'no'"):
        _ = Predictor(model, X, target="no").outputs


def test_missing_predictions_are_nan_not_text():
    matrix, _ = as_matrix([1, None, pd.NA], 3)
    assert np.isnan(matrix[:, 0]).tolist() == [False, True, True]


def test_auto_asks_for_probabilities_then_decisions_then_predictions_then_calls():
    probability = lambda Z: np.tile([0.25, 0.75], (len(Z), 1))  # noqa: E731
    decision = lambda Z: np.full(len(Z), 2.0)  # noqa: E731
    predict = lambda Z: np.full(len(Z), 1.0)  # noqa: E731
    everything = Bare(predict_proba=probability, decision_function=decision, predict=predict)
    assert Predictor(everything, X).predict(X)[0].tolist() == [0.75]
    assert Predictor(Bare(decision_function=decision, predict=predict), X).predict(X)[0].tolist() == [2]
    assert Predictor(Bare(predict=predict), X).predict(X)[0].tolist() == [1]
    assert Predictor(predict, X).predict(X)[0].tolist() == [1]


@pytest.mark.parametrize("method", ["predict_proba", "decision_function", "predict"])
def test_a_named_method_is_the_one_that_is_asked(method):
    model = Bare(predict_proba=lambda Z: np.ones(len(Z)), decision_function=lambda Z: 2 * np.ones(len(Z)))
    model.predict = lambda Z: 3 * np.ones(len(Z))
    want = {"predict_proba": 1, "decision_function": 2, "predict": 3}[method]
    assert Predictor(model, X, response_method=method).predict(X)[0].tolist() == [want]


def test_a_function_of_model_and_data_is_asked_with_both_and_can_be_pickled():
    predictor = Predictor(7, X, response_method=_times)
    assert_allclose(predictor.predict(X)[:, 0], 7 * WANT)
    assert pickle.loads(pickle.dumps(find_response(7, _times))).ask(X)[1] == 7 * WANT[1]


def _times(model, Z):
    return model * sums(Z)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [(TWO, "yes"), ([0, 0, 1, 0, 1, 1], 1), ([False, False, True, False, True, True], True), ([2, 2, 7, 2, 7, 7], 7)],
)
def test_two_classes_report_the_positive_one_unless_asked(labels, positive):
    model = LogisticRegression().fit(X, labels)
    probabilities = model.predict_proba(X)
    default = Predictor(model, X)
    assert default.outputs == (positive,)
    assert_allclose(default.predict(X)[:, 0], probabilities[:, 1])
    other = model.classes_[0].item()
    assert_allclose(Predictor(model, X, target=other).predict(X)[:, 0], probabilities[:, 0])
    both = Predictor(model, X, target=[positive, other])
    assert both.outputs == (positive, other)
    assert_allclose(both.predict(X), probabilities[:, ::-1])


def test_a_label_is_no_position():
    model = RandomForestClassifier(3, random_state=0).fit(X, [2, 1, 0, 2, 1, 0])
    reversed_ = Bare(classes=[2, 1, 0], predict_proba=lambda Z: model.predict_proba(Z)[:, ::-1])
    for label in (0, 1, 2):
        want = model.predict_proba(X)[:, label]
        assert_allclose(Predictor(model, X, target=label).predict(X)[:, 0], want)
        assert_allclose(Predictor(reversed_, X, target=label).predict(X)[:, 0], want)
        assert_allclose(Predictor(model, X, target=np.int64(label)).predict(X)[:, 0], want)


def test_three_classes_report_all_in_the_models_order():
    model = LogisticRegression().fit(X, THREE)
    predictor = Predictor(model, X)
    assert predictor.outputs == ("high", "low", "mid")
    assert_allclose(predictor.predict(X), model.predict_proba(X))
    for target in (("mid", "high"), ["mid", "high"], np.array(["mid", "high"]), pd.Series(["mid", "high"])):
        some = Predictor(model, X, target=target)
        assert some.outputs == ("mid", "high")
        assert_allclose(some.predict(X), model.predict_proba(X)[:, [2, 0]])


@pytest.mark.parametrize("make", [LinearSVC, SVC, LogisticRegression])
def test_the_decision_of_the_first_class_is_minus_that_of_the_second(make):
    model = make().fit(X, TWO)
    decision = model.decision_function(X)
    asked = {"response_method": "decision_function"}
    assert_allclose(Predictor(model, X, **asked).predict(X)[:, 0], decision)
    assert_allclose(Predictor(model, X, target="yes", **asked).predict(X)[:, 0], decision)
    assert_allclose(Predictor(model, X, target="no", **asked).predict(X)[:, 0], -decision)


def test_a_detector_is_asked_for_its_decision():
    model = IsolationForest(n_estimators=5, random_state=0).fit(X)
    predictor = Predictor(model, X)
    assert predictor.response.method == "decision_function"
    assert predictor.outputs == (0,)
    assert_allclose(predictor.predict(X)[:, 0], model.decision_function(X))


def test_the_columns_of_a_frame_name_the_outputs():
    model = lambda Z: pd.DataFrame({"Yes": sums(Z), "No": -sums(Z)}, index=range(len(Z), 0, -1))  # noqa: E731
    assert Predictor(model, X).outputs == ("Yes", "No")
    assert_allclose(Predictor(model, X, target="No").predict(X)[:, 0], -WANT)


def test_unnamed_outputs_are_called_by_their_position():
    model = LinearRegression().fit(X, X[["b", "a"]].to_numpy())
    assert Predictor(model, X).outputs == (0, 1)
    assert_allclose(Predictor(model, X, target=1).predict(X)[:, 0], X["a"], atol=1e-12)
    assert_allclose(Predictor(model, X, target=[1, 0]).predict(X), X[["a", "b"]], atol=1e-12)


def test_several_classifications_at_once_say_what_to_do():
    model = MultiOutputClassifier(LogisticRegression()).fit(X, np.column_stack([TWO, THREE]))
    with pytest.raises((ValueError, TypeError), match=r"predictions|the model must return"):
        _ = Predictor(model, X).outputs


def test_classes_of_a_model_are_no_names_for_another_number_of_columns():
    model = Bare(classes=["a", "b", "c"], predict_proba=lambda Z: np.tile([0.5, 0.5], (len(Z), 1)))
    assert Predictor(model, X).outputs == (1,)


@pytest.mark.parametrize(
    ("model", "asked", "label"),
    [
        (LogisticRegression().fit(X, TWO), {}, "Predicted probability of yes"),
        (LogisticRegression().fit(X, TWO), {"target": "no"}, "Predicted probability of no"),
        (LogisticRegression().fit(X, THREE), {}, "Predicted probability"),
        (LogisticRegression().fit(X, TWO), {"response_method": "decision_function"}, "Predicted log-odds of yes"),
        (
            make_pipeline(StandardScaler(), LogisticRegression()).fit(X, TWO),
            {"response_method": "decision_function"},
            "Predicted log-odds of yes",
        ),
        (LinearSVC().fit(X, TWO), {}, "Decision function of yes"),
        (LinearRegression().fit(X, X["a"]), {}, "Prediction"),
        (sums, {}, "Prediction"),
    ],
)
def test_the_axis_says_what_is_on_it(model, asked, label):
    assert Predictor(model, X, **asked).value_label == label
