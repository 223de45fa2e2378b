"""Tables before their game, over Redis: games begin once, and nobody is in two places."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from game.live.lobby_api import PRESETS
from game.live.table_access import TableAccess
from game.tables.errors import TablesUnavailable
from game.tables.requests import Leave, Vote
from game.tables.room import Room, TableId
from lobby.matchmaking import player_location, queues
from lobby.matchmaking.player_location import Place
from lobby.matchmaking.queues import QUEUES
from lobby.matchmaking.search import seated, seek
from lobby.pregame import model, repository, services
from lobby.pregame.model import KEPT_AFTER_START_MS, KEPT_MS, No, PregameTable, Terms
from tests.lobby.conftest import NewHouse
from tests.lobby.test_queues import person
from tests.tables.staging import FakeTime

pytestmark = pytest.mark.django_db(transaction=True)

TERMS = Terms(rules=PRESETS["ema-2025"], clock="15+30", help=False, may_join=True)


async def made(
    house: TableAccess, *, host: int = 0, bots: int = 0, public: bool = True
) -> PregameTable:
    kinds = ["sensible"] * bots + [""] * (3 - bots)
    return await services.make(
        house,
        person=person(host),
        name=f"n{host}",
        terms=model.replace(TERMS, public=public),
        bots=(kinds[0], kinds[1], kinds[2]),
        password="",
    )


async def joined(house: TableAccess, gathering: PregameTable, *numbers: int) -> None:
    for number in numbers:
        outcome = await services.sit(house, gathering.id, person(number), f"n{number}")
        assert isinstance(outcome, PregameTable)


async def ready(house: TableAccess, gathering: PregameTable, *numbers: int) -> PregameTable:
    outcome: PregameTable | No = gathering
    for number in numbers:
        outcome = await services.get_ready(house, gathering.id, person(number), True)
    assert isinstance(outcome, PregameTable)
    return outcome


async def rooms(house: TableAccess) -> list[Room]:
    rows = await house.process.service.list_tables()
    return [await house.process.service.read_room(row.table_id) for row in rows]


async def over(house: TableAccess, room: Room) -> Room:
    """The players vote to end it."""
    for seat, meta in enumerate(room.meta.seats):
        if not meta.bot:
            await house.process.service.apply_request(room.table_id, Vote(seat, "end"))
    return await house.process.service.read_room(room.table_id)


class DyingBefore(TableAccess):
    async def open_game(self, plan: Any) -> None:
        raise TablesUnavailable("dies before")


class DyingAfter(TableAccess):
    async def open_game(self, plan: Any) -> None:
        await super().open_game(plan)
        raise TablesUnavailable("dies after")


async def test_the_game_begins_when_all_are_ready_as_it_was_agreed(house: TableAccess) -> None:
    gathering = await made(house, bots=2)
    await joined(house, gathering, 1)
    await ready(house, gathering, 0)
    assert await rooms(house) == []
    begun = await ready(house, gathering, 1)
    assert begun.is_open
    (room,) = await rooms(house)
    assert {seat.person for seat in room.meta.seats if seat.person} == {person(0), person(1)}
    assert room.table.rules == PRESETS["ema-2025"]
    assert (room.meta.clock.base_ms, room.meta.clock.bank_ms) == (15_000, 30_000)
    assert (room.meta.help, room.meta.may_join, room.meta.watch) == (False, True, "closed")
    for number in (0, 1):
        place = await player_location.place_of(house, person(number))
        assert place == Place("table", room.table_id)


async def test_of_two_who_press_at_once_in_two_processes_one_begins(new_house: NewHouse) -> None:
    houses = [await new_house() for _ in range(4)]
    gathering = await made(houses[0], bots=2)
    await joined(houses[0], gathering, 1)
    pressing = [
        services.get_ready(house, gathering.id, person(number), True)
        for house in houses
        for number in (0, 1, 0, 1)
    ]
    outcomes = await asyncio.gather(*pressing)
    (room,) = await rooms(houses[0])
    assert len(await houses[0].process.store.entries_from(TableId(room.table_id), 1)) == 1
    assert all(outcome == No("begun") or isinstance(outcome, PregameTable) for outcome in outcomes)


@pytest.mark.parametrize("dying", [DyingBefore, DyingAfter])
async def test_what_a_process_that_died_had_planned_is_carried_out_once(
    new_house: NewHouse, dying: type[TableAccess]
) -> None:
    house, other = await new_house(), await new_house()
    gathering = await made(house, bots=3)
    with pytest.raises(TablesUnavailable, match="dies"):
        await services.get_ready(dying(house.process), gathering.id, person(0), True)
    await asyncio.gather(*(services.all_looked_through(one) for one in (house, other) * 3))
    (room,) = await rooms(house)
    assert len(await house.process.store.entries_from(TableId(room.table_id), 1)) == 1
    found = await repository.found(house, gathering.id)
    assert found is not None
    assert found.is_open
    assert found.plan is not None
    assert found.plan.table_id == room.table_id


async def test_a_game_that_cannot_begin_keeps_no_other_from_it(
    house: TableAccess, caplog: pytest.LogCaptureFixture
) -> None:
    for number, terms in enumerate((TERMS, model.replace(TERMS, clock="of no kind"))):
        gathering = await made(house, host=number, bots=3)
        await repository.changed(
            house,
            gathering.id,
            lambda one, terms=terms, number=number: model.planned(  # type: ignore[misc]
                model.replace(
                    one,
                    terms=terms,
                    seats=tuple(model.replace(seat, is_ready=True) for seat in one.seats),
                ),
                f"table{number}",
                [0, 1, 2, 3],
            ),
        )
    await services.all_looked_through(house)
    assert [room.table_id for room in await rooms(house)] == ["table0"]
    assert "cannot begin" in caplog.text


async def test_a_table_nobody_came_to_disappears(house: TableAccess, time: FakeTime) -> None:
    gathering = await made(house)
    time.pass_ms(KEPT_MS - 1)
    assert await repository.found(house, gathering.id) is not None
    time.pass_ms(1)
    assert await repository.found(house, gathering.id) is None
    assert await services.get_ready(house, gathering.id, person(0), True) == repository.GONE
    assert await repository.all_of_them(house) == []


async def test_the_worker_lets_go_what_nobody_reads(house: TableAccess, time: FakeTime) -> None:
    await made(house)
    time.pass_ms(KEPT_MS)
    await services.all_looked_through(house)
    assert await house.call("KEYS", "g:*") == []
    assert await house.call("ZCARD", "gatherings") == 0


async def test_a_table_is_kept_while_somebody_sits_there_and_looks(
    house: TableAccess, time: FakeTime
) -> None:
    gathering = await made(house)
    for _ in range(4):
        time.pass_ms(KEPT_MS // 2)
        found = await repository.found(house, gathering.id)
        assert found is not None
        await services.look_after(house, found, person(0))
    time.pass_ms(KEPT_AFTER_START_MS)
    assert await repository.found(house, gathering.id) is None


async def test_everybody_may_leave_and_then_it_is_gone(house: TableAccess) -> None:
    gathering = await made(house)
    await joined(house, gathering, 1)
    await services.stand_up(house, gathering.id, person(0))
    found = await repository.found(house, gathering.id)
    assert found is not None
    assert found.host == person(1)
    assert await player_location.place_of(house, person(0)) is None
    assert await services.stand_up(house, gathering.id, person(1)) == repository.GONE
    assert await repository.found(house, gathering.id) is None


async def test_who_sits_down_elsewhere_leaves_where_they_were(house: TableAccess) -> None:
    first, second = await made(house, host=0), await made(house, host=1)
    await joined(house, first, 2)
    await joined(house, second, 2)
    found = await repository.found(house, first.id)
    assert found is not None
    assert found.people == (person(0),)
    await queues.entered(
        house, QUEUES["tenhou.east"], person=person(3), name="n", rating=0, bots_after_s=None
    )
    await joined(house, second, 3)
    assert (await queues.looked_at(house, QUEUES["tenhou.east"])).tickets == ()


async def test_who_looks_for_a_game_leaves_the_table(house: TableAccess) -> None:
    gathering = await made(house)
    await joined(house, gathering, 1)
    queue = QUEUES["tenhou.east"]
    assert await seek(house, queue, person=person(1), name="n", bots_after_s=None)
    found = await repository.found(house, gathering.id)
    assert found is not None
    assert found.people == (person(0),)


async def test_who_is_sent_away_is_nowhere(house: TableAccess) -> None:
    gathering = await made(house)
    await joined(house, gathering, 1)
    await services.send_away(house, gathering.id, person(0), 1)
    assert await player_location.place_of(house, person(1)) is None


async def test_seats_are_drawn_by_lot(house: TableAccess) -> None:
    """Of sixty hosts, some sit in each seat: one that stayed empty would be one chance in eight
    million."""
    seats = set[int]()
    for number in range(60):
        gathering = await made(house, host=number, bots=3)
        await ready(house, gathering, number)
    for room in await rooms(house):
        seats.update(seat for seat, who in enumerate(room.meta.seats) if who.person)
    assert seats == {0, 1, 2, 3}


async def test_only_who_was_let_in_may_know_of_a_private_table(house: TableAccess) -> None:
    gathering = await made(house, public=False)
    assert len(gathering.token) >= 22
    assert services.is_let_in(gathering, person(0), "")
    assert services.is_let_in(gathering, "", gathering.token)
    for token in ("", "x", gathering.token[:-1], gathering.token + "x"):
        assert not services.is_let_in(gathering, person(9), token)
    assert not gathering.is_listed
    assert services.is_let_in(await made(house), "", "")


async def test_of_all_who_want_a_rematch_there_is_one_and_they_keep_their_seats(
    new_house: NewHouse,
) -> None:
    houses = [await new_house() for _ in range(2)]
    gathering = await made(houses[0], bots=2)
    await joined(houses[0], gathering, 1)
    await ready(houses[0], gathering, 0, 1)
    (room,) = await rooms(houses[0])
    room = await over(houses[0], room)
    asking = [
        services.play_again(house, room, person(number)) for house in houses for number in (0, 1)
    ]
    outcomes = await asyncio.gather(*asking)
    ids = {outcome.id for outcome in outcomes if isinstance(outcome, PregameTable)}
    assert len(ids) == 1
    again = await repository.found(houses[0], ids.pop())
    assert again is not None
    assert again.plan is not None
    other = await houses[0].process.service.read_room(TableId(again.plan.table_id))
    assert other.meta.seats == room.meta.seats
    assert other.table.rules == room.table.rules
    assert other.meta.clock == room.meta.clock


async def test_who_is_asked_for_a_rematch_may_say_no_and_a_bot_may_come(house: TableAccess) -> None:
    gathering = await made(house, bots=2)
    await joined(house, gathering, 1)
    await ready(house, gathering, 0, 1)
    (room,) = await rooms(house)
    room = await over(house, room)
    asked = await services.play_again(house, room, person(0))
    assert isinstance(asked, PregameTable)
    assert asked.is_asked(person(1))
    assert asked.plan is None
    refused = await services.stand_up(house, asked.id, person(1))
    assert isinstance(refused, PregameTable)
    assert not refused.is_asked(person(1))
    seat = room.seat_of(person(1))
    assert seat is not None
    begun = await services.place_bot(house, asked.id, person(0), seat, "sensible")
    assert isinstance(begun, PregameTable)
    assert begun.is_open


async def test_a_stranger_gets_no_rematch(house: TableAccess) -> None:
    gathering = await made(house, bots=3)
    await ready(house, gathering, 0)
    (room,) = await rooms(house)
    assert await services.play_again(house, room, person(5)) == No("not_here")


async def test_a_seat_that_was_left_can_be_taken_where_the_table_lets_people(
    house: TableAccess,
) -> None:
    gathering = await made(house, bots=2)
    await joined(house, gathering, 1)
    await ready(house, gathering, 0, 1)
    (room,) = await rooms(house)
    seat = room.seat_of(person(1))
    assert seat is not None
    assert not await house.sit_down(room.table_id, seat, person(5), "n5")
    await house.process.service.apply_request(room.table_id, Leave(seat, "sensible"))
    taking = [
        house.sit_down(room.table_id, seat, person(number), f"n{number}") for number in (5, 6)
    ]
    assert sorted(await asyncio.gather(*taking)) == [False, True]
    bot = next(at for at, one in enumerate(room.meta.seats) if not one.person)
    assert not await house.sit_down(room.table_id, bot, person(7), "n7")


async def test_without_leave_of_the_table_nobody_takes_a_seat(house: TableAccess) -> None:
    await queues.entered(
        house, QUEUES["tenhou.east"], person=person(0), name="n", rating=0, bots_after_s=0
    )
    await queues.gone_on(house, QUEUES["tenhou.east"])
    (room,) = await rooms(house)
    seat = room.seat_of(person(0))
    assert seat is not None
    await house.process.service.apply_request(room.table_id, Leave(seat, "sensible"))
    assert not await house.sit_down(room.table_id, seat, person(5), "n5")


async def test_who_has_gone_without_a_word_is_not_ready_any_more(
    house: TableAccess, time: FakeTime
) -> None:
    gathering = await made(house)
    await joined(house, gathering, 1, 2, 3)
    await ready(house, gathering, 0, 1, 2)

    async def is_ready() -> list[bool]:
        await services.all_looked_through(house)
        found = await repository.found(house, gathering.id)
        assert found is not None
        return [seat.is_ready for seat in found.seats]

    for _ in range(4):  # one looks on, one comes back in time, one does not
        time.pass_ms(model.READY_KEPT_MS // 2)
        await services.look_after(house, gathering, person(0))
        if await is_ready() != [True, True, True, False]:
            break
        await services.look_after(house, gathering, person(1))
    assert await is_ready() == [True, True, False, False]
    assert not isinstance(await ready(house, gathering, 3), No)
    assert not await rooms(house), "three are ready, one of them has gone"
    assert (await ready(house, gathering, 2)).is_open
    time.pass_ms(10 * model.READY_KEPT_MS)
    await services.all_looked_through(house)
    assert len(await rooms(house)) == 1


async def test_bots_stay_ready(house: TableAccess, time: FakeTime) -> None:
    gathering = await made(house, bots=2)
    time.pass_ms(2 * model.READY_KEPT_MS)
    await services.all_looked_through(house)
    found = await repository.found(house, gathering.id)
    assert found is not None
    assert [seat.is_ready for seat in found.seats] == [False, True, True, False]


async def test_who_sits_down_at_a_running_table_waits_nowhere_else(house: TableAccess) -> None:
    gathering = await made(house)
    await joined(house, gathering, 1)
    await seated(house, person(1), "some-table")
    found = await repository.found(house, gathering.id)
    assert found is not None
    assert found.seat_of(person(1)) is None
    queue = QUEUES["tenhou.east"]
    await seek(house, queue, person=person(2), name="n2", bots_after_s=None)
    await seated(house, person(2), "some-table")
    assert not (await queues.looked_at(house, queue)).tickets
    for number in (1, 2):
        assert await player_location.place_of(house, person(number)) == Place("table", "some-table")
