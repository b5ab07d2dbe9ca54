"""ALE beside centred PD: where they part, features that go together mislead one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from plotnine import (
    aes,
    element_blank,
    geom_line,
    geom_point,
    ggplot,
    labs,
    position_dodge,
    scale_color_manual,
    scale_linetype_manual,
)

from interpret_pd.plots.canvas import canvas, output_panels, zero_line
from interpret_pd.plots.columns import category, curve_frame, is_levels, label_without_anchor
from interpret_pd.plots.support import check_rug, where
from interpret_pd.plots.text import wrap
from interpret_pd.plots.theme import BLUE, VERMILION, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

NAMES = ("PD, centred", "ALE")


def plot_ale_pd(ale: FeatureEffect, pdp: FeatureEffect, *, rug: bool | str = True) -> ggplot:
    """Draw the ALE of a feature beside its PD, both with mean 0 over the data.

    Parameters
    ----------
    ale, pdp : FeatureEffect
        Of the same feature and outputs, with methods `"ale"` and `"pdp"`.
    rug : bool or "histogram", default True
        As in `plot_effect`.

    Returns
    -------
    plotnine.ggplot

    Raises
    ------
    ValueError
        If methods, features or outputs are others.
    """
    _check(ale, pdp)
    axis, rug = ale.grid.axes[0], check_rug(rug)
    frame, label = _both(ale, pdp), label_without_anchor(pdp)
    plot = canvas(ale, frame, aes("x_", "value_"), legend_position="top", legend_title=element_blank())
    plot += labs(y=wrap(f"Effect on {label[0].lower()}{label[1:]}", 38))
    if is_levels(axis):
        look = aes(color="type_", shape="type_")
        marks: list[Any] = [geom_point(look, size=3.2, position=position_dodge(width=0.4))]
    else:
        look = aes(color="type_", linetype="type_", group="id_")
        marks = [geom_line(look, size=1.1), manual(scale_linetype_manual, ["solid", "dashed"])]
    support = where(axis, rug, frame["x_"], frame["value_"].to_numpy())
    layers = [*support, zero_line(), *marks, manual(scale_color_manual, [BLUE, VERMILION]), *output_panels(ale)]
    return plot + layers


def _both(ale: FeatureEffect, pdp: FeatureEffect) -> pd.DataFrame:
    """The centred PD above the ALE, told apart by type_."""
    first, second = curve_frame(pdp, "pdp"), curve_frame(ale, "ale")
    first["value_"] -= np.repeat(data_means(pdp), len(first) // len(pdp.outputs))
    second["id_"] += len(first)
    if is_levels(ale.grid.axes[0]):
        levels = second["x_"].cat.categories
        first["x_"] = pd.Categorical(first["x_"].astype(object), levels, ordered=True)
    frame = pd.concat([first, second], ignore_index=True)
    return frame.assign(type_=category(np.repeat([0, 1], [len(first), len(second)]), list(NAMES), ordered=False))


def data_means(effect: FeatureEffect) -> np.ndarray:
    """Mean of a PD over the background data, (K,): read off at each row's own value."""
    axis = effect.grid.axes[0]
    values = np.asarray(effect.layers["pdp"], float)
    data = np.asarray(axis.feature.values, float)
    there = np.isfinite(data) & (data >= 0 if is_levels(axis) else True)
    weights = None if effect.weights is None else np.asarray(effect.weights)[there]
    order = np.argsort(axis.points)[: np.isfinite(axis.points).sum()]
    points = np.asarray(axis.points)[order]
    return np.array([np.average(np.interp(data[there], points, curve[order]), weights=weights) for curve in values])


def _check(ale: FeatureEffect, pdp: FeatureEffect) -> None:
    """The error for effects that cannot be compared."""
    if (ale.method, pdp.method) != ("ale", "pdp"):
        raise ValueError(f"the methods must be 'ale' and 'pdp'; got {ale.method!r} and {pdp.method!r}.")
    if len(ale.features) != 1 or (ale.features, ale.outputs) != (pdp.features, pdp.outputs):
        raise ValueError(
            f"both effects must be of the same one feature and outputs; got {ale.features!r} and {pdp.features!r}."
        )
