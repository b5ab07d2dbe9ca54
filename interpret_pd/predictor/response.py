"""A response: how a model is asked, and how its answer becomes an array of shape (n_rows, n_outputs).

The only room that knows what models look like. Estimators are recognised by the methods they have, never by their
class, so that an object with nothing but `predict_proba` is as welcome as scikit-learn's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks

METHODS = ("predict_proba", "decision_function", "predict")  # in the order in which "auto" looks for them
LOG_ODDS = {  # estimators whose decision function is the logarithm of the odds
    "LogisticRegression",
    "LogisticRegressionCV",
    "LinearDiscriminantAnalysis",
    "GradientBoostingClassifier",
    "HistGradientBoostingClassifier",
}


@dataclass(frozen=True, slots=True)
class Response:
    """How the model is asked.

    Attributes
    ----------
    method : str
        `"predict"`, `"predict_proba"`, `"decision_function"` or `"callable"`.
    ask : callable
        From rows to the model's raw answer.
    classes : tuple or None
        The class labels in the order of the model's columns, if it has any.
    log_odds : bool
        Whether the answer is known to be a log-odds.
    """

    method: str
    ask: Callable[[Any], Any]
    classes: tuple[Hashable, ...] | None = None
    log_odds: bool = False

    @property
    def label(self) -> str:
        """What the numbers are, as an axis says it."""
        if self.method == "predict_proba":
            return "Predicted probability"
        if self.method == "decision_function":
            return "Predicted log-odds" if self.log_odds else "Decision function"
        return "Prediction"


@dataclass(frozen=True, slots=True)
class Asker:
    """A user's `f(model, X)` as a function of X alone; unlike a closure it can be pickled."""

    function: Callable[[Any, Any], Any]
    model: Any

    def __call__(self, X: Any) -> Any:  # noqa: D102
        return self.function(self.model, X)


def find_response(model: Any, response_method: Any) -> Response:
    """The response that `response_method` asks for; raises if the model has none such."""
    if isinstance(model, type):
        hint = f"Use a fitted instance of {model.__name__}."
        raise checks.wrong_type("model", "a fitted estimator or a function f(X)", f"the class {model.__name__}", hint)
    if not isinstance(response_method, str) and callable(response_method):
        return Response("callable", Asker(response_method, model))
    checks.one_of("response_method", response_method, ("auto", *METHODS))
    has = [name for name in METHODS if callable(getattr(model, name, None))]  # a wrapper may have set one to None
    if response_method == "auto":
        if not has:
            return Response("callable", _function(model))
        response_method = has[0]
    if response_method not in has:
        if not has:
            raise checks.must_be("response_method", "'auto' for a function f(X)", response_method)
        raise checks.must_be("response_method", f"a method of the model ({checks.listed(has)})", response_method)
    last = getattr(model, "_final_estimator", model)  # of a pipeline
    classes = _classes(model, response_method)
    two = response_method == "decision_function" and classes is not None and len(classes) == 2
    return Response(response_method, getattr(model, response_method), classes, two and type(last).__name__ in LOG_ODDS)


def _function(model: Any) -> Callable[[Any], Any]:
    """The model as a plain function of X."""
    if not callable(model):
        what = "an estimator with predict_proba, decision_function or predict, or a function f(X)"
        raise checks.wrong_type("model", what, checks.article(type(model).__name__))
    return model


def _classes(model: Any, method: str) -> tuple[Hashable, ...] | None:
    """The class labels as plain Python values, if the model has them and the method has a column per class."""
    classes = getattr(model, "classes_", None) if method != "predict" else None
    if not isinstance(classes, Iterable) or any(np.ndim(label) for label in classes):  # labels of several targets
        return None
    return tuple(classes.tolist() if hasattr(classes, "tolist") else classes)


def as_matrix(raw: Any, n_rows: int) -> tuple[NDArray[np.float64], list[Hashable] | None]:
    """The model's answer as floats of shape (n_rows, k), and its columns' names if it has any."""
    names = list(raw.columns) if hasattr(raw, "columns") else None
    if isinstance(raw, list) and len(raw) > 1 and all(_is_table(part, n_rows) for part in raw):
        hint = "Use response_method=lambda model, X: model.predict_proba(X)[0] for the classes of the first."
        raise checks.wrong_type("predictions", "of one target", f"a list of {len(raw)} tables, one per target", hint)
    array = _as_array(raw)
    if array.ndim == 0 or len(array) != n_rows:
        rows, came = f"{n_rows} row{'s' if n_rows != 1 else ''}", len(array) if array.ndim else "a single number"
        raise checks.refused(f"the model must return one prediction per row; for {rows} it returned {came}.")
    while array.ndim > 2 and array.shape[-1] == 1:
        array = array[..., 0]
    if array.ndim > 2:
        hint = "Use a function that returns the columns you want."
        raise checks.refused(checks.sentence("predictions", "of shape (n,) or (n, K)", f"shape {array.shape}", hint))
    if not array.size:
        raise checks.refused(checks.sentence("predictions", "of shape (n,) or (n, K)", f"shape {array.shape}"))
    matrix = array.reshape(n_rows, -1)  # (n,) -> (n, 1)
    return matrix if matrix.dtype == np.float64 else _as_floats(matrix), names


def _is_table(part: Any, n_rows: int) -> bool:
    """Whether a part of the answer is itself an array with a row per row of data."""
    return getattr(part, "ndim", 0) == 2 and len(part) == n_rows


def _as_array(raw: Any) -> NDArray[Any]:
    """Whatever the model returned as an array: tensors are detached, series and frames give their values."""
    for step in ("detach", "cpu", "numpy"):
        raw = getattr(raw, step)() if callable(getattr(raw, step, None)) else raw
    if hasattr(raw, "toarray"):
        return raw.toarray()
    if isinstance(raw, np.ma.MaskedArray):  # what lies under the mask is no prediction
        return np.ma.filled(raw.astype(float), np.nan)
    if callable(getattr(raw, "to_numpy", None)):
        return np.asarray(raw.to_numpy())
    if isinstance(raw, dict | str | bytes) or raw is None:
        raise checks.wrong_type(
            "predictions", "an array, a list, a series or a frame", checks.article(type(raw).__name__)
        )
    raw = list(raw) if isinstance(raw, Iterator) else raw
    try:
        return np.asarray(raw)
    except ValueError:  # ragged lists
        hint = "Use a function that returns one row of numbers per row of data."
        raise checks.wrong_type("predictions", "rectangular", f"a ragged {type(raw).__name__}", hint) from None
    except (TypeError, RuntimeError) as error:  # a tensor on a device, say
        got, hint = checks.article(type(raw).__name__), f"It says: {error}"
        raise checks.wrong_type("predictions", "what np.asarray can take", f"{got} that it can't", hint) from error


def _as_floats(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Float64, so that averages are taken in double precision whatever the model computes in."""
    try:
        if matrix.dtype.kind in "cMmUS":
            raise TypeError(matrix.dtype)
        return matrix.astype(np.float64) if matrix.dtype != object else _from_objects(matrix)
    except (TypeError, ValueError):
        example = checks.shown(matrix.flat[0])
        hint = "Use response_method='predict_proba' or a function that returns numbers."
        raise checks.wrong_type("predictions", "numbers", f"values such as {example}", hint) from None


def _from_objects(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Objects (None, NA, Decimal, Python numbers) as floats."""
    import pandas as pd

    if any(isinstance(value, str) for value in matrix.flat):
        raise TypeError("text")
    return np.where(pd.isna(matrix), np.nan, matrix).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which columns of the answer are the outputs, what they are called, and their sign."""

    columns: tuple[int, ...]
    names: tuple[Hashable, ...]
    sign: float = 1.0

    def of(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The outputs, (n, K)."""
        if len(self.columns) == matrix.shape[1] and self.sign == 1.0 and self.columns == (*range(len(self.columns)),):
            return matrix
        return self.sign * matrix[:, self.columns]


def select(response: Response, k: int, named: Sequence[Hashable] | None, target: Any) -> Selection:
    """The outputs among an answer's k columns: the targets asked for, else the positive class of two, else all."""
    classes = response.classes
    if k == 1 and response.method == "decision_function" and classes is not None and len(classes) == 2:
        wanted = [classes[1]] if target is None else _picked(target, list(classes))
        if len(wanted) == 1:  # the score of the first class is that of the second, negated
            return Selection((0,), tuple(wanted), 1.0 if wanted == [classes[1]] else -1.0)
        raise checks.must_be("target", "one class: the decision function has one column", target)
    if named is not None:
        names = [i if name is None or name != name else name for i, name in enumerate(named)]  # unnamed: its position
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise checks.refused(
                f"predictions must have unique column names; got {checks.shown(twice)} more than once."
            )
    elif classes is not None and k == 1 < len(classes) == 2 and response.method == "predict_proba":
        names = [classes[1]]  # one probability of two is that of the positive class
    else:
        names = list(classes) if classes is not None and len(classes) == k else list(range(k))
    if target is not None:
        wanted = _picked(target, names)
    else:
        wanted = names[1:] if response.method == "predict_proba" and k == 2 else names
    return Selection(tuple(names.index(name) for name in wanted), tuple(wanted))


def _picked(target: Any, names: list[Hashable]) -> list[Hashable]:
    """The names that a target, or a list of targets, asks for."""
    target = target.item() if getattr(target, "ndim", None) == 0 else target
    several = isinstance(target, list | set | range) or (isinstance(target, tuple) and target not in names)
    several |= hasattr(target, "tolist") and np.ndim(target) == 1
    wanted = list(target) if several else [target]
    places = []
    for label in wanted:
        if (place := _place(label, names)) is None:
            hint = checks.suggest(label, names)
            raise checks.must_be("target", f"among {checks.listed(names)}", label, hint)
        places.append(place)
    if not wanted or len(set(wanted)) < len(wanted):
        raise checks.must_be("target", "one or several different outputs", target)
    return [names[place] for place in places]


def _place(label: Any, names: list[Hashable]) -> int | None:
    """Where a label is among the names, if it is; True is not 1 here."""
    truth = isinstance(label, bool | np.bool_)
    if not isinstance(label, Hashable):
        return None
    alike = (i for i, name in enumerate(names) if name == label and isinstance(name, bool | np.bool_) == truth)
    return next(alike, None)
