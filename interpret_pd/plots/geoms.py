"""Geoms that plotnine lacks: many curves at once, a histogram strip along a panel, a veil and hatching over a map.

They keep plotnine's public contract (`draw_panel`, the same since 0.15) and work with facets, scales and `coord_flip`.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_rgba_array
from plotnine import coord_flip, geom_line
from plotnine.geoms.geom import geom

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS_PER_SIZE = float(np.sqrt(np.pi))  # from plotnine's line sizes to matplotlib's line widths


class geom_ice(geom_line):  # noqa: N801 (geoms are spelled this way)
    """Many curves as one collection: the picture of `geom_line` at a tenth of its time.

    Each group is a curve of constant colour, size, line type and alpha; the curves lie over one another in the order of
    their groups, so that alpha adds up where they crowd. Parameters and aesthetics are those of `geom_line`.
    """

    def draw_panel(self, data: pd.DataFrame, panel_params: Any, coord: Any, ax: Axes) -> None:
        """Draw all curves of one panel."""
        data = data.sort_values("group", kind="mergesort", ignore_index=True)
        data = coord.transform(data, panel_params, munch=True)
        first = np.flatnonzero(np.r_[True, np.diff(data["group"].to_numpy()) != 0])
        xy = data[["x", "y"]].to_numpy(float)
        curves = [curve for curve in np.split(xy, first[1:]) if len(curve)]
        look = data.iloc[first]
        ax.add_collection(
            LineCollection(
                curves,
                colors=_colors(look),
                linewidths=look["size"].to_numpy(float) * POINTS_PER_SIZE,
                linestyles=look["linetype"].tolist(),
                capstyle="butt",
                joinstyle="round",
                zorder=self.params["zorder"],
                rasterized=self.params["raster"],
            ),
            autolim=False,
        )


class geom_density_strip(geom):  # noqa: N801
    """Bars on the panel's lower edge: `height` is a share of the panel, whatever the values on the other axis.

    Aesthetics: `xmin`, `xmax` in data units, `height` from 0 to 1; `fill`, `color`, `alpha`, `size`.
    """

    REQUIRED_AES = {"xmin", "xmax", "height"}  # noqa: RUF012
    DEFAULT_AES = {"fill": "#D9D9D9", "color": "white", "alpha": 1, "size": 0.12, "linetype": "solid"}  # noqa: RUF012
    DEFAULT_PARAMS = {"stat": "identity", "position": "identity", "na_rm": False}  # noqa: RUF012

    def draw_panel(self, data: pd.DataFrame, panel_params: Any, coord: Any, ax: Axes) -> None:  # noqa: ARG002
        """Draw the bars of one panel."""
        flipped = isinstance(coord, coord_flip)
        left, right, height = (data[name].to_numpy(float) for name in ("xmin", "xmax", "height"))
        zero = np.zeros_like(height)
        corners = np.stack([[left, zero], [left, height], [right, height], [right, zero]])  # (4, 2, m)
        corners = np.moveaxis(corners, 2, 0)  # (m, 4, 2)
        ax.add_collection(
            PolyCollection(
                list(corners[..., ::-1] if flipped else corners),
                facecolors=_colors(data, "fill"),
                edgecolors=data["color"].tolist(),
                linewidths=data["size"].to_numpy(float) * POINTS_PER_SIZE,
                transform=ax.get_yaxis_transform() if flipped else ax.get_xaxis_transform(),
                zorder=self.params["zorder"],
                rasterized=self.params["raster"],
            ),
            autolim=False,
        )


class geom_veil(geom):  # noqa: N801
    """A veil over a map, at each point of a grid as thick as its `cover`, smooth in between.

    Aesthetics: `x`, `y` of a full grid, as many points along both, the last axis fastest; `cover` from 0 to 1; `fill`.
    """

    REQUIRED_AES = {"x", "y", "cover"}  # noqa: RUF012
    DEFAULT_AES = {"fill": "white"}  # noqa: RUF012
    DEFAULT_PARAMS = {"stat": "identity", "position": "identity", "na_rm": False}  # noqa: RUF012

    def draw_panel(self, data: pd.DataFrame, panel_params: Any, coord: Any, ax: Axes) -> None:  # noqa: ARG002
        """Draw the veil of one panel."""
        m = isqrt(len(data))  # numbers too near one another for floats, or for dates, coincide
        x, y, cover = (_finer(data[name].to_numpy(float).reshape(m, -1)) for name in ("x", "y", "cover"))
        edges = np.stack([y, x] if isinstance(coord, coord_flip) else [x, y], axis=-1)
        colors = np.tile(to_rgba_array(data["fill"].iloc[0]), (cover[1:, 1:].size, 1))
        colors[:, 3] = ((cover[1:, 1:] + cover[:-1, :-1]) / 2).ravel()
        # flat cells without antialiasing: a smooth mesh shows its seams where it is translucent
        veil = QuadMesh(edges, facecolors=colors, edgecolors="none", antialiased=False, zorder=self.params["zorder"])
        veil.set_rasterized(True)  # thousands of cells would swell an SVG
        ax.add_collection(veil, autolim=False)


class geom_hatch(geom):  # noqa: N801
    """Rectangles with slanting strokes and no fill: `geom_rect` has no hatching.

    Aesthetics: `xmin`, `xmax`, `ymin`, `ymax`; `color`.
    """

    REQUIRED_AES = {"xmin", "xmax", "ymin", "ymax"}  # noqa: RUF012
    DEFAULT_AES = {"color": "#8C8C8C", "alpha": 1}  # noqa: RUF012
    DEFAULT_PARAMS = {"stat": "identity", "position": "identity", "na_rm": False}  # noqa: RUF012

    def draw_panel(self, data: pd.DataFrame, panel_params: Any, coord: Any, ax: Axes) -> None:  # noqa: ARG002
        """Draw the rectangles of one panel."""
        left, right, bottom, top = (data[name].to_numpy(float) for name in ("xmin", "xmax", "ymin", "ymax"))
        corners = np.moveaxis(np.stack([[left, bottom], [left, top], [right, top], [right, bottom]]), 2, 0)
        if isinstance(coord, coord_flip):
            corners = corners[..., ::-1]
        look: dict[str, Any] = {"facecolors": "none", "edgecolors": _colors(data), "linewidths": 0.0, "hatch": "////"}
        ax.add_collection(PolyCollection(list(corners), zorder=self.params["zorder"], **look), autolim=False)


def _finer(values: np.ndarray, times: int = 4) -> np.ndarray:
    """A grid of values with `times` as many steps along both axes, linear in between."""
    for _ in range(2):
        old = np.arange(len(values))
        new = np.linspace(0, old[-1], times * old[-1] + 1)
        values = np.stack([np.interp(new, old, column) for column in values.T])  # (m2, finer m1): turned on the way
    return values


def _colors(data: pd.DataFrame, column: str = "color") -> np.ndarray:
    """RGBA per row, (m, 4), with the row's alpha in it."""
    rgba = to_rgba_array(data[column].tolist())
    rgba[:, 3] *= data["alpha"].to_numpy(float)
    return rgba
