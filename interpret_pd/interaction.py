"""Interaction: how much of the model's variation is not the sum of its parts (Friedman and Popescu 2008).

Every statistic is a numerator and a denominator, both weighted means over the same rows; dividing, taking roots and
sorting happen once, at the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, evaluate
from interpret_pd.door import door
from interpret_pd.evaluate import Values
from interpret_pd.evaluate.engine import run
from interpret_pd.features import Feature, check_told_apart
from interpret_pd.frames import reading
from interpret_pd.frames.base import Rows
from interpret_pd.predictor import Predictor
from interpret_pd.windows.ranking import ranked
from interpret_pd.windows.request import check_predictor

KINDS = ("overall", "pairwise", "total")
STRONGEST = 5  # features whose pairs are looked at by default
ROUNDING = 1e-20  # a mean square below this share of the predictions' own is rounding


@door
def h_statistic(
    predictor: Predictor,
    features: Sequence[Any] | None = None,
    *,
    kind: str = "overall",
    n_max: int = 500,
    random_state: int | None = None,
) -> pd.DataFrame:
    """Friedman's H: the share of a model's variation that is due to interactions.

    With f the prediction, `PD_j` the partial dependence of feature j and `PD_-j` that of all the others, each centred
    to mean 0 over the rows x_1, ..., x_n of the background data::

        overall    H_j^2  = sum_i (f(x_i) - PD_j(x_ij) - PD_-j(x_i,-j))^2 / sum_i f(x_i)^2
        pairwise   H_jk^2 = sum_i (PD_jk(x_ij, x_ik) - PD_j(x_ij) - PD_k(x_ik))^2 / sum_i PD_jk(x_ij, x_ik)^2
        total      H^2    = sum_i (f(x_i) - sum_j PD_j(x_ij))^2 / sum_i f(x_i)^2

    so that 0 is a model without (such) interactions. Weights of the rows count in every mean.

    Parameters
    ----------
    predictor : Predictor
        The model with its background data.
    features : list of features, optional
        All by default. For pairs: all pairs among them; by default those of the 5 features with the largest overall H,
        which the table's `attrs` name.
    kind : {"overall", "pairwise", "total"}, default "overall"
        Which statistic.
    n_max : int, default 500
        The most rows to use, drawn at random from more; the cost grows with their square.
    random_state : int, optional
        Seed of that draw.

    Returns
    -------
    DataFrame
        Sorted, largest first: `feature`, [`feature2`], [`output`], `h2`, `h`, `rank`, `numerator`, `denominator`. `h`
        is the root of `h2`; numerator and denominator are mean squares in squared units of the prediction: a large H of
        a pair with a small denominator is a strong interaction of weak effects. A constant prediction has H 0.
        `attrs["n"]` is the number of rows used.

    Raises
    ------
    TypeError
        If `predictor` is no `Predictor`.
    ValueError
        If an argument has a value that it can't have; the message says which.

    References
    ----------
    Friedman, J. H. and Popescu, B. E. (2008). Predictive learning via rule ensembles. Annals of Applied Statistics
    2(3), 916-954, section 8.1. doi:10.1214/07-AOAS148.

    Examples
    --------
    >>> from interpret_pd import Predictor, h_statistic, load_bike
    >>> X = load_bike()[["temp", "hum", "windspeed"]]
    >>> predictor = Predictor(lambda X: X["temp"] * X["hum"] + X["windspeed"], X)
    >>> h_statistic(predictor, n_max=100, random_state=0)[["feature", "h"]].round(2)
         feature     h
    0       temp  0.19
    1        hum  0.19
    2  windspeed  0.00
    """
    check_predictor(predictor)
    checks.one_of("kind", kind, KINDS)
    wanted = predictor.chosen(features, least=2 if kind == "pairwise" else 1)
    for feature in wanted:
        check_told_apart(predictor.table, feature)
    rows = _sample(predictor.n_rows, checks.whole_number("n_max", n_max, 2), random_state)
    return run(
        predictor, len(rows) ** 2, lambda settled: _table(_Sample(settled, rows), wanted, kind, features is None)
    ).result


def _table(sample: _Sample, wanted: tuple[Feature, ...], kind: str, by_default: bool) -> pd.DataFrame:
    """The table of one kind of statistic."""
    if kind == "overall":
        return _finished(sample, [((feature,), sample.overall(feature)) for feature in wanted])
    if kind == "total":
        return _finished(sample, [((), sample.total(wanted))])
    reason = f"all pairs of {len(wanted)} features"
    if by_default and len(wanted) > STRONGEST:
        by_overall = _finished(sample, [((feature,), sample.overall(feature)) for feature in wanted])
        names = [*dict.fromkeys(by_overall.sort_values("h2", ascending=False)["feature"])][:STRONGEST]
        wanted = tuple(feature for feature in wanted if feature.name in names)
        reason = f"the pairs of the {STRONGEST} features with the largest overall H: {', '.join(map(str, names))}"
    pairs = [*itertools.combinations(wanted, 2)]
    table = _finished(sample, [(pair, sample.pairwise(*pair)) for pair in pairs])
    table.attrs["pairs"] = reason
    return table


class _Sample:
    """The rows that serve both as background data and as points, and the centred functions of them, (K, n) each."""

    def __init__(self, predictor: Predictor, rows: Rows) -> None:
        self.predictor, self.rows = predictor, rows
        weights = predictor.case_weights
        self.weights = weights[rows] / weights[rows].sum()
        self.singles: dict[object, Values] = {}
        self.f = self.centred(self._predictions())

    def overall(self, feature: Feature) -> tuple[Values, Values]:
        """Numerator and denominator of H_j^2, (K,) each."""
        first, place = self._distinct(feature)
        cube = evaluate.cube(self.predictor, self._points([feature], first), self.rows)  # (K, n, u)
        self.singles[feature.name] = self.centred(np.tensordot(cube, self.weights, axes=(1, 0))[:, place])
        rest = self.centred(cube @ np.bincount(place, self.weights))  # PD_-j at x_i is the mean of i's curve over x_j
        return self.mean_square(self.f - self.single(feature) - rest), self.mean_square(self.f)

    def pairwise(self, one: Feature, other: Feature) -> tuple[Values, Values]:
        """Numerator and denominator of H_jk^2, (K,) each."""
        both = self._partial_dependence([one, other])
        return self.mean_square(both - self.single(one) - self.single(other)), self.mean_square(both)

    def total(self, features: Sequence[Feature]) -> tuple[Values, Values]:
        """Numerator and denominator of H^2, (K,) each."""
        rest = self.f - sum(self.single(feature) for feature in features)
        return self.mean_square(rest), self.mean_square(self.f)

    def single(self, feature: Feature) -> Values:
        """The feature's centred partial dependence at the rows, (K, n)."""
        if feature.name not in self.singles:
            self.singles[feature.name] = self._partial_dependence([feature])
        return self.singles[feature.name]

    def centred(self, values: Values) -> Values:
        """Values minus their weighted mean, (K, n)."""
        return values - (values @ self.weights)[:, None]

    def mean_square(self, values: Values) -> Values:
        """The weighted mean of squares, (K,); rounding counts as nothing."""
        mean = values**2 @ self.weights
        return np.where(mean <= ROUNDING * self.scale, 0.0, mean)

    def _predictions(self) -> Values:
        """The model at the rows themselves, (K, n); sets the scale below which a square is rounding."""
        name = self.predictor.feature_names[0]
        values = evaluate.at(self.predictor, self.rows, self._points_of([name], self.rows))
        self.scale = values**2 @ self.weights
        return values

    def _partial_dependence(self, features: list[Feature]) -> Values:
        """The centred partial dependence of one or two features at the rows' own values, (K, n)."""
        first, place = self._distinct(*features)
        at_distinct = evaluate.average(self.predictor, self._points(features, first), self.rows)
        return self.centred(at_distinct[:, place])

    def _distinct(self, *features: Feature) -> tuple[Rows, Rows]:
        """Rows that hold each different combination of values once, and each row's place among them."""
        values = np.column_stack([feature.values[self.rows] for feature in features])
        _, first, place = np.unique(values, axis=0, return_index=True, return_inverse=True)
        return self.rows[first], place.ravel()

    def _points(self, features: Sequence[Feature], rows: Rows) -> dict[object, Any]:
        """The features' own values at rows, as native columns."""
        return self._points_of([feature.name for feature in features], rows)

    def _points_of(self, names: Sequence[Any], rows: Rows) -> dict[object, Any]:
        table = self.predictor.table
        return {name: table.pick(table.column(name), rows) for name in names}


def _sample(n: int, n_max: int, random_state: Any) -> Rows:
    """At most `n_max` rows, in the order of the data."""
    generator = checks.generator("random_state", random_state)
    return np.arange(n) if n <= n_max else np.sort(generator.choice(n, n_max, replace=False))


def _finished(sample: _Sample, found: list[tuple[tuple[Feature, ...], tuple[Values, Values]]]) -> pd.DataFrame:
    """The sorted table of numerators, denominators and what they make."""
    outputs = sample.predictor.outputs
    parts = []
    for features, (numerator, denominator) in found:
        h2 = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)
        names = zip(("feature", "feature2"), features, strict=False)
        part: dict[str, Any] = {column: [feature.name] * len(outputs) for column, feature in names}
        part |= {
            "output": list(outputs),
            "h2": h2,
            "h": np.sqrt(h2),
            "numerator": numerator,
            "denominator": denominator,
        }
        parts.append(reading.as_frame(part))
    table = ranked(pd.concat(parts, ignore_index=True), "h", outputs)
    table.attrs["n"] = len(sample.rows)
    return table
