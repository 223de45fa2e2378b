"""A database from before the ladders were split keeps all games, counts and ratings.

The site before migration 0006 wrote `fixtures/games_before_0006.json`. Its games `south-1`,
`east-1`, `south-2`, `east-2` and `forgotten` were rated. In `changed`, player 0 left seat 0 after
the first hand and player 6 took it. `broken` was broken off in its first hand. Player 5 has deleted
the account.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from base64 import b64decode
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import translation

from game import models
from game.archive import archive
from game.engine.events import Event
from game.live.process import ARCHIVE
from game.results import ladders
from game.results.play_figures import PlayFigures
from game.tables.codec import decode_commits
from tests.web.finished_games import client, ratings, stored_figures, text_at

pytestmark = pytest.mark.django_db(transaction=True)

FIXTURE = Path(__file__).parent / "fixtures" / "games_before_0006.json"
BEFORE = ("game", "0005_bans_take_effect")


def person(number: int) -> UUID:
    return UUID(f"0000000{number}-0000-4000-8000-000000000000")


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FIXTURE.read_text())
    return found


@pytest.fixture(scope="module")
def database_copies() -> Iterator[list[sqlite3.Connection]]:
    """Yield a list for the copy of the migrated old database: the migrations take two seconds, so
    only the first test runs them. On PostgreSQL the list stays empty."""
    copies: list[sqlite3.Connection] = []
    yield copies
    for copy in copies:
        copy.close()


@pytest.fixture(autouse=True)
def old_database(database_copies: list[sqlite3.Connection]) -> Iterator[None]:
    """Prepare the database as the old site left it, brought up to date."""
    cache.clear()
    connection.ensure_connection()
    if database_copies:
        database_copies[0].backup(connection.connection)
    else:
        make_old_database()
        if connection.vendor == "sqlite":
            database_copies.append(sqlite3.connect(":memory:"))
            connection.connection.backup(database_copies[0])
    with translation.override(None):
        yield


def make_old_database() -> None:
    """Migrate to the tables of the old site, write its rows, and migrate to the present tables."""
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes("game")
    executor.migrate([BEFORE])
    try:
        old = MigrationExecutor(connection).loader.project_state([BEFORE]).apps
        written = set()
        for row in rows():
            model = old.get_model(row["model"])
            fields = {
                field.attname: field.to_python(row["fields"][field.name])
                for field in model._meta.concrete_fields
                if field.name in row["fields"]
            }
            model.objects.create(pk=row["pk"], **fields)
            written.add(model)
        with connection.cursor() as cursor:  # PostgreSQL does not notice ids that were given
            for statement in connection.ops.sequence_reset_sql(no_style(), list(written)):
                cursor.execute(statement)
    finally:
        MigrationExecutor(connection).migrate(latest)


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


@pytest.mark.postgresql
def test_migration_moves_logs_and_copies_facts_of_games() -> None:
    wanted = old_logs()
    assert wanted
    for game in models.Game.objects.all():
        assert archive.read_events(game) == wanted[game.pk]
        for row in (*game.seats.all(), *game.players.all()):
            assert (row.ended_at, row.is_public) == (game.ended_at, game.is_public)
            assert (row.is_broken_off, row.preset) == (game.is_broken_off, game.preset)
    assert models.Game.objects.get(pk="broken").is_broken_off
    assert not models.Game.objects.get(pk="south-1").is_broken_off


@pytest.mark.postgresql
def test_migration_keeps_counts_of_games_without_figures() -> None:
    wanted = {"hands": 3, "wins": 1, "win_points": 8000, "deal_in_points": 2000, "draws": 2}
    (row,) = models.GamePlayer.objects.filter(game="south-1", person_id=person(0))
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes("game")
    before = [("game", "0025_remove_old_logs")]
    executor.migrate(before)
    try:
        old = MigrationExecutor(connection).loader.project_state(before).apps
        players = old.get_model("game", "GamePlayer").objects
        players.filter(pk=row.pk).update(figures=b"", **wanted)
    finally:
        MigrationExecutor(connection).migrate(latest)
    row.refresh_from_db()
    assert stored_figures(row) == PlayFigures(**wanted, is_partial=True)
    assert not models.GamePlayer.objects.exclude(pk=row.pk).exclude(figures=None).exists()


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
def test_migration_splits_ratings_by_length(length: str) -> None:
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
