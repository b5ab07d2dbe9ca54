"""A restraint: the threads that a model may use for itself while several threads ask it.

Eight workers that each start eight threads are slower than eight. Processes restrain themselves (joblib does it); for
threads it is done here: BLAS for the whole process, OpenMP and joblib in each worker, a share of the cores each.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any


class Ceiling:
    """The number of threads of BLAS, which is the process's, while several computations may want it low at once.

    The lowest wish holds. What was before comes back when the last of them is done, whatever their order.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.wishes: list[int] = []
        self.before: list[tuple[int, Any]] = []  # how many libraries, and what knows their numbers before the change

    @contextmanager
    def at(self, threads: int, blas: Any) -> Iterator[None]:
        """While this lasts, so many threads at most."""
        wished = False
        try:
            with self.lock:
                self.wishes.append(threads)
                wished = True
                _in_a_thread(self._lower, blas)
            yield
        finally:
            with self.lock:
                if wished:
                    self.wishes.remove(threads)
                _in_a_thread(self._raise)

    def _lower(self, blas: Any) -> None:
        """Sets the lowest wish, and remembers what was before where nobody does."""
        limit, count = blas.limit(limits=min(self.wishes)), len(blas.lib_controllers)
        if count > max((known for known, _ in self.before), default=0):
            self.before.append((count, limit))

    def _raise(self) -> None:
        """Sets what was before the first wish, if there is none any more."""
        while self.before and not self.wishes:
            self.before.pop()[1].restore_original_limits()


def _in_a_thread(function: Callable[..., None], *arguments: Any) -> None:
    """Calls a function in a thread of its own: threadpoolctl lets no other thread change what a living one has set."""
    thread = threading.Thread(target=function, args=arguments)
    thread.start()
    thread.join()


CEILING = Ceiling()
if hasattr(os, "register_at_fork"):
    # the threads that wish are not in the child, and nobody there would open a lock that one of them had closed
    os.register_at_fork(after_in_child=CEILING.__init__)  # type: ignore[misc]


class Restraint:
    """The cores divided among the workers."""

    def __init__(self, jobs: int) -> None:
        from joblib import cpu_count
        from threadpoolctl import ThreadpoolController

        self.threads = max(1, cpu_count() // jobs)
        controller = ThreadpoolController()  # looking for the libraries takes a millisecond: once, not in every call
        self.blas, self.openmp = controller.select(user_api="blas"), controller.select(user_api="openmp")

    def whole(self) -> AbstractContextManager[Any]:
        """While the workers are at work: BLAS, whose number of threads is the process's."""
        return CEILING.at(self.threads, self.blas)

    @contextmanager
    def each(self) -> Iterator[None]:
        """In a worker's thread: OpenMP, whose number is the thread's own, and joblib, which models call themselves."""
        from joblib import parallel_config

        alone = parallel_config(backend="sequential") if self.threads == 1 else nullcontext()
        with self.openmp.limit(limits=self.threads), alone:
            yield
