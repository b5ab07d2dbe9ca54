"""A record: an effect without its model and data, as JSON, and where its numbers come from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.features import Feature
from interpret_pd.frames import reading
from interpret_pd.grid import Axis, Grid, Spec

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

FORMAT = 1
PLAIN = (
    *("method", "engine", "scale", "seed", "by", "within_support", "missing"),
    *("calls", "seconds", "left_out", "quantile"),
)
ARRAYS = ("se", "support", "supported", "counts", "weights")


def provenance(effect: FeatureEffect) -> dict[str, Any]:
    """Where an effect's numbers come from."""
    if effect.predictor is None:
        return dict(effect.recorded)
    predictor, spec = effect.predictor, effect.spec
    return {
        "model": type(predictor.model).__name__,
        "response": predictor.response.method,
        "scale": effect.scale,
        "outputs": list(effect.outputs),
        "rows": effect.rows_used,
        "rows_of_whole": predictor.n_rows if predictor.whole is None else predictor.whole.n_rows,
        "tolerance": effect.tolerance,
        "curves": len(effect.rows),
        "seed": effect.seed if isinstance(effect.seed, int) else None,
        "weighted": predictor.weights is not None,
        "grid": str(spec.grid) if isinstance(spec.grid, int | str) else "own values",
        "spacing": spec.spacing,
        "percentiles": list(spec.percentiles),
        "engine": effect.engine,
        "why_not_trees": predictor.ensemble_reason if effect.engine == "brute" else None,
        "model_calls": effect.calls,
        "seconds": round(effect.seconds, 4),
    }


def detached(effect: FeatureEffect) -> FeatureEffect:
    """The effect without its predictor: what that would be asked for is found now."""
    effect = effect._copy()
    effect.recorded = provenance(effect)
    for name in ("support", "counts", "left_out", "weights", "row_labels"):
        effect.__dict__[name] = getattr(effect, name)
    effect.predictor = None  # type: ignore[assignment]  # the verbs that need it say so
    return effect


def to_json(effect: FeatureEffect) -> str:
    """The effect without the model and the data, as text that `from_json` reads.

    Returns
    -------
    str
        JSON: values, standard errors, support, axes with their features' values, provenance. Levels, outputs and row
        labels other than text, numbers and truths become text; `predict` knows the levels of the data by it.
    """
    content: dict[str, Any] = {"format": FORMAT, "provenance": provenance(effect)}
    content |= {name: getattr(effect, name) for name in PLAIN if name != "seed"}
    content |= {name: _listed(getattr(effect, name)) for name in ARRAYS if name != "supported"}
    content["layers"] = {kind: _listed(values) for kind, values in effect.layers.items()}
    content["outputs"] = [reading.told(output) for output in effect.outputs]
    content["rows"], content["row_labels"] = effect.rows.tolist(), [reading.told(label) for label in effect.row_labels]
    content["supported"] = _listed(effect.supported) if "ice" in effect.layers else None
    content["anchor"] = None if effect.anchor is None else int(_anchor_place(effect))
    content["axes"] = [_axis(axis) for axis in effect.grid.axes]
    return json.dumps(content, default=reading.told)


@door
def from_json(kind: type[FeatureEffect], text: str) -> FeatureEffect:
    """An effect from `to_json`: its values, results, picture and `predict`; verbs that ask the model need the model.

    Parameters
    ----------
    text : str
        What `to_json` wrote.

    Returns
    -------
    FeatureEffect
        Without `predictor`.

    Raises
    ------
    ValueError
        If the text is something else, or another version's.
    """
    effect = kind.__new__(kind)
    try:
        _restore(effect, text)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):  # no text, no JSON, or something is lacking
        raise checks.must_be("text", "what to_json() wrote, by this version", text) from None
    return effect


def _restore(effect: FeatureEffect, text: str) -> None:
    """Fills an empty effect from text."""
    content = json.loads(text)
    if content["format"] != FORMAT:
        raise ValueError(content["format"])
    effect.predictor = None  # type: ignore[assignment]  # the verbs that need it say so
    effect.recorded = content["provenance"]
    for name in PLAIN:
        setattr(effect, name, content.get(name))
    for name in ARRAYS:
        setattr(effect, name, None if content[name] is None else np.array(content[name], dtype=float))
    if effect.counts is not None:
        effect.counts = effect.counts.astype(int)
    effect.hold({kind: np.array(values, dtype=float) for kind, values in content["layers"].items()}, effect.se)
    effect.outputs, effect.rows = tuple(content["outputs"]), np.array(content["rows"], dtype=int)
    effect.row_labels = reading.as_index(content["row_labels"])
    effect.grid = Grid(tuple(_restored_axis(axis) for axis in content["axes"]))
    effect.features, effect.spec = effect.grid.features, Spec()
    effect.anchor = None if content["anchor"] is None else effect.grid.axes[0].values.iloc[content["anchor"]]


def _anchor_place(effect: FeatureEffect) -> int:
    """Where on the axis the anchor is."""
    return next(i for i, value in enumerate(effect.grid.axes[0].values) if value == effect.anchor)


def _axis(axis: Axis) -> dict[str, Any]:
    """An axis and its feature."""
    feature = axis.feature
    names = ("name", "kind", "ordered", "integer")
    duration = feature.kind == "date" and reading.is_duration(feature.sample)
    zone = reading.zone_of(feature.sample) if feature.kind == "date" and not duration else None
    return {name: reading.told(getattr(feature, name)) for name in names} | {
        "levels": None if feature.levels is None else [reading.told(level) for level in feature.levels],
        "as_text": feature.as_text or any(_becomes_text(level) for level in feature.levels or ()),
        "zone": None if zone is None else str(zone),
        "duration": duration,
        "points": _listed(axis.points),
        "values": _listed(feature.values),
    }


def _restored_axis(axis: dict[str, Any]) -> Axis:
    """An axis without a native column."""
    values = np.array(axis["values"], dtype=float)
    levels = None if axis["levels"] is None else tuple(axis["levels"])
    sample: Any = pd.Series([], dtype=float)
    if axis["kind"] == "date":
        sample = pd.Series([0], dtype="timedelta64[us]" if axis["duration"] else "datetime64[us]")
        sample = sample.dt.tz_localize(axis["zone"]) if axis["zone"] else sample
    there = values[values >= 0] if levels is not None else values[np.isfinite(values)]
    feature = Feature(
        *(axis["name"], axis["kind"], values, levels, axis["ordered"], axis["integer"], sample, np.unique(there)),
        as_text=axis.get("as_text", False),
    )
    return Axis(feature, np.array(axis["points"], dtype=float), None)


def _listed(values: Any) -> Any:
    """An array as lists, None as None; a number that isn't finite, which JSON doesn't know, as None too."""
    if values is None:
        return None
    array = np.asarray(values, dtype=float)
    finite = np.isfinite(array)
    return array.tolist() if finite.all() else np.where(finite, array.astype(object), np.array(None)).tolist()


def _becomes_text(level: Any) -> bool:
    """Whether JSON holds a level as a text that it isn't."""
    return isinstance(reading.told(level), str) and not isinstance(level, str)
