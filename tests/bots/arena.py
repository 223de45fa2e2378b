"""Counts the results of each seat over a number of games, from their events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from game.engine.events import (
    ChiCalled,
    DaiminkanCalled,
    Event,
    GameEnded,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiAccepted,
    Won,
)


@dataclass
class Tally:
    """Counts over the hands of the seats of interest."""

    games: int = 0
    hands: int = 0
    """Hands played, once for each seat of interest."""
    dealt: int = 0
    """Hands dealt."""
    wins: int = 0
    deal_ins: int = 0
    exhaustive: int = 0
    riichi: int = 0
    opened: int = 0
    """Hands with a call, once for each seat of interest."""
    points_won: int = 0
    places: int = 0
    """Sum of the final places of the seats of interest."""

    def add(self, events: Iterable[Event], seats: frozenset[int]) -> None:
        """Count one game."""
        self.games += 1
        open_seats: set[int] = set()
        for event in events:
            match event:
                case HandStarted():
                    self.opened += len(open_seats & seats)
                    open_seats.clear()
                    self.dealt += 1
                    self.hands += len(seats)
                case Won():
                    self._add_win(event, seats)
                case HandDrawn(reason="exhaustive"):
                    self.exhaustive += 1
                case RiichiAccepted():
                    self.riichi += event.actor in seats
                case ChiCalled() | PonCalled() | DaiminkanCalled():
                    open_seats.add(event.actor)
                case GameEnded():
                    self.opened += len(open_seats & seats)
                    self.places += sum(event.placement[seat][0] for seat in seats)
                case _:
                    pass

    def _add_win(self, won: Won, seats: frozenset[int]) -> None:
        if won.actor in seats:
            self.wins += 1
            self.points_won += won.points
        if won.target in seats and won.target != won.actor:
            self.deal_ins += 1

    @property
    def win_rate(self) -> float:
        return self.wins / self.hands

    @property
    def deal_in_rate(self) -> float:
        return self.deal_ins / self.hands

    @property
    def draw_rate(self) -> float:
        return self.exhaustive / self.dealt

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.dealt} hands: wins {self.win_rate:.1%}, "
            f"deal-ins {self.deal_in_rate:.1%}, drawn {self.draw_rate:.1%}, "
            f"riichi {self.riichi / self.hands:.1%}, opened {self.opened / self.hands:.1%}, "
            f"mean win {self.points_won / max(1, self.wins):.0f}, "
            f"places {self.places / max(1, self.games):.2f}"
        )
