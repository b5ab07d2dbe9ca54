"""A restraint: the threads that a model may use for itself while several threads ask it.

Eight workers that each start eight threads are slower than eight. Processes restrain themselves (joblib does it); for
threads it is done here: BLAS for the whole process, OpenMP and joblib in each worker, a share of the cores each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any


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
        return self.blas.limit(limits=self.threads)

    @contextmanager
    def each(self) -> Iterator[None]:
        """In a worker's thread: OpenMP, whose number is the thread's own, and joblib, which models call themselves."""
        from joblib import parallel_config

        alone = parallel_config(backend="sequential") if self.threads == 1 else nullcontext()
        with self.openmp.limit(limits=self.threads), alone:
            yield
