"""Officials see the seats of the next round before it starts, and can exchange two players."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from lobby.events import rounds
from lobby.models import Event, Membership
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, rooms_of, tables_of
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages", "fresh")]

SEATS_PAGE = f"{PATH}round/?round=1"


async def staged_cup(method: str = "balanced", entrants: int = 8) -> tuple[AsyncClient, Event]:
    officer, anna = await account("Anna")
    return officer, await new_cup(await new_club(anna), entrants, method=method)


def seats_on(page: str) -> list[str]:
    """Return the names in the order of tables and seats."""
    return re.findall(r'<th scope="row">\w+</th><td>([^<]+)</td>', page)


async def names(cup: Event, number: int) -> list[str]:
    people = {row.number: row.person.name async for row in cup.entrants.select_related("person")}
    return [people[seat] for table in await tables_of(cup, number) for seat in table.seats]


@pytest.mark.parametrize("method", ["balanced", "swiss"])
async def test_round_starts_with_the_seats_that_were_shown(method: str) -> None:
    officer, cup = await staged_cup(method)
    for number in (1, 2):
        address = f"{PATH}round/?round={number}"
        shown = seats_on(text_of(await officer.get(address)))
        assert len(shown) == 8
        assert seats_on(text_of(await officer.get(address))) == shown
        players = {
            row.person.name: row.number async for row in cup.entrants.select_related("person")
        }
        first, second = shown[0], shown[5]
        form = {"round": str(number), "first": players[first], "second": players[second]}
        await officer.post(f"{PATH}round/", {**form, "do": "swap"})
        shown[0], shown[5] = second, first
        assert seats_on(text_of(await officer.get(address))) == shown
        await officer.post(f"{PATH}round/", {"round": str(number)})
        assert await names(cup, number) == shown
        assert (await officer.get(address)).status_code == 302, "the round has begun"
        await finish_round(cup, number)


async def test_seats_are_drawn_again_on_request_and_for_other_players() -> None:
    officer, cup = await staged_cup(entrants=16)
    shown = seats_on(text_of(await officer.get(SEATS_PAGE)))
    await officer.post(f"{PATH}round/", {"round": "1", "do": "draw"})
    again = seats_on(text_of(await officer.get(SEATS_PAGE)))
    assert sorted(again) == sorted(shown)
    assert again != shown, "one of 10^13 draws is equal"
    for entrant in [row async for row in cup.entrants.order_by("pk")[:4]]:
        await entrant.adelete()
    await database_sync_to_async(rounds.start_round)(cup, 1)
    seated = [table.seats for table in await tables_of(cup, 1)]
    assert sorted(chain.from_iterable(seated)) == list(range(1, 13))
    cup = await Event.objects.aget()
    assert cup.schedule is not None
    assert len(cup.schedule[2]) == 3


async def test_changed_terms_make_the_draw_void() -> None:
    officer, cup = await staged_cup()
    await officer.get(SEATS_PAGE)
    cup = await Event.objects.aget()
    cup.rounds = 5
    await cup.asave()
    await database_sync_to_async(rounds.start_round)(cup, 1)
    cup = await Event.objects.aget()
    assert cup.schedule is not None
    assert len(cup.schedule) == 5


async def test_others_do_not_see_the_seats() -> None:
    officer, _cup = await staged_cup()
    await officer.get(SEATS_PAGE)
    assert (await AsyncClient().get(SEATS_PAGE)).status_code == 404
    assert "Table 1" not in text_of(await AsyncClient().get(PATH))


async def test_page_of_seats_refuses_what_the_start_refuses() -> None:
    officer, cup = await staged_cup(entrants=6)
    await Event.objects.filter(pk=cup.pk).aupdate(fill="substitutes")
    page = await officer.get(SEATS_PAGE)
    assert page.headers["Location"] == f"{PATH}?note=substitutes"
    assert "members who take the seats" in text_of(await officer.get(page.headers["Location"]))


async def test_leftover_seats_show_substitutes_by_name_and_bots_by_number() -> None:
    officer, cup = await staged_cup(entrants=6)
    await Event.objects.filter(pk=cup.pk).aupdate(fill="bots")
    shown = seats_on(text_of(await officer.get(SEATS_PAGE)))
    assert {"bot 1", "bot 2"} <= set(shown)
    people = [await account(name) for name in ("Bea", "Cleo")]
    for _client, person in people:
        await Membership.objects.acreate(club=cup.club, person=person)
    chosen = [str(person.pk) for _client, person in people]
    await Event.objects.filter(pk=cup.pk).aupdate(fill="substitutes", substitutes=chosen)
    shown = seats_on(text_of(await officer.get(SEATS_PAGE)))
    assert {"Bea", "Cleo"} <= set(shown)
    await officer.post(f"{PATH}round/", {"round": "1"})
    seated = [
        seat.name for room in await rooms_of(await tables_of(cup, 1)) for seat in room.meta.seats
    ]
    assert seated == shown


async def test_exchange_in_a_round_that_has_begun_changes_nothing() -> None:
    officer, _cup = await staged_cup()
    await officer.get(SEATS_PAGE)
    await officer.post(f"{PATH}round/", {"round": "1"})
    before = await Event.objects.aget()
    await officer.post(f"{PATH}round/", {"round": "1", "do": "swap", "first": "1", "second": "5"})
    assert (await Event.objects.aget()).drawn == before.drawn
