"""Teams of events: who makes them, who is in them, and their standings on the page and in the
files."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.clubs import members
from lobby.events import offline, registration, rounds, teams
from lobby.events.offline import OfflineResult
from lobby.events.registration import make_event
from lobby.events.teams import TeamRefused
from lobby.models import Event, EventPlayer, Person, Team, TeamPlayer
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, new_cup
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

SEASON = "/clubs/thursday/events/autumn/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def new_season(count: int) -> tuple[AsyncClient, Person, Event, list[Person]]:
    """Create a league of a club; return its officer's browser and person, the league, and that many
    members."""
    officer, anna = await account("Anna")
    club = await new_club(anna)
    today = timezone.now().date()
    season = await database_sync_to_async(make_event)(
        club,
        PRESETS["ema-2025"],
        "15+30",
        slug="autumn",
        name="Autumn League",
        starts_on=today - timedelta(days=2),
        ends_on=today + timedelta(days=2),
        format="open",
        registration="members",
    )
    people = [await Person.objects.acreate(name=f"Player {at}") for at in range(count)]
    for person in people:
        await enrol(club, person)
    return officer, anna, season, people


async def teams_by_name(event: Any) -> dict[str, list[str]]:
    return {
        team.name: [player.name for player in players]
        for team, players in await database_sync_to_async(teams.teams_of)(event)
    }


async def team_id(name: str) -> int:
    return (await Team.objects.aget(name=name)).pk


async def test_officer_makes_teams_and_everybody_reads_their_standings() -> None:
    officer, anna, season, people = await new_season(5)
    for name in ("Cranes", "Pines"):
        answer = await officer.post(f"{SEASON}teams/", {"do": "make", "name": name})
        assert answer.status_code == 302
    for at, name in enumerate(("Cranes", "Pines", "Pines", "Cranes")):
        form = {"do": "put", "team": str(await team_id(name)), "person": str(people[at].pk)}
        await officer.post(f"{SEASON}teams/", form)
    assert await teams_by_name(season) == {
        "Cranes": ["Player 0", "Player 3"],
        "Pines": ["Player 1", "Player 2"],
    }
    one, two, three, four = (person.pk for person in people[:4])
    for day in range(2):
        result = OfflineResult(
            players=(one, two, three, four),
            scores=(42_000, 31_000, 28_000, 19_000),
            sticks=0,
            played_at=timezone.now() + timedelta(hours=day),
        )
        await database_sync_to_async(offline.enter_game)(season, result, by=anna)
    reader = AsyncClient()
    data = (await reader.get(f"{SEASON}standings.json")).json()
    points = {row["name"]: Decimal(row["points"]) for row in data["standings"]}
    sums = {
        "Cranes": points["Player 0"] + points["Player 3"],
        "Pines": points["Player 1"] + points["Player 2"],
    }
    assert sums["Cranes"] != sums["Pines"]
    assert {row["name"]: Decimal(row["points"]) for row in data["teams"]} == sums
    assert [row["place"] for row in data["teams"]] == [1, 2]
    text = text_of(await reader.get(f"{SEASON}teams.csv")).lstrip("\N{BOM}")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["name"]: Decimal(row["points"]) for row in rows} == sums
    assert {row["counted"] for row in rows} == {"4"}
    items = (await reader.get("/api/1/clubs/thursday/events/autumn/teams/")).json()["items"]
    assert items == data["teams"]
    page = text_of(await reader.get(f"{SEASON}standings/"))
    page = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page))
    assert "Player 0, Player 3" in page
    assert "Teams (CSV)" in page


async def test_teams_of_a_tournament_have_the_penalties_of_their_players() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 4, rounds=1)
    entrants = [
        entrant async for entrant in EventPlayer.objects.select_related("person").order_by("pk")
    ]
    for name, own in (("Cranes", entrants[:2]), ("Pines", entrants[2:])):
        await database_sync_to_async(teams.make_team)(cup, name)
        for person in own:
            assert await database_sync_to_async(teams.put_into_team)(
                cup, await team_id(name), person.person_id
            )
    await officer.post(f"{PATH}round/", {"round": "1"})
    await finish_round(cup, 1)
    form = {"do": "penalty", "person": str(entrants[0].person_id), "points": "20", "reason": "late"}
    await officer.post(f"{PATH}officials/do/", form)
    data = (await AsyncClient().get(f"{PATH}standings.json")).json()
    points = {row["player"]: Decimal(row["points"]) for row in data["standings"]}
    assert sum(points.values()) == Decimal(-20)
    for team in data["teams"]:
        assert Decimal(team["points"]) == sum(points[player] for player in team["players"])
        assert len(team["players"]) == 2


async def test_player_is_in_one_team_at_most() -> None:
    _, _, season, people = await new_season(2)
    for name in ("Cranes", "Pines"):
        await database_sync_to_async(teams.make_team)(season, name)
        assert await database_sync_to_async(teams.put_into_team)(
            season, await team_id(name), people[0].pk
        )
    assert await teams_by_name(season) == {"Cranes": [], "Pines": ["Player 0"]}
    assert [
        player.name for player in await database_sync_to_async(teams.players_without_team)(season)
    ] == [
        "Anna",
        "Player 1",
    ]
    await database_sync_to_async(teams.take_out_of_team)(season, people[0].pk)
    assert await TeamPlayer.objects.acount() == 0


async def test_only_players_of_the_event_can_be_in_its_teams() -> None:
    officer, _, season, people = await new_season(1)
    stranger = await Person.objects.acreate(name="Stranger")
    await Event.objects.aupdate(registration="list")
    season = await Event.objects.aget()
    await database_sync_to_async(teams.make_team)(season, "Cranes")
    form = {"do": "put", "team": str(await team_id("Cranes")), "person": str(people[0].pk)}
    assert (await officer.post(f"{SEASON}teams/", form)).status_code == 404
    await database_sync_to_async(registration.add_member)(season, people[0].pk)
    assert (await officer.post(f"{SEASON}teams/", form)).status_code == 302
    form["person"] = str(stranger.pk)
    assert (await officer.post(f"{SEASON}teams/", form)).status_code == 404
    assert await teams_by_name(season) == {"Cranes": ["Player 0"]}


async def test_team_of_another_event_cannot_be_changed() -> None:
    officer, anna, _season, people = await new_season(1)
    other = await new_club(anna, "friday")
    cup = await new_cup(other, 4)
    await database_sync_to_async(teams.make_team)(cup, "Cranes")
    key = await team_id("Cranes")
    for form in (
        {"do": "put", "team": str(key), "person": str(people[0].pk)},
        {"do": f"delete:{key}"},
        {"do": f"rename:{key}", "name": "Taken over"},
    ):
        assert (await officer.post(f"{SEASON}teams/", form)).status_code == 404
    assert await teams_by_name(cup) == {"Cranes": []}


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\N{RIGHT-TO-LEFT OVERRIDE}b"])
async def test_name_of_a_team_has_to_be_readable(name: str) -> None:
    _, _, season, _ = await new_season(0)
    with pytest.raises(TeamRefused):
        await database_sync_to_async(teams.make_team)(season, name)


async def test_two_teams_of_an_event_cannot_have_the_same_name() -> None:
    officer, _, season, _ = await new_season(0)
    await database_sync_to_async(teams.make_team)(season, "Cranes")
    answer = await officer.post(f"{SEASON}teams/", {"do": "make", "name": " Cranes "})
    assert "Another team has this name." in text_of(await officer.get(answer.headers["Location"]))
    await database_sync_to_async(teams.make_team)(season, "Pines")
    with pytest.raises(TeamRefused):
        await database_sync_to_async(teams.rename_team)(season, await team_id("Pines"), "Cranes")
    assert await database_sync_to_async(teams.rename_team)(season, await team_id("Pines"), "Oaks")
    assert await database_sync_to_async(teams.delete_team)(season, await team_id("Cranes"))
    assert await teams_by_name(season) == {"Oaks": []}


async def test_withdrawal_before_the_start_leaves_the_team() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 4, rounds=1)
    first = await EventPlayer.objects.select_related("person").afirst()
    assert first is not None
    await enrol(club, first.person)
    await database_sync_to_async(teams.make_team)(cup, "Cranes")
    await database_sync_to_async(teams.put_into_team)(cup, await team_id("Cranes"), first.person_id)
    await database_sync_to_async(members.leave)(club, first.person)
    assert await teams_by_name(cup) == {"Cranes": []}


async def test_seating_and_points_of_a_tournament_are_files() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 8, rounds=2)
    await Person.objects.filter(name="Player 03").aupdate(name="=1+1")
    await Person.objects.filter(name="Player 04").aupdate(name="-2+3")
    await database_sync_to_async(rounds.start_round)(cup, 1)
    await finish_round(cup, 1)
    assert (await officer.post(f"{PATH}round/", {"round": "2"})).status_code == 302
    reader = AsyncClient()
    files = {}
    for part in ("seating", "rounds", "standings"):
        answer = await reader.get(f"{PATH}{part}.csv")
        assert answer.headers["Content-Type"].startswith("text/csv")
        text = text_of(answer).lstrip("\N{BOM}")
        files[part] = list(csv.DictReader(io.StringIO(text)))
    assert [(row["round"], row["table"]) for row in files["seating"]] == [
        *(("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"))
    ]
    seated = {row[f"{wind}_name"] for row in files["seating"] for wind in ("east", "north")}
    names = {row["name"] for row in files["standings"]}
    assert {"'=1+1", "'-2+3"} <= names
    assert seated <= names
    assert {row["1"] for row in files["rounds"]} == {"45.5", "5.0", "-15.5", "-35.0"}
    assert set(files["rounds"][0]) == {"name", "player", "1"}
    assert {row["points"] for row in files["standings"]} == {"45.5", "5.0", "-15.5", "-35.0"}
