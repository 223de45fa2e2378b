"""The counted deal-in rates: their classes, and how a rate is chosen."""

from __future__ import annotations

import pytest

from game.analysis.deal_in_rates import (
    COUNTS_BY_CLASS,
    DISCARDS,
    danger_class_of,
    deal_in_rate,
    genbutsu_mask,
)
from game.engine.state import RIVER_RIICHI, RIVER_TILE, Riichi, Table
from game.engine.tiles import kind_of, mask_of, tile_from_text
from tests.reviews.games import bot_game, tables_before_discards


def test_counts_add_up_to_their_stated_number() -> None:
    assert sum(discards for row in COUNTS_BY_CLASS.values() for discards, _ in row) == DISCARDS


def test_no_discard_of_genbutsu_dealt_in() -> None:
    assert all(deal_ins == 0 for _, deal_ins in COUNTS_BY_CLASS["genbutsu"])


@pytest.mark.parametrize(
    ("tile", "safe", "seen", "name"),
    [
        ("1m", "", 0, "1/9 no suji"),
        ("1m", "4m", 0, "1/9 suji"),
        ("9p", "6p", 0, "1/9 suji"),
        ("9p", "6s", 0, "1/9 no suji"),
        ("2s", "5s", 0, "2/8 suji"),
        ("8s", "", 0, "2/8 no suji"),
        ("3m", "6m", 0, "3/7 suji"),
        ("7m", "", 3, "3/7 no suji"),
        ("4m", "1m", 0, "4/5/6 half suji"),
        ("5p", "2p 8p", 0, "4/5/6 both suji"),
        ("6p", "", 0, "4/5/6 no suji"),
        ("5mr", "5m", 0, "genbutsu"),
        ("E", "", 0, "honour, 0 seen"),
        ("C", "", 1, "honour, 1 seen"),
        ("P", "", 2, "honour, 2+ seen"),
        ("P", "", 3, "honour, 2+ seen"),
        ("P", "P", 3, "genbutsu"),
    ],
)
def test_discards_are_classed_by_suji_and_visible_copies(
    tile: str, safe: str, seen: int, name: str
) -> None:
    mask = mask_of(map(tile_from_text, safe.split()))
    assert danger_class_of(kind_of(tile_from_text(tile)), mask, seen, 4) == name


@pytest.mark.parametrize(
    ("turn", "column"), [(1, 0), (6, 0), (7, 1), (9, 1), (10, 2), (12, 2), (13, 3), (20, 3)]
)
def test_rates_are_chosen_by_the_turn_of_the_discarder(turn: int, column: int) -> None:
    rate = deal_in_rate("4/5/6 no suji", turn, 4)
    discards, deal_ins = COUNTS_BY_CLASS["4/5/6 no suji"][column]
    assert (rate.share, rate.cases) == (deal_ins / discards, discards)


def test_genbutsu_are_own_river_and_tiles_passed_since_the_riichi() -> None:
    seen = 0
    passed: dict[int, int] = {}
    last: Table | None = None
    for table in tables_before_discards(bot_game(11)):
        if last is None or table.kyoku != last.kyoku or table.honba != last.honba:
            passed = {}
        for seat, hand in enumerate(table.hands):
            if hand.riichi != Riichi.ACCEPTED:
                continue
            river = [entry & RIVER_TILE for entry in hand.river]
            assert any(entry & RIVER_RIICHI for entry in hand.river)
            known = genbutsu_mask(table, seat)
            assert known & mask_of(river) == mask_of(river)
            # A tile that has once passed stays genbutsu for the rest of the hand.
            assert known & passed.get(seat, 0) == passed.get(seat, 0)
            passed[seat] = known
            seen += 1
        last = table
    assert seen > 20
