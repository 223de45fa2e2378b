"""One alarm for each table, at the time and for the head that were set last."""

from __future__ import annotations

import asyncio

import pytest

from game.tables.room import TableId
from game.tables.timers import Timers

pytestmark = pytest.mark.asyncio
TABLE, OTHER = TableId("table"), TableId("other")


class Rung(list[tuple[str, int]]):
    """For which head it rang, and how many milliseconds after the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self._began = asyncio.get_running_loop().time()

    def ring(self, table_id: TableId, head: str) -> None:
        late = asyncio.get_running_loop().time() - self._began
        self.append((f"{table_id} {head}", round(late * 1000)))

    @property
    def heads(self) -> list[str]:
        return [head for head, _ in self]


async def test_an_alarm_rings_once_when_it_is_due() -> None:
    rung = Rung()
    alarms = Timers(rung.ring)
    alarms.set(TABLE, "1:a", 60)
    alarms.set(OTHER, "1:b", 0)
    await asyncio.sleep(0.2)
    assert rung.heads == ["other 1:b", "table 1:a"]
    assert rung[1][1] >= 60


@pytest.mark.parametrize(("first_ms", "then_ms"), [(20, 100), (100, 20), (50, 50)])
async def test_only_the_alarm_that_was_set_last_rings(first_ms: int, then_ms: int) -> None:
    rung = Rung()
    alarms = Timers(rung.ring)
    alarms.set(TABLE, "1:a", first_ms)
    alarms.set(TABLE, "2:b", then_ms)
    await asyncio.sleep(0.25)
    assert rung.heads == ["table 2:b"]
    assert rung[0][1] >= then_ms


async def test_an_alarm_that_is_put_off_again_and_again_rings_at_last() -> None:
    rung = Rung()
    alarms = Timers(rung.ring)
    for version in range(10):
        alarms.set(TABLE, f"{version}", 600)
        await asyncio.sleep(0.01)
    assert rung == []
    await asyncio.sleep(0.7)
    assert rung.heads == ["table 9"]
    assert rung[0][1] >= 690


async def test_a_dropped_alarm_does_not_ring_and_another_may_be_set() -> None:
    rung = Rung()
    alarms = Timers(rung.ring)
    alarms.set(TABLE, "1:a", 20)
    alarms.drop(TABLE)
    alarms.drop(OTHER)
    await asyncio.sleep(0.05)
    assert rung == []
    alarms.set(TABLE, "2:b", 10)
    await asyncio.sleep(0.05)
    assert rung.heads == ["table 2:b"]
