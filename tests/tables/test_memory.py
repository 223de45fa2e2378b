"""A process drops rooms that nobody uses, and keeps those in use."""

from __future__ import annotations

import pytest

from game.live.hub import Hub
from game.live.process import Process
from game.tables.room import TableId
from game.tables.room_cache import KEPT_MS
from tests.tables.staging import FakeSocket, FakeTime, MakeProcess, open_people_table, plain_frame

pytestmark = pytest.mark.asyncio
_LEFT = 12


async def test_rooms_that_all_sockets_left_are_dropped(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    hub = await process.hub(plain_frame)
    watched = await open_people_table(process)
    socket = FakeSocket(0)
    await hub.join(watched, socket)
    left = [await _join_and_leave(process, hub) for _ in range(_LEFT)]
    assert all(process.rooms.get(table_id) for table_id in left)

    time.pass_ms(KEPT_MS + 1)
    new = [await _open_and_read(process) for _ in range(3)]

    assert len(process.rooms) == 1 + len(new)
    assert process.rooms.get(watched), "a room that a socket shows stays"


async def test_room_in_use_stays(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    used, unused = await _open_and_read(process), await _open_and_read(process)
    for _ in range(3):
        time.pass_ms(KEPT_MS // 2)
        assert process.rooms.get(used)
        await _open_and_read(process)
    assert process.rooms.get(used)
    assert process.rooms.get(unused) is None


async def _open_and_read(process: Process) -> TableId:
    """Open a table whose room the process then caches."""
    table_id = await open_people_table(process)
    await process.service.read_room(table_id)
    return table_id


async def _join_and_leave(process: Process, hub: Hub) -> TableId:
    """Open a table, let its four players join, and let them leave."""
    table_id = await open_people_table(process)
    sockets = [FakeSocket(seat) for seat in range(4)]
    for socket in sockets:
        await hub.join(table_id, socket)
    for socket in sockets:
        hub.leave(table_id, socket)
    return table_id
