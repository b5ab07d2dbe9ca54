"""A pace: how many rows a call of the model should have.

A remote model wants one call; a neural network wants thousands of rows, no more; most are in between. The pace starts
near 32,000 rows and watches the calls: seconds per row are kept for sizes of a ladder, and the next call climbs or
descends while that pays. Whatever pays, a call keeps to a budget of bytes. Only speed depends on it, never a number.
"""

from __future__ import annotations

import math

from interpret_pd import checks

LADDER = tuple(2**k for k in (13, 15, 17, 19, 21))  # rows per call
START = 1  # the rung near 32,000
BYTES = 2**27  # the most that one call may take: its rows, the model's copy of them, and its answers
COPIES, ANSWERS = 2, 4  # of a row: ours and the model's own; of an answer: the model's, ours, and two in the sums
BETTER = 0.95  # a rung must be 5 % cheaper to be preferred to the start


class Pace:
    """The number of rows per call, learned from the calls."""

    def __init__(self, batch_rows: int | str, row_bytes: float) -> None:
        self.cap: int | None = None
        if not isinstance(batch_rows, str) or batch_rows != "auto":
            if checks.index(batch_rows) is None:
                raise checks.must_be("batch_rows", "'auto' or a whole number of at least 1", batch_rows)
            self.cap = checks.whole_number("batch_rows", batch_rows, 1)
        self.row_bytes, self.columns = max(row_bytes, 1.0), 1
        self.seconds: dict[int, float] = {}  # rung -> least seconds per row
        self.calls: dict[int, int] = {}  # rung -> how often it was measured

    @property
    def most(self) -> int:
        """The most rows of a call that keep to the budget."""
        return max(1, int(BYTES / (COPIES * self.row_bytes + ANSWERS * 8 * self.columns)))

    def rows(self, left: int) -> int:
        """The size of the next call when `left` rows are still to be predicted."""
        if self.cap is not None:
            return min(self.cap, left)
        size = min(LADDER[self._rung(left)], self.most)
        return left if left <= min(2 * size, self.most) else size  # no small remainder

    def record(self, rows: int, seconds: float, columns: int = 1) -> None:
        """A call of that many rows took that long, and so many columns came back."""
        self.columns = columns
        rung = self._nearest(rows)
        if 2 * rows < LADDER[rung]:  # too small to tell
            return
        if self.seconds:  # the very first call is cold: it doesn't count as a measurement
            self.calls = {**self.calls, rung: self.calls.get(rung, 0) + 1}
        # in a new dictionary, since another thread may be going through this one
        self.seconds = {**self.seconds, rung: min(self.seconds.get(rung, math.inf), seconds / rows)}

    def _rung(self, left: int) -> int:
        """The cheapest rung so far, or an untried neighbour of it: up first, then down."""
        if not self.seconds:
            return START
        top = max(self._nearest(min(left, self.most)), 0)
        best = min(self.seconds, key=lambda rung: self.seconds[rung] * (BETTER if rung == START else 1.0))
        for neighbour in (best + 1, best - 1):
            if 0 <= neighbour <= top and not self._known(neighbour, best):
                return neighbour
        return min(best, len(LADDER) - 1)

    def _known(self, rung: int, best: int) -> bool:
        """Whether a rung was measured: three times, for a call may be disturbed; twice, if it is clearly worse."""
        clear = self.seconds.get(rung, 0.0) > 2 * self.seconds[best]
        return self.calls.get(rung, 0) >= (2 if clear else 3)

    @staticmethod
    def _nearest(rows: int) -> int:
        """The rung nearest to a size, by ratio."""
        steps = round(math.log2(max(rows, 1) / LADDER[0]) / 2)
        return min(max(steps, 0), len(LADDER) - 1)

    def __repr__(self) -> str:
        return f"Pace(cap={self.cap})"
