"""Progress: how many of the predictions are done, on work that takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

PATIENCE = 2.0  # seconds before anything is shown


class Progress:
    """A line on the terminal, or the user's own function, told after every call of the model."""

    def __init__(self, wanted: bool | str | Callable[[int, int], None], total: int) -> None:
        self.total, self.done, self.start = total, 0, time.perf_counter()
        self.tell = wanted if callable(wanted) else None
        self.line = wanted is True or (wanted == "auto" and sys.stderr.isatty())
        self.shown = False

    def add(self, predictions: int) -> None:
        """So many more predictions are done."""
        self.done += predictions
        if self.tell is not None:
            self.tell(self.done, self.total)
        elif self.line and time.perf_counter() - self.start > PATIENCE:
            self._write()

    def _write(self) -> None:
        """Rewrites the line; the last one ends it."""
        passed = time.perf_counter() - self.start
        left = passed * (self.total - self.done) / max(self.done, 1)
        end = "\n" if self.done >= self.total else ""
        sys.stderr.write(f"\r{self.done:,} of {self.total:,} predictions, {left:.0f} s left {end}")
        sys.stderr.flush()
