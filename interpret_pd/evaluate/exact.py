"""Exact: the trees of a predictor's model at work on its background data.

The trees compare numbers. A *layout* says which: the columns of the data themselves, or, behind a pipeline, the columns
that its steps made of them; an axis of a feature is then those of them that the feature moves.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.frames import Table, reading
from interpret_pd.frames.base import Column, Rows
from interpret_pd.frames.numpy_table import NumpyTable
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.response import Selection
from interpret_pd.trees import Ensemble, NotExact, Preparation, group_averages, is_of, moved, prove, read, unwrap

Values = NDArray[np.float64]
Axis = tuple[int | tuple[int, ...], Values]  # the column(s) that a feature is, and its points' values in them
Points = Mapping[Hashable, Column]

PROOF_ROWS, PROOF_MORE = 64, 960  # all over the data, and the most of those that are special in some column
SINGLE = 2.0**24  # beyond it not every whole number has a float of 32 bits


class Layout(Protocol):
    """How data become the numbers that the trees compare."""

    def rows(self, rows: Rows, columns: Points) -> Values:
        """Background rows with some columns replaced, row by row, (r, q)."""

    def axis(self, name: Hashable, column: Column) -> Axis:
        """A feature's points."""


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """Every column of the data is one that the trees compare."""

    ensemble: Ensemble
    table: Table

    def rows(self, rows: Rows, columns: Points) -> Values:  # noqa: D102
        table = self.table
        own = {name: columns.get(name, table.pick(table.column(name), rows)) for name in table.names}
        return np.column_stack([self._encoded(place, column) for place, column in enumerate(own.values())])

    def axis(self, name: Hashable, column: Column) -> Axis:  # noqa: D102
        place = self.table.names.index(name)
        return place, self._encoded(place, column)

    def _encoded(self, place: int, native: Column) -> Values:
        """A column as numbers, (m,)."""
        column = self.table.series(native)
        if self.ensemble.categories[place] is not None:
            values = column.astype(object).to_numpy(dtype=object, copy=True)
            values[pd.isna(values)] = None
            return self.ensemble.encode(place, values)
        truths = pd.api.types.is_bool_dtype(column.dtype) and not isinstance(column.dtype, pd.CategoricalDtype)
        if truths or reading.kind_of(column) == "numeric":
            return reading.numbers(column.astype("Float64") if column.dtype == "boolean" else column)
        raise NotExact(f"column {checks.shown(self.table.names[place])} holds {column.dtype} values, not numbers")


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The columns that a pipeline's steps, each of which treats columns one by one, make of the data."""

    prepare: Preparation
    ensemble: Ensemble
    table: Table
    first: Values  # the first row, prepared, (1, q)
    moves: dict[Hashable, tuple[int, ...]] = field(default_factory=dict)

    def rows(self, rows: Rows, columns: Points) -> Values:  # noqa: D102
        return self.encoded(self.prepare(self.table.replace(rows, columns)))

    def encoded(self, prepared: Values) -> Values:
        """Prepared rows, the numbers of categories by their positions, (r, q)."""
        known = [j for j, categories in enumerate(self.ensemble.categories) if categories is not None]
        prepared = prepared.copy() if known else prepared
        for j in known:
            prepared[:, j] = self.ensemble.encode(j, prepared[:, j])
        return prepared

    def axis(self, name: Hashable, column: Column) -> Axis:  # noqa: D102
        if name not in self.moves:  # the columns that the feature's own values move
            self.moves[name] = moved(self._copies(name, self.table.column(name)))
        points = self._copies(name, column)
        own = self.encoded(self.first)  # where the feature is constant, one point moves it all the same
        columns = tuple(sorted({*self.moves[name], *moved(np.concatenate([own, points]))}))
        return (columns[0], points[:, columns[0]]) if len(columns) == 1 else (columns, points[:, columns])

    def _copies(self, name: Hashable, column: Column) -> Values:
        """Copies of the first row with the column's values in place of its own, prepared, (m, q)."""
        return self.rows(np.zeros(len(column), int), {name: column})


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """The trees of a predictor's model over its background data.

    Attributes
    ----------
    ensemble : Ensemble
        The trees, proved to give the model's own predictions.
    layout : Layout
        How data become the numbers that the trees compare.
    matrix : float array of shape (n, q)
        The background data so.
    selection : Selection
        Which of the model's columns are the outputs.
    n_jobs : int
        The number of threads.
    """

    ensemble: Ensemble
    layout: Layout
    matrix: Values
    selection: Selection
    n_jobs: int

    def average(self, points: Points, rows: Rows, weights: Values) -> Values:
        """The weighted sum over the rows at each point of one feature or two, (K, m)."""
        axes, X = self._axes(points), self.matrix[rows]
        if len(axes) == 1:
            means = self.ensemble.average(X, weights, axes, self.n_jobs)
        else:
            values = np.column_stack([values for _, values in axes])
            means = self.ensemble.average_at(X, weights, [column for column, _ in axes], values, self.n_jobs)
        return self._outputs(means).T * weights.sum()  # (m, K) -> (K, m)

    def group_averages(self, sets: Sequence[Points], rows: Rows, weights: Values, groups: Rows) -> list[Values]:
        """The weighted sums of many features, each for itself, by group of rows, a list of (B, K, m)."""
        axes = [self._axes(points)[0] for points in sets]
        found = group_averages(self.ensemble, self.matrix[rows], weights, axes, groups, self.n_jobs)
        return [self._outputs(sums).transpose(0, 2, 1) for sums in found]  # (B, m, K) -> (B, K, m)

    def cube(self, points: Points, rows: Rows) -> Values:
        """Each of the rows at every point of one feature or two, (r, m, K)."""
        axes = self._axes(points)
        if len(axes) == 1:
            return self._outputs(self.ensemble.cube(self.matrix[rows], axes, self.n_jobs))
        distinct = [np.unique(values, axis=0, return_inverse=True) for _, values in axes]
        product = [(column, values) for (column, _), (values, _) in zip(axes, distinct, strict=True)]
        places = [inverse.ravel() for _, inverse in distinct]
        place = np.ravel_multi_index(places, [len(values) for values, _ in distinct])
        return self._outputs(self.ensemble.cube(self.matrix[rows], product, self.n_jobs)[:, place])

    def at(self, rows: Rows, columns: Points) -> Values:
        """Every row once, with its own values in some columns, (K, r)."""
        return self._outputs(self.ensemble.predict(self.layout.rows(rows, columns))).T  # (r, K) -> (K, r)

    def _axes(self, points: Points) -> list[Axis]:
        """The axis of each feature; both have as many values as there are points."""
        return [self.layout.axis(name, column) for name, column in points.items()]

    def _outputs(self, values: Values) -> Values:
        """The outputs among the model's columns, (..., k) -> (..., K)."""
        return self.selection.sign * values[..., list(self.selection.columns)]


def proved(predictor: Predictor) -> Exact:
    """The predictor's trees, read and proved once; raises `NotExact` if the model can't be walked exactly."""
    if "exact" not in predictor.cache:
        try:
            predictor.cache["exact"] = _read(predictor)
        except NotExact as refusal:  # its words; the error itself would keep alive all that it came through
            predictor.cache["exact"] = str(refusal)
    found = predictor.cache["exact"]
    if isinstance(found, str):
        raise NotExact(found)
    return found


def _read(predictor: Predictor) -> Exact:
    """The trees over the background data, proved on some rows."""
    table, response = predictor.table, predictor.response
    if response.method == "callable":
        raise NotExact("the model is a function")
    prepare, model = unwrap(predictor.model)
    if prepare is None:
        kinds = [table.read(name).dtype for name in table.names]
        categories = [j for j, dtype in enumerate(kinds) if isinstance(dtype, pd.CategoricalDtype)]
        ensemble = read(model, response.method, [str(name) for name in table.names], categories)
        layout: Layout = Plain(ensemble, table)
        matrix = layout.rows(np.arange(table.n_rows), {})
        _check_precision(model, table, matrix)
    else:
        prepared = prepare(table.replace(np.arange(table.n_rows), {}))
        ensemble = read(model, response.method, [str(j) for j in range(prepared.shape[1])])
        layout = Prepared(prepare, ensemble, table, prepared[:1])
        matrix = layout.encoded(prepared)
    rows = _proof_rows(ensemble, matrix)
    prove(ensemble, matrix[rows], predictor.answer(table.replace(rows, {})))
    return Exact(ensemble, layout, matrix, predictor.selection, predictor.n_jobs or 1)


def _check_precision(model: Any, table: Table, matrix: Values) -> None:
    """Raises where LightGBM rounds the data: it reads arrays that are not of floats in single precision."""
    whole = isinstance(table, NumpyTable) and table.array.dtype.kind in "iu"
    if whole and is_of(model, "lightgbm") and np.abs(matrix).max() > SINGLE:
        raise NotExact("LightGBM rounds whole numbers beyond 2**24 in an array; give it one of floats")


def _proof_rows(ensemble: Ensemble, matrix: Values) -> Rows:
    """Rows that the model can take: 64 all over the data, and in each column the ends, a gap and every category."""
    fit = np.ones(len(matrix), bool)
    if not ensemble.dialect.missing:
        fit &= ~np.isnan(matrix).any(axis=1)
    if not ensemble.dialect.infinite:
        fit &= ~np.isinf(matrix).any(axis=1)
    rows = np.flatnonzero(fit)
    if not len(rows):
        raise NotExact("no row of the background data is complete, so that the trees can't be proved")
    used = [j for j, column in enumerate(ensemble.columns) if column.used]
    special = [_special(matrix[rows, j], ensemble.columns[j].n_categories > 0) for j in used]
    more = np.unique(np.concatenate([*special, np.zeros(0, np.intp)]))
    return rows[np.union1d(_spread(len(rows), PROOF_ROWS), more[_spread(len(more), PROOF_MORE)])]


def _special(values: Values, categorical: bool) -> Rows:
    """Where a column has its ends and its first gap, or every category once."""
    if categorical:
        return np.unique(values, return_index=True)[1]
    gap = np.isnan(values)
    places = [np.argmax(gap), np.argmin(np.where(gap, np.inf, values)), np.argmax(np.where(gap, -np.inf, values))]
    return np.array(places, np.intp)


def _spread(n: int, most: int) -> Rows:
    """Places among n, all of them or `most`, evenly spread."""
    return np.unique(np.linspace(0, max(n - 1, 0), min(n, most)).astype(int))
