"""The options of a plot of an effect, checked once and handed down to the file that draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from interpret_pd import checks
from interpret_pd.plots.columns import line_order
from interpret_pd.plots.support import check_rug

if TYPE_CHECKING:
    from interpret_pd.effect import FeatureEffect

MANY_ROWS = 1000  # kept rows above which curves are drawn as a fan of their quantiles


@dataclass(frozen=True)
class Options:
    """The options of `plot_effect`, as they are after their defaults are filled in.

    `lines` is whether several outputs or groups share a panel, `fan` whether ribbons stand for the curves, `color` the
    name of the feature that colours them.
    """

    rug: bool | str = True
    lines: bool = False
    max_curves: int = 1000
    support: bool = True
    fan: bool = False
    color: Any = None


def asked(
    effect: FeatureEffect, rug: Any, outputs: Any, max_curves: int, support: Any, fan: Any, color: Any
) -> Options:
    """The options, or the error that names what one of them must be."""
    rug = check_rug(rug)
    if outputs is not None and (not isinstance(outputs, str) or outputs not in ("facets", "lines")):
        hint = checks.suggest(outputs, ("facets", "lines"))
        raise checks.must_be("outputs", "'facets' or 'lines'", outputs, hint)
    checks.flag("support", support)
    if not isinstance(fan, bool | np.bool_) and not (isinstance(fan, str) and fan == "auto"):
        raise checks.must_be("fan", "True, False or 'auto'", fan)
    fan = fan if isinstance(fan, str) else bool(fan)
    curves = np.shape(effect.layers["ice"])[1] if "ice" in effect.layers else 0
    if not curves:
        _no_curves(effect, fan, color)
    if color is not None and fan is True:
        raise checks.must_be("fan", "False where color= is given", fan)
    if color is not None and effect.predictor is None:
        hint = "Colour the effect before it is written."
        raise checks.must_be("color", "None for an effect read from JSON, which has no data", color, hint)
    checks.whole_number("max_curves", max_curves, 1)
    if color is not None and outputs == "lines":
        raise checks.must_be("outputs", "'facets' where color= is given", outputs)
    if outputs == "lines" and len(effect.features) == 2:
        raise checks.must_be("outputs", "'facets' for two features", outputs)
    lines = outputs == "lines" or (outputs is None and effect.by is not None)
    line = len(effect.features) == 1 and len(line_order(effect.grid.axes[0])) > 1
    fanned = bool(curves) and line and color is None and (curves > MANY_ROWS if fan == "auto" else fan)
    named = None if color is None else effect.predictor.feature(effect.predictor.table.resolve(color, "color")).name
    return Options(rug, lines and len(effect.outputs) > 1, max_curves, bool(support), fanned, named)


def check_effect(argument: str, effect: Any) -> None:
    """Raises for what is no effect of one feature or two."""
    if not hasattr(effect, "layers"):
        got = checks.article(type(effect).__name__)
        hint = "Use effects[feature], or effects.plot()." if hasattr(effect, "failures") else ""
        raise checks.wrong_type(argument, "a FeatureEffect", got, hint)


def _no_curves(effect: FeatureEffect, fan: Any, color: Any) -> None:
    """Raises if something is asked of the curves of an effect that keeps none."""
    hint = "Use method='pdp+ice'." if len(effect.features) == 1 else "Curves are of one feature."
    if color is not None:
        raise checks.must_be("color", f"None for method {effect.method!r}, which keeps no curves", color, hint)
    if fan is True:
        raise checks.must_be("fan", f"False for method {effect.method!r}, which keeps no curves", fan, hint)
