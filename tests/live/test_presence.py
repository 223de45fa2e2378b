"""Time-outs treat late players, absent players, and players whom the server kept out
differently."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from game.engine.legal import pending_seats
from game.engine.state import Phase, Riichi
from game.engine.tiles import TEXT_TO_TILE
from game.live.process import Process, close_current, register_web_server
from game.tables.errors import TablesUnavailable
from game.tables.room import Room, TableId
from game.tables.scheduler import due_at, expires_at
from game.tables.timeouts import (
    LOST_AFTER_MS,
    RECONNECTS_WITHIN_MS,
    RETURNS_WITHIN_MS,
    count_open_sockets,
)
from tests.kit.traffic import Meter, Traffic
from tests.tables.staging import (
    USUAL_CLOCK,
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    wait_for,
)

pytestmark = pytest.mark.asyncio


async def stage_table(web: Process) -> tuple[TableId, Room, int]:
    """Stage a table whose players all have their sockets at `web`; the dealer is to discard."""
    table_id = await open_people_table(web)
    for seat in range(4):
        await web.service.add_socket(table_id, seat)
    room = await web.service.read_room(table_id)
    return table_id, room, room.table.turn


async def alive(process: Process, time: FakeTime, until: int, *others: Process) -> None:
    """Renew the heartbeats of these processes until that time."""
    while time.now < until:
        time.now = min(until, time.now + 500)
        for started in (process, *others):
            await started.heartbeat.beat()


async def count_sockets(process: Process, table_id: TableId, seat: int) -> int:
    heartbeats, sockets = await process.presence.read_sockets(table_id, [seat])
    return count_open_sockets(sockets[seat], heartbeats, process.heartbeat._now_ms())


async def run_due_work(worker: Process, table_id: TableId) -> Room:
    await worker.due_work.run(table_id)
    return await worker.service.read_room(table_id)


def check_nothing_is_due_on_arrival(
    monkeypatch: pytest.MonkeyPatch, web: Process, worker: Process
) -> None:
    """Let the worker run due work right after `web` has recorded an arrival, and check that nothing
    changes."""
    arrive = web.presence.arrive

    async def arrive_and_run(table_id: TableId, seat: int) -> bool:
        was_lost = await arrive(table_id, seat)
        before = await worker.service.read_room(table_id)
        assert (await run_due_work(worker, table_id)).table == before.table
        return was_lost

    monkeypatch.setattr(web.presence, "arrive", arrive_and_run)


async def test_nothing_happens_before_the_time_is_over(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, expires_at(room, seat) - 1)
    assert await run_due_work(worker, table_id) == room
    assert await worker.store.claim(now=time.now, lease_ms=9, at_most=9) == ([], time.now + 1)


async def test_late_player_discards_the_drawn_tile(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, expires_at(room, seat))
    await alive(worker, time, time.now)
    after = await run_due_work(worker, table_id)
    assert after.table.phase == Phase.CLAIMS
    assert after.clock.bank[seat] == 0
    assert not after.table.away[seat]


async def test_late_answer_before_the_time_out_counts(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, expires_at(room, seat) + 3_000)
    after = await discards_quietly(web, table_id)
    assert after.version == room.version + 1
    assert after.clock.bank[seat] == 0


async def test_absent_player_gets_a_stand_in_at_the_time_out(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    await alive(worker, time, expires_at(room, seat))
    after = await run_due_work(worker, table_id)
    assert after.table.away[seat]
    assert after.table.phase == Phase.CLAIMS


async def test_stand_in_plays_until_the_player_returns(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    await web.service.set_away(table_id, seat, True)
    away = await worker.service.read_room(table_id)
    assert due_at(away) == room.clock.asked_at[seat] + room.meta.clock.away_ms
    time.pass_ms(900)
    await web.service.add_socket(table_id, seat)
    back = await web.service.read_room(table_id)
    assert not back.table.away[seat]
    assert back.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms


async def test_player_kept_out_since_the_opening_is_asked_again(
    make_process: MakeProcess, time: FakeTime
) -> None:
    """The process that judges the player has started after the outage."""
    web = await make_process("web")
    await web.heartbeat.register()
    await web.heartbeat.beat()
    table_id = await open_people_table(web)
    room = await web.service.read_room(table_id)
    seat = room.table.turn
    time.now = expires_at(room, seat) + 100
    await web.heartbeat.beat()
    after = await run_due_work(await make_process("worker"), table_id)
    assert not after.table.away[seat]
    assert after.clock.asked_at[seat] > room.clock.asked_at[seat]


async def test_player_returning_during_the_handover_keeps_the_seat(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    await alive(worker, time, expires_at(room, seat))
    read_sockets = worker.presence.read_sockets

    async def read_and_return(*args: Any, **named: Any) -> Any:
        found = await read_sockets(*args, **named)
        await web.service.add_socket(table_id, seat)
        return found

    monkeypatch.setattr(worker.presence, "read_sockets", read_and_return)
    after = await run_due_work(worker, table_id)
    assert after.version == room.version + 2, "the seat was given to a stand-in and taken back"
    assert not after.table.away[seat]


async def test_answer_of_an_absent_player_returns_the_seat(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    table_id, _, seat = await stage_table(web)
    await web.service.set_away(table_id, seat, True)
    after = await discards_quietly(web, table_id)
    assert after.table.phase == Phase.CLAIMS
    assert not after.table.away[seat]


async def test_silent_process_suspends_time_outs(make_process: MakeProcess, time: FakeTime) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, time.now + 1_000)
    await alive(worker, time, expires_at(room, seat))
    assert await run_due_work(worker, table_id) == room
    assert await worker.store.claim(now=time.now, lease_ms=9, at_most=9) == ([], time.now + 500)


async def test_reconnecting_after_a_crash_costs_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(worker, time, expires_at(room, seat) - 1_000)
    reborn = await make_process("reborn")
    await reborn.service.add_socket(table_id, seat)
    after = await reborn.service.read_room(table_id)
    assert after.table == room.table
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms
    assert after.clock.bank == room.clock.bank


async def test_time_out_during_reconnecting_after_a_crash_costs_nothing(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(worker, time, expires_at(room, seat) + 1_000)
    reborn = await make_process("reborn")
    check_nothing_is_due_on_arrival(monkeypatch, reborn, worker)
    await reborn.service.add_socket(table_id, seat)
    after = await reborn.service.read_room(table_id)
    assert after.table == room.table
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms
    assert after.clock.bank == room.clock.bank
    await alive(reborn, time, expires_at(after, seat))
    assert (await run_due_work(worker, table_id)).table.phase == Phase.CLAIMS, "once is enough"


async def test_reconnecting_before_the_crash_is_noticed_costs_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, other = await make_process("web"), await make_process("other")
    table_id, room, seat = await stage_table(web)
    time.now = room.clock.asked_at[seat] + 100
    await web.heartbeat.beat()
    time.pass_ms(200)
    await other.service.add_socket(table_id, seat)
    assert await other.service.read_room(table_id) == room
    await other.heartbeat.beat()
    await alive(other, time, expires_at(room, seat))
    after = await run_due_work(other, table_id)
    assert after.table == room.table
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms
    await alive(other, time, expires_at(after, seat))
    assert (await run_due_work(other, table_id)).table.phase == Phase.CLAIMS


async def test_reconnecting_to_a_living_process_gains_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, other = await make_process("web"), await make_process("other")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, time.now + 3_000, other)
    await other.service.add_socket(table_id, seat)
    await other.service.remove_socket(table_id, seat)
    await web.service.remove_socket(table_id, seat)
    await web.service.add_socket(table_id, seat)
    assert await web.service.read_room(table_id) == room


async def test_player_is_absent_a_minute_after_a_crash(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    died_at = time.now
    await alive(worker, time, died_at + LOST_AFTER_MS - 500)
    assert await run_due_work(worker, table_id) == room
    await alive(worker, time, expires_at(room, seat) + LOST_AFTER_MS)
    after = await run_due_work(worker, table_id)
    assert after.table.away[seat]


async def test_player_replaced_in_an_outage_returns_after_it(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(worker, time, expires_at(room, seat) + LOST_AFTER_MS)
    assert (await run_due_work(worker, table_id)).table.away[seat]
    assert not await worker.presence.has_socket(table_id, seat)
    await web.heartbeat.beat()
    await web.presence.report_departures()
    await web.presence.report_again()
    assert await worker.presence.has_socket(table_id, seat)


async def test_players_have_a_minute_after_a_full_outage(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    table_id, room, _ = await stage_table(web)
    time.pass_ms(3_600_000)
    await web.redis.delete("heartbeat:web")
    worker = await make_process("worker")
    await alive(worker, time, time.now + LOST_AFTER_MS - 1_000)
    assert await run_due_work(worker, table_id) == room


async def test_question_is_reopened_after_a_hang(make_process: MakeProcess, time: FakeTime) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, time.now + 2_000)
    await alive(worker, time, expires_at(room, seat) + 5_000)
    await web.heartbeat.beat()
    after = await run_due_work(worker, table_id)
    assert after.table == room.table
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms
    assert after.clock.bank == room.clock.bank
    await alive(web, time, expires_at(after, seat))
    assert (await run_due_work(worker, table_id)).table.phase == Phase.CLAIMS


async def test_time_out_during_reconnecting_after_a_hang_costs_nothing(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (web, _), worker = (
        await receiving_processes(make_process, "web", "hung"),
        await make_process("worker"),
    )
    table_id, room, seat = await stage_table(web)
    await alive(web, time, time.now + 1_000, worker)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, expires_at(room, seat) + 1_000, worker)
    check_nothing_is_due_on_arrival(monkeypatch, web, worker)
    await web.service.add_socket(table_id, seat)
    after = await web.service.read_room(table_id)
    assert after.table == room.table
    assert after.clock.bank == room.clock.bank


async def test_hang_after_the_deadline_suspends_the_time_out(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, expires_at(room, seat), worker)
    await alive(worker, time, time.now + 2_000)
    after = await run_due_work(worker, table_id)
    assert after.table == room.table
    await alive(worker, time, expires_at(after, seat) + 2_000)
    assert await run_due_work(worker, table_id) == after
    await web.heartbeat.beat()
    assert (await run_due_work(worker, table_id)).clock.bank == room.clock.bank


async def test_moving_from_a_hung_process_costs_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, other, worker = [await make_process(name) for name in ("web", "other", "worker")]
    table_id, room, seat = await stage_table(web)
    await alive(web, time, room.clock.asked_at[seat], other, worker)
    await alive(other, time, expires_at(room, seat) + 1_000, worker)
    await web.service.remove_socket(table_id, seat)
    after = await run_due_work(worker, table_id)
    assert not after.table.away[seat]
    assert after.table == room.table
    await other.service.add_socket(table_id, seat)
    await alive(other, time, time.now + 1_000, worker)
    after = await discards_quietly(other, table_id)
    assert after.clock.bank[seat] == room.clock.bank[seat]


async def test_hang_is_not_charged_to_the_bank(make_process: MakeProcess, time: FakeTime) -> None:
    web = await make_process("web")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, room.clock.asked_at[seat])
    time.pass_ms(15_000)
    after = await discards_quietly(web, table_id)
    assert after.clock.bank[seat] == room.clock.bank[seat]


async def test_late_automatic_discard_in_riichi_costs_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    table_id, room, seat = await stage_table(web)
    tiles = [
        TEXT_TO_TILE[text]
        for text in ["2m", "3m", "4m", "7m", "8m", "2p", "3p", "4p", "2s", "3s", "4s", "6s", "6s"]
    ]
    hand = replace(room.table.hands[seat], tiles=tuple(tiles), riichi=Riichi.ACCEPTED)
    hands = (*room.table.hands[:seat], hand, *room.table.hands[seat + 1 :])
    table = replace(room.table, hands=hands, drawn=TEXT_TO_TILE["E"])
    web.rooms.advance(room, replace(room, table=table), ())
    await alive(web, time, room.clock.asked_at[seat] + 60_000)
    after = await run_due_work(web, table_id)
    assert after.table.phase == Phase.CLAIMS
    assert after.clock.bank == room.clock.bank


async def test_worker_outage_makes_no_player_absent(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    time.now = expires_at(room, seat)
    await worker.heartbeat.beat()
    after = await run_due_work(worker, table_id)
    assert not after.table.away[seat]
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms


async def test_one_of_two_sockets_keeps_the_player_present(
    make_process: MakeProcess, time: FakeTime
) -> None:
    a, b = await make_process("a"), await make_process("b")
    table_id, room, seat = await stage_table(a)
    await b.service.add_socket(table_id, seat)
    await a.service.remove_socket(table_id, seat)
    await alive(b, time, expires_at(room, seat))
    await alive(a, time, time.now)
    await a.heartbeat.beat()
    after = await run_due_work(a, table_id)
    assert after.table.phase == Phase.CLAIMS
    assert not after.table.away[seat]


async def test_closing_one_of_two_tabs_keeps_the_player_present(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    await web.service.add_socket(table_id, seat)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, expires_at(room, seat))
    await worker.heartbeat.beat()
    assert not (await run_due_work(worker, table_id)).table.away[seat]


async def test_sockets_are_counted_over_all_processes(
    make_process: MakeProcess, time: FakeTime
) -> None:
    a, b = await make_process("a"), await make_process("b")
    table_id, _, seat = await stage_table(a)
    await b.service.add_socket(table_id, seat)
    await b.service.add_socket(table_id, seat)
    assert await count_sockets(a, table_id, seat) == 3
    assert await count_sockets(b, table_id, seat) == 3
    assert await count_sockets(a, table_id, (seat + 1) % 4) == 1
    await b.service.remove_socket(table_id, seat)
    assert await count_sockets(a, table_id, seat) == 2
    time.pass_ms(5_000)
    await a.heartbeat.beat()
    assert await count_sockets(a, table_id, seat) == 1, "the other process is silent"
    await b.heartbeat.beat()
    await b.service.remove_socket(table_id, seat)
    await a.service.remove_socket(table_id, seat)
    assert await count_sockets(b, table_id, seat) == 0


async def test_server_shutdown_makes_no_player_absent(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, worker = await make_process("web"), await make_process("worker")
    table_id, room, seat = await stage_table(web)
    web.begin_stopping()
    await web.service.remove_socket(table_id, seat)
    await alive(worker, time, expires_at(room, seat))
    assert await run_due_work(worker, table_id) == room


async def test_stand_ins_answer_a_discard_within_the_pause(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web = await make_process("web")
    table_id, room, _ = await stage_table(web)
    for seat in range(4):
        await web.service.set_away(table_id, seat, True)
    seen = 0
    while seen < 3 and room.table.phase != Phase.RESULT:
        room = await web.service.read_room(table_id)
        due = due_at(room)
        assert due is not None
        if room.table.phase == Phase.CLAIMS and pending_seats(room.table):
            assert room.clock.closes_at - room.meta.clock.reaction_ms < due < room.clock.closes_at
            seen += 1
        await alive(web, time, due)
        await web.due_work.run(table_id)
    assert seen


async def receiving_processes(make_process: MakeProcess, *names: str) -> list[Process]:
    """Make processes that accept players."""
    made = [await make_process(name) for name in names]
    for process in made:
        process.heartbeat.accepts_players = True
        await process.heartbeat.beat()
        await process.heartbeat.register()
    return made


async def test_closing_a_socket_during_a_hang_keeps_the_player_present(
    make_process: MakeProcess, time: FakeTime
) -> None:
    (web, hung), worker = (
        await receiving_processes(make_process, "web", "hung"),
        await make_process("w"),
    )
    table_id, room, seat = await stage_table(web)
    hung_at = time.now
    await alive(web, time, time.now + 1_000, worker)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, hung_at + RECONNECTS_WITHIN_MS - 1, worker)
    assert time.now > expires_at(room, seat)
    assert await run_due_work(worker, table_id) == room, "the table waits for the hung process"
    await hung.heartbeat.beat()
    after = await run_due_work(worker, table_id)
    assert not after.table.away[seat]
    assert after.table == room.table
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms
    assert after.clock.bank == room.clock.bank
    await alive(web, time, expires_at(after, seat), worker, hung)
    assert (await run_due_work(worker, table_id)).table.away[seat], (
        "a player who does not return then is absent"
    )


async def test_window_at_a_hung_process_still_counts(
    make_process: MakeProcess, time: FakeTime
) -> None:
    (web, hung), worker = (
        await receiving_processes(make_process, "web", "hung"),
        await make_process("w"),
    )
    table_id, room, seat = await stage_table(hung)
    await alive(web, time, time.now + 2_000, worker)
    await web.presence.arrive(table_id, seat)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, expires_at(room, seat), worker)
    assert await run_due_work(worker, table_id) == room
    await hung.heartbeat.beat()
    after = await run_due_work(worker, table_id)
    assert not after.table.away[seat]
    assert after.clock.bank == room.clock.bank


async def test_player_who_could_come_to_another_process_is_absent_half_a_minute_after_a_hang(
    make_process: MakeProcess, time: FakeTime
) -> None:
    (web, _), worker = (
        await receiving_processes(make_process, "web", "hung"),
        await make_process("w"),
    )
    table_id, room, seat = await stage_table(web)
    began = time.now
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, began + RECONNECTS_WITHIN_MS - 1, worker)
    assert await run_due_work(worker, table_id) == room
    await alive(web, time, began + RECONNECTS_WITHIN_MS, worker)
    assert (await run_due_work(worker, table_id)).table.away[seat]


async def test_players_whom_no_process_lets_in_delay_their_table_once(
    make_process: MakeProcess, time: FakeTime
) -> None:
    """As players without a seat proof whose web server dies while the database is unavailable."""
    (web, other), worker = (
        await receiving_processes(make_process, "web", "other"),
        await make_process("w"),
    )
    table_id, room, _ = await stage_table(web)
    pauses = list[int]()
    while len(pauses) < 3 or not all(room.table.away):
        moved_at, version = time.now, room.version
        while room.version == version:
            await alive(other, time, time.now + 500, worker)
            room = await run_due_work(worker, table_id)
        pauses.append(time.now - moved_at)
    answer_ms = USUAL_CLOCK.base_ms + USUAL_CLOCK.bank_ms + USUAL_CLOCK.lag_ms
    assert pauses[0] == RECONNECTS_WITHIN_MS
    assert max(pauses[1:]) <= answer_ms + 2_000


async def test_hang_grants_extra_time_once(make_process: MakeProcess, time: FakeTime) -> None:
    web, hung = await receiving_processes(make_process, "web", "hung")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, time.now + 1_000)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, time.now + 3_000)
    await hung.heartbeat.beat()
    await web.service.add_socket(table_id, seat)
    given = await web.service.read_room(table_id)
    assert given.clock.asked_at[seat] > room.clock.asked_at[seat]
    for _ in range(3):
        await alive(web, time, time.now + 1_000, hung)
        await web.service.add_socket(table_id, seat)
        await web.service.remove_socket(table_id, seat)
        assert await web.service.read_room(table_id) == given


async def test_second_hang_grants_no_extra_time(make_process: MakeProcess, time: FakeTime) -> None:
    web, hung = await receiving_processes(make_process, "web", "hung")
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    await web.service.add_socket(table_id, seat)
    await alive(web, time, time.now + 1_000, hung)
    await alive(web, time, time.now + 3_000)
    await web.service.add_socket(table_id, seat)
    assert await web.service.read_room(table_id) == room


async def test_late_hang_does_not_keep_a_player_present(
    make_process: MakeProcess, time: FakeTime
) -> None:
    (web, hung), worker = (
        await receiving_processes(make_process, "web", "hung"),
        await make_process("w"),
    )
    table_id, room, seat = await stage_table(web)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, time.now + RETURNS_WITHIN_MS + 500, worker, hung)
    await alive(web, time, expires_at(room, seat), worker)
    assert (await run_due_work(worker, table_id)).table.away[seat]


async def test_clean_shutdown_delays_nobody(make_process: MakeProcess, time: FakeTime) -> None:
    (web, ends), worker = (
        await receiving_processes(make_process, "web", "ends"),
        await make_process("w"),
    )
    table_id, room, seat = await stage_table(web)
    await ends.heartbeat.stop()
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, expires_at(room, seat), worker)
    assert (await run_due_work(worker, table_id)).table.away[seat]


async def test_waiting_at_a_hung_process_costs_no_time(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, _ = await receiving_processes(make_process, "web", "hung")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, room.clock.asked_at[seat])
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, time.now + 4_000)
    await web.service.add_socket(table_id, seat)
    after = await web.service.read_room(table_id)
    assert after.clock.asked_at[seat] == time.now + room.meta.clock.lead_ms


async def test_early_reconnecting_gains_no_time_from_a_hang(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, _ = await receiving_processes(make_process, "web", "hung")
    table_id, room, seat = await stage_table(web)
    await alive(web, time, room.clock.asked_at[seat] + 2_000)
    await web.service.remove_socket(table_id, seat)
    await alive(web, time, time.now + 1_000)
    await web.service.add_socket(table_id, seat)
    assert await web.service.read_room(table_id) == room


async def test_expired_process_no_longer_counts_as_hung(
    make_process: MakeProcess, time: FakeTime
) -> None:
    web, _ = await receiving_processes(make_process, "web", "hung")
    assert len((await web.heartbeat.read((), with_accepting=True)).accepting) == 2
    time.pass_ms(601_000)
    await web.heartbeat.register()
    assert await web.redis.zrange("receiving", 0, -1) == [b"web"]


async def test_registered_web_server_is_known_to_accept_players(
    make_process: MakeProcess, redis_url: str, settings: Any
) -> None:
    settings.REDIS_URL = redis_url
    worker = await make_process("w")
    try:
        await register_web_server()
        assert len((await worker.heartbeat.read((), with_accepting=True)).accepting) == 1
    finally:
        await close_current()


async def test_failing_heartbeat_task_does_not_stop_the_others(
    make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = await make_process("web")
    done = list[str]()

    async def cannot_be() -> None:
        raise TablesUnavailable("the node of the heartbeat hangs")

    async def can_be() -> None:
        done.append("the last")

    web.heartbeat.accepts_players = True
    monkeypatch.setattr(web.heartbeat, "register", cannot_be)
    await web.heartbeat.start([cannot_be, can_be])
    await wait_for(lambda: done)


async def test_closing_many_sockets_together_takes_at_most_five_commands_each(
    make_process: MakeProcess, redis_url: str
) -> None:
    process = await make_process("a")
    seats = [(await open_people_table(process), seat) for _ in range(10) for seat in range(4)]
    for table_id, seat in seats:
        await process.presence.arrive(table_id, seat)
    meter, traffic = Meter(redis_url), Traffic()
    with meter.measure_into(traffic):
        await asyncio.gather(*(process.presence.leave(*seat) for seat in seats))
    meter.close()
    assert traffic.commands <= 5 * len(seats)
    assert not [seat for seat in seats if await process.presence.has_socket(*seat)]
