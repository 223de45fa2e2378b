"""A budget of processor time for each reader of pages, shared by all web servers.

A reader is an account, a player with a seat, or the network address of everybody else. What a page
has taken is added to the reader's debt, which shrinks with time. A reader whose debt is above the
limit may be refused.

Each process keeps the debts that it knows, and adds its own part to those in Redis about once a
second. So a reader who goes from server to server has spent as much everywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from dataclasses import dataclass
from typing import Final

from game.redis.pipeline import Script
from game.tables.errors import TablesUnavailable
from lobby.play.backend import current_backend

SHARE_EVERY_S: Final = 1.0
ACCOUNT_FACTOR: Final = 3
"""How many times as much an account or a seated player may spend as an address."""
_MINUTE_S: Final = 60
_KEPT: Final = 20_000
"""The most debts that a process keeps; beyond that it forgets those that it noted first."""

_ADD: Final = Script(
    """
local known = redis.call('HMGET', KEYS[1], 'debt', 'at')
local now, added, rate = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local debt = added
if known[1] then
  local paid = rate * math.max(0, now - tonumber(known[2])) / 1e6
  debt = added + math.max(0, tonumber(known[1]) - paid)
end
redis.call('HSET', KEYS[1], 'debt', math.floor(debt), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(debt * 1e3 / rate) + 1000)
return math.floor(debt)
"""
)
"""Add to a debt in µs, which shrinks by `rate` µs a second. `now` is in µs."""


@dataclass(frozen=True, slots=True)
class Reader:
    """To whom the processor time of a page is charged."""

    key: str
    is_known: bool
    """Whether this is an account or a player with a seat, not an address."""


@dataclass(slots=True)
class _Debt:
    """Seconds of processor time, as they were at `at`."""

    seconds: float
    at: float
    unshared: float = 0.0


class Budget:
    """The debts of readers. Belongs to one event loop.

    `limit_s` is the processor time that an address may use at once; within a minute as much is
    forgotten. 0 means no limit.
    """

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._debts: dict[Reader, _Debt] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.sharing: asyncio.Task[None] | None = None
        """The task that shares the latest debts."""

    def charge(self, reader: Reader, seconds: float) -> None:
        """Add the processor time of a page."""
        if not self._limit_s:
            return
        debt = self._debts.get(reader)
        if debt is None:
            debt = self._debts[reader] = _Debt(0.0, time.monotonic())
            if len(self._debts) > _KEPT:
                del self._debts[next(iter(self._debts))]
        debt.seconds, debt.at = self._left(reader) + seconds, time.monotonic()
        debt.unshared += seconds
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(SHARE_EVERY_S, self._begin_sharing)

    def wait_s(self, reader: Reader) -> float:
        """Return after how many seconds the reader may load a page again; 0 for now."""
        return max(0.0, self._left(reader) - self._limit(reader)) / self._rate(reader)

    def _limit(self, reader: Reader) -> float:
        return self._limit_s * (ACCOUNT_FACTOR if reader.is_known else 1)

    def _rate(self, reader: Reader) -> float:
        """Return how many seconds of a debt are forgotten each second."""
        return (self._limit(reader) or 1) / _MINUTE_S

    def _left(self, reader: Reader) -> float:
        debt = self._debts.get(reader)
        if debt is None:
            return 0.0
        return max(0.0, debt.seconds - self._rate(reader) * (time.monotonic() - debt.at))

    def _begin_sharing(self) -> None:
        self._timer = None
        self.sharing = asyncio.get_running_loop().create_task(self._share_all())

    async def _share_all(self) -> None:
        self._drop_paid()
        unshared = [(reader, debt) for reader, debt in self._debts.items() if debt.unshared]
        with contextlib.suppress(TablesUnavailable):  # the next page tries again
            await asyncio.gather(*[self._share(reader, debt) for reader, debt in unshared])

    async def _share(self, reader: Reader, debt: _Debt) -> None:
        own, debt.unshared = debt.unshared, 0.0
        args = int(time.time() * 1e6), round(own * 1e6), round(self._rate(reader) * 1e6)
        try:
            total = await (await current_backend()).run(_ADD, [_key(reader)], args)
        except TablesUnavailable:
            debt.unshared += own
            raise
        debt.seconds, debt.at = int(total) / 1e6 + debt.unshared, time.monotonic()

    def _drop_paid(self) -> None:
        paid = [
            reader
            for reader, debt in self._debts.items()
            if not debt.unshared and not self._left(reader)
        ]
        for reader in paid:
            del self._debts[reader]


def _key(reader: Reader) -> str:
    """Return the key of a debt. It shows no address and no person."""
    return f"page-debt:{hashlib.sha256(reader.key.encode()).hexdigest()[:32]}"
