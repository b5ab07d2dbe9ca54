"""The frames of an all-features figure: every panel's points on the common scale of `bands`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd.plots.bands import Bands, band
from interpret_pd.plots.columns import category, chosen_rows, is_levels, line_order, output_column, steady
from interpret_pd.plots.support import bars as histogram
from interpret_pd.plots.support import rug_points
from interpret_pd.plots.text import names

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

STRIP = 0.16  # height of the strip in these low panels, as a share of them


class Panels:
    """The panels of several effects; panel j is that of effect j."""

    def __init__(self, effects: Sequence[FeatureEffect]) -> None:
        """Lay out the panels."""
        self.effects = effects
        self.axes = [effect.grid.axes[0] for effect in effects]
        self.bands = Bands(tuple(band(axis) for axis in self.axes))
        self.panels = names((effect.features[0] for effect in effects), 24, 2)

    def frame(self, j: int, points: np.ndarray, **columns: Any) -> pd.DataFrame:
        """Points of panel j with further columns."""
        data = pd.DataFrame({"x_": self.bands.place(j, points), **columns})
        return data.assign(feature_=category(np.full(len(data), j), self.panels))

    def curves(self, layer: str, most: int) -> pd.DataFrame:
        """The curves of a layer in all panels: x_, value_, id_, levels_ (whether the panel has levels), output_."""
        parts, last = [], 0
        for j, (effect, axis) in enumerate(zip(self.effects, self.axes, strict=True)):
            values = steady(effect.layers[layer])
            values = values[:, None, :] if values.ndim == 2 else values[:, chosen_rows(effect, most)]
            order = line_order(axis)
            K, k, G = len(values), values.shape[1], len(order)
            points = np.arange(G) if is_levels(axis) else np.asarray(axis.points)[order]
            id_ = last + np.repeat(np.arange(K * k), G)
            outputs = output_column(effect, np.repeat(np.arange(K), k * G))
            parts.append(
                self.frame(
                    j,
                    np.tile(points, K * k),
                    value_=values[..., order].ravel(),
                    id_=id_,
                    levels_=is_levels(axis),
                    **outputs,
                )
            )
            last += K * k
        return pd.concat(parts, ignore_index=True)

    def ticks(self) -> pd.DataFrame:
        """Data values of the numeric and date features."""
        shown = [self.frame(j, rug_points(axis)) for j, axis in enumerate(self.axes) if not is_levels(axis)]
        return pd.concat(shown, ignore_index=True) if shown else pd.DataFrame()

    def bars(self, levels_only: bool) -> pd.DataFrame:
        """Histogram bars of the features, or only of those with levels."""
        parts = []
        for j, axis in enumerate(self.axes):
            if is_levels(axis) or not levels_only:
                bars = histogram(axis, STRIP)
                left, right = (self.bands.place(j, bars[side].to_numpy()) for side in ("xmin_", "xmax_"))
                parts.append(self.frame(j, left, xmin_=left, xmax_=right, height_=bars["height_"].to_numpy()))
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def margins(self, low: float) -> pd.DataFrame:
        """Both ends of each panel at the lowest value to make room for."""
        ends = [self.frame(j, np.array([b.low, b.high]), value_=low) for j, b in enumerate(self.bands.bands)]
        return pd.concat(ends, ignore_index=True)


def split(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Curves over numbers, curves over levels, and what gets a dot: levels, and curves of a single point."""
    alone = frame.groupby("id_")["x_"].transform("size") < 2
    levels = frame["levels_"]
    return frame[~levels & ~alone], frame[levels & ~alone], frame[levels | alone]
