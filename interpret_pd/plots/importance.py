"""A ranking of features as a lollipop chart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from plotnine import aes, element_blank, facet_wrap, geom_point, geom_segment, ggplot, labs

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.plots.columns import category
from interpret_pd.plots.fonts import in_readable_font
from interpret_pd.plots.marks import NORMAL
from interpret_pd.plots.text import names, plain, sentence, wrap
from interpret_pd.plots.theme import BLUE, house, size

STEM = "#BDBDBD"


@door
def plot_importance(table: pd.DataFrame) -> ggplot:
    """Draw a ranking table as points on stems, the most important feature on top.

    Parameters
    ----------
    table : DataFrame
        As `pd_importance` returns it: `feature` (and `feature2`, for pairs), `importance`, and where there are any
        `output` (a panel each) and `se` (a band of 1.96 standard errors to both sides). A table of `h_statistic` has
        `h2` instead of `importance`.

    Returns
    -------
    plotnine.ggplot
        Its data have the columns `feature_`, `importance_`, `low_`, `high_` and, as needed, `output_`.

    Raises
    ------
    TypeError
        If `table` is no data frame.
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> from interpret_pd import Predictor, load_bike, pd_importance, plot_importance
    >>> X = load_bike()[["temp", "season"]]
    >>> plot = plot_importance(pd_importance(Predictor(lambda X: X["temp"], X)))
    """
    frame = importance_frame(_checked(table))
    label = (
        "Importance (spread of the partial dependence)" if "importance" in table else "H² (share that is interaction)"
    )
    with_se = bool(np.isfinite(frame["high_"]).any())
    caption = sentence("Bands: 1.96 standard errors to both sides." if with_se else "", width=95)
    plot = ggplot(frame, aes("importance_", "feature_")) + labs(x=wrap(label, 60), y="", caption=caption)
    for part in house(panel_grid_major_y=element_blank()):
        plot += part
    layers: list[Any] = [geom_segment(aes(x=0, xend="importance_", yend="feature_", group=1), color=STEM, size=1.2)]
    if with_se:
        bands = frame[np.isfinite(frame["high_"])]
        layers.append(
            geom_segment(aes(x="low_", xend="high_", yend="feature_", group=1), bands, color=BLUE, size=2.2, alpha=0.45)
        )
    layers += [geom_point(color=BLUE, size=3), *_panels(frame)]
    return in_readable_font(plot + layers, [*frame["feature_"].cat.categories, *frame.get("output_", [])])


def importance_frame(table: pd.DataFrame) -> pd.DataFrame:
    """The table as it is drawn: feature_ (categories, the most important last), importance_, low_, high_, output_."""
    features = list(table["feature"])
    if "feature2" in table:
        features = [f"{plain(one)} × {plain(other)}" for one, other in zip(features, table["feature2"], strict=True)]
    importance = table["importance" if "importance" in table else "h2"].to_numpy(float)
    codes, distinct = pd.factorize(_objects(features), use_na_sentinel=False)  # a column may be called None
    best = pd.Series(importance).groupby(codes).mean().sort_values(ascending=False, kind="stable").index[::-1]
    texts = names(distinct, 28, 2)
    se = table["se"].to_numpy(float) if "se" in table else np.full(len(table), np.nan)
    frame = pd.DataFrame(
        {
            "feature_": pd.Categorical([texts[code] for code in codes], [texts[code] for code in best], ordered=True),
            "importance_": importance,
            "low_": importance - NORMAL * se,
            "high_": importance + NORMAL * se,
        }
    )
    if "output" in table:
        outputs, labels = pd.factorize(_objects(table["output"]))
        frame["output_"] = category(outputs, names(labels))
    return frame


def _objects(values: Iterable[Any]) -> np.ndarray:
    """The values as they are, tuples too, (m,)."""
    return pd.Series(list(values), dtype=object).to_numpy()


def _checked(table: Any) -> pd.DataFrame:
    """The table, or the error that says what it must be."""
    if not isinstance(table, pd.DataFrame):
        got = checks.article(type(table).__name__)
        raise checks.wrong_type("table", "a data frame as pd_importance returns it", got)
    if "feature" not in table or not ({"importance", "h2"} & set(table.columns)):
        got = checks.listed(table.columns) or "no columns"
        raise checks.refused(
            f"table must have the columns 'feature' and 'importance'; got {got}. Use pd_importance(predictor)."
        )
    if not len(table):
        raise checks.refused("table must have at least one row; got none.")
    for name in {"importance", "h2", "se"} & set(table.columns):
        if table[name].dtype.kind not in "iuf":
            got = f"values such as {checks.shown(table[name].iloc[0])}"
            raise checks.wrong_type("table", f"of numbers in its column {name!r}", got)
    return table


def _panels(frame: pd.DataFrame) -> list[Any]:
    """A facet per output, and a figure high enough for all names."""
    height = max(2.2, 0.34 * frame["feature_"].nunique() + 1.1)
    if "output_" not in frame:
        return [size(6.4, height)]
    K = frame["output_"].nunique()
    ncol = min(K, 4)
    return [facet_wrap(["output_"], ncol=ncol), size(2.3 * ncol + 1.4, height * -(-K // ncol))]
