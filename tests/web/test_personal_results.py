"""Results of a player on pages: place in the ladder, course of the rating, scores by place,
opponents."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from game.engine.presets import PRESETS
from game.models import Rating
from game.results import personal_results
from tests.web.finished_games import HOUR, archived, client, people, seats, text_at

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

ENDS: Any = [
    # places by seat, scores by seat
    ((1, 2, 3, 4), (40_000, 30_000, 20_000, 10_000)),
    ((4, 1, 2, 3), (-2_000, 50_000, 32_000, 20_000)),
    ((1, 3, 2, 4), (44_000, 18_000, 28_000, 10_000)),
]


def played(sat: Any) -> None:
    for at, (places, scores) in enumerate(ENDS):
        archived(f"game-{at}", seats(*sat), places=places, scores=scores, ended_at=HOUR * (at + 1))


async def test_scores_by_place_and_games_below_zero() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(played)(four)
    means, below = await personal_results.scores_by_place(four[0], only_public=True, preset=None)
    assert means == ["42,000", "\N{EN DASH}", "\N{EN DASH}", "\N{MINUS SIGN}2,000"]
    assert (below.part, below.whole) == (1, 3)
    none, nothing = await personal_results.scores_by_place(
        four[0], only_public=True, preset="wrc-2025"
    )
    assert set(none) == {"\N{EN DASH}"}
    assert nothing.whole == 0


async def test_opponents_by_common_games() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(played)(four)
    stranger = (await sync_to_async(people)(1))[0]
    await sync_to_async(archived)("other", seats(four[0], stranger, None, None))
    await sync_to_async(archived)(
        "private", seats(four[0], four[1], None, None), public=False, places=(2, 1, 3, 4)
    )
    found = await personal_results.opponents(four[0], only_public=True, preset=None)
    assert [one.games for one in found] == [3, 3, 3, 1]
    by_person = {one.person: one for one in found}
    first = by_person[four[1]]
    assert (first.ahead.part, first.mean_place, first.their_mean_place) == (2, "2.00", "2.00")
    assert by_person[four[3]].ahead.part == 2
    assert by_person[stranger].ahead.part == 1
    all_games = await personal_results.opponents(four[0], only_public=False, preset=None)
    assert all_games[0].person == four[1]
    assert (all_games[0].games, all_games[0].ahead.part) == (4, 2)
    assert await personal_results.opponents(four[0], only_public=True, preset="wrc-2025") == []
    assert "tenhou" in PRESETS


async def test_place_in_the_ladder_counts_better_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.results.personal_results.MIN_GAMES", 3)
    four = await sync_to_async(people)(4)
    await sync_to_async(played)(four)
    order = [row.player_id async for row in Rating.objects.order_by("-shown")]
    shown = [row.shown async for row in Rating.objects.order_by("-shown")]
    for person in four:
        places = await personal_results.places_in_ladders(person)
        expected = shown.index(shown[order.index(person)]) + 1
        assert places == {"tenhou.east_south": (expected, 4)}
    monkeypatch.setattr("game.results.personal_results.MIN_GAMES", 4)
    assert await personal_results.places_in_ladders(four[0]) == {}


async def test_rating_is_charted_from_the_oldest_game(monkeypatch: pytest.MonkeyPatch) -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(archived)("only", seats(*four), ended_at=HOUR // 2)
    assert await personal_results.chart_rating(four[0]) is None
    await sync_to_async(played)(four)
    found = await personal_results.chart_rating(four[0])
    assert found is not None
    name, chart = found
    assert name == "Tenhou, East and South"
    heights = [dot.y for dot in chart.lines[0].dots]
    assert len(heights) == 4
    assert heights[2] > heights[1], "the rating falls with the fourth place"
    assert heights[3] < heights[2], "and rises with the first place after it"


async def test_page_shows_the_standing_and_leads_to_the_meanings() -> None:
    four = await sync_to_async(people)(4)
    await sync_to_async(played)(four)
    page = await text_at(client(), f"/player/{four[0]}/")
    assert page.count('href="/figures/"') == 1
    assert re.search(rf'href="/player/{four[1]}/">Player 1</a></th><td>3</td>', page)
    assert "42,000" in page
    meanings = await text_at(client(), "/figures/")
    for label in re.findall(r"<dl class=\"figures\">(.*?)</dl>", page, re.DOTALL)[0].split("<dt>")[
        1:
    ]:
        assert f"<dt>{label.split('</dt>')[0]}</dt>" in meanings
