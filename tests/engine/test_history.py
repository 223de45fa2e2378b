"""The history of a game has the scores before every hand, and the final points contain uma and
oka."""

from __future__ import annotations

from random import Random

import pytest

from game.engine.events import GameEnded, HandStarted
from game.engine.evolve import evolve
from game.engine.points import final_bonus, final_placement
from game.engine.rules import RuleSet
from game.engine.state import Table
from tests.kit.random_games import play_random_game

SCORES = (41_300, 29_900, 29_900, 18_900)


def test_history_has_every_hand_with_the_scores_before_it() -> None:
    dealt: list[HandStarted] = []
    table = Table()
    for _, _, events in play_random_game(Random(3), hands=6):
        for event in events:
            table = evolve(table, event)
            if isinstance(event, HandStarted):
                dealt.append(event)
    assert len(dealt) == 6
    assert [hand.scores for hand in table.history] == [event.scores for event in dealt]
    assert [(hand.kyoku % 4 + 1, hand.honba) for hand in table.history] == [
        (event.kyoku, event.honba) for event in dealt
    ]


@pytest.mark.parametrize("ties", ["first_dealer_order", "share"])
def test_bonus_separates_uma_and_oka(ties: str) -> None:
    rules = RuleSet(ties=ties)  # type: ignore[arg-type]
    bonus = final_bonus(rules, SCORES)
    shared = ties == "share"
    assert bonus == (
        (20.0, 20.0),
        (0.0 if shared else 10.0, 0.0),
        (0.0 if shared else -10.0, 0.0),
        (-20.0, 0.0),
    )


def test_tied_first_seats_share_the_oka_of_the_bonus() -> None:
    bonus = final_bonus(RuleSet(ties="share"), (35_000, 35_000, 20_000, 10_000))
    assert bonus[:2] == ((15.0, 10.0), (15.0, 10.0))


def test_points_without_bonus_are_score_less_return_points() -> None:
    rules = RuleSet(rounding="none")
    _, placement = final_placement(rules, SCORES, 0)
    for (_, points), (uma, oka), score in zip(
        placement, final_bonus(rules, SCORES), SCORES, strict=True
    ):
        assert points - uma - oka == pytest.approx((score - rules.return_points) / 1_000)


def test_game_end_contains_uma_and_oka() -> None:
    short = RuleSet(length="east", extra_round=False)
    table = Table()
    for _, _, events in play_random_game(Random(8), short, hands=40):
        for event in events:
            table = evolve(table, event)
            if isinstance(event, GameEnded):
                assert table.bonus == event.bonus == final_bonus(short, event.scores)
                return
    pytest.fail("the game has not ended")
