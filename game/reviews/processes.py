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


def _prepare() -> None:
    """Run with low priority, and end with the process that made the pool, however it ends."""
    os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
