"""Events with three players at a table: rounds, lists, scores by hand, and their standings."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.models import Event, EventPlayer, EventTable, OfflineGame, Person, Team
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, rooms_of, tables_of
from tests.lobby.pages import text_of
from tests.lobby.seasons import AUTUMN, LIST

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
]

SEATS_OF_TWO_ROUNDS = "1,1,1,2,3\n1,2,4,5,6\n2,1,5,1,6\n2,2,3,4,2\n"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_tournament_is_played_as_prescribed() -> None:
    officer, anna = await account("Anna")
    await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "tenhou-3", "is_public": "on"}
    form |= {"rounds": "2", "method": "prescribed", "prescribed": "1,1,1,2,3,4\n"}
    answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    assert "5 numbers: round,table,east,south,west" in text_of(answer)
    form["prescribed"] = SEATS_OF_TWO_ROUNDS
    answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    assert answer.headers["Location"] == PATH
    cup = await Event.objects.aget()
    for number in range(6):
        if number == 5:
            assert "do not fill the tables" in text_of(await officer.get(PATH))
        person = await Person.objects.acreate(name=f"Player {number}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    page = text_of(await officer.get(f"{PATH}round/?round=1"))
    assert page.count('<th scope="row">West</th>') == 2
    assert "North" not in page
    for number, seats in ((1, [[1, 2, 3], [4, 5, 6]]), (2, [[5, 1, 6], [3, 4, 2]])):
        await officer.post(f"{PATH}round/", {"round": str(number)})
        rows = await tables_of(cup, number)
        assert [row.seats for row in rows] == seats
        assert [len(room.meta.seats) for room in await rooms_of(rows)] == [3, 3]
        await finish_round(cup, number)
    await _check_standings(games=4)
    text = (await officer.get(f"{PATH}seating.csv")).content.decode("utf-8-sig")
    assert text.startswith(
        "round,table,east,south,west,east_name,south_name,west_name\r\n1,1,1,2,3,"
    )
    table = await EventTable.objects.afirst()
    assert table is not None
    form = {"score0": "20000", "score1": "30000", "score2": "40000", "reason": "misread"}
    form |= {"do": "correct", "round": str(table.round), "table": str(table.number)}
    answer = await officer.post(f"{PATH}officials/do/", form)
    assert answer.headers["Location"].endswith("note=done")
    games = (await officer.get(f"/api/1{PATH}games/")).json()["items"]
    corrected = next(game for game in games if game["table"] == table.table_id)
    assert [result["score"] for result in corrected["results"]] == [40_000, 30_000, 20_000]
    last = corrected["results"][2]["player"]
    entrant = await EventPlayer.objects.aget(person=last)
    browser, person = await account("Ben")
    entrant.person = person
    await entrant.asave()
    form = {"game": table.table_id, "text": "ron was not counted"}
    answer = await browser.post(f"{PATH}games/", form)
    assert answer.headers["Location"].endswith("note=done")
    form = {"do": "penalty", "person": str(person.pk), "points": "20", "reason": "late"}
    await officer.post(f"{PATH}officials/do/", form)
    items = (await officer.get(f"/api/1{PATH}standings/")).json()["items"]
    assert {row["deducted"] for row in items if row["name"] == "Ben"} == {"20.0"}
    assert "provisional" in text_of(await officer.get(f"{PATH}standings/"))


async def _check_standings(games: int) -> None:
    client = AsyncClient()
    (event,) = (await client.get("/api/1/clubs/thursday/")).json()["items"]
    assert event["table_size"] == 3
    items = (await client.get(f"/api/1{PATH}standings/")).json()["items"]
    assert [sum(row["places"][place] for row in items) for place in range(3)] == [games] * 3
    assert all(len(row["places"]) == 3 for row in items)
    head = (await client.get(f"{PATH}standings.csv")).content.decode("utf-8-sig").splitlines()[0]
    assert ",seconds,thirds,missed_rounds," in head
    page = text_of(await client.get(f"{PATH}standings/"))
    assert "3rd" in page
    assert "4th" not in page


async def _new_league(officer: AsyncClient, **more: Any) -> None:
    form = {"name": "Autumn League", "slug": "autumn", "rules": "mahjong-soul-3"}
    form |= {"starts_on": "2000-01-01", "ends_on": "2099-01-01", "ranking": "points"}
    form |= {"min_games": "0", "max_games": "0", "best_games": "0", "registration": "members"}
    answer = await officer.post("/clubs/thursday/events/new/?format=list", {**form, **more})
    assert answer.headers["Location"] == AUTUMN


async def test_league_has_a_list_and_results_by_hand() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    await _new_league(officer)
    people = list[Person]()
    for number, name in enumerate(("Ben", "Cleo", "Dora", "Elsa")):
        _, person = await account(name)
        people.append(person)
        await enrol(club, person)
        if not number:
            answer = await officer.post(LIST, {"do": "make", "games": "1"})
            assert "At least 3 players are needed." in text_of(answer)
    answer = await officer.post(LIST, {"do": "make", "games": "1"})
    assert "multiple of 3" in text_of(answer)
    answer = await officer.post(LIST, {"do": "add", "lines": "Ben,Cleo,Dora,Elsa"})
    assert "Line 1 does not have the names of 3 players." in text_of(answer)
    answer = await officer.post(LIST, {"do": "add", "lines": "table,a\n7,Ben,Cleo,Dora,open,"})
    assert answer.status_code == 302
    sheet = {"played_at": "2026-11-20T19:30", "sticks": "1"}
    sheet |= {f"player{at}": str(person.pk) for at, person in enumerate(people[:3])}
    for last, text in (("20000", "do not add up to 105000"), ("19000", "")):
        scores = {"score0": "45000", "score1": "40000", "score2": last}
        answer = await officer.post(f"{AUTUMN}offline/", {**sheet, **scores})
        assert text in text_of(answer)
    game = await OfflineGame.objects.aget()
    points = [str(seat.points) async for seat in game.seats.all()]
    assert points == ["26.0", "5.0", "-31.0"]
    fixtures = (await officer.get(f"/api/1{AUTUMN}fixtures/")).json()["items"]
    assert [(len(item["players"]), item["state"]) for item in fixtures] == [(3, "played")]
    text = (await officer.get(f"{AUTUMN}fixtures.csv")).content.decode("utf-8-sig")
    assert text.startswith("table,player_1,player_2,player_3,state,game\r\n1,Ben,Cleo,Dora,played,")


async def test_teams_of_three_play_a_tournament() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "tenhou-3", "is_public": "on"}
    form |= {"rounds": "2", "method": "balanced", "registration": "open"}
    answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    assert answer.headers["Location"] == PATH
    cup = await Event.objects.aget()
    people = list[Person]()
    for name in ("Ben", "Cleo", "Dora", "Elsa", "Finn", "Gina"):
        browser, person = await account(name)
        await enrol(club, person)
        assert (await browser.post(f"{PATH}enter/", {"do": "enter"})).status_code == 302
        people.append(person)
    assert await EventPlayer.objects.acount() == 6
    teams = {"Cranes": people[:3], "Pines": people[3:], "Empty": []}
    for name, players in teams.items():
        await officer.post(f"{PATH}teams/", {"do": "make", "name": name})
        team = await Team.objects.aget(name=name)
        for person in players:
            put = {"do": "put", "team": str(team.pk), "person": str(person.pk)}
            assert (await officer.post(f"{PATH}teams/", put)).status_code == 302
    page = text_of(await officer.get(f"{PATH}teams/"))
    assert all(person.name in page for person in people)
    for number in (1, 2):
        printed = text_of(await officer.get(f"{PATH}round/?round={number}"))
        assert printed.count('<th scope="row">West</th>') == 2
        assert "North" not in printed
        assert all(person.name in printed for person in people)
        await officer.post(f"{PATH}round/", {"round": str(number)})
        assert [len(row.seats) for row in await tables_of(cup, number)] == [3, 3]
        await finish_round(cup, number)
    await _check_standings(games=4)
    reader = AsyncClient()
    data = (await reader.get(f"{PATH}standings.json")).json()
    points = {row["player"]: Decimal(row["points"]) for row in data["standings"]}
    places = {row["player"]: row["places"] for row in data["standings"]}
    assert [team["name"] for team in data["teams"]][-1] == "Empty"
    for team in data["teams"]:
        own = {str(person.pk) for person in teams[team["name"]]}
        assert set(team["players"]) == own
        assert Decimal(team["points"]) == sum(points[player] for player in own)
        assert team["places"] == [sum(places[player][at] for player in own) for at in range(3)]
        assert team["counted"] == 2 * len(own)
    assert (await reader.get(f"/api/1{PATH}teams/")).json()["items"] == data["teams"]
    head, *lines = text_of(await reader.get(f"{PATH}teams.csv")).lstrip("\N{BOM}").splitlines()
    assert head.endswith(",firsts,seconds,thirds,players")
    assert [line.split(",")[1] for line in lines] == [team["name"] for team in data["teams"]]
    page = text_of(await reader.get(f"{PATH}standings/"))
    assert re.search("Ben.*Cleo.*Dora", re.sub("<[^>]+>", " ", page[page.index("Cranes") :]))
    assert "4th" not in page
