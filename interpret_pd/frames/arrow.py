"""New values as an arrow column of the same type: its dictionary, its width, its unit of time."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from interpret_pd import checks
from interpret_pd.frames import reading


def array_like(column: pa.ChunkedArray, name: Hashable, values: Sequence[Any]) -> pa.ChunkedArray:
    """Python's own scalars as an array of the column's type, or of a wider one if one of them doesn't fit, (m,)."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return pa.chunked_array([_dictionary(column, name, values)])
    if pa.types.is_integer(kind):
        whole = reading.whole(np.asarray(values), np.dtype(kind.to_pandas_dtype()))
        made = pa.array(values, pa.float64()) if whole is None else pa.array(whole, kind)
    elif pa.types.is_decimal(kind):
        made = _exact(kind, [Decimal(str(v)) for v in values], pa.array([float(v) for v in values]))
    elif pa.types.is_temporal(kind) and isinstance(values[0], datetime.datetime | datetime.timedelta):
        made = _exact(kind, values, pa.array(values))
    else:
        made = pa.array(values, kind)
    return pa.chunked_array([made])


def with_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column with a null at its end, in the same type, (m + 1,)."""
    null = pa.nulls(1, column.type)
    if pa.types.is_dictionary(column.type):
        chunk = column.unify_dictionaries().chunk(0)
        places, ordered = pa.nulls(1, chunk.indices.type), column.type.ordered
        null = pa.DictionaryArray.from_arrays(places, chunk.dictionary, ordered=ordered)
    return pa.chunked_array([*column.chunks, null])


def _dictionary(column: pa.ChunkedArray, name: Hashable, values: Sequence[Any]) -> pa.DictionaryArray:
    """Levels as places in the column's own dictionary."""
    dictionary = column.unify_dictionaries().chunk(0).dictionary
    levels = dictionary.to_pylist()
    for value in values:
        if value not in levels:
            raise checks.unknown("grid", f"levels of {checks.shown(name)}", value, levels)
    places = pa.array([levels.index(value) for value in values], column.type.index_type)
    return pa.DictionaryArray.from_arrays(places, dictionary, ordered=column.type.ordered)


def _exact(kind: pa.DataType, values: Sequence[Any], wider: pa.Array) -> pa.Array:
    """The values in the type if it holds them exactly, else as they are in the wider array."""
    try:
        exact = wider.cast(kind).cast(wider.type).equals(wider)
        return pa.array(values, kind) if exact else wider
    except pa.ArrowInvalid:
        return wider
