"""Reviews of whole games."""

from __future__ import annotations

from itertools import accumulate

import pytest
from msgspec.structs import replace

from game.engine.events import Answered, Discarded, GameEnded, HandStarted
from game.engine.evolve import evolve
from game.engine.state import Table
from game.engine.tiles import tile_from_text, tile_to_text
from game.reviews.game_review import (
    DEAREST,
    Decision,
    GameReview,
    NotFinished,
    join_hands,
    review_game,
    review_hand,
    split_hands,
)
from tests.reviews.games import bot_game, tables_before_discards

EVENTS = bot_game(11)


@pytest.fixture(scope="module")
def review() -> GameReview:
    return review_game(EVENTS, with_curves=False)


def test_every_discard_of_a_seat_without_riichi_is_reviewed(review: GameReview) -> None:
    assert len(review.decisions) == len(list(tables_before_discards(EVENTS)))


def test_position_is_that_before_the_discard(review: GameReview) -> None:
    shown = [event for event in EVENTS if not isinstance(event, Answered)]
    tables = list(accumulate(shown, evolve, initial=Table()))
    for decision in review.decisions:
        table = tables[decision.at + 1]
        assert table.turn == decision.seat
        tiles = [*table.hands[decision.seat].tiles, *[table.drawn] * (table.drawn >= 0)]
        assert sorted(map(tile_to_text, tiles)) == sorted(decision.concealed)
        made = next(e for e in shown[decision.at + 1 :] if isinstance(e, Discarded))
        assert (made.actor, tile_to_text(made.pai)) == (decision.seat, decision.chosen)


def test_review_uses_nothing_that_the_seat_could_not_see(review: GameReview) -> None:
    """The tiles of the others are exchanged with tiles of the wall that nobody has drawn."""
    hand = next(hand for hand in split_hands(EVENTS) if len(hand.events) > 40)
    first = next(iter(review_hand(hand, with_curves=False)))
    start = hand.events[0]
    assert isinstance(start, HandStarted)
    other = (first.seat + 1) % 4
    rows = list(start.tehais)
    free = sorted(tile_from_text(tile) for tile in ("1m", "9m", "E", "S", "W", "N", "P", "F", "C"))
    rows[other] = tuple(sorted((free * 2)[: len(rows[other])]))
    changed = replace(start, tehais=(rows[0], rows[1], rows[2], rows[3]))
    until = next(at for at, event in enumerate(hand.events) if isinstance(event, Discarded)) + 1
    events = [changed, *hand.events[1:until]]
    assert review_hand(replace(hand, events=events), with_curves=False) == [first]


def test_hands_reviewed_alone_give_the_review_of_the_game(review: GameReview) -> None:
    hands = [review_hand(hand, with_curves=False) for hand in split_hands(EVENTS)]
    assert join_hands(hands) == review


def test_loss_is_the_distance_to_the_best_score(review: GameReview) -> None:
    for decision in review.decisions:
        scores = {one.tile: one.score for one in decision.discards}
        assert decision.loss == pytest.approx(
            max(scores.values()) - scores[decision.chosen], abs=0.6
        )


def made_badly(decision: Decision, loss: int) -> Decision:
    return replace(decision, loss=loss)


def test_ten_dearest_decisions_of_each_seat_are_listed_the_dearest_first(
    review: GameReview,
) -> None:
    lossy = [made_badly(one, place % 37) for place, one in enumerate(review.decisions)]
    again = join_hands([lossy])
    for seat, places in enumerate(again.dearest):
        losses = [lossy[place].loss for place in places]
        own = sorted((one.loss for one in lossy if one.seat == seat), reverse=True)
        assert len(places) == DEAREST
        assert losses == own[:DEAREST]
        assert all(lossy[place].seat == seat for place in places)


def test_labels_name_the_extremes(review: GameReview) -> None:
    seen = {"fastest": 0, "safest": 0}
    for decision in review.decisions:
        least = min((one.shanten, -one.unseen) for one in decision.discards)
        for one in decision.discards:
            assert ("fastest" in one.labels) == ((one.shanten, -one.unseen) == least)
            seen["fastest"] += "fastest" in one.labels
            if "safest" in one.labels:
                assert one.danger == min(other.danger for other in decision.discards)
                seen["safest"] += 1
    assert all(seen.values()), seen


def test_rates_against_the_only_riichi_are_counted_and_others_estimated(
    review: GameReview,
) -> None:
    counted = estimated = 0
    for decision in review.decisions:
        for one in decision.discards:
            assert {danger.seat for danger in one.dangers} == {
                *decision.riichi_against,
                *decision.open_against,
            }
            for danger in one.dangers:
                if decision.riichi_against == [danger.seat]:
                    assert danger.cases > 0
                    counted += 1
                else:
                    assert danger.cases == 0
                    estimated += 1
    assert counted
    assert estimated


def test_curves_end_at_three_shanten() -> None:
    hand = split_hands(EVENTS)[0]
    for decision in review_hand(hand):
        least = min(one.shanten for one in decision.discards)
        for one in decision.discards:
            assert (one.curves is not None) == (one.shanten == least <= 3)
            if one.curves is not None:
                assert list(one.curves.win) == sorted(one.curves.win)
                assert one.curves.win[-1] <= one.curves.tenpai[-1] + 1e-9


def test_running_game_has_no_review() -> None:
    running = [event for event in EVENTS if not isinstance(event, GameEnded)]
    with pytest.raises(NotFinished):
        review_game(running, with_curves=False)


def test_bot_agrees_with_discards_of_its_own(review: GameReview) -> None:
    """Only equal scores, between which the bot draws lots, may differ."""
    for decision in review.decisions:
        assert decision.loss == 0
        assert decision.bot.action in {"discard", "riichi"}


def test_riichi_is_a_choice_made_before_its_declaration(review: GameReview) -> None:
    declared = [one for one in review.decisions if one.riichi]
    assert declared
    assert all(one.bot.action == "riichi" for one in declared)
