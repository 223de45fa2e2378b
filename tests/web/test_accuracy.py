"""The accuracy of players on their pages, from what reviews have stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

from game.models import Game, PlayAccuracy
from game.results.accuracy import GAMES_IN_CHART, WINDOW_GAMES, accuracy_of, trend
from game.results.figure_cards import Share
from tests.web.finished_games import archive_game, client, people, seats, text_at

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fresh"),
    pytest.mark.postgresql,
]

START = datetime(2026, 1, 1, tzinfo=UTC)


async def store_review(person: UUID, number: int, *, is_public: bool = True) -> None:
    """Store a reviewed game, the first with number 0: `number` of 50 discards were efficient, and
    the player was never in danger."""
    when = START + timedelta(hours=number)
    game = await Game.objects.acreate(
        table_id=f"g{number}", rules={}, is_public=is_public, started_at=when, ended_at=when
    )
    await PlayAccuracy.objects.acreate(
        game=game,
        person_id=person,
        seat=0,
        ended_at=when,
        is_public=is_public,
        efficient=number,
        efficient_of=50,
        safe=0,
        safe_of=0,
    )


def test_each_point_is_the_share_over_the_last_games() -> None:
    counts = [(number, 50, number % 2, 1) for number in range(WINDOW_GAMES + 2)]
    points = trend(counts)
    assert [point.efficiency for point in points[:2]] == [Share(0, 50), Share(1, 100)]
    assert points[-1].efficiency == Share(sum(range(2, WINDOW_GAMES + 2)), 50 * WINDOW_GAMES)
    assert points[-1].defence == Share(WINDOW_GAMES // 2, WINDOW_GAMES)


async def test_accuracy_is_totalled_and_charted() -> None:
    person = uuid4()
    assert await database_sync_to_async(accuracy_of)(person, 4, only_public=True) is None
    games = GAMES_IN_CHART + WINDOW_GAMES
    for number in range(games):
        await store_review(person, number)
    await store_review(person, games, is_public=False)
    found = await database_sync_to_async(accuracy_of)(person, 4, only_public=True)
    assert found is not None
    assert found.games == games
    assert found.efficiency == Share(sum(range(games)), 50 * games)
    assert len(found.points) == GAMES_IN_CHART
    latest = sum(range(games - WINDOW_GAMES, games))
    assert found.points[-1].efficiency == Share(latest, 50 * WINDOW_GAMES)
    first = sum(range(1, WINDOW_GAMES + 1))  # the first point counts the games before it
    assert found.points[0].efficiency == Share(first, 50 * WINDOW_GAMES)
    assert found.chart is not None
    efficiency, defence = found.chart.lines
    heights = [dot.y for dot in efficiency.dots]
    assert heights == sorted(heights, reverse=True), "the accuracy has improved"
    assert defence.dots == ()
    own = await database_sync_to_async(accuracy_of)(person, 4, only_public=False)
    assert own is not None
    assert own.games == games + 1


async def test_public_page_shows_the_accuracy_of_public_games() -> None:
    (person,) = await sync_to_async(people)(1)
    await sync_to_async(archive_game)("played", seats(person, None, None, None))
    await store_review(person, 20)
    await store_review(person, 30)
    await store_review(person, 40, is_public=False)
    text = await text_at(client(), f"/player/{person}/")
    assert "In 2 reviewed games." in text
    assert "<dt>Efficiency</dt><dd>50.0%</dd>" in text
    assert 'href="/review/figures/#accuracy"' in text
    assert 'class="line seat-1"' in text
