"""Assembly: from a reader's trees to the ensemble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interpret_pd.trees.columns import Dialect, Floats, Zero
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.links import Link
from interpret_pd.trees.nodes import Tree, tabulate
from interpret_pd.trees.refusal import NotExact


def assemble(
    model: Any,
    trees: Sequence[Tree],
    dialect: Dialect,
    base: Floats,
    link: Link | None = None,
    categories: Sequence[tuple[Any, ...] | None] | None = None,
    n_features: int | None = None,
    zeros: Mapping[int, Zero] | None = None,
    tolerance: float = 1e-10,
) -> Ensemble:
    """Return the ensemble of a model's trees.

    Parameters
    ----------
    model : estimator
        What was read; its class names the ensemble.
    trees : sequence of Tree
        The trees.
    dialect : Dialect
        What the library does with a value before it compares it.
    base : ndarray of shape (M,)
        What is added to the trees' sums.
    link : Link, optional
        From the sums to the predictions; the identity by default.
    categories : sequence, optional
        For each column, None or its categories.
    n_features : int, optional
        The number of columns; the model's `n_features_in_` by default.
    zeros : dict, optional
        LightGBM's convention on zero for some columns.
    tolerance : float
        The relative rounding error of the model's own predictions.

    Returns
    -------
    Ensemble
    """
    name, link = type(model).__name__, link or Link()
    n_features = model.n_features_in_ if n_features is None else n_features
    if not trees:
        raise NotExact(f"{name} has no trees")
    table, columns = tabulate(trees, n_features)
    if table.nodes[:, 0].max() >= n_features or table.outputs.max() + table.values.shape[1] > len(base):
        raise NotExact(f"{name} has trees for more features or outputs than it says")  # the walks check no bounds
    for j, zero in (zeros or {}).items():
        columns[j] = replace(columns[j], zero=zero)
    n_outputs = link(np.zeros((1, len(base), 1))).shape[1]
    known = tuple(categories or (None,) * n_features)
    return Ensemble(name, table, tuple(columns), dialect, np.asarray(base, float), link, n_outputs, known, tolerance)
