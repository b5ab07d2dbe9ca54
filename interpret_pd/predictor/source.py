"""A source: the model with its background data, as they travel to whoever asks: a thread, a process, a cluster.

It is the smallest thing that can answer, and one object for everything that is computed from a predictor, so that it
is sent to a worker once and not with every batch (`evaluate.sending`). Nothing is learned in it: counts, names and
speeds are kept where the answers are gathered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpret_pd.frames import Table
from interpret_pd.predictor.response import Response, Selection, as_matrix, select

MODEL = 2**20  # bytes that a model is taken to have: nothing is known of it


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Source:
    """What answers.

    Attributes
    ----------
    response : Response
        How the model is asked.
    table : Table
        The background data.
    target : label, list of labels or None
        The outputs asked for.
    """

    response: Response
    table: Table
    target: Any

    def answer(self, X: Any) -> tuple[NDArray[np.float64], Selection]:
        """All columns that the model returns for rows that it may keep or edit, (n_rows, k); which are the outputs."""
        matrix, named = as_matrix(self.response.ask(X), X.shape[0])
        return matrix, select(self.response, matrix.shape[1], named, self.target)

    def __sizeof__(self) -> int:
        """The bytes of data and model, about: for the accounts of a worker's memory."""
        return int(self.table.n_rows * self.table.row_bytes) + MODEL
