"""Requests of players: pauses, the early end, leaving and taking seats."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.actions import Discard
from game.engine.clock import ClockSettings
from game.engine.events import GameEnded, HandDrawn
from game.engine.legal import pending_seats
from game.engine.state import Phase
from game.live.process import Process
from game.tables.outcomes import Done, Refusal
from game.tables.requests import PAUSE_MS, End, Hold, Leave, Remove, Resume, Sit, Vote
from game.tables.room import Room, SeatMeta, TableId, TableMeta
from game.tables.scheduler import due_at
from game.tables.settings import TableSettings
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    people,
    person_at,
    plain_frame,
    submit_quietly,
    until_due,
)

pytestmark = pytest.mark.asyncio

NEWCOMER = "99999999-0000-4000-8000-000000000000"


async def vote(process: Process, table_id: TableId, choice: str, *seats: int) -> Room:
    room = await process.service.read_room(table_id)
    for seat in seats:
        outcome = await process.service.apply_request(table_id, Vote(seat, choice))  # type: ignore[arg-type]
        assert isinstance(outcome, Done)
        room = outcome.room
    return room


# Pauses


async def test_a_pause_needs_the_votes_of_all_players(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=3)
    room = await vote(process, table_id, "pause", 0, 1)
    assert room.votes == ("pause", "pause", "", "")
    assert not room.clock.paused_at
    room = await vote(process, table_id, "pause", 2)
    assert room.clock.paused_at
    assert room.votes == ("", "", "", "")


async def test_a_vote_can_be_withdrawn(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await vote(process, table_id, "pause", 0)
    await vote(process, table_id, "", 0)
    room = await vote(process, table_id, "pause", 1)
    assert room.votes == ("", "pause", "", "")


async def test_one_player_can_decline_a_pause(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=3)
    await vote(process, table_id, "pause", 0, 1)
    room = await vote(process, table_id, "no_pause", 2)
    assert room.votes == ("", "", "", "")
    assert not room.clock.paused_at
    room = await vote(process, table_id, "no_pause", 2)
    assert room.votes == ("", "", "", "")


async def test_declining_one_proposal_leaves_the_other(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=3)
    await vote(process, table_id, "pause", 0)
    await vote(process, table_id, "end", 1)
    room = await vote(process, table_id, "no_pause", 2)
    assert room.votes == ("", "end", "", "")
    await vote(process, table_id, "pause", 0)
    room = await vote(process, table_id, "no_end", 2)
    assert room.votes == ("pause", "", "", "")


async def test_pause_cannot_be_proposed_during_a_pause(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await vote(process, table_id, "pause", 0, 1)
    room = await vote(process, table_id, "pause", 0)
    assert room.votes == ("", "", "", "")


async def test_player_who_has_left_cannot_decline(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=3)
    await process.service.apply_request(table_id, Leave(2))
    await vote(process, table_id, "pause", 0)
    refused = await process.service.apply_request(table_id, Vote(2, "no_pause"))
    assert isinstance(refused, Refusal)
    assert (await process.service.read_room(table_id)).votes == ("pause", "", "", "")


async def test_an_absent_player_has_no_vote(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await process.service.set_away(table_id, 1, True)
    assert (await vote(process, table_id, "pause", 0)).clock.paused_at


async def test_program_has_no_vote_and_plays_on(make_process: MakeProcess) -> None:
    """A program cannot vote, so people do not need its vote."""
    process = await make_process("a")
    seats = (
        SeatMeta("Anna", NEWCOMER),
        SeatMeta("BOT Manue", "11111111-0000-4000-8000-000000000000", is_program=True),
        SeatMeta("b2", bot="tsumogiri"),
        SeatMeta("b3", bot="tsumogiri"),
    )
    table_id = await process.service.open_table(TableMeta(seats=seats))
    assert (await vote(process, table_id, "pause", 0)).clock.paused_at
    outcome = await process.service.apply_request(table_id, Leave(0))
    assert isinstance(outcome, Done)
    assert outcome.room.table.phase != Phase.ENDED


async def test_paused_table_accepts_no_answer_and_is_not_due(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    room = await vote(process, table_id, "pause", 0)
    assert due_at(room) == time.now + PAUSE_MS
    refused = await submit_quietly(process.service, room)
    assert isinstance(refused, Refusal)
    assert refused.code == "paused"


async def test_player_who_has_left_cannot_end_a_pause(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await process.service.apply_request(table_id, Leave(1))
    await vote(process, table_id, "pause", 0)
    refused = await process.service.apply_request(table_id, Resume(1))
    assert isinstance(refused, Refusal)
    assert refused.code == "left"
    assert (await process.service.read_room(table_id)).clock.paused_at


async def test_pause_costs_no_time(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    before = await process.service.read_room(table_id)
    time.pass_ms(2_000)
    await vote(process, table_id, "pause", 0)
    time.pass_ms(60_000)
    outcome = await process.service.apply_request(table_id, Resume(1))
    assert isinstance(outcome, Done)
    after = outcome.room.clock
    assert not after.paused_at
    for seat in range(4):
        asked = before.clock.asked_at[seat]
        assert after.asked_at[seat] == (asked + 60_000 if asked else asked)
    assert after.bank == before.clock.bank
    assert isinstance(await submit_quietly(process.service, outcome.room), Done)


async def test_a_pause_ends_by_itself(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    await vote(process, table_id, "pause", 0)
    room = await until_due(process, time, table_id)
    assert not room.clock.paused_at


async def test_the_operator_can_stop_the_clocks(make_process: MakeProcess, time: FakeTime) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)
    outcome = await process.service.apply_request(table_id, Hold(30_000, "Soon"))
    assert isinstance(outcome, Done)
    assert due_at(outcome.room) == time.now + 30_000


async def test_stopped_clocks_send_the_table_to_everybody(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    hub = await process.hub(plain_frame)
    sockets = [FakeSocket(0), FakeSocket(-1)]
    for socket in sockets:
        await hub.join(table_id, socket)
    await vote(process, table_id, "pause", 0)
    for socket in sockets:
        assert [frame["t"] for frame in socket.frames] == ["sync"]


# The early end


async def test_all_players_can_end_the_game(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    room = await vote(process, table_id, "end", 0, 1)
    assert room.table.phase == Phase.ENDED
    assert sum(room.table.scores) == 100_000
    (drawn,) = room.table.results
    assert isinstance(drawn, HandDrawn)
    assert (drawn.reason, drawn.tehais) == ("abandoned", ((), (), (), ()))
    assert await process.due_work.run(table_id), "the game is due for the archive"


async def test_a_game_can_be_ended_while_it_is_paused(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    await vote(process, table_id, "pause", 0)
    room = await vote(process, table_id, "end", 0)
    assert room.table.phase == Phase.ENDED
    assert not room.clock.paused_at


async def test_requests_at_a_finished_table_are_refused(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    await vote(process, table_id, "end", 0)
    outcome = await process.service.apply_request(table_id, Vote(0, "pause"))
    assert isinstance(outcome, Refusal)
    assert outcome.code == "not_running"


async def open_rated_table(process: Process, people_count: int = 4) -> TableId:
    """Open a table whose game is rated for its people."""
    seats = people(people_count)
    rated = [bool(seat.person) for seat in seats]
    meta = TableMeta(
        seats=seats, ladder="tenhou.east_south", rated=(rated[0], rated[1], rated[2], rated[3])
    )
    return await process.service.open_table(meta)


@pytest.mark.parametrize("absence", ["away", "left", "removed"])
async def test_absent_player_of_a_rated_game_is_not_outvoted(
    make_process: MakeProcess, absence: str
) -> None:
    process = await make_process("a")
    table_id = await open_rated_table(process)
    await vote(process, table_id, "end", 3)
    if absence == "away":
        await process.service.set_away(table_id, 3, True)
    else:
        gone = Leave(3) if absence == "left" else Remove(person_at(3))
        await process.service.apply_request(table_id, gone)
    room = await vote(process, table_id, "end", 0, 1, 2)
    assert room.table.phase != Phase.ENDED
    if absence == "removed":
        return
    await process.service.add_socket(table_id, 3)
    room = await vote(process, table_id, "end", 3)
    assert room.table.phase == Phase.ENDED


async def test_all_who_began_a_rated_game_can_end_it(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_rated_table(process, 3)
    assert (await vote(process, table_id, "end", 0, 1)).table.phase != Phase.ENDED
    assert (await vote(process, table_id, "end", 2)).table.phase == Phase.ENDED


async def test_present_players_of_a_rated_game_can_pause_it(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_rated_table(process)
    await process.service.set_away(table_id, 3, True)
    assert (await vote(process, table_id, "pause", 0, 1, 2)).clock.paused_at


@pytest.mark.parametrize("is_removed", [False, True])
async def test_bots_play_a_rated_game_to_its_end(
    make_process: MakeProcess, time: FakeTime, is_removed: bool
) -> None:
    process = await make_process("a")
    table_id = await open_rated_table(process)
    for seat in range(4):
        gone = Remove(person_at(seat)) if is_removed else Leave(seat)
        await process.service.apply_request(table_id, gone)
    room = await process.service.read_room(table_id)
    assert room.table.phase == Phase.TURN
    assert (await until_due(process, time, table_id)).version > room.version
    await process.service.apply_request(table_id, End())
    assert (await process.service.read_room(table_id)).table.phase == Phase.ENDED


@pytest.mark.parametrize("event", [{"has_officials": True}, {"event": 1}])
async def test_game_of_an_event_does_not_end_when_its_players_leave(
    make_process: MakeProcess, event: dict[str, Any]
) -> None:
    process = await make_process("a")
    meta = TableMeta(seats=people(2), settings=TableSettings(**event))
    table_id = await process.service.open_table(meta)
    for seat in range(2):
        await process.service.apply_request(table_id, Leave(seat))
    assert (await process.service.read_room(table_id)).table.phase == Phase.TURN


# Leaving and taking seats


async def test_a_player_who_leaves_is_replaced_by_a_bot(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    outcome = await process.service.apply_request(table_id, Leave(0))
    assert isinstance(outcome, Done)
    room = outcome.room
    assert room.has_left(0)
    assert room.meta.seats[0].name == "p0"
    refused = await submit_quietly(process.service, room)
    assert isinstance(refused, Refusal)
    assert refused.code == "left"
    moved = await until_due(process, time, table_id)
    assert moved.version > room.version, "the bot has played"


async def test_a_returning_player_gets_the_seat_back(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await process.service.apply_request(table_id, Leave(0))
    await process.service.add_socket(table_id, 0)
    room = await process.service.read_room(table_id)
    assert not room.is_bot(0)
    assert isinstance(await submit_quietly(process.service, room), Done)


async def test_the_game_ends_when_the_last_player_leaves(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await process.service.apply_request(table_id, Leave(0))
    assert (await process.service.read_room(table_id)).table.phase != Phase.ENDED
    await process.service.apply_request(table_id, Leave(1))
    room = await process.service.read_room(table_id)
    assert room.table.phase == Phase.ENDED
    assert len(room.table.placement) == 4


async def test_person_takes_the_seat_of_a_bot(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    room = await process.service.read_room(table_id)
    seat = 3
    outcome = await process.service.apply_request(table_id, Sit(seat, NEWCOMER, "New"))
    assert isinstance(outcome, Done)
    assert outcome.room.seat_of(NEWCOMER) == seat
    assert outcome.room.table == room.table
    again = await process.service.apply_request(table_id, Sit(2, NEWCOMER, "New"))
    assert isinstance(again, Refusal)
    taken = await process.service.apply_request(table_id, Sit(0, "other", "Other"))
    assert isinstance(taken, Refusal)
    assert (again.code, taken.code) == ("seated", "seat_taken")


async def test_only_one_of_two_people_gets_a_free_seat(make_process: MakeProcess) -> None:
    a, b = await make_process("a"), await make_process("b")
    table_id = await open_people_table(a, count=3)
    await b.service.read_room(table_id)
    first = await a.service.apply_request(table_id, Sit(3, "one", "One"))
    second = await b.service.apply_request(table_id, Sit(3, "two", "Two"))
    assert isinstance(first, Done)
    assert isinstance(second, Refusal)


async def test_player_without_the_seat_sees_no_hand(make_process: MakeProcess) -> None:
    first, second = await make_process("here"), await make_process("there")
    table_id = await open_people_table(first, count=2)
    old, other = FakeSocket(0), FakeSocket(1)
    hub = await second.hub(plain_frame)
    for socket in (old, other):
        await hub.join(table_id, socket)
    await first.service.apply_request(table_id, Leave(0))
    await first.service.apply_request(table_id, Sit(0, NEWCOMER, "New"))
    await second.rooms.latest(table_id)
    shown = len(old.frames)
    assert old.is_unseated
    assert not other.is_unseated
    await discards_or_waits(first, table_id)
    await second.rooms.latest(table_id)
    assert len(old.frames) == shown
    assert len(other.frames) > 1


async def discards_or_waits(process: Process, table_id: TableId) -> None:
    room = await process.service.read_room(table_id)
    (seat,) = pending_seats(room.table)
    drawn = Discard(room.table.drawn, True)
    await process.service.submit(table_id, seat=seat, cid="on", step=room.table.step, action=drawn)


# Tables without a clock


async def test_table_without_a_clock_has_no_time_outs(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(
        process, clock=ClockSettings(is_unlimited=True, lead_ms=0, deal_ms=0)
    )
    seat = (await process.service.read_room(table_id)).table.turn
    await process.service.add_socket(table_id, seat)
    before = await process.service.read_room(table_id)
    await time_passes(process, time, table_id, 40)
    assert (await process.service.read_room(table_id)).version == before.version


async def test_absent_player_is_replaced_without_a_clock(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(
        process, clock=ClockSettings(is_unlimited=True, lead_ms=0, deal_ms=0)
    )
    await time_passes(process, time, table_id, 40)
    assert (await process.service.read_room(table_id)).table.away[0]


async def time_passes(process: Process, time: FakeTime, table_id: TableId, seconds: int) -> None:
    """Let time pass, second by second; the server stays alive and does the due work."""
    for _ in range(seconds):
        time.pass_ms(1_000)
        await process.heartbeat.beat()
        await process.due_work.run(table_id)


async def test_log_contains_seats_and_votes(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    await vote(process, table_id, "pause", 0)
    await process.service.apply_request(table_id, Leave(1))
    room = await discards_quietly(process, table_id)
    fresh = await make_process("fresh")
    assert await fresh.service.read_room(table_id) == room


async def test_early_end_is_sent_like_another_end(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=1)
    hub = await process.hub(plain_frame)
    socket = FakeSocket(-1)
    await hub.join(table_id, socket)
    await vote(process, table_id, "end", 0)
    assert socket.types[-1] == GameEnded.__struct_config__.tag
