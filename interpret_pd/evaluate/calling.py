"""A call: one question to the model, wherever it is answered: here, in a thread, in a process or on a cluster.

A *work* is a sweep of rows over points with what is made of the predictions. The batches of several works are shared
out at once, so that a worker that is done with one feature helps with the next. Workers and processes are joblib's;
what a worker gets are arguments: its own rows and points, and model and data by `sending`.
"""

from __future__ import annotations

import contextlib
import sys
import time
import traceback
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interpret_pd import checks
from interpret_pd.evaluate.progress import Progress
from interpret_pd.evaluate.restraint import Restraint
from interpret_pd.evaluate.sending import Parcel, is_cluster, opened, sent
from interpret_pd.evaluate.sinks import Sink, Task
from interpret_pd.frames import Table
from interpret_pd.frames.base import Column, Rows
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.response import Selection
from interpret_pd.predictor.source import Source

Points = Mapping[object, Column]  # the columns to overwrite, m values each
Values = NDArray[np.float64]

LEAST = 1024  # predictions that are worth a call of their own, if there are workers without work
WAVE = 4  # calls per worker at once, where joblib returns their answers all together
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

    def part(self, table: Table, task: Task) -> Sweep:
        """The rows and points of one call, which is all that it needs to travel with."""
        span, columns = task.rows if self.own else task.points, self.points
        if self.own or (span.start, span.stop) != (0, self.m):
            columns = {name: table.pick(column, np.arange(span.start, span.stop)) for name, column in columns.items()}
        return Sweep(self.rows[task.rows], columns, self.own)

    def build(self, table: Table) -> Any:
        """Every row at every point, for the model."""
        return table.replace(self.rows, self.points) if self.own else table.stack(self.rows, self.points)

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
        if answer.error is not None:
            place = self.sweep.place(self.predictor.table, answer.task)
            self.error = self.error or _located(answer.error, place, answer.trace)
        if answer.matrix is None or answer.selection is None:
            return
        selection = self.predictor.cache.setdefault("selection", answer.selection)
        self.predictor.pace.record(len(answer.matrix), answer.seconds, answer.matrix.shape[1])
        matrix, rows = selection.of(answer.matrix), answer.task.rows
        self.take(answer.task, matrix.reshape(rows.stop - rows.start, -1, matrix.shape[1]))  # (r g, K) -> (r, g, K)

    def take(self, task: Task, block: Values) -> None:
        """Hands a block of predictions, (r, g, K), to the sinks."""
        finite = np.isfinite(block)
        if not finite.all():
            self.non_finite += finite.size - int(np.count_nonzero(finite))
            return  # `results` raises; sums would be NaN, and numpy would warn of it
        values = block if self.base is None else block - self.base[task.rows]
        for sink in self.sinks:
            sink.add(task, values, self.sweep.m)

    def results(self) -> list[Any]:
        """What each sink made of it; raises if a call failed or a prediction was NaN or infinite."""
        if self.error is not None:
            raise self.error
        if self.non_finite:
            error = checks.refused(
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
    """The number of workers: `n_jobs`, else what `joblib.parallel_config` says, else a cluster's own or 1."""
    if predictor.n_jobs == 1 or (predictor.n_jobs is None and "joblib" not in sys.modules):
        return 1  # nobody has configured what isn't loaded
    from joblib.parallel import get_active_backend

    backend, configured = get_active_backend(prefer="threads")
    asked = configured if predictor.n_jobs is None else predictor.n_jobs
    asked = -1 if is_cluster(backend) and asked is None else asked
    return 1 if asked == 1 else max(1, backend.effective_n_jobs(asked))


def _answers(works: Sequence[Work]) -> Generator[Answer]:
    """The answer of every call of every work; with several workers too they come in order."""
    jobs = workers(works[0].predictor)
    calls = ((number, task, works[number]) for number, task in _shared(works, jobs))
    if jobs == 1:
        for number, task, work in calls:
            source = work.predictor.source
            yield call(source, work.sweep.part(source.table, task), task, number)
        return
    from joblib import delayed
    from joblib.parallel import get_active_backend

    backend = get_active_backend(prefer="threads")[0]
    shared = getattr(backend, "supports_sharedmem", False)
    restraint = Restraint(jobs) if shared else None
    sources = [sent(work.predictor.source, backend) for work in works]
    asked = (
        delayed(call)(sources[number], work.sweep.part(work.predictor.table, task), task, number, restraint)
        for number, task, work in calls
    )
    with contextlib.nullcontext() if restraint is None else restraint.whole():
        yield from _in_parallel(jobs, backend, asked)


def _in_parallel(jobs: int, backend: Any, asked: Iterable[Any]) -> Iterator[Answer]:
    """The answers from joblib's workers, few of them held at once."""
    from joblib import Parallel

    if getattr(backend, "supports_return_generator", False):
        yield from Parallel(jobs, prefer="threads", return_as="generator")(asked)
        return
    with Parallel(jobs, prefer="threads") as parallel:  # the same workers for all waves
        while wave := list(islice(asked, WAVE * jobs)):
            yield from parallel(wave)


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


def call(source: Source | Parcel, part: Sweep, task: Task, number: int, restraint: Restraint | None = None) -> Answer:
    """Asks the model once; an error is an answer too, so that it ends no other work."""
    try:
        source = opened(source)
        stacked = part.build(source.table)
        begin = time.perf_counter()
        with contextlib.nullcontext() if restraint is None else restraint.each():
            matrix, selection = source.answer(stacked)
        return Answer(number, task, matrix, selection, time.perf_counter() - begin)
    except Exception as error:
        return Answer(number, task, error=error, trace=traceback.format_exc())


def _located(error: Exception, place: str, trace: str) -> Exception:
    """The error of a failed call, which says where it was; one from another process has left its traceback there."""
    error.add_note(place)
    if error.__traceback__ is None:
        error.add_note(f"In the worker:\n{trace}")
    return error
