"""Results of a player on pages: place in the ladder, course of the rating, scores by place,
opponents."""

from __future__ import annotations

import re
from time import time
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec import structs

from game.engine.presets import PRESETS
from game.models import GameLog, Rating
from game.results import figure_cards, ladders, personal_results, statistics
from game.results.filters import PlayFilter
from game.results.statistics import ALL_OF_FOUR, figures_of_player
from game.results.totals import SITE
from tests.web.finished_games import HOUR, archive_game, client, people, seats, text_at

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

EAST = structs.replace(PRESETS["tenhou"], length="east")
OTHER = PlayFilter(rules="wrc-2025")
ENDS: Any = [
    # places by seat, scores by seat
    ((1, 2, 3, 4), (40_000, 30_000, 20_000, 10_000)),
    ((4, 1, 2, 3), (-2_000, 50_000, 32_000, 20_000)),
    ((1, 3, 2, 4), (44_000, 18_000, 28_000, 10_000)),
]


@pytest.fixture(autouse=True)
def _site_figures_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "SITE_FIGURES_LAST_S", 0.0)
    monkeypatch.setattr(ladders, "KEPT_S", 0.0)


def archive_games(sat: Any) -> None:
    for at, (places, scores) in enumerate(ENDS):
        archive_game(
            f"game-{at}", seats(*sat), places=places, scores=scores, ended_at=HOUR * (at + 1)
        )


async def test_scores_by_place_and_games_below_zero() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    found = await database_sync_to_async(figures_of_player)(four[0], only_public=True)
    assert (found.scores, found.places) == ([84_000, 0, 0, -2_000], [2, 0, 0, 1])
    assert (found.below_zero, found.games) == (1, 3)
    assert (
        await database_sync_to_async(figures_of_player)(four[0], only_public=True, chosen=OTHER)
    ).games == 0


@database_sync_to_async
def opponents(
    person: UUID, chosen: PlayFilter = ALL_OF_FOUR, *, only_public: bool = True
) -> list[personal_results.Opponent]:
    latest = chosen.latest_games(person, only_public=only_public)
    return personal_results.opponents(person, latest)


async def test_opponents_by_common_games() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    stranger = (await sync_to_async(people)(1))[0]
    await sync_to_async(archive_game)("other", seats(four[0], stranger, None, None))
    await sync_to_async(archive_game)(
        "private", seats(four[0], four[1], None, None), public=False, places=(2, 1, 3, 4)
    )
    found = await opponents(four[0])
    assert [opponent.games for opponent in found] == [3, 3, 3, 1]
    by_person = {opponent.person: opponent for opponent in found}
    first = by_person[four[1]]
    assert (first.ahead.part, first.mean_place, first.their_mean_place) == (2, "2.00", "2.00")
    assert by_person[four[3]].ahead.part == 2
    assert by_person[stranger].ahead.part == 1
    all_games = await opponents(four[0], only_public=False)
    assert all_games[0].person == four[1]
    assert (all_games[0].games, all_games[0].ahead.part) == (4, 2)
    assert await opponents(four[0], OTHER) == []


@pytest.mark.postgresql
@pytest.mark.parametrize("counted_places", [0, 2, 1_000])
async def test_place_in_the_ladder_counts_better_ratings(
    monkeypatch: pytest.MonkeyPatch, counted_places: int
) -> None:
    monkeypatch.setattr(ladders, "COUNTED_PLACES", counted_places)
    monkeypatch.setattr(ladders, "MIN_GAMES", 3)
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    order = [row.player_id async for row in Rating.objects.order_by("-shown")]
    shown = [row.shown async for row in Rating.objects.order_by("-shown")]
    for person in four:
        places = await database_sync_to_async(ladders.places_in_ladders)(person)
        expected = shown.index(shown[order.index(person)]) + 1
        assert places == {"tenhou.east_south": (expected, 4)}
    monkeypatch.setattr(ladders, "MIN_GAMES", 4)
    assert await database_sync_to_async(ladders.places_in_ladders)(four[0]) == {}


async def test_place_near_the_top_is_never_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "MIN_GAMES", 3)
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    find = database_sync_to_async(ladders.places_in_ladders)
    best = await Rating.objects.order_by("-shown").afirst()
    last = await Rating.objects.order_by("shown").afirst()
    assert best is not None
    assert last is not None
    assert await find(best.player_id) == {"tenhou.east_south": (1, 4)}
    monkeypatch.setattr(ladders, "KEPT_S", 3_600.0)
    await Rating.objects.filter(pk=last.pk).aupdate(shown=best.shown + 1)
    assert await find(best.player_id) == {"tenhou.east_south": (2, 4)}
    assert await find(last.player_id) == {"tenhou.east_south": (1, 4)}


async def test_rating_is_charted_from_the_oldest_game(monkeypatch: pytest.MonkeyPatch) -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_game)("only", seats(*four), ended_at=HOUR // 2)
    assert await database_sync_to_async(personal_results.chart_rating)(four[0]) is None
    await sync_to_async(archive_games)(four)
    found = await database_sync_to_async(personal_results.chart_rating)(four[0])
    assert found is not None
    name, chart = found
    assert name == "Tenhou, East and South"
    heights = [dot.y for dot in chart.lines[0].dots]
    assert len(heights) == 4
    assert heights[2] > heights[1], "the rating falls with the fourth place"
    assert heights[3] < heights[2], "the rating rises with the next first place"


async def test_page_shows_the_standing_and_leads_to_each_definition() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    page = (await client().get(f"/player/{four[0]}/")).content.decode()
    assert re.search(rf'href="/player/{four[1]}/\?players=4">Player 1</a></th><td>3</td>', page)
    assert "42,000" in page
    meanings = await text_at(client(), "/figures/")
    anchors = re.findall(r'<dt><a href="/figures/#([a-z-]+)">', page)
    assert len(anchors) > 35
    for anchor in (*anchors, "yaku", "places", "against", "best-hand"):
        assert f'id="{anchor}"' in meanings, anchor


async def test_page_shows_the_course_by_month_of_the_chosen_games() -> None:
    four = await sync_to_async(people)(4)
    for at, rules in enumerate((PRESETS["tenhou"], EAST, EAST)):
        sat = seats(*four)
        ended_at = 24 * HOUR * (1 + 35 * at)
        await sync_to_async(archive_game)(f"game-{at}", sat, rules=rules, ended_at=ended_at)
    path = f"/player/{four[0]}/"
    row = r'<tr><th scope="row">(\w{3} \d{4})</th><td class="number">(\d+)</td>'
    assert [games for _month, games in re.findall(row, await text_at(client(), path))] == ["1"] * 3
    east = await text_at(client(), f"{path}?length=east")
    assert len(re.findall(row, east)) == 2
    assert east.count("by month, the newest at the right") == 3
    against = await text_at(client(), f"{path}?against={four[1]}")
    assert len(re.findall(row, against)) == 3
    single = await text_at(client(), f"{path}?length=east_south")
    assert "By month" not in single, "one month is no course"


@pytest.mark.postgresql
async def test_filters_choose_the_games() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_games)(four)
    stranger = (await sync_to_async(people)(1))[0]
    await sync_to_async(archive_game)(
        "now", seats(four[0], stranger, None, None), rules=EAST, ended_at=int(time() * 1000)
    )
    path = f"/player/{four[0]}/"
    wanted = {
        "": 4,
        "rules=tenhou": 4,
        "rules=wrc-2025": 0,
        "length=east": 1,
        "rated=rated": 3,
        "rated=unrated&length=east": 1,
        "period=12": 1,
        f"against={four[1]}": 3,
        f"against={stranger}&length=east_south": 0,
    }
    for query, games in wanted.items():
        page = await text_at(client(), f"{path}?{query}")
        assert f"<dt>Games</dt><dd>{games}</dd>" in page, query
        assert page.count('class="game-card') == games, query
    nonsense = ("rules=x", "length=x", "rated=x", "period=2", "against=x", f"against={SITE}")
    for query in nonsense:
        assert (await client().get(f"{path}?{query}")).status_code == 404, query


async def test_few_games_show_few_figures_and_the_others_a_click_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_game)("one", seats(*four))
    few = await text_at(client(), f"/player/{four[1]}/")
    first, others = few.split("<summary>All figures</summary>")
    assert "Mean place" in first
    assert "Most figures say little before 10 games." in first
    for name in ("Riichi wins", "Best hand"):
        assert name in others
        assert name not in first
    monkeypatch.setattr(figure_cards, "ENOUGH_GAMES", 1)
    enough = await text_at(client(), f"/player/{four[1]}/")
    assert "All figures" not in enough
    assert enough.count("Mean place") == others.count("Mean place")


async def test_page_links_the_best_hand_and_shows_site_means() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archive_game)("one", seats(*four))
    page = await text_at(client(), f"/player/{four[1]}/")
    assert 'href="/game/one/replay/?hand=1&amp;step=4&amp;seat=1&amp;open=1"' in page
    won, site = "50.0%", "12.5%"
    assert re.search(rf"<dt>Hands won</dt><dd>{won}</dd><dd class=.site-mean.>.*?{site}</dd>", page)
    loser = await text_at(client(), f"/player/{four[2]}/")
    assert "Best hand" not in loser
    await GameLog.objects.all().adelete()
    assert 'href="/game/one/"><strong>' in await text_at(client(), f"/player/{four[1]}/")


async def test_page_of_a_long_history_makes_as_many_queries() -> None:
    four = await sync_to_async(people)(4)

    async def queries() -> int:
        found = CaptureQueriesContext(connection)
        await sync_to_async(found.__enter__)()  # runs in the thread of the queries
        try:
            await text_at(client(), f"/player/{four[0]}/")
        finally:
            await sync_to_async(found.__exit__)(None, None, None)
        return await sync_to_async(len)(found)

    for at in range(12):  # enough games for the ladder to list the player
        await sync_to_async(archive_game)(f"game-{at}", seats(*four), ended_at=HOUR * (at + 1))
    few = await queries()
    for at in range(12, 24):
        await sync_to_async(archive_game)(f"game-{at}", seats(*four), ended_at=HOUR * (at + 1))
    assert await queries() == few
