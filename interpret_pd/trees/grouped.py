"""Averages taken apart by groups of rows, for many axes at once: what a jackknife over groups needs.

The rows' values are encoded and the axes laid out once; a group costs a walk of its own rows only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from interpret_pd.trees.columns import Floats
from interpret_pd.trees.plan import Axis, plan_axes, plan_sweep
from interpret_pd.trees.rows import BLOCK_ROWS, make_block, run, slices
from interpret_pd.trees.walks import Places, Sweep, Walk

if TYPE_CHECKING:
    from interpret_pd.trees.ensemble import Ensemble
    from interpret_pd.trees.kernels import Block

Groups = NDArray[np.intp]


def group_averages(
    ensemble: Ensemble, X: Floats, weights: Floats, axes: Sequence[Axis], groups: Groups, n_jobs: int = 1
) -> list[Floats]:
    """Return the weighted sums of the predictions along many axes, by group of rows.

    Parameters
    ----------
    ensemble : Ensemble
        The trees.
    X : ndarray of shape (n, p)
        The background rows.
    weights : ndarray of shape (n,)
        Their weights; the sums are not divided by anything.
    axes : sequence of (column, values)
        One feature each, as in `Ensemble.cube`.
    groups : ndarray of int of shape (n,)
        The group of each row, 0 to B - 1.
    n_jobs : int, default 1
        The number of threads.

    Returns
    -------
    list of ndarray of shape (B, G_j, K)
        Their sum over the groups is the average where the weights sum to 1.
    """
    walk, swept = plan_sweep(ensemble, axes)
    found: dict[int, Floats] = {}
    if walk is not None:
        sums = walk.expand(_sums(ensemble, X, weights, walk, (), groups, n_jobs)).transpose(0, 2, 1)  # (B, sum of G, K)
        ends = np.cumsum([len(axes[i][1]) for i in swept])[:-1]
        found = dict(zip(swept, np.split(sums, ends, axis=1), strict=True))
    for i, axis in enumerate(axes):
        if i not in found:
            own, pinned = plan_axes(ensemble, (axis,))
            found[i] = own.expand(_sums(ensemble, X, weights, own, pinned, groups, n_jobs)).transpose(0, 2, 1)
    return [found[i] for i in range(len(axes))]


def _sums(
    ensemble: Ensemble, X: Floats, weights: Floats, walk: Walk, pinned: tuple[int, ...], groups: Groups, n_jobs: int
) -> Floats:
    """Return the weighted sums in all cells, (B, K, cells)."""
    if not ensemble.link.is_identity:
        return _sums_of_curves(ensemble, X, weights, walk, pinned, groups, n_jobs)
    total = ensemble.base[:, None] * np.bincount(groups, weights)[:, None, None]  # (B, M, 1)
    uniform = bool((weights == weights[0]).all())

    def block(rows: Places) -> Block:
        codes = ensemble.encode_rows(X[rows], pinned)
        return make_block(codes, weights[:1] if uniform else weights[rows])

    if isinstance(walk, Sweep):

        def add(rows: slice) -> Floats:
            members = rows.start + np.argsort(groups[rows], kind="stable")
            ends = np.cumsum(np.bincount(groups[rows], minlength=len(total))).astype(np.int32)
            return walk.group_sums(ensemble.forest(), block(members), ends, ensemble.table.depth, len(ensemble.base))

        return total + sum(run(add, slices(len(X), BLOCK_ROWS), n_jobs))

    def add_group(group: int) -> Floats:
        members = np.flatnonzero(groups == group)
        return walk.sums(ensemble.forest(), block(members), ensemble.table.depth, len(ensemble.base), by_row=False)[0]

    return total + np.stack(list(run(add_group, range(len(total)), n_jobs)))


def _sums_of_curves(
    ensemble: Ensemble, X: Floats, weights: Floats, walk: Walk, pinned: tuple[int, ...], groups: Groups, n_jobs: int
) -> Floats:
    """Return the weighted sums of linked curves, (B, K, cells): the link comes before the mean."""
    count = int(groups.max()) + 1

    def add(rows: slice) -> Floats:
        by_group = np.zeros((count, rows.stop - rows.start))
        by_group[groups[rows], np.arange(rows.stop - rows.start)] = weights[rows]
        return np.tensordot(by_group, ensemble.curves(X[rows], walk, pinned), 1)

    return np.asarray(sum(run(add, slices(len(X), ensemble.rows_at_once(walk)), n_jobs)))
