"""Made-up data and models, for the laws of test_fuzz.py.

A `Case` is a data frame in plain words, so that one that failed once can be kept: `example(case=Case(...))`. Its model
is a fixed arithmetic on all columns that takes anything, missing values too, in any container.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import itertools
import math
import time
from collections.abc import Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from libraries import pa, pl

from interpret_pd import Predictor

nan, inf = math.nan, math.inf  # the names that the repr of a case uses

WHOLE = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def possible(kinds: list[str]) -> list[str]:
    """Those that can be made here: without pyarrow, none of its."""
    return kinds if find_spec("pyarrow") else [kind for kind in kinds if "pyarrow" not in kind]


GAPPY = possible(["Int8", "Int64", "UInt16", "int32[pyarrow]", "whole objects"])
FLOATS = possible(["float16", "float32", "float64", "Float32", "Float64", "double[pyarrow]"])
TEXT = possible(["object", "str", "string[python]", "string[pyarrow]", "large_string[pyarrow]"])
TRUTH = possible(["bool", "boolean", "bool[pyarrow]"])
DATES = possible(["datetime64[ns]", "datetime64[us]", "datetime64[s]", "zoned", "days", "timestamp[us][pyarrow]"])
SPANS = ["timedelta64[ns]", "timedelta64[us]"]
GROUPED = ["category", "ordered"]
EPOCH = dt.datetime(1970, 1, 1)
MINUTES = 30  # that the long profile takes


@dataclass(frozen=True)
class Col:
    """A column: its kind, its values (None is missing; dates and spans are hours), and declared levels."""

    kind: str
    values: tuple[Any, ...]
    levels: tuple[Any, ...] = ()

    @property
    def role(self) -> str:
        if self.kind in DATES + SPANS:
            return "date"
        return "numeric" if self.kind in WHOLE + GAPPY + FLOATS else "categorical"

    @property
    def series(self) -> pd.Series:
        kind, values = self.kind, list(self.values)
        if kind in GROUPED:
            return pd.Series(pd.Categorical(values, list(self.levels), ordered=kind == "ordered"))
        if kind in SPANS:
            hours = np.array(["NaT" if v is None else v for v in values], "timedelta64[h]")
            return pd.Series(hours.astype(kind))
        if kind in DATES:
            return _dates(kind, values)
        if kind in ("float16", "float32", "float64"):
            return pd.Series(np.array([nan if v is None else v for v in values], kind))
        return pd.Series(values, dtype=_arrow(kind) if "[pyarrow]" in kind else kind.replace("whole objects", "object"))


def _dates(kind: str, hours: list[int | None]) -> pd.Series:
    times = pd.Series(np.array(["NaT" if v is None else v for v in hours], "datetime64[h]").astype("datetime64[s]"))
    if kind == "zoned":
        return times.dt.tz_localize("UTC").dt.tz_convert("Europe/Zurich")
    if kind == "days":
        return pd.Series([None if v is None else (EPOCH + dt.timedelta(hours=v)).date() for v in hours], dtype=object)
    return times.astype(_arrow(kind) if "pyarrow" in kind else kind)


def _arrow(kind: str) -> Any:
    return kind if kind == "string[pyarrow]" else pd.api.types.pandas_dtype(kind)


@dataclass(frozen=True)
class Case:
    """A data frame, weights, and the number of outputs of its model."""

    columns: dict[Hashable, Col]
    index: str = "range"
    weights: tuple[float, ...] | None = None
    outputs: int = 1

    @property
    def n(self) -> int:
        return len(next(iter(self.columns.values())).values)

    @property
    def frame(self) -> pd.DataFrame:
        series = {place: column.series for place, column in enumerate(self.columns.values())}
        made = pd.DataFrame(series, index=pd.RangeIndex(self.n))
        made.columns = pd.Index(list(self.columns), dtype=object)
        return made.set_index(INDICES[self.index](self.n))

    @property
    def model(self) -> Mixed:
        return Mixed(self.outputs)

    def predictor(self, **options: Any) -> Predictor:
        return Predictor(self.model, self.frame, **{"sample_weight": self.weights, "engine": "brute"} | options)

    @property
    def swept(self) -> list[Hashable]:
        """The columns that have a value, which are those that have an effect."""
        return [name for name in self.columns if self.distinct(name)]

    def distinct(self, name: Hashable) -> list[Any]:
        """The different values that are there, in order; of a column with levels, the levels."""
        column = self.columns[name]
        there = {v.item() if hasattr(v, "item") else v for v in column.series.dropna().tolist()}
        if column.role == "numeric":
            return sorted(v for v in there if math.isfinite(v))
        return [level for level in column.levels if level in there] if column.levels else sorted(there)

    def is_there(self, name: Hashable) -> np.ndarray:
        """Which rows have a value that is neither missing nor infinite, (n,)."""
        values = self.columns[name].series
        there = values.notna().to_numpy(bool)
        if self.columns[name].role == "numeric":
            there = there & [not (isinstance(v, float) and math.isinf(v)) for v in values.tolist()]
        return there


INDICES = {
    "range": pd.RangeIndex,
    "text": lambda n: pd.Index([f"row {i}" for i in range(n)]),
    "one label": lambda n: pd.Index(["a"] * n),
    "twice": lambda n: pd.Index([i // 2 for i in range(n)]),
    "pairs": lambda n: pd.MultiIndex.from_tuples([("a" if i % 2 else "b", i) for i in range(n)], names=["g", None]),
    "dates": lambda n: pd.date_range("2024-01-01", periods=n, name="when"),
    "gaps": lambda n: pd.Index([nan if i % 3 else float(i) for i in range(n)]),
}


# the model


@dataclass(frozen=True)
class Mixed:
    """K outputs with every main effect and every interaction of two columns, whatever the columns hold."""

    outputs: int = 1
    scribbles: bool = False  # over its input, as a rude model does

    def __call__(self, Z: Any) -> np.ndarray:
        codes = np.array([[code(value) for value in column] for column in columns_of(Z)])  # (p, n)
        if self.scribbles:
            scribble(Z)
        places = range(len(codes))
        out = []
        for k in range(self.outputs):
            main = sum(math.cos(1 + k + 2 * j) * codes[j] for j in places)
            pairs = (math.sin(2 + k + 3 * i + j) * codes[i] * codes[j] for i, j in itertools.combinations(places, 2))
            out.append(main + sum(pairs))
        return out[0] if self.outputs == 1 else np.column_stack(out)


def columns_of(Z: Any) -> list[list[Any]]:
    """The columns of any container as lists."""
    if isinstance(Z, np.ndarray):
        return [list(column) for column in Z.T]
    if isinstance(Z, pd.DataFrame):
        return [Z.iloc[:, j].tolist() for j in range(Z.shape[1])]
    return [column.to_pylist() if hasattr(column, "to_pylist") else column.to_list() for column in _parts(Z)]


def _parts(Z: Any) -> list[Any]:
    return Z.get_columns() if hasattr(Z, "get_columns") else Z.columns


def scribble(Z: Any) -> None:
    """Spoils rows that a model was given, where the container can be written to."""
    if isinstance(Z, np.ndarray):
        Z[:] = Z[:1]
    elif isinstance(Z, pd.DataFrame):
        for j in range(Z.shape[1]):
            with contextlib.suppress(TypeError):  # a missing float16 is more than pandas can set
                Z.iloc[:, j] = Z.iloc[[0] * len(Z), j].array
        Z.index = range(100, 100 + len(Z))
        Z["a column more"] = 1


def code(value: Any) -> float:
    """Anything as a number of modest size: the same for the same value in any dtype, different for most others."""
    if isinstance(value, str):
        return sum((i + 1) * ord(c) for i, c in enumerate(value)) % 89 / 45 - 0.9
    if isinstance(value, dt.date | dt.timedelta | np.datetime64 | np.timedelta64) or value is None:
        value = _microseconds(value)
    if value is pd.NA or value != value:
        return 0.37
    value = float(value)
    if math.isinf(value):
        return math.copysign(2.5, value)
    mantissa, exponent = math.frexp(value)
    return mantissa + exponent / 64


def _microseconds(value: Any) -> float:
    if pd.isna(value):
        return nan
    if isinstance(value, dt.timedelta | np.timedelta64):
        return pd.Timedelta(value) / pd.Timedelta(1, "us")
    stamp = pd.Timestamp(value)
    stamp = stamp if stamp.tz is None else stamp.tz_convert("UTC").tz_localize(None)
    return (stamp - pd.Timestamp(EPOCH)) / pd.Timedelta(1, "us")


# strategies


NAMES = [
    "x",
    "y z",
    "temp",
    "Größe",
    "气温",
    "$\\alpha$",
    "a_b",
    "<b>",
    "{x}",
    "",
    "l\nm",
    "%s",
    "value",
    "type",
    "0",
    "🐦",
]
WORDS = ["a", "b", "oslo", "Bern", "", " ", "süd", "北", "1", "nan", "None", "True", "$x$", "a b"]
SCALES = [0.0, -0.0, 1.0, -1.5, 0.1, 1e-300, 5e-324, 1e15, -1e15, 1e300, -1.7e308, 1.7e308, 2.0**53, 1e-5]


def names() -> st.SearchStrategy[Hashable]:
    strange = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(lambda text: not text.endswith("_"))
    return st.sampled_from(NAMES) | st.integers(-2, 30) | strange


def pool(kind: str, extreme: bool) -> st.SearchStrategy[Any]:
    """The values that a column of the kind may hold."""
    if kind in WHOLE + GAPPY:
        if kind == "whole objects":
            return st.integers(-100, 100)
        bits = int("".join(c for c in kind if c.isdigit()))
        signed = not kind.lower().startswith("u")
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        most = min(high, 2**53)  # whole numbers beyond are rounded to floats
        ends = st.sampled_from([low, most])
        return st.integers(0, 9) | (ends | st.integers(max(low, -(2**53)), most) if extreme else st.integers(0, 100))
    if kind in FLOATS:
        width = 16 if "16" in kind else 32 if "32" in kind else 64
        if not extreme:
            return st.integers(-50, 50).map(lambda v: v / 4)
        wild = st.floats(allow_nan=False, allow_infinity=True, width=width)
        return wild | st.sampled_from([inf, -inf, *(SCALES if width == 64 else SCALES[:5])])
    if kind in TRUTH:
        return st.booleans()
    if kind in DATES:
        days = kind == "days"
        return st.integers(-200, 20_000).map(lambda d: 24 * d if days else d) | st.sampled_from([0, 400_000 // 24 * 24])
    return st.integers(-1000, 1000) if kind in SPANS else st.sampled_from(WORDS) | st.text(max_size=4).filter(_sane)


def _sane(text: str) -> bool:
    return all(not 0xD800 <= ord(c) <= 0xDFFF and c != "\0" for c in text)


KINDS = [*WHOLE, *GAPPY, *FLOATS, *FLOATS, *TEXT, *TRUTH, *GROUPED, *GROUPED, *DATES, *SPANS]
WITHOUT_GAPS = [*WHOLE, "bool"]


@st.composite
def cols(draw: Any, n: int, kinds: Any = tuple(KINDS), gaps: bool = True, extreme: bool = True) -> Col:
    """A column of n values with many repeats, some missing."""
    kind = draw(st.sampled_from(kinds))
    levels: tuple[Any, ...] = ()
    if kind in GROUPED:
        numbers = st.lists(st.integers(-9, 99), min_size=1, max_size=5, unique=True)
        words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True)
        levels = tuple(draw(words | words | numbers))
        values = list(levels)
    else:
        values = draw(st.lists(pool(kind, extreme), min_size=1, max_size=8))
    if gaps and kind not in WITHOUT_GAPS and draw(st.booleans()):
        values = [*values, None]
    places = draw(st.lists(st.integers(0, len(values) - 1), min_size=n, max_size=n))
    return Col(kind, tuple(values[place] for place in places), levels)


@st.composite
def cases(
    draw: Any, rows: int = 25, kinds: Any = tuple(KINDS), gaps: bool = True, extreme: bool = True, least: int = 1
) -> Case:
    """A frame of 1 to `rows` rows and up to four columns; some with weights, some with two outputs."""
    n = draw(st.integers(1, rows))
    called = draw(st.lists(names(), min_size=least, max_size=4, unique_by=lambda name: str(name)))
    columns = {name: draw(cols(n, kinds, gaps, extreme)) for name in called}
    weights = draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n).filter(any))
    index = draw(st.sampled_from(list(INDICES)))
    return Case(columns, index, None if weights is None else tuple(weights), draw(st.sampled_from([1, 1, 2])))


# how long a law is tried


LAWS: list[str] = []


def law(examples: int, *kept: Any, **strategies: Any) -> Any:
    """A test of a property: so many examples, or in the long profile its share of the time.

    `kept` are the `example(...)`s that failed once.
    """

    def decorate(test: Any) -> Any:
        LAWS.append(test.__name__)
        asked = given(**strategies)(test)
        for one in kept:
            asked = one(asked)
        asked = settings(
            max_examples=examples,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
            phases=[phase for phase in Phase if phase != Phase.explain],  # which takes minutes
            report_multiple_bugs=False,
        )(asked)

        @functools.wraps(test, assigned=("__module__", "__name__", "__qualname__", "__doc__"), updated=())
        def tried() -> None:
            asked()
            end = time.monotonic() + 60 * MINUTES / len(LAWS)
            while settings.default == settings.get_profile("long") and time.monotonic() < end:
                asked()

        del tried.__wrapped__  # it takes no arguments
        return tried

    return decorate


# other containers


def to_numpy(case: Case) -> np.ndarray:
    """An array of floats if all columns are, else of objects."""
    if {column.kind for column in case.columns.values()} == {"float64"}:
        return case.frame.to_numpy()
    made = np.empty((case.n, len(case.columns)), dtype=object)
    for j, column in enumerate(case.columns.values()):
        made[:, j] = column.series.astype(object).tolist()
    return made


def to_pyarrow(case: Case) -> Any:
    return pa.table({str(name): _arrow_array(column) for name, column in case.columns.items()})


def to_polars(case: Case) -> Any:
    def made(name: Hashable, column: Col) -> Any:
        if column.kind in GROUPED:
            return pl.Series(str(name), list(column.values), dtype=pl.Enum(list(column.levels)))
        return pl.Series(str(name), pl.from_arrow(_arrow_array(column)))

    return pl.DataFrame({str(name): made(name, column) for name, column in case.columns.items()})


def _arrow_array(column: Col) -> Any:
    values, kind = list(column.values), column.kind
    if kind in GROUPED:
        places = pa.array([None if v is None else column.levels.index(v) for v in values], pa.int8())
        return pa.DictionaryArray.from_arrays(places, list(column.levels), ordered=kind == "ordered")
    if column.role == "numeric":
        return pa.array([None if v is None else v for v in values], getattr(pa, kind.lower())())
    if column.role == "date":
        spans = [None if v is None else dt.timedelta(hours=v) for v in values]
        if kind in SPANS:
            return pa.array(spans, pa.duration("us"))
        times = [None if v is None else EPOCH + span for v, span in zip(values, spans, strict=True)]
        if kind == "days":
            return pa.array([None if time is None else time.date() for time in times], pa.date32())
        return pa.array(times, pa.timestamp("us", "Europe/Zurich" if kind == "zoned" else None))
    return pa.array(values, pa.bool_() if kind in TRUTH else pa.string())
