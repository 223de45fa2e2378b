"""The queue of games that wait to be rated: their order, the settling time, and batches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from game.engine.presets import PRESETS
from game.models import Game, GameSeat, Rating, RatingChange, UnratedGame
from game.results import ratings as rating_changes
from game.results.ladders import MU, SIGMA
from game.results.players import forget_player
from game.results.ratings import MAX_WAIT, MIN_WAIT, rate_due_games
from tests.kit.moderators import moderator
from tests.kit.unrated_games import write_games
from tests.web.corrections import close, press
from tests.web.finished_games import (
    AT,
    archive_game,
    client,
    people,
    rate_all,
    ratings,
    save_unrated,
    seats,
    text_at,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

PLACES: Any = ((1, 2, 3, 4), (4, 3, 2, 1), (2, 1, 4, 3), (3, 1, 2, 4), (1, 4, 3, 2))
"""Results of games that give different ratings in another order."""


def now_ms() -> int:
    return int(timezone.now().timestamp() * 1000)


def changes() -> list[tuple[str, UUID, float, float]]:
    """Return all rating changes, in the order in which they were made."""
    rows = RatingChange.objects.order_by("pk").select_related("rating")
    return [(row.game_id, row.rating.player_id, row.mu_before, row.mu) for row in rows]


def rated_games() -> list[str]:
    """Return the rated games in the order in which they were rated."""
    return list(dict.fromkeys(game for game, *_ in changes()))


# Order


def test_games_are_rated_in_the_order_of_their_ends() -> None:
    sat = seats(*people(4))
    start = now_ms()
    for at, places in enumerate(PLACES):
        archive_game(f"g{at}", sat, places=places, ended_at=start + at)
    wanted = changes()
    Game.objects.all().delete()
    Rating.objects.all().delete()
    for at in (3, 0, 4, 2, 1):
        save_unrated(f"g{at}", sat, places=PLACES[at], ended_at=start + at)
    rate_all()
    assert changes() == wanted
    assert {games for _, _, games in ratings().values()} == {len(PLACES)}


def test_game_is_not_rated_before_the_settling_time_is_over() -> None:
    sat = seats(*people(4))
    end = timezone.now()
    end = end.replace(microsecond=end.microsecond // 1000 * 1000)
    save_unrated("one", sat, ended_at=round(end.timestamp() * 1000))
    save_unrated("two", sat, ended_at=round(end.timestamp() * 1000) + 1000)
    almost = MIN_WAIT - timedelta(milliseconds=1)
    assert rate_due_games(end + almost) == 0
    assert ratings() == {}
    assert rate_due_games(end + MIN_WAIT) == 1
    assert rated_games() == ["one"]
    assert rate_due_games(end + MIN_WAIT) == 0
    assert rate_due_games(end + MIN_WAIT + timedelta(seconds=1)) == 1
    assert rated_games() == ["one", "two"]


def test_late_games_are_collected_while_they_arrive() -> None:
    sat = seats(*people(4))
    hour_ago = now_ms() - 3_600_000
    for at in (2, 0, 1):
        save_unrated(f"g{at}", sat, places=PLACES[at], ended_at=hour_ago + at)
    assert set(UnratedGame.objects.values_list("is_late", flat=True)) == {True}
    last = max(UnratedGame.objects.values_list("archived_at", flat=True))
    assert rate_due_games(last + MIN_WAIT - timedelta(milliseconds=1)) == 0
    assert rate_due_games(last + MIN_WAIT) == 3
    assert rated_games() == ["g0", "g1", "g2"]


def test_late_games_are_rated_after_the_longest_wait() -> None:
    sat = seats(*people(4))
    save_unrated("first", sat, ended_at=now_ms() - 3_600_000)
    first = UnratedGame.objects.get().archived_at
    save_unrated("second", sat, ended_at=now_ms() - 3_500_000)
    until = first + MAX_WAIT
    UnratedGame.objects.filter(pk="second").update(archived_at=until - timedelta(seconds=1))
    assert rate_due_games(until - timedelta(milliseconds=1)) == 0
    assert rate_due_games(until) == 2


@pytest.mark.postgresql
def test_batches_give_the_same_ratings_as_single_games(monkeypatch: pytest.MonkeyPatch) -> None:
    games = write_games(12)
    monkeypatch.setattr(rating_changes, "BATCH", 5)
    assert [rate_due_games(timezone.now()) for _ in range(4)] == [5, 5, 2, 0]
    in_batches = changes()
    Rating.objects.all().delete()
    for game in games:
        with transaction.atomic():
            rating_changes.rate_game(game)
    assert changes() == in_batches
    assert rated_games() == [game.pk for game in games]


def test_cost_of_a_batch_is_independent_of_other_games() -> None:
    write_games(60, queued=False)

    def queries(names: list[int]) -> int:
        for name in names:
            rating_changes.queue_for_rating(Game.objects.get(pk=f"game{name:06}"))
        with CaptureQueriesContext(connection) as found:
            assert rate_due_games(timezone.now() + MIN_WAIT) == len(names)
        return len(found)

    queries([20])  # the first batch creates the ladder
    in_order = queries(list(range(50, 60)))
    assert queries(list(range(40, 50))) == in_order, "games that ended before rated ones"
    shuffled = list(range(20))
    random.Random(1).shuffle(shuffled)
    assert queries(shuffled) == in_order, "twice as many games"


# Games that change while they are queued


def test_game_deleted_while_queued_is_not_rated() -> None:
    sat = seats(*people(4))
    save_unrated("one", sat)
    save_unrated("two", sat)
    Game.objects.filter(pk="one").delete()
    rate_all()
    assert rated_games() == ["two"]
    assert not UnratedGame.objects.exists()


def test_game_corrected_while_queued_is_rated_by_the_correction() -> None:
    players = people(4)
    save_unrated("one", seats(*players), places=(1, 2, 3, 4))
    for seat in GameSeat.objects.all():
        seat.place = 5 - seat.place
        seat.save()
    rate_all()
    strength = {person: mu for person, (mu, _, _) in ratings().items()}
    assert sorted(players, key=lambda person: strength[person]) == players


def test_moderator_rates_a_queued_game_once() -> None:
    save_unrated("g1", seats(*people(4)))
    assert "1 games are rated." in press(moderator("view_game", "change_rating"), "Rate it")
    rated = ratings()
    assert {games for _, _, games in rated.values()} == {1}
    rate_all()
    assert ratings() == rated


def test_moderator_takes_a_queued_game_out() -> None:
    save_unrated("g1", seats(*people(4)))
    browser = moderator("view_game", "change_rating")
    assert "The ratings of 1 games are undone." in press(browser, "Take its ratings back")
    rate_all()
    assert ratings() == {}
    press(browser, "Rate it")
    assert {games for _, _, games in ratings().values()} == {1}


def test_deleted_account_of_a_queued_game_leaves_others_rated() -> None:
    one, *others = people(4)
    save_unrated("one", seats(one, *others))
    with transaction.atomic():
        forget_player(one)
    rate_all()
    assert ratings().keys() == set(others)


def test_undone_batch_gives_back_all_ratings() -> None:
    write_games(30)
    rate_all()
    found = ratings()
    assert sum(games for _, _, games in found.values()) == 120
    Game.objects.all().delete()
    assert close(ratings(), dict.fromkeys(found, (MU, SIGMA, 0)))


# Games that cannot be rated


@pytest.fixture
def unratable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate an error of the program: no player whose place is 0 can be rated."""
    compute = rating_changes.rating_ranks

    def fails(places: Sequence[int], *rest: Any) -> list[int]:
        if 0 in places:
            raise ValueError("place 0")
        return compute(places, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(rating_changes, "rating_ranks", fails)
        yield


def break_game(name: str) -> None:
    GameSeat.objects.filter(game=name, seat=0).update(place=0)


@pytest.mark.usefixtures("unratable")
def test_unratable_game_does_not_delay_other_games(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sat = seats(*people(4))
    for at, name in enumerate(("a", "b", "c", "d", "e")):
        save_unrated(name, sat, places=PLACES[at], ended_at=AT + at)
    save_unrated("other ladder", sat, rules=PRESETS["wrc-2025"])
    break_game("b")
    break_game("d")
    rate_all()
    assert rated_games() == ["a", "c", "e", "other ladder"]
    assert {games for _, _, games in ratings().values()} == {3}
    failed = UnratedGame.objects.order_by("pk").values_list("pk", "error")
    assert list(failed) == [("b", "ValueError: place 0"), ("d", "ValueError: place 0")]
    assert caplog.text.count("cannot be rated") == 2, "each failed game is logged once"


@pytest.mark.postgresql
@pytest.mark.usefixtures("unratable")
def test_moderator_finds_games_that_cannot_be_rated() -> None:
    sat = seats(*people(4))
    save_unrated("g1", sat)
    save_unrated("good", sat, ended_at=AT + 1)
    break_game("g1")
    rate_all()
    browser = moderator("view_game", "change_rating")
    failed = "/admin/game/game/?rating=failed"
    page = browser.get(failed).content.decode()
    assert "/admin/game/game/g1/change/" in page
    assert "/admin/game/game/good/change/" not in page
    assert "ValueError: place 0" in browser.get("/admin/game/game/g1/change/").content.decode()
    assert "1 games cannot be rated." in press(browser, "Rate it")
    assert "/admin/game/game/g1/change/" in browser.get(failed).content.decode()
    GameSeat.objects.filter(game="g1", seat=0).update(place=1)
    assert "1 games are rated." in press(browser, "Rate it")
    assert "/admin/game/game/g1/change/" not in browser.get(failed).content.decode()
    assert rated_games() == ["good", "g1"]


# Pages


TO_COME = {
    "en": "This game is not rated yet.",
    "fr": "Cette partie ne compte pas encore dans les cotes.",
    "ja": "この対局はまだレーティングに反映されていません。",
}
OF_PLAYER = {
    "en": "A game is not rated yet.",
    "fr": "Une partie ne compte pas encore dans la cote.",
    "ja": "まだ反映されていない対局があります。",
}
RULE = {
    "en": "5 seconds after the end at the earliest",
    "fr": "au plus tôt 5 secondes après celle-ci",
    "ja": "終了から5秒以上たってから",
}


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
async def test_pages_say_that_a_rating_is_to_come(language: str) -> None:
    player, *others = await sync_to_async(people)(4)
    await sync_to_async(save_unrated)("one", seats(player, *others))
    browser = await sync_to_async(client)(player)
    browser.cookies["django_language"] = language
    texts = {"/game/one/": TO_COME, f"/player/{player}/": OF_PLAYER, "/games/": OF_PLAYER}
    for path, text in texts.items():
        assert text[language] in await text_at(browser, path), path
    assert RULE[language] in await text_at(browser, "/ranking/tenhou/east_south/")
    await sync_to_async(rate_all)()
    for path, text in texts.items():
        assert text[language] not in await text_at(browser, path), path
