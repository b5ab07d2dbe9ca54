"""An engine: how predictions are obtained, by brute force or from the nodes of a tree ensemble.

Both give the same numbers. `run` chooses for a whole computation, so that the caller can say which engine ran; `Exact` is
the tree engine at work on a predictor's background data.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd.frames import Table, reading
from interpret_pd.frames.base import Column, Rows
from interpret_pd.predictor import Predictor
from interpret_pd.response import Selection
from interpret_pd.trees import Ensemble, NotExact, prove, read

Values = NDArray[np.float64]

FIRST, LATER = 20_000, 2_000  # predictions worth the trees, before and after the model has been read
PROOF_ROWS = 64
MANY = 1_000_000  # predictions worth a hint that the trees would be faster


class Ran(NamedTuple):
    """A result, the engine that made it, the calls of the model and the seconds that it took."""

    result: Any
    engine: str
    calls: int
    seconds: float


def run(predictor: Predictor, predictions: int, compute: Callable[[Predictor], Any]) -> Ran:
    """The result of `compute` with a predictor whose engine is settled.

    `"auto"` takes the trees where the job is large enough to pay for reading the model, and brute force where a reader
    refuses; the reason is kept in `predictor.ensemble_reason`. Nothing but `NotExact` is caught.
    """
    begin = time.perf_counter()
    view = copy.copy(predictor)  # data, caches and pace are shared
    view.calls = [0]
    small = predictions < (LATER if "exact" in predictor.cache else FIRST)
    if predictor.engine != "brute" and not (predictor.engine == "auto" and small):
        try:
            exact(view)
            view.engine = "trees"
            return Ran(compute(view), "trees", view.calls[0], time.perf_counter() - begin)
        except NotExact as refusal:
            if predictor.engine == "trees":
                raise ValueError(f"engine='trees' needs a sum of trees: {refusal}. Use engine='auto'.") from refusal
            predictor.cache["refusal"] = str(refusal)
            _hint(str(refusal), predictions)
    view.engine = "brute"
    return Ran(compute(view), "brute", view.calls[0], time.perf_counter() - begin)


def _hint(refusal: str, predictions: int) -> None:
    """Says once per process that an extra would be faster, if the job is large enough to matter."""
    if "pip install" in refusal and predictions > MANY and not _hint.__dict__.get("given"):
        _hint.__dict__["given"] = True
        logging.getLogger("interpret_pd").warning("The same numbers sooner: %s", refusal)


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """The trees of a predictor's model over its background data.

    Attributes
    ----------
    ensemble : Ensemble
        The trees, proved to give the model's own predictions.
    matrix : float array of shape (n, p)
        The background data as the trees compare them.
    selection : Selection
        Which of the model's columns are the outputs.
    """

    ensemble: Ensemble
    table: Table
    matrix: Values
    selection: Selection
    n_jobs: int

    def average(self, points: Mapping[Hashable, Column], rows: Rows, weights: Values) -> Values:
        """The weighted mean over the rows at each point, (K, m)."""
        columns, values = self._points(points)
        X, jobs = self.matrix[rows], self.n_jobs
        if len(columns) == 1:
            means = self.ensemble.average(X, weights, [(columns[0], values[:, 0])], jobs)
        else:
            means = self.ensemble.average_at(X, weights, columns, values, jobs)
        return self._outputs(means).T * weights.sum()  # (m, K) -> (K, m)

    def averages(self, sets: list[Mapping[Hashable, Column]], rows: Rows, weights: Values) -> list[Values]:
        """The averages of many features, each for itself, in one walk per row and tree, a list of (K, m_j)."""
        axes = []
        for points in sets:
            columns, values = self._points(points)
            axes.append((columns[0], values[:, 0]))
        means = self.ensemble.averages(self.matrix[rows], weights, axes, self.n_jobs)
        return [self._outputs(mean).T * weights.sum() for mean in means]

    def cube(self, points: Mapping[Hashable, Column], rows: Rows) -> Values:
        """Each of the rows at every point of one feature or two, (r, m, K)."""
        columns, values = self._points(points)
        if len(columns) == 1:
            return self._outputs(self.ensemble.cube(self.matrix[rows], [(columns[0], values[:, 0])], self.n_jobs))
        distinct = [np.unique(one, return_inverse=True) for one in values.T]
        axes = [(column, points) for column, (points, _) in zip(columns, distinct, strict=True)]
        place = np.ravel_multi_index([inverse for _, inverse in distinct], [len(points) for points, _ in distinct])
        return self._outputs(self.ensemble.cube(self.matrix[rows], axes, self.n_jobs)[:, place])

    def at(self, rows: Rows, columns: Mapping[Hashable, Column]) -> Values:
        """Every row once, with its own values in some columns, (K, r)."""
        X = self.matrix[rows]
        places, values = self._points(columns)
        X[:, places] = values
        return self._outputs(self.ensemble.predict(X)).T  # (r, K) -> (K, r)

    def _points(self, points: Mapping[Hashable, Column]) -> tuple[list[int], Values]:
        """The columns' positions and their values as the trees compare them, (m, c)."""
        places = [self.table.names.index(name) for name in points]
        pairs = zip(places, points.values(), strict=True)
        encoded = [_encoded(self.ensemble, self.table, place, self.table.series(column)) for place, column in pairs]
        return places, np.column_stack(encoded)

    def _outputs(self, values: Values) -> Values:
        """The outputs among the model's columns, (..., k) -> (..., K)."""
        return self.selection.sign * values[..., list(self.selection.columns)]


def exact(predictor: Predictor) -> Exact:
    """The predictor's trees, read and proved once; raises `NotExact` if the model can't be walked exactly."""
    if "exact" not in predictor.cache:
        predictor.cache["exact"] = _read(predictor)
    found = predictor.cache["exact"]
    if isinstance(found, NotExact):
        raise found
    assert isinstance(found, Exact)  # noqa: S101  (for the type checker)
    return found


def _read(predictor: Predictor) -> Exact | NotExact:
    """The trees over the background data, proved on some rows; or the refusal."""
    table, response = predictor.table, predictor.response
    try:
        if response.method == "callable":
            raise NotExact("the model is a function")
        categories = [j for j, name in enumerate(table.names) if isinstance(table.read(name).dtype, pd.CategoricalDtype)]
        ensemble = read(predictor.model, response.method, [str(name) for name in table.names], categories)
        columns = [_encoded(ensemble, table, j, table.read(name)) for j, name in enumerate(table.names)]
        matrix = np.column_stack(columns)
        rows = _proof_rows(ensemble, matrix)
        prove(ensemble, matrix[rows], predictor.answer(table.replace(rows, {})))
    except NotExact as refusal:
        return refusal
    return Exact(ensemble, table, matrix, predictor.selection, predictor.n_jobs or 1)


def _encoded(ensemble: Ensemble, table: Table, place: int, column: pd.Series) -> Values:
    """A column as the numbers that the trees compare, (m,)."""
    if ensemble.categories[place] is not None:
        values = column.astype(object).to_numpy(dtype=object, copy=True)
        values[pd.isna(values)] = None
        return ensemble.encode(place, values)
    if pd.api.types.is_bool_dtype(column.dtype) or reading.kind_of(column) == "numeric":
        return reading.numbers(column.astype("Float64") if column.dtype == "boolean" else column)
    raise NotExact(f"column {table.names[place]!r} holds {column.dtype} values, not numbers")


def _proof_rows(ensemble: Ensemble, matrix: Values) -> Rows:
    """Up to 64 rows, spread over the data, that the model can take."""
    fit = np.ones(len(matrix), bool)
    if not ensemble.dialect.missing:
        fit &= ~np.isnan(matrix).any(axis=1)
    if not ensemble.dialect.infinite:
        fit &= ~np.isinf(matrix).any(axis=1)
    rows = np.flatnonzero(fit)
    if not len(rows):
        raise NotExact("no row of the background data is complete, so that the trees can't be proved")
    return rows[np.unique(np.linspace(0, len(rows) - 1, PROOF_ROWS).astype(int))]
