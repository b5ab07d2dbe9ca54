"""A predictor: the model wrapped with its background data, as one function from rows to (n_rows, n_outputs)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.features import Feature, has_axis, read_feature
from interpret_pd.frames import Table, as_table
from interpret_pd.frames.large import checked_rows
from interpret_pd.predictor.memo import Memo
from interpret_pd.predictor.pace import Pace
from interpret_pd.predictor.response import Selection, find_response, select
from interpret_pd.predictor.sampling import Whole, sampled
from interpret_pd.predictor.source import Source
from interpret_pd.predictor.stopping import Stop

ENGINES = ("auto", "brute", "trees", "recursion")


class Predictor:
    """A model together with the data that its effects are averaged over.

    Everything in this package starts here: the predictor asks the model in the container and with the dtypes that it
    was fitted on, whatever they are, and gives back one array of shape (n_rows, n_outputs). The data are the
    *background data*: a partial dependence is the average over them, with their weights.

    Parameters
    ----------
    model : estimator or callable
        Anything with `predict_proba`, `decision_function` or `predict`, or a function `f(X)`. It may return an array,
        list, series, frame (whose columns name the outputs) or tensor, of shape (n,), (n, 1) or (n, K).
    X : data frame or array of shape (n, p)
        The background data: pandas, polars, pyarrow or numpy. The model sees copies of this container; the data
        themselves are never changed, and they are not copied.
    response_method : str or callable, default "auto"
        `"predict_proba"`, `"decision_function"`, `"predict"`, or a function `f(model, X)`. `"auto"` is the first of
        these methods that the model has.
    target : label or list of labels, optional
        The class(es) or output(s) to explain. By default the positive class of two, and all of more.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows in every average.
    categorical : list of features, optional
        Columns of numbers that are really levels.
    feature_names : list of str, optional
        Names for the columns of an array; `x0`, `x1`, ... by default.
    engine : {"auto", "brute", "trees", "recursion"}, default "auto"
        `"trees"` computes the same averages from the nodes of a tree ensemble, and raises if the model isn't one that
        it can read exactly; `"auto"` does so where it can and pays, and predicts otherwise. `"recursion"` is
        scikit-learn's path-dependent curve: another quantity, never chosen automatically, and labelled wherever it is
        shown.
    batch_rows : int or "auto", default "auto"
        The most rows in one call of the model; `"auto"` learns from the calls what suits the model.
    n_jobs : int, optional
        Number of joblib workers, -1 for all cores: threads, for models that release the GIL, or what
        `joblib.parallel_config` says, processes or a cluster. None is what that says, else 1.
    progress : bool, callable or "auto", default "auto"
        A bar on work of more than two seconds, in a terminal or a notebook; True also elsewhere, False never. A
        callable is called with (rows predicted, rows in all) after each call of the model.
    rows : int or "all", optional
        For data that don't fit into memory: a dask DataFrame, a polars LazyFrame, or the path of parquet data (which
        the model sees as a pandas frame). So many rows, drawn uniformly in one pass, are the background data; limits,
        levels and quantiles of the axes are those of the whole. (Quantiles of a column with more than 100,000 different
        values, if an axis is laid out by them, take two more passes over that column; no single pass finds them in
        bounded memory.) `"all"`, for a dask DataFrame: a partial dependence is the average over every partition,
        exactly; all else is of 10,000 rows.
    random_state : int, default 0
        Seed of that draw.

    Raises
    ------
    TypeError
        If the model can't be asked, or the data are no data frame and no 2-D array.
    ValueError
        If an argument has a value that it can't have; the message says which.

    References
    ----------
    Molnar, C., Bischl, B. and Casalicchio, G. (2018). iml: An R package for interpretable machine learning.
    Journal of Open Source Software 3(26), 786. doi:10.21105/joss.00786.

    Examples
    --------
    >>> from interpret_pd import Predictor, load_bike
    >>> bike = load_bike()[["temp", "hum", "season"]]
    >>> predictor = Predictor(lambda X: 100 * X["temp"], bike)
    >>> predictor
    Predictor(function, 731 rows x 3 features, response='callable', engine='auto')
    >>> predictor.predict(bike.head(2)).shape
    (2, 1)
    """

    @door
    def __init__(
        self,
        model: Any,
        X: Any,
        *,
        response_method: str | Callable[[Any, Any], Any] = "auto",
        target: Any = None,
        sample_weight: Any = None,
        categorical: Sequence[Hashable] | None = None,
        feature_names: Sequence[str] | None = None,
        engine: str = "auto",
        batch_rows: int | str = "auto",
        n_jobs: int | None = None,
        progress: bool | str | Callable[[int, int], None] = "auto",
        rows: int | str | None = None,
        random_state: Any = 0,
    ) -> None:
        self.model = model
        self.response = find_response(model, response_method)
        self.whole: Whole | None = None  # the data that the rows are a sample of
        checks.generator("random_state", random_state)
        if (rows := checked_rows(rows, X)) is not None:
            X, self.whole = sampled(X, rows, random_state, sample_weight)
        self.table: Table = as_table(X, feature_names)
        self.target = target
        self.source = Source(self.response, self.table, target)  # what travels to workers
        self.weights = _weights(sample_weight, self.table.n_rows)
        self.categorical = _categorical(categorical, self.table)
        self.engine = checks.one_of("engine", engine, ENGINES)
        if self.whole is not None and self.whole.partitions is not None:
            if engine == "trees":
                raise checks.must_be("engine", "'auto' or 'brute' for rows='all'", engine)
            self.engine = "brute"
        self.pace = Pace(batch_rows, self.table.row_bytes)
        self.n_jobs = _jobs(n_jobs)
        self.progress = _progress(progress)
        self.stop: Stop | None = None  # of a view: when enough rows are averaged
        self.calls = [0]  # of the model; a list, for views of the predictor count for themselves
        self.cache = Memo({"features": {}})
        if target is not None and self.response.classes is not None:
            select(self.response, len(self.response.classes), None, target)  # a label that isn't there fails here

    @property
    def feature_names(self) -> tuple[Hashable, ...]:
        """The columns of the background data."""
        return self.table.names

    @property
    def n_rows(self) -> int:
        """n, the number of background rows."""
        return self.table.n_rows

    @property
    def case_weights(self) -> NDArray[np.float64]:
        """The weight of every background row, 1 where none was given, (n,)."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @property
    @door
    def outputs(self) -> tuple[Hashable, ...]:
        """The names of the K outputs: class labels, column names, or positions."""
        return self.selection.names

    @property
    def selection(self) -> Selection:
        """Which of the model's columns are the outputs; asks for one row if the model wasn't asked before."""
        if "selection" not in self.cache:
            self.ask(self.table.replace(np.array([0]), {}))
        return self.cache["selection"]

    @property
    def ensemble_reason(self) -> str | None:
        """Why the tree engine wasn't used, if it was tried in vain."""
        return self.cache.get("refusal")

    @door
    def predict(self, X: Any) -> NDArray[np.float64]:
        """The model's predictions for rows in the background data's container, (n_rows, K).

        Parameters
        ----------
        X : data frame or array of shape (n_rows, p)
            Rows like those of the background data; a model that edits its input edits a copy.

        Returns
        -------
        float array of shape (n_rows, K)
            A column per output.

        Raises
        ------
        TypeError
            If `X` is no data frame and no 2-D array.
        """
        if len(getattr(X, "shape", ())) != 2:
            hint = "Use rows like the background data's."
            raise checks.wrong_type("X", "a data frame or a 2-D array", checks.article(type(X).__name__), hint)
        return self.ask(X.clone() if hasattr(X, "clone") else copy.deepcopy(X))

    def ask(self, X: Any) -> NDArray[np.float64]:
        """Predictions for rows that the model may keep or edit, (n_rows, K)."""
        answer = self.answer(X)
        return self.selection.of(answer)

    def answer(self, X: Any) -> NDArray[np.float64]:
        """All columns that the model returns for rows that it may keep or edit, (n_rows, k)."""
        self.calls[0] += 1
        matrix, selection = self.source.answer(X)
        self.cache.setdefault("selection", selection)
        return matrix

    @door
    def feature(self, feature: Any) -> Feature:
        """The feature of that name (or, for an array, position)."""
        name, known = self.table.resolve(feature), self.cache["features"]
        if name not in known:
            found = read_feature(self.table, name, name in self.categorical)
            known[name] = found if self.whole is None else self.whole.completed(found)
        return known[name]

    def chosen(self, features: Sequence[Any] | None, least: int = 1) -> tuple[Feature, ...]:
        """The features asked for, all by default; raises if one comes twice or there are too few."""
        asked = self.feature_names if features is None else features
        found = tuple(self.feature(name) for name in checks.several(asked))
        names = tuple(feature.name for feature in found)
        if len(set(names)) < len(names):
            raise checks.refused(f"features must differ; got {checks.shown(names)}.")
        if len(names) < least:
            raise checks.must_be("features", f"at least {least} feature{'s' if least > 1 else ''}", names)
        return found

    @door
    def support(self, features: Sequence[Any] | None = None) -> pd.DataFrame:
        """How far the data support the partial dependence of each feature: where it is low, look at ALE.

        Parameters
        ----------
        features : list of features, optional
            All by default.

        Returns
        -------
        DataFrame
            Worst first: `feature`; `mean_support`, over where the data are, and `min_support` along the axis, from 0
            (the rows that an average invents are far from any data) to 1; and `associated_with`, the features that go
            most with it, with their canonical correlation (of ranks and indicators). No model is asked.
        """
        from interpret_pd.predictor.support import support_table

        return support_table(self, features)

    def present_features(self) -> list[Feature]:
        """The features that have any value at all, and values that have an axis."""
        known, levels = self.cache["features"], self.categorical
        names = [name for name in self.feature_names if name in known or has_axis(self.table, name, name in levels)]
        return [self.feature(name) for name in names]

    @property
    def value_label(self) -> str:
        """What the predictions are: "Predicted probability of yes", "Predicted log-odds of yes", "Prediction"."""
        label, outputs = self.response.label, self.outputs
        if len(outputs) > 1 or (outputs == (0,) and self.response.classes is None):
            return label
        return f"{label} of {outputs[0]}"

    def __repr__(self) -> str:
        model = checks.cut(type(self.model).__name__)
        size = f"{self.n_rows} rows x {len(self.feature_names)} features"
        why = f", not trees: {checks.cut(self.ensemble_reason)}" if self.ensemble_reason else ""
        return f"Predictor({model}, {size}, response={self.response.method!r}, engine={self.engine!r}{why})"


def _weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weights as floats of shape (n,), or None."""
    if sample_weight is None:
        return None
    try:
        weights = _numbers(sample_weight)
    except (TypeError, ValueError):
        raise checks.wrong_type("sample_weight", "numbers, one per row", checks.shown(sample_weight)) from None
    if weights.shape != (n_rows,):
        got = len(weights) if weights.ndim == 1 else f"an array of shape {weights.shape}"
        got = checks.shown(sample_weight) if weights.ndim == 0 else got
        raise checks.refused(f"sample_weight must have one entry per row ({n_rows}); got {got}.")
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(wrong) or not weights.sum() > 0:
        got = f"{weights[wrong[0]]} in row {wrong[0]}" if len(wrong) else "only zeros"
        raise checks.refused(f"sample_weight must be finite, non-negative, with a positive sum; got {got}.")
    return weights


def _numbers(values: Any) -> NDArray[np.float64]:
    """Values as floats; raises for dates and for text, be it that of a number."""
    array = np.asarray(values)
    if array.dtype.kind not in "biufO" or any(isinstance(value, str) for value in array.flat if array.dtype == object):
        raise TypeError(array.dtype)
    return np.asarray(array, dtype=float)


def _categorical(categorical: Any, table: Table) -> frozenset[Hashable]:
    """The names of the columns that are declared to be levels."""
    if categorical is None:
        return frozenset()
    names = [categorical] if isinstance(categorical, str | int) else checks.items(categorical)
    names = [True] if names is None else names
    if any(isinstance(name, bool | np.bool_) for name in names):
        raise checks.must_be("categorical", "a list of features", categorical)
    return frozenset(table.resolve(name, "categorical") for name in names)


def _jobs(n_jobs: int | None) -> int | None:
    """None, -1 (all cores) or a number of workers."""
    if n_jobs is None:
        return None
    if not (number := checks.index(n_jobs)):
        raise checks.must_be("n_jobs", "None, a positive number, or -1 for all cores", n_jobs)
    return number


def _progress(progress: Any) -> Any:
    """True, False, "auto" or a callable."""
    if (
        not callable(progress)
        and not isinstance(progress, bool)
        and not (isinstance(progress, str) and progress == "auto")
    ):
        raise checks.must_be("progress", "True, False, 'auto' or a callable", progress)
    return progress
