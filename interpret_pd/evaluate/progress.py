"""Progress: how many of the predictions are done, on work that takes a while.

A bar of tqdm where it is installed (notebook or terminal), a line of our own otherwise, or the user's own function; in
a script that nobody watches, nothing.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

PATIENCE = 2.0  # seconds before anything is shown


class Progress:
    """Told after every call of the model; a context, at whose end the bar goes."""

    def __init__(self, wanted: bool | str | Callable[[int, int], None], total: int, unit: str = "predictions") -> None:
        self.total, self.done, self.start, self.unit = total, 0, time.perf_counter(), unit
        self.tell = wanted if callable(wanted) else None
        self.line = wanted is True or (wanted == "auto" and watched())
        self.bar: Any = None

    def add(self, done: int) -> None:
        """So many more are done."""
        self.done += done
        if self.tell is not None:
            self.tell(self.done, self.total)
        elif self.bar is not None:
            self.bar.update(done)
        elif self.line and time.perf_counter() - self.start > PATIENCE:
            self.bar = _tqdm(self) or _Line(self)
            self.bar.update(self.done)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()


def watched() -> bool:
    """Whether somebody sees what is written: a terminal, or a notebook."""
    if sys.stderr is not None and sys.stderr.isatty():
        return True
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return type(shell).__name__ == "ZMQInteractiveShell"


def _tqdm(progress: Progress) -> Any:
    """A bar of tqdm, which takes the next free line; None where it isn't installed."""
    try:
        if "tqdm.auto" not in sys.modules:  # filters are the process's, and threads would mix them up: only once
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a notebook without ipywidgets gets a bar of text, and that is fine
                import tqdm.auto
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=progress.total, unit=f" {progress.unit}", unit_scale=True, leave=False)
    bar.start_t -= time.perf_counter() - progress.start  # the time left is reckoned from the true start
    return bar


class _Line:
    """A line on the terminal, rewritten."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def update(self, _: int) -> None:
        """Rewrites the line."""
        p = self.progress
        passed = time.perf_counter() - p.start
        left = passed * (p.total - p.done) / max(p.done, 1)
        sys.stderr.write(f"\r{p.done:,} of {p.total:,} {p.unit}, {left:.0f} s left ")
        sys.stderr.flush()

    def close(self) -> None:
        """Ends the line."""
        sys.stderr.write("\n")
