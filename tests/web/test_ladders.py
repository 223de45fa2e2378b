"""Ratings: which games are rated, what one game changes, and how a change is undone."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, transaction
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.commands import EndGame, RestoreGame
from game.engine.events import AwayChanged
from game.engine.presets import ALL_PRESETS, PRESETS
from game.engine.rules import TENHOU
from game.live.process import ARCHIVE
from game.models import Game, GameSeat, Ladder, Player, Rating, RatingChange
from game.results import ladders
from game.results import ratings as rating_changes
from game.results.ladders import GameStart
from game.results.players import forget_player, list_player
from tests.kit.moderators import moderator
from tests.kit.processes import wait_until
from tests.web.corrections import close, press
from tests.web.finished_games import (
    AT,
    archive_game,
    client,
    draw_event,
    hand,
    people,
    rate_all,
    ratings,
    room_and_log,
    save_unrated,
    seats,
    text_at,
    two_hands,
    with_new_player,
    with_seat,
    without,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

FRESH: Final = (ladders.MU, ladders.SIGMA)
START: Final = GameStart(
    rules=TENHOU,
    origin="queue",
    has_clock=True,
    has_help=False,
    accounts=("a", "b", "c", ""),
)
"""Three people with accounts and one without, at a game of a queue."""


# Which games are rated


def test_preset_is_recognised_at_any_length() -> None:
    for name, rules in ALL_PRESETS.items():
        for length in ladders.LENGTHS:
            assert ladders.preset_of(replace(rules, length=length)) == name
        assert ladders.preset_of(replace(rules, honba_points=rules.honba_points + 1)) == ""
    assert ladders.preset_of(replace(TENHOU, name="mine")) == ""


def test_each_preset_has_a_ladder_for_each_length() -> None:
    assert ladders.ladder_of(START) == "tenhou.east_south"
    east = replace(START, rules=replace(TENHOU, length="east"))
    assert ladders.ladder_of(east) == "tenhou.east"
    assert len(ladders.LADDERS) == 2 * len(ALL_PRESETS)


def test_game_of_four_bots_changes_the_ladder_of_bots_alone() -> None:
    bots = people(4)
    for bot in bots:
        Player.objects.filter(pk=bot).update(is_listed=False)
    sat = [replace(seat, is_program=True) for seat in seats(*bots)]
    archive_game("one", sat, origin="bots")
    rate_all()
    assert Game.objects.get().ladder == "bots.tenhou.east_south"
    shown = dict(Rating.objects.values_list("player_id", "shown"))
    assert len(shown) == 4
    assert sorted(bots, key=lambda bot: -shown[bot]) == list(bots)
    assert {rating.ladder_id for rating in Rating.objects.all()} == {"bots.tenhou.east_south"}
    archive_game("two", [*sat[:3], seats(bots[3])[0]], origin="bots")
    assert Game.objects.get(pk="two").ladder == ""


@pytest.mark.parametrize(
    "how",
    [
        {"origin": ""},
        {"has_clock": False},
        {"has_help": True},
        {"rules": replace(TENHOU, tobi=False)},
        {"accounts": ("a", "b", "", "")},
        {"accounts": ("a", "b", "a", "b")},
    ],
    ids=[
        "made by people",
        "no clock",
        "help",
        "own rules",
        "two accounts",
        "two accounts at four seats",
    ],
)
def test_game_that_players_arranged_is_not_rated(how: dict[str, Any]) -> None:
    assert ladders.ladder_of(START)
    assert ladders.ladder_of(replace(START, **how)) == ""


@pytest.mark.parametrize(
    "how",
    [
        {"origin": ""},
        {"clock": ClockSettings(is_unlimited=True)},
        {"help": True},
        {"rules": replace(TENHOU, tobi=False)},
        {"commands": (EndGame(),)},
        {"commands": (RestoreGame(bytes(32)),)},
    ],
    ids=["made by people", "no clock", "help", "own rules", "broken off", "restored"],
)
def test_unrated_game_is_listed(how: dict[str, Any]) -> None:
    archive_game("one", seats(*people(4)), **how)
    assert Game.objects.get().ladder == ""
    assert not GameSeat.objects.filter(is_rated=True).exists()
    assert ratings() == {}


def test_two_accounts_are_too_few_for_a_rated_game() -> None:
    archive_game("one", seats(*people(2), uuid4(), None))
    assert ratings() == {}


def test_sign_up_during_a_game_does_not_make_it_rated() -> None:
    one, two = people(2)
    guest = uuid4()
    room, log = room_and_log("one", seats(one, two, guest, None))
    list_player(guest, "Guest")
    ARCHIVE.save_game(room, log)
    assert ratings() == {}


# What a game changes


def test_better_places_gain_more_rating() -> None:
    after = ladders.skills_after_game([FRESH] * 4, [2, 1, 4, 3])
    by_place = [after[1][0], after[0][0], after[3][0], after[2][0]]
    assert by_place == sorted(by_place, reverse=True)
    assert by_place[0] > ladders.MU > by_place[-1]
    assert all(sigma < ladders.SIGMA for _, sigma in after)
    assert ladders.displayed_rating(FRESH) == 1000 < ladders.displayed_rating(after[1])


def test_accounts_are_compared_with_each_other_only() -> None:
    one, two, three = people(3)
    archive_game("one", seats(uuid4(), one, two, three))
    assert Game.objects.get().ladder == "tenhou.east_south"
    rated = {row.seat: row.is_rated for row in GameSeat.objects.all()}
    assert rated == {0: False, 1: True, 2: True, 3: True}
    first, second, last = ladders.skills_after_game([FRESH] * 3, [1, 2, 3])
    assert ratings() == {one: (*first, 1), two: (*second, 1), three: (*last, 1)}


@pytest.mark.postgresql
def test_game_archived_twice_is_rated_once() -> None:
    sat = seats(*people(4))
    assert [archive_game("one", sat) for _ in range(3)] == [True, False, False]
    assert RatingChange.objects.count() == 4
    assert {games for _, _, games in ratings().values()} == {1}


@pytest.mark.parametrize("error", [OperationalError, SystemExit])
def test_interrupted_rating_leaves_the_game_queued(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = seats(*people(4))
    archive_game("one", sat)
    before = ratings()
    apply = rating_changes._apply_change
    calls: list[int] = []

    def dies(*args: Any, **details: Any) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise error
        apply(*args, **details)

    save_unrated("two", sat, ended_at=AT + 1)
    with monkeypatch.context() as patch:
        patch.setattr(rating_changes, "_apply_change", dies)
        with pytest.raises(error):
            rate_all()
    assert ratings() == before
    rate_all()
    assert {games for _, _, games in ratings().values()} == {2}


def test_ladders_are_independent() -> None:
    sat = seats(*people(4))
    archive_game("one", sat)
    archive_game("two", sat, rules=replace(TENHOU, length="east"))
    archive_game("three", sat, rules=PRESETS["wrc-2025"])
    archive_game("four", sat, rules=PRESETS["wrc-2025"])
    for ladder, games in (("tenhou.east_south", 1), ("tenhou.east", 1), ("wrc-2025.east_south", 2)):
        assert {count for _, _, count in ratings(ladder).values()} == {games}, ladder
    assert ratings("tenhou.east") == ratings()


# Who is absent in the last hand


def absent(how: str, sat: Any) -> list[Any]:
    """Return the steps of a game whose player in seat 0 is absent at the end."""
    first, second = two_hands()[:5], two_hands()[5:]
    return {
        "left between hands": [*first, without(sat, 0), *second],
        "left in the last hand": [*first, second[0], without(sat, 0), *second[1:]],
        "a stand-in plays": [*first, second[0], AwayChanged(0, True), *second[1:]],
        "banned": [*first, with_seat(sat, 0, replace(sat[0], person="", bot="b")), *second],
        "somebody else plays": [*first, without(sat, 0), with_new_player(sat, 0, uuid4()), *second],
    }[how]


WAYS: Final = (
    *("left between hands", "left in the last hand", "a stand-in plays"),
    *("banned", "somebody else plays"),
)


@pytest.mark.postgresql
@pytest.mark.parametrize("how", WAYS)
def test_player_absent_in_the_last_hand_is_ranked_last(how: str) -> None:
    players = people(4)
    sat = seats(*players)
    archive_game("one", sat, absent(how, sat), places=(1, 2, 3, 4))
    assert [row.is_absent for row in GameSeat.objects.order_by("seat")] == [True, *[False] * 3]
    after = ladders.skills_after_game([FRESH] * 4, [4, 1, 2, 3])
    assert ratings() == {player: (*skill, 1) for player, skill in zip(players, after, strict=True)}


def test_game_that_everybody_has_left_is_rated() -> None:
    players = people(4)
    sat = seats(*players)
    bots = [replace(seat, bot="sensible") for seat in sat]
    archive_game("one", sat, [*two_hands()[:5], tuple(bots), *two_hands()[5:]])
    assert list(GameSeat.objects.values_list("is_absent", "is_rated")) == [(True, True)] * 4
    assert {count for _, _, count in ratings().values()} == {1}


@pytest.mark.parametrize("how", WAYS)
def test_setting_ranks_absent_players_by_their_seats(how: str, settings: Any) -> None:
    settings.RATED_ABSENCE = "as_played"
    players = people(4)
    sat = seats(*players)
    archive_game("one", sat, absent(how, sat), places=(1, 2, 3, 4))
    after = ladders.skills_after_game([FRESH] * 4, [1, 2, 3, 4])
    assert ratings() == {player: (*skill, 1) for player, skill in zip(players, after, strict=True)}


@pytest.mark.parametrize("back", ["the seat", "the stand-in's turn"])
def test_return_before_the_last_hand_ends_is_no_absence(back: str) -> None:
    sat = seats(*people(4))
    gone = without(sat, 0) if back == "the seat" else AwayChanged(0, True)
    returned = tuple(sat) if back == "the seat" else AwayChanged(0, False)
    steps = [*two_hands()[:3], gone, *two_hands()[3:6], returned, two_hands()[6]]
    archive_game("one", sat, steps)
    assert not GameSeat.objects.filter(is_absent=True).exists()


def test_leaving_after_the_last_hand_is_no_absence() -> None:
    sat = seats(*people(4))
    archive_game("one", sat, [*two_hands(), AwayChanged(1, True), without(sat, 0)])
    assert not GameSeat.objects.filter(is_absent=True).exists()


def test_absent_players_share_the_last_rank() -> None:
    assert ladders.rating_ranks([1, 2, 3, 4], [True, False, True, False], "last") == [5, 2, 5, 4]
    assert ladders.rating_ranks([1, 2, 3, 4], [True, False, True, False], "as_played") == [
        1,
        2,
        3,
        4,
    ]


# Late, deleted and corrected games


def test_deleting_a_game_undoes_its_rating_changes_only() -> None:
    sat = seats(*people(4))
    for at, places in enumerate(((1, 2, 3, 4), (4, 3, 2, 1), (2, 1, 4, 3))):
        archive_game(f"g{at}", sat, places=places, ended_at=AT + at)
    before = ratings()
    later = list(RatingChange.objects.exclude(game="g1").order_by("pk").values())
    change = {row.rating.player_id: row for row in RatingChange.objects.filter(game="g1")}
    Game.objects.filter(pk="g1").delete()
    assert close(
        ratings(),
        {
            player: (
                mu - (change[player].mu - change[player].mu_before),
                sigma * change[player].sigma_before / change[player].sigma,
                games - 1,
            )
            for player, (mu, sigma, games) in before.items()
        },
    )
    assert list(RatingChange.objects.order_by("pk").values()) == later
    Game.objects.all().delete()
    assert close(ratings(), dict.fromkeys(before, (*FRESH, 0)))
    assert {row.shown for row in Rating.objects.all()} == {1000}


def test_late_game_is_rated_with_the_present_ratings() -> None:
    players = people(4)
    sat = seats(*players)
    archive_game("second", sat, places=(1, 2, 3, 4), ended_at=AT + 2)
    before = {player: (mu, sigma) for player, (mu, sigma, _) in ratings().items()}
    change = list(RatingChange.objects.values())
    archive_game("first", sat, places=(4, 3, 2, 1), ended_at=AT)
    after = ladders.skills_after_game([before[player] for player in players], [4, 3, 2, 1])
    assert close(
        ratings(), {player: (*skill, 2) for player, skill in zip(players, after, strict=True)}
    )
    assert list(RatingChange.objects.filter(game="second").values()) == change


def test_corrected_game_is_rated_from_its_first_ratings() -> None:
    players = people(4)
    sat = seats(*players)
    archive_game("right", sat, places=(4, 3, 2, 1))
    wanted = ratings()
    Game.objects.all().delete()
    Rating.objects.all().delete()
    archive_game("wrong", sat, places=(1, 2, 3, 4))
    for seat in GameSeat.objects.all():
        seat.place = 5 - seat.place
        seat.save()
    with transaction.atomic():
        rating_changes.rate_game(Game.objects.get())
    assert close(ratings(), wanted)
    archive_game("later", sat, places=(1, 2, 3, 4), ended_at=AT + 1)
    change = list(RatingChange.objects.filter(game="later").values())
    with transaction.atomic():
        rating_changes.rate_game(Game.objects.get(pk="wrong"))
    assert list(RatingChange.objects.filter(game="later").values()) == change


# Corrections by moderators


@pytest.mark.postgresql
def test_moderator_undoes_ratings_and_rates_the_game_again() -> None:
    archive_game("g1", seats(*people(4)))
    rated = ratings()
    browser = moderator("view_game", "change_rating")
    assert "The ratings of 1 games are undone." in press(browser, "Take its ratings back")
    assert close(ratings(), dict.fromkeys(rated, (*FRESH, 0)))
    assert "The ratings of 0 games are undone." in press(browser, "Take its ratings back")
    for _ in range(2):
        assert "1 games are rated." in press(browser, "Rate it")
        assert close(ratings(), rated)
    assert Game.objects.get().rating_changes.count() == 4


@pytest.mark.postgresql
def test_moderator_rates_a_corrected_game_again() -> None:
    players = people(4)
    archive_game("g1", seats(*players), places=(1, 2, 3, 4))
    rated = ratings()
    for seat in GameSeat.objects.all():
        seat.place = 5 - seat.place
        seat.save()
    press(moderator("view_game", "change_rating"), "Rate it")
    wanted = {
        player: rated[opposite] for player, opposite in zip(players, players[::-1], strict=True)
    }
    assert close(ratings(), wanted)


def test_ratings_cannot_be_changed_without_the_permission() -> None:
    archive_game("g1", seats(*people(4)))
    rated = ratings()
    browser = moderator("view_game")
    assert "Rate it" not in browser.get("/admin/game/game/g1/change/").content.decode()
    browser.post("/admin/game/game/", {"action": "undo_ratings", "_selected_action": "g1"})
    assert ratings() == rated


def test_history_of_a_game_lists_actions_of_moderators() -> None:
    archive_game("g1", seats(*people(4)))
    browser = moderator("view_game", "change_rating")
    press(browser, "Take its ratings back")
    press(browser, "Rate it")
    page = browser.get("/admin/game/game/g1/history/").content.decode()
    assert re.findall(r"undo_ratings|rate_game", page) == ["undo_ratings", "rate_game"]


EAST, SOUTH = "tenhou.east", "tenhou.east_south"


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole database")
@pytest.mark.parametrize("held", [EAST, SOUTH])
@pytest.mark.parametrize("action", ["rate", "undo_ratings", "delete_selected"])
def test_moderator_who_waits_for_a_ladder_locks_no_other(action: str, held: str) -> None:
    sat = seats(*people(4))
    archive_game("g1", sat, rules=replace(TENHOU, length="east"))
    archive_game("g2", sat, ended_at=AT + 1)
    browser = moderator("view_game", "delete_game", "change_rating", *DELETED_WITH_A_GAME)
    fields = {"action": action, "_selected_action": ["g1", "g2"], "post": "yes"}

    def press_button() -> int:
        try:
            return browser.post("/admin/game/game/", fields).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            Ladder.objects.select_for_update().get(pk=held)
            status = threads.submit(press_button)
            wait_until(
                is_a_transaction_waiting, within_s=60, what="the moderator waits for the ladder"
            )
            other = SOUTH if held == EAST else EAST
            Ladder.objects.select_for_update(nowait=True).get(pk=other)
        assert status.result(20) == 302
    assert Game.objects.exists() == (action != "delete_selected")
    assert RatingChange.objects.exists() == (action == "rate")


DELETED_WITH_A_GAME: Final = (
    *("delete_gamelog", "delete_gameseat", "delete_gameplayer"),
    *("delete_ratingchange", "delete_unratedgame"),
)


def is_a_transaction_waiting() -> bool:
    """Return whether a transaction waits for a lock of another one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


# Deleted accounts


@pytest.mark.postgresql
def test_deleted_account_leaves_no_ratings() -> None:
    one, two, three = people(3)
    sat = seats(one, two, three, None)
    archive_game("one", sat)
    others = {person: value for person, value in ratings().items() if person != one}
    with transaction.atomic():
        forget_player(one)
    assert ratings() == others
    assert not RatingChange.objects.filter(rating__player=one).exists()
    archive_game("two", sat, ended_at=AT + 1)
    assert {games for _, _, games in ratings().values()} == {1}, "two accounts are too few"
    Game.objects.all().delete()
    assert {games for _, _, games in ratings().values()} == {0}


def test_account_deleted_during_a_game_leaves_the_others_rated() -> None:
    one, two, three = people(3)
    room, log = room_and_log("one", seats(one, two, three, None))
    with transaction.atomic():
        forget_player(one)
    ARCHIVE.save_game(room, log)
    rate_all()
    second, third = ladders.skills_after_game([FRESH] * 2, [2, 3])
    assert ratings() == {two: (*second, 1), three: (*third, 1)}
    assert Player.objects.get(pk=one).name == ""


# Pages


async def test_ladder_lists_accounts_with_enough_games_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("game.results.statistics.MIN_GAMES", 2)
    one, two, three, four = await sync_to_async(people)(4)
    for at in range(2):
        sat = seats(two, one, three, None)
        await sync_to_async(archive_game)(f"g{at}", sat, ended_at=AT + at)
    await sync_to_async(archive_game)("g2", seats(two, three, four, None), ended_at=AT + 2)
    text = await text_at(await sync_to_async(client)(one), "/ranking/tenhou/east_south/")
    links = r'href="/player/([\w-]+)/\?players=4"'
    assert re.findall(links, text) == [str(two), str(one), str(three)]
    assert re.search(r'Player 0</a> <span class="badge you">', text)
    await sync_to_async(forget_player)(two)
    text = await text_at(client(), "/ranking/tenhou/east_south/")
    assert re.findall(links, text) == [str(one), str(three)]
    for empty in ("/ranking/tenhou/east/", "/ranking/ema-2025/east_south/"):
        assert "No ranked players yet." in await text_at(client(), empty)
    for address in ("/ranking/gold/", "/ranking/gold/east/", "/ranking/tenhou/west/"):
        assert (await client().get(address)).status_code == 404
    for address in ("/ranking/", "/ranking/tenhou/"):
        assert (await client().get(address))["Location"] == "/ranking/tenhou/east_south/"


@pytest.mark.postgresql
async def test_players_with_equal_ratings_share_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.results.statistics.MIN_GAMES", 1)
    monkeypatch.setattr("game.results.statistics.PER_PAGE", 3)
    await sync_to_async(archive_game)("one", seats(*await sync_to_async(people)(4)))
    await sync_to_async(archive_game)("two", seats(*await sync_to_async(people)(4)))
    pages = [await text_at(client(), f"/ranking/tenhou/east_south/?page={at}") for at in (1, 2, 3)]
    places = re.compile(r'<td class="number">(\d)</td><th scope="row">')
    assert [places.findall(page) for page in pages] == [
        ["1", "1", "3"],
        ["3", "5", "5"],
        ["7", "7"],
    ]


async def test_player_has_a_rating_for_each_length() -> None:
    players = await sync_to_async(people)(4)
    await sync_to_async(archive_game)("one", seats(*players))
    east = replace(TENHOU, length="east")
    await sync_to_async(archive_game)("two", seats(*players), rules=east, places=(4, 3, 2, 1))
    text = await text_at(client(), f"/player/{players[0]}/")
    for length, name in (("east", "East only"), ("east_south", "East and South")):
        assert f'<a href="/ranking/tenhou/{length}/">Tenhou, {name}</a>' in text


def test_unfinished_hand_is_not_the_last_hand() -> None:
    sat = seats(*people(4))
    steps = [*two_hands(), hand(2), without(sat, 0), draw_event("abandoned")]
    archive_game("one", sat, steps, commands=(EndGame(),))
    assert ratings() == {}
    assert Game.objects.get().is_broken_off
