"""Sending: how model and data come to the workers: once for each, whatever the batches and calls.

joblib pickles the arguments of every batch. So a batch carries a reference only, a *parcel*: a worker that has not seen
it before fetches the source, from a file of this machine or the memory of the cluster, and keeps it.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import sys
import tempfile
import threading
import uuid
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from interpret_pd.predictor.source import Source

OPEN = 2  # sources that a worker keeps open: of a comparison of two models both
BYTES = 2**27  # of the open ones; beyond that the oldest is closed before another is opened
ALIGNED = 64  # places of arrays in a file are multiples of it

_SENT: weakref.WeakKeyDictionary[Source, dict[Any, Any]] = weakref.WeakKeyDictionary()  # by where it was sent
_HERE: weakref.WeakValueDictionary[str, Source] = weakref.WeakValueDictionary()  # where they were sent from, by key
_OPENED: dict[str, Source] = {}  # in a worker, by key; the last used last
_OPENING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Parcel:
    """What stands for a source in the arguments of a batch.

    Attributes
    ----------
    key : str
        The same for the same source.
    fetch : callable
        Reads the source, where the worker is.
    """

    key: str
    fetch: Callable[[], Source]

    def open(self) -> Source:
        """The source, fetched if this worker doesn't have it."""
        with _OPENING:
            source = _HERE.get(self.key)
            if source is None:
                source = _OPENED.pop(self.key, None)
                while len(_OPENED) >= OPEN or (_OPENED and sum(map(sys.getsizeof, _OPENED.values())) > BYTES):
                    del _OPENED[next(iter(_OPENED))]
                source = self.fetch() if source is None else source
                _OPENED[self.key] = source
        return source


def sent(source: Source, backend: Any) -> Source | Parcel:
    """What the batches of a joblib backend carry: a parcel; in threads, and where nothing is known, the source."""
    from joblib.parallel import BACKENDS

    if type(backend).__name__ == "DaskDistributedBackend":
        return scattered(source, backend.client)
    if type(backend).__name__ == "RayBackend":
        return _stored(source)
    if isinstance(backend, BACKENDS["loky"] | BACKENDS["multiprocessing"]):
        return _known(source, "file", lambda: partial(_read, _written(source)))
    return source


def opened(source: Source | Parcel) -> Source:
    """The source, in a worker."""
    return source.open() if isinstance(source, Parcel) else source


def is_cluster(backend: Any) -> bool:
    """Whether a joblib backend has workers of its own, whose number nobody needs to say; Ray is started if it isn't."""
    name = type(backend).__name__
    if name == "RayBackend" and not sys.modules["ray"].is_initialized():
        sys.modules["ray"].init()
    return name in ("DaskDistributedBackend", "RayBackend")


def scattered(source: Source, client: Any) -> Parcel:
    """The source in the memory of a dask cluster, as long as it lives here.

    Batches do not depend on it in the scheduler's eyes: it would drop the copies that no batch is waiting for, and
    send them again.
    """
    sent_before = _SENT.setdefault(source, {})
    future = sent_before.get((client.id, "future"))
    if future is None or future.status != "finished":  # its worker is gone
        sent_before.pop(client.id, None)
        future = sent_before[client.id, "future"] = client.scatter(source, hash=False)
    return _known(source, client.id, lambda: partial(_gathered, future.key))


def _gathered(key: str) -> Source:
    """The source from the memory of the cluster, in a worker."""
    from distributed import Future, get_client

    client = get_client()
    # the scheduler's word for its state; without one the future would wait for news that don't come
    there = cast(Any, "memory")
    return client.gather(Future(key, client, state=there))


def _stored(source: Source) -> Parcel:
    """The source in Ray's object store, as bytes: arrays in the store itself couldn't be written to."""
    ray = sys.modules["ray"]  # whose backend it is
    return _known(source, ray.get_runtime_context().get_worker_id(), lambda: partial(_loaded, ray.put(_dumped(source))))


def _known(source: Source, place: Any, send: Callable[[], Callable[[], Source]]) -> Parcel:
    """The parcel of a source at a place, sent there if it is not."""
    parcels = _SENT.setdefault(source, {})
    if place not in parcels:
        parcels[place] = Parcel(uuid.uuid4().hex, send())
        _HERE[parcels[place].key] = source
    return parcels[place]


def _loaded(reference: Any) -> Source:
    """The source from Ray's object store."""
    import ray

    return pickle.loads(ray.get(reference))  # noqa: S301  (written by `_stored`)


def _dumped(source: Source, take: Callable[[pickle.PickleBuffer], Any] | None = None) -> bytes:
    """The source as bytes, functions of the main program and lambdas too; `take` gets its arrays, if it is given."""
    try:
        from cloudpickle import dumps
    except ImportError:  # joblib < 1.6 brings it along
        from joblib.externals.cloudpickle import dumps

    return dumps(source, protocol=5, buffer_callback=take)


def _written(source: Source) -> Path:
    """A file with the source, for processes of this machine; it goes when the source does."""
    arrays: list[pickle.PickleBuffer] = []
    parts = [memoryview(_dumped(source, arrays.append)), *(array.raw() for array in arrays)]
    number, name = tempfile.mkstemp(prefix="interpret_pd_", dir=os.environ.get("JOBLIB_TEMP_FOLDER"))
    path = Path(name)
    weakref.finalize(source, _removed, path)
    with os.fdopen(number, "wb") as file:
        pickle.dump([part.nbytes for part in parts], file)
        for part in parts:
            file.write(bytes(-file.tell() % ALIGNED))
            file.write(part)
    return path


def _removed(path: Path) -> None:
    """Deletes a file, if the system lets it go."""
    with contextlib.suppress(OSError):
        path.unlink()


def _read(path: Path) -> Source:
    """The source from its file; the processes share the pages of its arrays until they write to them."""
    with path.open("rb") as file:
        sizes, start = pickle.load(file), file.tell()  # noqa: S301  (written by `_written`)
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    sum(whole[:: mmap.PAGESIZE])  # all of it now: a worker that grows with the batches is taken for one that leaks
    parts = []
    for size in sizes:
        start += -start % ALIGNED
        parts.append(whole[start : start + size])
        start += size
    return pickle.loads(parts[0], buffers=parts[1:])  # noqa: S301
