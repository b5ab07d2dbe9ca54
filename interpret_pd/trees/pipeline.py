"""A pipeline: steps that treat the columns one by one, before a model that is a sum of trees.

Such steps turn each feature into columns of its own, whatever the other features are. So the background data go through
them once, and so do the points of an axis, put into copies of any one row: the columns that a feature became are those
that move with its values, and the trees are walked with all of them pinned together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from interpret_pd.trees.columns import Floats
from interpret_pd.trees.refusal import NotExact, attribute

# steps of scikit-learn none of whose columns depends on two of the columns that they are given
BY_COLUMN = {
    "Binarizer", "KBinsDiscretizer", "MaxAbsScaler", "MinMaxScaler", "MissingIndicator", "OneHotEncoder",
    "OrdinalEncoder", "PowerTransformer", "QuantileTransformer", "RobustScaler", "SelectKBest", "SelectPercentile",
    "SimpleImputer", "SplineTransformer", "StandardScaler", "TargetEncoder", "VarianceThreshold",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preparation:
    """The steps of a pipeline before its model.

    Parameters
    ----------
    steps : Pipeline
        The pipeline without its last step.
    absent : float, default 0.0
        What the model takes for the entries that a sparse matrix leaves out.
    """

    steps: Any
    absent: float = 0.0

    def __call__(self, rows: Any) -> Floats:
        """Return rows, in the container that the pipeline takes, as the matrix (n, q) that its model is given.

        Raises
        ------
        NotExact
            If the steps do not return numbers.
        """
        prepared = self.steps.transform(rows)
        if hasattr(prepared, "tocoo"):
            return _fill(prepared.tocoo(), self.absent)
        try:
            return np.asarray(prepared, dtype=np.float64)
        except (TypeError, ValueError):
            raise NotExact("the pipeline's steps do not return numbers only") from None


def unwrap(model: Any) -> tuple[Preparation | None, Any]:
    """Return what a pipeline does before its model, and the model.

    Parameters
    ----------
    model : estimator
        A pipeline, or anything else.

    Returns
    -------
    preparation : Preparation or None
        None if the model is no pipeline.
    model : estimator
        The last step, or the model itself.

    Raises
    ------
    NotExact
        If a step is not known to treat the columns one by one; the message names it.
    """
    if not is_sklearn(model, "Pipeline"):
        return None, model
    steps = attribute(model, "steps")
    for _, step in steps[:-1]:
        for part in _parts(step):
            if not _is_by_column(part):
                raise NotExact(f"the pipeline's {type(part).__name__} is not known to treat columns one by one")
    last = steps[-1][1]
    # zero for every library but XGBoost, to which what is absent is missing
    return Preparation(model[:-1], np.nan if is_of(last, "xgboost") else 0.0), last


def moved(prepared: Floats) -> tuple[int, ...]:
    """Return the columns of prepared rows that are not constant; missing values are equal to each other."""
    if not len(prepared):
        return ()
    same = (prepared == prepared[0]) | (np.isnan(prepared) & np.isnan(prepared[0]))
    return tuple(np.flatnonzero(~same.all(axis=0)).tolist())


def is_of(model: Any, library: str) -> bool:
    """Whether a model's class, or one that it inherits from, is a library's."""
    return any(ancestor.__module__.partition(".")[0] == library for ancestor in type(model).__mro__)


def is_sklearn(model: Any, name: str) -> bool:
    """Whether an object is of a class of scikit-learn, not of one that is derived from it."""
    return type(model).__name__ == name and type(model).__module__.partition(".")[0] == "sklearn"


def _fill(sparse: Any, absent: float) -> Floats:
    """Return a sparse matrix in coordinates as a full one; a zero that it holds is a zero."""
    full = np.full(sparse.shape, absent)
    full[sparse.row, sparse.col] = sparse.data
    return full


def _parts(step: Any) -> Iterator[Any]:
    """Yield the steps that a step is made of."""
    children = []
    if is_sklearn(step, "Pipeline"):
        children = [child for _, child in step.steps]
    elif is_sklearn(step, "ColumnTransformer"):
        children = [child for _, child, _ in attribute(step, "transformers_")]
    elif is_sklearn(step, "FeatureUnion"):
        children = [child for _, child in step.transformer_list]
    else:
        yield step
    for child in children:
        yield from _parts(child)


def _is_by_column(step: Any) -> bool:
    """Whether each column that a step returns depends on one column only."""
    if step is None or isinstance(step, str):  # "passthrough", "drop"
        return True
    if is_sklearn(step, "FunctionTransformer"):
        return step.func is None or (isinstance(step.func, np.ufunc) and step.func.nin == 1)
    return any(is_sklearn(step, name) for name in BY_COLUMN)
