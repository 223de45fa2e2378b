"""Tournaments of clubs: entrants, rounds that start exactly once, seats and standings."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.clubs import members
from lobby.events import results, rounds
from lobby.models import ClubGame, Event, EventPlayer, EventTable, Person, Ruling
from lobby.play.backend import current_backend
from lobby.play.player_location import Location, find_location
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, POINTS, finish_round, new_cup, rooms_of, tables_of
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_members_take_part_until_the_first_round() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "ema-2025"}
    form |= {"rounds": "2", "method": "balanced", "fill": "bots"}
    answer = await officer.post(f"/clubs/{club.slug}/events/new/?format=rounds", form)
    assert answer.headers["Location"] == PATH
    member, ben = await account("Ben")
    await enrol(club, ben)
    for browser in (officer, member):
        await browser.post(f"{PATH}enter/", {"do": "enter"})
    await member.post(f"{PATH}enter/", {"do": "withdraw"})
    assert [name async for name in EventPlayer.objects.values_list("person__name", flat=True)] == [
        "Anna"
    ]
    await member.post(f"{PATH}enter/", {"do": "enter"})
    await database_sync_to_async(members.leave)(club, ben)
    assert await EventPlayer.objects.acount() == 1
    answer = await officer.post(f"{PATH}round/", {"round": "1"})
    assert answer.headers["Location"] == f"{PATH}?note=seats"
    cup = await Event.objects.aget()
    for number in range(3):
        person = await Person.objects.acreate(name=f"Player {number}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    await officer.post(f"{PATH}round/", {"round": "1"})
    answer = await officer.post(f"{PATH}enter/", {"do": "withdraw"})
    assert answer.headers["Location"] == f"{PATH}?note=begun"
    assert await EventPlayer.objects.acount() == 4
    assert "Your table is ready." in text_of(await officer.get(PATH))


SEATS_OF_TWO_ROUNDS = "1,1,1,2,3,4\n1,2,5,6,7,8\n2,1,1,5,2,6\n2,2,3,7,4,8\n"


async def test_prescribed_seats_are_played_as_written() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "ema-2025", "fill": "bots"}
    form |= {"rounds": "2", "method": "prescribed", "prescribed": SEATS_OF_TWO_ROUNDS}
    for wrong, text in (
        ({"prescribed": "1,1,1,2,3,3\n"}, "round 1 seats player 3 twice"),
        ({"prescribed": ""}, "the rounds have to be numbered from 1"),
        ({"rounds": "3"}, "The seats are for another number of rounds: 2."),
    ):
        answer = await officer.post(
            f"/clubs/{club.slug}/events/new/?format=rounds", {**form, **wrong}
        )
        assert answer.status_code == 422
        assert text in text_of(answer)
    answer = await officer.post(f"/clubs/{club.slug}/events/new/?format=rounds", form)
    assert answer.headers["Location"] == PATH
    cup = await Event.objects.aget()
    for number in range(8):
        if number == 4:  # four entrants, and seats for eight
            answer = await officer.post(f"{PATH}round/", {"round": "1"})
            assert answer.headers["Location"] == f"{PATH}?note=prescribed"
        person = await Person.objects.acreate(name=f"Player {number}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    await officer.post(f"{PATH}round/", {"round": "1"})
    await finish_round(cup, 1)
    await officer.post(f"{PATH}round/", {"round": "2"})
    seats = [[row.seats for row in await tables_of(cup, number)] for number in (1, 2)]
    assert seats == [[[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 5, 2, 6], [3, 7, 4, 8]]]


async def test_interval_seats_the_places_of_the_standings_apart() -> None:
    _, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 8, rounds=2, method="interval")
    await database_sync_to_async(rounds.start_round)(cup, 1)
    await finish_round(cup, 1)
    standing = [
        row.player for row in (await database_sync_to_async(results.standings_of)(cup)).rows
    ]
    numbers = {
        str(entrant.person_id): entrant.number
        async for entrant in EventPlayer.objects.filter(event=cup)
    }
    order = [numbers[player] for player in standing]
    await database_sync_to_async(rounds.start_round)(cup, 2)
    tables = [set(row.seats) for row in await tables_of(cup, 2)]
    assert tables == [set(order[0::2]), set(order[1::2])]


async def test_round_opens_each_table_once_with_its_seats() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna, is_public=False)
    cup = await new_cup(club, 16)
    for _ in range(3):
        await officer.post(f"{PATH}round/", {"round": "1"})
    rows = await tables_of(cup, 1)
    assert len(rows) == 4
    assert sorted(number for row in rows for number in row.seats) == list(range(1, 17))
    assert all(row.is_open for row in rows)
    people = {entrant.number: str(entrant.person_id) async for entrant in EventPlayer.objects.all()}
    backend = await current_backend()
    for row, room in zip(rows, await rooms_of(rows), strict=True):
        assert [seat.person for seat in room.meta.seats] == [people[seat] for seat in row.seats]
        assert (room.table.rules.name, room.meta.settings.public, room.meta.settings.help) == (
            "ema-2025",
            False,
            False,
        )
        for number in row.seats:
            assert await find_location(backend, people[number]) == Location("table", row.table_id)
    assert await ClubGame.objects.filter(club=club).acount() == 4


async def test_worker_opens_the_round_after_a_crash() -> None:
    """The process stops between two steps; the worker then completes the round."""
    _, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 12, method="random")
    await database_sync_to_async(rounds.start_round)(
        cup, 1
    )  # the process dies before it opens a table
    rows = await tables_of(cup, 1)
    assert [room is None for room in await rooms_of(rows)] == [True] * 3
    backend = await current_backend()
    row = await EventTable.objects.select_related("event__club").aget(pk=rows[0].pk)
    await rounds.open_table(backend, row)
    # The process dies before it records the open table.
    await EventTable.objects.filter(pk=row.pk).aupdate(is_open=False)
    heads = [room.head for room in await rooms_of(rows[:1])]
    await rounds.open_planned_tables()
    await rounds.open_planned_tables()
    await database_sync_to_async(rounds.start_round)(cup, 1)
    rows = await tables_of(cup, 1)
    assert len(rows) == 3
    assert all(row.is_open for row in rows)
    rooms = await rooms_of(rows)
    assert [room.table_id for room in rooms] == [row.table_id for row in rows]
    assert rooms[0].head == heads[0]
    assert await ClubGame.objects.acount() == 3


async def test_ids_of_tables_follow_from_a_key(settings: Any) -> None:
    ids = {rounds.table_id(1, number, table) for number in (1, 2) for table in (1, 2, 3)}
    assert len(ids) == 6
    assert rounds.table_id(1, 1, 1) in ids
    assert all(len(table_id) * 6 >= 96 for table_id in ids)
    settings.SECRET_KEY = "another key"
    assert rounds.table_id(1, 1, 1) not in ids


async def test_next_round_begins_when_all_tables_are_over() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 16)
    await officer.post(f"{PATH}round/", {"round": "1"})
    assert "Start round 2" not in text_of(await officer.get(PATH))
    answer = await officer.post(f"{PATH}round/", {"round": "2"})
    assert answer.headers["Location"] == f"{PATH}?note=running"
    answer = await officer.post(f"{PATH}round/", {"round": "3"})
    assert answer.headers["Location"] == f"{PATH}?note=over"
    for number in (1, 2, 3):
        await officer.post(f"{PATH}round/", {"round": str(number)})
        await finish_round(cup, number)
    answer = await officer.post(f"{PATH}round/", {"round": "4"})
    assert answer.headers["Location"] == f"{PATH}?note=over"
    assert "Start round" not in text_of(await officer.get(PATH))
    met = [
        frozenset(pair)
        for number in (1, 2, 3)
        for row in await tables_of(cup, number)
        for pair in combinations(row.seats, 2)
    ]
    assert len(met) == len(set(met)) == 3 * 4 * 6
    data = (await AsyncClient().get(f"{PATH}standings.json")).json()
    tables = [table for one in data["rounds"] for table in one["tables"]]
    assert len(tables) == 12
    recount: dict[str, Decimal] = {}
    for table in tables:
        for seat, player in enumerate(table["players"]):
            recount[player] = recount.get(player, Decimal(0)) + POINTS[seat]
    assert {row["player"]: Decimal(row["points"]) for row in data["standings"]} == recount
    assert sum(recount.values()) == 0
    for row in data["standings"]:
        better = [points for points in recount.values() if points > recount[row["player"]]]
        assert row["place"] == 1 + len(better)


async def test_finished_tables_show_their_results_and_the_list_its_state() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 4, rounds=1)
    listed = f"/clubs/{club.slug}/events/"
    assert "1 round" in text_of(await officer.get(listed))
    await officer.post(f"{PATH}round/", {"round": "1"})
    assert "running" in text_of(await officer.get(listed))
    page = text_of(await officer.get(f"/clubs/{club.slug}/"))
    assert "Autumn Cup · Table 1" in re.sub("<[^>]+>", "", page)
    await finish_round(cup, 1)
    (row,) = await tables_of(cup, 1)
    await Ruling.objects.acreate(
        event=cup, kind="correct", game=row.table_id, scores=[20_000, 41_000, 30_000, 29_000]
    )
    page = text_of(await AsyncClient().get(PATH))
    assert f"/game/{row.table_id}/" in page
    assert page.index("41,000") < page.index("30,000") < page.index("20,000")
    assert ">over<" in text_of(await officer.get(listed))


async def test_swiss_seats_the_leaders_together() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 16, method="swiss")
    await officer.post(f"{PATH}round/", {"round": "1"})
    first = await tables_of(cup, 1)
    await finish_round(cup, 1)
    await officer.post(f"{PATH}round/", {"round": "2"})
    second = await tables_of(cup, 2)
    winners = {row.seats[0] for row in first}
    assert set(second[0].seats) == winners


async def test_bots_fill_the_seats_that_are_left_over() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 6, fill="bots")
    await officer.post(f"{PATH}round/", {"round": "1"})
    rooms = await rooms_of(await tables_of(cup, 1))
    assert (
        sorted(bool(seat.bot) for room in rooms for seat in room.meta.seats)
        == [False] * 6 + [True] * 2
    )


async def test_members_take_the_seats_that_are_left_over() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 6, fill="substitutes")
    answer = await officer.post(f"{PATH}round/", {"round": "1"})
    assert answer.headers["Location"] == f"{PATH}?note=substitutes"
    assert await tables_of(cup, 1) == []
    helpers = []
    for name in ("Hana", "Hugo"):
        _, person = await account(name)
        await enrol(club, person)
        helpers.append(person)
    _, stranger = await account("Stranger")
    first = await EventPlayer.objects.select_related("person").afirst()
    assert first is not None
    await enrol(club, first.person)
    ids = [str(helper.pk) for helper in helpers]
    for people, note in (
        ([ids[0], str(stranger.pk)], "member"),
        ([ids[0], str(first.person_id)], "busy"),
        ([ids[0], ids[0]], "busy"),
        (ids, "done"),
    ):
        form = {"do": "substitutes", "person": people}
        answer = await officer.post(f"{PATH}officials/do/", form)
        assert answer.headers["Location"].endswith(f"?note={note}")
    page = text_of(await officer.get(f"{PATH}officials/"))
    assert page.count(" selected") == 2
    await officer.post(f"{PATH}round/", {"round": "1"})
    rooms = await rooms_of(await tables_of(cup, 1))
    seats = [seat for room in rooms for seat in room.meta.seats]
    assert not any(seat.bot for seat in seats)
    assert {seat.name for seat in seats} >= {"Hana", "Hugo"}
    await finish_round(cup, 1)
    page = text_of(await AsyncClient().get(PATH))
    assert '<span class="chair">Hana' in page
    standings = (await database_sync_to_async(results.standings_of)(cup)).rows
    assert len(standings) == 6
    assert not {row.player for row in standings} & set(ids)
    form = {"do": "replace", "reason": "ill", "points": "-15", "entrant": str(first.pk)}
    answer = await officer.post(f"{PATH}officials/do/", {**form, "substitute": ids[0]})
    assert answer.headers["Location"].endswith("?note=busy")
    await database_sync_to_async(members.leave)(club, helpers[1])
    answer = await officer.post(f"{PATH}round/", {"round": "2"})
    assert answer.headers["Location"] == f"{PATH}?note=substitutes", "Hugo has left the club"


async def test_page_leads_players_to_their_table() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 3)
    await EventPlayer.objects.acreate(event=cup, person=anna)
    await officer.get(PATH)
    headers = [
        (b"host", b"testserver"),
        (b"origin", b"http://testserver"),
        (b"cookie", f"sessionid={officer.cookies['sessionid'].value}".encode()),
    ]
    wire = Wire(application, f"/ws/lobby{PATH}", headers=headers)
    assert (await wire.connect())[0]
    await officer.post(f"{PATH}round/", {"round": "1"})
    (row,) = await tables_of(cup, 1)
    message = await wire.receive_json_from(20)
    while message["t"] != "go":
        message = await wire.receive_json_from(20)
    assert message["path"] == f"/table/{row.table_id}/"
    await wire.disconnect()
