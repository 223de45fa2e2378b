"""Points are valued by the final places that they lead to, and the strongest bot plays for
places."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bench.bots.games import play_game
from game.analysis.placement import Position, Stakes, hands_left, stakes_of
from game.bots import bot_named
from game.engine.actions import DeclareRiichi, Discard
from game.engine.by_seat import BySeat
from game.engine.presets import preset
from game.engine.progress import last_regular_kyoku
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Table
from tests.bots.staging import answer, discarded_tile, on_turn, other

LAST = 7
"""The number of South 4, in which seat 3 is the dealer."""
EVEN: BySeat[int] = (25_000, 25_000, 25_000, 25_000)
NARROW_LEAD: BySeat[int] = (33_000, 30_000, 20_000, 17_000)
THIRD: BySeat[int] = (18_000, 40_000, 26_000, 16_000)
FOURTH: BySeat[int] = (13_000, 40_000, 26_000, 21_000)
RIICHI = {2: other("9m E 1p 8p 7s 2s", riichi=True)}


def stakes(scores: BySeat[int], kyoku: int = LAST, seat: int = 0, **rules: Any) -> Stakes:
    return stakes_of(Table(rules=replace(TENHOU, **rules), scores=scores, kyoku=kyoku), seat)


def test_worth_does_not_depend_on_what_was_asked_before() -> None:
    fresh = Stakes(Position(TENHOU, (25_000, 31_000, 24_000, 20_000), LAST, 0, 0, 0))
    used = Stakes(Position(TENHOU, (25_000, 31_000, 24_000, 20_000), LAST, 0, 0, 0))
    used.win(8_200)
    used.deal_in(8_200, 1)
    assert used.win(7_800) == fresh.win(7_800)
    assert used.deal_in(7_800, 1) == fresh.deal_in(7_800, 1)


def test_early_in_an_even_game_value_is_close_to_points() -> None:
    even = stakes(EVEN, kyoku=0)
    for points in (2_000, 3_900, 8_000):
        assert 0.6 * points < even.win(points) < 1.5 * points
        assert 0.6 * points < even.deal_in(points, 2) < 1.5 * points


@pytest.mark.parametrize(
    ("rules", "kyoku", "deals"),
    [
        (TENHOU, 0, 8),
        (TENHOU, LAST, 1),
        (TENHOU, LAST + 1, 1),
        (preset("tenhou-3"), 0, 6),
        (preset("tenhou-3"), 2, 4),
        (preset("tenhou-3"), 4, 3),
    ],
)
def test_hands_left_grow_with_the_deals_that_the_players_have(
    rules: RuleSet, kyoku: int, deals: int
) -> None:
    scores = (rules.goal_points,) * rules.players
    one = hands_left(rules, scores, last_regular_kyoku(rules))
    assert hands_left(rules, scores, kyoku) == pytest.approx(deals * one)


def test_last_hand_win_without_a_new_place_is_worth_little() -> None:
    fourth = stakes(FOURTH)
    assert fourth.win(12_000) > 8 * max(100, fourth.win(2_000))


def test_narrow_leader_loses_more_by_dealing_in_than_winning_gives() -> None:
    leader = stakes(NARROW_LEAD)
    assert leader.deal_in(5_700, 1) > 2 * leader.win(5_700)


def test_dealing_in_to_second_place_costs_more_than_to_last() -> None:
    leader = stakes((36_000, 28_000, 22_000, 14_000))
    assert leader.deal_in(3_900, 1) > leader.deal_in(3_900, 3)


def test_oka_makes_the_first_place_worth_more() -> None:
    scores = (26_000, 33_000, 22_000, 19_000)
    with_oka, without = stakes(scores, oka=20_000), stakes(scores, oka=0)
    assert with_oka.win(8_000) / with_oka.win(1_000) > without.win(8_000) / without.win(1_000)


def test_an_extra_round_leaves_the_places_open() -> None:
    scores = (24_000, 25_000, 27_000, 24_000)
    assert stakes(scores, extra_round=False).win(1_000) > 1.5 * stakes(scores).win(1_000)


def test_agari_yame_makes_a_small_win_worth_more() -> None:
    scores = (31_000, 20_000, 19_000, 30_000)
    stops = stakes(scores, seat=3, agari_yame=True)
    plays_on = stakes(scores, seat=3, agari_yame=False)
    assert stops.win(1_000) > 1.4 * plays_on.win(1_000)


def test_a_tie_is_worth_the_place_that_the_rules_give() -> None:
    # Seat 0 gets 3,000 for tenpai and is level with seat 1; it is nearer to the first dealer.
    scores = (27_000, 31_000, 22_000, 20_000)
    alone = (True, False, False, False)
    first = stakes(scores, ties="first_dealer_order").draw(alone)
    assert first > 1.5 * stakes(scores, ties="share").draw(alone) > 0


def test_tenpai_payment_that_changes_a_place_is_worth_more() -> None:
    def worth_of_tenpai(scores: BySeat[int]) -> float:
        found = stakes(scores)
        nobody = (False, False, False, False)
        return found.draw((True, False, False, False)) - found.draw(nobody)

    assert worth_of_tenpai((28_000, 31_000, 22_000, 19_000)) > 2_000
    assert worth_of_tenpai((20_000, 45_000, 30_000, 5_000)) < 1_500


@pytest.mark.parametrize(
    ("scores", "kyoku", "is_declared"),
    [(EVEN, 0, True), (THIRD, LAST, True), (NARROW_LEAD, LAST, False)],
)
def test_leader_with_a_yaku_declares_no_riichi_in_last_hand(
    scores: BySeat[int], kyoku: int, is_declared: bool
) -> None:
    choice = answer(on_turn("123m456p34s99s678p", "N", scores=scores, kyoku=kyoku))
    assert discarded_tile(choice) == "N"
    assert isinstance(choice, DeclareRiichi if is_declared else Discard)


def test_big_hand_with_a_yaku_declares_no_riichi_against_riichi() -> None:
    # Tanyao with four dora and a red five: riichi adds little and forbids folding.
    choice = answer(on_turn("234m067p34s88s666p", "1m", dora="5p", others=RIICHI))
    assert discarded_tile(choice) == "1m"
    assert isinstance(choice, Discard)


@pytest.mark.parametrize(
    ("scores", "discard"), [(EVEN, "1m"), (THIRD, "1m"), (FOURTH, "1m"), (NARROW_LEAD, "8p")]
)
def test_the_leader_folds_a_hand_that_others_push(scores: BySeat[int], discard: str) -> None:
    # 1-shanten against a riichi. 8p is safe and breaks the hand.
    table = on_turn("234m457p346s88s58p", "1m", scores=scores, kyoku=LAST, left=34, others=RIICHI)
    assert discarded_tile(answer(table)) == discard


def test_last_place_prefers_value_to_a_cheap_win() -> None:
    # A kanchan wait without dora: a win for 1,300 leaves seat 0 fourth.
    table = on_turn("123m46p345s99s678p", "N", scores=FOURTH, kyoku=LAST)
    assert isinstance(answer(table), Discard)


@pytest.mark.parametrize("name", ["ema-2016", "jpml-a", "classic"])
def test_strong_bots_finish_a_game_by_other_rules(name: str) -> None:
    choose = bot_named("sensible").choose
    game = play_game(3, [choose] * 4, replace(preset(name), length="east"))
    assert sorted(place for place, _ in game.table.placement)[0] == 1
