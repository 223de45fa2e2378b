"""Sums of figures: counted once, changed with their game, kept by month, preset and kind."""

from __future__ import annotations

from datetime import date
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from game.engine.commands import EndGame
from game.engine.rules import TENHOU
from game.live.process import ARCHIVE
from game.models import Game, GameLog, GamePlayer, PlayTotal
from game.results.play_figures import PlayFigures, decode_figures, encode_figures
from game.results.players import forget_guests, forget_player
from game.results.totals import SITE, update_totals
from tests.web.finished_games import (
    archive_game,
    hand,
    people,
    room_and_log,
    seats,
    two_hands,
    win_event,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

JANUARY = 1_768_000_000_000
MARCH = JANUARY + 60 * 86_400_000


def totals(person: UUID) -> dict[tuple[date, str, bool, bool], PlayFigures]:
    rows = PlayTotal.objects.filter(person_id=person)
    return {
        (row.month, row.preset, row.is_rated, row.is_public): decode_figures(bytes(row.figures))
        for row in rows
    }


def read_all_again() -> None:
    Game.objects.update(revision=0)
    for table_id in Game.objects.values_list("pk", flat=True):
        ARCHIVE._reread_game(table_id)


def test_games_are_summed_by_month_and_kind() -> None:
    four = people(4)
    archive_game("one", seats(*four), ended_at=JANUARY, scores=(-100, 50_100, 25_000, 25_000))
    archive_game("two", seats(*four), ended_at=JANUARY)
    archive_game("three", seats(*four), ended_at=MARCH, public=False)
    found = totals(four[0])
    assert set(found) == {
        (date(2026, 1, 1), "tenhou", True, True),
        (date(2026, 3, 1), "tenhou", True, False),
    }
    january = found[date(2026, 1, 1), "tenhou", True, True]
    assert (january.games, january.places, january.below_zero) == (2, [2, 0, 0, 0], 1)
    assert (january.hands, january.draws, january.points_tenths) == (4, 2, 1000)
    site = totals(SITE)
    assert set(site) == {(date(2026, 1, 1), "tenhou", True, True)}, "public games only"
    assert site[date(2026, 1, 1), "tenhou", True, True].games == 8
    assert site[date(2026, 1, 1), "tenhou", True, True].wins == 2


def test_second_archiving_and_second_reading_change_nothing() -> None:
    four = people(4)
    room, log = room_and_log("one", seats(*four))
    assert ARCHIVE.save_game(room, log)
    once = {person: totals(person) for person in (*four, SITE)}
    assert not ARCHIVE.save_game(room, log)
    read_all_again()
    assert {person: totals(person) for person in (*four, SITE)} == once


def test_games_of_an_earlier_release_are_counted_by_the_worker() -> None:
    four = people(4)
    archive_game("one", seats(*four))
    wanted = {person: totals(person) for person in (*four, SITE)}
    PlayTotal.objects.all().delete()
    GamePlayer.objects.update(figures=None, length="", is_rated=False)
    read_all_again()
    assert {person: totals(person) for person in (*four, SITE)} == wanted


def test_game_without_a_log_counts_with_its_result() -> None:
    four = people(4)
    archive_game("one", seats(*four))
    PlayTotal.objects.all().delete()
    GamePlayer.objects.update(figures=None, length="", is_rated=False)
    GameLog.objects.all().delete()
    read_all_again()
    (found,) = totals(four[1]).values()
    assert (found.games, found.places, found.hands) == (1, [0, 1, 0, 0], 0)
    assert PlayTotal.objects.filter(person_id=four[1], is_rated=True, length=TENHOU.length).exists()


def test_counts_that_are_known_without_a_log_are_in_no_sum() -> None:
    four = people(4)
    archive_game("one", seats(*four))
    GamePlayer.objects.update(figures=encode_figures(PlayFigures(hands=2, is_partial=True)))
    PlayTotal.objects.all().delete()
    game = Game.objects.get()
    with transaction.atomic():
        update_totals(game)
    (found,) = totals(four[1]).values()
    assert (found.games, found.places, found.hands) == (1, [0, 1, 0, 0], 0)
    game.delete()
    (left,) = totals(four[1]).values()
    assert left.is_zero


def test_deleted_game_leaves_the_sums_and_the_best_hand() -> None:
    four = people(4)
    small = [hand(0), win_event(1, 2, 1000, (0, 1000, -1000, 0))]
    archive_game("small", seats(*four), small)
    wanted = {person: totals(person) for person in (*four, SITE)}
    archive_game("large", seats(*four), two_hands())
    (with_both,) = totals(four[1]).values()
    assert with_both.best is not None
    assert (with_both.best.table_id, with_both.best.points) == ("large", 2600)
    Game.objects.get(pk="large").delete()
    assert {person: totals(person) for person in (*four, SITE)} == wanted


def test_broken_off_game_counts_its_hands_only() -> None:
    four = people(4)
    archive_game("one", seats(*four), commands=(EndGame(),))
    (found,) = totals(four[1]).values()
    assert (found.games, found.hands, found.wins) == (0, 2, 1)


def test_sums_of_removed_people_are_deleted() -> None:
    account, guest = people(1)[0], uuid4()
    archive_game("one", seats(account, guest, None, None))
    site = totals(SITE)
    forget_player(account)
    forget_guests([guest])
    read_all_again()
    assert totals(account) == totals(guest) == {}
    assert totals(SITE) == site
