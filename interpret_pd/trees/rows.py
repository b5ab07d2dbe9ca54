"""Background rows as the walks take them: in blocks, their values as codes, several blocks at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from interpret_pd.trees.columns import Codes, Column, Dialect, Floats, single
from interpret_pd.trees.refusal import NotExact

if TYPE_CHECKING:
    from interpret_pd.trees.kernels import Block

BLOCK_ROWS = 8192  # rows that pass over the trees together: a column of their codes has 32 KB

Task = TypeVar("Task")
Result = TypeVar("Result")


def make_block(codes: Codes, weights: Floats) -> Block:
    """Return the rows with the given codes (p, n) and weights (n,), or (1,) for the same weight everywhere."""
    from interpret_pd.trees.kernels import Block

    return Block(codes, weights, np.arange(codes.shape[1], dtype=np.int32))


def encode_rows(
    X: Floats, columns: Sequence[Column], dialect: Dialect, name: str, pinned: Collection[int] = ()
) -> Codes:
    """Return the (p, n) codes of rows; the pinned columns' are not looked at."""
    codes = np.zeros(X.shape[::-1], np.int32)
    for j, column in enumerate(columns):
        if j not in pinned:
            admit(X[:, j], dialect, name)
            if column.used:
                codes[j] = column.encode(X[:, j], dialect)
    return codes


def admit(values: Floats, dialect: Dialect, name: str) -> None:
    """Refuse values that the library itself refuses, so that it is the library that speaks."""
    if not dialect.missing and np.isnan(values).any():
        raise NotExact(f"{name} does not accept missing values")
    if not dialect.infinite and np.isinf(single(values) if dialect.single else values).any():
        raise NotExact(f"{name} does not accept infinite values")


def slices(n: int, size: int) -> list[slice]:
    """Return range(n) cut in pieces of a size."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def run(function: Callable[[Task], Result], tasks: Sequence[Task], n_jobs: int) -> Iterator[Result]:
    """Yield the function's results in the order of the tasks, from as many threads as there are jobs."""
    threads = min(count_jobs(n_jobs), len(tasks))
    if threads <= 1:
        yield from map(function, tasks)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(function, tasks)


def count_jobs(n_jobs: int) -> int:
    """Return the number of threads; -1 is one per processor, -2 one less."""
    return max(1, (os.cpu_count() or 1) + 1 + n_jobs) if n_jobs < 0 else n_jobs
