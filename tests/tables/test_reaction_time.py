"""The end of the reaction time depends on the discard alone: in the log, in the frames, and when
frames are handed to sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from game.engine.clock import EARLY_MS, ClockSettings
from game.engine.commands import Command
from game.engine.decide import Accepted, Rejected, Stale, decide
from game.engine.legal import pending_seats
from game.engine.perspective import SPECTATOR
from game.engine.state import SEATS, Phase, Table
from game.live import outbound
from game.live.hub import Hub
from game.live.process import Process
from game.tables import commit_draft
from game.tables.keys import due_key, shard_of
from game.tables.outcomes import StaleAnswer, explain_refusal
from game.tables.room import Room, TableId
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    quiet_answer,
    submit_answer,
    until_due,
    wait_for,
)
from tests.web.short_forms import full_event

pytestmark = pytest.mark.asyncio
REACTION_MS = ClockSettings().reaction_ms


class TimedSocket(FakeSocket):
    """A socket that records the loop's time at each frame."""

    def __init__(self, viewer: int) -> None:
        super().__init__(viewer)
        self.at: list[float] = []

    def deliver(self, frame: str, seq: int) -> None:
        super().deliver(frame, seq)
        self.at.append(asyncio.get_running_loop().time())

    @property
    def types(self) -> list[str]:
        return [full_event(event)["type"] for frame in self.frames for event in frame["e"]]


async def play_to_discard(
    process: Process,
    time: FakeTime,
    count: int,
    wanted: Callable[[Room], bool],
) -> Room:
    """Return a table with that many persons, at the first discard for which `wanted` holds."""
    while True:
        table_id = await open_people_table(process, count=count)
        room = await process.service.read_room(table_id)
        while room.table.phase != Phase.RESULT:
            is_fresh = (
                room.table.phase == Phase.CLAIMS and room.clock.closes_at - REACTION_MS == room.at
            )
            if is_fresh and room.at == time.now and wanted(room):
                return room
            if room.table.phase == Phase.TURN and not room.is_bot(room.table.turn):
                room = await discards_quietly(process, table_id)
            elif pending_seats(room.table) and not any(map(room.is_bot, pending_seats(room.table))):
                room = await submit_answer(process, room)
            else:
                room = await until_due(process, time, table_id)


def asks_persons(count: int) -> Callable[[Room], bool]:
    def wanted(room: Room) -> bool:
        asked = pending_seats(room.table)
        return len(asked) == count and not any(map(room.is_bot, asked))

    return wanted


def asks_a_bot(room: Room) -> bool:
    asked = pending_seats(room.table)
    return bool(asked) and all(map(room.is_bot, asked))


async def run_next_draw(process: Process, table_id: TableId) -> Room:
    """Let this process do the due work of the table, which has to be the next draw; return the
    room."""
    await process.due_work.run(table_id)
    room = await process.service.read_room(table_id)
    assert room.table.phase == Phase.TURN
    return room


async def test_discard_is_dated_after_its_decision(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)

    def slow(table: Table, command: Command) -> Accepted | Rejected | Stale:
        time.pass_ms(7)
        return decide(table, command)

    monkeypatch.setattr(commit_draft, "decide", slow)
    began = time.now
    room = await discards_quietly(process, table_id)
    assert room.at == began + 7
    assert room.clock.closes_at == room.at + REACTION_MS


@pytest.mark.parametrize("late_ms", [0, 30, EARLY_MS - 1, EARLY_MS])
async def test_a_draw_is_dated_with_the_end_of_the_reaction_time(
    make_process: MakeProcess, time: FakeTime, late_ms: int
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    for maker in (web, worker):
        room = await play_to_discard(web, time, 4, asks_persons(0))
        closes_at = room.at + REACTION_MS
        time.now = closes_at - EARLY_MS - 1
        await maker.due_work.run(room.table_id)
        assert (await web.service.read_room(room.table_id)).version == room.version
        time.now += 1 + late_ms
        after = await run_next_draw(maker, room.table_id)
        assert after.at == closes_at
        assert after.clock.asked_at[after.table.turn] == closes_at + after.meta.clock.lead_ms


@pytest.mark.parametrize(
    "after_ms", [0, 1, 250, REACTION_MS - EARLY_MS, REACTION_MS - 1, REACTION_MS]
)
async def test_pass_within_the_reaction_time_does_not_change_the_draw(
    make_process: MakeProcess, time: FakeTime, after_ms: int
) -> None:
    discarder, passer = await make_process("discarder"), await make_process("passer")
    room = await play_to_discard(discarder, time, 4, asks_persons(1))
    closes_at = room.at + REACTION_MS
    time.now = room.at + after_ms
    after = await submit_answer(passer, room)
    if after.table.phase == Phase.CLAIMS:
        time.now = closes_at - EARLY_MS
        after = await run_next_draw(passer, room.table_id)
    assert after.at == closes_at
    assert after.clock.asked_at[after.table.turn] == closes_at + after.meta.clock.lead_ms


async def test_slow_answer_delays_the_draw(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    room = await play_to_discard(process, time, 4, asks_persons(1))
    time.now = room.at + REACTION_MS + 700
    after = await submit_answer(process, room)
    assert after.table.phase == Phase.TURN
    assert after.at == time.now


async def test_bot_that_passes_does_not_change_the_draw(
    make_process: MakeProcess, time: FakeTime
) -> None:
    worker = await make_process("worker")
    room = await play_to_discard(worker, time, 2, asks_a_bot)
    closes_at = room.at + REACTION_MS
    while room.table.phase == Phase.CLAIMS:
        time.pass_ms(10)
        await worker.due_work.run(room.table_id)
        room = await worker.service.read_room(room.table_id)
        assert time.now <= closes_at - EARLY_MS
    assert room.at == closes_at


@pytest.mark.parametrize("count", [1, 2, 3, 4])
async def test_web_server_ends_the_reaction_time_without_pending_bots(
    make_process: MakeProcess, time: FakeTime, count: int
) -> None:
    web = await make_process("web")
    room = await play_to_discard(web, time, count, lambda room: not pending_seats(room.table))
    web.due_work.start_timers(plays_bots=False)
    known_due = await due_in_store(web, room.table_id)
    assert known_due == room.at + REACTION_MS - EARLY_MS
    time.now = known_due
    after = await run_next_draw(web, room.table_id)
    waits_for_bot = after.is_bot(after.table.turn)
    turn_due = await due_in_store(web, room.table_id)
    backup_ms = 400
    asked_at = after.clock.asked_at[after.table.turn]
    if waits_for_bot:
        assert asked_at < turn_due <= asked_at + after.meta.clock.bot_max_ms
    else:
        assert turn_due > asked_at + after.meta.clock.base_ms + backup_ms


async def due_in_store(process: Process, table_id: TableId) -> int:
    """Return the time at which the workers will process that table."""
    return int(await process.redis.zscore(due_key(shard_of(table_id)), table_id))


# Frames handed to sockets


@pytest_asyncio.fixture
async def hubs(make_process: MakeProcess) -> AsyncIterator[list[Hub]]:
    """Yield the hubs of two web servers; the first server does all work."""
    yield [await (await make_process(name)).hub(outbound.encode) for name in ("a", "b")]


async def test_an_early_draw_is_shown_everywhere_after_the_reaction_time(
    make_process: MakeProcess, hubs: list[Hub], time: FakeTime
) -> None:
    worker = await make_process("worker")
    room = await play_to_discard(worker, time, 4, asks_persons(0))
    table_id = room.table_id
    sockets = [[TimedSocket(seat) for seat in (*SEATS, SPECTATOR)] for _ in hubs]
    for hub, row in zip(hubs, sockets, strict=True):
        for socket in row:
            await hub.join(table_id, socket)
    time.now = room.at + REACTION_MS - EARLY_MS
    began = asyncio.get_running_loop().time()
    after = await run_next_draw(worker, table_id)
    for hub in hubs:
        await wait_for(lambda hub=hub: hub.held_room(table_id))
        assert hub.room(table_id) == room, "nobody is shown the draw sooner than the others"
    every = [socket for row in sockets for socket in row]
    assert all(not socket.frames for socket in every)
    await wait_for(lambda: all(socket.frames for socket in every))
    for socket in every:
        assert socket.types == ["tsumo"]
        assert socket.at[0] - began >= (EARLY_MS - 1) / 1000
    assert after.at == room.at + REACTION_MS
    assert all(hub.room(table_id) == after for hub in hubs)


async def test_last_pass_is_acknowledged_before_the_draw(
    hubs: list[Hub], make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    hub = await web.hub(outbound.encode)
    room = await play_to_discard(web, time, 4, asks_persons(1))
    sockets = [TimedSocket(seat) for seat in SEATS]
    for socket in sockets:
        await hub.join(room.table_id, socket)
    time.now = room.at + REACTION_MS - 50
    await submit_answer(web, room)
    assert all(not socket.frames for socket in sockets)
    await wait_for(lambda: all(socket.frames for socket in sockets))
    asked = pending_seats(room.table)[0]
    for socket in sockets:
        assert socket.types == ["answer"] * (socket.viewer == asked) + ["tsumo"]
    shown = hub.room(room.table_id)
    assert shown is not None
    assert shown.at == room.at + REACTION_MS


async def test_events_after_a_scheduled_draw_are_shown_after_it(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    hub = await web.hub(outbound.encode)
    room = await play_to_discard(web, time, 4, asks_persons(0))
    socket = TimedSocket(0)
    await hub.join(room.table_id, socket)
    time.now = room.at + REACTION_MS - EARLY_MS
    await run_next_draw(web, room.table_id)
    await discards_quietly(web, room.table_id)
    assert not socket.frames
    await wait_for(lambda: len(socket.types) > 1)
    assert socket.types == ["tsumo", "dahai"]


async def test_process_that_loads_the_table_shows_the_draw_on_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    worker, web = await make_process("worker"), await make_process("web")
    hub = await web.hub(outbound.encode)
    room = await play_to_discard(worker, time, 4, asks_persons(0))
    time.now = room.at + REACTION_MS - EARLY_MS
    after = await run_next_draw(worker, room.table_id)
    socket = TimedSocket(0)
    await hub.join(room.table_id, socket)
    assert hub.room(room.table_id) == room
    await wait_for(lambda: socket.frames)
    assert socket.types == ["tsumo"]
    assert hub.room(room.table_id) == after


async def test_answer_before_the_shown_draw_is_refused(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    room = await play_to_discard(web, time, 4, asks_persons(0))
    outside = (room.table.turn + 1) % 4
    action, step = quiet_answer(room, outside), room.table.step
    before = await web.service.submit(
        room.table_id, seat=outside, cid="x", step=step, action=action
    )
    assert before == explain_refusal(room, outside, step, action)
    assert explain_refusal(room, outside, step + 1, action) == StaleAnswer(room)
