"""Reviews of games of three: norths, the tiles that there are, and rates with factors."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import pytest
from msgspec.structs import replace

from bench.played_games import play_room
from game.analysis.deal_in_rates import (
    COUNTS_BY_CLASS,
    FACTORS_OF_THREE,
    MIN_RELIABLE_CASES,
    danger_class_of,
    deal_in_rate,
)
from game.engine.events import Answered, Event, NorthSetAside
from game.engine.evolve import evolve
from game.engine.presets import preset
from game.engine.state import Table
from game.engine.tiles import kind_of, tile_from_text
from game.reviews.figures import Decision, GameReview
from game.reviews.game_review import review_game
from game.tables.room import SeatMeta

RULES: Final = replace(preset("tenhou-3"), length="east")
LEFT_OUT: Final = {f"{rank}m" for rank in range(2, 9)}


@pytest.fixture(scope="module")
def events() -> list[Event]:
    """Return the events of a whole game of three sensible bots."""
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(3))
    _, log = play_room("review-three", seats, RULES, seed=4, started_at=0)
    return [event for commit in log for event in commit.events]


@pytest.fixture(scope="module")
def review(events: list[Event]) -> GameReview:
    return review_game(events)


def test_each_north_set_aside_is_a_decision(events: list[Event], review: GameReview) -> None:
    made = [decision.choices[decision.chosen] for decision in review.decisions]
    norths = [choice for choice in made if choice.action == "kita"]
    assert len(norths) == sum(isinstance(event, NorthSetAside) for event in events) > 2
    assert all(choice.laid == ["N"] and choice.shanten is not None for choice in norths)


def test_bots_of_the_game_are_found_to_play_like_the_bot(review: GameReview) -> None:
    assert {decision.bot.why for decision in review.decisions} == {"same"}
    assert all(decision.loss == 0 for decision in review.decisions)


def test_useful_tiles_and_choices_are_among_the_tiles_of_three(review: GameReview) -> None:
    shown = [choice for decision in review.decisions for choice in decision.choices]
    assert not any(LEFT_OUT & {choice.tile, *choice.laid, *choice.useful} for choice in shown)
    assert any(choice.curves for choice in shown)
    assert len(review.dearest) == len(review.accuracy) == 3


def test_rates_against_one_riichi_are_those_of_four_times_a_factor(
    events: list[Event], review: GameReview
) -> None:
    shown = [event for event in events if not isinstance(event, Answered)]
    tables = list(accumulate(shown, evolve, initial=Table()))
    checked = 0
    for decision in review.decisions:
        if len(decision.riichi_against) != 1 or decision.claimed:
            continue
        checked += _check_rates(tables[decision.at + 1], decision)
    assert checked > 10


def _check_rates(table: Table, decision: Decision) -> int:
    """Check the counted rates of a decision; return how many there are."""
    (riichi,) = decision.riichi_against
    seen = 0
    for choice in decision.choices:
        for danger in choice.dangers:
            if danger.seat == riichi and choice.action == "discard":
                assert 0 <= danger.rate < 0.35
                is_factor = danger.cases in {
                    factor.discards for factor in FACTORS_OF_THREE.values()
                }
                assert danger.few == (is_factor and danger.cases < MIN_RELIABLE_CASES)
                assert is_factor or danger.rate == 0, "only genbutsu have no factor"
                seen += 1
    assert table.rules.players == 3
    return seen


def test_factors_have_their_cases_and_intervals() -> None:
    assert set(FACTORS_OF_THREE) == set(COUNTS_BY_CLASS) - {"genbutsu"}
    for name, factor in FACTORS_OF_THREE.items():
        assert factor.least <= factor.value <= factor.most, name
        assert factor.has_few_cases == (factor.discards < 300)
    rate = deal_in_rate("honour, 0 seen", 8, 3)
    four = deal_in_rate("honour, 0 seen", 8, 4)
    assert rate.share == pytest.approx(2.02 * four.share)
    assert (rate.cases, rate.has_few_cases, four.cases) == (558, False, 2_256)
    assert deal_in_rate("2/8 suji", 8, 3).has_few_cases
    assert deal_in_rate("genbutsu", 8, 3).share == 0


@pytest.mark.parametrize(
    ("tile", "seen", "players", "name"),
    [
        ("1m", 0, 4, "1/9 no suji"),
        ("1m", 0, 3, "honour, 0 seen"),
        ("9m", 1, 3, "honour, 1 seen"),
        ("9m", 3, 3, "honour, 2+ seen"),
        ("1p", 0, 3, "1/9 no suji"),
    ],
)
def test_ends_of_man_are_classed_like_honours_with_three_players(
    tile: str, seen: int, players: int, name: str
) -> None:
    assert danger_class_of(kind_of(tile_from_text(tile)), 0, seen, players) == name
