"""Computing: a method run on a grid, with the engine, the calls of the model and the seconds that it took."""

from __future__ import annotations

import copy
import time
from typing import Any, NamedTuple

import numpy as np

from interpret_pd import checks
from interpret_pd.evaluate import Values
from interpret_pd.evaluate.engine import run
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Grid
from interpret_pd.methods import METHODS
from interpret_pd.methods.computed import Computed, Layers, Options
from interpret_pd.methods.recursion import path_dependent
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.stopping import Stop
from interpret_pd.predictor.support import support

CURVES = 2**31  # the most bytes that an effect's curves may take


class Found(NamedTuple):
    """What asking the model gave."""

    layers: Layers
    se: Values | None
    outputs: tuple[Any, ...]
    engine: str
    calls: int
    seconds: float


def compute(
    predictor: Predictor,
    method: str,
    grid: Grid,
    rows: Rows,
    anchor: int | None,
    within_support: bool,
    by: Any,
    stop: Stop | None = None,
) -> Found:
    """The layers of a method on a grid; 0 at the anchor's place if there is one."""
    recipe = METHODS[method.removeprefix("d-")]
    if predictor.engine == "recursion":
        return _recursion(predictor, method, grid, anchor, within_support, by)
    if recipe.curves:
        check_size(predictor, len(rows), int(np.prod(grid.shape)))
    options = Options(anchor, _mask(predictor, grid) if within_support else None)
    averaged = len(rows) if recipe.only_curves else predictor.n_rows
    predictions = averaged * (2 if recipe.counts else int(np.prod(grid.shape)))

    groups = {} if by is None else _groups(predictor, by)

    def ask(settled: Predictor) -> Computed:
        settled.stop = stop
        if by is None:
            return recipe.compute(settled, grid, rows, options)
        if len(settled.outputs) > 1:
            hint = "Use target= to choose one."
            raise checks.refused(checks.sentence("by", "None for several outputs", checks.shown(by), hint))
        parts = [recipe.compute(_reweighted(settled, one), grid, rows, options) for one in groups.values()]
        layers = {kind: np.concatenate([part.layers[kind] for part in parts]) for kind in parts[0].layers}
        return Computed(layers, np.concatenate([part.se for part in parts if part.se is not None]))

    try:
        (layers, se), engine, calls, seconds = run(predictor, predictions, ask)
    except Exception as error:
        if not _missing_is_refused(predictor, grid):
            raise
        what = f"False for {checks.shown(grid.features[0])}, of which the model takes no missing value"
        raise checks.must_be("missing", what, True) from error
    return Found(layers, se, predictor.outputs if by is None else tuple(groups), engine, calls, seconds)


def check_size(predictor: Predictor, k: int, m: int) -> None:
    """Raises before the model is asked if k curves of m points would take more memory than `CURVES` bytes."""
    size = 8 * k * m
    if size > CURVES / 1000:  # else the number of outputs hardly matters, and isn't worth a call of the model
        size *= len(predictor.outputs)
    if size > CURVES:
        most = k * CURVES // size
        got = f"{k:,} curves of {m} points, {size / 2**30:.1f} GiB"
        limit = f"at most {most:,} here, {CURVES / 2**30:.0f} GiB of curves"
        raise checks.refused(checks.sentence("ice_rows", limit, got, "Use ice_rows=1000 for a sample of the rows."))


def _recursion(
    predictor: Predictor, method: str, grid: Grid, anchor: int | None, within_support: bool, by: Any
) -> Found:
    """scikit-learn's path-dependent curve, on request."""
    begin = time.perf_counter()
    if within_support or by is not None:
        raise checks.refused("engine='recursion' needs by=None and within_support=False: paths have no rows.")
    values = path_dependent(predictor, method, grid)
    values = values if anchor is None else values - values[..., [anchor]]
    return Found({"pdp": values}, None, predictor.outputs, "recursion", 0, time.perf_counter() - begin)


def _missing_is_refused(predictor: Predictor, grid: Grid) -> bool:
    """Whether the model fails, or answers with NaN, at the axis's missing point and not at its first point."""
    axis = grid.axes[0]
    if not (axis.points[-1] == -1 if axis.feature.levels is not None else np.isnan(axis.points[-1])):
        return False
    failed = []
    for place in (0, len(axis) - 1):
        column = predictor.table.pick(axis.column, np.array([place]))
        try:
            answer = predictor.ask(predictor.table.replace(np.array([0]), {axis.feature.name: column}))
            failed.append(not np.all(np.isfinite(answer)))
        except Exception:
            failed.append(True)
    return failed == [False, True]


def _mask(predictor: Predictor, grid: Grid) -> np.ndarray:
    """Which rows are supported at which points, (n, m); rows that weren't looked at are not."""
    found = support(predictor, grid)
    mask = np.zeros((predictor.n_rows, found.supported.shape[1]), bool)
    mask[found.rows] = found.supported
    return mask


def _groups(predictor: Predictor, by: Any) -> dict[Any, Values]:
    """Each level whose rows have weight, and the weights with those of all other rows at 0, (n,)."""
    feature = predictor.feature(by)
    found = {}
    for place, level in enumerate(feature.levels or ()):
        weights = np.where(feature.values == place, predictor.case_weights, 0.0)
        if weights.any():
            found[level] = weights
    if not found:
        raise checks.must_be("by", "a feature of which a row with weight has a level", by)
    return found


def _reweighted(predictor: Predictor, weights: Values) -> Predictor:
    """The predictor with other weights."""
    view = copy.copy(predictor)
    view.weights = weights
    return view
