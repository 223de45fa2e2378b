"""Counts the figures of each player from the events of a game. Pure.

A hand counts for the player who held the seat from its deal to its end; if the seat had two
players, it counts for nobody. An abandoned hand does not count, and neither does one that ended in
a chombo, because it is played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from game.engine.events import (
    AwayChanged,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    Won,
)
from game.engine.rules import RuleSet
from game.results.hand_figures import HandFigures
from game.results.play_figures import PlayFigures

Step = tuple[Sequence[str], Sequence[Event]]
"""The players by seat, '' for a bot, and the events while they had these seats."""


class GameFigures(msgspec.Struct):
    """The figures of a game's players, by their ids."""

    players: dict[str, PlayFigures]
    """The figures of each player's hands, at any seat, by player, without the result of the
    game."""
    present: tuple[str, ...] = ()
    """By seat, the player who was present when the last hand ended; '' where a bot or a stand-in
    played."""


class _Hand(HandFigures):
    """The hand in progress, with the ids of its players."""

    def __init__(
        self, players: Sequence[str], started: HandStarted, number: int, rules: RuleSet
    ) -> None:
        super().__init__(started, number, rules)
        self.players = list(players)
        """The players who have held their seats since the deal; '' where the player changed."""


def count_game(steps: Iterable[Step]) -> GameFigures:
    """Count the figures of a game. Each step has the ids of the players by seat and some events;
    steps are in order."""
    rules = RuleSet()
    away: list[bool] = []
    found = GameFigures({})
    is_present_known = False
    hand: _Hand | None = None
    dealt = 0
    for players, events in steps:
        if hand is not None and not hand.is_over:
            for seat, player in enumerate(players):
                if player != hand.players[seat]:
                    hand.players[seat] = ""
        for event in events:
            match event:
                case GameStarted():
                    rules = event.rules
                    away = [False] * rules.players
                case HandStarted():
                    if hand is not None:
                        _finish_hand(hand, found, event)
                    hand = _Hand(players, event, dealt, rules)
                    dealt += 1
                case AwayChanged():
                    away[event.actor] = event.away
                case _ if hand is not None:
                    hand.add(event)
            if isinstance(event, (Won, HandDrawn)):
                found.present, is_present_known = _present_players(players, away), True
        if not is_present_known:
            found.present = _present_players(players, away)
    if hand is not None:
        _finish_hand(hand, found, None)
    return found


def _present_players(players: Sequence[str], away: Sequence[bool]) -> tuple[str, ...]:
    return tuple(["" if is_away else player for player, is_away in zip(players, away, strict=True)])


def _finish_hand(hand: _Hand, found: GameFigures, following: HandStarted | None) -> None:
    if not hand.is_counted:
        return
    hand.finish(following)
    for player, figures in zip(hand.players, hand.seats, strict=True):
        if player:
            found.players.setdefault(player, PlayFigures()).add(figures)
