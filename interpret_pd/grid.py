"""A grid: the points at which an effect is evaluated, as the product of one axis per feature.

An axis holds its points twice: as floats, for arithmetic and plots, and as a column of the container's own dtype, which
is what the model gets. `points()` is the cartesian product, the last axis fastest.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.features import Feature, check_told_apart, levels_hint, measured
from interpret_pd.frames import Table, reading
from interpret_pd.frames.base import Column
from interpret_pd.frames.large import DISTINCT

SPACINGS = ("uniform", "quantile")
WHAT = "a whole number of at least 2, 'unique' or values"


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The points of one feature.

    Attributes
    ----------
    feature : Feature
        What the points are values of.
    points : float array of shape (G,)
        Numbers, days since 1970, or level places, in the order asked for.
    column : native column of shape (G,)
        The same as the model sees them.
    """

    feature: Feature
    points: NDArray[np.float64]
    column: Column

    @property
    def values(self) -> pd.Series:
        """The points as a person reads them, (G,)."""
        return self.feature.readable(self.points)

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The product of one or two axes."""

    axes: tuple[Axis, ...]

    @property
    def features(self) -> tuple[Hashable, ...]:
        """The names, one per axis."""
        return tuple(axis.feature.name for axis in self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """(G1[, G2])."""
        return tuple(map(len, self.axes))

    def places(self) -> tuple[NDArray[np.intp], ...]:
        """For each axis the place of every point of the product on it, (m,) with m = G1 [* G2]."""
        return tuple(place.ravel() for place in np.indices(self.shape))

    def points(self, table: Table) -> dict[Hashable, Column]:
        """The product, one native column of length m per feature."""
        if len(self.axes) == 1:
            return {self.axes[0].feature.name: self.axes[0].column}
        pairs = zip(self.axes, self.places(), strict=True)
        return {axis.feature.name: table.pick(axis.column, place) for axis, place in pairs}

    def frame(self) -> dict[Hashable, pd.Series]:
        """The product as a person reads it, one Series of length m per feature."""
        pairs = zip(self.axes, self.places(), strict=True)
        return {axis.feature.name: axis.values.take(place).reset_index(drop=True) for axis, place in pairs}


@dataclass(frozen=True, slots=True)
class Spec:
    """How a library-made axis is laid out.

    `grid` is a number of points, `"unique"`, the values themselves, or a mapping from features to any of these;
    `spacing` is `"uniform"` or `"quantile"`; `percentiles` are the two shares of the data between which points lie.
    """

    grid: Any = 20
    spacing: str = "uniform"
    percentiles: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        checks.one_of("spacing", self.spacing, SPACINGS)
        pair = checks.numbers(self.percentiles)
        if pair is None or pair.shape != (2,) or not 0 <= pair[0] < pair[1] <= 1:
            raise checks.must_be("percentiles", "two increasing numbers from 0 to 1", self.percentiles)
        object.__setattr__(self, "percentiles", (float(pair[0]), float(pair[1])))

    def of(self, features: tuple[Hashable, ...], resolve: Any) -> tuple[Any, ...]:
        """What each feature's axis is asked to be."""
        if isinstance(self.grid, Mapping):
            asked = {resolve(name, "grid"): value for name, value in self.grid.items()}
            for name in asked:
                if name not in features:
                    raise checks.unknown("grid", "a mapping from the effect's features", name, features)
            return tuple(asked.get(name, 20) for name in features)
        if len(features) > 1:
            check_common(self.grid, "two features" if len(features) == 2 else "several features")
        return (self.grid,) * len(features)


def check_common(grid: Any, whose: str) -> None:
    """Raises for values, which are of one feature, where several are asked for."""
    if not is_count(grid) and not isinstance(grid, str):
        hint = "Use grid={feature: values, ...}."
        raise checks.must_be("grid", f"a number, 'unique' or a mapping for {whose}", grid, hint)


def make_axis(table: Table, feature: Feature, asked: Any, spec: Spec, anchor: Any = None) -> Axis:
    """The axis of one feature; an anchor that isn't among its points joins them.

    A numeric feature (or date) with at most `asked` distinct finite values gets exactly those, otherwise `asked`
    points, equidistant or quantiles (inverse of the empirical distribution function, so that they are values of the
    data) over the range or between the percentiles; whole numbers stay whole. Levels are all taken. `"unique"` takes
    every distinct value, and values given are kept as they are, in their order.
    """
    own = None if is_count(asked) or isinstance(asked, str) else _listed(asked)
    if isinstance(asked, str) and asked != "unique":
        raise checks.must_be("grid", WHAT, asked)
    if is_count(asked):
        checks.whole_number("grid", asked, 2)
    if feature.levels is not None:
        return _level_axis(table, feature, own, anchor)
    if own is not None:
        points = as_points(feature, own, "grid")
    else:
        points = _numeric_points(feature, None if isinstance(asked, str) else int(asked), spec)
        check_told_apart(table, feature)
    if anchor is not None:
        points = _joined(points, as_points(feature, [anchor], "center_at")[0])
    return axis_at(table, feature, points)


def axis_at(table: Table, feature: Feature, points: NDArray[np.float64]) -> Axis:
    """The axis of a feature with these points: numbers, days, or level places."""
    if feature.levels is not None:
        levels = [feature.levels[int(place)] for place in points]
        return Axis(feature, points, table.like(feature.name, levels))
    native = reading.dates(points, feature.sample) if feature.kind == "date" else points
    return Axis(feature, points, table.like(feature.name, native))


def point_axis(table: Table, feature: Feature, value: Any, argument: str) -> Axis:
    """The axis with the one point that an argument names."""
    if feature.levels is None:
        return axis_at(table, feature, as_points(feature, [value], argument))
    level = as_level(feature, value, argument)
    feature = feature.with_levels([level])
    return axis_at(table, feature, np.array([float((feature.levels or ()).index(level))]))


def _level_axis(table: Table, feature: Feature, own: list[Any] | None, anchor: Any) -> Axis:
    """All observed levels, or the user's own; the anchor at its place in the order."""
    asked = [as_level(feature, level, "grid") for level in own or ()]
    asked += [] if anchor is None else [as_level(feature, anchor, "center_at")]
    feature = feature.with_levels(asked)
    levels = list(feature.levels or ())
    places = [levels.index(level) for level in (levels if own is None else own)]
    if anchor is not None and levels.index(anchor) not in places:
        places = sorted([*places, levels.index(anchor)])
    return axis_at(table, feature, np.array(places, float))


def check_point(feature: Feature, value: Any, argument: str) -> None:
    """Raises if a value that an argument names can't be one of the feature's."""
    if feature.levels is None:
        as_points(feature, [value], argument)
    else:
        as_level(feature, value, argument)


def as_level(feature: Feature, level: Any, argument: str) -> Any:
    """The level, if it can be one of the feature's.

    A column that declares its levels (categories, an enum) has no others. One that doesn't takes any of the same type,
    for a model may know what these data don't hold; but one that is a level of theirs but for case and spaces is taken
    for a slip.
    """
    level = checks.scalar(level)
    declared = list(getattr(feature.sample.dtype, "categories", feature.levels or ()))
    if isinstance(level, Hashable) and level in declared:
        return level
    kinds = {type(getattr(known, "item", lambda known=known: known)()) for known in feature.levels or ()}
    closed = hasattr(feature.sample.dtype, "categories")
    what = f"{'levels' if argument == 'grid' else 'a level'} of {checks.shown(feature.name)}"
    if closed or type(getattr(level, "item", lambda: level)()) not in kinds:
        raise checks.unknown(argument, what, level, declared)
    meant = next((known for known in declared if isinstance(level, str) and _bare(known) == _bare(level)), None)
    if meant is not None:
        hint = f"Did you mean {checks.shown(meant)}? If not, make the column a categorical one that declares it."
        raise checks.must_be(argument, what, level, hint)
    return level


def _bare(text: object) -> str:
    """A text without case and spaces."""
    return "".join(str(text).casefold().split())


def _numeric_points(feature: Feature, count: int | None, spec: Spec) -> NDArray[np.float64]:
    """The library's own points of a numeric feature or date, increasing, (G,)."""
    distinct, all_of_them = feature.between(spec.percentiles, DISTINCT if count is None else count)
    if count is None or (all_of_them and len(distinct) <= count):
        return distinct
    if spec.spacing == "quantile":
        shares = np.linspace(*spec.percentiles, count)
        return np.unique(feature.quantiles(shares))
    points = _equidistant(distinct[0], distinct[-1], count)
    return np.unique(np.round(points)) if feature.integer else points


def _equidistant(low: float, high: float, count: int) -> NDArray[np.float64]:
    """Points from one number to another, whose difference may be too large for a float, (count,)."""
    size = np.frexp(max(abs(low), abs(high)))[1]
    points = np.ldexp(np.linspace(np.ldexp(low, -size), np.ldexp(high, -size), count), size)
    points[[0, -1]] = low, high
    return points


def scaled(x: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers over the power of two above the largest of the points: differences and squares fit, no digit is lost."""
    return np.ldexp(x, -np.frexp(np.abs(points).max())[1])


def as_points(feature: Feature, values: list[Any], argument: str) -> NDArray[np.float64]:
    """The user's own values of a numeric feature or date as floats, (m,)."""
    one, several = ("a finite number", "finite numbers") if feature.kind == "numeric" else ("a date", "dates")
    values = [checks.scalar(v) for v in values]
    try:
        points = measured(feature, pd.Series([float(v) if isinstance(v, Decimal) else v for v in values]))
    except (ValueError, TypeError, OverflowError):
        points = None
    what = several if argument == "grid" else one
    if points is None or not np.all(np.isfinite(points)):
        got = values if argument == "grid" else values[0]
        raise checks.must_be(argument, f"{what} for {checks.shown(feature.name)}", got)
    top = reading.largest(feature.sample)
    for value, point in zip(values, points, strict=True):
        held = top if point == float(top) else int(point)
        if feature.integer and checks.index(value) not in (None, held):
            what = f"{what} for {checks.shown(feature.name)} that a float holds, as all whole ones up to 2**53"
            raise checks.must_be(argument, what, value, levels_hint(feature))
    return points


def _joined(points: NDArray[np.float64], anchor: float) -> NDArray[np.float64]:
    """The points with the anchor among them: in its place if they increase, else at the end."""
    if anchor in points:
        return points
    increasing = bool(np.all(np.diff(points) > 0))
    return np.insert(points, np.searchsorted(points, anchor) if increasing else len(points), anchor)


def is_count(asked: Any) -> bool:
    """Whether a grid is asked for by its number of points."""
    return checks.index(asked) is not None


def _holds_several(value: Any) -> bool:
    """Whether a value is no scalar."""
    return isinstance(value, Sized) and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) > 0


def _listed(values: Any) -> list[Any]:
    """The user's own values as a list of scalars."""
    if isinstance(values, set | frozenset):
        raise checks.must_be("grid", WHAT, values, "Use a list: a set has no order.")
    if getattr(values, "ndim", None) == 0 or not isinstance(values, Iterable) or isinstance(values, bytes):
        raise checks.must_be("grid", WHAT, values)
    if isinstance(values, np.ndarray):
        values = pd.Series(list(values) if values.dtype.kind not in "mM" else values)  # dates of numpy's as timestamps
    values = values.to_list() if hasattr(values, "to_list") else list(values)
    if any(map(_holds_several, values)):
        raise checks.must_be("grid", "a flat list of values", values)
    if not values:
        raise checks.must_be("grid", "at least one value", values)
    return values
