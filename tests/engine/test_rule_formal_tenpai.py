"""Waiting for a fifth tile: whether a hand that holds all four of its wait is tenpai."""

from __future__ import annotations

import pytest

from game.engine.formal import is_one_tile_short
from game.engine.rules import RuleSet
from tests.kit.play import Play, staged
from tests.kit.tables import tiles

HOLDS_ALL_FOUR = "1111m234p567p789s"
"""Waits only for 1m: a pair with the fourth next to a triplet."""


def staged_with(own_four_is_noten: bool) -> Play:
    rules = RuleSet(own_four_is_noten=own_four_is_noten, red_fives=(0, 0, 0))
    return staged((HOLDS_ALL_FOUR,), "P", rules=rules)


@pytest.mark.parametrize("own_four_is_noten", [True, False])
def test_own_four_is_noten(own_four_is_noten: bool) -> None:
    draw = staged_with(own_four_is_noten).draws_out()
    assert draw.tenpais == (not own_four_is_noten, False, False, False)
    assert draw.deltas == ((0, 0, 0, 0) if own_four_is_noten else (3_000, -1_000, -1_000, -1_000))


def test_riichi_may_be_declared_on_what_counts_as_tenpai() -> None:
    assert "riichi P" in staged_with(own_four_is_noten=False).offers(0)
    assert "riichi P" not in staged_with(own_four_is_noten=True).offers(0)


def test_whoever_waits_for_no_tile_at_all_is_never_tenpai() -> None:
    rules = RuleSet(own_four_is_noten=False)
    assert staged(("147m258p369sESWN",), rules=rules).draws_out().tenpais == (False,) * 4


@pytest.mark.parametrize(
    ("held", "is_short"),
    [
        (HOLDS_ALL_FOUR, True),
        ("1111222233334m", True),
        ("1111m2222m333p44p", True),
        ("E", True),
        ("EEEE", True),
        ("EEEES23m", False),
        ("147m258p369sESWN", False),
        ("19m19p19sESWNPFC", False),
    ],
)
def test_a_hand_is_one_tile_short_of_sets_and_a_pair(held: str, is_short: bool) -> None:
    assert is_one_tile_short(tuple(sorted(tiles(held)))) == is_short
