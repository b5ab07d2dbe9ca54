"""Sampling: background data of which a sample of rows is in memory, and the whole is known by its limits and levels.

With `rows="all"` the partitions of a dask frame stay where they are: each gives weighted sums, the scheduler adds them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from interpret_pd import checks
from interpret_pd.features import Feature
from interpret_pd.frames import as_table
from interpret_pd.frames.large import Known, drawn
from interpret_pd.frames.passes import over
from interpret_pd.frames.ranks import Ranks

ROWS = 10_000  # in memory, where averages are over all partitions


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """The data that a sample was drawn from.

    Attributes
    ----------
    columns : dict
        What is known of each column.
    n_rows : int
        How many rows there are.
    over : callable
        What a function makes of a column's frames, added up: another pass.
    partitions : list of delayed frames, or None
        The partitions, where averages are to be over all of them.
    """

    columns: dict[Hashable, Known]
    n_rows: int
    over: Callable[..., Any]
    partitions: list[Any] | None = None

    def completed(self, feature: Feature) -> Feature:
        """A sample's feature with what is known of the whole."""
        known = self.columns.get(feature.name)
        if known is None:
            return feature
        feature = feature.of_whole(known)
        if feature.levels is not None or feature.counts is not None:
            return feature
        return replace(feature, ranks=Ranks(self.over, feature.name, feature.distinct, as_table))


def sampled(X: Any, rows: int | str, random_state: Any, sample_weight: Any) -> tuple[Any, Whole]:
    """So many rows of the data, drawn at random, and what is known of all."""
    if sample_weight is not None:
        raise checks.must_be("sample_weight", "None where rows are drawn", sample_weight)
    count = rows if isinstance(rows, int) else ROWS
    sample, columns, n_rows = drawn(X, count, random_state, as_table)
    return sample, Whole(columns, n_rows, partial(over, X), X.to_delayed() if rows == "all" else None)
