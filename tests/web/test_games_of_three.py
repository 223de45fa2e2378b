"""Finished games of three: shown, replayed, reviewed and exported, with sums of their own."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from msgspec.structs import replace

from bench.played_games import play_room
from game.engine.presets import PRESETS_OF_THREE, preset
from game.imports.imported_game import ImportedGame, encode_game
from game.live.process import ARCHIVE
from game.mjai_programs.spec import read_spec
from game.models import Game, GamePlayer, GameSeat, ImportedRecord, PlayAccuracy, PlayTotal
from game.operations.game_export import archive_parts
from game.results.accuracy import last_games
from game.results.play_figures import PlayFigures, decode_figures
from game.results.recording import ladder_at_start
from game.results.totals import SITE
from game.reviews import computing, storage
from game.reviews.processes import drop_pool
from game.tables.room import SeatMeta
from tests.web.finished_games import archive_game, client, people, seats, text_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

RULES = replace(
    preset("tenhou-3"), start_points=3_000, return_points=3_000, goal_points=3_000, oka=0
)
"""Rules with which a game ends after a few hands."""


@pytest.fixture(scope="module", autouse=True)
def _no_pool_after_the_module() -> Iterator[None]:
    yield
    drop_pool()


@cache
def play_game_of_three() -> Any:
    sat = tuple(SeatMeta(f"p{seat}", person=str(UUID(int=seat + 1))) for seat in range(3))
    return play_room("three", sat, RULES, seed=5, started_at=1_790_000_000_000)


def archive_three() -> Game:
    room, log = play_game_of_three()
    assert ARCHIVE.save_game(room, log)
    return Game.objects.get(pk="three")


def import_three() -> ImportedRecord:
    _, log = play_game_of_three()
    events = tuple(event for commit in log for event in commit.events)
    game = ImportedGame("mjai", ("A", "B", "C"), 1, True, False, (), events)
    return ImportedRecord.objects.create(
        key="k" * 22,
        deletion_hash=b"",
        names=["A", "B", "C"],
        format="mjai",
        is_over=True,
        game=encode_game(game),
        created_at=timezone.now(),
    )


@pytest.mark.postgresql
def test_sums_of_a_game_of_three_follow_the_game() -> None:
    def sums() -> dict[UUID, PlayFigures]:
        rows = PlayTotal.objects.filter(seat_count=3)
        return {row.person_id: decode_figures(bytes(row.figures)) for row in rows}

    archive_three()
    once = sums()
    assert set(once) == {SITE, *(UUID(int=seat + 1) for seat in range(3))}
    assert once[SITE].games == sum(once[UUID(int=seat + 1)].games for seat in range(3)) == 3
    assert all(figures.hands > 0 for figures in once.values())
    Game.objects.update(revision=0)
    ARCHIVE._reread_game("three")
    assert sums() == once, "a second reading changes nothing"
    PlayTotal.objects.all().delete()
    GamePlayer.objects.update(figures=None)
    Game.objects.update(revision=0)
    ARCHIVE._reread_game("three")
    assert sums() == once, "the worker counts a game that no release has counted"
    Game.objects.get(pk="three").delete()
    assert all(figures.is_zero for figures in sums().values())
    assert not PlayTotal.objects.exclude(seat_count=3).exists()


async def test_player_of_three_finds_the_game_and_its_figures() -> None:
    await sync_to_async(archive_three)()
    page = await text_at(await sync_to_async(client)(UUID(int=1)), "/games/")
    assert 'href="/game/three/"' in page
    assert "<dt>Games</dt><dd>1</dd>" in page
    assert '<nav class="choices"' not in page, "there is nothing to choose"
    assert "Review my last game" in page
    found = await sync_to_async(last_games)(UUID(int=1), 3)
    assert (found.number, found.missing) == (1, ("three",))
    assert (await sync_to_async(last_games)(UUID(int=1), 4)).number == 0


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["four"]),
        ("players=3", ["three"]),
        ("players=3&rules=own", ["three"]),
        ("players=3&rules=ema-2025", ["three"]),
        ("players=3&rules=kansai", []),
        ("rules=kansai", []),
        ("players=4", ["four"]),
    ],
)
async def test_games_are_filtered_by_the_number_of_players(query: str, shown: list[str]) -> None:
    await sync_to_async(archive_three)()
    await sync_to_async(lambda: archive_game("four", seats(UUID(int=1), *people(3))))()
    page = await text_at(await sync_to_async(client)(UUID(int=1)), f"/games/?{query}")
    assert sorted(re.findall('href="/game/([a-z]+)/"', page)) == shown
    (current,) = re.findall(r'aria-current="page">\s*(Four|Three) players', page)
    assert current == ("Three" if "3" in query or "kansai" in query else "Four")


@pytest.mark.parametrize("name", PRESETS_OF_THREE)
@pytest.mark.parametrize("origin", ["queue", "bots"])
def test_game_of_three_is_rated_in_the_ladder_of_its_preset(name: str, origin: Any) -> None:
    ladder, rated = ladder_at_start(
        [str(person) for person in people(3)],
        rules=PRESETS_OF_THREE[name],
        origin=origin,
        has_clock=True,
        has_help=False,
        bot_accounts=[origin == "bots"] * 3,
    )
    kind = "bots." if origin == "bots" else ""
    assert (ladder, rated) == (f"{kind}{name}.east_south", (True,) * 3)


async def test_page_and_replay_of_a_game_of_three_offer_the_review() -> None:
    await sync_to_async(archive_three)()
    page = await text_at(client(), "/game/three/")
    assert "#review" in page
    assert '<input type="hidden" name="players" value="3">' in page
    assert 'data-review="/game/three/review.json"' in await text_at(client(), "/game/three/replay/")
    script = json.loads((await client().get("/game/three/replay.json")).content)
    assert script["hands"]
    norths = [at for at, event in enumerate(script["events"]) if event["type"] == "kita"]
    marked = [mark["at"] for mark in script["marks"] if mark["kind"] == "north"]
    assert marked == norths != []
    record = await sync_to_async(import_three)()
    address = f"/replay/{record.pk}/review.json"
    assert f'data-review="{address}"' in await text_at(client(), f"/replay/{record.pk}/")


@pytest.mark.parametrize("origin", ["site", "import"])
async def test_game_of_three_is_reviewed_without_columns_of_engines(
    origin: str, settings: Any
) -> None:
    settings.REVIEWERS = [read_spec("Copy=mjai.app cat")]
    game = await sync_to_async(archive_three)()
    record = await sync_to_async(import_three)()
    subject = game if origin == "site" else record
    await sync_to_async(storage.request_review)(subject, "somebody")
    await computing.compute_queued()
    await asyncio.gather(*computing._running)
    path = "/game/three/review.json" if origin == "site" else f"/replay/{record.pk}/review.json"
    answer = json.loads((await client().get(path)).content)
    assert answer["state"] == "done"
    review = answer["review"]
    assert len(review["dearest"]) == len(review["accuracy"]) == 3
    assert {decision["seat"] for decision in review["decisions"]} == {0, 1, 2}
    assert review["reviewers"] == []
    counted = [row async for row in PlayAccuracy.objects.values_list("seat_count", flat=True)]
    assert counted == ([3, 3, 3] if origin == "site" else [])


def test_export_has_the_records_and_results_of_three() -> None:
    archive_three()
    parts = archive_parts(Game.objects.all(), ["mjlog", "tenhou6", "mjai"])
    with zipfile.ZipFile(io.BytesIO(b"".join(part.data for part in parts))) as archive:
        index = archive.read("index.csv").decode().splitlines()
        names = archive.namelist()
    assert len(names) == 4, "three records and the index"
    values = dict(zip(index[0].split(","), index[1].split(","), strict=True))
    assert {values[f"place_{number}"] for number in (1, 2, 3)} == {"1", "2", "3"}
    assert (values["name_4"], values["place_4"]) == ("", "")
    assert set(GameSeat.objects.values_list("seat_count", flat=True)) == {3}
