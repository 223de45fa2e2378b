"""Each part of the fu of a hand names its tile, and the parts add up to the fu."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.rules import RuleSet
from game.engine.state import Meld, MeldType
from game.engine.tiles import NO_TILE, tile_to_text
from game.engine.value import WinContext, value_of
from tests.engine.scoring_rows import read_rows
from tests.kit.tables import tile, tiles

EAST, SOUTH = 27, 28


def laid(meld_type: MeldType, text: str) -> Meld:
    row = tiles(text)
    is_closed = meld_type == MeldType.ANKAN
    return Meld(meld_type, row, NO_TILE if is_closed else row[0], 0 if is_closed else 1)


def parts(hand: str, win: str, *melds: Meld, **how: Any) -> list[str]:
    """Return the parts of the fu of South's win in an East round, each as ``id fu tile``."""
    defaults = {"is_tsumo": False, "seat_wind": SOUTH, "round_wind": EAST, "riichi": not melds}
    context = WinContext(
        **{"rules": RuleSet(), **defaults, **how},
        tiles=tiles(hand),
        melds=melds,
        winning_tile=tile(win),
    )
    value = value_of(context)
    assert value is not None
    return [
        f"{name} {fu}" if about == NO_TILE else f"{name} {fu} {tile_to_text(about)}"
        for name, fu, about in value.fu_parts
    ]


@pytest.mark.parametrize(
    ("hand", "win", "expected"),
    [
        ("234m567m234p67s88s", "8s", ["base 20", "closed_ron 10"]),
        ("234m567m234p68s88s", "7s", ["base 20", "closed_ron 10", "kanchan 2 7s"]),
        ("234m567m234p12s88s", "3s", ["base 20", "closed_ron 10", "penchan 2 3s"]),
        ("234m567m234p678s9s", "9s", ["base 20", "closed_ron 10", "tanki 2 9s"]),
        ("234m567m234p67sSS", "8s", ["base 20", "closed_ron 10", "pair 2 S"]),
        ("2233m5566m7788p9s", "9s", ["seven_pairs 25"]),
        ("111m567m234p99sCC", "C", ["base 20", "closed_ron 10", "closed_triplet 8 1m"]),
    ],
)
def test_each_part_has_its_name_and_its_tile(hand: str, win: str, expected: list[str]) -> None:
    found = parts(hand, win)
    assert found[: len(expected)] == expected


def test_a_triplet_that_ron_completes_counts_as_open() -> None:
    found = parts("111m567m234p99sCC", "C")
    assert found[-1] == "open_triplet 4 C"


def test_double_wind_pair_has_the_fu_of_the_rules() -> None:
    hand = ("234m567m234p67sEE", "8s")
    assert parts(*hand, seat_wind=EAST)[-1] == "double_pair 4 E"
    two = RuleSet(double_wind_fu=2)
    assert parts(*hand, seat_wind=EAST, rules=two)[-1] == "pair 2 E"


def test_melds_have_parts_by_kind_of_set() -> None:
    melds = [
        laid(MeldType.PON, "CCC"),
        laid(MeldType.ANKAN, "9999s"),
        laid(MeldType.KAKAN, "2222p"),
    ]
    found = parts("34m66m", "5m", *melds, is_tsumo=True)
    assert found == ["base 20", "open_kan 8 2p", "closed_kan 32 9s", "open_triplet 4 C", "tsumo 2"]


def test_an_open_hand_without_fu_counts_two() -> None:
    found = parts("234m567p67s88s", "8s", laid(MeldType.CHI, "234p"))
    assert found == ["base 20", "open_pinfu 2"]


def test_fu_of_a_rinshan_tsumo_follow_the_rules() -> None:
    hand = ("345m66m234p67s", "5s", laid(MeldType.ANKAN, "9999s"))
    assert parts(*hand, is_tsumo=True, rinshan=True)[-1] == "tsumo 2"
    without = RuleSet(rinshan_tsumo_fu=False)
    assert "tsumo 2" not in parts(*hand, is_tsumo=True, rinshan=True, rules=without)


def test_a_yakuman_has_no_fu_parts() -> None:
    assert parts("111m222m333p44s5s5s", "5s", is_tsumo=True) == []


def test_parts_sum_to_the_fu_of_every_row() -> None:
    counted = 0
    for row in read_rows():
        value = value_of(row.context)
        if value is None or value.yakuman:
            continue
        counted += 1
        total = sum(fu for _, fu, _ in value.fu_parts)
        rounded = 25 if total == 25 else (total + 9) // 10 * 10
        assert value.fu == rounded, row.id
    assert counted > 50
