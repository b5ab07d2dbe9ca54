"""A refusal: why a model is not walked as a sum of trees.

The readers state it in one clause that names the model. Whoever asked for an automatic choice of engine then predicts
by brute force; whoever asked for the trees is told the clause.
"""

from __future__ import annotations

from typing import Any


class NotExact(Exception):  # noqa: N818  (an answer, not an error)
    """The model cannot be walked exactly; the message is the reason, as one clause.

    Examples
    --------
    >>> raise NotExact("the model is a KNeighborsRegressor, not a sum of trees")
    Traceback (most recent call last):
        ...
    interpret_pd.trees.refusal.NotExact: the model is a KNeighborsRegressor, not a sum of trees
    """


def attribute(owner: Any, name: str) -> Any:
    """Return `owner.name`; a library that has no such attribute is one that the readers do not know."""
    try:
        return getattr(owner, name)
    except AttributeError:
        reason = f"{type(owner).__name__} has no attribute {name!r}: it is not fitted, or its version is unknown"
        raise NotExact(reason) from None
