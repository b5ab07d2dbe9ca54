"""Reading a column: its kind, its numbers, its levels. Input is a pandas Series, whatever the container was."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

DAY = 86_400_000_000  # microseconds


def as_series(values: Any) -> pd.Series:
    """A column to read; text that pandas' own type can't hold (half of a surrogate pair) as objects."""
    try:
        return pd.Series(values, copy=False)
    except UnicodeEncodeError:
        return pd.Series(values, dtype=object, copy=False)


def as_index(labels: Sequence[Hashable]) -> pd.Index:
    """Labels one by one, tuples too; text that pandas' own type can't hold as objects."""
    try:
        return pd.Index(labels, tupleize_cols=False)
    except UnicodeEncodeError:
        return pd.Index(labels, dtype=object, tupleize_cols=False)


def as_frame(columns: Mapping[Any, Any]) -> pd.DataFrame:
    """Columns as a frame, whatever text is in them and in their names."""
    try:
        return pd.DataFrame(columns)
    except UnicodeEncodeError:
        read = {i: one if isinstance(one, str) else as_series(one) for i, one in enumerate(columns.values())}
        return pd.DataFrame(read).set_axis(as_index(list(columns)), axis=1)


def kind_of(column: pd.Series) -> str:
    """`"numeric"`, `"date"` (dates and durations) or `"categorical"` (everything else, bool included)."""
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return "categorical"
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype):
        return "numeric"
    if getattr(dtype, "kind", "O") in "mM":
        return "date"
    if isinstance(dtype, pd.CategoricalDtype | pd.StringDtype):
        return "categorical"
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in {"integer", "floating", "mixed-integer-float", "decimal"}:
        return "numeric"
    return "date" if inferred in {"datetime", "datetime64", "date", "timedelta"} else "categorical"


def holds_objects(column: pd.Series) -> bool:
    """Whether the values are lists, complex numbers and the like, which have no axis."""
    return any(isinstance(value, complex) or not isinstance(value, Hashable) for value in column.dropna().iloc[:1])


def is_whole(column: pd.Series) -> bool:
    """Whether a numeric column holds whole numbers by its dtype, or a date column whole days by its values."""
    if kind_of(column) == "date":
        days = numbers(column)
        return bool(np.all(days[np.isfinite(days)] % 1 == 0))
    if column.dtype == object:
        return pd.api.types.infer_dtype(column, skipna=True) == "integer"
    return pd.api.types.is_integer_dtype(column.dtype)


def numbers(column: pd.Series) -> NDArray[np.float64]:
    """A column of numbers or truths as floats, of dates as days since 1970 (UTC), (n,); NaN where missing."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        return column.to_numpy(dtype=float)
    if kind_of(column) == "numeric":
        return column.to_numpy(float, na_value=np.nan)
    micro = _times(column).astype("int64").to_numpy(float)
    return np.where(column.isna(), np.nan, micro / DAY)


def largest(column: pd.Series) -> int:
    """The largest whole number that a column may hold, or of objects, one that a column of results may."""
    return 2**64 - 1 if "uint64" in str(column.dtype).lower() or column.dtype == object else 2**63 - 1


def whole(values: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """Whole numbers as an array of an integer dtype, (m,); None if one is a fraction, or beyond the dtype's range.

    The largest of 64 bits is no float; the one next to it, which is beyond, stands for it.
    """
    if values.dtype.kind not in "iuf":
        return None
    limits = np.iinfo(dtype)
    top = float(limits.max) if values.dtype.kind == "f" else limits.max
    if not np.all((values == np.round(values)) & (values >= limits.min) & (values <= top)):
        return None
    made = np.full(len(values), limits.max, dtype)
    made[values < top] = values[values < top]
    return made


def _times(column: pd.Series) -> pd.Series:
    """Dates without a zone, or durations, in microseconds."""
    if is_duration(column):
        return pd.to_timedelta(column).astype("timedelta64[us]")
    times = pd.to_datetime(column, utc=True)
    return times.dt.tz_localize(None).astype("datetime64[us]")


def dates(days: NDArray[np.float64], like: pd.Series) -> pd.Series:
    """Days since 1970 as dates (or durations) of the column's type, (m,), exact to a microsecond."""
    days = np.asarray(days, float)
    missing = ~np.isfinite(days)
    micro = np.round(np.where(missing, 0, days) * DAY).astype("int64")
    if is_duration(like):
        return pd.Series(micro.astype("timedelta64[us]")).mask(missing)
    times = pd.Series(micro.astype("datetime64[us]")).mask(missing)
    zone = zone_of(like)
    return times.dt.tz_localize("UTC").dt.tz_convert(zone) if zone is not None else times


def is_duration(column: pd.Series) -> bool:
    """Whether a date column holds lengths of time."""
    return getattr(column.dtype, "kind", "O") == "m" or pd.api.types.infer_dtype(column, skipna=True) == "timedelta"


def zone_of(dates: pd.Series) -> Any:
    """The time zone of a column of dates, or None."""
    return getattr(pd.to_datetime(dates.iloc[:1]).dt, "tz", None)


def plain(values: Any, like: pd.Series) -> NDArray[np.object_]:
    """Python's own scalars, of the type that a column of objects holds, (m,)."""
    kind = type(next(iter(like.dropna()), None))
    objects = np.empty(len(values), dtype=object)
    objects[:] = [_of_type(value, kind) for value in getattr(values, "tolist", lambda: values)()]
    return objects


def _of_type(value: Any, kind: type) -> Any:
    """A number or date as that type, where nothing of it is lost."""
    if isinstance(value, pd.Timedelta):
        return value if kind is pd.Timedelta else value.to_pytimedelta()
    if isinstance(value, pd.Timestamp):
        midnight = kind is datetime.date and value == value.normalize()
        return value.date() if midnight else value if kind is pd.Timestamp else value.to_pydatetime()
    if isinstance(value, float) and kind is Decimal:
        return Decimal(repr(value))
    return (
        int(value) if isinstance(value, float) and issubclass(kind, int | np.integer) and value.is_integer() else value
    )


def levels_of(column: pd.Series) -> tuple[list[Any], bool]:
    """The observed levels, in declared order, else sorted; and whether that order means something."""
    present = column.dropna().astype(float) if column.dtype == np.float16 else column.dropna()
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = set(present.cat.codes)
        return [c for i, c in enumerate(column.cat.categories) if i in used], bool(column.cat.ordered)
    return in_order(list(present.unique())), False


def in_order(levels: Sequence[Any]) -> list[Any]:
    """Levels sorted; by the name of their type first where they can't be compared."""
    try:
        return sorted(levels)
    except TypeError:
        return sorted(levels, key=lambda level: (type(level).__name__, str(level)))


def told(value: Any) -> Any:
    """A scalar that JSON can hold: numpy's as Python's, everything else as text."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def codes(column: pd.Series, levels: Sequence[Any]) -> NDArray[np.float64]:
    """The place of each value among the levels, (n,); -1 where it is missing or no level."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype) if not column.isna().any() else column.astype(object)
    if column.dtype == np.float16:  # pandas has no index of these
        column = column.astype(float)
    if isinstance(column.dtype, pd.ArrowDtype) and column.dtype.kind in "mM":  # pandas 2 finds none of them in a dict
        column = column.astype(object)
    place = {level: i for i, level in enumerate(levels)}
    try:
        found = column.map(place)
    except UnicodeEncodeError:
        found = column.astype(object).map(place.get)
    return np.asarray(found.astype(float).fillna(-1), np.float64)
