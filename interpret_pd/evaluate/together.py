"""Together: several computations that ask the model at the same time, so that their batches share the workers.

A computation (an effect, say) is plain code that asks the model somewhere in its middle. Several of them run in turns,
one at a time, each up to the place where it asks; then the batches of all are handed to the workers at once, and each
goes on with its answers. With a single worker they simply run one after the other.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from interpret_pd.evaluate.calling import Work, perform, workers
from interpret_pd.evaluate.progress import Progress
from interpret_pd.predictor import Predictor

LEAVE = 1.0  # seconds that an interrupt waits for the threads to end
_TURN: contextvars.ContextVar[_Member | None] = contextvars.ContextVar("turn", default=None)


class Outcome(NamedTuple):
    """What came of a computation: its result, or the error that ended it."""

    result: Any
    error: Exception | None = None


def ask(*works: Work) -> None:
    """Asks the model all that the works need; in a computation among others, together with what the others need."""
    member = _TURN.get()
    if member is None:
        perform(works)
    else:
        member.wait(works)


def together(predictor: Predictor, computations: Sequence[Callable[[], Any]]) -> Iterator[Outcome]:
    """The outcome of each computation, in order; an error in one ends no other.

    Parameters
    ----------
    predictor : Predictor
        Whose model they ask, and whose workers share it.
    computations : sequence of functions without arguments

    Yields
    ------
    Outcome
    """
    if workers(predictor) == 1 or len(computations) == 1:
        told = False if callable(predictor.progress) else predictor.progress  # the user's function hears of predictions
        with Progress(told, len(computations), "features") as progress:
            for computation in computations:
                yield _outcome(computation)
                progress.add(1)
        return
    members = [_Member(computation) for computation in computations]
    going = members
    try:
        while going:
            for member in going:
                member.proceed()
            going = [member for member in going if member.asked]
            if going:
                perform([work for member in going for work in member.asked])
    finally:  # an interrupt, or an error of the workers themselves: nobody waits for ever
        _end(going)
    yield from (member.outcome for member in members)


def _end(members: Sequence[_Member]) -> None:
    """Ends the members where they wait, and one that is at work where it would next ask."""
    for member in members:
        member.give_up()
    deadline = time.monotonic() + LEAVE
    for member in members:
        if member.thread.is_alive():
            member.thread.join(max(deadline - time.monotonic(), 0.0))


def _outcome(computation: Callable[[], Any]) -> Outcome:
    """The result of a computation, or its error."""
    try:
        return Outcome(computation())
    except Exception as error:
        return Outcome(None, error)


class _GivenUp(BaseException):
    """Ends a computation whose answers will not come."""


class _Member:
    """A computation in a thread that runs only in its turn."""

    def __init__(self, computation: Callable[[], Any]) -> None:
        self.computation, self.outcome = computation, Outcome(None)
        self.asked: Sequence[Work] = ()
        self.turn, self.back = threading.Semaphore(0), threading.Semaphore(0)
        self.given_up = False
        self.fatal: BaseException | None = None
        context = contextvars.copy_context()
        self.thread = threading.Thread(target=context.run, args=(self._run,), daemon=True)

    def proceed(self) -> None:
        """Gives it the turn, until it asks or ends."""
        self.asked = ()
        if self.thread.ident is None:
            self.thread.start()
        self.turn.release()
        self.back.acquire()
        if self.fatal is not None:
            raise self.fatal

    def give_up(self) -> None:
        """Ends it where it waits."""
        self.given_up = True
        self.turn.release()

    def wait(self, works: Sequence[Work]) -> None:
        """In its own thread: hands the turn back until the works are done."""
        self.asked = works
        self.back.release()
        self.turn.acquire()
        if self.given_up:
            raise _GivenUp

    def _run(self) -> None:
        """The thread: the computation, from its first turn to its end."""
        _TURN.set(self)
        self.turn.acquire()
        try:
            if not self.given_up:
                self.outcome = _outcome(self.computation)
        except _GivenUp:
            pass
        except BaseException as error:  # an interrupt, or an exit: it is the caller's, not this thread's
            self.fatal = error
        finally:
            self.back.release()
