"""A feature: a column of the background data, read for its axis.

Numbers stay numbers, dates become days since 1970, levels become their places in the feature's order: whatever the
column was, a feature is one float array, and the axis, the rug and the tree walks need to know nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.frames import Table, reading
from interpret_pd.frames.large import Known
from interpret_pd.frames.ranks import Ranks, picked, ranks

EXACT = 2.0**53  # beyond it not every whole number is a float


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """A column of the background data.

    Attributes
    ----------
    name : hashable
        The column's label.
    kind : str
        `"numeric"`, `"date"` or `"categorical"`.
    values : float array of shape (n,)
        Numbers (NaN where missing), days since 1970, or places among the levels (-1 where missing).
    levels : tuple or None
        The levels of a categorical feature, in declared order, else sorted.
    ordered : bool
        Whether the order of the levels means something.
    integer : bool
        Whether the column's dtype is of whole numbers, or its dates are whole days.
    sample : Series
        A few values of the column, which carry its type.
    distinct : float array of shape (u,)
        The different values that are there, increasing.
    counts : int array of shape (u,), optional
        How often each is there in the whole data, where the rows are a sample of them.
    ranks : Ranks, optional
        Asks the whole data for quantiles, where there are too many different values for counts; `distinct` are then
        those of the sample and the ends of the whole.
    as_text : bool
        Whether the levels were written as the text that they look like, as JSON does.
    """

    name: Hashable
    kind: str
    values: NDArray[np.float64]
    levels: tuple[Any, ...] | None
    ordered: bool
    integer: bool
    sample: pd.Series
    distinct: NDArray[np.float64]
    counts: NDArray[np.int_] | None = None
    ranks: Ranks | None = None
    as_text: bool = False

    @property
    def finite(self) -> NDArray[np.float64]:
        """The values that are there, (at most n,)."""
        return self.values[_there(self.values, self.kind)]

    def quantiles(self, shares: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """The values below which shares of the data lie: values of the data themselves, (q,)."""
        if self.ranks is not None:
            return self.ranks.quantiles(shares)
        if self.counts is None:
            return np.quantile(self.finite, shares, method="inverted_cdf")
        return picked((self.distinct, self.counts), ranks(int(self.counts.sum()), shares))

    def between(self, shares: tuple[float, float], most: int) -> tuple[NDArray[np.float64], bool]:
        """The different values from one quantile to another, and whether these are all.

        Of data that are not in memory they are all if there are at most `most`, else some, the ends among them.
        """
        low, high = self.distinct[[0, -1]] if shares == (0.0, 1.0) else self.quantiles(shares)
        inside = self.distinct[(self.distinct >= low) & (self.distinct <= high)]
        if self.ranks is None:
            return inside, True
        if shares != (0.0, 1.0) and len(found := self.ranks.first(low, high, most + 1)) <= most:
            return found, True
        return np.union1d(inside, [low, high]), False

    def of_whole(self, known: Known) -> Feature:
        """The feature of a sample with the range, levels and quantiles of the data that it was drawn from."""
        if self.levels is not None:
            if known.kind == "categorical":
                return self.with_levels(reading.in_order(list(known.levels)))
            return self.with_levels(self.sample.dtype.type(known.values).tolist() if known.counts is not None else [])
        if known.counts is None:
            return replace(self, distinct=np.union1d(self.distinct, known.values))
        return replace(self, distinct=known.values, counts=known.counts)

    def readable(self, points: NDArray[np.float64]) -> pd.Series:
        """Points as a person reads them: numbers, dates, or levels in the feature's order, (m,)."""
        if self.levels is not None:
            return _levels_column(self.levels, self.ordered, np.asarray(points, int))
        if self.kind == "date":
            return reading.dates(points, self.sample)
        points = np.asarray(points, float)
        beyond = reading.largest(self.sample) >= 2**63 and np.any(points >= 2.0**63)
        dtype = np.dtype("uint64" if beyond else "int64")
        whole = reading.whole(points, dtype) if self.integer else None
        return pd.Series(points if whole is None else whole)

    def with_levels(self, asked: Sequence[Any]) -> Feature:
        """The feature with levels joined in that the data don't hold, in declared order if there is one."""
        known = self.levels or ()
        new = [level for level in dict.fromkeys(asked) if level not in known]
        if not new:
            return self
        levels = tuple(reading.in_order([*known, *new]))
        if isinstance(self.sample.dtype, pd.CategoricalDtype):
            declared = list(self.sample.dtype.categories)
            levels = tuple(sorted(levels, key=declared.index))
        return self.reordered(levels)

    def reordered(self, levels: Sequence[Any]) -> Feature:
        """The feature with its levels in another order, some of them left out (then they count as missing) or added."""
        known = self.levels or ()
        moved = np.array([levels.index(level) if level in levels else -1 for level in known], float)
        values = np.where(self.values >= 0, moved[self.values.astype(int)] if len(moved) else -1.0, -1.0)
        distinct = np.unique(moved[self.distinct.astype(int)])
        return replace(self, levels=tuple(levels), values=values, distinct=distinct[distinct >= 0])


def _levels_column(levels: tuple[Any, ...], ordered: bool, places: NDArray[np.int_]) -> pd.Series:
    """Level places as a column: bool stays bool, everything else becomes a categorical in the feature's order."""
    if all(isinstance(level, bool | np.bool_) for level in levels):
        truth = pd.Series(np.array([bool(level) for level in levels])[places])
        return truth if np.all(places >= 0) else truth.astype("boolean").mask(places < 0)
    return pd.Series(pd.Categorical.from_codes(places, categories=reading.as_index(levels), ordered=ordered))


def read_feature(table: Table, name: Hashable, categorical: bool = False) -> Feature:
    """The feature of that name; `categorical` makes a numeric column one of levels.

    Raises
    ------
    ValueError
        If the column has no value at all.
    TypeError
        If its values are neither numbers nor dates nor levels.
    """
    column = table.read(name)
    if reading.holds_objects(column):
        got = f"values such as {checks.shown(column.dropna().iloc[0])}"
        raise checks.wrong_type(f"feature {checks.shown(name)}", "of numbers, dates, text or levels", got)
    kind = "categorical" if categorical else reading.kind_of(column)
    sample = column.dropna().iloc[:8]
    if kind == "categorical":
        levels, ordered = reading.levels_of(column)
        values, integer = reading.codes(column, levels), False
    else:
        levels, ordered = None, False
        values, integer = reading.numbers(column), reading.is_whole(column)
    distinct = np.unique(values[_there(values, kind)])
    if not len(distinct):
        raise checks.refused(f"feature {checks.shown(name)} has no non-missing value; there is no effect to draw.")
    return Feature(name, kind, values, None if levels is None else tuple(levels), ordered, integer, sample, distinct)


def measured(feature: Feature, column: pd.Series) -> NDArray[np.float64]:
    """A column as the feature's numbers or days, (m,); NaN where missing. Raises if it holds something else."""
    kind = reading.kind_of(column)
    if feature.kind == "date" and kind != "numeric" and not reading.is_duration(feature.sample):
        times = pd.to_datetime(column, format="ISO8601") if kind == "categorical" else pd.to_datetime(column)
        zone = reading.zone_of(feature.sample)  # dates without a zone are meant in the column's
        column, kind = times.dt.tz_localize(zone) if zone is not None and times.dt.tz is None else times, "date"
    if column.isna().all():
        return np.full(len(column), np.nan)
    if kind != feature.kind or (kind == "date" and reading.is_duration(column) != reading.is_duration(feature.sample)):
        raise TypeError(kind)
    return reading.numbers(column)


def check_told_apart(table: Table, feature: Feature) -> None:
    """Raises for whole numbers so large and so near to each other that floats, which an axis is of, are the same."""
    if feature.integer and np.abs(feature.distinct[[0, -1]]).max() > EXACT:
        column = table.read(feature.name)
        if column.nunique() > len(feature.distinct):
            whose = f"feature {checks.shown(feature.name)}"
            what = "of whole numbers that floats tell apart, as all up to 2**53"
            raise checks.must_be(whose, what, column.max(), levels_hint(feature))


def levels_hint(feature: Feature) -> str:
    """What to do with numbers that are names."""
    return f"Use Predictor(..., categorical=[{checks.shown(feature.name)}]) if they are levels."


def has_axis(table: Table, name: Hashable, categorical: bool = False) -> bool:
    """Whether `read_feature` finds a value: neither missing nor infinite, nor a list and the like."""
    column = table.read(name)
    if reading.holds_objects(column):
        return False
    if categorical or reading.kind_of(column) == "categorical":
        return bool(column.notna().any())
    return bool(np.isfinite(reading.numbers(column)).any())


def _there(values: NDArray[np.float64], kind: str) -> NDArray[np.bool_]:
    """Where a value is neither missing nor infinite, (n,)."""
    return values >= 0 if kind == "categorical" else np.isfinite(values)
