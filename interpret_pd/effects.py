"""Effects: those of all features, in one call and one figure, most important first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, plots
from interpret_pd.curves.spread import spread
from interpret_pd.door import door
from interpret_pd.effect import FeatureEffect
from interpret_pd.evaluate.calling import failed_asking
from interpret_pd.evaluate.together import together
from interpret_pd.frames import reading
from interpret_pd.grid import Spec, check_common
from interpret_pd.methods import METHODS
from interpret_pd.plots.overview import check_columns
from interpret_pd.predictor import Predictor
from interpret_pd.windows.request import asked_grid, check_predictor, chosen_features, seeded


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

    @door
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
        if center_at is not None and not isinstance(center_at, Mapping):
            raise checks.must_be("center_at", "a mapping from features to anchors", center_at)
        if ice_rows is not None or tolerance is not None:  # the same rows for every feature
            random_state = seeded(random_state)
        anchors = {predictor.table.resolve(name, "center_at"): at for name, at in (center_at or {}).items()}
        asked = _asked(predictor, features)
        grids = _grids(predictor, grid, asked)
        checks.one_of("on_error", on_error, ("raise", "skip"))
        for names, one in zip(asked, grids, strict=True):  # before the model is asked, which may take hours
            chosen = chosen_features(predictor, names, method)
            if isinstance(grid, Mapping) or names in anchors:
                asked_grid(predictor, chosen, Spec(one, spacing, percentiles), anchors.get(names), METHODS[method])
        self.outputs = predictor.outputs
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
        if not isinstance(names, Hashable) or names not in self._effects:
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
    @door
    def results(self) -> pd.DataFrame:
        """The effects of single features as one tidy frame.

        Raises
        ------
        ValueError
            If there are pairs only.
        """
        singles = [effect for effect in self if len(effect.features) == 1]
        if not singles:
            raise checks.refused("results holds single features; use effects[pair].results for a pair.")
        columns = [effect.features[0] for effect in singles]
        alike = len(set(map(str, columns))) < len(columns)  # columns 1 and "1"
        names = [repr(name) if alike else str(name) for name in columns]
        parts = [_long(effect, name) for effect, name in zip(singles, names, strict=True)]
        frame = pd.concat(parts, ignore_index=True)
        frame["feature"] = pd.Categorical(frame["feature"], categories=reading.as_index(names))
        return frame

    @door
    def plot(
        self,
        *,
        rug: bool | str = True,
        ncol: int | None = None,
        max_curves: int = 300,
        support: bool = True,
    ) -> Any:
        """All features in one figure: a panel each, over a common value axis, most important first.

        Parameters
        ----------
        rug : bool or "histogram", default True
            What to show of the background data.
        ncol : int, optional
            Panels side by side, by default at most 4.
        max_curves : int, default 300
            Most ICE curves per panel.
        support : bool, default True
            Whether what the data don't support is drawn as such; see `interpret_pd.plots.plot_effects`.

        Returns
        -------
        ggplot, or a plotnine composition if there are pairs
            A composition has the facetted singles and then a map per pair, stacked with `/`; plotnine gives it no
            common title or legend, and `+` reaches its last plot only.

        Raises
        ------
        ValueError
            If an option is none of the above.
        """
        singles = [effect for effect in self if len(effect.features) == 1]
        pairs = [effect for effect in self if len(effect.features) == 2]
        check_columns(ncol)
        pictures = []
        if singles:
            pictures = [plots.plot_effects(singles, rug=rug, ncol=ncol, max_curves=max_curves, support=support)]
        pictures += [effect.plot(rug=rug, max_curves=max_curves, support=support) for effect in pairs]
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
    wanted = checks.several(wanted)
    resolve, known = predictor.table.resolve, predictor.feature_names
    pairs = [isinstance(names, list) or (isinstance(names, tuple) and names not in known) for names in wanted]
    asked = [_pair(names, resolve) if pair else resolve(names) for names, pair in zip(wanted, pairs, strict=True)]
    if len(set(asked)) < len(asked):
        raise checks.refused(f"features must differ; got {checks.shown(asked)}.")
    if not asked:
        raise checks.must_be("features", "at least one feature", asked)
    return asked


def _pair(names: Sequence[Any], resolve: Callable[[Any], Any]) -> Any:
    """The names of a pair, or the one name."""
    if not 1 <= len(names) <= 2:
        raise checks.must_be("features", "names and pairs of names", names)
    found = tuple(map(resolve, names))
    return found if len(found) == 2 else found[0]


def _grids(predictor: Predictor, grid: Any, asked: list[Any]) -> list[Any]:
    """The grid of each effect: a mapping is cut to the effect's own features."""
    if not isinstance(grid, Mapping):
        if len(asked) > 1:
            check_common(grid, "several features")
        return [grid] * len(asked)
    named = {predictor.table.resolve(name, "grid"): one for name, one in grid.items()}
    parts = [(names,) if names in predictor.feature_names else names for names in asked]
    return [{name: one for name, one in named.items() if name in part} for part in parts]


def _long(effect: FeatureEffect, name: str) -> pd.DataFrame:
    """An effect's results with its own column as `x_` and `label_`."""
    frame, axis = effect.results, effect.grid.axes[0]
    copies = len(frame) // len(axis)  # every layer repeats the axis
    named = reading.as_frame(
        {
            "feature": [name] * len(frame),
            "x_": np.tile(axis.points, copies),
            "label_": np.tile([str(value) for value in axis.values], copies),
        }
    )
    return pd.concat([named, frame.iloc[:, 1:]], axis=1)
