"""Runs the same work for many tables, some at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")
AT_ONCE: Final = 64


async def in_batches(work: Callable[[_T], Awaitable[_R]], items: Sequence[_T]) -> list[_R]:
    """Return what `work` returns for each item, in their order. `AT_ONCE` items at a time share
    batches of commands. Raises the first error."""
    found = list[_R]()
    for start in range(0, len(items), AT_ONCE):
        found += await asyncio.gather(*map(work, items[start : start + AT_ONCE]))
    return found
