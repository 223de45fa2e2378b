"""The five aborts: the conditions of each, what prevents it, and how the game continues."""

from __future__ import annotations

import pytest

from game.engine.actions import DeclareKyushu
from game.engine.events import RiichiAccepted
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.state import Table
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, tiles

NINE_KINDS = "19m19p19sESW2345m"
EIGHT_KINDS = "19m19p19sES22345m"


def is_abort(play: Play, reason: str, honba: int = 0) -> bool:
    """Return whether the hand ended by that abort, nothing was paid, and the dealer replays it with
    one more honba."""
    before: Table = play.table
    ended = play.ended_by == reason and play.draw_result.deltas == (0, 0, 0, 0)
    play.deal_next()
    after = play.table
    return ended and (after.kyoku, after.honba, after.kyotaku, after.scores) == (
        before.kyoku,
        honba + 1,
        before.kyotaku,
        before.scores,
    )


# Kyushu kyuhai


def test_nine_kinds_on_the_first_draw_may_abort() -> None:
    play = stage(("", NINE_KINDS), "5p 6p", honba=2, kyotaku=1)
    play.discard(0, "5p")
    play.proceed()
    assert play.offered(1) == {"kyushu"}
    play.kyushu(1)
    assert play.draw_result.actor == 1
    assert is_abort(play, "kyushu_kyuhai", honba=2)


def test_nine_kinds_are_shown_with_the_drawn_tile() -> None:
    play = stage((NINE_KINDS,), "5p")
    play.kyushu(0)
    assert [text_of(row) for row in play.draw_result.tehais] == [
        text_of(sorted(tiles(NINE_KINDS + "5p"))),
        "",
        "",
        "",
    ]


def test_the_dealer_may_abort_with_the_starting_tiles() -> None:
    play = stage((EIGHT_KINDS,), "C")
    assert play.offered(0) == {"kyushu"}


def test_eight_kinds_are_not_enough_and_pairs_count_once() -> None:
    play = stage((EIGHT_KINDS,), "E")
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareKyushu()) == (
        "no_kyushu",
        "nine kinds on the first draw, before any call, are needed for that",
    )


def test_player_may_play_on_with_nine_kinds() -> None:
    play = stage((NINE_KINDS,), "5p")
    play.discard(0, "5p")
    play.proceed()
    assert play.table.turn == 1


def test_kyushu_is_not_possible_on_the_second_turn() -> None:
    play = stage((NINE_KINDS,), "5p 5p 6p 6p N")
    play.discard_in_turn("5p 5p 6p 6p")
    assert play.offered(0) == set()


def test_earlier_call_prevents_kyushu() -> None:
    play = stage(("", "", NINE_KINDS, "77p258m258s69mESN"), "7p N 5p")
    play.discard(0, "7p")
    play.pon(3, "77p")
    play.discard(3, "6m")
    play.discard_in_turn("N 5p")
    assert play.table.turn == 2
    assert play.offered(2) == set()


def test_another_closed_kan_prevents_kyushu() -> None:
    play = stage(("777p258m258s69mNN", NINE_KINDS), "7p N", rinshan="6p")
    play.ankan(0, "7777p")
    play.discard(0, "6p")
    play.proceed()
    assert play.offered(1) == set()


def test_another_closed_kan_may_allow_kyushu() -> None:
    rules = RuleSet(kyushu_ankan_cancels=False)
    play = stage(("777p258m258s69mNN", NINE_KINDS), "7p N", rinshan="6p", rules=rules)
    play.ankan(0, "7777p")
    play.discard(0, "6p")
    play.proceed()
    assert play.offered(1) == {"kyushu"}


@pytest.mark.parametrize("name", PRESETS)
def test_own_closed_kan_prevents_kyushu(name: str) -> None:
    """The nine kinds have to be among the 14 tiles after the first draw."""
    play = stage(("1m199p999sESWNPF",), "9s", rinshan="P", rules=PRESETS[name])
    assert ("kyushu" in play.offered(0)) == PRESETS[name].kyushu_kyuhai
    play.ankan(0, "9999s")
    play.proceed()
    assert "kyushu" not in play.offered(0)


def test_kyushu_is_refused_when_switched_off() -> None:
    play = stage((NINE_KINDS,), "5p", rules=RuleSet(kyushu_kyuhai=False))
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareKyushu()) == (
        "rule_off",
        "kyushu kyuhai is not played at this table",
    )


def test_kyushu_leaves_win_and_riichi_possible() -> None:
    play = stage(("19m19p19sESWNPFC",), "C")
    assert {"tsumo", "kyushu"} <= play.offered(0)


# Sufon renda


def test_four_first_discards_of_one_wind_abort() -> None:
    play = stage(draws="WWWW", hands=("147m258p369sESNP",), honba=1)
    play.discard_in_turn("WWWW")
    assert is_abort(play, "sufon_renda", honba=1)


def test_sufon_renda_includes_winds_from_hand() -> None:
    play = stage(("147m258p369sESWN",), "1p E E E")
    play.discard_in_turn("EEEE")
    assert play.ended_by == "sufon_renda"


def test_no_hand_is_shown_at_sufon_renda() -> None:
    play = stage(("147m258p369sESWN",), "1p E E E")
    play.discard_in_turn("EEEE")
    assert play.draw_result.tehais == ((), (), (), ())


@pytest.mark.parametrize("row", ["PPPP", "1m1m1m1m", "EEES", "SEEE"])
def test_other_first_discards_abort_nothing(row: str) -> None:
    play = stage(("258m369p369sNW12p",), row)
    play.discard_in_turn(row)
    assert play.ended_by == ""


def test_four_equal_winds_on_the_second_turn_abort_nothing() -> None:
    play = stage(("147m258p369sNP12p",), "1s 1s 1s 1s WWWW")
    play.discard_in_turn("1s 1s 1s 1s WWWW")
    assert play.ended_by == ""


def test_a_call_breaks_sufon_renda() -> None:
    play = stage(("147m258p369sSENP", "", "", "WW8p147m258s69mSC"), "W 1p")
    play.discard(0, "W")
    play.pon(3, "WW")
    play.discard(3, "S")
    play.discard_in_turn("1p")
    assert play.ended_by == ""


def test_a_closed_kan_breaks_sufon_renda() -> None:
    play = stage(("", "888s147m258p69mSN"), "W 8s W W", rinshan="W")
    play.discard(0, "W")
    play.ankan(1, "8888s")
    play.discard_in_turn("WWW")
    assert (play.ended_by, play.table.turn) == ("", 0)


def test_without_sufon_renda_the_hand_continues() -> None:
    rules = RuleSet(sufon_renda=False)
    play = stage(("147m258p369sESNP",), "WWWW", rules=rules)
    play.discard_in_turn("WWWW")
    assert (play.ended_by, play.table.turn) == ("", 0)


def test_riichi_on_the_fourth_wind_pays_its_stick() -> None:
    play = stage(("147m258p369sESNP", "", "", "234567m345p67s99s"), "WWWW")
    play.discard_in_turn("WWW")
    play.riichi(3, "W")
    play.proceed()
    assert play.table.kyotaku == 1
    assert is_abort(play, "sufon_renda")


# Sucha riichi

FOUR_READY = ("234567m345p67s99s", "234678m456p67s11s", "345m123789p67s22p", "EEESSSWWW78m99p")


def four_riichi(rules: RuleSet | None = None, declared: str = "N", **staging: int) -> Play:
    """Stage four riichi in turn; the last discard is that of seat 3."""
    play = stage(FOUR_READY, f"F C P {declared}", rules=rules or RuleSet(), **staging)
    for seat, thrown in enumerate(("F", "C", "P", declared)):
        play.riichi(seat, thrown)
    return play


def test_four_riichi_abort_the_hand_and_all_sticks_stay() -> None:
    play = four_riichi(kyotaku=1, honba=1)
    play.proceed()
    assert play.table.kyotaku == 5
    assert play.table.scores == (24_000, 24_000, 24_000, 24_000)
    assert is_abort(play, "sucha_riichi", honba=1)


def test_all_four_hands_are_shown_after_four_riichi() -> None:
    play = four_riichi()
    play.proceed()
    assert all(play.draw_result.tehais)


def test_the_fourth_riichi_can_be_ronned() -> None:
    play = four_riichi(declared="8s")
    play.ron(0)
    assert play.ended_by == "won"
    assert len(play.events_of(RiichiAccepted)) == 3
    assert play.table.scores[3] == 25_000 + play.win.deltas[3]
    assert play.win.deltas[0] == play.win.points + 3_000


def test_three_riichi_abort_nothing() -> None:
    play = stage(FOUR_READY, "F C P N")
    for seat, thrown in enumerate("FCP"):
        play.riichi(seat, thrown)
    play.discard(3, "N")
    play.proceed()
    assert play.ended_by == ""


def test_four_riichi_may_continue_the_hand() -> None:
    play = four_riichi(RuleSet(sucha_riichi=False))
    play.proceed()
    assert (play.ended_by, play.table.turn) == ("", 0)


# What aborts have in common


def test_abort_in_the_last_hand_continues_the_game() -> None:
    play = stage(("", "", "", NINE_KINDS), "5p", kyoku=7, scores=(20_000, 20_000, 20_000, 40_000))
    play.kyushu(3)
    assert not play.is_over
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (7, 1)


def test_honba_after_an_abort_is_a_switch() -> None:
    play = stage((NINE_KINDS,), "5p", honba=2, rules=RuleSet(honba_after_abort=False))
    play.kyushu(0)
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (0, 2)
