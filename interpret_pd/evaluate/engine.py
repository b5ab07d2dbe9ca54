"""An engine: how predictions are obtained, by brute force or from the nodes of a tree ensemble.

Both give the same numbers. `run` chooses for a whole computation, so that the caller can say which engine ran.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from interpret_pd import checks
from interpret_pd.evaluate.exact import proved
from interpret_pd.predictor import Predictor
from interpret_pd.trees import NotExact

FIRST, LATER = 20_000, 2_000  # predictions worth the trees, before and after the model has been read
MANY = 1_000_000  # predictions worth a hint that the trees would be faster


class Ran(NamedTuple):
    """A result, the engine that made it, the calls of the model and the seconds that it took."""

    result: Any
    engine: str
    calls: int
    seconds: float


def run(predictor: Predictor, predictions: int, compute: Callable[[Predictor], Any]) -> Ran:
    """The result of `compute` with a predictor whose engine is settled.

    `"auto"` takes the trees where the job is large enough to pay for reading the model, and brute force where a reader
    refuses; the reason is kept in `predictor.ensemble_reason`. Nothing but `NotExact` is caught.
    """
    begin = time.perf_counter()
    if predictor.engine == "recursion":
        raise checks.refused("engine='recursion' gives FeatureEffect's method='pdp' only. Use engine='auto'.")
    view = copy.copy(predictor)  # data, caches and pace are shared
    view.calls = [0]
    small = predictions < (LATER if "exact" in predictor.cache else FIRST)
    if predictor.engine != "brute" and not (predictor.engine == "auto" and small):
        try:
            proved(view)
            view.engine = "trees"
            return Ran(compute(view), "trees", view.calls[0], time.perf_counter() - begin)
        except NotExact as refusal:
            if predictor.engine == "trees":
                raise checks.refused(
                    f"engine='trees' needs a sum of trees: {checks.cut(str(refusal), 400)}. Use engine='auto'."
                ) from None
            predictor.cache["refusal"] = str(refusal)
            _hint(str(refusal), predictions)
    view.engine = "brute"
    return Ran(compute(view), "brute", view.calls[0], time.perf_counter() - begin)


def _hint(refusal: str, predictions: int) -> None:
    """Says once per process that an extra would be faster, if the job is large enough to matter."""
    if "pip install" in refusal and predictions > MANY and not _hint.__dict__.get("given"):
        _hint.__dict__["given"] = True
        logging.getLogger("interpret_pd").warning("The same numbers sooner: %s", refusal)
