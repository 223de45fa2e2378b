"""What a finished game leaves behind: counts, ratings in order and once, and pages for those who
may see them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.db import transaction
from django.test import AsyncClient
from django.utils import translation
from msgspec.structs import asdict, replace

from game.afterwards import books, ladders
from game.afterwards.counts import SeatCounts, counted
from game.engine.clock import Clock, ClockSettings
from game.engine.commands import EndGame
from game.engine.events import (
    ChiCalled,
    Event,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.models import Game, GameSeat, Player, Rating, RatingChange
from game.people import SESSION_KEY
from game.players import player_forgotten, player_listed
from game.rooms import archive
from game.rooms.room import Commit, Room, SeatMeta, TableId, TableMeta
from game.wire import written

pytestmark = pytest.mark.django_db(transaction=True)

AT = 1_790_000_000_000
HOUR = 3_600_000
ROWS: Any = ((), (), (), ())


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cache.clear()
    with translation.override(None):
        yield


# Games that have been played, as their logs tell them


def hand(kyoku: int, honba: int = 0) -> HandStarted:
    """A hand of the East round is dealt."""
    return HandStarted(
        bakaze=54,
        kyoku=kyoku + 1,
        honba=honba,
        kyotaku=0,
        oya=kyoku,
        dora_marker=0,
        scores=(25_000,) * 4,
        tehais=ROWS,
        wall=b"",
    )


def won(actor: int, target: int, points: int, deltas: Any, scores: Any) -> Won:
    return Won(
        actor=actor,
        target=target,
        pai=0,
        tehai=(),
        uradora_markers=(),
        yaku=(("riichi", 1), ("tanyao", 1)),
        fan=2,
        fu=40,
        yakuman=0,
        limit="",
        points=points,
        liable=-1,
        deltas=deltas,
        scores=scores,
    )


def drawn(reason: str, tenpais: Any, scores: Any) -> HandDrawn:
    return HandDrawn(reason, ROWS, tenpais, (0, 0, 0, 0), scores)


def two_hands() -> list[Event]:
    """Seat 1 declares riichi and wins off seat 2, which has called twice; then nobody wins."""
    return [
        hand(0),
        ChiCalled(2, 1, 0, (2, 4)),
        PonCalled(2, 0, 0, (0, 0)),
        RiichiDeclared(1),
        won(1, 2, 2600, (0, 3600, -2600, 0), (25_000, 27_600, 22_400, 25_000)),
        hand(1, 1),
        drawn("exhaustive", (True, False, False, True), (26_500, 26_100, 20_900, 26_500)),
    ]


def seats(*people: UUID | None) -> list[SeatMeta]:
    """People, and a bot where there is nobody."""
    return [
        SeatMeta(name=f"p{at}", person=str(one)) if one else SeatMeta(name=f"b{at}", bot="sensible")
        for at, one in enumerate(people)
    ]


def archived(
    name: str,
    sat: Sequence[SeatMeta],
    *,
    places: tuple[int, int, int, int] = (1, 2, 3, 4),
    rules: RuleSet = TENHOU,
    public: bool = True,
    ended_at: int = AT,
    commands: tuple[Any, ...] = (),
    began: Sequence[SeatMeta] | None = None,
) -> bool:
    """Bring such a game into the database. Whether this call has done it."""
    points = {1: 50.0, 2: 10.0, 3: -20.0, 4: -40.0}
    placement = tuple((place, points[place]) for place in places)
    scores: Any = tuple(40_000 - 10_000 * place for place in places)
    names: Any = tuple(seat.name for seat in began or sat)
    first = Commit(1, b"a", ended_at - HOUR, (), (GameStarted(names, rules, b""),), Clock())
    end = GameEnded(scores, placement)
    rest = Commit(2, b"b", ended_at, commands, (*two_hands(), end), Clock(), seats=None)
    table = Table(rules=rules, phase=Phase.ENDED, scores=scores, placement=placement)
    four: Any = tuple(sat)
    room = Room(TableId(name), TableMeta(four, ClockSettings(), public, ended_at), 2, table=table)
    return archive.game_save(room, (first, rest), written.event)


def people(count: int) -> list[UUID]:
    """So many with accounts."""
    made = [uuid4() for _ in range(count)]
    for at, person in enumerate(made):
        player_listed(person, f"Player {at}")
    return made


def ratings(ladder: str = "tenhou") -> dict[UUID, tuple[float, float, int]]:
    rows = Rating.objects.filter(ladder_id=ladder)
    return {row.player_id: (row.mu, row.sigma, row.games) for row in rows}


# Counts


def test_what_every_seat_did_is_counted() -> None:
    zero, one, two, three = counted(two_hands())
    assert asdict(zero) == asdict(SeatCounts(hands=2, draws=1, tenpai_draws=1))
    assert asdict(one) == asdict(SeatCounts(hands=2, wins=1, win_points=2600, riichi=1, draws=1))
    dealt_in = SeatCounts(hands=2, deal_ins=1, deal_in_points=2600, calls=1, draws=1)
    assert asdict(two) == asdict(dealt_in)
    assert three.tenpai_draws == 1


def test_who_deals_in_to_two_at_once_has_dealt_in_once() -> None:
    fours: Any = (0, 0, 0, 0)
    double = [hand(0), won(1, 0, 1000, fours, fours), won(2, 0, 8000, fours, fours)]
    zero, one, two, _ = counted([*double, hand(1), won(3, 3, 2000, fours, fours)])
    assert (zero.deal_ins, zero.deal_in_points) == (1, 9000)
    assert (one.wins, two.wins, one.tsumo_wins) == (1, 1, 0)
    assert counted([hand(0), won(3, 3, 2000, fours, fours)])[3].tsumo_wins == 1


def test_the_archive_keeps_the_counts_with_the_seats() -> None:
    archived("one", seats(uuid4(), None, None, None))
    rows = GameSeat.objects.order_by("seat")
    assert [(row.is_counted, row.hands, row.wins, row.riichi) for row in rows] == [
        (True, 2, 0, 0),
        (True, 2, 1, 1),
        (True, 2, 0, 0),
        (True, 2, 0, 0),
    ]


def test_a_game_from_before_is_counted_when_it_is_asked_for() -> None:
    archived("one", seats(uuid4(), None, None, None))
    GameSeat.objects.update(is_counted=False, hands=0, wins=0)
    Game.objects.update(preset="")
    archive.games_counted(Game.objects.all())
    assert [row.wins for row in GameSeat.objects.order_by("seat")] == [0, 1, 0, 0]
    assert Game.objects.get().preset == "tenhou"


# Ladders


def test_a_preset_is_known_whatever_its_length() -> None:
    for name, rules in PRESETS.items():
        for length in ("east", "east_south"):
            assert ladders.preset_of(replace(rules, length=length)) == name
        assert ladders.preset_of(replace(rules, honba_points=rules.honba_points + 1)) == ""
    assert ladders.preset_of(replace(TENHOU, name="mine")) == ""


def test_the_better_place_is_worth_more_and_the_worst_costs() -> None:
    fresh = [(ladders.MU, ladders.SIGMA)] * 4
    after = ladders.after_game(fresh, [2, 1, 4, 3])
    by_place = [after[1][0], after[0][0], after[3][0], after[2][0]]
    assert by_place == sorted(by_place, reverse=True)
    assert by_place[0] > ladders.MU > by_place[-1]
    assert all(sigma < ladders.SIGMA for _, sigma in after)
    assert ladders.shown(fresh[0]) == 1000 < ladders.shown(after[1])


def test_people_with_accounts_are_rated_among_themselves() -> None:
    one, two = people(2)
    archived("one", seats(None, one, uuid4(), two))
    assert Game.objects.get().ladder == "tenhou"
    assert {row.seat: row.is_rated for row in GameSeat.objects.all()} == {
        0: False,
        1: True,
        2: False,
        3: True,
    }
    fresh = [(ladders.MU, ladders.SIGMA)] * 2
    first, last = ladders.after_game(fresh, [1, 2])
    assert ratings() == {one: (*first, 1), two: (*last, 1)}


@pytest.mark.parametrize(
    "how",
    [
        {"public": False},
        {"rules": replace(TENHOU, tobi=False)},
        {"commands": (EndGame(),)},
        {"began": seats(None, None, None, None)},
    ],
    ids=["private", "own rules", "ended early", "a seat changed hands"],
)
def test_a_game_that_is_not_a_whole_public_one_by_a_preset_does_not_count(
    how: dict[str, Any],
) -> None:
    archived("one", seats(*people(4)), **how)
    assert Game.objects.get().ladder == ""
    assert not GameSeat.objects.filter(is_rated=True).exists()
    assert ratings() == {}


def test_one_account_among_guests_and_bots_is_not_rated() -> None:
    archived("one", seats(*people(1), uuid4(), None, None))
    assert ratings() == {}


def test_a_game_counts_once_however_often_it_is_archived() -> None:
    sat = seats(*people(4))
    assert [archived("one", sat) for _ in range(3)] == [True, False, False]
    assert RatingChange.objects.count() == 4
    assert {games for _, _, games in ratings().values()} == {1}


def test_who_dies_in_the_middle_of_it_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sat = seats(*people(4))
    archived("one", sat)
    before = ratings()
    set_one = books._set
    calls: list[int] = []

    def dies(*args: Any, **details: Any) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise ConnectionResetError
        set_one(*args, **details)

    with monkeypatch.context() as patch:
        patch.setattr(books, "_set", dies)
        with pytest.raises(ConnectionResetError):
            archived("two", sat, ended_at=AT + 1)
    assert not Game.objects.filter(pk="two").exists()
    assert ratings() == before
    assert archived("two", sat, ended_at=AT + 1)
    assert {games for _, _, games in ratings().values()} == {2}


def test_ratings_follow_the_order_in_which_games_ended_not_in_which_they_arrive() -> None:
    who = people(5)
    games = [
        ("a", seats(who[0], who[1], who[2], who[3]), (1, 2, 3, 4), AT),
        ("b", seats(who[4], who[0], None, None), (2, 1, 3, 4), AT + 1),
        ("c", seats(who[1], who[0], who[2], None), (4, 3, 2, 1), AT + 1),
        ("d", seats(who[3], who[2], who[1], who[0]), (1, 3, 2, 4), AT + 2),
    ]
    seen: list[Any] = []
    for order in list(permutations(games))[::5]:
        for name, sat, places, at in order:
            archived(name, sat, places=places, ended_at=at)
        changes = RatingChange.objects.values_list("game_id", "rating__player", "number", "mu")
        seen.append((ratings(), sorted(changes)))
        chained(who)
        Game.objects.all().delete()
        Rating.objects.all().delete()
    assert all(one == seen[0] for one in seen)


def chained(who: Sequence[UUID]) -> None:
    """Each change begins where the one before it has ended."""
    for person in who:
        changes = RatingChange.objects.filter(rating__player=person).order_by("number")
        skill, number = (ladders.MU, ladders.SIGMA), 0
        for change in changes:
            assert (change.mu_before, change.sigma_before) == skill
            assert change.number == number + 1
            skill, number = (change.mu, change.sigma), change.number
        rating = Rating.objects.get(player_id=person)
        assert (rating.mu, rating.sigma, rating.games) == (*skill, number)


def test_ladders_are_apart() -> None:
    sat = seats(*people(4))
    archived("one", sat)
    archived("two", sat, rules=replace(PRESETS["wrc-2025"], length="east"))
    assert ratings() == ratings("wrc-2025")
    assert {games for _, _, games in ratings().values()} == {1}


# Who is forgotten


def test_a_forgotten_player_has_no_name_in_games_past_and_to_come() -> None:
    one, two = people(2)
    archived("one", seats(one, two, None, None))
    with transaction.atomic():
        player_forgotten(one)
    archived("two", seats(one, two, None, None), ended_at=AT + 1)
    rows = GameSeat.objects.filter(person_id=one).values_list("game_id", "name", "is_rated")
    assert set(rows) == {("one", "", True), ("two", "", False)}
    assert Player.objects.get(pk=one).name == ""


# Pages


def client(person: UUID | None = None) -> AsyncClient:
    """The browser of somebody who has played."""
    made = AsyncClient()
    if person is not None:
        session = made.session
        session[SESSION_KEY] = str(person)
        session.save()
        made.cookies["sessionid"] = session.session_key
    return made


async def text_at(at: AsyncClient, path: str) -> str:
    page = await at.get(path)
    assert page.status_code == 200, path
    return re.sub(r"\s+", " ", page.content.decode())


async def test_the_page_of_a_game_shows_every_hand_and_how_the_points_went() -> None:
    one, *_ = await sync_to_async(people)(1)
    await sync_to_async(archived)("one", seats(one, None, None, None))
    text = await text_at(client(), "/game/one/")
    for words in (
        *("Tenhou, East and South", "p0", "b1", "East 1", "East 2-1"),
        *("b1, ron from b2, 2 han 40 fu", "Riichi (1 han), All simples (1 han)"),
        *("Exhaustive draw", "Tenpai: p0, b3", "+2,600", f"/player/{one}/"),
    ):
        assert words in text, words
    assert text.count("<polyline") == 8
    lines = re.findall(r'<polyline points="([\d., ]+)"/>', text)
    assert {len(line.split()) for line in lines} == {2, 3}, "a key, and a start and two hands"
    assert "style=" not in text


async def test_a_private_game_is_there_for_its_players_only() -> None:
    one, two, stranger = uuid4(), uuid4(), uuid4()
    await sync_to_async(archived)("one", seats(one, two, None, None), public=False)
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


async def test_what_everybody_sees_of_a_player_is_made_of_public_games() -> None:
    one, two = await sync_to_async(people)(2)
    sat = seats(one, two, None, None)
    await sync_to_async(archived)("one", sat)
    await sync_to_async(archived)("two", sat, public=False, places=(4, 3, 2, 1))
    text = await text_at(client(), f"/player/{one}/")
    assert "<h1" in text
    assert "Player 0" in text
    assert "/game/one/" in text
    assert "/game/two/" not in text
    assert "<dt>Games</dt><dd>1</dd>" in text
    own = await text_at(await sync_to_async(client)(one), "/games/")
    assert "<dt>Games</dt><dd>2</dd>" in own
    assert "<dt>Mean place</dt><dd>2.50</dd>" in own


async def test_figures_are_of_all_rules_or_of_some() -> None:
    one = uuid4()
    for at, rules in enumerate((TENHOU, PRESETS["wrc-2025"], replace(TENHOU, tobi=False))):
        sat = seats(None, one, None, None)
        await sync_to_async(archived)(f"g{at}", sat, rules=rules, ended_at=AT + at)
    at_home = await sync_to_async(client)(one)
    for query, games in (("", 3), ("?rules=tenhou", 1), ("?rules=own", 1), ("?rules=wrc-2025", 1)):
        text = await text_at(at_home, f"/games/{query}")
        assert f"<dt>Games</dt><dd>{games}</dd>" in text
        assert f"<dt>Hands</dt><dd>{2 * games}</dd>" in text
        assert "<dt>Hands won</dt><dd>50.0 %</dd>" in text
        assert "<dt>Mean win</dt><dd>2,600</dd>" in text
    assert (await at_home.get("/games/?rules=gold")).status_code == 404
    for page in ("0", "x", "-1", "99999999999", "\u0661"):
        assert (await at_home.get(f"/games/?page={page}")).status_code == 404


async def test_somebody_without_an_account_has_no_public_page() -> None:
    guest = uuid4()
    await sync_to_async(archived)("one", seats(guest, None, None, None))
    assert (await client().get(f"/player/{guest}/")).status_code == 404
    assert f"/player/{guest}/" not in await text_at(client(), "/game/one/")
    assert "You have not finished a game yet." in await text_at(client(), "/games/")


async def test_a_ladder_lists_accounts_with_enough_games_the_best_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("game.standing.LEAST_GAMES", 2)
    one, two, three = await sync_to_async(people)(3)
    for at in range(2):
        sat = seats(two, one, None, None)
        await sync_to_async(archived)(f"g{at}", sat, ended_at=AT + at)
    await sync_to_async(archived)("g2", seats(two, three, None, None), ended_at=AT + 2)
    text = await text_at(await sync_to_async(client)(one), "/ranking/tenhou/")
    assert re.findall(r'href="/player/([\w-]+)/"', text) == [str(two), str(one)]
    assert re.search(r'Player 0</a> <span class="badge you">', text)
    await sync_to_async(player_forgotten)(two)
    text = await text_at(client(), "/ranking/tenhou/")
    assert re.findall(r'href="/player/([\w-]+)/"', text) == [str(one)]
    assert "Nobody stands here yet." in await text_at(client(), "/ranking/ema-2025/")
    assert (await client().get("/ranking/gold/")).status_code == 404
    assert (await client().get("/ranking/"))["Location"] == "/ranking/tenhou/"


async def test_a_long_list_of_games_has_pages() -> None:
    one = uuid4()
    for at in range(21):
        sat = seats(one, None, None, None)
        await sync_to_async(archived)(f"g{at}", sat, ended_at=AT + at)
    at_home = await sync_to_async(client)(one)
    first, second = [await text_at(at_home, f"/games/?page={page}") for page in (1, 2)]
    assert len(re.findall(r'href="/game/g\d+/"', first)) == 20
    assert re.findall(r'href="/game/(g\d+)/"', second) == ["g0"]
    assert "?page=2" in first
    assert "?page=1" in second


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "joueur supprimé"), ("ja", "削除されたプレイヤー")]
)
async def test_a_forgotten_player_is_told_of_in_the_readers_language(
    language: str, words: str
) -> None:
    one, *_ = await sync_to_async(people)(1)
    await sync_to_async(archived)("one", seats(one, None, None, None))
    await sync_to_async(player_forgotten)(one)
    page = await client().get("/game/one/", headers={"accept-language": language})
    assert words in page.content.decode()
    assert re.search(r"\bp0\b", page.content.decode()) is None
