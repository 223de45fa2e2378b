"""With many spectators at one table, players are sent frames first, and the server sends the rest
in batches."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from game.engine.perspective import SPECTATOR
from game.live import inbound
from game.live.consumer import TableConsumer
from game.live.hub import Hub
from game.live.process import Process
from game.live.spectator_pacer import AT_ONCE, PAUSE_S, SpectatorPacer
from game.tables.errors import TablesUnavailable
from game.tables.room import TableId
from tests.tables.staging import (
    FakeSocket,
    MakeProcess,
    discards_quietly,
    open_people_table,
    plain_frame,
    wait_for,
)

pytestmark = pytest.mark.asyncio

MANY = 400
FRAMES = 400


class Turns:
    """A counter of the turns of the event loop."""

    def __init__(self) -> None:
        self.now = 0
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(0)
            self.now += 1


class Spectator(FakeSocket):
    """A socket that records the turn of the loop in which its frames leave, and the order of
    sockets."""

    def __init__(self, viewer: int, turns: Turns, sent_frames: list[tuple[int, int]]) -> None:
        super().__init__(viewer)
        self._turns = turns
        self._sent = sent_frames
        self.waiting = 0
        self.flushes = 0

    def deliver(self, frame: str, seq: int) -> None:
        super().deliver(frame, seq)
        self._put()

    def deliver_spectator_count(self, count: int) -> None:
        super().deliver_spectator_count(count)
        self._put()

    def _put(self) -> None:
        self.waiting += 1
        if self.viewer != SPECTATOR:
            self.flush()

    def flush(self) -> None:
        self._sent += [(self._turns.now, self.viewer)] * self.waiting
        self.waiting = 0
        self.flushes += 1


class Counted:
    """A socket that counts how often its queue is sent."""

    def __init__(self, note: Callable[[], None] = lambda: None) -> None:
        self.flushes = 0
        self._note = note

    def flush(self) -> None:
        self.flushes += 1
        self._note()


@pytest_asyncio.fixture
async def turns() -> AsyncIterator[Turns]:
    counted = Turns()
    yield counted
    counted.end()


@pytest_asyncio.fixture
async def process(make_process: MakeProcess) -> Process:
    return await make_process("web")


@pytest_asyncio.fixture
async def hub(process: Process) -> Hub:
    return await process.hub(plain_frame)


@pytest.fixture
def sent_frames() -> list[tuple[int, int]]:
    """Return the turn and the viewer of each sent frame, in order."""
    return []


@pytest_asyncio.fixture
async def table(process: Process) -> TableId:
    return await open_people_table(process)


@pytest_asyncio.fixture
async def players(
    hub: Hub, table: TableId, turns: Turns, sent_frames: list[tuple[int, int]]
) -> list[Spectator]:
    return [await join(hub, table, Spectator(seat, turns, sent_frames)) for seat in range(4)]


@pytest_asyncio.fixture
async def spectators(
    players: list[Spectator],
    hub: Hub,
    table: TableId,
    turns: Turns,
    sent_frames: list[tuple[int, int]],
) -> list[Spectator]:
    """Return spectators who have joined after the players."""
    return [await join(hub, table, Spectator(SPECTATOR, turns, sent_frames)) for _ in range(MANY)]


async def join(hub: Hub, table: TableId, spectator: Spectator) -> Spectator:
    """Join as pages do: again if a stall of the machine has broken the subscription to Redis."""
    for _ in range(10):
        try:
            await hub.join(table, spectator)
        except TablesUnavailable:
            await asyncio.sleep(0.5)
        else:
            return spectator
    raise AssertionError("the subscription to Redis did not come back")


async def test_players_come_first_and_spectators_in_batches(
    process: Process,
    table: TableId,
    players: list[Spectator],
    spectators: list[Spectator],
    sent_frames: list[tuple[int, int]],
) -> None:
    began = asyncio.get_running_loop().time()
    await discards_quietly(process, table)
    assert sorted(viewer for _, viewer in sent_frames[:4]) == [0, 1, 2, 3]
    assert all(spectator.waiting for spectator in spectators), "each frame is in its queue at once"
    await wait_for(lambda: not any(spectator.waiting for spectator in spectators))
    rests = MANY // AT_ONCE
    assert asyncio.get_running_loop().time() - began > 0.9 * rests * PAUSE_S
    in_each = Counter(turn for turn, viewer in sent_frames if viewer == SPECTATOR)
    assert sum(in_each.values()) == MANY
    assert max(in_each.values()) <= AT_ONCE
    turns = [sent_frames[3][0], *sorted(in_each)]
    assert min(later - turn for turn, later in pairwise(turns)) > 1, "other tasks have had a turn"


async def test_spectators_get_every_event_once_and_in_order(
    process: Process, table: TableId, spectators: list[Spectator]
) -> None:
    first = await process.service.read_room(table)
    for seat in range(4):
        await process.service.set_away(table, seat, True)
    last = await process.service.read_room(table)
    assert last.seq(SPECTATOR) == first.seq(SPECTATOR) + 4
    for spectator in spectators:
        assert [frame["seq"] for frame in spectator.frames] == [
            first.seq(SPECTATOR) + n for n in (1, 2, 3, 4)
        ]
    await wait_for(lambda: not any(spectator.waiting for spectator in spectators))


async def test_spectator_who_leaves_is_sent_nothing_more(
    process: Process, hub: Hub, table: TableId, spectators: list[Spectator]
) -> None:
    *others, gone = spectators
    hub.leave(table, gone)
    await discards_quietly(process, table)
    await wait_for(lambda: not any(other.waiting for other in others))
    assert all(len(other.frames) == 1 for other in others)
    assert not gone.frames


async def test_fault_of_one_spectator_keeps_frames_from_nobody_else(
    process: Process, table: TableId, spectators: list[Spectator], caplog: pytest.LogCaptureFixture
) -> None:
    del spectators[1].frames, spectators[2].waiting
    await discards_quietly(process, table)
    others = [spectators[0], *spectators[3:]]
    await wait_for(lambda: all(other.frames and not other.waiting for other in others))
    assert "was lost" in caplog.text
    assert "not sent to a spectator" in caplog.text


async def test_spectator_counts_are_sent_in_batches(
    hub: Hub, table: TableId, spectators: list[Spectator], sent_frames: list[tuple[int, int]]
) -> None:
    await hub._count_spectators([table])
    await wait_for(lambda: not any(spectator.waiting for spectator in spectators))
    assert all(spectator.spectator_count == MANY for spectator in spectators)
    in_each = Counter(turn for turn, _ in sent_frames)
    assert max(in_each.values()) <= AT_ONCE + 4


async def test_waiting_frame_is_sent_before_a_pong(
    process: Process, hub: Hub, table: TableId, spectators: list[Spectator]
) -> None:
    page = TableConsumer()
    written = list[dict[str, Any]]()
    page.queue.write = lambda *texts: written.extend(map(json.loads, texts))
    page._table_id, page._process, page._hub = table, process, hub
    await hub.join(table, page)
    room = await process.service.read_room(table)
    page._sync(room)
    before = room.seq(page.viewer)

    async def ping(seq: int) -> None:
        await page._ping(inbound.Ping(seq=seq, at=1), time.monotonic())

    def kinds() -> list[str]:
        return [frame["t"] for frame in written if frame["t"] != "spectators"]

    await discards_quietly(process, table)
    assert kinds() == ["sync"], "the event waits for its turn"
    await ping(before)
    assert kinds()[1:] == ["ev", "pong"]
    await ping(before)
    assert kinds()[3:] == ["sync", "pong"], "a frame sent before a pong was lost"


async def test_waiting_frames_leave_together() -> None:
    pacer = SpectatorPacer()
    spectators = [Counted() for _ in range(MANY)]
    for _ in range(FRAMES):
        pacer.send(TableId("a"), spectators)
        await asyncio.sleep(PAUSE_S)
    await wait_for(lambda: not pacer._waiting)
    flushes = [spectator.flushes for spectator in spectators]
    rounds = FRAMES * AT_ONCE // MANY
    """The number of rounds in which all spectators are served meanwhile, if sending and waiting
    take no time."""
    assert rounds // 4 < max(flushes) < 4 * rounds
    assert max(flushes) - min(flushes) <= 1, "in their order"
    await pacer.stop()


async def test_later_frame_of_a_served_socket_is_sent() -> None:
    """The frame comes while other sockets of the table still wait."""
    pacer, table = SpectatorPacer(), TableId("a")

    def next_frame() -> None:
        if first.flushes == 1:
            pacer.send(table, [first])

    first = Counted(next_frame)
    pacer.send(table, [first, *(Counted() for _ in range(AT_ONCE))])
    await wait_for(lambda: first.flushes == 2)
    await pacer.stop()


async def test_large_table_does_not_delay_a_small_one() -> None:
    pacer = SpectatorPacer()
    sent = list[str]()

    def send(table: str, count: int) -> None:
        pacer.send(TableId(table), [Counted(lambda: sent.append(table)) for _ in range(count)])

    send("large", 5_000)
    send("small", AT_ONCE)
    assert sent == ["small"] * AT_ONCE
    send("medium", AT_ONCE + 1)
    await wait_for(lambda: sent.count("medium") == AT_ONCE + 1)
    assert sent[:200].count("medium") == AT_ONCE + 1
    await wait_for(lambda: sent.count("large") == 5_000)
    await pacer.stop()


async def test_each_turn_of_the_loop_sends_to_a_few_spectators(turns: Turns) -> None:
    pacer = SpectatorPacer()
    in_each = Counter[int]()
    for table in range(20):
        spectators = [Counted(lambda: in_each.update([turns.now])) for _ in range(MANY)]
        pacer.send(TableId(str(table)), spectators)
    await wait_for(lambda: in_each.total() == 20 * MANY)
    assert max(in_each.values()) <= AT_ONCE
    await pacer.stop()
