"""Support: how well the data cover the rows that an average invents.

Setting a feature to a value in every row makes rows that may be impossible: a day of 30 degrees in January. A row is
*supported* at a point if, in its other features, it is as near to the rows that really have about that value as a row
is to rows drawn at random. It is a property of the data; no model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from interpret_pd.features import Feature
from interpret_pd.frames import reading
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Axis, Grid, Spec, make_axis, scaled
from interpret_pd.predictor import Predictor

Values = NDArray[np.float64]

MOST = 2000  # rows looked at; of more, a seeded sample
LEAST, SHARE = 20, 20  # a neighbourhood has max(20, n / 20) rows
QUANTILE = 0.95  # of the distances that count as near
ROUNDING = 1e-10  # a squared distance below this is one of 0
FAR = 1e150  # ranges; beyond that all is as far
DRAWS = 5  # of random neighbourhoods, averaged
POINTS = 20  # of an axis in the table


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Which rows are supported where.

    Attributes
    ----------
    rows : int array of shape (s,)
        The background rows looked at: all that have a weight, or a sample of them.
    supported : bool array of shape (s, m)
        Whether a row is supported at a point.
    """

    rows: Rows
    supported: NDArray[np.bool_]

    def shares(self, weights: Values | None = None) -> Values:
        """The supported share of the rows at each point over the 0.95 that chance gives, at most 1, (m,)."""
        w = None if weights is None else weights[self.rows]
        return np.minimum(np.average(self.supported, axis=0, weights=w) / QUANTILE, 1.0)


def support(predictor: Predictor, grid: Grid) -> Support:
    """The support of each background row at each point of a grid.

    The other features are embedded: numbers standardised, levels as indicators over the root of 2, missing as an
    indicator of its own. The neighbourhood of a point are the max(20, n / 20) rows nearest to it in the swept
    feature(s), for a level (or a missing value) rows that have it. A row is supported if its distance to the nearest of
    them is at most the 0.95 quantile, over all rows, of the same distance to as many rows drawn at random (the mean of
    five seeded draws): where the swept feature is independent of the others, 95 % of the rows are supported. With 20
    rows or fewer every row is, at every number.

    Parameters
    ----------
    predictor : Predictor
        The background data; above 2,000 rows a seeded sample of them is looked at.
    grid : Grid
        One axis or two.

    Returns
    -------
    Support
    """
    swept = tuple(axis.feature.name for axis in grid.axes)
    key = ("support", swept, *((axis.feature.levels, axis.points.tobytes()) for axis in grid.axes))
    if key not in predictor.cache:
        predictor.cache[key] = _support(predictor, grid, swept)
    return predictor.cache[key]


def _support(predictor: Predictor, grid: Grid, swept: tuple[Any, ...]) -> Support:
    """The support, computed."""
    rows, squares, shuffled = _neighbours(predictor)
    others = squares.copy()
    for name in swept:  # the distance in all other features is what the swept ones leave of it
        others -= _squares(_embedded([predictor.feature(name)], rows))
    others[others < ROUNDING] = 0.0
    supported = np.empty((len(rows), int(np.prod(grid.shape))), bool)
    limits: dict[int, float] = {}
    for j, place in enumerate(zip(*grid.places(), strict=True)):
        near = _neighbourhood(grid.axes, place, rows, shuffled)
        if len(near) not in limits:
            limits[len(near)] = _chance(others, shuffled, len(near))
        supported[:, j] = others[near].min(axis=0, initial=np.inf) <= limits[len(near)]
    supported.flags.writeable = False  # effects share it
    return Support(rows, supported)


def _neighbours(predictor: Predictor) -> tuple[Rows, Values, Rows]:
    """The rows looked at, their squared distances in all features, (s, s), and a shuffled order of them; found once."""
    if "neighbours" not in predictor.cache:
        rows = np.arange(predictor.n_rows) if predictor.weights is None else np.flatnonzero(predictor.weights)
        if len(rows) > MOST:
            rows = np.sort(np.random.default_rng(0).choice(rows, MOST, replace=False))
        embedded = _embedded(predictor.present_features(), rows)
        # a shuffle that knows the rows by their values, so that their order changes nothing
        order = np.lexsort(np.round(embedded, 9).T)
        shuffled = order[np.random.default_rng(0).permutation(len(order))]
        predictor.cache["neighbours"] = rows, _squares(embedded), shuffled
    return predictor.cache["neighbours"]


def _squares(embedded: Values) -> Values:
    """The squared distances between all rows, (s, s)."""
    from sklearn.metrics import euclidean_distances

    return euclidean_distances(embedded, squared=True)


def _embedded(features: Sequence[Feature], rows: Rows) -> Values:
    """The features as coordinates, (s, c)."""
    columns: list[Values] = []
    for feature in features:
        values = feature.values[rows]
        there = values >= 0 if feature.kind == "categorical" else np.isfinite(values)
        if feature.levels is not None:
            columns += [(values == level) / np.sqrt(2) for level in range(len(feature.levels))]
        elif there.any():
            values = scaled(values, values[there])
            scale = values[there].std() or 1.0
            columns.append(np.where(there, (values - values[there].mean()) / scale, 0.0))
        if not there.all():
            columns.append(~there / np.sqrt(2))
    return np.column_stack(columns)


def _neighbourhood(axes: Sequence[Axis], place: tuple[Any, ...], rows: Rows, shuffled: Rows) -> Rows:
    """The rows nearest to a point in the swept features, ties in the shuffled order."""
    away = np.zeros(len(rows))
    for axis, at in zip(axes, place, strict=True):
        values, point = axis.feature.values[rows], axis.points[at]
        if axis.feature.levels is not None:
            away = away + np.where(values == point, 0.0, np.inf)
        else:
            reach = np.ptp(axis.feature.distinct / 2) or 1.0  # half of it, which fits whatever the numbers
            apart = np.where(np.isnan(values), 0.0, np.inf)  # from a missing point
            if np.isfinite(point):
                with np.errstate(over="ignore"):  # of a point of the user's that is far away
                    apart = np.minimum(np.abs(values / 2 - point / 2) / reach, FAR) ** 2
                apart = np.where(np.isfinite(values), apart, np.inf)
            away = away + apart
    most = max(LEAST, len(rows) // SHARE)
    nearest = shuffled[np.argsort(away[shuffled], kind="stable")[:most]]
    return nearest[np.isfinite(away[nearest])]


def _chance(squares: Values, shuffled: Rows, m: int) -> float:
    """The squared distance that 95 % of the rows keep to the nearest of m rows drawn at random."""
    if m == 0:
        return -np.inf
    rng = np.random.default_rng(1)
    draws = [shuffled[rng.choice(len(shuffled), min(m, len(shuffled)), replace=False)] for _ in range(DRAWS)]
    reach = [np.sqrt(np.quantile(squares[draw].min(axis=0), QUANTILE)) for draw in draws]
    return float(np.mean(reach)) ** 2 * (1 + ROUNDING)


def support_table(predictor: Predictor, features: Sequence[Any] | None = None) -> pd.DataFrame:
    """How far the data support the partial dependence of each feature: see `Predictor.support`."""
    present = predictor.present_features()
    chosen = tuple(present) if features is None else predictor.chosen(features)
    rows, bases, parts = _neighbours(predictor)[0], dict[Any, Values](), []
    for feature in {feature.name: feature for feature in (*present, *chosen)}.values():
        bases[feature.name] = _basis(feature, rows)
    weights = predictor.case_weights
    for feature in chosen:
        axis = make_axis(predictor.table, feature, POINTS, Spec(spacing="uniform"))
        shares = support(predictor, Grid((axis,))).shares(predictor.weights)
        there = feature.values >= 0 if feature.levels is not None else np.isfinite(feature.values)
        nearest = np.searchsorted(axis.points[1:] / 2 + axis.points[:-1] / 2, feature.finite)  # where the data are
        mean = np.average(shares[nearest], weights=weights[there]) if weights[there].any() else np.nan
        parts.append((feature.name, mean, shares.min(), _companions(feature.name, bases)))
    columns = ("feature", "mean_support", "min_support", "associated_with")
    table = reading.as_frame(dict(zip(columns, map(list, zip(*parts, strict=True)), strict=True)))
    return table.sort_values("mean_support", kind="stable", ignore_index=True)


def _companions(name: Any, bases: dict[Any, Values], most: int = 3) -> str:
    """The features that go most with this one: their first canonical correlation, of ranks and indicators."""
    strength = {}
    for other, basis in bases.items():
        if other != name and basis.shape[1] and bases[name].shape[1]:
            strength[other] = np.linalg.norm(bases[name].T @ basis, ord=2)  # its largest singular value
    strongest = sorted(strength, key=lambda other: -strength[other])[:most]
    return ", ".join(f"{other} ({strength[other]:.2f})" for other in strongest if strength[other] >= 0.1)


def _basis(feature: Feature, rows: Rows) -> Values:
    """An orthonormal basis of the feature's ranks, or of its levels' indicators, less their means, (s, c)."""
    values = feature.values[rows]
    if feature.levels is not None:
        columns = (values[:, None] == np.arange(len(feature.levels))).astype(float)
    else:
        ranks = pd.Series(np.where(np.isfinite(values), values, np.nan)).rank()
        columns = ranks.fillna(ranks.mean() if ranks.notna().any() else 0.0).to_numpy()[:, None]
    left, sizes, _ = np.linalg.svd(columns - columns.mean(axis=0), full_matrices=False)
    return left[:, sizes > 1e-9 * max(float(sizes.max()), 1.0)]
