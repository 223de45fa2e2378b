"""Counts wins, deal-ins, calls and places of chosen seats in games, from their events.

"Seats of interest" are the seats that the caller chooses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

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
    seats: int = 0
    """Number of games, counted once for each seat of interest."""
    hands: int = 0
    """Number of hands, counted once for each seat of interest."""
    dealt: int = 0
    """Number of hands, counted once."""
    wins: int = 0
    deal_ins: int = 0
    exhaustive: int = 0
    riichi: int = 0
    opened: int = 0
    """Number of hands with a call, counted for each seat of interest that called."""
    points_won: int = 0
    """Points of the wins of seats of interest."""
    points_dealt: int = 0
    """Points of the wins to which a seat of interest dealt in."""
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    """How often a seat of interest came first, second, third and, of four players, fourth."""
    scores: int = 0
    """Sum of the final points of the seats of interest, without uma and oka."""
    thousands: float = 0.0
    """Sum of the final points of the seats of interest with uma and oka, in thousands relative to
    the return points."""

    def add(self, events: Iterable[Event], seats: frozenset[int]) -> None:
        """Count one game. `seats` are the seats of interest."""
        self.games += 1
        self.seats += len(seats)
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
                    self._add_end(event, seats)
                case _:
                    pass

    def _add_win(self, won: Won, seats: frozenset[int]) -> None:
        if won.actor in seats:
            self.wins += 1
            self.points_won += won.points
        if won.target in seats and won.target != won.actor:
            self.deal_ins += 1
            self.points_dealt += won.points

    def _add_end(self, ended: GameEnded, seats: frozenset[int]) -> None:
        for seat in seats:
            place, thousands = ended.placement[seat]
            self.places[place - 1] += 1
            self.scores += ended.scores[seat]
            self.thousands += thousands

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for counter in fields(self):
            mine, theirs = getattr(self, counter.name), getattr(other, counter.name)
            if isinstance(mine, list):
                merged = [own + added for own, added in zip(mine, theirs, strict=True)]
                setattr(self, counter.name, merged)
            else:
                setattr(self, counter.name, mine + theirs)

    @property
    def mean_rank(self) -> float:
        """The mean place of a seat of interest, from 1."""
        total = sum(place * count for place, count in enumerate(self.places, start=1))
        return total / max(1, self.seats)

    @property
    def win_rate(self) -> float:
        return self.wins / max(1, self.hands)

    @property
    def deal_in_rate(self) -> float:
        return self.deal_ins / max(1, self.hands)

    @property
    def riichi_rate(self) -> float:
        return self.riichi / max(1, self.hands)

    @property
    def call_rate(self) -> float:
        return self.opened / max(1, self.hands)
