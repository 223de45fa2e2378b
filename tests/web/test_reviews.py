"""Reviews on the site: who may ask for one, how the worker computes it, and what the site
answers."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from itertools import accumulate
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.test import AsyncClient
from django.utils import timezone

from bench.played_games import play_room
from game.archive.archive import read_events
from game.engine.by_seat import BySeat
from game.engine.events import Answered
from game.imports.imported_game import ImportedGame, encode_game
from game.live.process import ARCHIVE
from game.models import Game, GameLog, ImportedRecord, PlayAccuracy, Review
from game.results import accuracy
from game.results.players import forget_player
from game.reviews import computing, storage
from game.reviews.figures import VERSION, GameReview
from game.reviews.game_review import review_game
from game.reviews.losses import scale_of
from game.reviews.processes import drop_pool, pool
from game.tables.room import SeatMeta, TableId
from tests.reviews.games import SHORT_RULES
from tests.web.finished_games import client, text_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]


@cache
def play_reviewed_game() -> Any:
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    return play_room("reviewed", seats, SHORT_RULES, seed=72, started_at=1_790_000_000_000)


def archive_game(*, is_public: bool = True) -> Game:
    room, log = play_reviewed_game()
    assert ARCHIVE.save_game(room, log)
    Game.objects.update(is_public=is_public)
    return Game.objects.get()


def import_game(*, is_over: bool = True) -> ImportedRecord:
    _, log = play_reviewed_game()
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


@pytest.fixture(scope="module", autouse=True)
def _one_pool_for_the_module() -> Iterator[None]:
    """Keep the processes for all tests of the module: each takes a second to start."""
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
    assert not await PlayAccuracy.objects.aexists()  # no person has played
    review = await Review.objects.aget()
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


@pytest.mark.postgresql
async def test_review_is_deleted_after_its_days_or_with_the_log(settings: Any) -> None:
    settings.REVIEWS_KEPT_DAYS = 30
    game = await sync_to_async(archive_game)()
    record = await sync_to_async(import_game)()
    for subject in (game, record):
        await sync_to_async(storage.request_review)(subject, "somebody")
    await Review.objects.aupdate(state="done", requested_at=timezone.now() - timedelta(days=29))
    assert await storage.remove_old_reviews() == 3_600
    assert await Review.objects.acount() == 2
    await GameLog.objects.all().adelete()
    await storage.remove_old_reviews()
    assert await Review.objects.filter(record=record).acount() == 1
    await Review.objects.aupdate(requested_at=timezone.now() - timedelta(days=31))
    await storage.remove_old_reviews()
    path = f"/replay/{record.pk}/review.json"
    assert (await state(AsyncClient(), path))["state"] == "none"
    asked = await AsyncClient().post(path)
    assert json.loads(asked.content)["state"] == "queued", (
        "the deleted review can be computed again"
    )


async def test_clients_without_gzip_get_the_review_too() -> None:
    game = await sync_to_async(archive_game)()
    figures = storage.encode_review(GameReview(VERSION, [], [], [], [], [], scale_of(4)))
    await Review.objects.acreate(
        game=game, version=VERSION, state="done", figures=figures, requested_at=timezone.now()
    )
    path = f"/game/{game.pk}/review.json"
    packed = await AsyncClient().get(path, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert packed.content == figures
    plain = await AsyncClient().get(path)
    assert json.loads(plain.content)["review"]["version"] == VERSION


@pytest.mark.postgresql
async def test_accuracy_counts_only_discards_of_the_person() -> None:
    """Two people played a seat one after the other; a bot stood in for one of them."""
    room, log = play_reviewed_game()
    first, second = str(uuid4()), str(uuid4())
    shown = [event for commit in log for event in commit.events if not isinstance(event, Answered)]

    def seated(person: str, *, bot: str = "") -> BySeat[SeatMeta]:
        own = SeatMeta(person and f"name of {person[:8]}", person=person, bot=bot)
        return (own, *room.meta.seats[1:])

    third = len(log) // 3
    changes = {0: seated(first), third: seated(first, bot="sensible"), 2 * third: seated(second)}
    commits = [
        msgspec.structs.replace(commit, seats=changes.get(number))
        for number, commit in enumerate(log)
    ]
    meta = msgspec.structs.replace(room.meta, seats=seated(second))
    played_room = msgspec.structs.replace(room, meta=meta)
    assert await sync_to_async(ARCHIVE.save_game)(played_room, commits)
    game = await Game.objects.aget()
    await sync_to_async(storage.request_review)(game, "somebody")
    await compute_all()
    ends = list(
        accumulate(
            sum(not isinstance(event, Answered) for event in commit.events) for commit in commits
        )
    )
    found = json.loads(storage_text(await Review.objects.aget()))["review"]["decisions"]
    for person, begin, end in (
        (first, 0, ends[third - 1]),
        (second, ends[2 * third - 1], len(shown)),
    ):
        own = [
            decision
            for decision in found
            if decision["seat"] == 0 and begin <= decision["at"] + 1 < end
        ]
        row = await PlayAccuracy.objects.aget(person_id=person)
        assert (row.game_id, row.seat, row.ended_at) == (game.pk, 0, game.ended_at)
        efficient = [
            decision["efficient"] for decision in own if decision.get("efficient") is not None
        ]
        safe = [decision["safe"] for decision in own if decision.get("safe") is not None]
        assert (row.efficient, row.efficient_of) == (sum(efficient), len(efficient))
        assert (row.safe, row.safe_of) == (sum(safe), len(safe))
        assert row.efficient_of > 0
    assert await PlayAccuracy.objects.acount() == 2
    await sync_to_async(forget_player)(UUID(first))
    assert await PlayAccuracy.objects.acount() == 1


def storage_text(review: Review) -> bytes:
    return gzip.decompress(review.figures)


async def test_private_game_gives_its_review_to_nobody_else() -> None:
    game = await sync_to_async(archive_game)(is_public=False)
    await sync_to_async(storage.request_review)(game, "owner")
    await compute_all()
    client = AsyncClient()
    assert (await client.get(f"/game/{game.pk}/review.json")).status_code == 404
    assert (await client.post(f"/game/{game.pk}/review.json")).status_code == 404


async def test_curves_of_all_discards_are_given_for_reviewed_games_only() -> None:
    game = await sync_to_async(archive_game)()
    path = f"/game/{game.pk}/curves.json"
    client = AsyncClient()
    assert (await client.get(f"{path}?at=1&seat=0")).status_code == 404  # no review yet
    await sync_to_async(storage.request_review)(game, "somebody")
    await compute_all()
    found = json.loads(storage_text(await Review.objects.aget()))["review"]["decisions"]
    decision = next(
        each
        for each in found
        if not each.get("claimed") and any(choice.get("curves") for choice in each["choices"])
    )
    answer = await client.get(f"{path}?at={decision['at']}&seat={decision['seat']}")
    curves = json.loads(answer.content)["curves"]
    assert len(curves) == len(decision["choices"])
    made = decision["chosen"]
    assert curves[made] == decision["choices"][made]["curves"]
    others = [place for place in range(len(curves)) if "curves" not in decision["choices"][place]]
    assert any(curves[place] for place in others)
    for query in ("", "?at=1", "?at=x&seat=0", "?at=999999&seat=0", "?at=1&seat=-1"):
        assert (await client.get(path + query)).status_code == 404
    assert (await client.post(path)).status_code == 405


async def test_private_game_gives_no_curves_to_others() -> None:
    game = await sync_to_async(archive_game)(is_public=False)
    await sync_to_async(storage.request_review)(game, "owner")
    await compute_all()
    assert (await AsyncClient().get(f"/game/{game.pk}/curves.json?at=1&seat=0")).status_code == 404


async def test_person_cannot_fill_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MAX_UNFINISHED", 2)
    game = await sync_to_async(archive_game)()
    records = []
    record = await sync_to_async(import_game)()
    for number in range(storage.MAX_UNFINISHED):
        record.pk = f"copy-{number}"
        await record.asave(force_insert=True)
        records.append(record.pk)
    client = AsyncClient()
    for key in records:
        assert (await client.post(f"/replay/{key}/review.json")).status_code == 200
    path = f"/game/{game.pk}/review.json"
    assert (await client.post(path)).status_code == 429
    assert (await AsyncClient().post(path)).status_code == 200  # another person may ask
    assert (await client.post(path)).status_code == 200  # the review is queued already


def archive_games(number: int, person: str) -> list[str]:
    """Archive that many games of this person and three bots. Return their keys, the latest
    first."""
    room, log = play_reviewed_game()
    keys = []
    for at in range(number):
        own = SeatMeta("someone", person=person)
        meta = msgspec.structs.replace(room.meta, seats=(own, *room.meta.seats[1:]))
        commits = [
            msgspec.structs.replace(commit, at=commit.at + at, seats=meta.seats if not n else None)
            for n, commit in enumerate(log)
        ]
        table_id = TableId(f"game-{at}")
        table = msgspec.structs.replace(room, table_id=table_id, meta=meta)
        assert ARCHIVE.save_game(table, commits)
        keys.append(table_id)
    return keys[::-1]


async def test_last_games_are_reviewed_by_one_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "LAST_GAMES", 3)
    person = str(uuid4())
    keys = await sync_to_async(archive_games)(4, person)
    other = await sync_to_async(client)()
    own = await sync_to_async(client)(UUID(person))
    assert "Review my last 3 games" in await text_at(own, "/games/")
    first = await Game.objects.aget(pk=keys[0])
    await sync_to_async(storage.request_review)(first, person)
    assert (await other.post("/games/review/")).status_code == 302
    assert await Review.objects.acount() == 1, "a visitor without games has none to review"
    of_three = await own.post("/games/review/", {"players": "3"})
    assert of_three["Location"] == "/games/?players=3#accuracy"
    assert await Review.objects.acount() == 1, "there are games of four only"
    assert (await own.post("/games/review/", {"players": "5"})).status_code == 404
    assert (await own.post("/games/review/"))["Location"] == "/games/?players=4#accuracy"
    queued = Review.objects.order_by("pk").values_list("game_id", flat=True)
    assert [key async for key in queued] == keys[:3]
    text = await text_at(own, "/games/")
    assert "Your last 3 games: 0 reviewed." in text
    assert "3 reviews are being computed" in text
    assert "Review my last" not in text
    await compute_all()
    text = await text_at(own, "/games/")
    assert "In 1 reviewed game." in text
    assert "Your last 3 games: 1 reviewed. 2 reviews are being computed" in text
    page = await text_at(other, "/games/")
    assert "reviewed" not in page


async def test_one_review_is_computed_before_twenty_of_another_person() -> None:
    keys = await sync_to_async(archive_games)(4, str(uuid4()))
    games = [await Game.objects.aget(pk=key) for key in keys]
    rows = [
        await sync_to_async(storage.request_review)(game, person)
        for game, person in zip(games, ("busy", "busy", "busy", "other"), strict=True)
    ]
    order = [await sync_to_async(computing.claim)() for _ in games]
    assert order == [rows[at].pk for at in (3, 0, 1, 2)]


async def test_review_of_an_older_version_is_computed_again() -> None:
    game = await sync_to_async(archive_game)()
    old = await sync_to_async(storage.request_review)(game, "somebody")
    await Review.objects.filter(pk=old.pk).aupdate(version=0, state="done")
    client = AsyncClient()
    path = f"/game/{game.pk}/review.json"
    assert (await state(client, path))["state"] == "none"
    assert json.loads((await client.post(path)).content)["state"] == "queued"


async def test_review_of_a_dead_worker_is_repeated_a_few_times() -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(storage.request_review)(game, str(uuid4()))
    for _ in range(computing.MAX_ATTEMPTS):
        assert await sync_to_async(computing.claim)() is not None
        assert await sync_to_async(computing.claim)() is None  # it is claimed already
        past = timezone.now() - timedelta(seconds=1)
        await Review.objects.aupdate(claimed_until=past)
    assert await sync_to_async(computing.claim)() is None
    review = await Review.objects.aget()
    assert (review.state, review.requested_by) == ("failed", "")


async def test_review_is_queued_again_when_its_process_dies() -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(storage.request_review)(game, "somebody")
    workers = pool(1)
    process = await asyncio.get_running_loop().run_in_executor(workers, os.getpid)
    os.kill(process, signal.SIGKILL)
    await compute_all()
    assert (await Review.objects.aget()).state == "queued"
    await compute_all()
    assert (await Review.objects.aget()).state == "done"


async def test_review_waits_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(storage.request_review)(game, "somebody")

    def fail(key: int) -> Any:
        raise OperationalError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(computing, "_read_hands", fail)
        await compute_all()
    review = await Review.objects.aget()
    assert review.state == "running"
    await Review.objects.aupdate(claimed_until=timezone.now())
    await compute_all()
    assert (await Review.objects.aget()).state == "done"


async def test_worker_that_ends_leaves_its_review_to_others() -> None:
    game = await sync_to_async(archive_game)()
    await sync_to_async(storage.request_review)(game, "somebody")
    await computing.compute_queued()
    workers = pool(1)
    await computing.stop_computing()
    review = await Review.objects.aget()
    assert (review.state, review.attempts, review.claimed_until) == ("queued", 0, None)
    with pytest.raises(RuntimeError):
        workers.submit(int)  # the worker was shut down
    await compute_all()
    assert (await Review.objects.aget()).state == "done"
