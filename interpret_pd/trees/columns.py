"""A column: how one library turns a feature's values into the integer codes that its splits compare.

Every numeric split of an ensemble on a feature becomes "the code is at most ``t``", where ``t`` is the rank of its
threshold among all thresholds on that feature. The cast to float32, ``<`` or ``<=`` and the zero that means missing
are applied here, once per value; the walks know nothing of them. A missing value has the code -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Zero = Literal["value", "tiny", "missing", "nan"]

# LightGBM's kZeroThreshold, a float32 constant: what is closer to zero is zero
NEARLY_ZERO = float(np.float32(1e-35))


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a library does with a value before it compares it.

    Parameters
    ----------
    single : bool
        The value is cast to float32 first (scikit-learn's own trees and XGBoost).
    strict : bool
        A split is ``x < threshold`` (XGBoost), not ``x <= threshold``.
    missing, infinite : bool
        Missing and infinite values are accepted; the library raises an error otherwise.
    unknown : {"missing", "other"}
        A number that is no known category is treated as missing, or is in none of the splits' subsets.
    rounding : {"floor", "trunc"}
        How a number becomes a category.
    strangers : bool
        A category that the model has not seen is treated as missing; the library raises an error otherwise.
    """

    single: bool = False
    strict: bool = False
    missing: bool = True
    infinite: bool = True
    unknown: Literal["missing", "other"] = "missing"
    rounding: Literal["trunc", "floor"] = "floor"
    strangers: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The splits' thresholds on one feature, or the number of its categories.

    Parameters
    ----------
    cuts : ndarray of shape (C,)
        The sorted distinct thresholds; empty for a categorical column or one that no tree uses.
    n_categories : int, default 0
        The categories 0, 1, ... that splits name; 0 for a numeric column.
    zero : str
        LightGBM's conventions: ``"tiny"`` (what is nearly zero is zero), ``"missing"`` (zero is missing), ``"nan"``
        (missing is zero); ``"value"`` for the other libraries.
    """

    cuts: Floats
    n_categories: int = 0
    zero: Zero = "value"

    @property
    def used(self) -> bool:
        """Whether any tree splits on the column."""
        return len(self.cuts) > 0 or self.n_categories > 0

    def encode(self, values: Floats, dialect: Dialect) -> Codes:
        """Return the (n,) codes of values; missing is -1."""
        values = single(values) if dialect.single else values  # categories too: 2.9999999999 is 3
        if self.n_categories:
            return self._encode_categories(values, dialect)
        values = self._settle_zero(values)
        order = np.argsort(values)  # with its keys in order the search is several times faster
        codes = np.empty(len(values), np.int32)
        # side="left" counts the cuts below x, so that "x <= cut t" is "code <= t"; side="right" does it for "x < cut t"
        codes[order] = np.searchsorted(self.cuts, values[order], side="right" if dialect.strict else "left")
        codes[np.isnan(values)] = -1
        return codes

    def _settle_zero(self, values: Floats) -> Floats:
        """Return the (n,) values with LightGBM's conventions on zero and missing applied."""
        if self.zero == "value":
            return values
        values = np.where(np.abs(values) <= NEARLY_ZERO, np.nan if self.zero == "missing" else 0.0, values)
        return np.where(np.isnan(values), 0.0, values) if self.zero == "nan" else values

    def _encode_categories(self, values: Floats, dialect: Dialect) -> Codes:
        """Return the (n,) category numbers; what is not known has the code that the dialect gives it."""
        whole = np.trunc(values) if dialect.rounding == "trunc" else np.floor(values)
        known = (whole >= 0) & (whole < self.n_categories)
        unknown = -1 if dialect.unknown == "missing" else self.n_categories
        codes = np.where(known, whole, unknown).astype(np.int32)
        codes[np.isnan(values)] = -1
        return codes


def single(values: Floats) -> Floats:
    """Return the (n,) float64 values rounded to float32; beyond its range they become infinite."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)
