"""The last hand of a long game costs as much as the first one."""

from __future__ import annotations

import pytest

from game.engine.legal import pending_seats
from game.live.process import Process
from game.tables.keys import TableKeys
from game.tables.room import Room, TableMeta
from game.tables.settings import TableSettings
from tests.kit.traffic import Meter, Traffic
from tests.tables.staging import (
    AT_ONCE,
    NEVER_OVER,
    MakeProcess,
    answer_without_end,
    people,
    submit_answer,
)

pytestmark = pytest.mark.asyncio

HANDS = 30
"""The number of hands: twice as many as a long game has."""
GROWS_BY = 1.3
"""The greatest allowed growth over all hands. There is some, because a snapshot contains the scores
of every earlier hand."""


async def play_hand(writer: Process, room: Room, *followers: Process) -> Room:
    """Play from the deal of a hand until the next deal. The followers read every commit."""
    dealt = room.table.hands_dealt
    while room.table.hands_dealt == dealt:
        action = answer_without_end(room, pending_seats(room.table)[0])
        room = await submit_answer(writer, room, action)
        for follower in followers:
            assert (await follower.rooms.latest(room.table_id)).version == room.version
    return room


@pytest.mark.one_redis
async def test_redis_traffic_of_a_commit_stays_constant(
    make_process: MakeProcess, redis_url: str
) -> None:
    writer, follower = await make_process("writer"), await make_process("follower")
    meter, first, last = Meter(redis_url), Traffic(), Traffic()
    room = await _open(writer)
    for process in (writer, follower):
        await process.rooms.latest(room.table_id)
    with meter.measure_into(first):
        after_first = await play_hand(writer, room, follower)
    room = after_first
    for _ in range(HANDS):
        room = await play_hand(writer, room)
    await follower.rooms.latest(room.table_id)
    before = room.version
    with meter.measure_into(last):
        room = await play_hand(writer, room, follower)
    meter.close()
    assert room.seq(-1) > 3_000, "the game was long enough"
    commits = after_first.version - 1, room.version - before
    for name in ("commands", "bytes_to_redis", "bytes_from_redis"):
        early, late = getattr(first, name) / commits[0], getattr(last, name) / commits[1]
        assert 0 < late <= GROWS_BY * early, f"{name}: {early} at first, {late} at last"


@pytest.mark.one_redis
async def test_reads_to_join_an_old_table_stay_about_constant(
    make_process: MakeProcess, redis_url: str
) -> None:
    writer, meter, read = await make_process("writer"), Meter(redis_url), list[int]()
    room = await _open(writer)
    for hands in (1, HANDS):
        for _ in range(hands):
            room = await play_hand(writer, room)
        spent, newcomer = Traffic(), await make_process(f"after {hands}")
        with meter.measure_into(spent):
            assert await newcomer.rooms.latest(room.table_id) == room
        read.append(spent.bytes_from_redis)
    meter.close()
    whole = await writer.redis.memory_usage(TableKeys.of(room.table_id).log)
    assert read[1] <= GROWS_BY * read[0] < whole / 10


async def _open(process: Process) -> Room:
    table_id = await process.service.open_table(
        TableMeta(seats=people(), clock=AT_ONCE, settings=TableSettings(rules=NEVER_OVER))
    )
    return await process.service.read_room(table_id)
