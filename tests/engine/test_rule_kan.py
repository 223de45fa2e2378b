"""The three kinds of kan, replacement tiles, robbing, and wins on the last tiles."""

from __future__ import annotations

from game.engine.actions import CallKan, DeclareAnkan, DeclareKakan
from game.engine.events import Drawn
from game.engine.state import MeldType
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, tile, tiles

WITH_TRIPLET = "444m147p258sESWN"
WITH_PAIR = "44m147p258sESWNP"


# The three kinds


def test_closed_kan_draws_a_replacement_tile() -> None:
    play = stage((WITH_TRIPLET,), "4m", rinshan="9s")
    assert "ankan 4444m" in play.offered(0)
    play.ankan(0, "4444m")
    play.proceed()
    (meld,) = play.hand(0).melds
    assert (meld.type, text_of(meld.tiles), meld.target) == (MeldType.ANKAN, "4444m", 0)
    assert (play.concealed(0), play.drawn) == ("147p258sESWN", "9s")
    assert play.table.turn == 0


def test_closed_kan_may_be_declared_on_a_later_turn() -> None:
    play = stage((WITH_TRIPLET,), "4m 9s 9s 9s 9p", rinshan="1m")
    play.discard(0, "E")
    play.discard_in_turn("9s 9s 9s")
    assert play.offered(0) == {"ankan 4444m"}
    play.ankan(0, "4444m")
    play.proceed()
    assert play.concealed(0) == "1479p258sSWN"


def test_a_closed_kan_may_hold_the_red_five() -> None:
    play = stage(("055m147p258sESWN",), "5m")
    assert play.offered(0) == {"ankan 5550m"}


def test_added_kan_extends_an_own_pon() -> None:
    play = stage(("", "", WITH_PAIR), "4m 9s 9s 1m 4m", rinshan="9p")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "E")
    play.discard_in_turn("9s 9s 1m")
    assert play.drawn == "4m"
    assert play.offered(2) == {"kakan 4m"}
    play.kakan(2, "4m")
    play.proceed()
    (meld,) = play.hand(2).melds
    assert (meld.type, text_of(meld.tiles), text_of([meld.added])) == (
        MeldType.KAKAN,
        "4444m",
        "4m",
    )
    assert meld.target == 0
    assert (play.table.turn, play.drawn) == (2, "9p")


def test_added_kan_may_be_declared_on_a_later_turn() -> None:
    play = stage(("", "", WITH_TRIPLET), "4m 9s 9s 1m 9p")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "E")
    play.discard_in_turn("9s 9s 1m")
    assert play.offered(2) == {"kakan 4m"}


def test_open_kan_draws_a_replacement_tile() -> None:
    play = stage(("", "", WITH_TRIPLET), "4m", rinshan="9p")
    play.discard(0, "4m")
    play.kan(2, "444m")
    (meld,) = play.hand(2).melds
    assert (meld.type, text_of([meld.called]), meld.target) == (MeldType.DAIMINKAN, "4m", 0)
    assert (play.table.turn, play.drawn) == (2, "9p")
    play.discard(2, "9p")
    play.proceed()
    assert play.table.turn == 3


def test_kan_needs_an_own_pon() -> None:
    play = stage(("", "44m147p258sESWNP", "23m69p258s369sESW"), "4m 4m")
    play.discard(0, "4m")
    play.pon(1, "44m")
    play.discard(1, "E")
    play.proceed()
    assert play.drawn == "4m"
    assert play.offered(2) == set()


# Replacement tiles and the wall


def one_owner(last: str = "") -> Play:
    """Stage seat 0 with four closed kans and a single 9s."""
    play = stage(("111222333m444p9s", "777p258s68mESWNP"), "1m", rinshan="2m 3m 4p 8s", last=last)
    for four in ("1111m", "2222m", "3333m", "4444p"):
        play.ankan(0, four)
        play.proceed()
    return play


def test_replacement_tiles_come_from_the_dead_wall_in_order() -> None:
    play = one_owner()
    drawn = [text_of([event.pai]) for event in play.events_of(Drawn)]
    assert drawn == ["1m", "2m", "3m", "4p", "8s"]
    assert [event.rinshan for event in play.events_of(Drawn)] == [False, True, True, True, True]


def test_every_kan_shortens_the_wall_by_one_tile() -> None:
    play = one_owner()
    assert play.table.left == 65
    play.discard(0, "8s")
    play.play_to_exhaustive_draw()
    drawn = play.events_of(Drawn)
    assert sum(not event.rinshan for event in drawn) == 66


def test_kan_removes_the_last_tile_of_the_wall() -> None:
    play = stage((WITH_TRIPLET,), "4m", last="9m P C")
    play.ankan(0, "4444m")
    play.proceed()
    play.tsumogiri_until_left(1)
    assert play.drawn == "9m"
    play.tsumogiri()
    assert (play.drawn, play.table.left) == ("P", 0)


def test_unused_dead_wall_tiles_have_no_effect() -> None:
    play = stage((WITH_TRIPLET,), "4m", rinshan="9p 1m 2m 3m")
    play.ankan(0, "4444m")
    play.proceed()
    play.discard(0, "9p")
    play.play_to_exhaustive_draw()
    assert sum(event.rinshan for event in play.events_of(Drawn)) == 1


# At most four


def test_one_player_with_four_kans_plays_on() -> None:
    play = one_owner()
    play.discard(0, "8s")
    play.proceed()
    assert play.ended_by == ""
    assert play.table.turn == 1


def test_fifth_open_kan_is_not_offered() -> None:
    play = stage(("111222333m444p9s", "777p258s68mESWNP"), "1m 7m 7p", rinshan="2m 3m 4p 8s")
    for four in ("1111m", "2222m", "3333m", "4444p"):
        play.ankan(0, four)
    play.discard(0, "8s")
    play.discard(1, "7m")
    play.discard(2, "7p")
    assert play.offered(1) == {"pon 77p"}
    code, text = play.refusal_of(1, CallKan(three("777p")))
    assert (code, text) == ("four_kans", "there are four kans already")


def three(text: str) -> tuple[int, int, int]:
    one, two, three = tiles(text)
    return one, two, three


def test_fifth_closed_or_added_kan_is_not_offered() -> None:
    play = stage(("111222333m444p9s", "7777p28s68mESWNP"), "1m 9p", rinshan="2m 3m 4p 8s")
    for four in ("1111m", "2222m", "3333m", "4444p"):
        play.ankan(0, four)
    play.discard(0, "8s")
    play.proceed()
    assert play.offered(1) == set()
    assert play.refusal_of(1, DeclareAnkan((30, 30, 30, 30)))[0] == "four_kans"
    assert play.refusal_of(1, DeclareKakan(tile("7p")))[0] == "four_kans"


def test_no_kan_on_the_last_tile() -> None:
    play = stage(("", WITH_TRIPLET), last="4m")
    play.tsumogiri_until_left(0)
    assert (play.table.turn, play.drawn) == (1, "4m")
    assert play.offered(1) == set()
    code, text = play.refusal_of(1, DeclareAnkan((6, 6, 6, 6)))
    assert (code, text) == ("last_tile", "no kan on the last tile")


def test_kan_with_one_tile_left_draws_the_last_tile() -> None:
    play = stage((WITH_TRIPLET,), last="4m 9s", rinshan="9p")
    play.tsumogiri_until_left(1)
    assert (play.table.turn, play.drawn) == (0, "4m")
    play.ankan(0, "4444m")
    play.proceed()
    assert (play.table.left, play.drawn) == (0, "9p")
    play.discard(0, "9p")
    play.proceed()
    assert play.ended_by == "exhaustive"


# Winning on the replacement tile


def test_a_win_on_the_replacement_tile_is_rinshan() -> None:
    play = stage(("444m789p123s46s99p",), "4m", rinshan="5s")
    play.ankan(0, "4444m")
    play.tsumo(0)
    assert {"rinshan", "tsumo"} <= play.yaku


def test_the_dealer_has_no_tenhou_after_a_kan() -> None:
    play = stage(("444m789p123s46s99p",), "4m", rinshan="5s")
    play.ankan(0, "4444m")
    play.tsumo(0)
    assert play.yaku == {"rinshan", "tsumo"}


def test_a_win_after_an_open_kan_needs_no_other_yaku() -> None:
    play = stage(("", "", "444m789p123s46s99p"), "4m", rinshan="5s")
    play.discard(0, "4m")
    play.kan(2, "444m")
    play.tsumo(2)
    assert play.yaku == {"rinshan"}
    assert play.win.target == 2


def test_rinshan_ends_with_the_discard() -> None:
    play = stage(("444m789p123s46s99p",), "4m 9m 9m 9m 5s", rinshan="1m")
    play.ankan(0, "4444m")
    play.discard(0, "1m")
    play.discard_in_turn("9m 9m 9m")
    play.tsumo(0)
    assert "rinshan" not in play.yaku


# The last tiles


LAST_WAIT = "35m456p789p456s11s"
HOLDS_4M = "444m147p258s69mEW"
"""A hand that keeps 4m out of the wall, so that nobody is furiten when the last 4m comes."""


def test_the_last_tile_drawn_wins_with_haitei() -> None:
    play = stage(("", LAST_WAIT, HOLDS_4M), last="4m")
    play.tsumogiri_until_left(0)
    play.tsumo(1)
    assert {"haitei", "tsumo"} <= play.yaku
    assert "houtei" not in play.yaku


def test_the_last_discard_wins_with_houtei() -> None:
    play = stage(("", "", LAST_WAIT, HOLDS_4M), last="4m")
    play.tsumogiri_until_left(0)
    play.discard(1, "4m")
    assert play.offered(2) == {"ron"}
    play.ron(2)
    assert play.win.yaku == (("houtei", 1),)


def test_the_discard_before_the_last_is_no_houtei() -> None:
    play = stage(("", "", LAST_WAIT, HOLDS_4M), last="4m 9p")
    play.tsumogiri_until_left(1)
    play.discard(0, "4m")
    assert play.offered(2) == set()


def last_as_replacement(hand: str, rinshan: str) -> Play:
    play = stage((hand, "", LAST_WAIT, HOLDS_4M), last="P 9s", rinshan=rinshan)
    play.tsumogiri_until_left(1)
    play.ankan(0, "PPPP")
    play.proceed()
    assert play.table.left == 0
    return play


def test_last_replacement_tile_is_rinshan_and_not_haitei() -> None:
    play = last_as_replacement("PPP123m123p46s99p", "5s")
    play.tsumo(0)
    assert "rinshan" in play.yaku
    assert "haitei" not in play.yaku


def test_the_discard_of_a_last_replacement_tile_is_houtei() -> None:
    play = last_as_replacement("PPP123m123p46s99p", "4m")
    play.discard(0, "4m")
    play.ron(2)
    assert play.win.yaku == (("houtei", 1),)
