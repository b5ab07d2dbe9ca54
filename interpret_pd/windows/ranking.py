"""A ranking: a table with the most important first, one block per output."""

from __future__ import annotations

from collections.abc import Hashable

import pandas as pd

from interpret_pd.frames import reading


def ranked(table: pd.DataFrame, by: str, outputs: tuple[Hashable, ...]) -> pd.DataFrame:
    """The table sorted by a column within each output, with `rank` beside it; ties share the better rank."""
    table = table.assign(rank=0)
    if len(outputs) > 1:
        table["output"] = pd.Categorical(table["output"], categories=reading.as_index(outputs))
        table = table.sort_values(["output", by], ascending=[True, False], kind="stable", ignore_index=True)
        table["rank"] = table.groupby("output", observed=True)[by].rank(method="min", ascending=False).astype(int)
    else:
        table = table.drop(columns="output").sort_values(by, ascending=False, kind="stable", ignore_index=True)
        table["rank"] = table[by].rank(method="min", ascending=False).astype(int)
    columns = [name for name in table if name != "rank"]
    columns.insert(columns.index(by) + 1, "rank")
    return table[columns]
