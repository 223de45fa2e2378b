"""A person who has played games of four and of three: figures, charts, filters, opponents and games
of each number of players, and nothing that mixes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace

from bench.played_games import play_room
from game.engine.events import (
    ChiCalled,
    DaiminkanCalled,
    Event,
    GameEnded,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.presets import PRESETS, PRESETS_OF_THREE
from game.engine.rules import RuleSet
from game.live.process import ARCHIVE
from game.models import PlayTotal, Review
from game.results import figure_cards, ladders, statistics
from game.results.filters import PlayFilter
from game.results.play_figures import PlayFigures, decode_figures
from game.results.players import forget_player
from game.results.statistics import figures_of_player, numbers_played
from game.results.totals import SITE
from game.tables.room import SeatMeta
from tests.web.finished_games import (
    HOUR,
    archive_game,
    client,
    draw_event,
    hand,
    people,
    seats,
    text_at,
    win_event,
)

pytestmark = pytest.mark.django_db(transaction=True)

DAY = 24 * HOUR
GAMES = 8
FOUR, THREE = PRESETS["tenhou"], PRESETS_OF_THREE["tenhou-3"]
OWN_RULES_OF_THREE = replace(THREE, start_points=40_000)


@pytest.fixture(autouse=True)
def _all_figures_are_shown_and_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "SITE_FIGURES_LAST_S", 0.0)
    monkeypatch.setattr(ladders, "KEPT_S", 0.0)
    monkeypatch.setattr(figure_cards, "ENOUGH_GAMES", 1)


def hands_of_four() -> list[Event]:
    """Return two hands: seat 0 wins on a discard of seat 1, which has called; then nobody wins."""
    return [
        hand(0),
        ChiCalled(1, 0, 0, (2, 4)),
        win_event(0, 1, 2000, (2000, -2000, 0, 0), (27_000, 23_000, 25_000, 25_000)),
        hand(1),
        draw_event("exhaustive", (False, True, False, False), (26_000, 26_000, 24_000, 24_000)),
    ]


def hands_of_three() -> list[Event]:
    """Return two hands: seat 1 declares riichi and wins on a discard of seat 2, which has called;
    then seat 0 wins by tsumo."""
    first, second = (
        replace(hand(kyoku), scores=(35_000,) * 3, tehais=((), (), ())) for kyoku in (0, 1)
    )
    return [
        first,
        PonCalled(2, 0, 0, (0, 0)),
        RiichiDeclared(1),
        win_event(1, 2, 3900, (0, 4900, -3900), (35_000, 38_900, 31_100)),
        second,
        win_event(0, 0, 4000, (4000, -2600, -1400), (39_000, 36_300, 29_700)),
    ]


def archive_of_four(name: str, sat: Sequence[SeatMeta], places: Any, **details: Any) -> None:
    details = {"places": places, "rules": FOUR, "ended_at": DAY, **details}
    assert archive_game(name, sat, hands_of_four(), **details)


def archive_of_three(
    name: str, sat: Sequence[SeatMeta], places: Any, day: int, rules: RuleSet = THREE
) -> None:
    scores = tuple({1: 50_000, 2: 40_000, 3: 15_000}[place] for place in places)
    details: Any = {"places": places, "scores": scores, "rules": rules, "ended_at": day * DAY}
    assert archive_game(name, sat, hands_of_three(), **details)


def archive_both(own: UUID, one: UUID, two: UUID, three: UUID) -> None:
    """Archive games of `own` at seat 1: one of four, a private one of four, two of three in two
    months, and one of three by custom rules."""
    of_four, of_three = seats(one, own, two, three), seats(one, own, three)
    archive_of_four("four", of_four, (1, 4, 2, 3))
    archive_of_four("hidden", of_four, (3, 1, 2, 4), public=False)
    archive_of_three("three-a", of_three, (2, 1, 3), 1)
    archive_of_three("three-b", of_three, (1, 3, 2), 41)
    archive_of_three("three-c", of_three, (3, 2, 1), 2, OWN_RULES_OF_THREE)


def figures(person: UUID, players: int, *, only_public: bool = True, **chosen: str) -> PlayFigures:
    return figures_of_player(person, only_public=only_public, chosen=PlayFilter(players, **chosen))


@pytest.mark.postgresql
def test_figures_of_each_number_of_players_are_counted_apart() -> None:
    own, *others = people(4)
    assert numbers_played(own, only_public=True) == []
    archive_both(own, *others)
    assert numbers_played(own, only_public=True) == [4, 3]
    four, three = figures(own, 4), figures(own, 3)
    assert (four.games, four.places, four.scores) == (1, [0, 0, 0, 1], [0, 0, 0, 26_000])
    assert (four.hands, four.wins, four.deal_ins, four.deal_in_points) == (2, 0, 1, 2000)
    assert (four.riichi, four.calls, four.draws, four.tenpai_draws) == (0, 1, 1, 1)
    assert (four.dealer_hands, four.points_tenths, four.best) == (1, -400, None)
    assert (three.games, three.places) == (3, [1, 1, 1, 0])
    assert three.scores == [50_000, 40_000, 15_000, 0]
    assert (three.hands, three.wins, three.win_points, three.deal_ins) == (6, 3, 11_700, 0)
    assert (three.riichi, three.riichi_wins, three.calls, three.draws) == (3, 3, 0, 0)
    assert (three.dealer_hands, three.points_tenths) == (3, 400)
    assert three.best is not None
    assert (three.best.points, three.best.seat) == (3900, 1)
    assert figures(own, 4, only_public=False).places == [1, 0, 0, 1]
    assert figures(own, 3, only_public=False) == three
    site_of_four, site_of_three = figures(SITE, 4), figures(SITE, 3)
    assert (site_of_four.games, site_of_four.places) == (4, [1, 1, 1, 1])
    assert (site_of_three.games, site_of_three.places) == (9, [3, 3, 3, 0])


@pytest.mark.postgresql
def test_filters_choose_among_games_of_the_number() -> None:
    own, one, two, three = people(4)
    archive_both(own, one, two, three)
    assert figures(own, 3, rules="own").places == [0, 1, 0, 0]
    assert figures(own, 4, rules="own").games == 0
    assert figures(own, 3, rules="tenhou-3", rated="rated").games == 2
    assert figures(own, 3, rated="unrated").games == 1
    assert figures(own, 3, length="east").games == 0
    latest = {
        (opponent, players): PlayFilter(players, against=str(opponent)).latest_games(
            own, only_public=True
        )
        for opponent in (one, two)
        for players in (3, 4)
    }
    assert latest[one, 3] == ["three-b", "three-c", "three-a"]
    assert latest[two, 3] == []
    assert latest[one, 4] == latest[two, 4] == ["four"]


def recount(events: Sequence[Event], seat: int) -> dict[str, int]:
    """Return figures of the player of that seat, counted hand by hand."""
    found = Counter[str]()
    hands = list[list[Event]]()
    for event in events:
        if isinstance(event, HandStarted):
            hands.append([])
            found["dealer_hands"] += event.oya == seat
        elif hands:
            hands[-1].append(event)
    for hand_events in hands:
        wins = [event for event in hand_events if isinstance(event, Won)]
        draws = [event for event in hand_events if isinstance(event, HandDrawn)]
        draws = [event for event in draws if event.reason in ("exhaustive", "nagashi_mangan")]
        calls = [
            event
            for event in hand_events
            if isinstance(event, (ChiCalled, PonCalled, DaiminkanCalled)) and event.actor == seat
        ]
        found["hands"] += 1
        found["wins"] += sum(win.actor == seat for win in wins)
        found["tsumo_wins"] += sum(win.actor == win.target == seat for win in wins)
        found["win_points"] += sum(win.points for win in wins if win.actor == seat)
        found["deal_ins"] += any(win.target == seat != win.actor for win in wins)
        found["riichi"] += RiichiDeclared(seat) in hand_events
        found["calls"] += bool(calls)
        found["draws"] += bool(draws)
        found["tenpai_draws"] += sum(draw.tenpais[seat] for draw in draws)
    return found


@pytest.mark.parametrize("players", [3, 4])
def test_sums_of_played_games_are_those_of_their_events(players: int) -> None:
    (own,) = people(1)
    start = 1_000 * players
    rules = replace(
        THREE if players == 3 else FOUR,
        start_points=start,
        return_points=start,
        goal_points=start,
        oka=0,
    )
    wanted, places, scores = Counter[str](), [0] * 4, [0] * 4
    for number in range(GAMES):
        seat = number % players
        sat = [SeatMeta(f"b{at}", bot="sensible") for at in range(players)]
        sat[seat] = SeatMeta("own", person=str(own))
        room, log = play_room(f"game-{number}", tuple(sat), rules, seed=number, started_at=DAY)
        assert ARCHIVE.save_game(room, log)
        events = [event for commit in log for event in commit.events]
        wanted.update(recount(events, seat))
        ended = events[-1]
        assert isinstance(ended, GameEnded)
        place, points = ended.placement[seat]
        places[place - 1] += 1
        scores[place - 1] += ended.scores[seat]
        wanted["points_tenths"] += round(10 * points)
        wanted["below_zero"] += ended.scores[seat] < 0
    found = figures(own, players)
    assert {name: getattr(found, name) for name in wanted} == wanted
    assert wanted["hands"] > wanted["wins"] > 0
    assert (found.games, found.places, found.scores) == (GAMES, places, scores)
    assert figures(own, 7 - players).is_zero


@pytest.mark.parametrize(
    ("query", "games", "opponents", "means"),
    [
        ("", ["four"], ["Player 1", "Player 2", "Player 3"], ("4.00", "2.50")),
        (
            "?players=3",
            ["three-a", "three-b", "three-c"],
            ["Player 1", "Player 3"],
            ("2.00", "2.00"),
        ),
    ],
)
async def test_page_shows_one_number_of_players_at_a_time(
    query: str, games: list[str], opponents: list[str], means: tuple[str, str]
) -> None:
    own, *others = await sync_to_async(people)(4)
    await sync_to_async(archive_both)(own, *others)
    page = await text_at(client(), f"/player/{own}/{query}")
    of_three = bool(query)
    assert sorted(re.findall('href="/game/([a-z-]+)/"', page)) == games
    assert f"<dt>Games</dt><dd>{len(games)}</dd>" in page
    link = rf'<th scope="row"><a href="/player/[0-9a-f-]+/\?players={3 if of_three else 4}">'
    met = re.findall(rf"{link}([^<]+)</a></th>", page)
    assert sorted(met) == opponents
    shown = re.search(r"<dt>Mean place</dt><dd>([\d.]+)</dd><dd class=.*?> ([\d.]+)</dd>", page)
    assert shown is not None
    assert shown.groups() == means
    bars = re.findall(r'<th scope="row">(\d)</th><td class="number">\d</td><td class="bar">', page)
    assert bars == ["1", "2", "3", "4"][: 3 if of_three else 4]
    rated_in = set(re.findall('href="/ranking/([a-z0-9-]+)/east_south/"', page))
    assert rated_in == {"tenhou-3" if of_three else "tenhou"}
    assert ("By month" in page) is of_three, "the games of four are of one month"
    assert ('<option value="tenhou-3">' in page) is of_three
    assert ("4th" in page) is not of_three


async def test_chart_of_the_last_games_has_the_places_of_its_games() -> None:
    own, *others = await sync_to_async(people)(4)
    await sync_to_async(archive_both)(own, *others)
    at = await sync_to_async(client)(own)
    for query, names in (("", "1st 2nd 3rd 4th"), ("?players=3", "1st 2nd 3rd")):
        page = await text_at(at, f"/games/{query}")
        (chart,) = re.findall(r'<figure class="chart places">.*?</figure>', page)
        assert re.findall(r">\s*(\d\w\w)\s*</text>", chart) == names.split()


async def test_link_to_the_other_number_keeps_the_filters() -> None:
    own, *others = await sync_to_async(people)(4)
    await sync_to_async(archive_both)(own, *others)
    kept = f"length=east_south&rated=rated&period=12&against={others[0]}"
    page = await text_at(client(), f"/player/{own}/?players=4&rules=tenhou&{kept}")
    links = re.findall(r'<a href="\?(players=[^"]*)"( aria-current="page")?>', page)
    kept = kept.replace("&", "&amp;")
    assert links == [
        (f"players=4&amp;rules=tenhou&amp;{kept}", ' aria-current="page"'),
        (f"players=3&amp;{kept}", ""),
    ]
    assert '<input type="hidden" name="players" value="4">' in page
    own_rules = await text_at(client(), f"/player/{own}/?players=4&rules=own")
    assert 'href="?players=3&amp;rules=own"' in own_rules, "both numbers can have custom rules"
    for number in ("5", "x", "-3", "\N{ARABIC-INDIC DIGIT THREE}"):
        assert (await client().get(f"/player/{own}/?players={number}")).status_code == 404


async def test_games_of_three_cost_a_page_of_four_no_query() -> None:
    own, one, two, three = await sync_to_async(people)(4)

    async def queries() -> int:
        found = CaptureQueriesContext(connection)
        await sync_to_async(found.__enter__)()  # runs in the thread of the queries
        try:
            await text_at(client(), f"/player/{own}/")
        finally:
            await sync_to_async(found.__exit__)(None, None, None)
        return await sync_to_async(len)(found)

    await sync_to_async(archive_of_four)("four", seats(one, own, two, three), (1, 4, 2, 3))
    alone = await queries()
    for day in range(1, 4):
        name = f"three-{day}"
        await sync_to_async(archive_of_three)(name, seats(one, own, three), (1, 2, 3), day)
    assert await queries() == alone


@pytest.mark.postgresql
def test_migration_sums_the_games_of_three_that_were_played_before() -> None:
    own, *others = people(4)
    archive_both(own, *others)
    forget_player(others[0])
    wanted = stored_sums()
    assert any(key.endswith("/3") for key in wanted)
    review = Review.objects.create(
        game_id="three-a", state="done", version=6, attempts=1, requested_at=timezone.now()
    )
    MigrationExecutor(connection).migrate([("game", "0002_seat_count")])
    try:
        keys = PlayTotal.objects.values_list("key", flat=True)
        assert set(keys) == {key for key in wanted if not key.endswith("/3")}
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes("game"))
    assert stored_sums() == wanted
    review.refresh_from_db()
    assert (review.state, review.attempts) == ("queued", 0), "its accuracy is to be stored"


def stored_sums() -> dict[str, tuple[int, PlayFigures]]:
    return {
        row.key: (row.seat_count, decode_figures(bytes(row.figures)))
        for row in PlayTotal.objects.all()
    }
