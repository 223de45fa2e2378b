"""A process does the due work of a table once, however late it is."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import REGISTRY

from game.engine.state import Phase
from game.tables.outcomes import Outcome
from tests.tables.staging import AT_ONCE, FakeTime, MakeProcess, open_people_table

pytestmark = pytest.mark.asyncio


def _conflicts() -> float:
    return REGISTRY.get_sample_value("mahjong_conflicts_total") or 0.0


async def test_a_process_does_not_compete_with_itself(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("worker")
    running = most = 0
    attempt = process.service.try_commit

    async def counted(*args: object) -> Outcome | None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return await attempt(*args)
        finally:
            running -= 1

    monkeypatch.setattr(process.service, "try_commit", counted)
    process.due_work.start_timers(plays_bots=True)
    conflicts = _conflicts()
    table_id = await open_people_table(process, clock=AT_ONCE, count=0)
    room, seen = await process.service.read_room(table_id), -1
    async with asyncio.timeout(120):
        while room.table.phase != Phase.ENDED:
            time.pass_ms(10_000)  # the process is always late
            await process.heartbeat.beat()
            if room.version == seen:  # no timer is left, so that a worker claims the table
                await process.due_work.run(table_id)
            seen = room.version
            await asyncio.sleep(0.02)
            room = await process.service.read_room(table_id)
    assert most == 1
    assert _conflicts() == conflicts
