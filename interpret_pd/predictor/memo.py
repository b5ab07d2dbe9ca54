"""A memo: what was learned once about a predictor and its data. Copies share it; a pickle carries what is small."""

from __future__ import annotations

from typing import Any

KEPT = ("features", "selection", "refusal")  # the rest is large, and found again


class Memo(dict[Any, Any]):
    """A dictionary of what was learned: features, outputs, trees, distances; never a result.

    Two threads that miss the same key both compute it and find the same: the last one's stays.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {key: self[key] for key in KEPT if key in self}
        # another thread may learn of a feature while they are written
        return Memo, ({key: dict(value) if isinstance(value, dict) else value for key, value in kept.items()},)
