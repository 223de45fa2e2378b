"""A database of the earlier migrations keeps its games, ratings, events and files.

The site before 0.2.0 wrote `fixtures/games_before_0006.json`. Its games `south-1`, `east-1`,
`south-2`, `east-2` and `forgotten` were rated. In `changed`, player 0 left seat 0 after the first
hand and player 6 took it. `broken` was broken off in its first hand. Player 5 has deleted the
account. `fixtures/database_at_a7520348.sql` is a dump of SQLite: these games, and leagues, a list
of tables and tournaments of later migrations, migrated with the commit a7520348, the last with the
earlier migrations.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.utils import translation

from game import models
from game.archive import archive
from game.engine.events import Event
from game.live.process import ARCHIVE
from game.results import ladders
from game.tables.codec import decode_commits
from lobby.events import fixtures, results
from lobby.models import ClubGame
from lobby.models import Event as ClubEvent
from tests.kit.commands import manage, run_python
from tests.kit.processes import environment
from tests.web.finished_games import client, ratings, text_at

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the dump is one of SQLite"),
]

FIXTURES = Path(__file__).parent / "fixtures"
DUMP = FIXTURES / "database_at_a7520348.sql"


def person(number: int) -> UUID:
    return UUID(f"0000000{number}-0000-4000-8000-000000000000")


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FIXTURES / "games_before_0006.json").read_text())
    return found


def load_dump(database: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(":memory:")) as dumped:
        dumped.executescript(DUMP.read_text())
        dumped.backup(database)


@pytest.fixture(autouse=True)
def earlier_database() -> Iterator[None]:
    """Prepare the database of before, brought up to date. Afterwards that of the tests is back."""
    cache.clear()
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:")) as usual:
        connection.connection.backup(usual)
        load_dump(connection.connection)
        ContentType.objects.clear_cache()
        call_command("migrate", verbosity=0)
        with translation.override(None):
            yield
        usual.backup(connection.connection)
        ContentType.objects.clear_cache()


def test_new_database_has_the_same_tables(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    manage(environ, "migrate", "--verbosity=0")
    (file,) = tmp_path.rglob("*.sqlite3")
    with closing(sqlite3.connect(file)) as new:
        assert describe_tables(connection.connection) == describe_tables(new)


def describe_tables(database: sqlite3.Connection) -> dict[str, Any]:
    """Return columns and references of each table, and the definition of each index."""
    described: dict[str, Any] = {}
    for name, kind, definition in database.execute("SELECT name, type, sql FROM sqlite_master"):
        if kind != "table":
            described[name] = definition
            continue
        columns = database.execute(f'PRAGMA table_info("{name}")').fetchall()
        references = database.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
        constraints = re.findall(r'CONSTRAINT "\w+" [A-Z]+', definition)
        described[name] = [
            sorted(column[1:] for column in columns),
            sorted(reference[2:] for reference in references),
            sorted(constraints),
        ]
    return described


@pytest.mark.parametrize("app", ["game", "lobby"])
def test_database_that_lacks_earlier_migrations_is_refused(app: str, tmp_path: Path) -> None:
    environ = environment(tmp_path)
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        load_dump(database)
        database.execute(
            "DELETE FROM django_migrations WHERE id ="
            " (SELECT max(id) FROM django_migrations WHERE app = ?)",
            [app],
        )
        database.commit()
        before = describe_tables(database)
        for words in (["manage.py", "migrate"], ["-m", "mahjong_site.web", "--port", "0"]):
            done = run_python(environ, *words)
            assert done.returncode == 1
            assert "Check out the commit a7520348" in done.stderr
            assert "Traceback" not in done.stderr
        assert describe_tables(database) == before


_OPEN_AFTER_EACH_CHECK = """
from django.db import connection
from game.tables.database import check_history, check_history_at_start
for check in (check_history, check_history_at_start):
    check()
    print(check.__name__, connection.connection is not None)
"""


def test_check_at_the_start_keeps_no_connection(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").touch()
    printed = manage(environment(tmp_path), "shell", "--command", _OPEN_AFTER_EACH_CHECK)
    assert printed.splitlines()[-2:] == ["check_history True", "check_history_at_start False"]


def old_logs() -> dict[str, list[Event]]:
    """Return the events of each game as the old site has written them."""
    return {
        row["pk"]: [
            event
            for commit in decode_commits(zlib.decompress(b64decode(row["fields"]["log"])))
            for event in commit.events
        ]
        for row in rows()
        if row["model"] == "game.game"
    }


def test_logs_and_facts_of_games_are_kept() -> None:
    wanted = old_logs()
    games = models.Game.objects.filter(pk__in=wanted)
    assert len(games) == len(wanted) > 0
    for game in games:
        assert archive.read_events(game) == wanted[game.pk]
        for row in (*game.seats.all(), *game.players.all()):
            assert (row.ended_at, row.is_public) == (game.ended_at, game.is_public)
            assert (row.is_broken_off, row.preset) == (game.is_broken_off, game.preset)
    assert models.Game.objects.get(pk="broken").is_broken_off
    assert not models.Game.objects.get(pk="south-1").is_broken_off


def changes_of(number: int, length: str) -> list[dict[str, Any]]:
    """Return the changes that the old site has recorded for that player in games of that length."""
    found = rows()
    lengths = {
        row["pk"]: row["fields"]["rules"]["length"] for row in found if row["model"] == "game.game"
    }
    rating = next(
        row["pk"]
        for row in found
        if row["model"] == "game.rating" and row["fields"]["player"] == str(person(number))
    )
    return [
        row["fields"]
        for row in found
        if row["model"] == "game.ratingchange"
        and row["fields"]["rating"] == rating
        and lengths[row["fields"]["game"]] == length
    ]


@pytest.mark.parametrize("length", ["east", "east_south"])
def test_ratings_are_split_by_length(length: str) -> None:
    wanted = {}
    for number in range(5):
        changes = changes_of(number, length)
        mu = ladders.MU + sum(change["mu"] - change["mu_before"] for change in changes)
        sigma = ladders.SIGMA
        for change in changes:
            sigma *= change["sigma"] / change["sigma_before"]
        if changes:
            wanted[person(number)] = (mu, sigma, len(changes))
    assert wanted
    found = ratings(f"tenhou.{length}")
    assert found.keys() == wanted.keys(), "the rating of a deleted account is gone"
    for column, value in wanted.items():
        assert found[column] == pytest.approx(value)
    assert {row.name for row in models.Ladder.objects.all()} == {
        "tenhou.east",
        "tenhou.east_south",
    }


def test_rating_changes_of_an_old_game_can_be_undone() -> None:
    models.Game.objects.all().delete()
    for ladder in ("tenhou.east", "tenhou.east_south"):
        for value in ratings(ladder).values():
            assert value == pytest.approx((ladders.MU, ladders.SIGMA, 0))


async def test_pages_show_old_games_before_and_after_backfill() -> None:
    at = await sync_to_async(client)(person(0))
    before = await text_at(at, "/games/")
    assert all(f"/game/{name}/" in before for name in ("south-1", "east-1", "broken"))
    while await models.Game.objects.filter(revision__lt=archive.REVISION).aexists():
        await ARCHIVE.reread_old_games()
    own = await text_at(at, "/games/")
    assert "/game/changed/" in own, "the game counts for the player who left"
    assert "<dt>Games</dt><dd>6</dd>" in own, "of eight one was broken off and one is not theirs"
    assert "<dt>Hands</dt><dd>11</dd>" in own
    assert "left before the end" in own
    assert "Broken off" in own
    late = await text_at(await sync_to_async(client)(person(6)), "/games/")
    assert "Took over a seat" in late
    assert "<dt>Hands</dt><dd>1</dd>" in late


async def test_worker_backfills_players_from_old_logs() -> None:
    await ARCHIVE.reread_old_games()
    seat = await models.GameSeat.objects.aget(game="changed", seat=0)
    assert (seat.person_id, seat.name, seat.is_absent) == (person(0), "Anna", True)
    assert (seat.place, seat.points) == (1, Decimal("50.0"))
    game = await models.Game.objects.aget(pk="forgotten")
    log = repr(await sync_to_async(archive.read_log)(game))
    assert "Fumi" not in log
    assert "Anna" in log
    assert (await models.Game.objects.aget(pk="broken")).is_broken_off


async def read_events() -> dict[str, Any]:
    """Return what the pages of each event are made of, by its address."""
    data: dict[str, Any] = {}
    async for event in ClubEvent.objects.order_by("pk"):
        standings = await sync_to_async(results.standings_of)(event)
        data[event.slug] = {
            "format": event.format,
            "standings": [
                [standings.names[row.player], row.place, str(row.points), str(row.deducted)]
                for row in standings.rows
            ],
            "provisional": sorted(standings.names[player] for player in standings.disputed),
            "rulings": [
                [
                    row.kind,
                    row.person.name if row.person else "",
                    row.game,
                    row.detail,
                    row.reason,
                    str(row.points),
                    row.is_cancelled,
                    row.cancel_reason,
                ]
                async for row in event.rulings.order_by("pk").select_related("person")
            ],
            "disputes": [
                [row.game, row.text, row.decision, row.answer]
                async for row in event.disputes.order_by("pk")
            ],
            "teams": [team.name async for team in event.teams.all()],
            "waiting": [row.state async for row in event.applicants.all()],
            "entrants": await event.entrants.acount(),
            "games": sorted([row.table_id async for row in ClubGame.objects.filter(event=event)]),
        }
        if event.format == "list":
            data[event.slug]["list"] = [
                row.state for row in await sync_to_async(fixtures.fixtures_of)(event)
            ]
        if event.format == "rounds":
            data[event.slug]["tables"] = [
                [row.table_id, row.is_void, row.scores] async for row in event.tables.all()
            ]
    return data


async def test_events_have_the_same_standings_and_texts() -> None:
    data = await read_events()
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
