"""Columns: an effect's arrays as the frames that plotnine draws.

The frames have fixed columns, so that no feature name can collide with them or be read as an expression: `x_` and
`y_` along the axes (numbers, dates, or an ordered categorical of level texts), `value_`, `output_` (only with several
outputs) and `id_`, one number per curve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd.plots.text import names, plain

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.grid import Axis

Pin = Callable[[pd.DataFrame], pd.DataFrame]  # ties a frame to a facet


def is_levels(axis: Axis) -> bool:
    """Whether the axis holds levels rather than numbers or dates."""
    return bool(axis.feature.kind == "categorical")


def line_order(axis: Axis) -> np.ndarray:
    """Positions of the axis in drawing order, (G,): numbers ascending, without a missing point; levels as they are."""
    if is_levels(axis):
        return np.arange(len(axis.points))
    order = np.argsort(axis.points, kind="stable")
    return order[np.isfinite(np.asarray(axis.points)[order])]


def ends(axis: Axis) -> tuple[float, float]:
    """Lowest and highest number of an axis, or day since 1970."""
    return float(np.nanmin(axis.points)), float(np.nanmax(axis.points))


def level_names(axis: Axis, width: int = 24, most: int = 2) -> list[str]:
    """Texts of the levels on an axis, in its order."""
    codes = np.asarray(axis.points, int)
    levels = axis.feature.levels or ()
    return names((levels[code] if code >= 0 else "(missing)" for code in codes), width, most)


def axis_column(axis: Axis, texts: list[str] | None = None, reverse: bool = False) -> pd.Series:
    """The axis as a column in its own order, (G,); levels as texts, which a scale shows in order or in reverse."""
    if is_levels(axis):
        texts = level_names(axis) if texts is None else texts
        return pd.Series(pd.Categorical(texts, texts[:: -1 if reverse else 1], ordered=True))
    return pd.Series(axis.values).reset_index(drop=True)


def category(codes: np.ndarray, texts: list[str], ordered: bool = True) -> pd.Categorical:
    """Texts by position, (m,), all of them known to the scale."""
    return pd.Categorical(np.array(texts, dtype=object)[codes], texts, ordered=ordered)


def output_column(effect: FeatureEffect, codes: np.ndarray) -> dict[str, Any]:
    """The column `output_` for output positions (m,); no column for a single output."""
    if len(effect.outputs) == 1:
        return {}
    return {"output_": category(codes, output_names(effect))}


def output_names(effect: FeatureEffect) -> list[str]:
    """Texts of the outputs, (K,); of groups of rows with the feature that they are groups of."""
    by = effect.by
    return names(effect.outputs if by is None else [f"{plain(by)}: {plain(group)}" for group in effect.outputs])


def finite_ends(values: np.ndarray) -> tuple[float, float]:
    """The least and the largest finite value; infinities the other way round if there is none."""
    there = np.isfinite(values)
    return float(np.min(values, initial=np.inf, where=there)), float(np.max(values, initial=-np.inf, where=there))


def steady(effect: FeatureEffect, values: Any) -> np.ndarray:
    """Values to draw, to 13 digits of the largest: a rounding error must not fill an axis.

    Where 0 is "no effect", differences of predictions that are all but nothing are nothing.
    """
    values = np.asarray(values, float)
    largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    if largest < (1e-11 if starts_at_zero(effect) else 1e-300):
        return np.where(np.isnan(values), values, 0.0)
    return np.round(values / largest, 13) * largest


def curve_frame(
    effect: FeatureEffect, layer: str, rows: np.ndarray | None = None, x: pd.Series | None = None
) -> pd.DataFrame:
    """The curves of a layer, (K, G) or (K, k, G), with columns x_, value_, id_ and output_; of the rows asked for."""
    axis = effect.grid.axes[0]
    order, x = line_order(axis), axis_column(axis) if x is None else x
    values = steady(effect, effect.layers[layer])
    values = values[:, None, :] if values.ndim == 2 else values if rows is None else values[:, rows]
    K, k, G = len(values), values.shape[1], len(order)
    return pd.DataFrame(
        {
            "x_": x.iloc[np.tile(order, K * k)].reset_index(drop=True),
            "value_": values[..., order].ravel(),
            "id_": np.repeat(np.arange(K * k), G),
            **output_column(effect, np.repeat(np.arange(K), k * G)),
        }
    )


def band_frame(effect: FeatureEffect, frame: pd.DataFrame) -> pd.DataFrame | None:
    """A frame of averages with lower_ and upper_, their 95 % band; None if nobody knows how sure they are."""
    if effect.se is None or effect.method.startswith("d-"):
        return None
    wide = effect.quantile * np.asarray(effect.se, float)[..., line_order(effect.grid.axes[0])].ravel()
    if np.isnan(wide).all():  # averages of one row
        return None
    return frame.assign(lower_=frame["value_"] - wide, upper_=frame["value_"] + wide)


def chosen_rows(effect: FeatureEffect, most: int, known: np.ndarray | None = None) -> np.ndarray:
    """Positions of the ICE curves to draw, ascending: all, or `most` of them, the same ones each time.

    Of those `known`, if they are enough.
    """
    k = np.shape(effect.layers["ice"])[1] if "ice" in effect.layers else 0
    if k <= most:
        return np.arange(k)
    rows = np.arange(k) if known is None or len(known) < most else known
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False))


def main_layer(effect: FeatureEffect) -> str | None:
    """The layer that is one curve per output, `pdp` or `ale`; None if there are only ICE curves."""
    return next((name for name in ("pdp", "ale") if name in effect.layers), None)


def starts_at_zero(effect: FeatureEffect) -> bool:
    """Whether 0 means "no effect" in the plot: ALE, centred curves and slopes."""
    return effect.anchor is not None or effect.method == "ale" or effect.method.startswith("d-")


def label_without_anchor(effect: FeatureEffect) -> str:
    """The value axis without "from temp = 5", where several anchors or none are meant."""
    label: str = effect.value_label
    return label if effect.anchor is None else label.rsplit(f" from {effect.features[0]} = ", 1)[0]
