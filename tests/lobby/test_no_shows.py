"""A bot plays for players who do not come to their table in time, on a clock that the test
moves."""

from __future__ import annotations

from decimal import Decimal

import pytest
from channels.db import database_sync_to_async

from game.tables.room import TableId, read_notice
from lobby.events import rounds
from lobby.events.impartiality import Official
from lobby.events.live_tables import handle_no_shows
from lobby.events.results import penalty_points_of
from lobby.events.terms import change_terms
from lobby.models import Event, EventTable, Membership, Ruling
from lobby.play.backend import Backend
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import new_cup
from tests.tables.staging import FakeTime

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
MINUTE = 60_000


async def start_table(backend: Backend, **terms: object) -> tuple[Event, EventTable]:
    """Start a table whose players have ten minutes to come; those in the first three seats come."""
    _, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 4, no_show_minutes=10, **terms)
    await database_sync_to_async(rounds.start_round)(cup, 1)
    row = await EventTable.objects.select_related("event__club").aget()
    await rounds.open_table(backend, row)
    for seat in (0, 1, 2):
        await backend.process.service.add_socket(TableId(row.table_id), seat)
    await backend.process.service.remove_socket(TableId(row.table_id), 2)
    return cup, await EventTable.objects.select_related("event__club").aget()


async def test_bot_plays_for_a_player_who_is_not_in_time(backend: Backend, time: FakeTime) -> None:
    _, row = await start_table(backend, no_show="bot", substitute_points=Decimal("-30"))
    time.now += 10 * MINUTE - 1
    await handle_no_shows(backend, row)
    assert not await Ruling.objects.aexists()
    time.now += 1
    await handle_no_shows(backend, row)
    await handle_no_shows(backend, row)
    room = await backend.tables.room(row.table_id)
    assert room is not None
    assert [room.is_bot(seat) for seat in range(4)] == [False, False, False, True]
    assert read_notice(room.notice)[0] == "no_show"
    row = await EventTable.objects.aget()
    assert row.replacements["3"]["points"] == "-30.0"
    assert await Ruling.objects.filter(kind="no_show", by=None).acount() == 1


async def test_no_show_gets_one_penalty(backend: Backend, time: FakeTime) -> None:
    cup, row = await start_table(backend, no_show="penalty", no_show_points=Decimal("20"))
    time.now += 11 * MINUTE
    await handle_no_shows(backend, row)
    await handle_no_shows(backend, row)
    assert await Ruling.objects.acount() == 1
    assert sum((await database_sync_to_async(penalty_points_of)(cup)).values()) == 20
    room = await backend.tables.room(row.table_id)
    assert room is not None
    assert not any(room.is_bot(seat) for seat in range(4))


async def test_other_minutes_count_from_the_next_round_on(backend: Backend, time: FakeTime) -> None:
    cup, row = await start_table(backend)
    by = Official((await Membership.objects.select_related("person").aget()).person, "", {})
    await database_sync_to_async(change_terms)(cup, by, no_show_minutes=2)
    time.now += 10 * MINUTE - 1
    await handle_no_shows(backend, row)
    assert not await Ruling.objects.filter(kind="no_show").aexists()
    time.now += 1
    await handle_no_shows(backend, row)
    assert (await Ruling.objects.aget(kind="no_show")).reason == "10 min"
