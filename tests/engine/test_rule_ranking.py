"""The final ranking: leftover sticks, places, uma and oka."""

from __future__ import annotations

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.commands import DealHand, Proceed
from game.engine.decide import Rejected
from game.engine.events import GameEnded
from game.engine.presets import preset
from game.engine.rules import RuleSet
from tests.kit.play import Play, stage

Scores = BySeat[int]
SOUTH_4 = 7


def stage_drawn_south_4(scores: Scores, kyotaku: int = 0, rules: RuleSet | None = None) -> Play:
    """Stage a drawn South 4 with nobody tenpai, so that the scores do not change."""
    play = stage(kyoku=SOUTH_4, scores=scores, kyotaku=kyotaku, rules=rules or RuleSet())
    play.play_to_exhaustive_draw()
    return play


def end_with(scores: Scores, kyotaku: int = 0, rules: RuleSet | None = None) -> Play:
    """Return a game that ends with these scores."""
    play = stage_drawn_south_4(scores, kyotaku, rules)
    assert play.is_over
    return play


def test_places_uma_and_oka() -> None:
    play = end_with((20_000, 35_000, 15_000, 30_000))
    assert play.table.placement == ((3, -20.0), (1, 45.0), (4, -35.0), (2, 10.0))


def test_the_earlier_seat_ranks_higher_among_equals() -> None:
    play = end_with((10_000, 30_000, 30_000, 30_000))
    assert [place for place, _ in play.table.placement] == [4, 1, 2, 3]
    assert play.table.placement[1][1] == 40.0


def test_thousands_are_rounded_and_the_first_takes_the_rest() -> None:
    play = end_with((31_600, 25_700, 22_400, 20_300), rules=RuleSet(rounding="half_up"))
    assert play.table.placement == ((1, 42.0), (2, 6.0), (3, -18.0), (4, -30.0))


def test_final_scores_of_tenhou_are_not_rounded() -> None:
    scores = (31_600, 25_700, 22_400, 20_300)
    now = end_with(scores, rules=preset("tenhou")).table.placement
    assert now == ((1, 41.6), (2, 5.7), (3, -17.6), (4, -29.7))
    before = end_with(scores, rules=preset("tenhou", 1)).table.placement
    assert before == ((1, 42.0), (2, 6.0), (3, -18.0), (4, -30.0))


def test_points_below_the_return_points_may_be_lost_without_oka() -> None:
    scores = (31_600, 25_700, 22_400, 20_300)
    rules = RuleSet(oka=0)
    assert end_with(scores, rules=rules).table.placement == (
        (1, 21.6),
        (2, 5.7),
        (3, -17.6),
        (4, -29.7),
    )
    rounded = end_with(scores, rules=replace(rules, rounding="half_up")).table.placement
    assert rounded == ((1, 22.0), (2, 6.0), (3, -18.0), (4, -30.0))


def test_sticks_left_over_go_to_the_first() -> None:
    play = end_with((20_000, 33_000, 15_000, 30_000), kyotaku=2)
    assert play.table.scores == (20_000, 35_000, 15_000, 30_000)
    assert play.table.kyotaku == 0
    assert play.table.placement[1] == (1, 45.0)


def test_sticks_left_over_may_be_void() -> None:
    play = end_with((20_000, 33_000, 15_000, 30_000), 2, RuleSet(leftover_sticks="void"))
    assert play.table.scores == (20_000, 33_000, 15_000, 30_000)


def test_sticks_do_not_help_to_reach_30000() -> None:
    play = stage_drawn_south_4((29_000, 24_000, 23_000, 23_000), kyotaku=1)
    play.deal_next()
    assert play.table.kyoku == SOUTH_4 + 1


def test_tied_places_may_share_uma_and_oka() -> None:
    rules = RuleSet(
        ties="share", uma=(30, 10, -10, -30), oka=0, rounding="none", return_points=25_000
    )
    play = end_with((35_000, 35_000, 20_000, 10_000), rules=rules)
    assert play.table.placement == ((1, 30.0), (1, 30.0), (3, -15.0), (4, -45.0))


def test_uma_of_thirty_and_ten_thousand_is_added_by_place() -> None:
    play = end_with((20_000, 45_000, 24_000, 31_000), rules=preset("ema-2012"))
    assert play.table.placement == ((4, -40.0), (1, 45.0), (3, -16.0), (2, 11.0))


def test_the_final_event_carries_scores_and_places() -> None:
    play = end_with((20_000, 35_000, 15_000, 30_000))
    (event,) = play.events_of(GameEnded)
    assert event.scores == (20_000, 35_000, 15_000, 30_000)
    assert event.placement == play.table.placement


def test_no_hand_is_dealt_after_the_end() -> None:
    play = end_with((20_000, 35_000, 15_000, 30_000))
    for command, code in ((DealHand(), "not_now"), (Proceed(play.table.step), "not_running")):
        verdict = play.attempt(command)
        assert isinstance(verdict, Rejected)
        assert verdict.code == code
