"""What each seat did in a game, counted from its events. Pure.

A rate is per hand dealt. A hand that is played again after a chombo counts twice.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from game.engine.events import (
    ChiCalled,
    DaiminkanCalled,
    Event,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiDeclared,
    Won,
)

_SEATS = 4


class SeatCounts(msgspec.Struct):
    """Of one seat. The names are those of `game.models.GameSeat`."""

    hands: int = 0
    wins: int = 0
    tsumo_wins: int = 0
    win_points: int = 0
    deal_ins: int = 0
    deal_in_points: int = 0
    riichi: int = 0
    calls: int = 0
    draws: int = 0
    tenpai_draws: int = 0


def counted(events: Iterable[Event]) -> tuple[SeatCounts, ...]:
    """The counts of the four seats."""
    counts = tuple(SeatCounts() for _ in range(_SEATS))
    opened: set[int] = set()
    has_dealt_in = False
    for event in events:
        match event:
            case HandStarted():
                opened, has_dealt_in = set(), False
                for count in counts:
                    count.hands += 1
            case RiichiDeclared(actor=actor):
                counts[actor].riichi += 1
            case ChiCalled(actor=actor) | PonCalled(actor=actor) | DaiminkanCalled(actor=actor):
                counts[actor].calls += actor not in opened
                opened.add(actor)
            case Won():
                _count_win(counts, event, is_first=not has_dealt_in)
                has_dealt_in = True
            case HandDrawn(reason="exhaustive" | "nagashi_mangan", tenpais=tenpais):
                for count, is_tenpai in zip(counts, tenpais, strict=True):
                    count.draws += 1
                    count.tenpai_draws += is_tenpai
            case _:
                pass
    return counts


def _count_win(counts: tuple[SeatCounts, ...], won: Won, *, is_first: bool) -> None:
    """Whoever deals in to two at once has dealt in once, to the worth of both."""
    winner, loser = counts[won.actor], counts[won.target]
    winner.wins += 1
    winner.win_points += won.points
    if won.actor == won.target:
        winner.tsumo_wins += 1
    else:
        loser.deal_ins += is_first
        loser.deal_in_points += won.points
