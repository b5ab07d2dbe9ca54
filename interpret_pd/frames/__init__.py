"""A table: the background data in the container that the user gave.

The only room that knows data-frame libraries. Reading a column gives a pandas Series, whatever the container, so that
kinds, numbers and levels are decided once, in `reading`. Writing is native: the model sees the container and the dtypes
that it was fitted on, and what it edits is a copy.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames.base import Table, check_unique
from interpret_pd.frames.numpy_table import NumpyTable
from interpret_pd.frames.pandas_table import PandasTable

__all__ = ["Table", "as_table"]

WHAT = "a data frame or a 2-D array"


def as_table(X: Any, feature_names: Sequence[Hashable] | None = None, argument: str = "the data") -> Table:
    """The data as a table; raises if they are no data frame and no 2-D array."""
    if isinstance(X, np.ndarray):
        return NumpyTable(_two_dimensional(X, argument), _texts(feature_names))
    if feature_names is not None:
        raise checks.must_be("feature_names", "None for a data frame, which has names of its own", feature_names)
    if isinstance(X, pd.DataFrame):
        return PandasTable(X)
    return _other(X, argument)


def _texts(names: Any) -> list[Hashable] | None:
    """The names of an array's columns, each a text: an integer is a position."""
    if names is None:
        return None
    listed = None if isinstance(names, set | frozenset | Mapping) else checks.items(names)
    if not listed or not all(isinstance(name, str) for name in listed):
        raise checks.must_be("feature_names", "a list of names, one per column", names)
    return listed


def _two_dimensional(X: np.ndarray, argument: str) -> np.ndarray:
    """The array, if its shape and dtype can hold rows of features."""
    if isinstance(X, np.ma.MaskedArray):
        raise checks.wrong_type(argument, WHAT, "a masked array", "Use X.filled(np.nan).")
    if isinstance(X, np.matrix):  # whose columns are matrices too
        raise checks.wrong_type(argument, WHAT, "a matrix", "Use np.asarray(X).")
    if X.ndim != 2:
        hint = "Use X.reshape(-1, 1) for a single feature." if X.ndim == 1 else ""
        raise checks.refused(checks.sentence(argument, WHAT, f"an array of shape {X.shape}", hint))
    if X.dtype.kind in "cV":
        raise checks.wrong_type(argument, "numbers, dates or text", f"an array of dtype {X.dtype}")
    return X


def _other(X: Any, argument: str) -> Table:
    """A table of polars, pyarrow or another eager frame that narwhals reads."""
    kind = type(X).__name__
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        hint = "Use X.toarray(), on a sample of the rows if it is large."
        raise checks.wrong_type(argument, WHAT, "a sparse matrix", hint)
    check_unique(getattr(X, "column_names", ()))  # of pyarrow, before narwhals says it in its own words
    import narwhals as nw

    lazy = hasattr(X, "to_delayed")  # dask, of which narwhals is about to let go
    frame = X if lazy else nw.from_native(X, pass_through=True)
    if lazy or isinstance(frame, nw.LazyFrame):
        collect = "compute" if hasattr(X, "compute") else "collect"
        hint = f"Use Predictor(..., rows=10_000) for a sample of the rows, or X.{collect}()."
        raise checks.wrong_type(argument, WHAT, f"a lazy frame ({kind})", hint)
    if not isinstance(frame, nw.DataFrame):
        hint = "Use np.asarray(X)." if hasattr(X, "__len__") and not isinstance(X, dict | str) else ""
        hint = "Use pd.DataFrame(X)." if isinstance(X, dict) else hint
        raise checks.wrong_type(argument, WHAT, checks.article(kind), hint)
    from interpret_pd.frames.narwhals_table import NarwhalsTable

    return NarwhalsTable(frame)
