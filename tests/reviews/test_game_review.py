"""Reviews of whole games: which decisions they contain, and with which figures."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import accumulate

import pytest
from django.conf import settings
from msgspec.structs import replace

from game.engine.actions import Pass
from game.engine.events import (
    AnkanDeclared,
    Answered,
    Discarded,
    DoraRevealed,
    Event,
    GameEnded,
    HandStarted,
    KakanDeclared,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.legal import legal
from game.engine.state import Phase, Table
from game.engine.tiles import kind_of, tile_from_text, tile_to_text
from game.reviews.all_curves import curves_at
from game.reviews.figures import COSTLIEST_LISTED, Choice, Decision, GameReview
from game.reviews.game_review import join_hands, review_game, review_hand
from game.reviews.losses import loss_in_points, shares_of
from game.reviews.moments import HandEvents, NotFinished, moments_of, split_hands
from tests.kit.plain_shanten import plain_shanten, plain_useful
from tests.reviews.games import bot_game, tables_before_discards


def game_events() -> tuple[Event, ...]:
    """Return all events of the reviewed game, which is played at the first call."""
    return bot_game(11)


def shown_events() -> list[Event]:
    """Return the events that a replay shows."""
    return [event for event in game_events() if not isinstance(event, Answered)]


@pytest.fixture(scope="module")
def review() -> GameReview:
    return review_game(game_events(), with_curves=False)


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """Return the table at each position of the replay, from the one before the first event."""
    return list(accumulate(shown_events(), evolve, initial=Table()))


def choice_made(decision: Decision) -> Choice:
    return decision.choices[decision.chosen]


def discards(decision: Decision) -> list[Choice]:
    return [choice for choice in decision.choices if choice.action == "discard"]


def test_every_discard_of_a_seat_without_riichi_is_reviewed(
    review: GameReview, tables: list[Table]
) -> None:
    own = [
        decision
        for decision in review.decisions
        if choice_made(decision).action == "discard"
        and not tables[decision.at + 1].hands[decision.seat].riichi
    ]
    assert len(own) == len(list(tables_before_discards(game_events())))


def test_every_answer_with_a_choice_is_reviewed(review: GameReview) -> None:
    """Answers are: the answer of each seat that could take an open tile, each kan, each tsumo."""
    table = Table()
    asked = Table()
    answers = own = 0
    for event in game_events():
        if table.phase == Phase.CLAIMS and isinstance(event, Answered):
            answers += len(legal(asked, event.actor)) > 1
        own += isinstance(event, AnkanDeclared | KakanDeclared)
        own += isinstance(event, Won) and event.actor == event.target
        table = evolve(table, event)
        if not isinstance(event, Answered):
            asked = table
    reviewed = [decision for decision in review.decisions if decision.claimed]
    assert answers == len(reviewed) > 20
    turns = [decision for decision in review.decisions if not decision.claimed]
    assert own == sum(choice_made(turn).action in {"kan", "win"} for turn in turns) > 0
    assert {choice_made(decision).action for decision in reviewed} >= {"pass", "pon", "chi", "win"}


def test_position_is_that_before_the_decision(review: GameReview, tables: list[Table]) -> None:
    shown = shown_events()
    for decision in review.decisions:
        table = tables[decision.at + 1]
        if decision.claimed:
            assert table.phase == Phase.CLAIMS
            assert tile_to_text(table.claimed) == decision.claimed
            assert any(choice.action == "pass" for choice in decision.choices)
            continue
        assert table.turn == decision.seat
        if choice_made(decision).action == "discard":
            after = [event for event in shown[decision.at + 1 :] if isinstance(event, Discarded)]
            assert (after[0].actor, tile_to_text(after[0].pai)) == (
                decision.seat,
                choice_made(decision).tile,
            )


def test_review_uses_nothing_that_the_seat_could_not_see(review: GameReview) -> None:
    """The test exchanges the hidden tiles of the others with tiles of the wall."""
    hand = next(hand for hand in split_hands(game_events()) if len(hand.events) > 40)
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


def test_decision_precedes_the_dora_of_its_discard() -> None:
    """An indicator that is revealed with the discard is not on the table of the decision."""
    hand = split_hands(game_events())[0]
    at = next(at for at, event in enumerate(hand.events) if isinstance(event, Discarded))
    dora = DoraRevealed(tile_from_text("9s"))
    events = [*hand.events[:at], dora, *hand.events[at : at + 1]]
    (moment,) = moments_of(replace(hand, events=events))
    assert len(moment.table.dora) == 1
    (plain,) = moments_of(replace(hand, events=hand.events[: at + 1]))
    assert moment == plain


def passing_hands() -> list[HandEvents]:
    """Return the hands of the game with a pass for each answer."""
    return [
        replace(
            hand,
            events=[
                replace(event, action=Pass()) if isinstance(event, Answered) else event
                for event in hand.events
            ],
        )
        for hand in split_hands(game_events())
    ]


@pytest.fixture(scope="module")
def passing() -> list[Decision]:
    return [
        decision
        for hand in passing_hands()
        for decision in review_hand(hand, with_curves=False)
        if decision.claimed
    ]


def test_passing_where_the_bot_calls_loses_what_strong_players_think_of_the_call(
    passing: list[Decision],
) -> None:
    """A call that the network does not know loses the difference of the bot's scores."""
    rated = unrated = 0
    for decision in passing:
        best, made = decision.choices[decision.bot.place], choice_made(decision)
        if decision.bot.place == decision.chosen:
            assert decision.loss == 0
            continue
        assert decision.bot.why != "same"
        places = decision.loss * decision.worth / 1_000
        assert decision.place_loss == pytest.approx(places, abs=1e-3)
        shares = shares_of(decision.standing)
        if shares and shares[decision.bot.place] is not None:
            ahead = math.log((shares[decision.bot.place] or 0) / (shares[decision.chosen] or 1))
            assert decision.loss == max(0, round(136 * ahead))
            rated += decision.loss > 0
        else:
            assert decision.loss == max(0, best.score - made.score)
            unrated += decision.loss > 0
    assert rated > 2
    assert unrated > 0


def test_shares_of_strong_players_are_probabilities_of_what_the_network_rates(
    review: GameReview,
) -> None:
    known = 0
    for decision in review.decisions:
        found = discards(decision)
        if not decision.claimed and len(found) < 2:
            assert decision.standing == b""
            continue
        shares = shares_of(decision.standing)
        if not shares:
            continue
        assert sum(share for share in shares if share is not None) == pytest.approx(1)
        rated = [share is not None for share in shares]
        assert len(rated) == len(decision.choices)
        if not decision.claimed:
            assert rated == [choice.action == "discard" for choice in decision.choices]
            bots = decision.choices[decision.bot.place]
            if bots.action == "discard":
                assert decision.standing[decision.bot.place] == 0
        known += 1
    assert known > 300


def test_a_turn_without_riichi_loses_a_fifth_of_its_gain(review: GameReview) -> None:
    found = 0
    for decision in review.decisions:
        best = decision.choices[decision.bot.place]
        if not decision.bot.riichi or best.riichi is None:
            continue
        silent = loss_in_points(
            decision.choices,
            decision.standing,
            (decision.bot.place, True),
            (decision.bot.place, False),
            4,
        )
        assert silent == max(0, round(best.riichi.gain / 5))
        found += silent > 0
    assert found


def test_figures_of_calls_equal_a_plain_second_computation(
    review: GameReview, tables: list[Table]
) -> None:
    """Shanten and useful tiles before and after each offered call are counted from the hand."""
    seen = set()
    for decision in [reviewed for reviewed in review.decisions if reviewed.claimed][:40]:
        hand = tables[decision.at + 1].hands[decision.seat]
        for choice in decision.choices:
            if choice.shanten is None:
                assert choice.action == "win"
                continue
            counts = [0] * 34
            for tile in hand.tiles:
                counts[kind_of(tile)] += 1
            for text in [*choice.laid, *([choice.tile] if choice.tile else [])]:
                counts[kind_of(tile_from_text(text))] -= 1
            assert min(counts) >= 0
            assert choice.shanten == plain_shanten(counts)
            useful = {tile_to_text(2 * kind) for kind in plain_useful(counts)}
            assert set(choice.useful) <= useful
            assert choice.unseen == sum(choice.useful.values())
            assert all(choice.useful.values())
            seen.add(choice.action)
    assert seen >= {"pass", "chi", "pon"}


def test_value_of_a_win_leaves_out_ura_dora(review: GameReview) -> None:
    wins = 0
    shown = shown_events()
    for decision in review.decisions:
        if choice_made(decision).action != "win":
            continue
        won = next(event for event in shown[decision.at + 1 :] if isinstance(event, Won))
        if not won.uradora_markers:
            assert choice_made(decision).value == won.deltas[decision.seat]
            wins += 1
    assert wins


def test_riichi_shows_the_points_with_and_without_it(review: GameReview) -> None:
    offered = 0
    for decision in review.decisions:
        for choice in decision.choices:
            if choice.riichi is not None:
                assert choice.shanten == 0
                assert choice.riichi.declared >= choice.riichi.silent
                offered += 1
        if decision.riichi:
            assert choice_made(decision).riichi is not None
    declared = sum(isinstance(event, RiichiDeclared) for event in game_events())
    assert sum(decision.riichi for decision in review.decisions) == declared
    assert offered >= declared > 0


def test_ten_costliest_decisions_of_each_seat_are_listed(
    review: GameReview,
) -> None:
    lossy = [
        replace(decision, loss=1, place_loss=place % 37 / 1_000)
        for place, decision in enumerate(review.decisions)
    ]
    again = join_hands([lossy], split_hands(game_events()))
    for seat, places in enumerate(again.dearest):
        losses = [lossy[place].place_loss for place in places]
        own = sorted(
            (decision.place_loss for decision in lossy if decision.seat == seat), reverse=True
        )
        assert len(places) == COSTLIEST_LISTED
        assert losses == own[:COSTLIEST_LISTED]
        assert all(lossy[place].seat == seat for place in places)


def test_labels_mark_the_fastest_and_the_safest_discard(review: GameReview) -> None:
    seen = {"fastest": 0, "safest": 0}
    for decision in review.decisions:
        found = discards(decision)
        least = min(((choice.shanten, -choice.unseen) for choice in found), default=None)
        for choice in found:
            assert ("fastest" in choice.labels) == ((choice.shanten, -choice.unseen) == least)
            seen["fastest"] += "fastest" in choice.labels
            if "safest" in choice.labels:
                assert choice.danger == min(other.danger or 0 for other in found)
                seen["safest"] += 1
    assert all(seen.values()), seen


def test_rates_against_the_only_riichi_are_counted_and_others_estimated(
    review: GameReview,
) -> None:
    counted = estimated = 0
    for decision in review.decisions:
        for discard in discards(decision):
            assert {danger.seat for danger in discard.dangers} == {
                *decision.riichi_against,
                *decision.open_against,
            }
            for danger in discard.dangers:
                if decision.riichi_against == [danger.seat]:
                    assert danger.cases > 0
                    counted += 1
                else:
                    assert danger.cases == 0
                    estimated += 1
    assert counted
    assert estimated


def test_review_without_the_solver_has_no_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.analysis.discard_speed.HAS_SOLVER", False)
    without = (
        "import sys; sys.modules['jansou_native'] = None; "
        "from game.analysis import discard_speed; print(discard_speed.HAS_SOLVER)"
    )
    shown = [sys.executable, "-c", without]
    assert subprocess.check_output(shown, cwd=settings.BASE_DIR, text=True) == "False\n"
    hand = split_hands(game_events())[0]
    assert review_hand(hand) == review_hand(hand, with_curves=False)


def test_stored_curves_are_those_of_the_choice_and_of_the_bot_and_others_on_demand() -> None:
    shantens = set()
    decisions = review_hand(split_hands(game_events())[0])
    for decision in decisions[:40]:
        if decision.claimed:
            continue
        found = curves_at(game_events(), decision.at, decision.seat)
        assert found is not None
        for place, choice in enumerate(decision.choices):
            if choice.action != "discard":
                assert found.curves[place] is None
                continue
            assert choice.shanten is not None
            shantens.add(choice.shanten)
            curves = found.curves[place]
            assert (curves is not None) == (choice.shanten <= 3)
            is_stored = place in (decision.chosen, decision.bot.place)
            assert choice.curves == (curves if is_stored else None)
            if curves is not None:
                assert min(curves.win) >= 0
                assert sum(curves.win) <= sum(curves.tenpai) <= 1_000
        points = [curves.points for curves in found.curves if curves is not None]
        most = max(points, default=0)
        assert found.worth_most == [
            place
            for place, curves in enumerate(found.curves)
            if most and curves is not None and curves.points == most
        ]
    assert shantens >= {0, 1, 2, 3, 4}
    assert curves_at(game_events(), 0, 3) is None


def test_running_game_has_no_review() -> None:
    running = [event for event in game_events() if not isinstance(event, GameEnded)]
    with pytest.raises(NotFinished):
        review_game(running, with_curves=False)


def test_bot_agrees_with_decisions_of_its_own(review: GameReview) -> None:
    """Differences may occur only between equal scores, from which the bot chooses at random."""
    for decision in review.decisions:
        assert decision.loss == 0
        assert decision.bot.why == "same"
