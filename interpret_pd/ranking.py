"""A ranking: a table with the most important first, one block per output."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from interpret_pd import checks
from interpret_pd.features import Feature
from interpret_pd.predictor import Predictor


def chosen(predictor: Predictor, features: Sequence[Any] | None, least: int = 1) -> tuple[Feature, ...]:
    """The features asked for, all by default; raises if one comes twice or there are too few."""
    if not isinstance(predictor, Predictor):
        got = checks.article(type(predictor).__name__)
        raise checks.wrong_type("predictor", "a Predictor", got, "Use Predictor(model, X).")
    asked = predictor.feature_names if features is None else features
    asked = [asked] if isinstance(asked, str) or not hasattr(asked, "__iter__") else list(asked)
    found = tuple(predictor.feature(name) for name in asked)
    names = tuple(feature.name for feature in found)
    if len(set(names)) < len(names):
        raise ValueError(f"features must differ; got {checks.shown(names)}.")
    if len(names) < least:
        raise checks.must_be("features", f"at least {least} feature{'s' if least > 1 else ''}", names)
    return found


def ranked(table: pd.DataFrame, by: str, outputs: tuple[Hashable, ...]) -> pd.DataFrame:
    """The table sorted by a column within each output, with `rank` beside it; ties share the better rank."""
    table = table.assign(rank=0)
    if len(outputs) > 1:
        table["output"] = pd.Categorical(table["output"], categories=pd.Index(outputs, tupleize_cols=False))
        table = table.sort_values(["output", by], ascending=[True, False], kind="stable", ignore_index=True)
        table["rank"] = table.groupby("output", observed=True)[by].rank(method="min", ascending=False).astype(int)
    else:
        table = table.drop(columns="output").sort_values(by, ascending=False, kind="stable", ignore_index=True)
        table["rank"] = table[by].rank(method="min", ascending=False).astype(int)
    columns = [name for name in table if name != "rank"]
    columns.insert(columns.index(by) + 1, "rank")
    return table[columns]
