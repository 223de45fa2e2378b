"""Events with rounds in which players sit out by turns."""

from __future__ import annotations

from decimal import Decimal

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.events import event_data
from lobby.models import EventPlayer
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, rooms_of, tables_of
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

MISSED = Decimal("-2.5")


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def _times_of_entrants() -> list[int]:
    return [len(row.sat_out_rounds) async for row in EventPlayer.objects.all()]


@pytest.mark.parametrize(
    ("rules", "entrants", "method"),
    [
        *(("tenhou-3", 7, method) for method in ("balanced", "random", "swiss", "interval")),
        ("tenhou-3", 5, "balanced"),
        ("ema-2025", 6, "balanced"),
        ("ema-2025", 7, "swiss"),
    ],
)
async def test_players_sit_out_by_turns(rules: str, entrants: int, method: str) -> None:
    officer, anna = await account("Anna")
    terms = {"fill": "sit_out", "method": method, "missed_points": MISSED}
    cup = await new_cup(await new_club(anna), entrants, rules, **terms)
    size = 3 if rules == "tenhou-3" else 4
    seats = entrants - entrants % size
    for number in (1, 2, 3):
        page = text_of(await officer.get(f"{PATH}round/?round={number}"))
        assert "Sitting out:" in page
        await officer.post(f"{PATH}round/", {"round": str(number)})
        rows = await tables_of(cup, number)
        seated = {number for row in rows for number in row.seats}
        assert len(seated) == seats
        assert seated < set(range(1, entrants + 1))
        rooms = await rooms_of(rows)
        assert all(seat.person for room in rooms for seat in room.meta.seats)
        await finish_round(cup, number)
        times = await _times_of_entrants()
        assert sum(times) == number * (entrants - seats)
        assert max(times) - min(times) <= 1
    games = await database_sync_to_async(event_data.game_items)(cup)
    items = await database_sync_to_async(event_data.standing_items)(cup)
    assert len(items) == entrants
    for row in items:
        own = [one for game in games for one in game["results"] if one["player"] == row["player"]]
        assert row["played"] + row["sat_out_rounds"] == 3
        given = row["sat_out_rounds"] * MISSED
        assert Decimal(row["sat_out_points"]) == given
        assert Decimal(row["points"]) == sum(Decimal(one["points"]) for one in own) + given
        assert row["missed_rounds"] == 0
    page = text_of(await AsyncClient().get(f"{PATH}standings/"))
    assert page.count("sat out") == sum(row["sat_out_rounds"] > 0 for row in items)
    assert text_of(await AsyncClient().get(PATH)).count("Sitting out:") == 3


async def test_drawn_seats_can_be_given_to_who_sits_out() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 5, fill="sit_out", method="swiss")
    await officer.get(f"{PATH}round/?round=1")
    await cup.arefresh_from_db()
    (table,) = cup.drawn["tables"]
    (out,) = {1, 2, 3, 4, 5} - set(table)
    swap = {"round": "1", "do": "swap", "first": str(table[0]), "second": str(out)}
    await officer.post(f"{PATH}round/", swap)
    await officer.post(f"{PATH}round/", {"round": "1"})
    (row,) = await tables_of(cup, 1)
    assert row.seats == [out, *table[1:]]
    sitting = [row.number async for row in EventPlayer.objects.all() if row.sat_out_rounds]
    assert sitting == [table[0]]


async def test_rounds_sat_out_are_not_missed() -> None:
    """Who sat out in the first round, leaves for the second and comes back has missed one."""
    officer, anna = await account("Anna")
    club = await new_club(anna)
    terms = {"fill": "sit_out", "method": "random", "missed_points": MISSED}
    cup = await new_cup(club, 4, "tenhou-3", **terms)
    await officer.post(f"{PATH}round/", {"round": "1"})
    await finish_round(cup, 1)
    out = [row async for row in EventPlayer.objects.select_related("person") if row.sat_out_rounds]
    (person,) = (row.person for row in out)
    await enrol(club, person)
    await officer.post(f"{PATH}entrants/", {"do": f"withdraw:{person.pk}"})
    await officer.post(f"{PATH}round/", {"round": "2"})
    await finish_round(cup, 2)
    assert sum(await _times_of_entrants()) == 1, "three players are a table"
    await officer.post(f"{PATH}entrants/", {"do": "late", "person": str(person.pk)})
    rows = await database_sync_to_async(event_data.standing_items)(cup)
    row = next(row for row in rows if row["player"] == str(person.pk))
    assert (row["missed_rounds"], row["sat_out_rounds"], row["points"]) == (1, 1, "-5.0")


async def test_nobody_sits_out_by_turns_with_prescribed_seats() -> None:
    officer, anna = await account("Anna")
    await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "ema-2025", "fill": "sit_out"}
    form |= {"rounds": "1", "method": "prescribed", "prescribed": "1,1,1,2,3,4\n"}
    answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    assert "Prescribed seats are for all players of each round." in text_of(answer)
    form["fill"] = "bots"
    answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    assert answer.headers["Location"] == PATH
    assert 'value="sit_out"' not in text_of(await officer.get(f"{PATH}edit/"))
