"""The process pool that computes reviews, beside the event loop of the worker."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection, wait
from typing import Final

_NICENESS: Final = 10

_pool: ProcessPoolExecutor | None = None
_engine_pool: ProcessPoolExecutor | None = None
_engine_tie: Connection | None = None
"""While it is open the process of `_engine_pool` runs."""


def pool(processes: int) -> ProcessPoolExecutor:
    """Return the pool of this process."""
    global _pool
    if _pool is None:
        context = multiprocessing.get_context("spawn")
        _pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare)
    return _pool


def drop_pool() -> None:
    """Give up the pool, as after the death of one of its processes. The next call of `pool` makes
    a new one."""
    global _pool
    if _pool is not None:
        _pool.shutdown(wait=False, cancel_futures=True)
        _pool = None


def engine_pool() -> ProcessPoolExecutor:
    """Return the pool with the one process that asks outside engines. It is apart from the other,
    so that a slow engine does not delay reviews."""
    global _engine_pool, _engine_tie
    if _engine_pool is None:
        context = multiprocessing.get_context("spawn")
        end, _engine_tie = context.Pipe(duplex=False)
        _engine_pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=_prepare, initargs=(end,)
        )
    return _engine_pool


def drop_engine_pool() -> None:
    """Give it up, and end its process with the engine that it asks."""
    global _engine_pool, _engine_tie
    if _engine_pool is not None and _engine_tie is not None:
        _engine_tie.close()
        _engine_pool.shutdown(wait=False, cancel_futures=True)
        _engine_pool = _engine_tie = None


def _prepare(*ends: Connection) -> None:
    """Run with low priority, and end with the process that made the pool, however it ends, or when
    it closes the other end of one of these pipes."""
    os.nice(_NICENESS)
    threading.Thread(target=_end_with_any, args=[ends], daemon=True).start()


def _end_with_any(ends: Sequence[Connection]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel, *ends])
        os._exit(1)
