"""A tidy frame: layers of values as one row per value, for people and for plotnine.

Columns that the library adds end in an underscore, so that a feature may be called `value` or `class`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd.evaluate import Values
from interpret_pd.frames import reading

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect


def tidy(effect: FeatureEffect) -> pd.DataFrame:
    """One row per value: the averages first, then the curves by row.

    <feature>[, <feature2>][, output_ or the grouping feature], type_[, id_], value_[, se_, lower_, upper_], support_
    [, supported_][, n_]: the row's index label, the value, its standard error and 95 % band (of averages), how well the
    data cover the point, whether the row is plausible there (of curves), and the rows behind the value (of ALE).
    """
    curves, several = "ice" in effect.layers, len(effect.outputs) > 1
    parts = [_layer(kind, values, effect) for kind, values in effect.layers.items()]
    order = [
        *effect.grid.features,
        *([_group(effect)] if several else []),
        "type_",
        *(["id_"] if curves else []),
        "value_",
    ]
    order += [
        name for name in ("se_", "lower_", "upper_", "support_", "supported_", "n_") if any(name in p for p in parts)
    ]
    frames = [reading.as_frame({name: part[name] for name in order if name in part}) for part in parts]
    if len(frames) == 1:
        return frames[0]
    if curves:
        frames[0].insert(order.index("id_"), "id_", _no_label(effect.row_labels, len(frames[0])))
    return pd.concat([frame.reindex(columns=reading.as_index(order)) for frame in frames], ignore_index=True)


def _group(effect: FeatureEffect) -> Hashable:
    """What the column of outputs is called: by the grouping feature if there is one."""
    return "output_" if effect.by is None else effect.by


def _layer(kind: str, values: Values, effect: FeatureEffect) -> dict[Hashable, Any]:
    """The columns of one layer, each of length K * [k *] m."""
    m, K = int(np.prod(effect.grid.shape)), len(effect.outputs)
    columns: dict[Hashable, Any] = {}
    for name, points in effect.grid.frame().items():
        columns[name] = points.take(np.tile(np.arange(m), values.size // m)).reset_index(drop=True)
    if K > 1:
        place = np.repeat(np.arange(K), values.size // K)
        names = reading.as_index(effect.outputs)
        columns[_group(effect)] = pd.Series(pd.Categorical.from_codes(place, categories=names))
    columns["type_"] = pd.Series(np.full(values.size, kind, dtype=object))
    columns["value_"] = pd.Series(values.ravel())
    columns["support_"] = np.tile(effect.support.ravel(), values.size // m)
    if kind == "ice":
        columns["id_"] = _nullable(reading.as_series(np.tile(np.repeat(effect.row_labels, m), K)))
        columns["supported_"] = np.tile(effect.supported.ravel(), K)
        return columns
    if effect.se is not None:
        columns["se_"] = effect.se.ravel()
        columns["lower_"] = columns["value_"] - effect.quantile * columns["se_"]
        columns["upper_"] = columns["value_"] + effect.quantile * columns["se_"]
    if effect.counts is not None:
        columns["n_"] = np.tile(effect.counts.ravel(), K)
    return columns


def _nullable(labels: pd.Series) -> pd.Series:
    """Whole numbers as Int64, which has room for the averages' missing label."""
    return labels.astype("Int64") if labels.dtype.kind in "iu" else labels.astype(object)


def _no_label(labels: pd.Index, length: int) -> pd.Series:
    """The label of a row that is no row: missing."""
    dtype = "Int64" if getattr(labels.dtype, "kind", "O") in "iu" else object
    return pd.Series([pd.NA] * length, dtype=dtype)
