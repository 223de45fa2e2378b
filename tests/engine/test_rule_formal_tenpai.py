"""`own_four_is_noten`: whether a hand that holds all four tiles of its wait is tenpai."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec.structs import replace

from game.engine.formal import are_tiles_tenpai
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from tests.kit.play import Play, stage
from tests.kit.tables import tiles

HOLDS_ALL_FOUR = "1111m234p567p789s"
"""A hand that waits only for 1m, of which it has all four copies."""
LONE_5P = "123456m555p789sE"
"""After a pon of 5p and the discard of E, this hand waits only for 5p. It has all four copies: one
concealed and three in the pon."""
CLOSED_KAN = "12333m456p789sPP"
"""After a closed kan of 3m this hand waits only for 3m."""
OwnFour = Literal["off", "concealed", "all"]
VALUES: tuple[OwnFour, ...] = ("off", "concealed", "all")


def rules_with(own_four_is_noten: OwnFour) -> RuleSet:
    return RuleSet(own_four_is_noten=own_four_is_noten, red_fives=(0, 0, 0))


def stage_with(own_four_is_noten: OwnFour) -> Play:
    return stage((HOLDS_ALL_FOUR,), "P", rules=rules_with(own_four_is_noten))


def with_lone_5p(rules: RuleSet) -> Play:
    """Stage a hand in which South has called pon of 5p and waits for 5p, of which it also holds the
    fourth copy."""
    play = stage(("", LONE_5P), "5p", rules=rules)
    play.discard(0, "5p")
    play.pon(1, "55p")
    play.proceed()
    play.discard(1, "E")
    return play


def with_closed_kan(rules: RuleSet) -> Play:
    """Stage East with a closed kan of 3m beside 12m, after the draw of a replacement tile."""
    play = stage((CLOSED_KAN,), "3m", rinshan="W", rules=rules)
    play.ankan(0, "3333m")
    return play


@pytest.mark.parametrize("own_four_is_noten", VALUES)
def test_own_four_is_noten(own_four_is_noten: OwnFour) -> None:
    draw = stage_with(own_four_is_noten).play_to_exhaustive_draw()
    is_tenpai = own_four_is_noten == "off"
    assert draw.tenpais == (is_tenpai, False, False, False)
    assert draw.deltas == ((3_000, -1_000, -1_000, -1_000) if is_tenpai else (0, 0, 0, 0))


@pytest.mark.parametrize("own_four_is_noten", VALUES)
def test_tiles_in_own_melds_count_only_under_all(own_four_is_noten: OwnFour) -> None:
    draw = with_lone_5p(rules_with(own_four_is_noten)).play_to_exhaustive_draw()
    is_tenpai = own_four_is_noten != "all"
    assert draw.tenpais == (False, is_tenpai, False, False)
    assert draw.deltas == ((-1_000, 3_000, -1_000, -1_000) if is_tenpai else (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tenhou", "concealed"),
        ("mahjong-soul", "concealed"),
        ("m-league", "all"),
        ("ema-2012", "all"),
        ("ema-2016", "all"),
        ("ema-2025", "all"),
        ("wrc-2025", "all"),
        ("jpml-a", "all"),
        ("jpml-2026", "all"),
        ("saikouisen", "all"),
        ("classic", "all"),
    ],
)
def test_switch_in_the_presets(name: str, value: str) -> None:
    rules = PRESETS[name]
    assert rules.own_four_is_noten == value
    draw = with_lone_5p(replace(rules, red_fives=(0, 0, 0))).play_to_exhaustive_draw()
    assert draw.tenpais[1] == (value == "concealed")
    assert not stage((HOLDS_ALL_FOUR,), "P", rules=rules).play_to_exhaustive_draw().tenpais[0]


@pytest.mark.parametrize(("own_four_is_noten", "next_kyoku"), [("concealed", 0), ("all", 1)])
def test_own_four_is_noten_decides_whether_the_dealer_stays(
    own_four_is_noten: OwnFour, next_kyoku: int
) -> None:
    play = with_closed_kan(rules_with(own_four_is_noten))
    play.play_to_exhaustive_draw()
    play.deal_next()
    assert play.table.kyoku == next_kyoku


@pytest.mark.parametrize("own_four_is_noten", VALUES)
def test_own_four_is_noten_decides_riichi(own_four_is_noten: OwnFour) -> None:
    offered = stage_with(own_four_is_noten).offered(0)
    assert ("riichi P" in offered) == (own_four_is_noten == "off")
    beside_a_kan = with_closed_kan(rules_with(own_four_is_noten))
    assert ("riichi W" in beside_a_kan.offered(0)) == (own_four_is_noten != "all")


def test_kan_in_riichi_may_keep_a_wait_on_own_tiles() -> None:
    rules = rules_with("concealed")
    play = stage(("12333m777pEEEPP",), "3m8s2s5s7p", rinshan="W", rules=rules)
    play.ankan(0, "3333m")
    play.riichi(0, "W")
    play.discard_in_turn("8s2s5s")
    assert play.offered(0) == {"ankan 7777p"}


def test_riichi_on_own_tiles_is_shown_as_tenpai() -> None:
    rules = replace(
        rules_with("concealed"), false_declarations=True, chombo="reverse_mangan", sucha_riichi=True
    )
    play = with_closed_kan(rules)
    play.riichi(0, "W")
    assert play.play_to_exhaustive_draw().reason == "exhaustive"
    assert play.draw_result.tenpais == (True, False, False, False)
    play = with_closed_kan(replace(rules, own_four_is_noten="all"))
    play.riichi(0, "W")
    assert play.play_to_exhaustive_draw().foul == "noten_riichi"


@pytest.mark.parametrize(
    ("own_four_is_noten", "reason"), [("concealed", "sucha_riichi"), ("all", "chombo")]
)
def test_own_four_is_noten_decides_the_end_by_four_riichi(
    own_four_is_noten: OwnFour, reason: str
) -> None:
    """All four hands are laid open; East waits for 3m beside its own closed kan of 3m."""
    rules = replace(rules_with(own_four_is_noten), false_declarations=True, chombo="reverse_mangan")
    others = ("67m99p123p123456s", "78m11p234p234567s", "45m22p678p123678s")
    play = stage((CLOSED_KAN, *others), "3mESN", rinshan="W", rules=rules)
    play.ankan(0, "3333m")
    for seat, tile in enumerate("WESN"):
        play.riichi(seat, tile)
    play.proceed()
    assert play.ended_by == reason
    assert all(play.draw_result.tehais)
    assert play.draw_result.offenders == (() if reason == "sucha_riichi" else (0,))


def test_hand_without_any_wait_is_never_tenpai() -> None:
    rules = rules_with("off")
    assert (
        stage(("147m258p369sESWN",), rules=rules).play_to_exhaustive_draw().tenpais == (False,) * 4
    )


@pytest.mark.parametrize(
    ("held", "is_tenpai"),
    [
        (HOLDS_ALL_FOUR, True),
        ("1111222233334m", True),
        ("1111m2222m333p44p", True),
        ("E", True),
        ("EEEE", True),
        ("EEEES23m", False),
        ("147m258p369sESWN", False),
        ("19m19p19sESWNPFC", True),
    ],
)
def test_fifth_tile_counts_as_a_wait_under_off(held: str, is_tenpai: bool) -> None:
    assert are_tiles_tenpai(rules_with("off"), tuple(sorted(tiles(held))), ()) == is_tenpai
