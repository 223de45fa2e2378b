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
_reviewer_pool: ProcessPoolExecutor | None = None
_reviewer_tie: Connection | None = None
"""The process of `_reviewer_pool` ends when this end of its pipe is closed."""


def pool(processes: int) -> ProcessPoolExecutor:
    """Return the pool in which this worker computes reviews."""
    global _pool
    if _pool is None:
        context = multiprocessing.get_context("spawn")
        _pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare)
    return _pool


def drop_pool() -> None:
    """Shut the pool down, for example after one of its processes has died. The next call of `pool`
    makes a new one."""
    global _pool
    if _pool is not None:
        _pool.shutdown(wait=False, cancel_futures=True)
        _pool = None


def reviewer_pool() -> ProcessPoolExecutor:
    """Return the pool with the one process that asks reviewers. This pool is apart from the other
    one, so that a slow reviewer does not delay reviews."""
    global _reviewer_pool, _reviewer_tie
    if _reviewer_pool is None:
        context = multiprocessing.get_context("spawn")
        tie, _reviewer_tie = context.Pipe(duplex=False)
        _reviewer_pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=_prepare, initargs=(tie,)
        )
    return _reviewer_pool


def drop_reviewer_pool() -> None:
    """Shut the pool of `reviewer_pool` down, and end its process with the reviewer that it asks."""
    global _reviewer_pool, _reviewer_tie
    if _reviewer_pool is not None and _reviewer_tie is not None:
        _reviewer_tie.close()
        _reviewer_pool.shutdown(wait=False, cancel_futures=True)
        _reviewer_pool = _reviewer_tie = None


def _prepare(*ties: Connection) -> None:
    """Run with low priority. End with the process that made the pool, however it ends, or when that
    process closes the other end of one of these pipes."""
    os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, args=[ties], daemon=True).start()


def _end_with_parent(ties: Sequence[Connection]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel, *ties])
        os._exit(1)
