"""Riichi: who may declare it, when the stick is paid, double riichi, ippatsu, and closed kans."""

from __future__ import annotations

import pytest

from game.engine.actions import DeclareAnkan, DeclareRiichi, Discard
from game.engine.events import RiichiAccepted, RiichiDeclared
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.state import RIVER_RIICHI, RIVER_TAKEN, Riichi
from tests.kit.play import Play, stage
from tests.kit.tables import tile

PINFU = "234567m345p67s99s"
"""A hand that waits for 5s and 8s."""
PINFU_TOO = "234678m456p67s11s"
"""A second hand that waits for 5s and 8s."""


def declare_riichi(draws: str = "", hands: tuple[str, ...] = (), **staging: object) -> Play:
    """Stage seat 0, which waits for 5s and 8s and declares riichi with 1p; nobody takes the
    tile."""
    play = stage((PINFU, *hands), f"1p {draws}", **staging)  # type: ignore[arg-type]
    play.riichi(0, "1p")
    play.proceed()
    return play


# Who may declare


def riichi_offers(play: Play) -> set[str]:
    return {offer for offer in play.offered(play.table.turn) if offer.startswith("riichi")}


def test_riichi_is_offered_with_every_tenpai_discard() -> None:
    play = stage((PINFU,), "1p")
    assert riichi_offers(play) == {"riichi 1p"}
    play = stage((PINFU,), "9s")
    assert riichi_offers(play) == {"riichi 9s", "riichi 6s", "riichi 7s"}


def test_noten_hand_cannot_declare_riichi() -> None:
    play = stage(("234567m345p6s99sE",), "1p")
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareRiichi(tile("1p"), True)) == (
        "not_tenpai",
        "the hand is not tenpai after that discard",
    )


def test_riichi_with_a_discard_that_breaks_tenpai_is_refused() -> None:
    play = stage((PINFU,), "1p")
    assert play.refusal_of(0, DeclareRiichi(tile("9s"), False))[0] == "not_tenpai"


def test_an_open_hand_cannot_declare() -> None:
    play = stage(("", "", "EE4567m345p67s99s"), "E 9m 9m 9m 1p")
    play.discard(0, "E")
    play.pon(2, "EE")
    play.discard(2, "4m")
    play.discard_in_turn("9m 9m 9m")
    assert play.offered(2) == set()
    assert play.refusal_of(2, DeclareRiichi(tile("1p"), True)) == (
        "open_hand",
        "riichi needs a closed hand",
    )


def test_a_closed_kan_leaves_the_hand_closed() -> None:
    play = stage(("EEE567m345p67s99s",), "E", rinshan="1p")
    play.ankan(0, "EEEE")
    play.proceed()
    assert "riichi 1p" in play.offered(0)


def test_riichi_needs_1000_points() -> None:
    play = stage((PINFU,), "1p", scores=(900, 33_100, 33_000, 33_000))
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareRiichi(tile("1p"), True)) == (
        "no_points",
        "riichi needs 1000 points for the stick",
    )


def test_the_last_1000_points_are_enough() -> None:
    play = declare_riichi(scores=(1_000, 33_000, 33_000, 33_000))
    assert play.table.scores[0] == 0


def test_riichi_may_borrow_its_stick() -> None:
    play = declare_riichi(
        scores=(900, 33_100, 33_000, 33_000), rules=RuleSet(riichi_needs_points=False)
    )
    assert play.table.scores[0] == -100


def test_riichi_needs_four_tiles_left_in_the_wall() -> None:
    play = stage(("", PINFU, PINFU_TOO), last="1p 9m 9m 9m 9p")
    play.tsumogiri_until_left(4)
    assert (play.table.turn, play.offered(1)) == (1, {"riichi 1p"})
    play.tsumogiri()
    assert (play.table.turn, play.table.left) == (2, 3)
    assert play.refusal_of(2, DeclareRiichi(tile("9m"), True)) == (
        "wall_low",
        "riichi needs 4 tiles left in the wall",
    )


def test_riichi_tiles_left_is_a_switch() -> None:
    play = stage(("", PINFU), last="9m 1p", rules=RuleSet(riichi_tiles_left=0))
    play.tsumogiri_until_left(0)
    assert "riichi 1p" in play.offered(1)


@pytest.mark.parametrize(
    ("name", "least"),
    [("jpml-a", 1), ("jpml-2026", 1), ("saikouisen", 0), ("wrc-2025", 0), ("m-league", 1)],
)
def test_riichi_may_need_no_further_own_draw(name: str, least: int) -> None:
    play = stage((PINFU, PINFU_TOO), last="1p 9p", rules=PRESETS[name])
    play.tsumogiri_until_left(1)
    assert "riichi 1p" in play.offered(play.table.turn)
    play.tsumogiri()
    assert play.table.left == 0
    assert bool(play.offered(play.table.turn)) == (least == 0)


def test_a_furiten_hand_may_declare() -> None:
    play = stage((PINFU,), "5s 9m 9m 9m 1p")
    play.discard_in_turn("5s 9m 9m 9m")
    assert play.offered(0) == {"riichi 1p"}


def test_without_furiten_riichi_a_furiten_hand_may_not() -> None:
    play = stage((PINFU,), "5s 9m 9m 9m 1p", rules=RuleSet(furiten_riichi=False))
    play.discard_in_turn("5s 9m 9m 9m")
    assert play.offered(0) == set()


def test_nobody_declares_twice() -> None:
    play = declare_riichi("9m 9m 9m 9p")
    play.discard_in_turn("9m 9m 9m")
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareRiichi(tile("9p"), True))[0] == "in_riichi"


# In riichi


def test_in_riichi_only_the_drawn_tile_is_discarded() -> None:
    play = declare_riichi("9m 9m 9m 9p")
    play.discard_in_turn("9m 9m 9m")
    assert play.discardable(0) == {"9p"}
    assert play.refusal_of(0, Discard(tile("2m"), False)) == (
        "in_riichi",
        "in riichi only the drawn tile may be discarded",
    )


def test_in_riichi_no_tile_is_called() -> None:
    play = declare_riichi("9m 9m 9s")
    play.discard_in_turn("9m 9m")
    play.discard(3, "9s")
    assert play.offered(0) == set()
    play = declare_riichi("9m 9m 5m")
    play.discard_in_turn("9m 9m")
    play.discard(3, "5m")
    assert play.offered(0) == set()


# The stick


def test_riichi_stick_is_paid_unless_the_tile_is_ronned() -> None:
    play = stage((PINFU,), "1p 9m")
    play.riichi(0, "1p")
    assert play.hand(0).riichi == Riichi.DECLARED
    assert play.table.scores[0] == 25_000
    play.proceed()
    assert play.hand(0).riichi == Riichi.ACCEPTED
    assert (play.table.scores[0], play.table.kyotaku) == (24_000, 1)


def test_the_declaration_tile_lies_sideways() -> None:
    play = declare_riichi()
    assert play.hand(0).river[-1] & RIVER_RIICHI


def test_ron_on_the_declaration_tile_returns_the_stick() -> None:
    play = stage((PINFU, "345m123789p23s22p"), "1s")
    play.riichi(0, "1s")
    play.ron(1)
    assert play.events_of(RiichiAccepted) == []
    assert play.win.deltas == (-1_000, 1_000, 0, 0)
    assert play.table.scores == (24_000, 26_000, 25_000, 25_000)
    assert play.table.kyotaku == 0


def test_a_declarer_ronned_by_two_keeps_the_stick() -> None:
    play = stage(("234567m345p67s99s", "345m123789p23s22p", "678m345p456p23s33m"), "1s", honba=0)
    play.riichi(0, "1s")
    play.ron(1, 2)
    assert play.events_of(RiichiAccepted) == []
    assert play.table.scores == (23_000, 26_000, 26_000, 25_000)


def test_called_declaration_tile_ends_ippatsu_only() -> None:
    play = stage((PINFU, "", "11p47m258s69pESWN"), "1p 9m")
    play.riichi(0, "1p")
    play.pon(2, "11p")
    assert play.hand(0).riichi == Riichi.ACCEPTED
    assert (play.table.scores[0], play.table.kyotaku) == (24_000, 1)
    assert not play.hand(0).ippatsu


def test_next_discard_lies_sideways_after_a_called_declaration_tile() -> None:
    play = stage((PINFU, "", "11p47m258s69pESWN"), "1p 9m 9p 9m 1m")
    play.riichi(0, "1p")
    play.pon(2, "11p")
    play.discard(2, "E")
    play.discard_in_turn("9m 9p")
    river = play.hand(0).river
    assert [bool(entry & RIVER_RIICHI) for entry in river] == [True, True]
    assert [bool(entry & RIVER_TAKEN) for entry in river] == [True, False]


def test_the_winner_takes_all_sticks_on_the_table() -> None:
    play = stage((PINFU,), "9m 9m 9m 9p 1p 9p 1s 1s 1s 8s", kyotaku=2, ura="E")
    play.discard_in_turn("9m 9m 9m 9p")
    play.riichi(0, "1p")
    play.discard_in_turn("9p 1s 1s 1s")
    play.discard(1, "8s")
    play.ron(0)
    assert play.yaku == {"riichi", "pinfu"}
    assert play.win.deltas == (5_900, -2_900, 0, 0)
    assert play.table.scores == (29_900, 22_100, 25_000, 25_000)
    assert play.table.kyotaku == 0


# Closed kans in riichi


def in_riichi(hand: str, drawn: str) -> Play:
    """Stage seat 0 after a riichi with 9p, at the draw of that tile."""
    play = stage((hand,), f"9p 9p 9p F {drawn}")
    play.riichi(0, "9p")
    play.discard_in_turn("9p 9p F")
    return play


def test_kan_in_riichi_keeping_the_waits_is_offered() -> None:
    play = in_riichi("EEE567m345p67s99s", "E")
    assert play.offered(0) == {"ankan EEEE"}


def test_kan_in_riichi_needs_the_drawn_tile() -> None:
    play = in_riichi("111123m567p67s99s", "1p")
    assert play.offered(0) == set()
    assert play.refusal_of(0, DeclareAnkan((0, 0, 0, 0)))[0] == "in_riichi"
    play = in_riichi("111123m567p67s99s", "4m")
    assert play.offered(0) == set()


@pytest.mark.parametrize(
    ("hand", "drawn"),
    [
        ("33m67m234p333345s", "6s"),
        ("234m2223p234s789s", "2p"),
        ("2223456m345p678s", "2m"),
        ("3334m567p789s111s", "3m"),
    ],
)
def test_kan_in_riichi_changing_the_waits_is_not_offered(hand: str, drawn: str) -> None:
    play = in_riichi(hand, drawn)
    assert not any("ankan" in offer for offer in play.offered(0))
    if "tsumo" not in play.offered(0):
        four = (tile(drawn),) * 4
        assert play.refusal_of(0, DeclareAnkan(four)) == (
            "in_riichi",
            "in riichi a kan may not change the waits",
        )


@pytest.mark.parametrize("drawn", ["4p", "5p", "6p"])
def test_kan_of_three_like_triplets_may_keep_the_waits(drawn: str) -> None:
    rules = RuleSet(red_fives=(0, 0, 0))
    play = stage(("1234m444555666p",), f"9s 9s 9s F {drawn}", rules=rules)
    play.riichi(0, "9s")
    play.discard_in_turn("9s 9s F")
    assert play.offered(0) == {f"ankan {drawn[0] * 4}p"}


def test_without_kan_in_riichi_none_is_offered() -> None:
    play = stage(("EEE567m345p67s99s",), "9p 9p 9p F E", rules=RuleSet(riichi_ankan="never"))
    play.riichi(0, "9p")
    play.discard_in_turn("9p 9p F")
    assert play.offered(0) == set()


def test_no_open_kan_in_riichi() -> None:
    play = stage(("EEE567m345p67s99s",), "9p 9m 9m E")
    play.riichi(0, "9p")
    play.discard_in_turn("9m 9m")
    play.discard(3, "E")
    assert play.offered(0) == set()


def test_riichi_event_names_double_riichi() -> None:
    play = declare_riichi()
    (event,) = play.events_of(RiichiDeclared)
    assert (event.actor, event.double) == (0, True)
