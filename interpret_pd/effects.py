"""Effects: those of all features, in one call and one figure, most important first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, plots
from interpret_pd.curves.spread import spread
from interpret_pd.effect import FeatureEffect
from interpret_pd.evaluate.calling import failed_asking
from interpret_pd.evaluate.together import together
from interpret_pd.methods import METHODS
from interpret_pd.predictor import Predictor
from interpret_pd.windows.request import check_predictor, seeded


class FeatureEffects:
    """The effects of several features.

    Parameters
    ----------
    predictor : Predictor
        The model with its background data.
    features : list of features, optional
        All by default. It may hold pairs, `["temp", "hum", ("temp", "hum")]`, if the method takes two features.
    method : str, default "pdp"
        As for `FeatureEffect`.
    grid : int, "unique", or mapping from features to grids, default 20
        As for `FeatureEffect`; a mapping need not name all features.
    spacing : {"uniform", "quantile"}, default "uniform"
        As for `FeatureEffect`.
    percentiles : pair of floats, default (0.0, 1.0)
        As for `FeatureEffect`.
    center_at : mapping from features to anchors, optional
        By default each feature's first point, for centred methods.
    ice_rows : int, optional
        As for `FeatureEffect`; the same rows are kept for every feature.
    random_state : int, optional
        Seed of that draw.
    tolerance : float, optional
        As for `FeatureEffect`: only as many rows as needed.
    on_error : {"raise", "skip"}, default "raise"
        What happens if the model fails for some features, as one behind a network may. The others are finished in any
        case. `"skip"` leaves the failed ones out, by name in `failures`; `"raise"` then raises the error (of several
        features an `ExceptionGroup`), whose attribute `effects` holds what was finished.

    Attributes
    ----------
    features : list
        Names (and pairs), most important first: by the spread of the average effect, the largest over the outputs.
        Pairs come last, in the order given.
    failures : dict
        The errors of the features that are left out.
    results : DataFrame
        The effects of single features in one tidy frame: `feature`, `x_` (number, days since 1970, or the level's
        place), `label_` (the point as text), [`output_`], `type_`, [`id_`], `value_`.

    Raises
    ------
    ValueError
        As `FeatureEffect` does.

    Examples
    --------
    >>> from interpret_pd import FeatureEffects, Predictor, load_bike
    >>> X = load_bike()[["temp", "season", "hum"]]
    >>> effects = FeatureEffects(Predictor(lambda X: 10 * X["temp"] + 40 * (X["season"] == "fall"), X))
    >>> effects
    FeatureEffects(method='pdp': 'temp', 'season', 'hum')
    >>> effects["season"].values.round(1)
    array([[152.8, 152.8, 152.8, 192.8]])
    """

    def __init__(
        self,
        predictor: Predictor,
        features: Sequence[Any] | None = None,
        method: str = "pdp",
        *,
        grid: Any = 20,
        spacing: str = "uniform",
        percentiles: tuple[float, float] = (0.0, 1.0),
        center_at: Mapping[Any, Any] | None = None,
        ice_rows: int | None = None,
        random_state: Any = None,
        tolerance: float | None = None,
        on_error: str = "raise",
    ) -> None:
        check_predictor(predictor)
        self.method = checks.one_of("method", method, METHODS)
        self.outputs = predictor.outputs
        if center_at is not None and not isinstance(center_at, Mapping):
            raise checks.must_be("center_at", "a mapping from features to anchors", center_at)
        if ice_rows is not None or tolerance is not None:  # the same rows for every feature
            random_state = seeded(random_state)
        anchors = {predictor.table.resolve(name, "center_at"): at for name, at in (center_at or {}).items()}
        asked = _asked(predictor, features)
        grids = _grids(predictor, grid, asked)
        checks.one_of("on_error", on_error, ("raise", "skip"))
        computations = [
            partial(
                FeatureEffect,
                predictor,
                names,
                method,
                grid=one,
                spacing=spacing,
                percentiles=percentiles,
                center_at=anchors.get(names),
                ice_rows=ice_rows,
                random_state=random_state,
                tolerance=tolerance,
            )
            for names, one in zip(asked, grids, strict=True)
        ]
        found, self.failures = _finished(predictor, asked, computations)
        self._rank(found)
        if self.failures and (on_error == "raise" or not found):
            raise _failed(self)

    def _rank(self, found: dict[Any, FeatureEffect]) -> None:
        """Keeps the effects, most important first."""
        singles = {names: effect for names, effect in found.items() if len(effect.features) == 1}
        importance = {
            names: float(spread(effect.averaged().values, effect.grid.axes[0]).max())
            for names, effect in singles.items()
        }
        order = sorted(singles, key=lambda names: -importance[names])
        self._effects = {names: found[names] for names in (*order, *(n for n in found if n not in singles))}

    @property
    def features(self) -> list[Any]:
        """Names and pairs, most important first."""
        return list(self._effects)

    def __getitem__(self, features: Any) -> FeatureEffect:
        """The effect of a feature, or of a pair."""
        names = tuple(features) if isinstance(features, list) else features
        if names not in self._effects:
            raise KeyError(
                checks.sentence(
                    "features",
                    "among the effects",
                    checks.shown(names),
                    f"{checks.suggest(names, self._effects)} They are {checks.listed(self._effects)}.",
                )
            )
        return self._effects[names]

    def __iter__(self) -> Iterator[FeatureEffect]:
        return iter(self._effects.values())

    def __len__(self) -> int:
        return len(self._effects)

    @cached_property
    def results(self) -> pd.DataFrame:
        """The effects of single features as one tidy frame.

        Raises
        ------
        ValueError
            If there are pairs only.
        """
        singles = [effect for effect in self if len(effect.features) == 1]
        if not singles:
            raise ValueError("results holds single features; use effects[pair].results for a pair.")
        frame = pd.concat([_long(effect) for effect in singles], ignore_index=True)
        names = [str(effect.features[0]) for effect in singles]
        frame["feature"] = pd.Categorical(frame["feature"], categories=names)
        return frame

    def plot(self, **options: Any) -> Any:
        """All features in one figure: a panel each, over a common value axis, most important first.

        Parameters
        ----------
        **options
            `rug` (True, False or "histogram"), `ncol`, `max_curves` and `support`; see
            `interpret_pd.plots.plot_effects`.

        Returns
        -------
        ggplot, or a plotnine composition if there are pairs
            A composition has the facetted singles and then a map per pair, stacked with `/`; plotnine gives it no
            common title or legend, and `+` reaches its last plot only.
        """
        singles = [effect for effect in self if len(effect.features) == 1]
        pictures = [plots.plot_effects(singles, **options)] if singles else []
        pictures += [effect.plot() for effect in self if len(effect.features) == 2]
        whole: Any = pictures[0]
        for picture in pictures[1:]:
            whole = whole / picture
        return whole

    def __repr__(self) -> str:
        without = f"; failed: {checks.listed(self.failures)}" if self.failures else ""
        return f"FeatureEffects(method={self.method!r}: {checks.listed(self._effects)}{without})"


def _finished(
    predictor: Predictor, asked: list[Any], computations: Sequence[Callable[[], FeatureEffect]]
) -> tuple[dict[Any, FeatureEffect], dict[Any, Exception]]:
    """The effects, and the errors of those for which the model failed; any other error is raised."""
    found: dict[Any, FeatureEffect] = {}
    failures: dict[Any, Exception] = {}
    for names, (effect, error) in zip(asked, together(predictor, computations), strict=True):
        if error is None:
            found[names] = effect
        elif failed_asking(error):
            failures[names] = error
        else:  # what was asked for can't be: no other feature changes that
            raise error
    return found, failures


def _failed(effects: FeatureEffects) -> Exception:
    """The error of the features that failed; those that are finished are its `effects`."""
    failures, count = effects.failures, len(effects) + len(effects.failures)
    error = next(iter(failures.values()))
    if len(failures) > 1:
        hint = "The others are this error's `effects`; on_error='skip' leaves the failed ones out."
        listed = f"the model failed for {len(failures)} of {count} features: {checks.listed(failures)}. {hint}"
        error = ExceptionGroup(listed, list(failures.values()))
    error.effects = effects  # type: ignore[attr-defined]  # what is finished may have cost hours
    return error


def _asked(predictor: Predictor, features: Sequence[Any] | None) -> list[Any]:
    """Names and pairs of names, each once."""
    wanted = predictor.feature_names if features is None else features
    wanted = [wanted] if isinstance(wanted, str) or not hasattr(wanted, "__iter__") else wanted
    resolve = predictor.table.resolve
    asked = [tuple(map(resolve, names)) if isinstance(names, tuple | list) else resolve(names) for names in wanted]
    if len(set(asked)) < len(asked):
        raise ValueError(f"features must differ; got {checks.shown(asked)}.")
    if not asked:
        raise checks.must_be("features", "at least one feature", asked)
    return asked


def _grids(predictor: Predictor, grid: Any, asked: list[Any]) -> list[Any]:
    """The grid of each effect: a mapping is cut to the effect's own features."""
    if not isinstance(grid, Mapping):
        return [grid] * len(asked)
    named = {predictor.table.resolve(name, "grid"): one for name, one in grid.items()}
    return [
        {name: one for name, one in named.items() if name in (names if isinstance(names, tuple) else (names,))}
        for names in asked
    ]


def _long(effect: FeatureEffect) -> pd.DataFrame:
    """An effect's results with its own column as `x_` and `label_`."""
    frame, axis = effect.results, effect.grid.axes[0]
    copies = len(frame) // len(axis)  # every layer repeats the axis
    named = pd.DataFrame(
        {
            "feature": str(effect.features[0]),
            "x_": np.tile(axis.points, copies),
            "label_": np.tile([str(value) for value in axis.values], copies),
        }
    )
    return pd.concat([named, frame.iloc[:, 1:]], axis=1)
