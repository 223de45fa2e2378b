"""A worker that shuts down releases its leases."""

from __future__ import annotations

import asyncio

import pytest

from game.live.process import Process
from game.tables import worker as workers
from game.tables.room import TableId
from game.tables.worker import LEASE_MS, Worker
from tests.tables.staging import AT_ONCE, open_people_table

pytestmark = pytest.mark.asyncio


async def nothing_to_keep(table_id: TableId) -> None:
    raise AssertionError(f"the game at {table_id} is not over")


@pytest.mark.parametrize("takes_too_long", [False, True])
async def test_another_worker_finds_its_tables_due_at_once(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, takes_too_long: bool
) -> None:
    monkeypatch.setattr(workers, "FINISHES_WITHIN_S", 0.1)
    process = Process(redis_url)
    await process.start()
    try:
        table_id = await open_people_table(process, clock=AT_ONCE, count=0)
        tick = process.due_work.run

        async def slow(table_id: TableId) -> bool:
            if takes_too_long:
                await asyncio.sleep(60)
            return await tick(table_id)

        process.due_work.run = slow  # type: ignore[method-assign]
        worker = Worker(process.service, process.due_work, process.worker_beats, nothing_to_keep)
        await worker.round()
        await worker.finish()
        soon = process.service.now_ms() + 500
        claimed, _ = await process.store.claim(now=soon, lease_ms=LEASE_MS, at_most=9)
        assert claimed == [table_id]
    finally:
        await process.stop()
