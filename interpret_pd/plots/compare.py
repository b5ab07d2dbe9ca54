"""Effects beside one another: several models, and ALE beside centred PD.

Where ALE and PD part, features that go together mislead one of them; where models part, the data don't decide.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
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

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.plots import fade
from interpret_pd.plots.canvas import canvas, finished, output_panels, zero_line
from interpret_pd.plots.columns import (
    axis_column,
    band_frame,
    category,
    curve_frame,
    is_levels,
    label_without_anchor,
    main_layer,
    starts_at_zero,
)
from interpret_pd.plots.fonts import in_readable_font
from interpret_pd.plots.groups import dodged_points, named_lines, ribbons
from interpret_pd.plots.layout import LevelAxis, level_axis
from interpret_pd.plots.marks import Marks, band_caption, line_scales
from interpret_pd.plots.missing import missing_frame, missing_place, missing_points
from interpret_pd.plots.options import Options, check_effect
from interpret_pd.plots.pairs import pair_lines, pair_tiles
from interpret_pd.plots.support import at_levels, check_rug, where
from interpret_pd.plots.surface import surface_plot
from interpret_pd.plots.text import names, wrap
from interpret_pd.plots.theme import BLUE, VERMILION, manual

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

NAMES = ("PD, centred", "ALE")


@door
def compare_plot(effects: Mapping[Any, FeatureEffect], *, rug: bool | str = True, support: bool = True) -> ggplot:
    """Draw the same effect of several models, refits or data sets in one picture.

    Parameters
    ----------
    effects : mapping from names to FeatureEffect
        Alike, with averages; of two features with the same grid and one output.
    rug : bool or "histogram", default True
        As in `plot_effect`, for the data of the first effect.
    support : bool, default True
        As in `plot_effect`, each effect by its own data; of two features by the first effect's.

    Returns
    -------
    plotnine.ggplot
        Its data have the columns `x_`, `value_`, `type_` (the name) and, as needed, `output_`.
    """
    if not isinstance(effects, Mapping) or not effects:
        raise checks.wrong_type("effects", "a mapping from names to effects", checks.article(type(effects).__name__))
    for effect in effects.values():
        check_effect("each of the effects", effect)
    options = Options(rug=check_rug(rug), support=checks.flag("support", support))
    texts, first = names(effects, 22), next(iter(effects.values()))
    if len(first.features) == 2:
        return in_readable_font(finished(_maps(effects, options), first), texts)
    draw = _models_at_levels if is_levels(first.grid.axes[0]) else _models
    return in_readable_font(finished(draw(list(effects.values()), texts, options), first), texts)


def _named(frames: list[pd.DataFrame], texts: list[str]) -> pd.DataFrame:
    """Frames above one another, told apart by type_ and by id_."""
    parts, last = [], 0
    for i, frame in enumerate(frames):
        type_ = category(np.full(len(frame), i), texts)
        parts.append(frame.assign(type_=type_, **({"id_": frame["id_"] + last} if "id_" in frame else {})))
        last = parts[-1]["id_"].max() + 1 if "id_" in frame else 0
    return pd.concat(parts, ignore_index=True)


def _models(effects: list[FeatureEffect], texts: list[str], options: Options) -> ggplot:
    """A line per model over a number, on its band."""
    first = effects[0]
    plain = [curve_frame(effect, main_layer(effect) or "pdp") for effect in effects]
    frame, marks = _named(plain, texts), Marks()
    bands = [band_frame(effect, one) for effect, one in zip(effects, plain, strict=True)]
    if all(band is not None for band in bands):
        band = _named([one for one in bands if one is not None], texts)
        marks += Marks([ribbons(band, "type_")], [band["lower_"], band["upper_"]], (band_caption(first, "Bands"),))
    found = [fade.line_looks(effect, options) for effect in effects]
    pieces = _named([fade.cut(one, looks) for one, looks in zip(plain, found, strict=True)], texts)
    pieces["look_"] = pieces["look_"].clip(upper=1)
    said = fade.caption(pieces["look_"].to_numpy(), ale=first.method == "ale")
    marks += Marks(named_lines(pieces, "type_"), [frame["value_"]], said)
    layers = line_scales(texts, "", texts, fill=True)
    if all(missing_place(effect.grid.axes[0]) is not None for effect in effects):
        found_there = [missing_frame(effect, effect.layers[main_layer(effect) or "pdp"][:, None]) for effect in effects]
        layers += missing_points(first, _named(found_there, texts), "type_")
    return _together(first, frame, marks, layers, options)


def _models_at_levels(effects: list[FeatureEffect], texts: list[str], options: Options) -> ggplot:
    """A point per model at each level, with its interval."""
    first = effects[0]
    levels = _common_layout(effects)
    axis = first.grid.axes[0]
    order = list(axis_column(axis, levels.texts_of(axis), levels.downwards).cat.categories)
    frames = []
    for effect in effects:
        x = axis_column(effect.grid.axes[0], levels.texts_of(effect.grid.axes[0]))
        frame = curve_frame(effect, main_layer(effect) or "pdp", x=x)
        band, support = band_frame(effect, frame), fade.support_of(effect, options)
        looks = np.zeros(len(effect.grid.axes[0]), int) if support is None else np.minimum(fade.looks(support), 1)
        frames.append((frame if band is None else band).assign(look_=np.resize(looks, len(frame))))
    frame = _named([one.assign(x_=one["x_"].astype(object)) for one in frames], texts)
    order += [level for level in dict.fromkeys(frame["x_"]) if level not in order]
    frame["x_"] = pd.Categorical(frame["x_"], order, ordered=True)
    marks = dodged_points(frame, "type_", texts, "")
    marks += Marks(caption=(band_caption(first, "Bars"),) if "lower_" in frame else ())
    marks += Marks(caption=fade.caption(frame["look_"].to_numpy()))
    return _together(first, frame, marks, levels.parts(len(first.outputs)), options, levels.downwards)


def _common_layout(effects: list[FeatureEffect]) -> LevelAxis:
    """The layout that has room for the effect with the most levels."""
    axis = max((effect.grid.axes[0] for effect in effects), key=len)
    return level_axis(axis, 64 if len(effects[0].outputs) == 1 else 30)


def _together(
    first: FeatureEffect,
    frame: pd.DataFrame,
    marks: Marks,
    layers: list[Any],
    options: Options,
    downwards: bool = False,
) -> ggplot:
    """Marks of several models on one canvas, the legend on top."""
    axis, said = first.grid.axes[0], tuple[str, ...]()
    if is_levels(axis):
        x, several = frame["x_"].iloc[: len(axis.points)], len(first.outputs) > 1
        support, said = at_levels(axis, options.rug, x, marks.reach, downwards, several)
    else:
        support = where(axis, options.rug, frame["x_"], marks.reach)
    top = {"legend_position": "top", "legend_title": element_blank()}
    plot = canvas(first, frame, aes("x_", "value_"), (*marks.caption, *said), downwards, **top)
    zero: list[Any] = [zero_line()] if starts_at_zero(first) else []
    parts = [*support, *zero, *marks.layers, *output_panels(first), *layers]
    return plot + parts


def _maps(effects: Mapping[Any, FeatureEffect], options: Options) -> ggplot:
    """Two features: a panel per model, drawn as the outputs of one effect are."""
    first = next(iter(effects.values()))
    whole = copy.copy(first)
    kind = main_layer(first) or "pdp"
    whole.layers = {kind: np.concatenate([effect.layers[kind] for effect in effects.values()])}
    whole.outputs, whole.se = tuple(effects), None
    kinds = [is_levels(axis) for axis in first.grid.axes]
    return (pair_tiles if all(kinds) else pair_lines if any(kinds) else surface_plot)(whole, options)


@door
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
    levels = _common_layout([ale, pdp]) if is_levels(axis) else None
    downwards = levels is not None and levels.downwards
    frame, label = _both(ale, pdp, levels), label_without_anchor(pdp)
    top: dict[str, Any] = {"legend_position": "top", "legend_title": element_blank()}
    plot = canvas(ale, frame, aes("x_", "value_"), turned=downwards, **top)
    plot += labs(y=wrap(f"Effect on {label[0].lower()}{label[1:]}", 38))
    if levels is not None:
        look = aes(color="type_", shape="type_")
        marks: list[Any] = [geom_point(look, size=3.2, position=position_dodge(width=0.4))]
    else:
        look = aes(color="type_", linetype="type_", group="id_")
        marks = [geom_line(look, size=1.1), manual(scale_linetype_manual, ["solid", "dashed"])]
    x = frame["x_"].iloc[len(frame) - len(axis.points) * len(ale.outputs) :]  # the ALE's, whose rows are told
    support = where(axis, rug, x, frame["value_"].to_numpy(), downwards)
    layers = [*support, zero_line(), *marks, manual(scale_color_manual, [BLUE, VERMILION]), *output_panels(ale)]
    layers += [] if levels is None else levels.parts(len(ale.outputs))
    return finished(plot + layers, ale)


def _both(ale: FeatureEffect, pdp: FeatureEffect, levels: LevelAxis | None) -> pd.DataFrame:
    """The centred PD above the ALE, told apart by type_; levels in the ALE's order, then those of the PD alone."""
    axes = [effect.grid.axes[0] for effect in (pdp, ale)]
    if levels is None:
        columns = [axis_column(axis) for axis in axes]
    else:
        columns = [axis_column(axis, levels.texts_of(axis), levels.downwards) for axis in axes]
    first, second = curve_frame(pdp, "pdp", x=columns[0]), curve_frame(ale, "ale", x=columns[1])
    first["value_"] -= np.repeat(data_means(pdp), len(first) // len(pdp.outputs))
    second["id_"] += len(first)
    if levels is not None:
        order = list(second["x_"].cat.categories)
        order += [level for level in first["x_"].cat.categories if level not in order]
        for frame in (first, second):
            frame["x_"] = pd.Categorical(frame["x_"].astype(object), order, ordered=True)
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
    check_effect("ale", ale)
    check_effect("pdp", pdp)
    if (ale.method, pdp.method) != ("ale", "pdp"):
        raise checks.refused(f"the methods must be 'ale' and 'pdp'; got {ale.method!r} and {pdp.method!r}.")
    if len(ale.features) != 1 or (ale.features, ale.outputs) != (pdp.features, pdp.outputs):
        raise checks.refused(
            f"both effects must be of the same one feature and outputs; got {ale.features!r} and {pdp.features!r}."
        )
