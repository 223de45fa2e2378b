"""From hand to hand: who deals next, honba, rounds, and when and how the game ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from game.bots import BOTS
from game.engine.actions import Confirm, StopGame
from game.engine.by_seat import BySeat
from game.engine.commands import Act, Proceed
from game.engine.decide import Rejected
from game.engine.events import HandStarted
from game.engine.legal import legal, pending_seats
from game.engine.perspective import view
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Phase
from tests.kit.play import Play, stage
from tests.kit.tables import text_of

READY = "234567m345p67s99s"
"""A hand that waits for 5s and 8s; 1000 points by ron, 1500 for the dealer."""
READY_TOO = "345m123789p67s22p"
"""A second such hand."""

Scores = BySeat[int]
EVEN: Scores = (25_000, 25_000, 25_000, 25_000)
SOUTH_4 = 7
WEST_1 = 8
WEST_4 = 11


def after_ron(
    *winners: int,
    loser: int,
    kyoku: int = 0,
    scores: Scores = EVEN,
    honba: int = 0,
    kyotaku: int = 0,
    rules: RuleSet | None = None,
) -> Play:
    """Return the game after these seats have won on 8s of the loser."""
    hands = ["", "", "", ""]
    for seat, hand in zip(winners, (READY, READY_TOO), strict=False):
        hands[seat] = hand
    play = stage(
        hands,
        "9m" * ((loser - kyoku) % 4) + "8s",
        kyoku=kyoku,
        scores=scores,
        honba=honba,
        kyotaku=kyotaku,
        rules=rules or RuleSet(),
    )
    play.discard_in_turn("9m" * ((loser - kyoku) % 4))
    play.discard(loser, "8s")
    play.ron(*winners)
    assert play.ended_by == "won"
    return play


def after_draw(
    *ready: int,
    kyoku: int = 0,
    scores: Scores = EVEN,
    honba: int = 0,
    kyotaku: int = 0,
    rules: RuleSet | None = None,
) -> Play:
    """Return the game after an exhaustive draw in which these seats are tenpai."""
    hands = ["", "", "", ""]
    for seat, hand in zip(ready, (READY, READY_TOO), strict=False):
        hands[seat] = hand
    play = stage(
        hands, kyoku=kyoku, scores=scores, honba=honba, kyotaku=kyotaku, rules=rules or RuleSet()
    )
    play.play_to_exhaustive_draw()
    assert play.ended_by == "exhaustive"
    return play


def next_hand(play: Play) -> tuple[int, int]:
    """Return the number of the next hand (0 is East 1) and its honba."""
    assert not play.is_over
    play.deal_next()
    return play.table.kyoku, play.table.honba


# Who deals next, and honba


def test_a_dealer_who_wins_stays_with_one_more_honba() -> None:
    assert next_hand(after_ron(1, loser=2, kyoku=1, honba=1)) == (1, 2)


def test_other_winner_moves_the_deal_and_clears_honba() -> None:
    play = after_ron(3, loser=0, kyoku=1, honba=4)
    assert next_hand(play) == (2, 0)
    assert play.table.dealer == 2


def test_a_dealer_among_several_winners_stays() -> None:
    assert next_hand(after_ron(2, 1, loser=0, kyoku=1, honba=1)) == (1, 2)


def test_several_winners_without_the_dealer_move_the_deal_on() -> None:
    assert next_hand(after_ron(2, 3, loser=0, kyoku=1, honba=1)) == (2, 0)


def test_a_tenpai_dealer_stays_after_a_draw() -> None:
    assert next_hand(after_draw(1, kyoku=1, honba=2)) == (1, 3)


def test_noten_dealer_loses_the_deal_and_honba_grows() -> None:
    assert next_hand(after_draw(2, kyoku=1, honba=2)) == (2, 3)


def test_the_deal_goes_from_seat_three_to_seat_zero() -> None:
    play = after_ron(1, loser=2, kyoku=3)
    assert next_hand(play) == (4, 0)
    assert (play.table.dealer, play.table.turn) == (0, 0)


def test_unwon_sticks_stay_for_the_next_hand() -> None:
    play = after_draw(kyotaku=2)
    play.deal_next()
    assert play.table.kyotaku == 2
    play = after_ron(1, loser=2, kyotaku=2)
    play.deal_next()
    assert play.table.kyotaku == 0


def test_honba_is_worth_300_to_the_winner() -> None:
    assert after_ron(1, loser=2, honba=3).win.deltas == (0, 1_900, -1_900, 0)


@pytest.mark.parametrize("honba", [0, 1, 5, 12])
def test_counters_accumulate_without_costing_the_dealer(honba: int) -> None:
    play = after_draw(0, 1, honba=honba)
    scores = play.table.scores
    assert next_hand(play) == (0, honba + 1)
    assert play.table.scores == scores
    assert play.table.kyotaku == 0


def test_value_of_a_counter_is_a_switch() -> None:
    play = after_ron(1, loser=2, honba=2, rules=RuleSet(honba_points=1_500))
    assert play.win.deltas == (0, 4_000, -4_000, 0)


def test_honba_after_a_draw_is_a_switch() -> None:
    assert next_hand(after_draw(0, honba=2, rules=RuleSet(honba_after_draw=False))) == (0, 2)


@pytest.mark.parametrize(
    ("renchan", "after_win", "after_tenpai", "after_noten"),
    [
        ("tenpai", 4, 4, 5),
        ("tenpai_east_only", 4, 4, 4),
        ("win_only", 4, 5, 5),
        ("none", 5, 5, 5),
    ],
)
def test_renchan_is_a_switch(
    renchan: str, after_win: int, after_tenpai: int, after_noten: int
) -> None:
    rules = RuleSet(renchan=renchan)  # type: ignore[arg-type]
    south_1 = 4
    assert next_hand(after_ron(0, loser=1, kyoku=south_1, rules=rules))[0] == after_win
    assert next_hand(after_draw(0, kyoku=south_1, rules=rules))[0] == after_tenpai
    assert next_hand(after_draw(1, kyoku=south_1, rules=rules))[0] == after_noten


def test_tenpai_east_only_moves_noten_dealers_in_the_east_round() -> None:
    rules = RuleSet(renchan="tenpai_east_only")
    assert next_hand(after_draw(1, kyoku=3, rules=rules)) == (4, 1)


def test_without_renchan_a_dealers_win_clears_honba() -> None:
    assert next_hand(after_ron(0, loser=1, honba=2, rules=RuleSet(renchan="none"))) == (1, 0)


# Rounds


def test_south_follows_east() -> None:
    play = after_ron(1, loser=2, kyoku=3)
    play.deal_next()
    start = play.events_of(HandStarted)[-1]
    assert (text_of([start.bakaze]), start.kyoku, start.oya) == ("S", 1, 0)


def test_the_prevailing_wind_and_seat_winds_follow_the_deal() -> None:
    play = after_ron(1, loser=2, kyoku=4)
    play.deal_next()
    assert play.table.round_wind == 28
    assert [play.table.wind_of(seat) for seat in range(4)] == [30, 27, 28, 29]


# The end of the game


def test_the_game_ends_after_south_4_when_somebody_has_30000() -> None:
    play = after_ron(1, loser=2, kyoku=SOUTH_4, scores=(20_000, 29_000, 26_000, 25_000))
    assert play.is_over


def test_without_30000_the_west_round_begins() -> None:
    play = after_ron(1, loser=2, kyoku=SOUTH_4, scores=(20_000, 28_900, 26_100, 25_000))
    assert next_hand(play) == (WEST_1, 0)
    assert text_of([play.events_of(HandStarted)[-1].bakaze]) == "W"


def test_drawn_south_4_leads_to_west_with_its_honba() -> None:
    assert next_hand(after_draw(0, kyoku=SOUTH_4, honba=1)) == (WEST_1, 2)


def test_before_south_4_no_score_ends_the_game() -> None:
    play = after_ron(1, loser=2, kyoku=6, scores=(20_000, 60_000, 10_000, 10_000))
    assert not play.is_over


def test_west_round_ends_at_30000() -> None:
    play = after_ron(1, loser=2, kyoku=WEST_1, scores=(20_000, 29_000, 26_000, 25_000))
    assert play.is_over
    play = after_ron(1, loser=2, kyoku=WEST_1, scores=(20_000, 28_900, 26_100, 25_000))
    assert next_hand(play) == (WEST_1 + 1, 0)


def test_in_the_west_round_a_dealers_renchan_comes_first() -> None:
    play = after_ron(0, loser=2, kyoku=WEST_1, scores=(10_000, 32_000, 29_000, 29_000))
    assert next_hand(play) == (WEST_1, 1)
    play = after_draw(0, kyoku=WEST_1, scores=(10_000, 35_000, 27_000, 28_000))
    assert next_hand(play) == (WEST_1, 1)


def test_west_4_is_the_last_hand() -> None:
    play = after_ron(1, loser=2, kyoku=WEST_4, scores=(24_000, 25_000, 26_000, 25_000))
    assert play.is_over


def test_dealer_not_first_plays_on_in_west_4() -> None:
    play = after_ron(3, loser=2, kyoku=WEST_4, scores=(28_000, 26_000, 25_000, 21_000))
    assert next_hand(play) == (WEST_4, 1)


def test_leading_dealer_below_30000_plays_on_in_west_4() -> None:
    play = after_ron(3, loser=2, kyoku=WEST_4, scores=(25_000, 25_000, 25_100, 24_900))
    assert play.table.scores[3] == 26_400
    assert next_hand(play) == (WEST_4, 1)
    play = after_draw(3, kyoku=WEST_4, scores=(25_000, 25_000, 24_000, 26_000), honba=1)
    assert play.table.scores[3] == 29_000
    assert next_hand(play) == (WEST_4, 2)


def test_leading_dealer_with_30000_ends_the_game_in_west_4() -> None:
    scores = (24_000, 23_500, 24_000, 28_500)
    assert after_ron(3, loser=2, kyoku=WEST_4, scores=scores).is_over
    assert after_draw(3, kyoku=WEST_4, scores=scores).is_over
    no_stop = RuleSet(agari_yame=False, tenpai_yame=False)
    assert next_hand(after_ron(3, loser=2, kyoku=WEST_4, scores=scores, rules=no_stop)) == (
        WEST_4,
        1,
    )
    assert next_hand(after_draw(3, kyoku=WEST_4, scores=scores, rules=no_stop)) == (WEST_4, 1)


def test_east_game_dealer_below_30000_plays_on_in_south_4() -> None:
    east = RuleSet(length="east")
    play = after_ron(3, loser=2, kyoku=SOUTH_4, rules=east)
    assert play.table.scores[3] == 26_500
    assert next_hand(play) == (SOUTH_4, 1)
    assert next_hand(after_draw(3, kyoku=SOUTH_4, rules=east)) == (SOUTH_4, 1)
    ahead = (24_000, 23_500, 24_000, 28_500)
    assert after_ron(3, loser=2, kyoku=SOUTH_4, scores=ahead, rules=east).is_over


def test_dealer_stops_below_goal() -> None:
    rules = RuleSet(dealer_stops_below_goal=True)
    assert after_ron(3, loser=2, kyoku=WEST_4, rules=rules).is_over
    assert after_draw(3, kyoku=WEST_4, rules=rules).is_over
    behind = after_ron(
        3, loser=2, kyoku=WEST_4, scores=(28_000, 26_000, 25_000, 21_000), rules=rules
    )
    assert next_hand(behind) == (WEST_4, 1)
    assert next_hand(after_ron(3, loser=2, kyoku=SOUTH_4, rules=rules)) == (SOUTH_4, 1)
    assert after_ron(3, loser=2, kyoku=SOUTH_4, rules=replace(rules, extra_round=False)).is_over
    below = after_ron(3, loser=2, kyoku=SOUTH_4, rules=RuleSet(extra_round=False))
    assert next_hand(below) == (SOUTH_4, 1)


def test_without_the_extra_round_south_4_is_the_last_hand() -> None:
    play = after_ron(1, loser=2, kyoku=SOUTH_4, rules=RuleSet(extra_round=False))
    assert play.is_over


def test_an_east_game_ends_after_east_4() -> None:
    east = RuleSet(length="east")
    scores = (20_000, 29_000, 26_000, 25_000)
    assert after_ron(1, loser=2, kyoku=3, scores=scores, rules=east).is_over
    assert next_hand(after_ron(1, loser=2, kyoku=3, rules=east)) == (4, 0)


def test_goal_is_a_switch() -> None:
    rules = RuleSet(goal_points=26_000)
    assert after_ron(1, loser=2, kyoku=SOUTH_4, rules=rules).is_over
    rules = RuleSet(goal_points=26_100)
    assert not after_ron(1, loser=2, kyoku=SOUTH_4, rules=rules).is_over


# Tobi


def test_a_score_below_zero_ends_the_game() -> None:
    play = after_ron(1, loser=2, scores=(33_000, 33_000, 900, 33_100))
    assert play.table.scores[2] == -100
    assert play.is_over


def test_a_score_of_zero_plays_on() -> None:
    play = after_ron(1, loser=2, scores=(33_000, 33_000, 1_000, 33_000))
    assert play.table.scores[2] == 0
    assert not play.is_over


def test_a_score_of_exactly_zero_may_end_the_game() -> None:
    rules = RuleSet(tobi_at_zero=True)
    assert after_ron(1, loser=2, scores=(33_000, 33_000, 1_000, 33_000), rules=rules).is_over
    assert not after_ron(1, loser=2, scores=(33_000, 33_000, 1_100, 32_900), rules=rules).is_over
    rules = RuleSet(tobi=False, tobi_at_zero=True)
    assert not after_ron(1, loser=2, scores=(33_000, 33_000, 1_000, 33_000), rules=rules).is_over


def test_honba_is_paid_before_tobi_is_checked() -> None:
    assert after_ron(1, loser=2, honba=1, scores=(33_000, 33_000, 1_200, 32_800)).is_over


def test_noten_payments_can_end_the_game() -> None:
    play = after_draw(0, scores=(49_100, 25_000, 25_000, 900))
    assert play.table.scores[3] == -100
    assert play.is_over


def test_second_ron_can_bring_a_score_below_zero() -> None:
    play = after_ron(1, 3, loser=2, scores=(33_000, 33_000, 1_500, 32_500))
    assert play.table.scores[2] == -500
    assert play.is_over


def test_without_tobi_the_game_goes_on_below_zero() -> None:
    rules = RuleSet(tobi=False)
    play = after_ron(1, loser=2, scores=(33_000, 33_000, 900, 33_100), rules=rules)
    assert not play.is_over


def test_dealers_win_does_not_prevent_tobi() -> None:
    assert after_ron(0, loser=2, scores=(33_000, 33_000, 900, 33_100)).is_over


# The leading dealer in the last hand


def test_leading_dealer_ends_the_game_by_winning_the_last_hand() -> None:
    play = after_ron(3, loser=2, kyoku=SOUTH_4, scores=(28_000, 23_000, 20_500, 28_500))
    assert play.table.scores[3] == 30_000
    assert play.is_over


def test_a_leading_dealer_below_30000_plays_on() -> None:
    play = after_ron(3, loser=2, kyoku=SOUTH_4, scores=(28_000, 23_000, 20_600, 28_400))
    assert next_hand(play) == (SOUTH_4, 1)


def test_dealer_with_30000_plays_on_unless_first() -> None:
    play = after_ron(3, loser=2, kyoku=SOUTH_4, scores=(38_000, 13_000, 18_000, 31_000))
    assert next_hand(play) == (SOUTH_4, 1)


def test_dealer_level_with_an_earlier_seat_is_not_first() -> None:
    play = after_ron(3, loser=2, kyoku=SOUTH_4, scores=(32_500, 18_000, 18_500, 31_000))
    assert play.table.scores[0] == play.table.scores[3]
    assert next_hand(play) == (SOUTH_4, 1)


def test_leading_tenpai_dealer_ends_the_game() -> None:
    play = after_draw(3, kyoku=SOUTH_4, scores=(28_000, 23_000, 17_800, 31_200))
    assert play.is_over


def test_tenpai_dealer_plays_on_unless_first_with_30000() -> None:
    play = after_draw(3, kyoku=SOUTH_4, scores=(38_000, 13_000, 17_800, 31_200))
    assert next_hand(play) == (SOUTH_4, 1)
    play = after_draw(3, kyoku=SOUTH_4, scores=(26_000, 26_000, 21_100, 26_900))
    assert next_hand(play) == (SOUTH_4, 1)


def test_a_noten_dealer_without_30000_leads_to_west() -> None:
    play = after_draw(kyoku=SOUTH_4, scores=(25_000, 25_000, 20_200, 29_800))
    assert next_hand(play) == (WEST_1, 1)


def test_agari_yame_and_tenpai_yame_are_switches() -> None:
    ahead = (22_000, 23_000, 20_000, 35_000)
    rules = RuleSet(agari_yame=False)
    assert not after_ron(3, loser=2, kyoku=SOUTH_4, scores=ahead, rules=rules).is_over
    assert after_draw(3, kyoku=SOUTH_4, scores=ahead, rules=rules).is_over
    rules = RuleSet(tenpai_yame=False)
    assert after_ron(3, loser=2, kyoku=SOUTH_4, scores=ahead, rules=rules).is_over
    assert not after_draw(3, kyoku=SOUTH_4, scores=ahead, rules=rules).is_over


def test_before_the_last_hand_a_leading_dealer_plays_on() -> None:
    play = after_ron(2, loser=3, kyoku=6, scores=(20_000, 20_000, 40_000, 20_000))
    assert next_hand(play) == (6, 1)


def asked_in_south_4(**rules: Any) -> Play:
    """Return a game whose leading dealer has won the last hand and is asked."""
    play = after_ron(
        3,
        loser=2,
        kyoku=SOUTH_4,
        scores=(22_000, 23_000, 20_000, 35_000),
        rules=RuleSet(dealer_stops="choice", **rules),
    )
    assert not play.is_over
    return play


def test_leading_dealer_may_be_asked_whether_the_game_ends() -> None:
    play = asked_in_south_4()
    for seat in SEATS:
        options = (StopGame(), Confirm()) if seat == 3 else (Confirm(),)
        assert legal(play.table, seat) == legal(view(play.table, seat), seat) == options
    assert isinstance(play.attempt(Act(2, play.table.step, StopGame())), Rejected)
    play.act(3, StopGame())
    assert not play.is_over
    for seat in (0, 1, 2):
        play.act(seat, Confirm())
    play.do(Proceed(play.table.step))
    assert play.is_over
    assert not play.table.broken_off

    play = asked_in_south_4()
    for seat in SEATS:
        play.act(seat, Confirm())
    play.do(Proceed(play.table.step))
    assert (play.table.kyoku, play.table.honba) == (SOUTH_4, 1)


def test_dealer_who_does_not_answer_ends_the_game() -> None:
    play = asked_in_south_4()
    play.time_out(*SEATS)
    play.do(Proceed(play.table.step))
    assert play.is_over


@pytest.mark.parametrize(
    ("scores", "rules"),
    [
        ((38_000, 13_000, 18_000, 31_000), {}),
        ((28_000, 23_000, 20_600, 28_400), {}),
        ((22_000, 23_000, 20_000, 35_000), {"agari_yame": False}),
    ],
)
def test_dealer_who_may_not_end_the_game_is_not_asked(
    scores: BySeat[int], rules: dict[str, Any]
) -> None:
    rule_set = RuleSet(dealer_stops="choice", **rules)
    play = after_ron(3, loser=2, kyoku=SOUTH_4, scores=scores, rules=rule_set)
    assert legal(play.table, 3) == (Confirm(),)


def test_tenpai_dealer_is_asked_after_a_draw() -> None:
    rules = RuleSet(dealer_stops="choice")
    scores = (28_000, 23_000, 17_800, 31_200)
    play = after_draw(3, kyoku=SOUTH_4, scores=scores, rules=rules)
    assert StopGame() in legal(play.table, 3)


@pytest.mark.parametrize("name", BOTS)
def test_bots_end_the_game_that_they_lead(name: str) -> None:
    table = asked_in_south_4().table
    options = legal(table, 3)
    assert BOTS[name].choose(view(table, 3), 3, options, Random(1)) == StopGame()


# Between two hands


def test_next_hand_waits_for_all_confirmations() -> None:
    play = after_draw()
    assert play.table.phase == Phase.RESULT
    for seat in (2, 0, 3, 1):
        assert seat in pending_seats(play.table)
        verdict = play.attempt(Proceed(play.table.step))
        assert isinstance(verdict, Rejected)
        assert verdict.code == "not_yet"
        play.act(seat, Confirm())
    play.do(Proceed(play.table.step))
    assert (play.table.phase, play.table.kyoku, play.table.hands_dealt) == (Phase.TURN, 1, 2)


def test_next_hand_keeps_nothing_of_the_last() -> None:
    play = after_ron(1, loser=2)
    play.deal_next()
    table = play.table
    assert all(not (hand.river or hand.melds or hand.shown or hand.missed) for hand in table.hands)
    assert (table.left, table.supplements, len(table.dora), table.results) == (69, 0, 1, ())
    assert table.unbroken
