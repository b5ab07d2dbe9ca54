"""A large table: data that one machine does not hold, of which one pass draws a sample and learns what axes need.

Each row gets a random number, and the rows with the smallest are the sample: drawing from parts and merging is then the
same as drawing from the whole, whether parts come one after the other (parquet, polars) or from a cluster (dask).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.frames import reading
from interpret_pd.frames.base import Table
from interpret_pd.frames.passes import frames, summed
from interpret_pd.frames.ranks import joined

DISTINCT = 100_000  # different numbers of a column that are kept with their counts
PART = 2**40  # places of the rows of a partition start at multiples of it


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known of a whole column.

    Attributes
    ----------
    kind : str
        `"numeric"`, `"date"` or `"categorical"`.
    values : array of shape (u,)
        Numbers or days: the different finite ones, increasing; beyond 100,000 of them the least and the greatest.
    counts : int array of shape (u,), or None
        How often they come; None where only the ends are kept.
    levels : frozenset
        Of a categorical column: the levels that are there.
    """

    kind: str
    values: NDArray[np.float64]
    counts: NDArray[np.int_] | None
    levels: frozenset[Any] = frozenset()

    def merged(self, other: Known) -> Known:
        """Of two parts, what is known of both."""
        if self.kind == "categorical":
            return Known(self.kind, self.values, self.counts, self.levels | other.levels)
        both = np.concatenate([self.values, other.values])
        if self.counts is None or other.counts is None:
            return Known(self.kind, both[[both.argmin(), both.argmax()]], None)
        return _kept(self.kind, *joined((self.values, self.counts), (other.values, other.counts)))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A sample of some rows with what is known of all of them.

    `frames` hold the sample, `keys` its rows' random numbers, `places` where they stood, and `n` is the number of rows.
    """

    frames: list[Any]
    keys: NDArray[np.float64]
    places: NDArray[np.int_]
    columns: dict[Hashable, Known]
    n: int

    def merged(self, other: Part, rows: int) -> Part:
        """Of two parts, the sample of both."""
        columns = dict(self.columns)
        for name, known in other.columns.items():
            columns[name] = columns[name].merged(known) if name in columns else known
        keys, places = np.concatenate([self.keys, other.keys]), np.concatenate([self.places, other.places])
        frames, n = [*self.frames, *other.frames], self.n + other.n
        if len(keys) > 4 * rows or len(frames) > 64:  # now and then, for taking rows costs a copy
            smallest = _smallest(keys, rows)
            return Part([_take(_joined(frames), smallest)], keys[smallest], places[smallest], columns, n)
        return Part(frames, keys, places, columns, n)

    def sample(self, rows: int) -> Any:
        """The rows drawn, in the order of the data."""
        smallest = _smallest(self.keys, rows)
        return _take(_joined(self.frames), smallest[np.argsort(self.places[smallest])])


def drawn(
    X: Any, rows: int, random_state: Any, as_table: Callable[[Any], Table]
) -> tuple[Any, dict[Hashable, Known], int]:
    """A uniform sample of rows without replacement, what is known of every column of the whole, and its rows.

    Parameters
    ----------
    X : dask DataFrame, polars LazyFrame, path of parquet data, or a frame in memory
    rows : int
    random_state : seed or Generator
    as_table : callable
        From a frame to a table.
    """
    lazy = hasattr(X, "to_delayed")
    if not lazy and not isinstance(X, str | Path) and not hasattr(X, "collect"):
        as_table(X)  # raises for what is no data
    part = (_from_partitions if lazy else _from_stream)(X, rows, random_state, as_table)
    if part is None:
        raise checks.refused("the data must have at least one row; got none.")
    sample = part.sample(rows)
    if isinstance(X, str | Path):
        sample = sample.to_pandas()
    return sample, part.columns, part.n


def _from_stream(X: Any, rows: int, random_state: Any, as_table: Callable[[Any], Table]) -> Part | None:
    """One frame after the other; the random numbers are one sequence, however the data are cut."""
    generator, start = np.random.default_rng(random_state), 0
    part: Part | None = None
    for frame in frames(X):
        n = len(frame)
        if n:
            part = _merge(part, _part(frame, generator.random(n), start, rows, as_table), rows)
        start += n
    return part


def _from_partitions(X: Any, rows: int, random_state: Any, as_table: Callable[[Any], Table]) -> Part | None:
    """The partitions' parts, drawn where they are and merged two by two on the way."""
    from dask import delayed

    seeds = np.random.SeedSequence(_entropy(random_state)).spawn(X.npartitions)
    pairs = zip(X.to_delayed(), seeds, strict=True)
    parts = [delayed(_partition)(one, seed, i * PART, rows, as_table) for i, (one, seed) in enumerate(pairs)]
    return summed(parts, lambda one, other: delayed(_merge)(one, other, rows)).compute()


def _partition(frame: Any, seed: Any, start: int, rows: int, as_table: Callable[[Any], Table]) -> Part | None:
    """A partition's part; None if it is empty."""
    if not len(frame):
        return None
    return _part(frame, np.random.default_rng(seed).random(len(frame)), start, rows, as_table)


def _merge(one: Part | None, other: Part | None, rows: int) -> Part | None:
    """Two parts, either of which may be empty."""
    if one is None or other is None:
        return one if other is None else other
    return one.merged(other, rows)


def _entropy(random_state: Any) -> int:
    """A seed's own number, or one drawn from a generator."""
    return int(random_state if isinstance(random_state, int) else np.random.default_rng(random_state).integers(2**63))


def _part(frame: Any, keys: NDArray[np.float64], start: int, rows: int, as_table: Callable[[Any], Table]) -> Part:
    """The sample of one frame in memory, and what is known of it."""
    table, smallest = as_table(frame), _smallest(keys, rows)
    columns = {name: known for name in table.names if (known := _known(table.read(name))) is not None}
    return Part([_take(frame, smallest)], keys[smallest], start + smallest, columns, table.n_rows)


def _known(column: pd.Series) -> Known | None:
    """What a part of a column says; None if nothing is there."""
    if not column.notna().any() or reading.holds_objects(column):
        return None
    kind = reading.kind_of(column)
    if kind == "categorical":
        return Known(kind, np.empty(0), None, frozenset(reading.levels_of(column)[0]))
    numbers = reading.numbers(column)
    values, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    return _kept(kind, values, counts) if len(values) else None


def _kept(kind: str, values: NDArray[np.float64], counts: NDArray[np.int_]) -> Known:
    """All values, or their ends if there are too many."""
    return Known(kind, values, counts) if len(values) <= DISTINCT else Known(kind, values[[0, -1]], None)


def _smallest(keys: NDArray[np.float64], rows: int) -> NDArray[np.intp]:
    """The places of the smallest keys, increasing."""
    return np.arange(len(keys)) if len(keys) <= rows else np.sort(np.argpartition(keys, rows - 1)[:rows])


def _take(frame: Any, places: NDArray[np.intp]) -> Any:
    """Rows of a frame of pandas, polars or pyarrow, or of an array."""
    if isinstance(frame, pd.DataFrame):
        return frame.iloc[places]
    return frame.take(places) if hasattr(frame, "schema") and hasattr(frame, "take") else frame[places]


def _joined(frames: list[Any]) -> Any:
    """Frames one below the other."""
    if len(frames) == 1:
        return frames[0]
    if isinstance(frames[0], pd.DataFrame):
        return pd.concat(frames)
    if hasattr(frames[0], "schema") and hasattr(frames[0], "column_names"):
        import pyarrow as pa

        return pa.concat_tables(frames)
    if isinstance(frames[0], np.ndarray):
        return np.concatenate(frames)
    import polars as pl

    return pl.concat(frames)


def checked_rows(rows: Any, X: Any) -> int | str | None:
    """How many rows are drawn: None (all, in memory), a number, or `"all"`, partition by partition."""
    if rows is None or (isinstance(rows, str) and rows == "all" and hasattr(X, "to_delayed")):
        return rows
    if checks.index(rows) is None:
        raise checks.must_be("rows", "None or a whole number ('all' for a dask DataFrame)", rows)
    return checks.whole_number("rows", rows, 1)
