"""Columns of every type that people have, with the axis that each should get. The catalogue of test_frames.py."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from libraries import pa, pl

DAYS = [dt.date(2024, 1, day) for day in (3, 1, 2, 4)]
HOURS = [dt.datetime(2024, 1, day, 5) for day in (3, 1, 2, 4)]
SPANS = [dt.timedelta(hours=h) for h in (3, 1, 2, 4)]
PRICES = [Decimal("3.5"), Decimal(1), Decimal(2), Decimal(4)]
WHOLE, GAPPY, TEXT, TRUTH = [3, 1, 2, 4], [3, None, 2, 4], ["b", "a", None, "a"], [True, None, False, True]


def arrow(values, kind):
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


def stamps(unit="us"):
    return pd.Series(pd.to_datetime(HOURS)).dt.as_unit(unit)


NUMPY_DTYPES = [
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
]
PANDAS = {  # name: (a column, its axis)
    **{dtype: (pd.Series(WHOLE, dtype=dtype), [1, 2, 3, 4]) for dtype in NUMPY_DTYPES},
    **{
        dtype: (pd.Series(GAPPY, dtype=dtype), [2, 3, 4]) for dtype in ("Int8", "Int64", "UInt16", "Float32", "Float64")
    },
    "beyond int64": (pd.Series([2**63, 2**63 + 2**12], dtype="uint64"), [2.0**63, 2.0**63 + 2**12]),
    "bool": (pd.Series([True, False, False, True]), [False, True]),
    "boolean": (pd.Series(TRUTH, dtype="boolean"), [False, True]),
    "bool objects": (pd.Series(TRUTH, dtype=object), [False, True]),
    "text": (pd.Series(["b", "a", "c", "a"]), ["a", "b", "c"]),
    "text with a gap": (pd.Series(TEXT), ["a", "b"]),
    "string[python]": (pd.Series(TEXT, dtype="string[python]"), ["a", "b"]),
    "text objects": (pd.Series(TEXT, dtype=object), ["a", "b"]),
    "text objects with nan": (pd.Series(["b", "a", np.nan, "a"], dtype=object), ["a", "b"]),
    "unicode": (pd.Series(["süd", "", "北", "a b"], dtype=object), ["", "a b", "süd", "北"]),
    "whole objects": (pd.Series(GAPPY, dtype=object), [2, 3, 4]),
    "number objects": (pd.Series([3.5, 1, 2, 4], dtype=object), [1, 2, 3.5, 4]),
    "mixed objects": (pd.Series([3, "a", 2, "b"], dtype=object), [2, 3, "a", "b"]),
    "decimals": (pd.Series([*PRICES[:3], None], dtype=object), [1, 2, 3.5]),
    "days as objects": (pd.Series([*DAYS[:3], None], dtype=object), sorted(DAYS[:3])),
    "times as objects": (pd.Series(HOURS, dtype=object), sorted(HOURS)),
    "spans as objects": (pd.Series(SPANS, dtype=object), sorted(SPANS)),
    "clock times": (pd.Series([dt.time(2), dt.time(1)], dtype=object), [dt.time(1), dt.time(2)]),
    **{f"datetime64[{unit}]": (stamps(unit), sorted(HOURS)) for unit in ("ns", "us", "ms", "s")},
    "datetime with a gap": (stamps("ns").where([True, True, True, False]), sorted(HOURS[:3])),
    "zoned": (stamps().dt.tz_localize("Europe/Zurich"), sorted(stamps().dt.tz_localize("Europe/Zurich"))),
    "timedelta": (pd.Series(pd.to_timedelta(SPANS)), sorted(SPANS)),
    "period": (
        pd.Series(pd.period_range("2024-01", periods=3, freq="M")),
        list(pd.period_range("2024-01", periods=3, freq="M")),
    ),
    "category": (pd.Series(pd.Categorical(TEXT, ["z", "b", "a"])), ["b", "a"]),
    "ordered": (pd.Series(pd.Categorical(TEXT, ["z", "b", "a"], ordered=True)), ["b", "a"]),
    "category of numbers": (pd.Series(pd.Categorical([10, 2, None, 2], [5, 10, 3, 2])), [10, 2]),
    "category of floats": (pd.Series(pd.Categorical([1.5, 2, 3, 2])), [1.5, 2, 3]),
    "category of truths": (pd.Series(pd.Categorical([True, False, False, True])), [False, True]),
    "category of dates": (pd.Series(pd.Categorical(HOURS)), sorted(HOURS)),
    "bins": (pd.cut(pd.Series([0.0, 1, 2]), [0, 1, 2], include_lowest=True), None),
    "sparse": (pd.Series(pd.arrays.SparseArray([0.0, 1, 0, 2])), [0, 1, 2]),
}


def arrow_columns():
    return {
        "string[pyarrow]": (pd.Series(TEXT, dtype="string[pyarrow]"), ["a", "b"]),
        "arrow int": (arrow(GAPPY, pa.int32()), [2, 3, 4]),
        "arrow float": (arrow(GAPPY, pa.float32()), [2, 3, 4]),
        "arrow text": (arrow(TEXT, pa.string()), ["a", "b"]),
        "arrow bool": (arrow(TRUTH, pa.bool_()), [False, True]),
        "arrow day": (arrow(DAYS, pa.date32()), sorted(DAYS)),
        "arrow time": (arrow(HOURS, pa.timestamp("us")), sorted(HOURS)),
        "arrow zoned": (arrow(HOURS, pa.timestamp("ns", "UTC")), [pd.Timestamp(h, tz="UTC") for h in sorted(HOURS)]),
        "arrow span": (arrow(SPANS, pa.duration("us")), sorted(SPANS)),
        "arrow decimal": (arrow(PRICES, pa.decimal128(5, 2)), [1, 2, 3.5, 4]),
    }


def polars_columns():
    return {
        "int8": (pl.Series(WHOLE, dtype=pl.Int8), [1, 2, 3, 4]),
        "uint64": (pl.Series(WHOLE, dtype=pl.UInt64), [1, 2, 3, 4]),
        "int128": (pl.Series(WHOLE, dtype=pl.Int128), [1, 2, 3, 4]),
        "int with null": (pl.Series(GAPPY, dtype=pl.Int64), [2, 3, 4]),
        "float with null and nan": (pl.Series([3.5, None, float("nan"), 4], dtype=pl.Float32), [3.5, 4]),
        "text": (pl.Series(TEXT), ["a", "b"]),
        "categorical": (pl.Series(TEXT, dtype=pl.Categorical), ["a", "b"]),
        "enum": (pl.Series(TEXT, dtype=pl.Enum(["z", "b", "a"])), ["b", "a"]),
        "bool": (pl.Series(TRUTH), [False, True]),
        "date": (pl.Series([*DAYS[:3], None]), sorted(DAYS[:3])),
        "datetime ms": (pl.Series(HOURS, dtype=pl.Datetime("ms")), sorted(HOURS)),
        "datetime ns": (pl.Series(HOURS, dtype=pl.Datetime("ns")), sorted(HOURS)),
        "duration": (pl.Series(SPANS), sorted(SPANS)),
        "decimal": (pl.Series(PRICES), [1, 2, 3.5, 4]),
    }


def pyarrow_columns():
    return {
        "int8": (pa.array(WHOLE, pa.int8()), [1, 2, 3, 4]),
        "int with null": (pa.array(GAPPY), [2, 3, 4]),
        "float": (pa.array(GAPPY, pa.float32()), [2, 3, 4]),
        "chunks": (pa.chunked_array([[3, 1], [2, 4]]), [1, 2, 3, 4]),
        "text": (pa.array(TEXT), ["a", "b"]),
        "large text": (pa.array(TEXT, pa.large_string()), ["a", "b"]),
        "dictionary": (
            pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0], pa.int8()), ["b", "a", "z"]),
            ["b", "a"],
        ),
        "ordered": (
            pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0], pa.int16()), ["b", "a", "z"], ordered=True),
            ["b", "a"],
        ),
        "dictionary chunks": (
            pa.chunked_array([pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]),
            ["b", "a", "c"],
        ),
        "bool": (pa.array(TRUTH), [False, True]),
        "date32": (pa.array(DAYS), sorted(DAYS)),
        "date64": (pa.array(DAYS, pa.date64()), sorted(DAYS)),
        "timestamp s": (pa.array(HOURS, pa.timestamp("s")), sorted(HOURS)),
        "duration": (pa.array(SPANS), sorted(SPANS)),
        "decimal": (pa.array(PRICES), [1, 2, 3.5, 4]),
    }


def listed(kind, columns, library="pandas"):
    """The cases of one kind of frame; a single one, skipped, where the library that they need is missing."""
    if find_spec(library) is None:
        absent = pytest.mark.skip(reason=f"{library} is not installed")
        return [pytest.param(None, None, None, id=f"{kind}, with {library}", marks=absent)]
    make = {"pandas": lambda: pd.DataFrame, "polars": lambda: pl.DataFrame, "pyarrow": lambda: pa.table}[kind]()
    return [pytest.param(make, *case, id=f"{kind} {name}") for name, case in columns().items()]


COLUMNS = [
    *listed("pandas", lambda: PANDAS),
    *listed("pandas", arrow_columns, "pyarrow"),
    *listed("polars", polars_columns, "polars"),
    *listed("pyarrow", pyarrow_columns, "pyarrow"),
]


def scalars(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def type_of(column):
    return column.type if hasattr(column, "type") else column.dtype


def framed(make, column):
    return make({"z": [float(i) for i in range(len(column))], "q": column})
