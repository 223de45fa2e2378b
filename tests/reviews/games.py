"""Games of the bots for tests of reviews."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from bench.played_games import play_room
from game.engine.events import Discarded, Event
from game.engine.evolve import evolve
from game.engine.rules import TENHOU
from game.engine.state import Phase, Riichi, Table
from game.tables.room import SeatMeta

SHORT_RULES: Final = replace(
    TENHOU, start_points=3_000, return_points=3_000, goal_points=3_000, oka=0
)
"""Rules with which a game ends after a few hands."""


@cache
def bot_game(seed: int) -> tuple[Event, ...]:
    """Return the events of a whole game of four sensible bots."""
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    _, log = play_room(f"review-{seed}", seats, TENHOU, seed=seed, started_at=0)
    return tuple(event for commit in log for event in commit.events)


def tables_before_discards(events: Iterable[Event]) -> Iterator[Table]:
    """Yield the table before each discard of a seat that is not in riichi."""
    table = Table()
    for event in events:
        if (
            isinstance(event, Discarded)
            and table.phase == Phase.TURN
            and table.hands[event.actor].riichi != Riichi.ACCEPTED
        ):
            yield table
        table = evolve(table, event)
