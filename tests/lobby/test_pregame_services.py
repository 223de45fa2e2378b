"""Tables before their game, over Redis: games start once, and nobody has two places."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.db import database_sync_to_async

from game.engine.presets import PRESETS
from game.tables.errors import TablesUnavailable
from game.tables.requests import Leave, Vote
from game.tables.room import Room, TableId
from game.tables.settings import TableSettings
from lobby.play import player_location, pregame_services, pregame_store, queues
from lobby.play import pregame as model
from lobby.play.backend import Backend
from lobby.play.movements import move_to_queue, record_seat
from lobby.play.player_location import Location
from lobby.play.pregame import (
    EXPIRES_AFTER_MS,
    EXPIRES_AFTER_START_MS,
    PregameRefusal,
    PregameTable,
)
from lobby.play.queues import QUEUES
from lobby.play.table_access import TableAccess
from tests.lobby.backends import NewBackend, person_id
from tests.tables.staging import FakeTime

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = TableSettings(rules=PRESETS["ema-2025"], clock="15+30", help=False, may_join=True)


async def create_pregame(
    backend: Backend, *, host: int = 0, bots: int = 0, public: bool = True
) -> PregameTable:
    kinds = ["sensible"] * bots + [""] * (3 - bots)
    return await pregame_services.create_table(
        backend,
        person=person_id(host),
        name=f"n{host}",
        settings=model.replace(SETTINGS, public=public),
        bots=(kinds[0], kinds[1], kinds[2]),
    )


async def join(backend: Backend, pregame: PregameTable, *numbers: int) -> None:
    for number in numbers:
        outcome = await pregame_services.sit_down(
            backend, pregame.id, person_id(number), f"n{number}"
        )
        assert isinstance(outcome, PregameTable)


async def ready(backend: Backend, pregame: PregameTable, *numbers: int) -> PregameTable:
    outcome: PregameTable | PregameRefusal = pregame
    for number in numbers:
        outcome = await pregame_services.set_ready(backend, pregame.id, person_id(number), True)
    assert isinstance(outcome, PregameTable)
    return outcome


async def rooms(backend: Backend) -> list[Room]:
    rows = await backend.process.service.list_tables()
    return [await backend.process.service.read_room(row.table_id) for row in rows]


async def end_by_vote(backend: Backend, room: Room) -> Room:
    """Let the players vote to end the game; return the room after it."""
    for seat, meta in enumerate(room.meta.seats):
        if not meta.bot:
            await backend.process.service.apply_request(room.table_id, Vote(seat, "end"))
    return await backend.process.service.read_room(room.table_id)


class DyingBefore(TableAccess):
    """Access to tables that fails before the game is opened."""

    async def open_game(self, *plan: Any, **more: Any) -> None:
        raise TablesUnavailable("dies before")


class DyingAfter(TableAccess):
    """Access to tables that fails after the game has been opened."""

    async def open_game(self, *plan: Any, **more: Any) -> None:
        await super().open_game(*plan, **more)
        raise TablesUnavailable("dies after")


async def test_game_starts_with_the_agreed_terms_when_all_are_ready(backend: Backend) -> None:
    pregame = await create_pregame(backend, bots=2)
    await join(backend, pregame, 1)
    await ready(backend, pregame, 0)
    assert await rooms(backend) == []
    begun = await ready(backend, pregame, 1)
    assert begun.is_open
    (room,) = await rooms(backend)
    assert {seat.person for seat in room.meta.seats if seat.person} == {person_id(0), person_id(1)}
    assert room.table.rules == PRESETS["ema-2025"]
    assert (room.meta.clock.base_ms, room.meta.clock.bank_ms) == (15_000, 30_000)
    assert (room.meta.settings.help, room.meta.settings.may_join, room.meta.settings.watch) == (
        False,
        True,
        "closed",
    )
    for number in (0, 1):
        location = await player_location.find_location(backend, person_id(number))
        assert location == Location("table", room.table_id)


async def test_concurrent_ready_in_two_processes_starts_one_game(new_backend: NewBackend) -> None:
    backends = [await new_backend() for _ in range(4)]
    pregame = await create_pregame(backends[0], bots=2)
    await join(backends[0], pregame, 1)
    pressing = [
        pregame_services.set_ready(tables, pregame.id, person_id(number), True)
        for tables in backends
        for number in (0, 1, 0, 1)
    ]
    outcomes = await asyncio.gather(*pressing)
    (room,) = await rooms(backends[0])
    assert len(await backends[0].process.store.read_entries(TableId(room.table_id), 1)) == 1
    assert all(
        outcome == PregameRefusal("begun") or isinstance(outcome, PregameTable)
        for outcome in outcomes
    )


@pytest.mark.parametrize("fault", [DyingBefore, DyingAfter])
async def test_plan_of_a_dead_process_is_carried_out_once(
    new_backend: NewBackend, fault: type[TableAccess]
) -> None:
    backend, other = await new_backend(), await new_backend()
    pregame = await create_pregame(backend, bots=3)
    dying = Backend(backend.process)
    dying.tables = fault(backend.process.service, backend.process.redis)
    with pytest.raises(TablesUnavailable, match="dies"):
        await pregame_services.set_ready(dying, pregame.id, person_id(0), True)
    await asyncio.gather(*(pregame_services.check_tables(used) for used in (backend, other) * 3))
    (room,) = await rooms(backend)
    assert len(await backend.process.store.read_entries(TableId(room.table_id), 1)) == 1
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert found.is_open
    assert found.plan is not None
    assert found.plan.table_id == room.table_id


async def test_game_that_cannot_start_blocks_no_other(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    for number, chosen in enumerate((SETTINGS, model.replace(SETTINGS, clock="of no kind"))):
        pregame = await create_pregame(backend, host=number, bots=3)
        await pregame_store.update(
            backend,
            pregame.id,
            lambda pregame, chosen=chosen, number=number: model.plan_game(  # type: ignore[misc]
                model.replace(
                    pregame,
                    settings=chosen,
                    seats=tuple(model.replace(seat, is_ready=True) for seat in pregame.seats),
                ),
                f"table{number}",
                [0, 1, 2, 3],
            ),
        )
    await pregame_services.check_tables(backend)
    assert [room.table_id for room in await rooms(backend)] == ["table0"]
    assert "cannot start" in caplog.text


async def test_unused_table_expires(backend: Backend, time: FakeTime) -> None:
    pregame = await create_pregame(backend)
    time.pass_ms(EXPIRES_AFTER_MS - 1)
    assert await pregame_store.find(backend, pregame.id) is not None
    time.pass_ms(1)
    assert await pregame_store.find(backend, pregame.id) is None
    assert (
        await pregame_services.set_ready(backend, pregame.id, person_id(0), True)
        == pregame_store.GONE
    )
    assert await pregame_store.list_all(backend) == []


async def test_worker_removes_expired_tables(backend: Backend, time: FakeTime) -> None:
    await create_pregame(backend)
    time.pass_ms(EXPIRES_AFTER_MS)
    await pregame_services.check_tables(backend)
    assert await backend.call("KEYS", "pregame:*") == []
    assert await backend.call("ZCARD", "pregame-tables") == 0


async def test_table_is_kept_while_a_seated_player_has_it_open(
    backend: Backend, time: FakeTime
) -> None:
    pregame = await create_pregame(backend)
    for _ in range(4):
        time.pass_ms(EXPIRES_AFTER_MS // 2)
        found = await pregame_store.find(backend, pregame.id)
        assert found is not None
        await pregame_services.keep_alive(backend, found, person_id(0))
    time.pass_ms(EXPIRES_AFTER_START_MS)
    assert await pregame_store.find(backend, pregame.id) is None


async def test_table_ends_when_all_have_left(backend: Backend) -> None:
    pregame = await create_pregame(backend)
    await join(backend, pregame, 1)
    await pregame_services.leave_table(backend, pregame.id, person_id(0))
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert found.host == person_id(1)
    assert await player_location.find_location(backend, person_id(0)) is None
    assert (
        await pregame_services.leave_table(backend, pregame.id, person_id(1)) == pregame_store.GONE
    )
    assert await pregame_store.find(backend, pregame.id) is None


async def test_sitting_down_elsewhere_leaves_the_first_table(backend: Backend) -> None:
    first, second = await create_pregame(backend, host=0), await create_pregame(backend, host=1)
    await join(backend, first, 2)
    await join(backend, second, 2)
    found = await pregame_store.find(backend, first.id)
    assert found is not None
    assert found.people == (person_id(0),)
    await queues.enter_queue(
        backend, QUEUES["tenhou.east"], person=person_id(3), name="n", rating=0, bots_after_s=None
    )
    await join(backend, second, 3)
    assert (await queues.read_queue(backend, QUEUES["tenhou.east"])).tickets == ()


async def test_entering_a_queue_leaves_the_table(backend: Backend) -> None:
    pregame = await create_pregame(backend)
    await join(backend, pregame, 1)
    queue = QUEUES["tenhou.east"]
    assert await move_to_queue(backend, queue, person=person_id(1), name="n", bots_after_s=None)
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert found.people == (person_id(0),)


async def test_removed_player_has_no_place(backend: Backend) -> None:
    pregame = await create_pregame(backend)
    await join(backend, pregame, 1)
    await pregame_services.remove_player(backend, pregame.id, person_id(0), 1)
    assert await player_location.find_location(backend, person_id(1)) is None


async def test_seats_are_drawn_by_lot(backend: Backend) -> None:
    """Of sixty hosts, some sit in each seat. An empty seat has a probability of one in eight
    million."""
    seats = set[int]()
    for number in range(60):
        pregame = await create_pregame(backend, host=number, bots=3)
        await ready(backend, pregame, number)
    for room in await rooms(backend):
        seats.update(seat for seat, meta in enumerate(room.meta.seats) if meta.person)
    assert seats == {0, 1, 2, 3}


async def test_private_table_is_visible_to_members_only(backend: Backend) -> None:
    pregame = await create_pregame(backend, public=False)
    assert len(pregame.token) >= 22
    assert await database_sync_to_async(pregame_services.can_see)(pregame, person_id(0), "")
    assert await database_sync_to_async(pregame_services.can_see)(pregame, "", pregame.token)
    for token in ("", "x", pregame.token[:-1], pregame.token + "x"):
        assert not await database_sync_to_async(pregame_services.can_see)(
            pregame, person_id(9), token
        )
    assert not pregame.is_listed
    assert await database_sync_to_async(pregame_services.can_see)(
        await create_pregame(backend), "", ""
    )


async def test_concurrent_rematch_requests_make_one_table_with_the_same_seats(
    new_backend: NewBackend,
) -> None:
    backends = [await new_backend() for _ in range(2)]
    pregame = await create_pregame(backends[0], bots=2)
    await join(backends[0], pregame, 1)
    await ready(backends[0], pregame, 0, 1)
    (room,) = await rooms(backends[0])
    room = await end_by_vote(backends[0], room)
    asking = [
        pregame_services.start_rematch(tables, room, person_id(number))
        for tables in backends
        for number in (0, 1)
    ]
    outcomes = await asyncio.gather(*asking)
    ids = {outcome.id for outcome in outcomes if isinstance(outcome, PregameTable)}
    assert len(ids) == 1
    again = await pregame_store.find(backends[0], ids.pop())
    assert again is not None
    assert again.plan is not None
    other = await backends[0].process.service.read_room(TableId(again.plan.table_id))
    assert other.meta.seats == room.meta.seats
    assert other.table.rules == room.table.rules
    assert other.meta.clock == room.meta.clock


async def test_rematch_can_be_declined_and_a_bot_takes_the_seat(backend: Backend) -> None:
    pregame = await create_pregame(backend, bots=2)
    await join(backend, pregame, 1)
    await ready(backend, pregame, 0, 1)
    (room,) = await rooms(backend)
    room = await end_by_vote(backend, room)
    asked = await pregame_services.start_rematch(backend, room, person_id(0))
    assert isinstance(asked, PregameTable)
    assert asked.is_invited(person_id(1))
    assert asked.plan is None
    refused = await pregame_services.leave_table(backend, asked.id, person_id(1))
    assert isinstance(refused, PregameTable)
    assert not refused.is_invited(person_id(1))
    seat = room.seat_of(person_id(1))
    assert seat is not None
    begun = await pregame_services.place_bot(backend, asked.id, person_id(0), seat, "sensible")
    assert isinstance(begun, PregameTable)
    assert begun.is_open


async def test_stranger_gets_no_rematch(backend: Backend) -> None:
    pregame = await create_pregame(backend, bots=3)
    await ready(backend, pregame, 0)
    (room,) = await rooms(backend)
    assert await pregame_services.start_rematch(backend, room, person_id(5)) == PregameRefusal(
        "not_here"
    )


async def test_left_seat_can_be_taken_if_the_table_allows_it(backend: Backend) -> None:
    pregame = await create_pregame(backend, bots=2)
    await join(backend, pregame, 1)
    await ready(backend, pregame, 0, 1)
    (room,) = await rooms(backend)
    seat = room.seat_of(person_id(1))
    assert seat is not None
    assert not await backend.tables.sit_down(room.table_id, seat, person_id(5), "n5")
    await backend.process.service.apply_request(room.table_id, Leave(seat))
    taking = [
        backend.tables.sit_down(room.table_id, seat, person_id(number), f"n{number}")
        for number in (5, 6)
    ]
    assert sorted(await asyncio.gather(*taking)) == [False, True]
    bot = next(at for at, meta in enumerate(room.meta.seats) if not meta.person)
    assert not await backend.tables.sit_down(room.table_id, bot, person_id(7), "n7")


async def test_left_seat_cannot_be_taken_otherwise(backend: Backend) -> None:
    await queues.enter_queue(
        backend, QUEUES["tenhou.east"], person=person_id(0), name="n", rating=0, bots_after_s=0
    )
    await queues.process_queue(backend, QUEUES["tenhou.east"])
    (room,) = await rooms(backend)
    seat = room.seat_of(person_id(0))
    assert seat is not None
    await backend.process.service.apply_request(room.table_id, Leave(seat))
    assert not await backend.tables.sit_down(room.table_id, seat, person_id(5), "n5")


async def test_absent_player_is_not_ready(backend: Backend, time: FakeTime) -> None:
    pregame = await create_pregame(backend)
    await join(backend, pregame, 1, 2, 3)
    await ready(backend, pregame, 0, 1, 2)

    async def is_ready() -> list[bool]:
        await pregame_services.check_tables(backend)
        found = await pregame_store.find(backend, pregame.id)
        assert found is not None
        return [seat.is_ready for seat in found.seats]

    for _ in range(4):  # player 0 stays, player 1 returns in time, player 2 does not
        time.pass_ms(model.UNREADY_AFTER_MS // 2)
        await pregame_services.keep_alive(backend, pregame, person_id(0))
        if await is_ready() != [True, True, True, False]:
            break
        await pregame_services.keep_alive(backend, pregame, person_id(1))
    assert await is_ready() == [True, True, False, False]
    assert not isinstance(await ready(backend, pregame, 3), PregameRefusal)
    assert not await rooms(backend), "three are ready, but player 2 is absent"
    assert (await ready(backend, pregame, 2)).is_open
    time.pass_ms(10 * model.UNREADY_AFTER_MS)
    await pregame_services.check_tables(backend)
    assert len(await rooms(backend)) == 1


async def test_bots_stay_ready(backend: Backend, time: FakeTime) -> None:
    pregame = await create_pregame(backend, bots=2)
    time.pass_ms(2 * model.UNREADY_AFTER_MS)
    await pregame_services.check_tables(backend)
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert [seat.is_ready for seat in found.seats] == [False, True, True, False]


async def test_taking_a_seat_at_a_running_table_leaves_the_queue(backend: Backend) -> None:
    pregame = await create_pregame(backend)
    await join(backend, pregame, 1)
    await record_seat(backend, person_id(1), "some-table")
    found = await pregame_store.find(backend, pregame.id)
    assert found is not None
    assert found.seat_of(person_id(1)) is None
    queue = QUEUES["tenhou.east"]
    await move_to_queue(backend, queue, person=person_id(2), name="n2", bots_after_s=None)
    await record_seat(backend, person_id(2), "some-table")
    assert not (await queues.read_queue(backend, queue)).tickets
    for number in (1, 2):
        assert await player_location.find_location(backend, person_id(number)) == Location(
            "table", "some-table"
        )
