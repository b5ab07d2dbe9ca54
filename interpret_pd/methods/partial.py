"""Partial dependence and individual conditional expectation: the model at every point, averaged or not.

    PD_S(x) = sum_i w_i f(x, x_i without S) / sum_i w_i        ICE_i(x) = f(x, x_i without S)

Friedman, J. H. (2001). Greedy function approximation. Annals of Statistics 29, 1189-1232, section 8.2.
Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015). Peeking inside the black box. JCGS 24, 44-65.
"""

from __future__ import annotations

from interpret_pd import evaluate
from interpret_pd.evaluate import Values
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Grid
from interpret_pd.predictor import Predictor


def partial_dependence(predictor: Predictor, grid: Grid, rows: Rows) -> dict[str, Values]:  # noqa: ARG001
    """The average over the background data at each point, (K, G1[, G2])."""
    mean = evaluate.average(predictor, grid.points(predictor.table))
    return {"pdp": mean.reshape(-1, *grid.shape)}  # (K, m) -> (K, G1[, G2])


def individual(predictor: Predictor, grid: Grid, rows: Rows) -> dict[str, Values]:
    """The rows' own curves, (K, k, G1)."""
    return {"ice": evaluate.cube(predictor, grid.points(predictor.table), rows)}


def partial_and_individual(predictor: Predictor, grid: Grid, rows: Rows) -> dict[str, Values]:
    """The average over all rows, (K, G1), and the curves of some, (K, k, G1)."""
    mean, curves = evaluate.both(predictor, grid.points(predictor.table), rows)
    return {"pdp": mean, "ice": curves}
