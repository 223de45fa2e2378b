"""A database with a league, a list of tables and a tournament goes along the migration to events,
and has the same standings, teams, texts and open work after it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import AsyncClient

from tests.kit.processes import environment

BEFORE: Final = "0028_watch_choices"
FILL: Final = """
import datetime
import sys
from decimal import Decimal
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from game.engine.presets import PRESETS
from game.models import Game, GameSeat
import msgspec
loader = MigrationExecutor(connection).loader
old = loader.project_state([("lobby", sys.argv[1])]).apps
get = lambda name: old.get_model("lobby", name).objects
rules = msgspec.to_builtins(PRESETS["ema-2025"])
now = datetime.datetime(2026, 9, 1, 20, tzinfo=datetime.UTC)
club = get("Club").create(slug="thursday", name="Thursday", entry="open")
people = [get("Person").create(name=f"P{at}") for at in range(8)]
anna = get("Person").create(name="Anna")

def finish(table_id, order, *, broken=False):
    global now
    now += datetime.timedelta(hours=1)
    game = Game.objects.create(
        table_id=table_id, rules=rules, started_at=now, ended_at=now, is_broken_off=broken
    )
    points = ("45.0", "5.0", "-15.0", "-35.0")
    scores = (45_000, 35_000, 25_000, 15_000)
    for seat, person in enumerate(order):
        GameSeat.objects.create(
            game=game, seat=seat, person_id=person.pk, name=person.name, score=scores[seat],
            place=seat + 1, points=Decimal(points[seat]), is_broken_off=broken,
        )

days = {"starts_on": now.date(), "ends_on": now.date() + datetime.timedelta(days=30)}
common = {"club": club, "rules": rules, "clock": "15+30"}
league = get("League").create(slug="autumn", name="Autumn", ranking="points", **days, **common)
for number in (1, 2):
    get("ClubGame").create(table_id=f"l{number}", club=club, league=league)
    finish(f"l{number}", people[:4])
get("LeagueRuling").create(
    league=league, kind="penalty", person=people[0], points=20, reason="late", by=anna
)
get("LeagueRuling").create(
    league=league, kind="chombo", person=people[1], points=30, reason="false win", by=anna,
    is_cancelled=True, cancel_reason="it was a win",
)
get("LeagueRuling").create(league=league, kind="void", table_id="l2", reason="fire", by=anna)
get("LeagueDispute").create(league=league, table_id="l1", person=people[3], text="four han")
team = get("Team").create(league=league, name="Cranes")
get("TeamPlayer").create(team=team, person=people[1])

listed = get("League").create(
    slug="list", name="List", ranking="places", has_fixtures=True, registration="list",
    **days, **common
)
for person in people[:4]:
    get("LeaguePlayer").create(league=listed, person=person)
for number in (1, 2, 3):
    fixture = get("Fixture").create(league=listed, number=number)
    fixture.players.set(people[:4])
    if number == 1:
        get("ClubGame").create(table_id="f1", club=club, league=listed, fixture=fixture)
        finish("f1", people[:4])
    if number == 2:
        game = get("OfflineGame").create(league=listed, fixture=fixture, played_at=now, sticks=0)
        for seat, person in enumerate(people[:4]):
            get("OfflineSeat").create(
                game=game, seat=seat, person=person, written=30_000, score=30_000, place=seat + 1,
                points=Decimal(("10.0", "5.0", "-5.0", "-10.0")[seat]),
            )

cup = get("Tournament").create(
    slug="autumn", name="Cup", rounds=2, method="swiss", fill="bots", no_show_points=20,
    log_is_public=True, **common
)
numbers = {}
for number, person in enumerate(people, start=1):
    numbers[number] = get("Entrant").create(tournament=cup, person=person, number=number)
get("Applicant").create(tournament=cup, person=anna, state="waiting")
tables = []
for number, seats in enumerate(([1, 2, 3, 4], [5, 6, 7, 8]), start=1):
    table = get("RoundTable").create(
        tournament=cup, round=1, number=number, table_id=f"t{number}", seats=seats, is_open=True
    )
    get("ClubGame").create(table_id=table.table_id, club=club)
    finish(table.table_id, [numbers[at].person for at in seats])
    tables.append(table)
one, two = tables
one.former, one.attempt = ["t1-first"], 2
one.scores = [25_000, 45_000, 35_000, 15_000]
one.save()
get("ClubGame").create(table_id="t1-first", club=club)
finish("t1-first", people[:4], broken=True)
two.is_void = True
two.replacements = {"0": {"person": "", "name": "bot", "points": "-15"}}
two.save()

def note(kind, table=None, entrant=None, detail="", reason="because"):
    get("Intervention").create(
        tournament=cup, kind=kind, table=table, entrant=entrant, detail=detail, reason=reason,
        by=anna,
    )

note("void", one)
note("repeat_game", one)
note("correct", one, detail="first")
note("correct", one, detail="second")
note("void", two)
for entrant, kind, points, cancelled in (
    (numbers[1], "penalty", "10.0", False),
    (numbers[2], "chombo", "20.0", True),
):
    get("Penalty").create(
        tournament=cup, entrant=entrant, kind=kind, points=points, reason="because",
        is_cancelled=cancelled,
    )
    note(kind, one, entrant, points)
note("cancel_penalty", one, numbers[2], "20.0", "it was a win")
for slug in ("spring", "spring-tournament"):
    get("League").create(slug=slug, name=slug, ranking="points", **days, **common)
    get("Tournament").create(slug=slug, name=slug, rounds=1, method="random", **common)
get("Dispute").create(table=one, entrant=numbers[4], text="ron was not counted")
get("Dispute").create(
    table=one, entrant=numbers[3], text="my sticks", decision="kept", answer="they were counted"
)
"""
READ: Final = """
import asyncio
import json
import django
django.setup()
from lobby.events import fixtures, results
from lobby.models import ClubGame, Event

async def read():
    data = {}
    async for event in Event.objects.order_by("pk"):
        standings = await results.standings_of(event)
        data[event.slug] = {
            "format": event.format,
            "standings": [
                [standings.names[row.player], row.place, str(row.points), str(row.deducted)]
                for row in standings.rows
            ],
            "provisional": sorted(standings.names[player] for player in standings.disputed),
            "rulings": [
                [row.kind, row.person.name if row.person else "", row.game, row.detail, row.reason,
                 str(row.points), row.is_cancelled, row.cancel_reason]
                async for row in event.rulings.order_by("pk").select_related("person")
            ],
            "disputes": [
                [row.game, row.text, row.decision, row.answer]
                async for row in event.disputes.order_by("pk")
            ],
            "teams": [team.name async for team in event.teams.all()],
            "waiting": [row.state async for row in event.applicants.all()],
            "entrants": await event.entrants.acount(),
            "games": sorted([
                row.table_id async for row in ClubGame.objects.filter(event=event)
            ]),
        }
        if event.format == "list":
            data[event.slug]["list"] = [row.state for row in await fixtures.fixtures_of(event)]
        if event.format == "rounds":
            data[event.slug]["tables"] = [
                [row.table_id, row.is_void, row.scores] async for row in event.tables.all()
            ]
    print(json.dumps(data))

asyncio.run(read())
"""


def run(data: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env={**environment(data), "DJANGO_SETTINGS_MODULE": "mahjong_site.settings"},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_events_of_before_have_the_same_standings_and_texts(tmp_path: Path) -> None:
    run(tmp_path, "manage.py", "migrate", "--verbosity=0", "lobby", BEFORE)
    run(tmp_path, "manage.py", "migrate", "--verbosity=0", "game")
    run(tmp_path, "-c", FILL, BEFORE)
    run(tmp_path, "manage.py", "migrate", "--verbosity=0")
    data: dict[str, Any] = json.loads(run(tmp_path, "-c", READ))
    league, listed, cup = data["autumn"], data["list"], data["autumn-tournament"]
    assert {slug: event["format"] for slug, event in data.items()} == {
        "autumn": "open",
        "list": "list",
        "spring": "open",
        "spring-tournament": "open",
        "autumn-tournament": "rounds",
        "spring-tournament-2": "rounds",
        "spring-tournament-tournament": "rounds",
    }

    assert league["standings"] == [
        ["P0", 1, "25.0", "20.0"],
        ["P1", 2, "5.0", "0"],
        ["P2", 3, "-15.0", "0"],
        ["P3", 4, "-35.0", "0"],
    ]
    assert league["provisional"] == ["P0", "P1", "P2", "P3"]
    assert league["rulings"] == [
        ["penalty", "P0", "", "", "late", "20.0", False, ""],
        ["chombo", "P1", "", "", "false win", "30.0", True, "it was a win"],
        ["void", "", "l2", "", "fire", "0.0", False, ""],
    ]
    assert league["disputes"] == [["l1", "four han", "", ""]]
    assert league["teams"] == ["Cranes"]

    assert listed["list"] == ["played", "played", "open"]
    assert [row[:2] for row in listed["standings"]] == [
        ["P0", 1],
        ["P1", 2],
        ["P2", 3],
        ["P3", 4],
    ]
    assert listed["entrants"] == 4

    assert cup["tables"] == [["t1", False, [25_000, 45_000, 35_000, 15_000]], ["t2", True, None]]
    assert cup["standings"] == [
        ["P1", 1, "30.0", "0"],
        ["P2", 2, "10.0", "0"],
        ["P0", 3, "-20.0", "10.0"],
        ["P3", 4, "-30.0", "0"],
    ]
    assert cup["provisional"] == ["P0", "P1", "P2", "P3"]
    assert cup["rulings"] == [
        ["void", "", "t1-first", "", "because", "0.0", False, ""],
        ["repeat_game", "", "t1-first", "", "because", "0.0", False, ""],
        ["correct", "", "t1", "first", "because", "0.0", False, ""],
        ["correct", "", "t1", "second", "because", "0.0", False, ""],
        ["void", "", "t2", "", "because", "0.0", False, ""],
        ["penalty", "P0", "t1", "", "because", "10.0", False, ""],
        ["chombo", "P1", "t1", "", "because", "20.0", True, ""],
        ["cancel_penalty", "P1", "t1", "", "it was a win", "20.0", False, ""],
    ]
    assert cup["disputes"] == [
        ["t1", "ron was not counted", "", ""],
        ["t1", "my sticks", "kept", "they were counted"],
    ]
    assert (cup["waiting"], cup["entrants"]) == (["waiting"], 8)
    assert cup["games"] == ["t1", "t1-first", "t2"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/clubs/thursday/leagues/", "/clubs/thursday/events/"),
        ("/clubs/thursday/leagues/autumn/", "/clubs/thursday/events/autumn/"),
        ("/clubs/thursday/leagues/autumn/rulings/", "/clubs/thursday/events/autumn/log/"),
        ("/clubs/thursday/tournaments/a/director/1/2/", "/clubs/thursday/events/a/officials/1/2/"),
        ("/api/1/clubs/b/tournaments/a/games/?page=2", "/api/1/clubs/b/events/a/games/?page=2"),
    ],
)
async def test_old_addresses_lead_to_the_new_ones(old: str, new: str) -> None:
    answer = await AsyncClient().get(old)
    assert (answer.status_code, answer.headers["Location"]) == (301, new)
