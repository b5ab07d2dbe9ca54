"""A method: a pure function from a predictor and a grid to layers of values. `METHODS` is the table of contents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpret_pd.evaluate import Values
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Grid
from interpret_pd.methods import partial
from interpret_pd.predictor import Predictor

Layers = dict[str, Values]  # "pdp": (K, G1[, G2]); "ice": (K, k, G1)


@dataclass(frozen=True, slots=True)
class Method:
    """What an effect computes.

    Attributes
    ----------
    compute : callable
        `(predictor, grid, rows) -> layers`; `rows` are the positions of the rows whose curves are kept.
    max_features : int
        How many features it takes at once.
    curves : bool
        Whether it keeps the rows' own curves.
    centred : bool
        Whether the curves are 0 at an anchor.
    """

    compute: Callable[[Predictor, Grid, Rows], Layers]
    max_features: int = 1
    curves: bool = False
    centred: bool = False


METHODS = {
    "pdp": Method(partial.partial_dependence, max_features=2),
    "ice": Method(partial.individual, curves=True),
    "pdp+ice": Method(partial.partial_and_individual, curves=True),
    "cice": Method(partial.individual, curves=True, centred=True),
    "pdp+cice": Method(partial.partial_and_individual, curves=True, centred=True),
}
