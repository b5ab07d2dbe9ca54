"""A fade: where an average is over rows unlike the data, its line turns pale, then dotted, and its points hollow.

Looks are numbers: 0 as it is, 1 pale (support below 0.8), 2 dotted or hollow (below one half). A segment of a line has
the look of the mean support of its two ends, so that no point is added to the line, on whatever scale it is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from interpret_pd.plots.columns import is_levels, line_order

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect
    from interpret_pd.plots.options import Options

PALE, DOTTED = 0.8, 0.5


def support_of(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The support of what is averaged at each point, (G1[, G2]); None if it is high everywhere or not asked for.

    An average within the support leaves out the rows that are unlike the data, and so never fades; its curves do.
    """
    return None if effect.within_support else low_support(effect, options)


def low_support(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The support of each point, (G1[, G2]); None if it is high everywhere or not asked for.

    An ALE has none to show: it asks about no row that isn't there.
    """
    if not options.support or effect.method.endswith("ale"):
        return None
    support = np.asarray(effect.support, float)
    return support if np.nanmin(support) < PALE else None


def looks(support: np.ndarray) -> np.ndarray:
    """0 as it is, 1 pale, 2 dotted or hollow."""
    return np.asarray((support < PALE).astype(int) + (support < DOTTED), int)


def segment_looks(support: np.ndarray) -> np.ndarray:
    """The looks of the segments between points (..., G) -> (..., G - 1)."""
    return looks((support[..., 1:] + support[..., :-1]) / 2)


def empty_bins(effect: FeatureEffect) -> np.ndarray | None:
    """The looks of an ALE's segments, (1, G - 1): dotted across a bin without rows; None if there is none."""
    if effect.method != "ale" or is_levels(effect.grid.axes[0]) or effect.counts is None:
        return None
    empty = 2 * (np.asarray(effect.counts)[line_order(effect.grid.axes[0])][1:] == 0)
    return empty[None] if empty.any() else None


def line_looks(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The looks of the main curve's segments, (K, G - 1); None if all are as they are."""
    support = support_of(effect, options)
    found = empty_bins(effect)
    if support is not None:
        found = segment_looks(support[line_order(effect.grid.axes[0])])[None]
    return None if found is None or not found.any() else np.tile(found, (len(effect.outputs), 1))


def implausible(effect: FeatureEffect, rows: np.ndarray, options: Options) -> np.ndarray | None:
    """Where a drawn row is unlike the data, of the points whose support is low, (k, G) in drawing order; or None."""
    support = low_support(effect, options)
    if support is None:
        return None
    order = line_order(effect.grid.axes[0])
    supported = np.asarray(effect.supported, float)[rows][:, order]
    if np.isnan(supported).any():  # rows that nobody looked at
        return None
    return np.asarray((supported == 0) & (support[order] < PALE))


def curve_looks(effect: FeatureEffect, rows: np.ndarray, options: Options) -> np.ndarray | None:
    """The looks of the ICE curves' segments, (K * k, G - 1), 0 or 1; None if all are as they are."""
    where = implausible(effect, rows, options)
    if where is None or where.shape[1] < 2:
        return None
    found = (where[:, 1:] | where[:, :-1]).astype(int)
    return np.tile(found, (len(effect.outputs), 1)) if found.any() else None


def known_rows(effect: FeatureEffect, options: Options) -> np.ndarray | None:
    """The kept rows whose support is known; None if that is all of them or plays no part."""
    if "ice" not in effect.layers or low_support(effect, options) is None:
        return None
    known = np.flatnonzero(~np.isnan(np.asarray(effect.supported, float)).any(axis=1))
    return known if len(known) < np.shape(effect.layers["ice"])[1] else None


def cut(frame: pd.DataFrame, found: np.ndarray | None) -> pd.DataFrame:
    """The curves of a frame, one after the other, cut where their look changes: look_, and an id_ per piece.

    `found` are the looks of the segments, (curves, G - 1); pieces share the point at which they meet.
    """
    if found is None or not found.any():
        return frame.assign(look_=0)
    c, s = found.shape
    flat = found.ravel()
    starts = (np.arange(c)[:, None] * (s + 1) + np.arange(s)).ravel()
    new = np.r_[True, flat[1:] != flat[:-1]]
    new[::s] = True
    piece, last = np.cumsum(new) - 1, np.r_[new[1:], True]
    at, of = np.r_[starts, starts[last] + 1], np.r_[piece, piece[last]]
    order = np.lexsort((at, of))
    pieces = frame.iloc[at[order]].reset_index(drop=True)
    return pieces.assign(id_=of[order], look_=flat[new][of[order]])


def pieces_by_look(frame: pd.DataFrame) -> list[tuple[int, pd.DataFrame]]:
    """The pieces of each look, the palest first, so that the others lie over them."""
    if "look_" not in frame:
        return [(0, frame)]
    return [(look, frame[frame["look_"] == look]) for look in (2, 1, 0) if (frame["look_"] == look).any()]


def caption(found: np.ndarray | None, curves: bool = False, points: bool = False, ale: bool = False) -> tuple[str, ...]:
    """What pale and dotted mean, of the looks that are there."""
    if ale:
        look = 0 if found is None else int(found.max(initial=0))
        return (("", "Pale", "Dotted")[look] + ": bins without rows.",) if look else ()
    there = set() if found is None else set(np.unique(found).tolist())
    low, worse = ("Pale", "hollow") if points else ("Pale", "dotted")
    words = ([f"{low}: support below {PALE:g}"] if 1 in there else []) + (
        [f"{worse}: below {DOTTED:g}" if 1 in there else f"{worse.capitalize()}: support below {DOTTED:g}"]
        if 2 in there
        else []
    )
    if not words:
        return ("Pale curves: rows unlike the data.",) if curves else ()
    said = ", ".join(words)
    return (f"{said}. Pale curves: rows unlike the data." if curves else f"{said} (rows unlike the data).",)
