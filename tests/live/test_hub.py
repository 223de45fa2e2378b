"""Sockets get every step once and in order, and nothing of other viewers."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from game.engine.legal import pending_seats
from game.engine.perspective import SPECTATOR
from game.engine.state import Phase
from game.live.hub import CHECK_EVERY_S, Hub
from game.live.process import Process
from game.tables.errors import TablesUnavailable
from game.tables.keys import TableKeys
from game.tables.room import Room, TableId
from game.tables.timeouts import QUESTION_DELAYED_MS
from tests.faults.redis_proxy import RedisProxies
from tests.kit.processes import RedisServer
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    plain_frame,
    quiet_answer,
    submit_answer,
    until_due,
    wait_for,
)

pytestmark = pytest.mark.asyncio


class Pair(NamedTuple):
    """A table that one process moves and four players and a spectator see at another."""

    writer: Process
    hub: Hub
    table_id: TableId
    first: Room
    sockets: list[FakeSocket]


@pytest_asyncio.fixture
async def pair(make_process: MakeProcess) -> Pair:
    writer, reader = await make_process("writer"), await make_process("reader")
    hub = await reader.hub(plain_frame)
    table_id = await open_people_table(writer)
    first = await writer.service.read_room(table_id)
    return Pair(writer, hub, table_id, first, await join_all(hub, table_id))


@pytest_asyncio.fixture
async def single(make_process: MakeProcess) -> tuple[Process, Hub, TableId]:
    """Return a process, its hub and a table without sockets."""
    process = await make_process("a")
    return process, await process.hub(plain_frame), await open_people_table(process)


async def join_all(hub: Hub, table_id: TableId) -> list[FakeSocket]:
    """Join four players and a spectator. On a slow machine the subscription may break for a moment;
    players then join again, as browsers do."""
    sockets = [FakeSocket(viewer) for viewer in (0, 1, 2, 3, SPECTATOR)]
    for socket in sockets:
        async with asyncio.timeout(60):
            while True:
                with suppress(TablesUnavailable):
                    await hub.join(table_id, socket)
                    break
                await asyncio.sleep(0.05)
    return sockets


def drop_notifications(hub: Hub) -> None:
    """Lose every notification from now on."""
    hub._notifications._on_change = lambda table_id, head: None


async def notify(hub: Hub, room: Room) -> None:
    """Deliver the notification of that room."""
    hub.handle_notification(room.table_id, room.head)
    await wait_for(lambda: hub.room(room.table_id) == room)


async def turns(process: Process, time: FakeTime, table_id: TableId, count: int) -> Room:
    """Make that many discards. Everybody else passes."""
    room = await process.service.read_room(table_id)
    while count:
        if room.table.phase == Phase.TURN:
            room = await discards_quietly(process, table_id)
            count -= 1
        else:
            room = await let_go_by(process, time, table_id)
    return room


async def let_go_by(process: Process, time: FakeTime, table_id: TableId) -> Room:
    """Let one player pass on the discard, or let the table continue after all have passed."""
    room = await process.service.read_room(table_id)
    if not pending_seats(room.table):
        return await until_due(process, time, table_id)
    return await submit_answer(process, room)


async def ask_late(process: Process, time: FakeTime, table_id: TableId, late_ms: int) -> Room:
    """Return the room at the next player's turn, which the server sends that late."""
    room = await turns(process, time, table_id, 1)
    while room.table.phase != Phase.TURN:
        room = await let_go_by(process, time, table_id)
    time.now = room.clock.asked_at[room.table.turn] + late_ms
    return room


def assert_asked_again(asked: Room, after: Room, time: FakeTime) -> None:
    """Check that only the question of the player on turn was asked again."""
    assert after.version == asked.version + 1
    assert after.table == asked.table
    assert after.clock.asked_at[asked.table.turn] == time.now + after.meta.clock.lead_ms


def assert_whole(socket: FakeSocket, first: Room, last: Room) -> None:
    """Check that the socket has seen every event between the two rooms, each once and in order."""
    at = first.seq(socket.viewer)
    for frame in socket.frames:
        assert frame["t"] == "ev"
        assert frame["seq"] == at + len(frame["e"])
        at = frame["seq"]
    assert at == last.seq(socket.viewer)


async def test_own_commits_reach_local_sockets_at_once(
    single: tuple[Process, Hub, TableId], time: FakeTime
) -> None:
    process, hub, table_id = single
    first = await process.service.read_room(table_id)
    sockets = await join_all(hub, table_id)
    drop_notifications(hub)
    last = await turns(process, time, table_id, 12)
    for socket in sockets:
        assert_whole(socket, first, last)


async def test_commits_of_other_processes_arrive_by_notification(
    pair: Pair, time: FakeTime
) -> None:
    writer, hub, table_id, first, sockets = pair
    last = await turns(writer, time, table_id, 12)
    await wait_for(lambda: hub.room(table_id) == last)
    for socket in sockets:
        assert_whole(socket, first, last)


async def test_two_writing_processes_show_the_same_table(
    make_process: MakeProcess, time: FakeTime
) -> None:
    a, b = await make_process("a"), await make_process("b")
    hubs = [await a.hub(plain_frame), await b.hub(plain_frame)]
    table_id = await open_people_table(a)
    first = await a.service.read_room(table_id)
    sockets = [socket for hub in hubs for socket in await join_all(hub, table_id)]
    for turn in range(10):
        last = await turns((a, b)[turn % 2], time, table_id, 1)
    await wait_for(lambda: all(hub.room(table_id) == last for hub in hubs))
    for socket in sockets:
        assert_whole(socket, first, last)


async def test_regular_check_finds_commits_without_notification(pair: Pair, time: FakeTime) -> None:
    writer, hub, table_id, first, sockets = pair
    drop_notifications(hub)
    before = REGISTRY.get_sample_value("mahjong_unnotified_steps_total") or 0.0
    last = await turns(writer, time, table_id, 6)
    assert all(socket.frames == [] for socket in sockets)
    await hub.compare_heads([table_id])
    await wait_for(lambda: hub.room(table_id) == last)
    for socket in sockets:
        assert_whole(socket, first, last)
    counted = REGISTRY.get_sample_value("mahjong_unnotified_steps_total")
    assert counted == before + last.version - first.version


async def test_silent_subscription_is_reported(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.live.process.UNNOTIFIED_AFTER_S", 1.0)
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        proxies = RedisProxies(Path(directory), redis_server.url)
        proxy = proxies.add_proxy()
        process = Process(proxy.url)
        assert process.is_notified, "nothing needs notifications yet"
        await process.hub(plain_frame)
        await wait_for(lambda: process.is_notified)
        proxy.notifications = "silent"
        await wait_for(lambda: not process.is_notified)
        assert (REGISTRY.get_sample_value("mahjong_notification_age_seconds") or 0.0) >= 1.0
        proxy.notifications = "unchanged"
        await wait_for(lambda: process.is_notified, wait_s=20)
        await process.stop()
        proxies.close()


@pytest.mark.parametrize("late_ms", [300, 2_500])
async def test_question_sent_late_after_a_lost_notification_is_reopened(
    pair: Pair, time: FakeTime, late_ms: int
) -> None:
    writer, hub, table_id, _, sockets = pair
    drop_notifications(hub)
    asked = await ask_late(writer, time, table_id, late_ms)
    await hub.compare_heads([table_id])
    await wait_for(lambda: "tsumo" in sockets[asked.table.turn].types)
    if late_ms < QUESTION_DELAYED_MS:
        await asyncio.sleep(0.1)
        assert await writer.service.read_room(table_id) == asked
        return
    await wait_for(lambda: (hub.room(table_id) or asked).version > asked.version)
    after = await writer.service.read_room(table_id)
    assert_asked_again(asked, after, time)


async def test_question_sent_after_a_notification_is_not_reopened(
    pair: Pair, time: FakeTime
) -> None:
    writer, hub, table_id, _, _ = pair
    drop_notifications(hub)
    room = await turns(writer, time, table_id, 1)
    while room.table.phase != Phase.TURN:
        await notify(hub, room)
        room = await let_go_by(writer, time, table_id)
    time.now = room.clock.asked_at[room.table.turn] + 2_500
    await notify(hub, room)
    await asyncio.sleep(0.1)
    assert await writer.service.read_room(table_id) == room


async def test_question_found_by_another_joining_is_reopened(pair: Pair, time: FakeTime) -> None:
    writer, hub, table_id, _, _ = pair
    drop_notifications(hub)
    asked = await ask_late(writer, time, table_id, 2_500)
    await hub.join(table_id, FakeSocket(SPECTATOR))
    await wait_for(lambda: (hub.room(table_id) or asked).version > asked.version)
    after = await writer.service.read_room(table_id)
    assert_asked_again(asked, after, time)


async def test_joining_a_table_finds_commits_without_notification(
    pair: Pair, time: FakeTime
) -> None:
    writer, hub, table_id, first, sockets = pair
    drop_notifications(hub)
    last = await turns(writer, time, table_id, 1)
    hub.request_refresh(table_id)
    await wait_for(lambda: hub.room(table_id) == last)
    assert_whole(sockets[0], first, last)


async def test_doubled_and_late_notifications_do_nothing(
    single: tuple[Process, Hub, TableId], time: FakeTime
) -> None:
    process, hub, table_id = single
    first = await process.service.read_room(table_id)
    sockets = await join_all(hub, table_id)
    last = await turns(process, time, table_id, 3)
    for head in (first.head, last.head, first.head, last.head, "99:00"):
        hub.handle_notification(table_id, head)
        hub.request_refresh(table_id)
    await wait_for(lambda: not hub._table_tasks._tasks)
    for socket in sockets:
        assert_whole(socket, first, last)


async def test_late_subscriber_continues_from_its_room(
    make_process: MakeProcess, time: FakeTime
) -> None:
    writer, reader = await make_process("writer"), await make_process("reader")
    hub = await reader.hub(plain_frame)
    table_id = await open_people_table(writer)
    early, late = FakeSocket(0), FakeSocket(SPECTATOR)
    first = await hub.join(table_id, early)
    drop_notifications(hub)
    middle = await turns(writer, time, table_id, 3)
    given = await hub.join(table_id, late)
    assert given == middle
    assert_whole(early, first, middle)
    last = await turns(writer, time, table_id, 3)
    hub.request_refresh(table_id)
    await wait_for(lambda: hub.room(table_id) == last)
    assert_whole(early, first, last)
    assert_whole(late, given, last)


async def test_unsubscribed_socket_gets_nothing(
    single: tuple[Process, Hub, TableId], time: FakeTime
) -> None:
    process, hub, table_id = single
    stays, leaves = FakeSocket(0), FakeSocket(0)
    await hub.join(table_id, stays)
    await hub.join(table_id, leaves)
    hub.leave(table_id, leaves)
    await turns(process, time, table_id, 1)
    assert stays.frames
    assert not leaves.frames
    hub.leave(table_id, stays)
    assert not hub.follows(table_id)


async def test_answer_is_shown_to_its_seat_only(
    single: tuple[Process, Hub, TableId], time: FakeTime
) -> None:
    process, hub, table_id = single
    room = await process.service.read_room(table_id)
    while not (room.table.phase == Phase.CLAIMS and pending_seats(room.table)):
        room = await (
            discards_quietly(process, table_id)
            if room.table.phase == Phase.TURN
            else until_due(process, time, table_id)
        )
    sockets = await join_all(hub, table_id)
    seat = pending_seats(room.table)[0]
    await process.service.submit(
        table_id,
        seat=seat,
        cid="pass",
        step=room.table.step,
        action=quiet_answer(room, seat),
    )
    assert sockets[seat].types == ["answer"]
    assert all(not socket.frames for socket in sockets if socket.viewer != seat)


async def test_frames_are_encoded_once_for_each_viewer(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    written: list[int] = []

    def counting(kind: Any, room: Room, viewer: int, events: Any = ()) -> str:
        written.append(viewer)
        return plain_frame(kind, room, viewer, events)

    hub = await process.hub(counting)
    table_id = await open_people_table(process)
    sockets = [FakeSocket(viewer) for viewer in (0, 0, 0, SPECTATOR, SPECTATOR, SPECTATOR)]
    for socket in sockets:
        await hub.join(table_id, socket)
    await discards_quietly(process, table_id)
    assert len(written) == 2
    assert all(len(socket.frames) == 1 for socket in sockets)


async def test_changed_viewer_gets_every_frame_once(single: tuple[Process, Hub, TableId]) -> None:
    process, hub, table_id = single
    socket = FakeSocket(SPECTATOR)
    await hub.join(table_id, socket)
    socket.viewer = 0
    await hub.join(table_id, socket)
    await discards_quietly(process, table_id)
    assert len(socket.frames) == 1
    assert hub.spectator_count(table_id) == 0


async def test_failing_socket_does_not_affect_others(single: tuple[Process, Hub, TableId]) -> None:
    class Broken(FakeSocket):
        """A socket that fails when it is sent a frame."""

        def deliver(self, frame: str, seq: int) -> None:
            raise RuntimeError

    process, hub, table_id = single
    sockets: list[FakeSocket] = [Broken(0), FakeSocket(0), Broken(1), FakeSocket(2)]
    for socket in sockets:
        await hub.join(table_id, socket)
    await discards_quietly(process, table_id)
    assert len(sockets[1].frames) == len(sockets[3].frames) == 1


async def test_lost_commits_send_the_table_anew(make_process: MakeProcess, time: FakeTime) -> None:
    shown, other = await make_process("shown"), await make_process("other")
    hub = await shown.hub(plain_frame)
    table_id = await open_people_table(shown)
    keys = [key async for key in shown.redis.scan_iter(f"*{table_id}*")]
    saved = {key: await shown.redis.dump(key) for key in keys}
    sockets = await join_all(hub, table_id)
    lost = await turns(shown, time, table_id, 1)
    drop_notifications(hub)
    for key, value in saved.items():
        await shown.redis.restore(key, 0, value, replace=True)
    time.pass_ms(7)
    kept = await turns(other, time, table_id, 1)
    assert (kept.version, kept.token != lost.token) == (lost.version, True)
    assert hub.room(table_id) == lost
    await hub.compare_heads([table_id])
    await wait_for(lambda: hub.room(table_id) == kept)
    assert all(socket.frames[-1]["t"] == "sync" for socket in sockets)
    assert await turns(shown, time, table_id, 1) == await other.service.read_room(table_id)


async def test_hub_resubscribes_after_a_redis_restart(
    redis_server: RedisServer, time: FakeTime
) -> None:
    async with AsyncExitStack() as stack:
        writer = Process(redis_server.url, now_ms=time, name="writer")
        stack.push_async_callback(writer.stop)
        reader = Process(redis_server.url, now_ms=time, name="reader")
        stack.push_async_callback(reader.stop)
        await _resubscribe(redis_server, time, writer, reader)


async def _resubscribe(
    redis_server: RedisServer, time: FakeTime, writer: Process, reader: Process
) -> None:
    hub = await reader.hub(plain_frame)
    table_id = await open_people_table(writer)
    first = await writer.service.read_room(table_id)
    sockets = await join_all(hub, table_id)
    last = await turns(writer, time, table_id, 2)
    await wait_for(lambda: hub.room(table_id) == last)
    redis_server.kill()
    await wait_for(lambda: hub._notifications._is_broken)
    with pytest.raises(TablesUnavailable):
        await hub.join(TableId("another"), FakeSocket(0))
    redis_server.start()
    await wait_for(lambda: not hub._table_tasks._tasks and hub._notifications._pubsub is not None)
    last = await turns(writer, time, table_id, 3)
    await wait_for(lambda: hub.room(table_id) == last)
    for socket in sockets:
        assert_whole(socket, first, last)


async def test_commits_without_other_subscribers_are_not_published(
    make_process: MakeProcess, time: FakeTime
) -> None:
    writer, reader = await make_process("writer"), await make_process("reader")
    hub = await writer.hub(plain_frame)
    table_id = await open_people_table(writer)
    await join_all(hub, table_id)
    heads = list[str]()
    hub._notifications._on_change = lambda _, head: heads.append(head)

    async def heads_published_in_a_turn() -> list[str]:
        """Return the heads that the writer receives before an end mark."""
        heads.clear()
        await turns(writer, time, table_id, 1)
        await writer.redis.publish(TableKeys.of(table_id).channel, "end")
        await wait_for(lambda: heads[-1:] == ["end"])
        return heads[:-1]

    assert await heads_published_in_a_turn() == []
    assert hub._notifications.own_channel(TableId("another")) == ""
    others = await reader.hub(plain_frame)
    sockets = await join_all(others, table_id)
    first = await writer.service.read_room(table_id)
    assert await heads_published_in_a_turn() != [], "all subscribers use the same channel"
    last = await writer.service.read_room(table_id)
    await wait_for(lambda: others.room(table_id) == last)
    assert_whole(sockets[0], first, last)
    assert hub._notifications.own_channel(table_id) != ""
    hub._notifications._is_broken = True
    assert hub._notifications.own_channel(table_id) == ""


async def test_only_idle_tables_are_compared_with_the_store(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    hub = await process.hub(plain_frame)
    moving, standing = await open_people_table(process), await open_people_table(process)
    for table_id in (moving, standing):
        await join_all(hub, table_id)
    compared = Counter[TableId]()
    heads = process.store.read_heads

    async def counted(table_ids: Sequence[TableId]) -> list[str]:
        compared.update(table_ids)
        return await heads(table_ids)

    monkeypatch.setattr(process.store, "read_heads", counted)
    ends = monotonic() + 2.35 * CHECK_EVERY_S
    while monotonic() < ends:
        await turns(process, time, moving, 1)
        await asyncio.sleep(0.1)
    assert compared[moving] == 0
    assert compared[standing] == 2


async def test_failed_comparison_does_not_affect_other_tables(
    make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    hub = await process.hub(plain_frame)
    silent, other = await open_people_table(process), await open_people_table(process)
    for table_id in (silent, other):
        await join_all(hub, table_id)
    asked = list[TableId]()

    async def heads(table_ids: Sequence[TableId]) -> list[str]:
        asked.extend(table_ids)
        raise TablesUnavailable("the node of the table hangs")

    monkeypatch.setattr("game.live.hub.CHECKED_AT_ONCE", 1)
    monkeypatch.setattr(process.store, "read_heads", heads)
    for table_id in (silent, other):
        hub._checked_at[table_id] = 0.0
    await hub._compare_idle_tables()
    await wait_for(lambda: {*asked} == {silent, other})


async def test_tables_without_sockets_are_unsubscribed(
    single: tuple[Process, Hub, TableId],
) -> None:
    process, hub, table_id = single
    socket = FakeSocket(0)
    channel = TableKeys.of(table_id).channel
    await hub.join(table_id, socket)
    assert await process.redis.pubsub_numsub(channel) == [(channel.encode(), 1)]
    hub.leave(table_id, socket)
    hub._notifications.keep_only(hub.follows)
    for _ in range(100):
        if await process.redis.pubsub_numsub(channel) == [(channel.encode(), 0)]:
            break
        await asyncio.sleep(0.01)
    else:
        raise AssertionError("still listening")
    await hub.join(table_id, socket)
    assert await process.redis.pubsub_numsub(channel) == [(channel.encode(), 1)]
