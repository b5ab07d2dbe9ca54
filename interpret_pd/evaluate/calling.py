"""A call: one question to the model, wherever it is answered: here, in a thread, in a process or on a cluster.

A *work* is a sweep of rows over points with what is made of the predictions. The batches of several works are shared
out at once, so that a worker that is done with one feature helps with the next. Workers and processes are joblib's;
what a worker gets are arguments, so that joblib can send model and data once.
"""

from __future__ import annotations

import contextlib
import sys
import time
import traceback
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate.progress import Progress
from interpret_pd.evaluate.restraint import Restraint
from interpret_pd.evaluate.sinks import Sink, Task
from interpret_pd.frames import Table
from interpret_pd.frames.base import Column, Rows
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.response import Selection
from interpret_pd.predictor.source import Source

Points = Mapping[object, Column]  # the columns to overwrite, m values each
Values = NDArray[np.float64]

LEAST = 1024  # predictions that are worth a call of their own, if there are workers without work
ASKING = "While the model was asked"  # how the note of a failed call begins


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Sweep:
    """What is asked.

    Attributes
    ----------
    rows : int array of shape (r,)
        Positions of background rows.
    points : mapping from names to native columns
        What takes the place of the rows' own values: m points, each in every row; or r values, one for each row.
    own : bool
        Whether each row takes its own value.
    """

    rows: Rows
    points: Points
    own: bool = False

    @property
    def m(self) -> int:
        """The points per row."""
        return 1 if self.own else len(next(iter(self.points.values())))

    def build(self, table: Table, task: Task) -> Any:
        """The rows of one call."""
        rows, span = self.rows[task.rows], task.rows if self.own else task.points
        columns = self.points
        if self.own or (span.start, span.stop) != (0, self.m):
            columns = {name: table.pick(column, np.arange(span.start, span.stop)) for name, column in columns.items()}
        return table.replace(rows, columns) if self.own else table.stack(rows, columns)

    def place(self, table: Table, task: Task) -> str:
        """Where a call is, in words: the feature, its points, the rows."""
        names = checks.listed(self.points)
        rows = f"background rows {task.rows.start} to {task.rows.stop - 1} of {len(self.rows)}"
        if self.own:
            return f"{ASKING} for local effects of {names}: {rows}."
        ends = [
            table.series(table.pick(column, np.array([task.points.start, task.points.stop - 1]))).tolist()
            for column in self.points.values()
        ]
        first, last = (", ".join(map(checks.shown, end)) for end in zip(*ends, strict=True))
        span = f"grid points {task.points.start} to {task.points.stop - 1} of {self.m} ({first} to {last})"
        return f"{ASKING} for {names}: {span}, {rows}."

    def __sizeof__(self) -> int:
        """The bytes of the rows' positions and the points, about."""
        return self.rows.nbytes + 64 * self.m * len(self.points)


class Answer(NamedTuple):
    """What came of one call: the model's columns for its rows, (r * g, k), and the seconds they took; or an error."""

    number: int  # of the work
    task: Task
    matrix: Values | None = None
    selection: Selection | None = None
    seconds: float = 0.0
    error: Exception | None = None
    trace: str = ""


class Work:
    """A sweep, the view of the predictor that it is for, and the sinks that take what the model says.

    `base`, (r, 1, K), is subtracted from every block before the sinks see it.
    """

    def __init__(self, predictor: Predictor, sweep: Sweep, sinks: Sequence[Sink], base: Values | None = None) -> None:
        self.predictor, self.sweep, self.sinks, self.base = predictor, sweep, sinks, base
        self.size = len(sweep.rows) * sweep.m
        self.non_finite = 0
        self.error: Exception | None = None

    def hear(self, answer: Answer) -> None:
        """Takes a call's answer: what is learned from it, and its block for the sinks."""
        self.predictor.calls[0] += 1
        if answer.matrix is None or answer.selection is None:
            self.error = self.error or _with_trace(answer)
            return
        selection = self.predictor.cache.setdefault("selection", answer.selection)
        self.predictor.pace.record(len(answer.matrix), answer.seconds, answer.matrix.shape[1])
        matrix, rows = selection.of(answer.matrix), answer.task.rows
        self.take(answer.task, matrix.reshape(rows.stop - rows.start, -1, matrix.shape[1]))  # (r g, K) -> (r, g, K)

    def take(self, task: Task, block: Values) -> None:
        """Hands a block of predictions, (r, g, K), to the sinks."""
        flat = block.ravel()
        if not np.isfinite(flat @ flat):  # one bad prediction spoils the sum: cheaper than a look at each
            self.non_finite += int(np.sum(~np.isfinite(block)))
        values = block if self.base is None else block - self.base[task.rows]
        for sink in self.sinks:
            sink.add(task, values, self.sweep.m)

    def results(self) -> list[Any]:
        """What each sink made of it; raises if a call failed or a prediction was NaN or infinite."""
        if self.error is not None:
            raise self.error
        if self.non_finite:
            error = ValueError(
                f"the model returned {self.non_finite} non-finite predictions for the background data; "
                "the effect would be NaN."
            )
            error.add_note(f"{ASKING} for {checks.listed(self.sweep.points)}.")
            raise error
        return [sink.result() for sink in self.sinks]


def failed_asking(error: Exception) -> bool:
    """Whether an error came from asking the model, and not from what was asked for."""
    return any(note.startswith(ASKING) for note in getattr(error, "__notes__", ()))


def perform(works: Sequence[Work]) -> None:
    """Asks the model all that the works need; a call that fails ends its own work only."""
    first = works[0].predictor
    total = sum(work.size for work in works)
    with Progress(first.progress, total) as progress, contextlib.closing(_answers(works)) as answers:
        for answer in answers:
            work = works[answer.number]
            work.hear(answer)
            progress.add(0 if answer.matrix is None else len(answer.matrix))


def workers(predictor: Predictor) -> int:
    """The number of workers: `n_jobs`, else what `joblib.parallel_config` says, else 1."""
    if predictor.n_jobs == 1 or (predictor.n_jobs is None and "joblib" not in sys.modules):
        return 1  # nobody has configured what isn't loaded
    from joblib.parallel import get_active_backend

    backend, configured = get_active_backend(prefer="threads")
    asked = configured if predictor.n_jobs is None else predictor.n_jobs
    return 1 if asked == 1 else max(1, backend.effective_n_jobs(asked))


def _answers(works: Sequence[Work]) -> Generator[Answer]:
    """The answer of every call of every work; with several workers too they come in order."""
    n_jobs, jobs = works[0].predictor.n_jobs, workers(works[0].predictor)
    calls = _shared(works, jobs)
    asked = ((works[number].predictor.source, works[number].sweep, task, number) for number, task in calls)
    if jobs == 1:
        yield from (call(*arguments) for arguments in asked)
        return
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    parallel = Parallel(n_jobs, prefer="threads", return_as="generator")
    if getattr(get_active_backend(prefer="threads")[0], "supports_sharedmem", False):
        restraint = Restraint(jobs)
        with restraint.whole():
            yield from parallel(delayed(call)(*arguments, restraint) for arguments in asked)
    else:
        yield from parallel(delayed(call)(*arguments) for arguments in asked)


def _shared(works: Sequence[Work], jobs: int) -> Iterator[tuple[int, Task]]:
    """Every call of every work; the last ones are small enough that all workers are done at about the same time."""
    left = sum(work.size for work in works)
    for number, work in enumerate(works):
        yield from ((number, task) for task in _tasks(work, -(-left // jobs)))
        left -= work.size


def _tasks(work: Work, share: int) -> Iterator[Task]:
    """A work cut into calls: whole rows while they fit, else one row at some points; none after a failure."""
    n, m, start = len(work.sweep.rows), work.sweep.m, 0
    while start < n:
        size = min(work.predictor.pace.rows((n - start) * m), max(share, LEAST))
        stop = min(n, start + max(1, size // m))
        for first in range(0, m, max(1, min(size, m))):
            if work.error is not None:
                return
            yield Task(slice(start, stop), slice(first, min(m, first + size)))
        start = stop


def call(source: Source, sweep: Sweep, task: Task, number: int, restraint: Restraint | None = None) -> Answer:
    """Asks the model once; an error is an answer too, so that it ends no other work."""
    try:
        stacked = sweep.build(source.table, task)
        begin = time.perf_counter()
        with contextlib.nullcontext() if restraint is None else restraint.each():
            matrix, selection = source.answer(stacked)
        return Answer(number, task, matrix, selection, time.perf_counter() - begin)
    except Exception as error:
        error.add_note(sweep.place(source.table, task))
        return Answer(number, task, error=error, trace=traceback.format_exc())


def _with_trace(answer: Answer) -> Exception:
    """The error of a failed call; one from another process has left its traceback there, and gets it as a note."""
    assert answer.error is not None  # noqa: S101  (for the type checker: the caller has looked)
    if answer.error.__traceback__ is None:
        answer.error.add_note(f"In the worker:\n{answer.trace}")
    return answer.error
