"""In a round with a time limit, the current hand and one more hand are played after the call."""

from __future__ import annotations

import pytest

from game.engine.commands import (
    CallLastHand,
    DealHand,
    EndGame,
    Proceed,
    RestoreGame,
    StartGame,
    Timeout,
)
from game.engine.decide import Accepted, Rejected, decide
from game.engine.events import Event, GameRestored, LastHandCalled
from game.engine.evolve import evolve
from game.engine.legal import pending_seats
from game.engine.perspective import SPECTATOR, redact
from game.engine.rules import TENHOU
from game.engine.state import Phase, Table

SEED = bytes(range(32))


def done(table: Table, command: object) -> tuple[Table, tuple[Event, ...]]:
    verdict = decide(table, command)  # type: ignore[arg-type]
    assert isinstance(verdict, Accepted), verdict
    for event in verdict.events:
        table = evolve(table, event)
    return table, verdict.events


def begin() -> Table:
    table, _ = done(Table(), StartGame(TENHOU, ("a", "b", "c", "d"), SEED))
    return done(table, DealHand())[0]


def play_until(table: Table, until: Phase) -> Table:
    """Let nobody act until that phase, except to confirm results."""
    while table.phase != until:
        seats = pending_seats(table)
        command = Timeout(table.step, seats) if seats else Proceed(table.step)
        table, _ = done(table, command)
    return table


def test_last_hand_is_a_public_event_of_the_game() -> None:
    table, events = done(begin(), CallLastHand())
    assert events == (LastHandCalled(),)
    assert redact(events[0], SPECTATOR) == events[0]
    assert (table.hands_dealt, table.last_hand) == (1, 2)


@pytest.mark.parametrize("phase", [Phase.TURN, Phase.RESULT])
def test_one_more_hand_is_played_after_the_current_one(phase: Phase) -> None:
    """If the call comes between two hands, the next hand is the last."""
    table = play_until(begin(), phase)
    table, _ = done(table, CallLastHand())
    over = play_until(table, Phase.ENDED)
    assert over.hands_dealt == 2
    assert sorted(place for place, _ in over.placement) == [1, 2, 3, 4]


def test_game_may_end_before_its_last_hand() -> None:
    over = play_until(begin(), Phase.ENDED)
    assert over.hands_dealt > 2
    assert over.last_hand == 0


def test_last_hand_is_called_once() -> None:
    table, _ = done(begin(), CallLastHand())
    again = decide(table, CallLastHand())
    assert isinstance(again, Rejected)
    assert again.code == "unchanged"
    over, _ = done(table, EndGame())
    assert isinstance(decide(over, CallLastHand()), Rejected)


@pytest.mark.parametrize("phase", [Phase.TURN, Phase.RESULT])
def test_early_end_breaks_the_game_off(phase: Phase) -> None:
    """An end between two hands breaks the game off as well, although no hand is abandoned."""
    table = play_until(begin(), phase)
    assert not table.broken_off
    over, _ = done(table, EndGame())
    assert over.broken_off
    assert not play_until(table, Phase.ENDED).broken_off


def test_repeated_hand_is_not_the_last_hand() -> None:
    table, _ = done(begin(), CallLastHand())
    table, events = done(table, RestoreGame(bytes(32), "official"))
    restored = next(event for event in events if isinstance(event, GameRestored))
    assert restored.reason == "official"
    assert (table.kyoku, table.honba) == (0, 0)
    assert play_until(table, Phase.ENDED).hands_dealt == 3
