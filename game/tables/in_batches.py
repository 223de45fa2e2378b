"""Runs the same work for many tables, some at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")
BATCH_TABLES: Final = 64


async def in_batches(work: Callable[[_T], Awaitable[_R]], items: Sequence[_T]) -> list[_R]:
    """Await `work` for each item, `BATCH_TABLES` items at a time, and return the results in the
    items' order. Items that run together share batches of Redis commands. Raises the first
    error."""
    found = list[_R]()
    for start in range(0, len(items), BATCH_TABLES):
        found += await asyncio.gather(*map(work, items[start : start + BATCH_TABLES]))
    return found
