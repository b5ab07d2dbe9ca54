"""A report: what a model does with its features, as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from interpret_pd import checks
from interpret_pd.door import door
from interpret_pd.effects import FeatureEffects
from interpret_pd.importance import pd_importance
from interpret_pd.plots import plot_importance
from interpret_pd.plots.text import brief, plain
from interpret_pd.predictor import Predictor

LOW = 0.7  # mean support below which a feature gets a warning
SHOWN, LINE = 80, 300  # characters of a text in a table, and on lines of its own
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; }
table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .25rem .7rem; text-align: right; }
th { border-bottom: 2px solid #8c8c8c; } td { border-bottom: 1px solid #ebebeb; }
th:first-child, td:first-child { text-align: left; } td.text { text-align: left; }
img { max-width: 100%; height: auto; } .note { color: #4d4d4d; } .scroll { overflow-x: auto; }
.warning { border-left: 4px solid #d55e00; background: #fdf3ec; padding: .6rem 1rem; }
"""


@door
def report(
    predictor: Predictor,
    features: Sequence[Any] | None = None,
    *,
    method: str = "pdp",
    grid: Any = 20,
    title: str = "What the model does",
) -> str:
    """One self-contained HTML page: ranking, effects, warnings where the data don't support them, provenance.

    Parameters
    ----------
    predictor : Predictor
        The model with its background data.
    features : list of features, optional
        All by default.
    method : str, default "pdp"
        As for `FeatureEffect`.
    grid : int, "unique" or mapping, default 20
        As for `FeatureEffect`; also the importance's.
    title : str
        The page's heading.

    Returns
    -------
    str
        HTML. Names and levels are escaped; pictures are embedded.

    Examples
    --------
    >>> from interpret_pd import Predictor, load_bike
    >>> from interpret_pd.report import report
    >>> page = report(Predictor(lambda X: 10 * X["temp"], load_bike()[["temp", "hum"]]), title="Ten a degree")
    >>> page[:15], "<h1>Ten a degree</h1>" in page
    ('<!doctype html>', True)
    """
    if not isinstance(title, str):
        raise checks.must_be("title", "a text", title)
    if isinstance(features, list | tuple) and features and all(isinstance(one, list | tuple) for one in features):
        raise checks.must_be("features", "single features, with pairs or without", features)
    effects = FeatureEffects(predictor, features, method, grid=grid)
    names = [effect.features[0] for effect in effects if len(effect.features) == 1]
    ranking = pd_importance(predictor, names, grid=grid)
    support = predictor.support(names)
    sections = [
        f"<h1>{html.escape(brief(title, LINE))}</h1><p class='note'>{html.escape(plain(repr(predictor)))}</p>",
        *_warnings(support),
        "<h2>Ranking</h2>" + _picture(plot_importance(ranking), "Importance of the features") + _table(ranking),
        "<p class='note'>Importance is the spread of the partial dependence (Greenwell et al. 2018), in units of the "
        "prediction; se is its standard error over the background data.</p>",
        f"<h2>Effects</h2><p class='note'>{html.escape(brief(effects[names[0]].value_label, LINE))}</p>",
        _picture(effects.plot(), "The effects of all features"),
        *(_picture(effect.plot(), f"The effect of {effect.features}") for effect in effects),
        "<h2>Support</h2>" + _table(support),
        "<p class='note'>How well the data cover the rows that an average invents: 1 is fully, 0 not at all.</p>",
        "<h2>Provenance</h2>" + _table(pd.DataFrame([effects[names[0]].provenance]).T.reset_index(), header=False),
    ]
    head = f"<meta charset='utf-8'><title>{html.escape(brief(title, LINE))}</title><style>{STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(sections)}</body></html>"


def _warnings(support: pd.DataFrame) -> Iterable[str]:
    """A warning for each feature whose partial dependence rests on rows that aren't there."""
    for row in support[support["mean_support"] < LOW].itertuples():
        name, friends = html.escape(brief(row.feature, SHOWN)), html.escape(brief(row.associated_with, LINE))
        yield (
            f"<p class='warning'><strong>{name}</strong>: the data support only {row.mean_support:.0%} of the rows "
            f"that its partial dependence averages; it goes with {friends}. Look at its ALE.</p>"
        )


def _picture(plot: Any, text: str) -> str:
    """A plot as an embedded PNG."""
    file = io.BytesIO()
    plot.save(file, format="png", dpi=110, verbose=False)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return f"<p><img alt='{html.escape(brief(text, SHOWN), quote=True)}' src='data:image/png;base64,{data}'></p>"


def _table(frame: pd.DataFrame, header: bool = True) -> str:
    """A frame as an HTML table: numbers to four digits, everything escaped."""
    head = "".join(f"<th>{html.escape(brief(name, SHOWN))}</th>" for name in frame.columns)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in frame.itertuples(index=False))
    return f"<div class='scroll'><table>{f'<tr>{head}</tr>' if header else ''}{body}</table></div>"


def _cell(value: Any) -> str:
    """One cell."""
    if isinstance(value, float):
        return f"<td>{value:.4g}</td>"
    kind = "" if isinstance(value, int) and not isinstance(value, bool) else " class='text'"
    return f"<td{kind}>{html.escape(brief(value, SHOWN))}</td>"
