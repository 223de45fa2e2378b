"""With RECORDS_KEPT_DAYS the log of an old game is deleted, and its result stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.archive import archive
from game.live.process import ARCHIVE
from game.models import Game, GameLog, GamePlayer
from tests.web.finished_games import archive_game, people, ratings, seats, stored_figures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
GONE = "Records are kept for a limited time on this site"


def days_ago_ms(days: float) -> int:
    """Return the time that many days ago, in Unix milliseconds."""
    return int((timezone.now() - timedelta(days=days)).timestamp() * 1000)


def archive_two_games() -> None:
    four_seats = seats(*people(4))
    archive_game("old", four_seats, ended_at=days_ago_ms(31))
    archive_game("young", four_seats, ended_at=days_ago_ms(29))


async def test_log_is_deleted_after_its_days_and_the_result_stays(settings: Any) -> None:
    settings.RECORDS_KEPT_DAYS = 30
    await sync_to_async(archive_two_games)()
    rated = await sync_to_async(ratings)()
    await archive.remove_old_logs()
    assert [log.pk async for log in GameLog.objects.all()] == ["young"]
    rows = GamePlayer.objects.filter(game="old")
    assert [stored_figures(row).hands async for row in rows] == [2, 2, 2, 2]
    assert await sync_to_async(ratings)() == rated
    page = await AsyncClient().get("/game/old/")
    assert page.status_code == 200
    assert GONE in page.content.decode()
    assert "/game/old/mjlog/" not in page.content.decode()
    assert GONE not in (await AsyncClient().get("/game/young/")).content.decode()
    record = await AsyncClient().get("/game/old/mjlog/")
    assert record.status_code == 409
    assert GONE in record.content.decode()


async def test_logs_are_kept_for_ever_by_default() -> None:
    await sync_to_async(archive_two_games)()
    await archive.remove_old_logs()
    assert await GameLog.objects.acount() == 2


async def test_old_logs_are_deleted_in_batches(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RECORDS_KEPT_DAYS = 30
    monkeypatch.setattr(archive, "_REMOVAL_BATCH", 2)
    for number in range(3):
        await sync_to_async(archive_game)(
            f"g{number}", seats(uuid4(), None, None, None), ended_at=days_ago_ms(40 + number)
        )
    assert await archive.remove_old_logs() is None, (
        "a full batch is followed by another one at once"
    )
    assert [log.pk async for log in GameLog.objects.all()] == ["g0"], "the oldest go first"
    assert await archive.remove_old_logs() == 3_600, "logs are deleted once an hour"
    assert await GameLog.objects.acount() == 0


async def test_game_without_a_log_is_not_read_again(caplog: pytest.LogCaptureFixture) -> None:
    await sync_to_async(archive_game)("one", seats(uuid4(), None, None, None))
    await GameLog.objects.all().adelete()
    await Game.objects.aupdate(revision=0)
    await ARCHIVE.reread_old_games()
    assert not caplog.text
    assert (await Game.objects.aget()).revision == archive.REVISION
    assert stored_figures(await GamePlayer.objects.aget()).hands == 2
