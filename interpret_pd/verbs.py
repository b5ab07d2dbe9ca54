"""A verb: what can be done with an effect. Each is a function first; `FeatureEffect` binds them as methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.curves import readoff
from interpret_pd.curves.fan import quantiles
from interpret_pd.curves.slope import slopes
from interpret_pd.door import door
from interpret_pd.evaluate import Values
from interpret_pd.frames import reading
from interpret_pd.grid import Spec, check_point
from interpret_pd.methods import METHODS
from interpret_pd.windows import request
from interpret_pd.windows.invented import invented_rows

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


@door
def centered(effect: FeatureEffect, at: Any = None) -> FeatureEffect:
    """The change from the value at an anchor.

    Parameters
    ----------
    at : value or level, optional
        The anchor, by default the first point; it joins the grid if it isn't there. The model is asked again, because
        how sure a change is doesn't follow from how sure its ends are.

    Returns
    -------
    FeatureEffect
        Every curve minus its own value at the anchor.

    Raises
    ------
    ValueError
        For two features, an ALE, an anchor that can't be, or an effect without its model.
    """
    if len(effect.features) == 2:
        raise checks.refused("centered() takes an effect of one feature; got " + checks.shown(effect.features) + ".")
    if "ale" in effect.layers:
        raise checks.refused("centered() takes a PD or ICE; got an ALE, whose mean over the data is 0 already.")
    if effect.method.startswith("d-"):
        raise checks.refused(f"centered() takes a PD or ICE; got slopes, method {effect.method!r}.")
    needs_model(effect, "centered()")
    axis, effect = effect.grid.axes[0], effect._copy()
    if at is not None:
        check_point(axis.feature, at, "at")
    points = axis.values.tolist()[: -1 if effect.missing else None]
    effect.grid = request.asked_grid(
        effect.predictor, (axis.feature,), Spec(points), at, METHODS[effect.method], effect.missing
    )
    effect._compute(request.place_of(effect.grid.axes[0], at))
    return effect


@door
def averaged(effect: FeatureEffect) -> FeatureEffect:
    """The average alone: of all rows where the method has it, else of the rows with curves.

    Returns
    -------
    FeatureEffect
        With method `"pdp"`; an ALE is an average as it is.
    """
    effect = effect._copy()
    kind = "ale" if "ale" in effect.layers else "pdp"
    effect.method = f"d-{kind}" if effect.method.startswith("d-") else kind
    effect.hold({kind: effect._average()}, effect.se if kind in effect.layers else None)
    effect.rows, effect.row_labels = np.empty(0, int), effect.row_labels[:0]
    return effect


@door
def derivative(effect: FeatureEffect, smooth: int | None = None) -> FeatureEffect:
    """The slope of every curve, per unit of the feature (per day for dates): d-ICE for ICE curves.

    Parameters
    ----------
    smooth : int, optional
        Slopes of parabolas through so many neighbouring points (odd; needs equidistant points). By default the
        difference of each point's two neighbours. A tree ensemble is a step function: its slopes are noise unless the
        grid is coarse or `smooth` is large.

    Returns
    -------
    FeatureEffect
        With the method's name prefixed by "d-"; its plot shows below the slopes how much they differ, which is
        where the feature interacts with others.

    Raises
    ------
    ValueError
        For levels, two features, a missing point or a single one, and for a `smooth` that can't be.

    References
    ----------
    Goldstein et al. (2015), section 3.3. Savitzky, A. and Golay, M. J. E. (1964). Analytical Chemistry 36, 1627-1639.
    """
    if effect.method.startswith("d-"):
        raise checks.refused(f"derivative() takes values; got slopes, method {effect.method!r}.")
    axis = effect.grid.axes[0]
    levels = len(effect.features) == 2 or axis.feature.levels is not None
    if levels or effect.missing or len(np.unique(axis.points)) < 2:
        hint = "It needs one numeric feature with two points or more, none of them missing."
        raise checks.refused(f"derivative() has no meaning for {checks.shown(effect.features)} here. {hint}")
    effect = effect._copy()
    effect.method = f"d-{effect.method}"
    effect.hold({kind: slopes(values, axis.points, smooth) for kind, values in effect.layers.items()}, None)
    return effect


@door
def predict(effect: FeatureEffect, X_new: Any, *, extrapolate: bool = False) -> Values:
    """The effect read off at new rows: linear between points, by table at levels, bilinear on a surface.

    Parameters
    ----------
    X_new : data frame, or array-like of shape (n,) for one feature
        A frame with the effect's feature(s), or the feature's values.
    extrapolate : bool, default False
        Whether values outside the grid take the nearest edge's effect; NaN otherwise, as for a level that isn't on the
        grid, and for a missing value if the grid has none.

    Returns
    -------
    float array of shape (n,), or (n, K) for several outputs
        The average effect where the method has one, else the mean of the curves.

    Raises
    ------
    ValueError
        If a column of the effect isn't in `X_new`, or `extrapolate` is neither True nor False.
    """
    checks.flag("extrapolate", extrapolate)
    columns = request.new_columns(effect.features, effect._names, X_new)
    axes = effect.grid.axes
    at = [readoff.places_of(axis.feature, column) for axis, column in zip(axes, columns, strict=True)]
    read = readoff.read_off(effect._average(), effect.grid, at, extrapolate)  # (K, n)
    return read[0] if len(effect.outputs) == 1 else read.T


@door
def bands(effect: FeatureEffect, levels: Sequence[float] = (0.05, 0.25, 0.75, 0.95)) -> pd.DataFrame:
    """How much the rows disagree: quantiles of their curves at each point.

    Parameters
    ----------
    levels : sequence of float, default (0.05, 0.25, 0.75, 0.95)
        The shares of the (weighted) rows below.

    Returns
    -------
    DataFrame
        The feature, [`output_`], `level_`, `value_`.

    Raises
    ------
    ValueError
        If the method keeps no curves.
    """
    if "ice" not in effect.layers:
        raise checks.refused(f"bands() needs ICE curves; got method {effect.method!r}. Use method='pdp+ice'.")
    weights = None if effect.weights is None else effect.weights[effect.rows]
    values = quantiles(effect.layers["ice"], levels, weights)  # (q, K, G)
    q, K, G = values.shape
    points = effect.grid.axes[0].values.take(np.tile(np.arange(G), q * K))
    frame: dict[Any, Any] = {effect.features[0]: points.reset_index(drop=True)}
    if K > 1:
        frame["output_"] = pd.Series(np.tile(np.repeat(np.array(effect.outputs, dtype=object), G), q))
    levelled = {"level_": np.repeat(np.asarray(levels, float), K * G), "value_": values.ravel()}
    return reading.as_frame({**frame, **levelled})


@door
def rows_at(effect: FeatureEffect, point: Any, n: int = 5, random_state: int | None = 0) -> pd.DataFrame:
    """The rows that the average invents at a point, beside the originals: see for yourself whether they can be.

    Parameters
    ----------
    point : value or level, or pair of them for two features
        What the feature(s) are set to.
    n : int, default 5
        How many rows, drawn at random.
    random_state : int, default 0
        Seed of the draw.

    Returns
    -------
    DataFrame
        Two rows per background row, `which_` "original" and "invented", under the row's label: its features, its
        `prediction_` (one per output), and `supported_`, whether the data support the invented row.

    Raises
    ------
    ValueError
        For a point that can't be, or an effect without its model.
    """
    needs_model(effect, "rows_at()")
    return invented_rows(effect.predictor, effect.features, point, n, random_state)


def needs_model(effect: FeatureEffect, verb: str) -> None:
    """Raises for an effect without a model: one that was pooled or read from JSON."""
    if effect.predictor is None:
        raise checks.refused(f"{verb} asks the model; this effect has none, for it was pooled or read from JSON.")
