"""The counts and the pages of a finished game, and who may see them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Final
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import translation
from msgspec.structs import replace

from game.archive import archive
from game.engine.commands import EndGame
from game.engine.events import Event, GameStarted, RiichiDeclared
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet
from game.live.process import ARCHIVE
from game.models import Game, GameLog, GamePlayer, GameSeat, Player
from game.results.game_figures import count_game
from game.results.game_text import format_number
from game.results.play_figures import PlayFigures
from game.results.players import forget_player
from tests.web.finished_games import (
    AT,
    SEED,
    archive_game,
    client,
    draw_event,
    hand,
    people,
    room_and_log,
    seats,
    stored_figures,
    text_at,
    two_hands,
    win_event,
    with_new_player,
    with_seat,
    without,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

PLAYERS = ("a", "b", "c", "d")
FOURS: Any = (0, 0, 0, 0)


# Counts

COUNTS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)


def counts(**numbers: int) -> SimpleNamespace:
    return SimpleNamespace(**dict.fromkeys(COUNTS, 0) | numbers)


def counts_of(events: Sequence[Event], rules: RuleSet = TENHOU) -> list[SimpleNamespace]:
    """Return the counts by seat of four players who stayed from the first hand to the last."""
    start = GameStarted(("", "", "", ""), rules, SEED)
    found = count_game([(PLAYERS, (start,)), *((PLAYERS, (event,)) for event in events)])
    figures = [found.players.get(player, PlayFigures()) for player in PLAYERS]
    return [counts(**{name: getattr(own, name) for name in COUNTS}) for own in figures]


def test_counts_of_every_player() -> None:
    zero, one, two, three = counts_of(two_hands())
    assert zero == counts(hands=2, draws=1, tenpai_draws=1)
    assert one == counts(hands=2, wins=1, win_points=2600, riichi=1, draws=1)
    assert two == counts(hands=2, deal_ins=1, deal_in_points=2600, calls=1, draws=1)
    assert three.tenpai_draws == 1


def test_double_ron_counts_as_one_deal_in() -> None:
    double = [
        hand(0),
        win_event(1, 0, 1000, (-1000, 1000, 0, 0)),
        win_event(2, 0, 8000, (-8000, 0, 8000, 0)),
    ]
    tsumo = [hand(1), win_event(3, 3, 2000, (-500, -1000, -500, 2000))]
    zero, one, two, three = counts_of([*double, *tsumo])
    assert (zero.deal_ins, zero.deal_in_points) == (1, 9000)
    assert (one.wins, two.wins, one.tsumo_wins) == (1, 1, 0)
    assert three.tsumo_wins == 1


@pytest.mark.parametrize("reason", ["abandoned", "chombo"])
def test_abandoned_hands_and_chombo_do_not_count(reason: str) -> None:
    void = [hand(2), RiichiDeclared(0), draw_event(reason)]
    assert counts_of([*two_hands(), *void]) == counts_of(two_hands())
    again = [hand(2), RiichiDeclared(0), draw_event("exhaustive")]
    assert [count.hands for count in counts_of([*two_hands(), *void, *again])] == [3, 3, 3, 3]


def test_hand_without_an_end_does_not_count() -> None:
    assert counts_of([*two_hands(), hand(2), RiichiDeclared(0)]) == counts_of(two_hands())


@pytest.mark.parametrize(
    ("pao_honba", "deltas"),
    [
        ("pao_player", (0, 32_600, -16_000, -16_600)),
        ("discarder", (0, 32_600, -16_600, -16_000)),
    ],
)
def test_deal_in_under_pao_counts_the_payment_of_the_discarder(pao_honba: Any, deltas: Any) -> None:
    rules = replace(TENHOU, pao_honba=pao_honba)
    ron = [hand(0, 2), win_event(1, 2, 32_000, deltas, liable=3)]
    _, winner, discarder, liable = counts_of(ron, rules)
    assert winner.win_points == 32_000
    assert (discarder.deal_ins, discarder.deal_in_points) == (1, 16_000)
    assert (liable.deal_ins, liable.deal_in_points) == (0, 0)


def test_liable_discarder_is_counted_the_whole_payment() -> None:
    ron = [hand(0, 2), win_event(1, 2, 32_000, (0, 32_600, -32_600, 0), liable=2)]
    assert counts_of(ron)[2].deal_in_points == 32_000


def test_archive_stores_counts_of_people_only() -> None:
    person = [uuid4(), uuid4()]
    archive_game("one", seats(person[0], person[1], None, None))
    rows = GamePlayer.objects.order_by("seat")
    found = [(row.person_id, stored_figures(row)) for row in rows]
    assert [(own, it.hands, it.wins, it.riichi) for own, it in found] == [
        (person[0], 2, 0, 0),
        (person[1], 2, 1, 1),
    ]


# A seat that changes hands


@pytest.mark.postgresql
async def test_hands_count_for_their_player() -> None:
    first, late = uuid4(), uuid4()
    sat = seats(None, first, None, uuid4())
    taken = with_new_player(sat, 1, late)
    steps = [*two_hands()[:5], without(sat, 1), taken, *two_hands()[5:]]
    await sync_to_async(archive_game)("one", sat, steps, places=(2, 1, 3, 4))
    rows = GamePlayer.objects.filter(seat=1)
    parts = {row.person_id: stored_figures(row) async for row in rows}
    assert {name: (own.hands, own.wins) for name, own in parts.items()} == {
        first: (1, 1),
        late: (1, 0),
    }
    row = await GameSeat.objects.aget(seat=1)
    assert (row.person_id, row.name, row.bot, row.is_absent) == (first, "p1", "", True)
    began = await text_at(await sync_to_async(client)(first), "/games/")
    assert 'game-place">1st<' in began
    assert "left before the end" in began
    assert "<dt>Games</dt><dd>1</dd>" in began
    assert "<dt>Hands</dt><dd>1</dd>" in began
    came = await text_at(await sync_to_async(client)(late), "/games/")
    assert "/game/one/" in came
    assert "Took over a seat" in came
    assert "<dt>Games</dt><dd>0</dd>" in came
    assert "<dt>Hands</dt><dd>1</dd>" in came
    assert "<dt>Mean place</dt><dd>\N{EN DASH}</dd>" in came
    page = await text_at(client(), "/game/one/")
    assert re.search(r'p1</span> <span class="badge">left before the end</span>', page)
    assert 'then <span class="who">late</span>' in page


async def test_player_who_took_over_a_seat_sees_the_private_game() -> None:
    late = uuid4()
    sat = seats(uuid4(), None, None, None)
    steps = [*two_hands(), without(sat, 0), with_new_player(sat, 0, late)]
    await sync_to_async(archive_game)("one", sat, steps, public=False)
    at = await sync_to_async(client)(late)
    assert "private" in await text_at(at, "/game/one/")
    assert (await client().get("/game/one/")).status_code == 404


@pytest.mark.postgresql
def test_hand_with_a_change_of_player_counts_for_neither() -> None:
    person = [uuid4(), uuid4(), uuid4(), uuid4()]
    sat = seats(*person)
    archive_game("one", sat, [*two_hands()[:3], without(sat, 0), *two_hands()[3:]])
    rows = GamePlayer.objects.filter(game="one").order_by("seat")
    assert [stored_figures(row).hands for row in rows] == [0, 2, 2, 2]
    archive_game("two", sat, [*two_hands()[:6], without(sat, 1), tuple(sat), *two_hands()[6:]])
    rows = GamePlayer.objects.filter(game="two").order_by("seat")
    assert [stored_figures(row).hands for row in rows] == [2, 1, 2, 2]


def test_banned_player_keeps_the_hands_played_before() -> None:
    person = uuid4()
    sat = seats(person, None, None, None)
    banned = with_seat(sat, 0, replace(sat[0], person="", bot="sensible"))
    archive_game("one", sat, [*two_hands()[:5], banned, *two_hands()[5:]])
    row = GamePlayer.objects.get()
    assert (row.person_id, stored_figures(row).hands) == (person, 1)
    assert GameSeat.objects.get(seat=0).is_absent


# Games that were broken off


async def test_broken_off_game_is_left_out_of_statistics() -> None:
    person = uuid4()
    sat = seats(person, None, None, None)
    broken = [hand(0), RiichiDeclared(0), draw_event("abandoned")]
    await sync_to_async(archive_game)("one", sat, broken, commands=(EndGame(),), ended_at=AT + 1)
    at = await sync_to_async(client)(person)
    own = await text_at(at, "/games/")
    for figure in ("Games</dt><dd>0", "Hands</dt><dd>0", "Mean place</dt><dd>\N{EN DASH}"):
        assert f"<dt>{figure}</dd>" in own, figure
    assert "Broken off" in own
    game = await text_at(at, "/game/one/")
    assert "does not count for statistics or rankings" in game
    assert game.count('<span class="badge">bot · Strong</span>') == 3
    assert own.count(" (Strong)</span>") == 3
    script = (await at.get("/game/one/replay.json")).json()
    assert script["levels"] == ["", "sensible", "sensible", "sensible"]
    assert script["events"][-1]["broken_off"], "the archived event is from before the field"
    await sync_to_async(archive_game)("two", sat)
    await sync_to_async(archive_game)(
        "three", sat, [*two_hands(), *broken], commands=(EndGame(),), places=(4, 3, 2, 1)
    )
    own = await text_at(at, "/games/")
    for figure in ("Games</dt><dd>1", "Hands</dt><dd>4", "Mean place</dt><dd>1.00"):
        assert f"<dt>{figure}</dd>" in own, figure
    assert "<polyline" not in own, "one game makes no chart of places"


def points_in_charts(page: str) -> set[int]:
    """Return how many points the lines of the page have, without the legend."""
    lines = re.findall(r'<polyline points="([\d., -]+)" />', page)
    return {len(line.split()) for line in lines} - {2}


async def test_abandoned_hand_adds_no_point_to_the_chart() -> None:
    sat = seats(uuid4(), None, None, None)
    final = (26_500, 26_100, 20_900, 26_500)
    steps = [*two_hands(), hand(2), draw_event("abandoned", scores=final)]
    await sync_to_async(archive_game)("one", sat, steps, commands=(EndGame(),), scores=final)
    page = await text_at(client(), "/game/one/")
    assert points_in_charts(page) == {3}, "a start and two hands"
    assert "Broken off" in page


# Leftover sticks


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("End", "Riichi sticks left over", "p0, b3")),
        ("fr", ("Fin", "Bâtons de riichi restants", "p0, b3")),
        ("ja", ("終局", "残った供託", "p0、b3")),
    ],
)
async def test_last_row_names_the_receiver_of_leftover_sticks(
    language: str, words: Sequence[str]
) -> None:
    sat = seats(uuid4(), None, None, None)
    final = (27_000, 26_100, 20_900, 27_000)
    await sync_to_async(archive_game)("one", sat, scores=final)
    answer = await client().get("/game/one/", headers={"accept-language": language})
    page = re.sub(r"\s+", " ", answer.content.decode())
    last = re.findall(r'<tr role="row">.*?</tr>', page)[-1]
    assert all(word in last for word in words), last
    gains = re.findall(r'<td role="cell" class="number[^>]*>([^<]+)</td>', last)
    assert gains[1:3] == ["\N{EN DASH}"] * 2
    assert all("500" in gain for gain in (gains[0], gains[3]))
    assert points_in_charts(page) == {4}, "a start, two hands and the end"


async def test_change_of_points_includes_and_names_the_riichi_stick() -> None:
    await sync_to_async(archive_game)("one", seats(uuid4(), None, None, None))
    page = re.sub(r"\s+", " ", await text_at(client(), "/game/one/"))
    first = re.findall(r'<tr role="row">.*?</tr>', page)[1]
    changes = re.findall(r'<td role="cell" class="number[^>]*>(.*?)</td>', first)
    stick = '<span class="details">incl. riichi \N{MINUS SIGN}1,000</span>'
    nothing = "\N{EN DASH}"
    assert changes == [nothing, f"+2,600{stick}", "\N{MINUS SIGN}2,600", nothing]


async def test_without_leftover_sticks_the_last_hand_is_the_last_row() -> None:
    sat = seats(uuid4(), None, None, None)
    await sync_to_async(archive_game)("one", sat, scores=(26_500, 26_100, 20_900, 26_500))
    page = await text_at(client(), "/game/one/")
    assert "left over" not in page
    assert points_in_charts(page) == {3}


# Means


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        (Fraction(1, 4), 1, "0.3"),
        (Decimal("10.25"), 1, "10.3"),
        (Decimal("-10.25"), 1, "\N{MINUS SIGN}10.3"),
        (Fraction(17, 8), 2, "2.13"),
        (Decimal("-0.04"), 1, "0.0"),
        (Decimal("1234.5"), 0, "1,235"),
        (-32_000, 0, "\N{MINUS SIGN}32,000"),
    ],
)
def test_half_is_rounded_away_from_zero(number: Any, decimals: int, text: str) -> None:
    with translation.override("en"):
        assert format_number(number, decimals) == text


async def test_mean_result_is_computed_from_the_sum() -> None:
    person = uuid4()
    sat = seats(person, None, None, None)
    for at, points in enumerate(("40.3", "-19.9", "0.1", "20.5")):
        others = (0.0, -1.0, -2.0)
        await sync_to_async(archive_game)(f"g{at}", sat, points=(float(points), *others))
    own = await text_at(await sync_to_async(client)(person), "/games/")
    assert "<dt>Mean result</dt><dd>10.3</dd>" in own, "41.0 by 4 is 10.25"


# Deleted accounts


@pytest.mark.postgresql
def test_deleted_account_has_no_name_in_old_and_running_games() -> None:
    one, two = people(2)
    archive_game("one", seats(one, two, None, None))
    with transaction.atomic():
        forget_player(one)
    archive_game("two", seats(one, two, None, None), ended_at=AT + 1)
    for model in (GameSeat, GamePlayer):
        rows = model.objects.filter(person_id=one).values_list("game_id", "name")
        assert set(rows) == {("one", ""), ("two", "")}
    assert Player.objects.get(pk=one).name == ""


def name_in_log(game: str, name: str) -> bool:
    return name in repr(archive.read_log(Game.objects.get(pk=game)))


@pytest.mark.postgresql
async def test_name_of_a_deleted_account_is_removed_from_logs() -> None:
    one, two = await sync_to_async(people)(2)
    sat = seats(one, two, None, None)
    changes = [without(sat, 0), with_new_player(sat, 0, uuid4(), "Other"), without(sat, 1)]
    banned = with_seat(sat, 0, replace(sat[0], person="", bot="sensible"))
    for name, steps in (("left", changes), ("banned", [banned, without(banned, 1)])):
        await sync_to_async(archive_game)(name, sat, [*two_hands(), *steps])
        assert await sync_to_async(name_in_log)(name, "p0")
    await sync_to_async(forget_player)(one)
    await ARCHIVE.reread_old_games()
    room, log = await sync_to_async(room_and_log)("later", sat, [*two_hands(), *changes])
    await sync_to_async(ARCHIVE.save_game)(room, log)
    for name in ("left", "banned", "later"):
        assert not await sync_to_async(name_in_log)(name, "p0"), name
        assert await sync_to_async(name_in_log)(name, "p1"), name
    rows = GamePlayer.objects.filter(person_id=one)
    assert [stored_figures(row).hands async for row in rows] == [2, 2, 2]


async def test_unreadable_log_is_tried_once(caplog: pytest.LogCaptureFixture) -> None:
    await sync_to_async(archive_game)("one", seats(uuid4(), None, None, None))
    await GameLog.objects.aupdate(data=b"torn")
    await Game.objects.aupdate(revision=0)
    await ARCHIVE.reread_old_games()
    assert "game one cannot be read" in caplog.text
    caplog.clear()
    await ARCHIVE.reread_old_games()
    assert not caplog.text
    row = await GamePlayer.objects.aget()
    assert stored_figures(row).hands == 2, "known figures are kept"


# Pages


async def test_game_page_shows_every_hand_and_the_chart_of_points() -> None:
    one, *_ = await sync_to_async(people)(1)
    await sync_to_async(archive_game)("one", seats(one, None, None, None))
    text = await text_at(client(), "/game/one/")
    for words in (
        *("Tenhou, East and South", "p0", "b1", "East 1", "East 2, 1 honba"),
        *("b1, ron from b2, 2 han 40 fu", "Riichi (1 han), All simples (1 han)"),
        *("Exhaustive draw", "Tenpai: p0, b3", "+2,600", f"/player/{one}/"),
    ):
        assert words in text, words
    assert text.count("<polyline") == 8
    lines = re.findall(r'<polyline points="([\d., ]+)" />', text)
    assert {len(line.split()) for line in lines} == {2, 3}, "a key, and a start and two hands"
    assert "style=" not in text


async def test_private_game_is_visible_to_its_players_only() -> None:
    one, two, stranger = uuid4(), uuid4(), uuid4()
    await sync_to_async(archive_game)("one", seats(one, two, None, None), public=False)
    for person in (one, two):
        at = await sync_to_async(client)(person)
        assert "private" in await text_at(at, "/game/one/")
        assert "/game/one/" in await text_at(at, "/games/")
    for person in (None, stranger):
        at = await sync_to_async(client)(person)
        page = await at.get("/game/one/")
        nothing = await at.get("/game/none/")
        assert page.status_code == nothing.status_code == 404
        assert "/game/one/" not in await text_at(at, "/games/")


async def test_public_page_of_a_player_uses_public_games_only() -> None:
    one, two = await sync_to_async(people)(2)
    sat = seats(one, two, None, None)
    await sync_to_async(archive_game)("one", sat)
    await sync_to_async(archive_game)("two", sat, public=False, places=(4, 3, 2, 1))
    text = await text_at(client(), f"/player/{one}/")
    assert "<h1" in text
    assert "Player 0" in text
    assert "/game/one/" in text
    assert "/game/two/" not in text
    assert "<dt>Games</dt><dd>1</dd>" in text
    own = await text_at(await sync_to_async(client)(one), "/games/")
    assert "<dt>Games</dt><dd>2</dd>" in own
    assert "<dt>Mean place</dt><dd>2.50</dd>" in own


@pytest.mark.postgresql
async def test_statistics_can_be_limited_to_a_preset() -> None:
    one = uuid4()
    for at, rules in enumerate((TENHOU, PRESETS["wrc-2025"], replace(TENHOU, tobi=False))):
        sat = seats(None, one, None, None)
        await sync_to_async(archive_game)(f"g{at}", sat, rules=rules, ended_at=AT + at)
    at_home = await sync_to_async(client)(one)
    for query, games in (("", 3), ("?rules=tenhou", 1), ("?rules=own", 1), ("?rules=wrc-2025", 1)):
        text = await text_at(at_home, f"/games/{query}")
        assert f"<dt>Games</dt><dd>{games}</dd>" in text
        assert f"<dt>Hands</dt><dd>{2 * games}</dd>" in text
        assert "<dt>Hands won</dt><dd>50.0%</dd>" in text
        assert "<dt>Mean win</dt><dd>2,600</dd>" in text
    assert (await at_home.get("/games/?rules=gold")).status_code == 404
    for page in ("0", "x", "-1", "99999999999", "\u0661"):
        assert (await at_home.get(f"/games/?page={page}")).status_code == 404


async def test_guest_has_no_public_page() -> None:
    guest = uuid4()
    await sync_to_async(archive_game)("one", seats(guest, None, None, None))
    assert (await client().get(f"/player/{guest}/")).status_code == 404
    assert f"/player/{guest}/" not in await text_at(client(), "/game/one/")
    assert "You have not finished a game yet." in await text_at(client(), "/games/")


@pytest.mark.postgresql
async def test_long_list_of_games_has_pages() -> None:
    one = uuid4()
    for at in range(21):
        sat = seats(one, None, None, None)
        await sync_to_async(archive_game)(f"g{at}", sat, ended_at=AT + at)
    at_home = await sync_to_async(client)(one)
    first, second = [await text_at(at_home, f"/games/?page={page}") for page in (1, 2)]
    assert len(re.findall(r'href="/game/g\d+/"', first)) == 20
    assert re.findall(r'href="/game/(g\d+)/"', second) == ["g0"]
    assert "?players=4&amp;page=2" in first
    assert "?players=4&amp;page=1" in second
    top, _figures, rest = first.partition('id="finished-games"')
    assert 'href="#finished-games"' in top, "the list is far below the figures"
    assert "/game/g20/" in rest


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "compte supprimé"), ("ja", "削除されたプレイヤー")]
)
async def test_deleted_player_is_named_in_the_readers_language(language: str, words: str) -> None:
    one, *_ = await sync_to_async(people)(1)
    await sync_to_async(archive_game)("one", seats(one, None, None, None))
    await sync_to_async(forget_player)(one)
    page = await client().get("/game/one/", headers={"accept-language": language})
    assert words in page.content.decode()
    assert re.search(r"\bp0\b", page.content.decode()) is None
