"""A process has one timer per table, which fires at the time and for the head set last."""

from __future__ import annotations

import asyncio

import pytest

from game.tables.room import TableId
from game.tables.timers import Timers

pytestmark = pytest.mark.asyncio
TABLE, OTHER = TableId("table"), TableId("other")


class Firings(list[tuple[str, int]]):
    """The head of each timer that fired, and the time in milliseconds after the start."""

    def __init__(self) -> None:
        super().__init__()
        self._started = asyncio.get_running_loop().time()

    def add(self, table_id: TableId, head: str) -> None:
        after = asyncio.get_running_loop().time() - self._started
        self.append((f"{table_id} {head}", round(after * 1000)))

    @property
    def heads(self) -> list[str]:
        return [head for head, _ in self]


def start_timers(firings: Firings) -> Timers:
    timers = Timers()
    timers.start(firings.add, plays_bots=True)
    return timers


async def test_timer_fires_once_when_due() -> None:
    firings = Firings()
    timers = start_timers(firings)
    timers.set(TABLE, "1:a", 60)
    timers.set(OTHER, "1:b", 0)
    await asyncio.sleep(0.2)
    assert firings.heads == ["other 1:b", "table 1:a"]
    assert firings[1][1] >= 60


@pytest.mark.parametrize(("first_ms", "then_ms"), [(20, 100), (100, 20), (50, 50)])
async def test_only_the_last_set_timer_fires(first_ms: int, then_ms: int) -> None:
    firings = Firings()
    timers = start_timers(firings)
    timers.set(TABLE, "1:a", first_ms)
    timers.set(TABLE, "2:b", then_ms)
    await asyncio.sleep(0.25)
    assert firings.heads == ["table 2:b"]
    assert firings[0][1] >= then_ms


async def test_postponed_timer_fires_once() -> None:
    firings = Firings()
    timers = start_timers(firings)
    for version in range(10):
        timers.set(TABLE, f"{version}", 600)
        await asyncio.sleep(0.01)
    assert firings == []
    await asyncio.sleep(0.7)
    assert firings.heads == ["table 9"]
    assert firings[0][1] >= 690


async def test_dropped_timer_does_not_fire() -> None:
    firings = Firings()
    timers = start_timers(firings)
    timers.set(TABLE, "1:a", 20)
    timers.drop(TABLE)
    timers.drop(OTHER)
    await asyncio.sleep(0.05)
    assert firings == []
    timers.set(TABLE, "2:b", 10)
    await asyncio.sleep(0.05)
    assert firings.heads == ["table 2:b"]
