"""A pass: large data frame by frame, each small enough for memory, here one after the other or where dask has them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

from interpret_pd import checks

CHUNK = 2**16  # rows of a frame, where the library leaves the choice


def frames(X: Any, column: Hashable = None) -> Iterator[Any]:
    """The frames of a polars LazyFrame or of parquet data; data in memory are one. With a column, of that alone."""
    if isinstance(X, str | Path):
        yield from _of_parquet(X, column)
    elif hasattr(X, "collect_batches"):
        chosen = X if column is None else X.select(column)
        yield from chosen.collect_batches(chunk_size=CHUNK, maintain_order=True)
    elif hasattr(X, "collect"):
        import polars as pl

        raise checks.must_be("polars", "version 1.34 or later for a sample of a LazyFrame", pl.__version__)
    else:
        yield X


def _of_parquet(path: str | Path, column: Hashable) -> Iterator[Any]:
    """The record batches of a file or folder, as tables; one row group is in memory."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    try:
        whole = ds.dataset(path, format="parquet")
    except ValueError as error:  # of pyarrow; what the system says of a file is clear as it is
        raise checks.must_be("the data", "parquet data that can be read", str(path), f"It says: {error}") from error
    little = ds.ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True)
    options = {"batch_size": CHUNK, "batch_readahead": 1, "fragment_scan_options": little}
    columns = None if column is None else [column]
    for file in whole.get_fragments():
        for group in file.split_by_row_group():  # a scan of the whole would read nearly all of it ahead
            for batch in group.to_batches(whole.schema, columns=columns, **options):
                yield pa.Table.from_batches([batch])


def over(X: Any, column: Hashable, of: Callable[[Any], Any], add: Callable[[Any, Any], Any]) -> Any:
    """What a function makes of a column's frames, added up."""
    if not hasattr(X, "to_delayed"):
        return reduce(add, map(of, frames(X, column)))
    from dask import delayed

    made, added = delayed(of, pure=False), delayed(add, pure=False)
    return summed([made(frame) for frame in X[[column]].to_delayed()], added).compute()


def summed(parts: list[Any], add: Callable[[Any, Any], Any]) -> Any:
    """Parts added up two by two, so that no machine holds many."""
    while len(parts) > 1:
        parts = [add(*parts[i : i + 2]) if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]
