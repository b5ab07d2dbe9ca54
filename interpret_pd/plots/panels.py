"""The frames of an all-features figure: every panel's points on the common scale of `bands`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd.plots import fade
from interpret_pd.plots.bands import Bands, band
from interpret_pd.plots.columns import band_frame, category, chosen_rows, is_levels, line_order, output_column, steady
from interpret_pd.plots.options import Options
from interpret_pd.plots.support import bars as histogram
from interpret_pd.plots.support import rug_points
from interpret_pd.plots.text import names

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

STRIP = 0.16  # height of the strip in these low panels, as a share of them


class Panels:
    """The panels of several effects; panel j is that of effect j."""

    def __init__(self, effects: Sequence[FeatureEffect], options: Options) -> None:
        """Lay out the panels."""
        self.effects, self.options = effects, options
        self.axes = [effect.grid.axes[0] for effect in effects]
        self.bands = Bands(tuple(band(axis) for axis in self.axes))
        self.panels = names((effect.features[0] for effect in effects), 24, 2)

    def frame(self, j: int, points: np.ndarray, **columns: Any) -> pd.DataFrame:
        """Points of panel j with further columns."""
        data = pd.DataFrame({"x_": self.bands.place(j, points), **columns})
        return data.assign(feature_=category(np.full(len(data), j), self.panels))

    def curves(self, layer: str) -> pd.DataFrame:
        """The curves of a layer in all panels: x_, value_, id_, look_, levels_ (whether the panel has levels), output_.

        Averages also have lower_ and upper_, NaN where nobody knows how sure they are.
        """
        parts: list[pd.DataFrame] = []
        for j in range(len(self.effects)):
            frame = self.panel(j, layer)
            parts.append(frame.assign(id_=frame["id_"] + (parts[-1]["id_"].max() + 1 if parts else 0)))
        return pd.concat(parts, ignore_index=True)

    def panel(self, j: int, layer: str) -> pd.DataFrame:
        """The curves of a layer in one panel."""
        effect, axis, options = self.effects[j], self.axes[j], self.options
        rows = chosen_rows(effect, options.max_curves, fade.known_rows(effect, options))
        values = steady(effect, effect.layers[layer])
        values = values[:, None, :] if values.ndim == 2 else values[:, rows]  # (K, k, G)
        order, single = line_order(axis), layer != "ice"
        K, k, G = len(values), values.shape[1], len(order)
        points = np.arange(G) if is_levels(axis) else np.asarray(axis.points)[order]
        columns = {
            "value_": values[..., order].ravel(),
            "id_": np.repeat(np.arange(K * k), G),
            "levels_": is_levels(axis),
        }
        outputs = output_column(effect, np.repeat(np.arange(K), k * G))
        frame = self.frame(j, np.tile(points, K * k), **columns, **outputs)
        if single:
            sure = band_frame(effect, frame)
            frame = frame.assign(lower_=np.nan, upper_=np.nan) if sure is None else sure
        support = fade.support_of(effect, options)
        if is_levels(axis):
            return frame.assign(
                look_=0 if support is None or not single else np.resize(fade.looks(support), len(frame))
            )
        found = fade.line_looks(effect, options) if single else fade.curve_looks(effect, rows, options)
        return self.with_missing(j, fade.cut(frame, found), values, single)

    def with_missing(self, j: int, frame: pd.DataFrame, values: np.ndarray, single: bool) -> pd.DataFrame:
        """The frame of a panel's curves with a point for each of them where the number is missing, if there is one."""
        effect, axis, place = self.effects[j], self.axes[j], self.bands.bands[j].missing
        if place is None:
            return frame
        at = values[..., np.flatnonzero(~np.isfinite(axis.points))[0]]  # (K, k)
        K, k = at.shape
        id_ = frame["id_"].max() + 1 + np.arange(K * k)
        outputs = output_column(effect, np.repeat(np.arange(K), k))
        support = fade.support_of(effect, self.options) if single else None
        look = 0 if support is None else int(fade.looks(support[~np.isfinite(axis.points)])[0])
        columns = {"value_": at.ravel(), "id_": id_, "levels_": False, "look_": look}
        return pd.concat([frame, self.frame(j, np.full(K * k, place), **columns, **outputs)], ignore_index=True)

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
        ends = [self.frame(j, np.array([b.low, b.end]), value_=low) for j, b in enumerate(self.bands.bands)]
        return pd.concat(ends, ignore_index=True)


def split(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Curves over numbers, curves over levels, and what gets a dot: levels, and curves of a single point."""
    alone = frame.groupby("id_")["x_"].transform("size") < 2
    levels = frame["levels_"]
    return frame[~levels & ~alone], frame[levels & ~alone], frame[levels | alone]
