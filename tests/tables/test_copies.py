"""Copies of tables that are frozen, finished or archived."""

from __future__ import annotations

import pytest

from game.engine.state import Phase
from game.live.process import Process
from game.tables.copies import (
    TableCopy,
    copy_tables,
    decoder,
    encoder,
    put_copy_back,
    schedule_copy,
)
from game.tables.outcomes import Refusal
from game.tables.requests import End, Restore
from game.tables.room import TableId
from tests.tables.staging import MakeProcess, SharedRedis, masters, open_people_table

pytestmark = pytest.mark.asyncio
SEED = bytes(range(32))


async def copy_all_tables(process: Process) -> list[TableCopy]:
    """Return copies of all tables, encoded and decoded again."""
    made = [copy async for copy in copy_tables(process.store)]
    return [decoder.decode(encoder.encode(copy)) for copy in made]


async def restore_copy(redis: SharedRedis, process: Process, copy: TableCopy) -> object:
    """Put the copy back into an otherwise empty Redis."""
    for master in masters(redis):
        master.flushall()
    await put_copy_back(process.redis, copy)
    outcome = await process.service.apply_request(copy.table_id, Restore(SEED, 60_000, "restored"))
    await schedule_copy(process.store, copy)
    return outcome


async def test_restored_frozen_table_stays_frozen(
    make_process: MakeProcess, shared_redis: SharedRedis
) -> None:
    """A table that went on would let players use tiles that they know."""
    process = await make_process("a")
    table_id = await open_people_table(process)
    before = await process.service.read_room(table_id)
    await process.store.freeze(table_id)
    (copy,) = await copy_all_tables(process)
    fresh = await make_process("b")
    await restore_copy(shared_redis, fresh, copy)
    assert await fresh.store.index.list_frozen() == [table_id]
    assert await fresh.store.index.list_running() == []
    assert await fresh.store.is_frozen(table_id)
    room = await fresh.service.read_room(table_id)
    assert (room.version, room.table.seed) == (before.version + 1, SEED)
    assert room.table.wall != before.table.wall


async def test_a_restored_copy_of_a_finished_game_is_unchanged(
    make_process: MakeProcess, shared_redis: SharedRedis
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)
    await process.service.apply_request(table_id, End())
    (copy,) = await copy_all_tables(process)
    fresh = await make_process("b")
    assert isinstance(await restore_copy(shared_redis, fresh, copy), Refusal)
    room = await fresh.service.read_room(table_id)
    assert room == await process.service.read_room(table_id)
    assert room.table.phase == Phase.ENDED
    assert await fresh.store.index.list_running() == [table_id], "a worker archives it"


async def test_a_table_that_has_been_archived_is_not_copied(make_process: MakeProcess) -> None:
    process = await make_process("a")
    await process.store.end_table(TableId(await open_people_table(process)), keep_s=60)
    assert await copy_all_tables(process) == []
