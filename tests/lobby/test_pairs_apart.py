"""Organisers name pairs of players who must not meet, and see where that is impossible."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from django.test import AsyncClient

from lobby.models import Event, Person
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, tables_of
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages", "fresh"),
    pytest.mark.postgresql,
]
LISTS = f"{PATH}entrants/"
METHODS = ["balanced", "random", "swiss", "interval", "prescribed"]
SCHEDULE = [
    [list(range(at, at + 4)) for at in (1, 5, 9, 13)],
    [[at, at + 4, at + 8, at + 12] for at in (1, 2, 3, 4)],
]


async def staged_cup(entrants: int, **terms: Any) -> tuple[AsyncClient, Event, list[Person]]:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), entrants, rounds=2, **terms)
    rows = cup.entrants.select_related("person").order_by("pk")
    return officer, cup, [row.person async for row in rows]


async def forbid(officer: AsyncClient, *people: Person) -> None:
    for first, second in combinations(people, 2):
        form = {"do": "apart", "person": [str(first.pk), str(second.pk)]}
        answer = await officer.post(LISTS, form)
        assert answer.headers["Location"] == LISTS


async def tables_with(cup: Event, number: int, *people: Person) -> list[int]:
    """Return how many of these people each table of the round has."""
    rows = cup.entrants.filter(person__in=people)
    numbers = {number async for number in rows.values_list("number", flat=True)}
    return [len(numbers & set(table.seats)) for table in await tables_of(cup, number)]


@pytest.mark.parametrize("method", METHODS)
async def test_named_pairs_sit_at_different_tables(method: str) -> None:
    more = {"schedule": SCHEDULE} if method == "prescribed" else {}
    officer, cup, people = await staged_cup(16, method=method, **more)
    family, couple = people[:3], people[3:5]
    await forbid(officer, *family)
    await forbid(officer, *couple)
    for number in (1, 2):
        page = text_of(await officer.get(f"{PATH}round/?round={number}"))
        assert "must not meet" not in page
        await officer.post(f"{PATH}round/", {"round": str(number)})
        await finish_round(cup, number)
        assert max(await tables_with(cup, number, *family)) == 1
        assert max(await tables_with(cup, number, *couple)) == 1
    if method == "prescribed":
        assert [table.seats for table in await tables_of(cup, 2)] == SCHEDULE[1]


@pytest.mark.parametrize("method", ["balanced", "random"])
async def test_pair_named_after_the_first_round_changes_the_rest_of_a_schedule(method: str) -> None:
    officer, cup, _ = await staged_cup(16, method=method)
    await officer.post(f"{PATH}round/", {"round": "1"})
    await finish_round(cup, 1)
    first = [table.seats for table in await tables_of(cup, 1)]
    schedule = (await Event.objects.aget()).schedule
    assert schedule is not None
    numbers = {row.number: row.person async for row in cup.entrants.select_related("person")}
    table = schedule[1][0]
    await forbid(officer, *(numbers[player] for player in table))
    await officer.post(f"{PATH}round/", {"round": "2"})
    assert await tables_with(cup, 2, *(numbers[player] for player in table)) == [1, 1, 1, 1]
    assert [one.seats for one in await tables_of(cup, 1)] == first


@pytest.mark.parametrize("method", METHODS)
async def test_organiser_reads_which_pair_has_to_meet(method: str) -> None:
    more = {"schedule": [[[1, 2, 3, 4]], [[4, 3, 2, 1]]]} if method == "prescribed" else {}
    officer, cup, people = await staged_cup(4, method=method, **more)
    await forbid(officer, *people[:2])
    page = text_of(await officer.get(f"{PATH}round/?round=1"))
    assert "These pairs must not meet" in page
    assert f"<li>{people[0].name} · {people[1].name}: round 1, table 1</li>" in page
    is_planned = method in ("balanced", "random", "prescribed")
    assert ("round 2, table 1</li>" in page) == is_planned
    await officer.post(f"{PATH}round/", {"round": "1"})
    assert len(await tables_of(cup, 1)) == 1, "the organiser may go on"


async def test_exchange_of_two_players_can_make_a_pair_meet() -> None:
    officer, cup, people = await staged_cup(8)
    await forbid(officer, *people[:2])
    address = f"{PATH}round/?round=1"
    assert "must not meet" not in text_of(await officer.get(address))
    numbers = {row.person_id: row.number or 0 async for row in cup.entrants.all()}
    one, other = numbers[people[0].pk], numbers[people[1].pk]
    drawn = (await Event.objects.aget()).drawn["tables"]
    table = next(table for table in drawn if one in table)
    partner = next(player for player in table if player != one)
    form = {"round": "1", "do": "swap", "first": str(partner), "second": str(other)}
    await officer.post(f"{PATH}round/", form)
    assert "These pairs must not meet" in text_of(await officer.get(address))


async def test_list_of_pairs_is_for_organisers_and_can_be_changed() -> None:
    officer, _cup, people = await staged_cup(8)
    await forbid(officer, *people[:2])
    await forbid(officer, *people[:2])
    pair = sorted(str(person.pk) for person in people[:2])
    assert (await Event.objects.aget()).apart == [pair]
    assert f'value="together:{":".join(pair)}"' in text_of(await officer.get(LISTS))
    for wrong in ([str(people[0].pk)] * 2, [str(people[0].pk), "0" * 32]):
        answer = await officer.post(LISTS, {"do": "apart", "person": wrong})
        assert answer.headers["Location"] == f"{LISTS}?note=pair"
    assert (await officer.post(LISTS, {"do": "apart", "person": ["", ""]})).status_code == 404
    for address in (PATH, f"{PATH}standings.json", f"/api/1{PATH}"):
        assert "apart" not in text_of(await AsyncClient().get(address))
    await officer.post(LISTS, {"do": f"together:{':'.join(pair)}"})
    assert (await Event.objects.aget()).apart == []
