"""The three kinds of furiten, and when each ends."""

from __future__ import annotations

import pytest

from game.engine.actions import Win
from game.engine.furiten import is_furiten
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import stage

PINFU = "234567m345p67s99s"
"""A hand that waits for 5s and 8s."""


def may_ron_after(draws: str, last: str, **staging: object) -> bool:
    """Return whether seat 0 may win on the `last` discard after the earlier ones."""
    play = stage((PINFU,), draws + last, **staging)  # type: ignore[arg-type]
    play.discard_in_turn(draws)
    play.discard(play.table.turn, last)
    return "ron" in play.offered(0)


# Own discards


def test_without_furiten_the_tile_can_be_ronned() -> None:
    assert may_ron_after("1p 9m 9m", "5s")
    assert may_ron_after("1p 9m 9m", "8s")


def test_an_own_discard_of_the_tile_forbids_ron() -> None:
    assert not may_ron_after("5s 9m 9m", "5s")


def test_an_own_discard_of_another_wait_forbids_ron() -> None:
    assert not may_ron_after("5s 9m 9m", "8s")


def test_a_red_five_in_the_river_counts_as_a_five() -> None:
    assert not may_ron_after("0s 9m 9m", "8s")


def test_own_discards_count_for_the_whole_hand() -> None:
    assert not may_ron_after("5s 9m 9m 9m 1p 1p 1p 9p 9p 9p 2p", "8s")


def test_an_own_discard_that_was_called_still_counts() -> None:
    play = stage((PINFU, "", "55s147p258m19pESW"), "5s 9m 1p 8s")
    play.discard(0, "5s")
    play.pon(2, "55s")
    play.discard(2, "E")
    play.discard_in_turn("9m 1p")
    play.discard(1, "8s")
    assert play.offered(0) == set()


def test_own_discard_outside_the_waits_causes_no_furiten() -> None:
    assert may_ron_after("6p 9m 9m", "8s")


def test_furiten_by_own_discards_ends_when_the_waits_change() -> None:
    play = stage((PINFU,), "5s 9m 9m 9m 7s")
    play.discard_in_turn("5s 9m 9m 9m")
    assert is_furiten(play.table, 0)
    play.discard(0, "6s")
    assert not is_furiten(play.table, 0)


def test_a_furiten_hand_may_win_by_self_draw() -> None:
    play = stage((PINFU,), "5s 9m 9m 9m 8s")
    play.discard_in_turn("5s 9m 9m 9m")
    assert "tsumo" in play.offered(0)
    play.tsumo(0)
    assert play.yaku == {"tsumo", "pinfu"}


# A missed win


def test_missed_win_forbids_ron_until_the_own_draw() -> None:
    assert not may_ron_after("1p 5s", "8s")
    assert not may_ron_after("1p 5s 9m", "5s")


def test_own_draw_ends_temporary_furiten() -> None:
    assert may_ron_after("1p 5s 9m 9m 2p", "8s")


def test_self_draw_after_a_missed_win_is_allowed() -> None:
    play = stage((PINFU,), "1p 5s 9m 9m 8s")
    play.discard_in_turn("1p 5s 9m 9m")
    play.tsumo(0)
    assert play.win.actor == 0


@pytest.mark.parametrize("preset_name", ["tenhou", "ema-2016"])
def test_own_call_ends_temporary_furiten(preset_name: str) -> None:
    """EMA 2016, 3.4.5: furiten lasts until the player draws or claims a tile."""
    play = stage(("234567m345p67sEE",), "1p 8s E 6s", rules=preset(preset_name))
    play.discard_in_turn("1p 8s")
    assert is_furiten(play.table, 0)
    play.discard(2, "E")
    play.pon(0, "EE")
    play.discard(0, "7s")
    play.proceed()
    assert play.table.turn == 1
    play.discard(1, "6s")
    assert play.offered(0) == {"ron"}


def test_another_players_call_keeps_temporary_furiten() -> None:
    play = stage((PINFU, "", "", "44m147p258s9pSWNP"), "1p 5s 4m 8s")
    play.discard_in_turn("1p 5s")
    play.discard(2, "4m")
    play.pon(3, "44m")
    play.discard(3, "8s")
    assert "ron" not in play.offered(0)


def test_another_players_call_may_end_temporary_furiten() -> None:
    rules = RuleSet(missed_ends="own_turn_or_any_call")
    play = stage((PINFU, "", "", "44m147p258s9pSWNP"), "1p 5s 4m", rules=rules)
    play.discard_in_turn("1p 5s")
    play.discard(2, "4m")
    play.pon(3, "44m")
    play.discard(3, "8s")
    assert "ron" in play.offered(0)


def test_call_instead_of_ron_ends_temporary_furiten() -> None:
    play = stage(("", "", "234567m345s88p22s"), "8p")
    play.discard(0, "8p")
    assert play.offered(2) == {"ron", "pon 88p"}
    play.pon(2, "88p")
    assert not play.hand(2).missed


def test_passed_wait_without_yaku_counts_as_missed_win() -> None:
    hand = "35m567p789p456s11s"
    play = stage((hand,), "9m 4m 9m", dora="N")
    play.discard(0, "9m")
    play.discard(1, "4m")
    assert play.offered(0) == set()
    assert play.hand(0).missed


def test_passed_wait_without_yaku_may_not_count() -> None:
    rules = RuleSet(missed_without_yaku=False)
    play = stage(("35m567p789p456s11s",), "9m 4m", rules=rules)
    play.discard(0, "9m")
    play.discard(1, "4m")
    assert not play.hand(0).missed


def test_passed_wait_without_yaku_forbids_houtei() -> None:
    play = stage(("", "", "35m567p789p456s11s", "44m147p258s69pESW"), last="4m 4m")
    play.tsumogiri_until_left(1)
    play.discard(0, "4m")
    assert play.offered(2) == set()
    play.proceed()
    play.discard(1, "4m")
    assert play.offered(2) == set()


def test_passed_chankan_counts_as_missed_win() -> None:
    play = stage(("24m567p789p456s11s", "", "33m147p258s69pENW"), "9s 3m 9m 1p 9s 3m")
    play.discard(0, "9s")
    play.discard(1, "3m")
    play.pon(2, "33m")
    play.discard(2, "N")
    play.discard_in_turn("9m 1p 9s")
    assert not play.hand(0).missed
    play.kakan(2, "3m")
    assert play.offered(0) == {"ron"}
    play.let_pass(0)
    assert is_furiten(play.table, 0)
    play.proceed()
    play.tsumogiri(2)
    assert play.table.turn == 0
    assert not is_furiten(play.table, 0)


def test_ron_stays_possible_when_another_player_passes() -> None:
    play = stage(("", PINFU, "", "345m123789p67s22p"), "8s")
    play.discard(0, "8s")
    play.let_pass(3)
    assert "ron" in play.offered(1)
    play.ron(1)
    assert play.win.actor == 1


def test_declared_ron_is_no_missed_win() -> None:
    play = stage(("", PINFU, "", "345m123789p67s22p"), "8s")
    play.discard(0, "8s")
    play.act(1, Win())
    assert not is_furiten(play.table, 1)
    play.let_pass(3)
    assert play.ended_by == "won"
    assert not is_furiten(play.table, 1)
    assert is_furiten(play.table, 3)


# In riichi


def test_missed_win_in_riichi_forbids_ron_for_the_hand() -> None:
    play = stage((PINFU,), "1p 5s 9m 9m 9p 1m 1m 1m 1p 8s")
    play.riichi(0, "1p")
    play.discard_in_turn("5s 9m 9m 9p 1m 1m 1m 1p")
    play.discard(1, "8s")
    assert play.offered(0) == set()


def test_in_riichi_a_self_draw_is_still_allowed() -> None:
    play = stage((PINFU,), "1p 5s 9m 9m 9p 1m 1m 1m 8s")
    play.riichi(0, "1p")
    play.discard_in_turn("5s 9m 9m 9p 1m 1m 1m")
    assert "tsumo" in play.offered(0)


def test_in_riichi_an_own_discarded_wait_forbids_ron() -> None:
    play = stage((PINFU,), "1p 9m 9m 9m 5s 8s")
    play.riichi(0, "1p")
    play.discard_in_turn("9m 9m 9m")
    assert "tsumo" in play.offered(0)
    play.discard(0, "5s")
    play.proceed()
    play.discard(1, "8s")
    assert play.offered(0) == set()


def test_missed_win_before_riichi_ends_with_the_own_draw() -> None:
    play = stage((PINFU,), "1p 5s 9m 9m 2p 8s")
    play.discard_in_turn("1p 5s 9m 9m")
    play.riichi(0, "2p")
    play.proceed()
    play.discard(1, "8s")
    assert play.offered(0) == {"ron"}


# The tile added to the own pon


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (preset("tenhou"), False),
        (preset("wrc-2025"), False),
        (preset("ema-2016"), True),
        (preset("ema-2016", 2), False),
        (preset("ema-2025"), False),
    ],
    ids=lambda value: f"{value.name} {value.version}" if isinstance(value, RuleSet) else "",
)
def test_tile_of_an_added_kan_may_count_as_a_discard(rules: RuleSet, counts: bool) -> None:
    """Seat 2 with 23m, which waits for 1m and 4m, adds the fourth 4m to its own pon."""
    play = stage(("", "", "2344m456p45699sN"), "4m 9s 9s 9p 4m", rinshan="1p", rules=rules)
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9s 9s 9p")
    play.kakan(2, "4m")
    play.discard(2, "1p")
    play.proceed()
    assert is_furiten(play.table, 2) == counts


def test_refused_ron_of_a_furiten_player_names_furiten() -> None:
    play = stage(("", "234567m345p6788s"), "9p 8s 9m 9m 9p 9p 9m 1m 8s")
    play.discard(0, "9p")
    play.discard(1, "8s")
    play.proceed()
    assert play.table.phase == Phase.TURN
    play.discard_in_turn("9m 9m 9p 9p 9m 1m")
    assert play.drawn == "8s"
    play.discard(0, "8s")
    assert play.offered(1) >= {"pon 88s"}
    assert play.refusal_of(1, Win())[0] == "furiten"
