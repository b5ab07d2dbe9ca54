"""Partial dependence and individual conditional expectation: the model at every point, averaged or not.

    PD_S(x) = sum_i w_i f(x, x_i without S) / sum_i w_i        ICE_i(x) = f(x, x_i without S)

Friedman, J. H. (2001). Greedy function approximation. Annals of Statistics 29, 1189-1232, section 8.2.
Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015). Peeking inside the black box. JCGS 24, 44-65.
"""

from __future__ import annotations

import numpy as np

from interpret_pd import evaluate
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Grid
from interpret_pd.methods.computed import Computed, Options
from interpret_pd.predictor import Predictor


def partial_dependence(predictor: Predictor, grid: Grid, rows: Rows, options: Options) -> Computed:  # noqa: ARG001
    """The average over the background data at each point, (K, G1[, G2])."""
    found = _moments(predictor, grid, np.empty(0, int), options)
    return Computed({"pdp": found.mean.reshape(-1, *grid.shape)}, found.se.reshape(-1, *grid.shape))


def individual(predictor: Predictor, grid: Grid, rows: Rows, options: Options) -> Computed:
    """The rows' own curves, (K, k, G1)."""
    curves = evaluate.cube(predictor, grid.points(predictor.table), rows)
    return Computed({"ice": curves if options.anchor is None else curves - curves[..., [options.anchor]]})


def partial_and_individual(predictor: Predictor, grid: Grid, rows: Rows, options: Options) -> Computed:
    """The average over all rows, (K, G1), and the curves of some, (K, k, G1)."""
    found = _moments(predictor, grid, rows, options)
    return Computed({"pdp": found.mean, "ice": found.curves}, found.se)


def _moments(predictor: Predictor, grid: Grid, rows: Rows, options: Options) -> evaluate.Moments:
    """Averages, curves and standard errors, minus each row's own value at the anchor if there is one."""
    table, points, anchor = predictor.table, grid.points(predictor.table), None
    if options.anchor is not None:
        place = np.array([options.anchor])
        anchor = {name: table.pick(column, place) for name, column in points.items()}
    return evaluate.moments(predictor, points, rows, anchor=anchor, mask=options.mask)
