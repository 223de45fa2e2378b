"""The process pool that computes reviews, beside the event loop of the worker."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Final

_NICENESS: Final = 10

_pool: ProcessPoolExecutor | None = None
_reviewer_pool: ProcessPoolExecutor | None = None


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
    """Return the pool with the one process that asks reviewers. It is apart from the other pool,
    so that a slow reviewer does not delay reviews."""
    global _reviewer_pool
    if _reviewer_pool is None:
        context = multiprocessing.get_context("spawn")
        _reviewer_pool = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare)
    return _reviewer_pool


def drop_reviewer_pool() -> None:
    """Shut that pool down, and end its process with the reviewer that it asks."""
    global _reviewer_pool
    if _reviewer_pool is not None:
        for process in list((_reviewer_pool._processes or {}).values()):
            process.terminate()
        _reviewer_pool.shutdown(wait=False, cancel_futures=True)
        _reviewer_pool = None


def _prepare() -> None:
    """Run with low priority, and end with the process that made the pool, however it ends."""
    os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
