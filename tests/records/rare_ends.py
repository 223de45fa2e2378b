"""Staged hands with rare results."""

from __future__ import annotations

from collections.abc import Callable

from game.engine.events import HandStarted
from tests.kit.play import Play, stage, stage_added_kan
from tests.records.own_games import Hands

FIRST = "234567m345p67s99s"
SECOND = "234678m456p67s11s"
THIRD = "345m123789p67s22p"
"""Three hands that wait for 5s and 8s with pinfu."""


def kyushu() -> Play:
    play = stage(("19m19p19sESW2345m",), "5p", honba=2, kyotaku=1)
    play.kyushu(0)
    return play


def four_winds() -> Play:
    play = stage(("147m258p369sESWN",), "1p E E E")
    play.discard_in_turn("EEEE")
    return play


def four_riichi() -> Play:
    play = stage((FIRST, SECOND, THIRD, "EEESSSWWW78m99p"), "F C P N", kyotaku=1, honba=1)
    for seat, thrown in enumerate("FCPN"):
        play.riichi(seat, thrown)
    play.proceed()
    return play


def _three_wait() -> Play:
    play = stage(("", FIRST, SECOND, THIRD), "8s", honba=2, kyotaku=1)
    play.discard(0, "8s")
    return play


def three_rons() -> Play:
    play = _three_wait()
    play.ron(1, 2, 3)
    return play


def two_rons_of_three() -> Play:
    play = _three_wait()
    play.ron(3, 2)
    return play


def robbed_kan() -> Play:
    hands = ("35m456p789p456s11s", "", "44m147p258sESWNP")
    play = stage_added_kan(hands)
    play.ron(0)
    return play


def _three_dragons(draws: str) -> Play:
    """Stage a hand in which seat 1 has called three dragons, the last from seat 2."""
    play = stage(("", "PPFFCC11m45p159s"), f"P F C {draws}", honba=2)
    for discarder, dragon, thrown in ((0, "P", "1s"), (2, "F", "5s"), (2, "C", "9s")):
        play.discard(discarder, dragon)
        play.pon(1, dragon * 2)
        play.discard(1, thrown)
        play.proceed()
    return play


def liable_for_a_self_draw() -> Play:
    play = _three_dragons("9m 9m 1m 6p")
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    return play


def liable_for_half() -> Play:
    play = _three_dragons("9m 6p")
    play.discard_in_turn("9m")
    play.discard(3, "6p")
    play.ron(1)
    return play


ENDS: dict[Callable[[], Play], tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    kyushu: ("kyushu_kyuhai", (), (0, 0, 0, 0)),
    four_winds: ("sufon_renda", (), (0, 0, 0, 0)),
    four_riichi: ("sucha_riichi", (), (0, 0, 0, 0)),
    three_rons: ("sanchaho", (), (0, 0, 0, 0)),
    two_rons_of_three: ("ron", (2, 3), (-2_600, 0, 2_600, 1_000)),
    robbed_kan: ("ron", (0,), (2_000, 0, -2_000, 0)),
    liable_for_a_self_draw: ("tsumo", (1,), (0, 32_600, -32_600, 0)),
    liable_for_half: ("ron", (1,), (0, 32_600, -16_600, -16_000)),
}


def hands_of(play: Play) -> Hands:
    start = next(at for at, event in enumerate(play.events) if isinstance(event, HandStarted))
    return [play.events[start:]]
