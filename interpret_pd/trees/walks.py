"""A walk: which kernel answers a set of axes, and how its cells become the grid's points again.

Points that no split tells apart share a cell: an axis has no more cells than the trees have thresholds on it, and one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.columns import Codes, Column, Floats
from interpret_pd.trees.nodes import Ints

if TYPE_CHECKING:
    from interpret_pd.trees.kernels import Block, Forest
    from interpret_pd.trees.sweep import Axes

Places = NDArray[np.intp]
ROW_TREES = 2**16  # rows times trees that are walked without looking up: about a second where trees are deep
MASK = 64  # points that one walk with masks takes


def walk(kernel: Callable[..., None], forest: Forest, block: Block, *arguments: Any) -> None:
    """Run a compiled walk, a few trees at a time: an interrupt is heard between two walks, and not in one."""
    for some in few_at_once(forest, block):
        kernel(some, block, *arguments)


def few_at_once(forest: Forest, block: Block) -> Iterator[Forest]:
    """Yield the trees in parts that take about a second at most."""
    step = max(1, ROW_TREES // max(len(block.rows), 1))
    for start in range(0, len(forest.roots), step):
        some = slice(start, start + step)
        yield forest._replace(roots=forest.roots[some], outputs=forest.outputs[some])


class Walk(Protocol):
    """Sums of trees on some cells, for each row of a block or for their weighted mean."""

    @property
    def cells(self) -> int:
        """How many cells, hence numbers per row and output."""

    def sums(self, forest: Forest, block: Block, depth: int, n_outputs: int, by_row: bool) -> Floats:
        """Return the sums of the trees, (n or 1, K, cells)."""

    def expand(self, cells: Floats) -> Floats:
        """Return what the cells have at the grid's points: (R, K, cells) -> (R, K, G)."""


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """The axis of one numeric feature as sorted cells.

    Parameters
    ----------
    feature : int
        The column that is pinned.
    cuts : ndarray of int32 of shape (C,)
        For each threshold, how many cells go left of it.
    size : int
        The number of cells.
    places : ndarray of int of shape (G,)
        Each point's cell.
    """

    feature: int
    cuts: Ints
    size: int
    places: Places

    @classmethod
    def lay(cls, feature: int, column: Column, codes: Codes) -> Strip:
        """Lay the points with the given codes (G,), none of them missing, out in cells."""
        present, places = np.unique(codes, return_inverse=True)
        # one cut more than the column has: numba cannot take the address of an empty array's first entry
        cuts = np.searchsorted(present, np.arange(len(column.cuts) + 1), side="right")
        return cls(feature, cuts.astype(np.int32), len(present), places)


@dataclass(frozen=True, slots=True, eq=False)
class OneStrip:
    """The walk along one axis."""

    strip: Strip

    @property
    def cells(self) -> int:
        """The axis' cells."""
        return self.strip.size

    def sums(self, forest: Forest, block: Block, depth: int, n_outputs: int, by_row: bool) -> Floats:
        """Return the sums of the trees, (n or 1, K, cells)."""
        from interpret_pd.trees.kernels import walk_one

        curves = np.zeros((len(block.rows) if by_row else 1, n_outputs, self.cells + 1))
        walk(walk_one, forest, block, self.strip.feature, self.strip.cuts, depth, curves)
        return np.cumsum(curves[..., :-1], axis=-1)

    def expand(self, cells: Floats) -> Floats:
        """Return what the points' cells have, (R, K, G)."""
        return cells[..., self.strip.places]


@dataclass(frozen=True, slots=True, eq=False)
class TwoStrips:
    """The walk over the rectangle of two axes, or at scattered points of it.

    Parameters
    ----------
    strips : tuple of two Strip
        The axes.
    scattered : bool, default False
        The points are the pairs of the axes' entries, not their product.
    """

    strips: tuple[Strip, Strip]
    scattered: bool = False

    @property
    def cells(self) -> int:
        """The rectangle's cells."""
        return self.strips[0].size * self.strips[1].size

    def sums(self, forest: Forest, block: Block, depth: int, n_outputs: int, by_row: bool) -> Floats:
        """Return the sums of the trees, (n or 1, K, cells)."""
        from interpret_pd.trees.joint import walk_two

        first, second = self.strips
        surfaces = np.zeros((len(block.rows) if by_row else 1, n_outputs, first.size + 1, second.size + 1))
        walk(walk_two, forest, block, first.feature, second.feature, first.cuts, second.cuts, depth, surfaces)
        summed = surfaces[..., :-1, :-1].cumsum(axis=-1).cumsum(axis=-2)
        return summed.reshape(*summed.shape[:2], -1)  # (R, K, G1, G2) -> (R, K, G1 * G2)

    def expand(self, cells: Floats) -> Floats:
        """Return what the points' cells have, (R, K, G1 * G2) or (R, K, m)."""
        first, second = self.strips
        rows = first.places if self.scattered else first.places[:, None]
        return cells[..., (rows * second.size + second.places).ravel()]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The walk at any points: categories, missing values, several columns of one feature.

    Parameters
    ----------
    pinned : ndarray of int32 of shape (p,)
        A column's row in `codes`; -1 where the background rows keep their own value.
    codes : ndarray of int32 of shape (P, cells)
        The distinct points.
    places : ndarray of int of shape (G,)
        Each point's number among them.
    """

    pinned: Ints
    codes: Codes
    places: Places

    @classmethod
    def gather(cls, n_features: int, columns: Sequence[int], codes: Codes) -> Points:
        """Gather the points with the given codes (P, G) in the columns; without columns, all points are one."""
        distinct, places = codes[:, :1], np.zeros(codes.shape[1], np.intp)
        if len(columns):
            distinct, places = np.unique(codes, axis=1, return_inverse=True)
        pinned = np.full(n_features, -1, np.int32)
        pinned[list(columns)] = np.arange(len(columns))
        return cls(pinned, np.ascontiguousarray(distinct), places.ravel())

    @property
    def cells(self) -> int:
        """The distinct points."""
        return self.codes.shape[1]

    def sums(self, forest: Forest, block: Block, depth: int, n_outputs: int, by_row: bool) -> Floats:
        """Return the sums of the trees, (n or 1, K, cells)."""
        from interpret_pd.trees.joint import mark, walk_points

        parts = []
        for start in range(0, self.cells, MASK):
            codes = np.ascontiguousarray(self.codes[:, start : start + MASK])
            parts.append(np.zeros((len(block.rows) if by_row else 1, n_outputs, codes.shape[1])))
            walk(walk_points, forest, block, self.pinned, mark(forest, self.pinned, codes), depth, parts[-1])
        return np.concatenate(parts, axis=-1)

    def expand(self, cells: Floats) -> Floats:
        """Return what the points have, (R, K, G)."""
        return cells[..., self.places]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The walk along the axes of many features at once, each for itself; their cells and points follow one another.

    Parameters
    ----------
    n_features : int
        The number of columns of the data.
    strips : tuple of Strip
        The axes.
    """

    n_features: int
    strips: tuple[Strip, ...]

    @property
    def cells(self) -> int:
        """All axes' cells together."""
        return sum(strip.size for strip in self.strips)

    def sums(self, forest: Forest, block: Block, depth: int, n_outputs: int, by_row: bool) -> Floats:
        """Return the sums of the trees, (n or 1, K, cells)."""
        from interpret_pd.trees.sweep import walk_all

        axes = self._lay()
        curves, own = self._zeros(len(block.rows) if by_row else 1, n_outputs)
        walk(walk_all, forest, block, axes, depth, curves, own)
        return self._closed(curves, own, axes)

    def group_sums(self, forest: Forest, block: Block, ends: Ints, depth: int, n_outputs: int) -> Floats:
        """Return the weighted sums of the trees by group of rows, (B, K, cells); see `walk_all_by_group`."""
        from interpret_pd.trees.sweep import walk_all_by_group

        axes = self._lay()
        curves, own = self._zeros(len(ends), n_outputs)
        walk(walk_all_by_group, forest, block, ends, axes, depth, curves, own)
        return self._closed(curves, own, axes)

    def _zeros(self, n_curves: int, n_outputs: int) -> tuple[Floats, Floats]:
        """Return room for differences of neighbouring cells and for the predictions."""
        curves = np.zeros((n_curves, n_outputs, self.cells + len(self.strips)))
        return curves, np.zeros((n_curves, n_outputs))

    def _closed(self, curves: Floats, own: Floats, axes: Axes) -> Floats:
        """Return the cells' values, from their differences and the predictions."""
        starts = [axes.first_cell[strip.feature] for strip in self.strips]
        parts = [curves[..., start : start + strip.size].cumsum(axis=-1)
                 for start, strip in zip(starts, self.strips, strict=True)]  # fmt: skip
        return np.concatenate(parts, axis=-1) + own[..., None]

    def _lay(self) -> Axes:
        """Lay all axes in a row; each has a cell more, where ranges that reach its end are closed."""
        from interpret_pd.trees.sweep import Axes

        first_cut, first_cell, cells = np.zeros((3, self.n_features), np.int32)
        at = [strip.feature for strip in self.strips]
        cells[at] = [strip.size for strip in self.strips]
        first_cell[at] = np.cumsum([0] + [strip.size + 1 for strip in self.strips])[:-1]
        first_cut[at] = np.cumsum([0] + [len(strip.cuts) for strip in self.strips])[:-1]
        return Axes(np.concatenate([strip.cuts for strip in self.strips]), first_cut, first_cell, cells)

    def expand(self, cells: Floats) -> Floats:
        """Return what the points' cells have, all features' points after one another (R, K, sum of G)."""
        starts = np.cumsum([0] + [strip.size for strip in self.strips])[:-1]
        places = [strip.places + start for strip, start in zip(self.strips, starts, strict=True)]
        return cells[..., np.concatenate(places)]
