"""An ensemble: the trees of a fitted model, its link, and the averages of its predictions over background data.

All averages are over the given rows with their weights: the same numbers as predicting every row at every grid point,
up to the rounding of sums. Rows are an (n, p) float64 matrix in which categories are their positions (`encode`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.trees.columns import Codes, Column, Dialect, Floats
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Table
from interpret_pd.trees.plan import Axes, plan_axes, plan_points
from interpret_pd.trees.refusal import NotExact
from interpret_pd.trees.rows import BLOCK_ROWS, count_jobs, encode_rows, make_block, run, slices
from interpret_pd.trees.walks import Walk

if TYPE_CHECKING:
    from interpret_pd.trees.kernels import Forest

# rows whose curves are made together: as many as the cache holds, or a few hundred, lest the nodes be read too often
CURVE_CELLS, CURVE_ROWS, MOST_CELLS = 2**17, 256, 2**22  # 1 MB, and at most 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """A sum of trees behind a link, with what its library does differently.

    Parameters
    ----------
    name : str
        The class of the model.
    table : Table
        The trees' nodes.
    columns : tuple of Column
        For each column of the data, what the splits compare.
    dialect : Dialect
        What the library does with a value before it compares it.
    base : ndarray of shape (M,)
        What is added to the sums of the trees.
    link : Link
        From the M sums to the K predictions.
    n_outputs : int
        K, the number of columns that the model's method returns.
    categories : tuple
        For each column, None or the tuple of categories whose positions the trees compare.
    tolerance : float, default 1e-10
        The rounding error of the model's own predictions, relative to the largest.
    """

    name: str
    table: Table
    columns: tuple[Column, ...]
    dialect: Dialect
    base: Floats
    link: Link
    n_outputs: int
    categories: tuple[tuple[Any, ...] | None, ...]
    tolerance: float = 1e-10

    def encode(self, column: int, values: NDArray) -> Floats:
        """Return a column's values as the float64 numbers that the other methods take.

        Parameters
        ----------
        column : int
            The position of the column.
        values : ndarray of shape (n,)
            Numbers; where `categories` has a tuple, its entries, None or NaN.

        Returns
        -------
        ndarray of shape (n,)
            The numbers; or the positions in the tuple, NaN for what is not in it.

        Raises
        ------
        NotExact
            If the library raises an error for a category that it has not seen.
        """
        known = self.categories[column]
        if known is None:
            return np.asarray(values, dtype=np.float64)
        place = {category: float(i) for i, category in enumerate(known)}
        codes = np.array([place.get(value, np.nan) for value in values.tolist()], dtype=np.float64)
        strangers = [value for value in values[np.isnan(codes)].tolist() if value is not None and value == value]
        if strangers and not self.dialect.strangers:
            raise NotExact(f"{self.name} does not know the category {checks.shown(strangers[0])}")
        return codes

    def predict(self, X: Floats) -> Floats:
        """Return the predictions of rows, (n, p) -> (n, K)."""
        return self.cube(X, ())[:, 0]

    def cube(self, X: Floats, axes: Axes, n_jobs: int = 1) -> Floats:
        """Return the prediction of each row at each point of the axes' product.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            The background rows.
        axes : sequence of (column, values)
            At most two; a column is its position, or the tuple of positions of the columns that a feature became.
            Values are (G,), or (G, number of columns), in any order. The last axis varies fastest.
        n_jobs : int, default 1
            The number of threads; -1 is one per processor.

        Returns
        -------
        ndarray of shape (n, G1[ * G2], K)
            The curves or surfaces.
        """
        walk, pinned = plan_axes(self, axes)
        blocks = slices(len(X), self.rows_at_once(walk))
        curves = run(lambda rows: walk.expand(self.curves(X[rows], walk, pinned)), blocks, n_jobs)
        return np.concatenate([block.transpose(0, 2, 1) for block in curves])  # (R, K, G) -> (n, G, K)

    def average(self, X: Floats, weights: Floats, axes: Axes, n_jobs: int = 1) -> Floats:
        """Return the weighted mean of the predictions at each point of the axes' product.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            The background rows.
        weights : ndarray of shape (n,)
            Their weights; the sum is of no importance.
        axes : sequence of (column, values)
            As in `cube`.
        n_jobs : int, default 1
            The number of threads.

        Returns
        -------
        ndarray of shape (G1[ * G2], K)
            The partial dependence.
        """
        walk, pinned = plan_axes(self, axes)
        return walk.expand(self._mean(X, weights, walk, pinned, n_jobs))[0].T

    def average_at(
        self, X: Floats, weights: Floats, columns: Sequence[int | tuple[int, ...]], points: Floats, n_jobs: int = 1
    ) -> Floats:
        """Return the weighted means at scattered points.

        Parameters
        ----------
        X, weights, n_jobs
            As in `average`.
        columns : sequence of (int or tuple of int)
            The columns of the features that are pinned together.
        points : ndarray of shape (m, c)
            Their values, in the order of the columns.

        Returns
        -------
        ndarray of shape (m, K)
            The joint partial dependence at the points.
        """
        out = np.empty((len(points), self.n_outputs))
        for walk, pinned, at in plan_points(self, columns, points):
            out[at] = walk.expand(self._mean(X, weights, walk, pinned, n_jobs))[0].T
        return out

    def forest(self, trees: slice = slice(None)) -> Forest:
        """Return (some of) the trees for the kernels."""
        from interpret_pd.trees.kernels import Forest

        table = self.table
        return Forest(table.nodes, table.roots[trees], table.outputs[trees], table.values, table.words)

    def rows_at_once(self, walk: Walk) -> int:
        """Return how many rows' curves are in memory together."""
        width = walk.cells * len(self.base)
        return min(BLOCK_ROWS, max(1, CURVE_CELLS // width, min(CURVE_ROWS, MOST_CELLS // width)))

    def encode_rows(self, X: Floats, pinned: tuple[int, ...]) -> Codes:
        """Return the (p, n) codes of rows."""
        return encode_rows(X, self.columns, self.dialect, self.name, pinned)

    def curves(self, X: Floats, walk: Walk, pinned: tuple[int, ...]) -> Floats:
        """Return the predictions of rows in all cells, (n, K, cells)."""
        block = make_block(self.encode_rows(X, pinned), np.ones(1))
        sums = walk.sums(self.forest(), block, self.table.depth, len(self.base), by_row=True)
        return self.link(sums + self.base[:, None])

    def _mean(self, X: Floats, weights: Floats, walk: Walk, pinned: tuple[int, ...], n_jobs: int) -> Floats:
        """Return the weighted mean of the predictions in all cells, (1, K, cells)."""
        weights = weights / (weights.sum() or 1.0)
        if not self.link.is_identity:
            return self._mean_of_curves(X, weights, walk, pinned, n_jobs)
        uniform = bool((weights == weights[0]).all())
        blocks, n_trees = slices(len(X), BLOCK_ROWS), len(self.table.roots)
        parts = slices(n_trees, -(-n_trees * len(blocks) // max(count_jobs(n_jobs), len(blocks))))  # for idle jobs

        def add(task: tuple[slice, slice]) -> Floats:
            rows, trees = task
            block = make_block(self.encode_rows(X[rows], pinned), weights[:1] if uniform else weights[rows])
            return walk.sums(self.forest(trees), block, self.table.depth, len(self.base), by_row=False)

        return np.asarray(sum(run(add, list(product(blocks, parts)), n_jobs))) + self.base[:, None]

    def _mean_of_curves(self, X: Floats, weights: Floats, walk: Walk, pinned: tuple[int, ...], n_jobs: int) -> Floats:
        """Return the weighted mean of linked curves, (1, K, cells): the mean comes last."""

        def weigh(rows: slice) -> Floats:
            return np.tensordot(weights[rows], self.curves(X[rows], walk, pinned), 1)

        return np.asarray(sum(run(weigh, slices(len(X), self.rows_at_once(walk)), n_jobs)))[None]
