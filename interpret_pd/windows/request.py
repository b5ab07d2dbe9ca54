"""A request: what an effect is asked for, checked and made concrete: features, grid, rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.features import Feature
from interpret_pd.frames import as_table
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Axis, Grid, Spec, as_points
from interpret_pd.methods import METHODS, Method
from interpret_pd.predictor import Predictor

OWN = ("output_", "type_", "id_", "value_", "se_", "lower_", "upper_", "support_", "supported_", "n_", "level_")


def check_names(argument: str, names: Iterable[Any], own: Sequence[str] = OWN) -> None:
    """Raises if a feature is called like a column that the results have of their own."""
    taken = [name for name in names if name in own]
    if taken:
        hint = "Use X.rename(...): the results have such a column of their own."
        raise checks.must_be(argument, "called otherwise", taken[0], hint)


def check_predictor(predictor: Any) -> None:
    """Raises if it is no predictor; the usual mistake is to hand over the model."""
    if not isinstance(predictor, Predictor):
        got = checks.article(type(predictor).__name__)
        raise checks.wrong_type("predictor", "a Predictor", got, "Use Predictor(model, X).")


def chosen_features(predictor: Predictor, features: Any, method: str) -> tuple[Feature, ...]:
    """The one or two features that are asked for."""
    one = isinstance(features, tuple) and features in predictor.feature_names  # a column that is called by a tuple
    several = checks.items(features) if isinstance(features, list | tuple | np.ndarray | pd.Index) and not one else None
    asked = [features] if several is None else several
    if not 1 <= len(asked) <= 2:
        raise checks.must_be("features", "one name or two", features)
    chosen = tuple(predictor.feature(name) for name in asked)
    check_names("features", (feature.name for feature in chosen))
    if len(asked) > METHODS[method].max_features:
        names = checks.shown(tuple(feature.name for feature in chosen))
        raise checks.refused(
            f"method {method!r} takes one feature; got {names}. Use method='pdp' for their joint effect."
        )
    if len({feature.name for feature in chosen}) < len(chosen):
        raise checks.refused(f"features must differ; got {checks.shown(tuple(feature.name for feature in chosen))}.")
    return chosen


def grouping(
    predictor: Predictor, by: Any, method: str, features: tuple[Any, ...], center_at: Any, within_support: bool
) -> Any:
    """The name of the feature whose levels part the rows, or None."""
    if by is None:
        return None
    feature = predictor.table.resolve(by, "by")
    check_names("by", [feature])
    levels = predictor.feature(feature).levels
    if levels is None or feature in features:
        what = "a feature with levels, other than the effect's own"
        raise checks.must_be("by", what, by, "Use Predictor(..., categorical=[...]) if its numbers are levels.")
    if method != "pdp" or center_at is not None or within_support:
        raise checks.must_be("by", "None for all but a plain method='pdp'", by)
    return feature


def check_options(method: str, features: tuple[Any, ...], within_support: bool, missing: bool) -> None:
    """Raises if an option has no meaning for the method."""
    checks.flag("within_support", within_support)
    checks.flag("missing", missing)
    if within_support and "pdp" not in method:
        raise checks.must_be("within_support", f"False for method {method!r}, which averages nothing", within_support)
    if missing and (method == "ale" or len(features) == 2):
        raise checks.must_be("missing", "False for ALE and for two features", missing)


def asked_grid(
    predictor: Predictor, features: tuple[Feature, ...], spec: Spec, anchor: Any, method: Method, missing: bool = False
) -> Grid:
    """The grid of the features, with the anchor on it, and a missing point at its end if that is asked for."""
    if anchor is not None and len(features) == 2:
        raise checks.must_be("center_at", "None for two features", anchor)
    asked = spec.of(tuple(feature.name for feature in features), predictor.table.resolve)
    axes = [method.axis(predictor, feature, one, spec, anchor) for feature, one in zip(features, asked, strict=True)]
    return Grid(tuple(with_missing(predictor, axis) if missing else axis for axis in axes))


def with_missing(predictor: Predictor, axis: Axis) -> Axis:
    """The axis with a missing value as its last point."""
    last = -1.0 if axis.feature.levels is not None else np.nan
    column = predictor.table.with_missing(axis.column)
    return Axis(axis.feature, np.append(axis.points, last), column)


def place_of(axis: Axis, anchor: Any) -> int:
    """Where on an axis an anchor is; the first point for None."""
    if anchor is None:
        return 0
    if axis.feature.levels is not None:
        return int(np.flatnonzero(axis.points == axis.feature.levels.index(anchor))[0])
    return int(np.flatnonzero(axis.points == as_points(axis.feature, [anchor], "center_at")[0])[0])


def drawn_rows(n: int, ice_rows: int | None, random_state: Any) -> Rows:
    """The rows whose curves are kept: all, or so many drawn at random, in the order of the data."""
    generator = checks.generator("random_state", random_state)
    if ice_rows is None or checks.whole_number("ice_rows", ice_rows, 1) >= n:
        return np.arange(n)
    return np.sort(generator.choice(n, ice_rows, replace=False))


def tolerance(asked: Any, method: str) -> float | None:
    """How exact an average must be, as a share of its range; None for all rows."""
    if asked is None:
        return None
    if not checks.finite(asked) or not 0 < asked < 1:
        raise checks.must_be("tolerance", "None or a number between 0 and 1", asked)
    if method != "pdp":
        raise checks.must_be("tolerance", f"None for method {method!r}", asked, "Use method='pdp'.")
    return float(asked)


def rows_averaged(predictor: Predictor, method: str) -> int:
    """The rows that an effect is over: those in memory, or those of all partitions."""
    whole = predictor.whole
    return whole.n_rows if whole is not None and whole.partitions is not None and "pdp" in method else predictor.n_rows


def seeded(random_state: Any) -> Any:
    """The seed or generator given, or a new seed, so that a draw can be repeated."""
    return int(np.random.default_rng().integers(2**32)) if random_state is None else random_state


def new_columns(features: tuple[Any, ...], known: tuple[Any, ...] | None, X_new: Any) -> list[Any]:
    """The columns of an effect's features in new data, in the features' order; `known` are an array's column names."""
    what = f"a data frame with {checks.listed(features)}"
    if not hasattr(type(X_new), "columns") and len(getattr(X_new, "shape", "1")) < 2:  # no frame, no 2-D array
        if len(features) == 2:
            raise checks.must_be("X_new", what, X_new)
        if (
            isinstance(X_new, str | bytes | set | frozenset | Mapping)
            or not hasattr(X_new, "__len__")
            or getattr(X_new, "ndim", 1) == 0
        ):
            raise checks.must_be("X_new", what + " or a list of values", X_new)
        return [X_new]
    names = known if isinstance(X_new, np.ndarray) and known and X_new.shape[1:] == (len(known),) else None
    table = as_table(X_new, names, "X_new")
    if not set(features) <= set(table.names):
        raise checks.refused(checks.sentence("X_new", what, f"the columns {checks.listed(table.names)}"))
    return [table.read(name) for name in features]
