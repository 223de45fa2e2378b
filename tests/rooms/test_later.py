"""Tables shown late: in order, once, encoded once for all, and never before their time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from game.engine.events import Event
from game.engine.perspective import OPEN_WATCHER
from game.rooms.codec import decode_commit, encode
from game.rooms.later import KEPT_MS, LEAST_DELAY_MS, READ_EVERY_MS, Later
from game.rooms.matters import Leave
from game.rooms.process import Process
from game.rooms.room import Room, TableId
from game.rooms.sealing import site_sealer
from game.rooms.store import TableKeys
from tests.rooms.conftest import MakeProcess
from tests.rooms.staging import FakeTime, Socket, opened, plain_frame, until_due

pytestmark = pytest.mark.asyncio


class Encoder:
    """Counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def __call__(
        self, kind: Literal["ev", "sync"], room: Room, audience: int, events: Sequence[Event] = ()
    ) -> str:
        self.asked.append((kind, audience))
        return plain_frame(kind, room, audience, events)


class Watched:
    """A table, and how it is shown late."""

    def __init__(self, process: Process, time: FakeTime, table_id: TableId) -> None:
        self.process, self.time, self.table_id = process, time, table_id
        self.encoder = Encoder()
        self.later = Later(process.store, process.rooms, self.encoder, now_ms=time)

    async def step(self) -> Room:
        """The bots do the next thing."""
        return await until_due(self.process, self.time, self.table_id)

    async def look_after(self, span_ms: int) -> None:
        self.time.pass_ms(span_ms)
        await self.later._look(self.table_id)

    @property
    def seq(self) -> int:
        room = self.later.room(self.table_id)
        return -1 if room is None else room.seq(OPEN_WATCHER)


@pytest.fixture
async def watched(make_process: MakeProcess, time: FakeTime) -> Watched:
    process = await make_process("a")
    return Watched(process, time, await opened(process, count=0))


async def joined(watched: Watched, count: int = 1) -> list[Socket]:
    sockets = [Socket(OPEN_WATCHER) for _ in range(count)]
    for socket in sockets:
        await watched.later.join(watched.table_id, socket)
    return sockets


async def test_what_is_too_young_is_read_and_not_shown(watched: Watched) -> None:
    (socket,) = await joined(watched)
    assert watched.seq == 0
    await watched.look_after(LEAST_DELAY_MS - 1)
    assert (watched.seq, socket.frames) == (0, [])
    await watched.look_after(1)
    assert watched.seq > 0
    assert socket.frames
    await watched.later.stop()


async def test_a_thousand_watchers_cost_one_encoding_of_each_step(watched: Watched) -> None:
    sockets = await joined(watched, 1_000)
    await watched.look_after(LEAST_DELAY_MS)
    assert watched.encoder.asked == [("ev", OPEN_WATCHER)]
    assert all(socket.frames == sockets[0].frames for socket in sockets)
    await watched.later.stop()


async def test_every_step_is_shown_once_and_in_order_however_late_it_is_read(
    watched: Watched,
) -> None:
    (socket,) = await joined(watched)
    last = watched.time.now
    for _ in range(8):
        room = await watched.step()
        last = watched.time.now
        watched.time.pass_ms(1_000)
    while watched.time.now < last + LEAST_DELAY_MS:
        await watched.look_after(READ_EVERY_MS // 4)
    at = 0
    frames: list[dict[str, Any]] = socket.frames
    for frame in frames:
        assert frame["seq"] == at + len(frame["e"])
        at = frame["seq"]
    assert at == watched.seq == room.seq(OPEN_WATCHER) > 8
    await watched.later.stop()


async def test_a_log_that_lost_its_end_is_shown_from_its_beginning(watched: Watched) -> None:
    (socket,) = await joined(watched)
    await watched.step()
    await watched.look_after(READ_EVERY_MS)
    key = TableKeys.of(watched.table_id).log
    rows: Any = await watched.process.redis.xrange(key)
    version, fields = rows[-1]
    number, sealer = int(version.split(b"-")[0]), site_sealer()
    stored = sealer.open(fields[b"c"], "commit", watched.table_id, number).data
    other = encode(replace(decode_commit(stored), token=b"other!"))
    await watched.process.redis.delete(key)
    for row_id, held in rows[:-1]:
        await watched.process.redis.xadd(key, held, id=row_id)
    await watched.process.redis.xadd(
        key, {"c": sealer.seal(other, "commit", watched.table_id, number)}, id=version
    )
    await watched.look_after(READ_EVERY_MS)
    assert socket.frames[-1]["t"] == "sync"
    await watched.look_after(LEAST_DELAY_MS)
    room = watched.later.room(watched.table_id)
    assert room is not None
    assert room.token == b"other!"
    await watched.later.stop()


async def test_a_table_that_was_taken_off_is_shown_to_its_end(watched: Watched) -> None:
    await joined(watched)
    await watched.process.redis.delete(TableKeys.of(watched.table_id).log)
    await watched.look_after(LEAST_DELAY_MS)
    assert watched.seq > 0
    await watched.later.stop()


async def test_who_sat_there_then_is_shown(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    watched = Watched(process, time, await opened(process, count=2))
    time.pass_ms(LEAST_DELAY_MS)
    await process.service.settle(watched.table_id, Leave(0, "tsumogiri"))
    await joined(watched)
    room = watched.later.room(watched.table_id)
    assert room is not None
    assert [bool(seat.bot) for seat in room.meta.seats] == [False, False, True, True]
    await watched.look_after(READ_EVERY_MS)
    await watched.look_after(LEAST_DELAY_MS)
    room = watched.later.room(watched.table_id)
    assert room is not None
    assert room.has_left(0)
    await watched.later.stop()


async def test_a_table_that_nobody_looks_at_is_forgotten(watched: Watched) -> None:
    (socket,) = await joined(watched)
    watched.later.leave(watched.table_id, socket)
    await watched.look_after(KEPT_MS + 1)
    assert watched.later.room(watched.table_id) is None
    await watched.later.stop()
