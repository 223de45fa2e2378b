"""The clock of a round, and the actions of officials at a table, on a clock that the test moves."""

from __future__ import annotations

import json

import pytest

from game.engine.clock import ClockSettings, round_left_ms
from game.engine.perspective import SPECTATOR
from game.engine.state import Phase
from game.live import outbound
from game.live.process import Process
from game.tables.outcomes import Done, Refusal
from game.tables.requests import (
    ExtendRound,
    Hold,
    Notify,
    RepeatHand,
    Replace,
    Resume,
    TableRequest,
    Vote,
)
from game.tables.room import Room, SeatMeta, TableId, TableMeta, official_notice, read_notice
from game.tables.scheduler import due_at
from game.tables.settings import TableSettings
from tests.tables.staging import AT_ONCE, START, FakeTime, MakeProcess, until_due

pytestmark = pytest.mark.asyncio

MINUTE: int = 60_000
ROUND: int = 75 * MINUTE
UNLIMITED = ClockSettings(is_unlimited=True, base_ms=24 * 60 * MINUTE)
"""A clock by which nobody is late, so that only the round ends."""


async def open_with_round_clock(process: Process, clock: ClockSettings = UNLIMITED) -> TableId:
    seats = tuple(
        SeatMeta(f"p{at}", f"{at}" * 8 + "-0000-4000-8000-000000000000") for at in range(4)
    )
    return await process.service.open_table(
        TableMeta(seats=seats, clock=clock, settings=TableSettings(has_officials=True)),
        round_ms=ROUND,
    )


async def apply(process: Process, table_id: TableId, request: TableRequest) -> Room:
    outcome = await process.service.apply_request(table_id, request)
    assert isinstance(outcome, Done), outcome
    return outcome.room


async def test_time_ends_at_the_exact_millisecond(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    room = await process.service.read_room(table_id)
    assert due_at(room) == START + ROUND
    time.now = START + ROUND - 1
    await process.heartbeat.beat()
    await process.due_work.run(table_id)
    assert (await process.service.read_room(table_id)).table.last_hand == 0
    time.now += 1
    other = await make_process("another, which has never seen the table")
    await other.heartbeat.beat()
    await other.due_work.run(table_id)
    room = await process.service.read_room(table_id)
    assert (room.table.last_hand, room.clock.round_ends_at) == (2, 0)


async def test_pause_and_extension_move_the_end(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    time.now += 10 * MINUTE
    pause = official_notice("pause", "a spilled drink")
    room = await apply(process, table_id, Hold(180 * MINUTE, pause))
    time.now += 7 * MINUTE
    assert round_left_ms(room.clock, time.now) == 65 * MINUTE
    room = await apply(process, table_id, ExtendRound(5 * MINUTE, ""))
    assert round_left_ms(room.clock, time.now) == 70 * MINUTE
    other = await make_process("after a restart")
    room = await apply(other, table_id, Resume())
    assert room.clock.round_ends_at == START + ROUND + 12 * MINUTE
    await other.service.apply_request(table_id, ExtendRound(5 * MINUTE, ""))
    room = await other.service.read_room(table_id)
    assert room.clock.round_ends_at == START + ROUND + 12 * MINUTE, "an extension sent twice"
    room = await apply(other, table_id, ExtendRound(8 * MINUTE, ""))
    assert room.clock.round_ends_at == START + ROUND + 15 * MINUTE


async def test_game_ends_after_the_last_hand(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    bots = tuple(SeatMeta(f"b{at}", bot="tsumogiri") for at in range(4))
    table_id = await process.service.open_table(
        TableMeta(seats=bots, clock=AT_ONCE, settings=TableSettings(has_officials=True)), round_ms=1
    )
    time.now += 1
    room = await process.service.read_room(table_id)
    while room.table.phase != Phase.ENDED:
        room = await until_due(process, time, table_id)
    assert (room.table.hands_dealt, room.table.last_hand) == (2, 2)


async def test_extension_is_refused_when_the_time_is_over(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    time.now += ROUND
    await process.heartbeat.beat()
    await process.due_work.run(table_id)
    refused = await process.service.apply_request(table_id, ExtendRound(5 * MINUTE, ""))
    assert isinstance(refused, Refusal)
    assert refused.code == "time_up"


async def test_frame_has_the_clock_of_the_round(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    room = await process.service.read_room(table_id)

    def shown(one: Room) -> object:
        return json.loads(outbound.encode("sync", one, SPECTATOR))["requests"]["round"]

    assert shown(room) == {"ends_at": START + ROUND, "left_ms": ROUND, "last_hand": ""}
    time.now += MINUTE
    held = await apply(process, table_id, Hold(MINUTE, official_notice("pause", "light")))
    assert shown(held) == {"ends_at": 0, "left_ms": ROUND - MINUTE, "last_hand": ""}
    assert outbound.needs_sync(room, held)


async def test_players_of_a_tournament_do_not_vote_for_pauses(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    refused = await process.service.apply_request(table_id, Vote(0, "pause"))
    assert isinstance(refused, Refusal)
    assert refused.code == "officials"


async def test_hand_is_repeated_once(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    before = await process.service.read_room(table_id)
    notice = official_notice("repeat_hand", "a wrong call")
    room = await apply(process, table_id, RepeatHand(1, bytes(32), notice))
    assert (room.table.hands_dealt, room.table.kyoku, room.table.honba) == (2, 0, 0)
    assert room.table.wall != before.table.wall
    assert read_notice(room.notice) == ("repeat_hand", "a wrong call")
    entries = await process.service.store.read_entries(table_id, 1)
    assert len(entries) == 2
    again = await apply(process, table_id, RepeatHand(1, bytes(32), notice))
    assert again.version == room.version
    refused = await process.service.apply_request(table_id, RepeatHand(3, bytes(32), notice))
    assert isinstance(refused, Refusal)


async def test_notice_goes_with_the_next_hand(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    room = await apply(process, table_id, Notify(official_notice("penalty", "late")))
    assert read_notice(room.notice) == ("penalty", "late")
    requests = json.loads(outbound.encode("sync", room, 0))["requests"]
    assert (requests["official"], requests["notice"]) == ("penalty", "late")
    assert read_notice("The site restarts.") == ("", "The site restarts.")


async def test_seat_is_given_to_somebody_else(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_round_clock(process)
    substitute = SeatMeta("Sub", "99999999-0000-4000-8000-000000000000")
    room = await apply(process, table_id, Replace(2, substitute, ""))
    assert room.meta.seats[2] == substitute
    again = await apply(process, table_id, Replace(2, substitute, ""))
    assert again.version == room.version
    bot = SeatMeta("Bot", bot="sensible")
    assert (await apply(process, table_id, Replace(2, bot, ""))).is_bot(2)
