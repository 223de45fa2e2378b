"""A budget of processor time for each reader of pages, shared by all web servers.

A reader is an account, a player with a seat, or the network address of everybody else. The
processor time of each page is added to the reader's debt, which shrinks with time. A reader whose
debt is above the limit may be refused.

Each process keeps the debts of its readers, and adds them to those in Redis about once a second. So
a reader who goes from server to server has one debt everywhere.
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
_MAX_DEBTS: Final = 20_000
"""The most debts that a process keeps; beyond that it forgets those that it noted first."""

_ADD_DEBT: Final = Script(
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
    """The account, player or network address that the processor time of a page is charged to."""

    key: str
    is_known: bool
    """Whether this is an account or a player with a seat, not an address."""


@dataclass(slots=True)
class _Debt:
    """Processor time in seconds, as it was at the time `at`."""

    seconds: float
    at: float
    unshared: float = 0.0


class Budget:
    """The debts of readers. Belongs to one event loop.

    An address may use `limit_s` seconds of processor time at once; the same amount is forgotten
    within a minute. 0 means no limit.
    """

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._debts: dict[Reader, _Debt] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.sharing: asyncio.Task[None] | None = None
        """The task that shares the latest debts."""

    def charge(self, reader: Reader, seconds: float) -> None:
        """Add the processor time of a page (in seconds) to the reader's debt."""
        if not self._limit_s:
            return
        debt = self._debts.get(reader)
        if debt is None:
            debt = self._debts[reader] = _Debt(0.0, time.monotonic())
            if len(self._debts) > _MAX_DEBTS:
                del self._debts[next(iter(self._debts))]
        debt.seconds, debt.at = self._debt_of(reader) + seconds, time.monotonic()
        debt.unshared += seconds
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(SHARE_EVERY_S, self._begin_sharing)

    def wait_s(self, reader: Reader) -> float:
        """Return for how many seconds the reader may load no page; 0 if they may load one now."""
        return max(0.0, self._debt_of(reader) - self._limit_of(reader)) / self._forgotten_per_s(
            reader
        )

    def _limit_of(self, reader: Reader) -> float:
        return self._limit_s * (ACCOUNT_FACTOR if reader.is_known else 1)

    def _forgotten_per_s(self, reader: Reader) -> float:
        """Return how many seconds of a debt are forgotten each second."""
        return (self._limit_of(reader) or 1) / _MINUTE_S

    def _debt_of(self, reader: Reader) -> float:
        debt = self._debts.get(reader)
        if debt is None:
            return 0.0
        return max(0.0, debt.seconds - self._forgotten_per_s(reader) * (time.monotonic() - debt.at))

    def _begin_sharing(self) -> None:
        self._timer = None
        self.sharing = asyncio.get_running_loop().create_task(self._share_all())

    async def _share_all(self) -> None:
        self._drop_paid()
        unshared = [(reader, debt) for reader, debt in self._debts.items() if debt.unshared]
        with contextlib.suppress(TablesUnavailable):  # the next page tries again
            await asyncio.gather(*[self._share_debt(reader, debt) for reader, debt in unshared])

    async def _share_debt(self, reader: Reader, debt: _Debt) -> None:
        own, debt.unshared = debt.unshared, 0.0
        args = int(time.time() * 1e6), round(own * 1e6), round(self._forgotten_per_s(reader) * 1e6)
        try:
            total = await (await current_backend()).run(_ADD_DEBT, [_debt_key(reader)], args)
        except TablesUnavailable:
            debt.unshared += own
            raise
        debt.seconds, debt.at = int(total) / 1e6 + debt.unshared, time.monotonic()

    def _drop_paid(self) -> None:
        paid = [
            reader
            for reader, debt in self._debts.items()
            if not debt.unshared and not self._debt_of(reader)
        ]
        for reader in paid:
            del self._debts[reader]


def _debt_key(reader: Reader) -> str:
    """Return the Redis key of the reader's debt, a hash that shows no address and no person."""
    return f"page-debt:{hashlib.sha256(reader.key.encode()).hexdigest()[:32]}"
