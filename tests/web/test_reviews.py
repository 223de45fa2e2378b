"""Reviews on the site: who may ask for one, how the worker computes it, and what is answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from bench.played_games import play_room
from game.engine.rules import TENHOU
from game.imports.imported_game import ImportedGame, encode_game
from game.live.process import ARCHIVE
from game.models import Game, ImportedRecord, Review
from game.reviews import computing, requests
from game.reviews.game_review import review_game
from game.reviews.processes import drop_pool, pool
from game.tables.archive import read_events
from game.tables.room import SeatMeta, four

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]


@cache
def played() -> Any:
    seats = four(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    rules = msgspec.structs.replace(
        TENHOU, start_points=3_000, return_points=3_000, goal_points=3_000, oka=0
    )
    return play_room("reviewed", seats, rules, seed=5, started_at=1_790_000_000_000)


def archive_game(*, is_public: bool = True) -> Game:
    room, log = played()
    assert ARCHIVE.save_game(room, log)
    Game.objects.update(is_public=is_public)
    return Game.objects.get()


def import_game(*, is_over: bool = True) -> ImportedRecord:
    _, log = played()
    events = tuple(event for commit in log for event in commit.events)
    game = ImportedGame("mjai", ("", "", "", ""), 1, is_over, False, (), events)
    return ImportedRecord.objects.create(
        key="k" * 22,
        deletion_hash=b"",
        names=["", "", "", ""],
        format="mjai",
        is_over=is_over,
        game=encode_game(game),
        created_at=timezone.now(),
    )


@pytest.fixture(autouse=True)
async def _no_pool_stays() -> AsyncIterator[None]:
    yield
    drop_pool()


async def compute_all() -> None:
    await computing.compute_queued()
    await asyncio.gather(*computing._running)


async def state(client: AsyncClient, path: str) -> dict[str, Any]:
    answer = await client.get(path)
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


async def test_game_is_reviewed_once_somebody_asks() -> None:
    game = await sync_to_async(archive_game)()
    client = AsyncClient()
    path = f"/game/{game.pk}/review.json"
    assert (await state(client, path))["state"] == "none"
    asked = await client.post(path)
    assert json.loads(asked.content) == {"state": "queued", "done": 0.0}
    await compute_all()
    found = await state(client, path)
    assert found["state"] == "done"
    events = await sync_to_async(read_events)(game)
    expected = json.loads(msgspec.json.encode(review_game(events)))
    assert found["review"] == expected
    review = await Review.objects.aget()
    assert review.accuracy == expected["accuracy"]
    assert review.hands_done == review.hands > 0
    assert review.requested_by == ""


async def test_imported_game_is_reviewed() -> None:
    record = await sync_to_async(import_game)()
    client = AsyncClient()
    path = f"/replay/{record.pk}/review.json"
    await client.post(path)
    await compute_all()
    assert (await state(client, path))["state"] == "done"
    await record.adelete()
    assert not await Review.objects.aexists()


async def test_record_that_does_not_end_has_no_review() -> None:
    record = await sync_to_async(import_game)(is_over=False)
    client = AsyncClient()
    path = f"/replay/{record.pk}/review.json"
    assert (await client.get(path)).status_code == 404
    assert (await client.post(path)).status_code == 404
    assert not await Review.objects.aexists()


async def test_running_game_has_no_review() -> None:
    client = AsyncClient()
    assert (await client.get("/game/running/review.json")).status_code == 404
    assert (await client.post("/game/running/review.json")).status_code == 404


async def test_private_game_gives_its_review_to_nobody_else() -> None:
    game = await sync_to_async(archive_game)(is_public=False)
    await sync_to_async(requests.request_review)(game, "owner")
    await compute_all()
    client = AsyncClient()
    assert (await client.get(f"/game/{game.pk}/review.json")).status_code == 404
    assert (await client.post(f"/game/{game.pk}/review.json")).status_code == 404


async def test_person_cannot_fill_the_queue() -> None:
    game = await sync_to_async(archive_game)()
    records = []
    record = await sync_to_async(import_game)()
    for number in range(requests.MAX_UNFINISHED):
        record.pk = f"copy-{number}"
        await record.asave(force_insert=True)
        records.append(record.pk)
    client = AsyncClient()
    for key in records:
        assert (await client.post(f"/replay/{key}/review.json")).status_code == 200
    path = f"/game/{game.pk}/review.json"
    assert (await client.post(path)).status_code == 429
    assert (await AsyncClient().post(path)).status_code == 200  # somebody else may ask
    assert (await client.post(path)).status_code == 200  # and then it is queued already


async def test_review_of_an_older_version_is_computed_anew() -> None:
    game = await sync_to_async(archive_game)()
    old = await sync_to_async(requests.request_review)(game, "somebody")
    await Review.objects.filter(pk=old.pk).aupdate(version=0, state="done")
    client = AsyncClient()
    path = f"/game/{game.pk}/review.json"
    assert (await state(client, path))["state"] == "none"
    assert json.loads((await client.post(path)).content)["state"] == "queued"


async def test_review_of_a_dead_worker_is_taken_over_and_fails_in_the_end() -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(requests.request_review)(game, str(uuid4()))
    for _ in range(computing.MAX_ATTEMPTS):
        assert await sync_to_async(computing.claim)() is not None
        assert await sync_to_async(computing.claim)() is None  # another worker has it
        past = timezone.now() - timedelta(seconds=1)
        await Review.objects.aupdate(claimed_until=past)
    assert await sync_to_async(computing.claim)() is None
    review = await Review.objects.aget()
    assert (review.state, review.requested_by) == ("failed", "")


async def test_review_is_queued_again_when_its_process_dies() -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(requests.request_review)(game, "somebody")
    workers = pool(1)
    await asyncio.get_running_loop().run_in_executor(workers, int)  # its process runs now
    (process,) = workers._processes.values()
    process.kill()
    process.join()
    await compute_all()
    assert (await Review.objects.aget()).state == "queued"
    await compute_all()
    assert (await Review.objects.aget()).state == "done"
