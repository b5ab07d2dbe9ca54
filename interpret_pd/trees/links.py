"""A link: how the sum of the trees becomes what the estimator's method returns.

A link is applied to each curve before the mean over the rows is taken; only the identity may be exchanged with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from interpret_pd.trees.columns import Floats


@dataclass(frozen=True, slots=True)
class Link:
    """A named function from margins (R, M, G) to predictions (R, K, G).

    Parameters
    ----------
    name : str
        A key of `LINKS`.
    scale : float, default 1.0
        Factor of the margin, e.g. LightGBM's `sigmoid`.
    shift : float, default 0.0
        Added to the result.
    """

    name: str = "identity"
    scale: float = 1.0
    shift: float = 0.0

    @property
    def is_identity(self) -> bool:
        """Whether it may be applied after the mean as well."""
        return self.name == "identity"

    def __call__(self, margins: Floats) -> Floats:
        """Return the predictions of the margins."""
        if self.is_identity:
            return margins
        return LINKS[self.name](self.scale * margins) + self.shift


def _logistic(margins: Floats) -> Floats:
    """Return 1 / (1 + exp(-x))."""
    with np.errstate(over="ignore"):  # exp overflows to infinity where the result is 0 indeed
        return 1.0 / (1.0 + np.exp(-margins))


def _two_classes(margins: Floats) -> Floats:
    """Return the probabilities of both classes: (R, 1, G) -> (R, 2, G)."""
    positive = _logistic(margins)
    return np.concatenate([1.0 - positive, positive], axis=1)


def _softmax(margins: Floats) -> Floats:
    """Return the probabilities of all classes."""
    powers = np.exp(margins - margins.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


LINKS: dict[str, Callable[[Floats], Floats]] = {
    "exp": np.exp,
    "logistic": _logistic,
    "two classes": _two_classes,
    "softmax": _softmax,
    "anomaly": lambda depth: -np.exp2(-depth),
    "signed square": lambda root: np.sign(root) * root**2,
    "log1p exp": lambda margins: np.logaddexp(0.0, margins),
}
