"""A method: a pure function from a predictor and a grid to layers of values. `METHODS` is the table of contents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpret_pd.features import Feature
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Axis, Grid, Spec, make_axis
from interpret_pd.methods import ale, edges, partial
from interpret_pd.methods.computed import Computed, Options
from interpret_pd.predictor import Predictor


def grid_axis(predictor: Predictor, feature: Feature, asked: Any, spec: Spec, anchor: Any) -> Axis:
    """The axis of points at which every row is evaluated."""
    return make_axis(predictor.table, feature, asked, spec, anchor)


@dataclass(frozen=True, slots=True)
class Method:
    """What an effect computes.

    Attributes
    ----------
    compute : callable
        `(predictor, grid, rows, options) -> computed`; `rows` are the positions of the rows whose curves are kept.
    max_features : int
        How many features it takes at once.
    curves : bool
        Whether it keeps the rows' own curves.
    centred : bool
        Whether the curves are 0 at an anchor.
    axis : callable
        `(predictor, feature, asked, spec, anchor) -> axis`.
    counts : callable, optional
        `(predictor, grid) -> (rows behind each value, rows left out)`, where not all rows are behind all values.
    labels : pair of str
        What the values of one feature's effect and of two features' are, around the name of the prediction.
    """

    compute: Callable[[Predictor, Grid, Rows, Options], Computed]
    max_features: int = 1
    curves: bool = False
    centred: bool = False
    axis: Callable[[Predictor, Feature, Any, Spec, Any], Axis] = grid_axis
    counts: Callable[[Predictor, Grid], tuple[Rows, int]] | None = None
    labels: tuple[str, str] = ("{}", "{}")

    @property
    def only_curves(self) -> bool:
        """Whether rows whose curves aren't kept need no predictions."""
        return self.compute is partial.individual


METHODS = {
    "pdp": Method(partial.partial_dependence, max_features=2),
    "ice": Method(partial.individual, curves=True),
    "pdp+ice": Method(partial.partial_and_individual, curves=True),
    "cice": Method(partial.individual, curves=True, centred=True),
    "pdp+cice": Method(partial.partial_and_individual, curves=True, centred=True),
    "ale": Method(
        ale.accumulated,
        max_features=2,
        axis=edges.ale_axis,
        counts=ale.counts,
        labels=("ALE: change in {}", "Second-order ALE: change in {}"),
    ),
}
