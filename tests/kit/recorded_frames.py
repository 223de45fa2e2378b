"""A whole game as the frames that one seat is sent, to be played to a page without a server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from game.engine.clock import Clock, ClockSettings, opened
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.perspective import redact
from game.engine.rules import RuleSet
from game.engine.state import Table
from game.rooms.room import SeatMeta
from game.wire import outbound
from tests.kit.random_games import NAMES, played

_AT: Final = 1_790_000_000_000
_BETWEEN_MS: Final = 1_000


@dataclass
class Meta:
    """What was settled when the table was opened."""

    seats: tuple[SeatMeta, ...] = tuple(SeatMeta(name=name) for name in NAMES)
    clock: ClockSettings = field(default_factory=ClockSettings)
    help: bool = True


@dataclass
class Recorded:
    """A table as it stood, as far as frames are made of it."""

    table: Table
    clock: Clock = field(default_factory=Clock)
    meta: Meta = field(default_factory=Meta)
    seen: int = 0
    """How many events the audience has been sent."""
    votes: tuple[str, ...] = ("", "", "", "")

    def seq(self, audience: int) -> int:
        return self.seen


def frames(seed: int, rules: RuleSet, hands: int, audience: int) -> Iterator[tuple[str, int]]:
    """Each frame, and how many hands have been dealt by then; the first is the whole picture."""
    now = _AT
    room: Recorded | None = None
    for before, _, events in played(Random(seed), rules, hands):
        table, seen = before, list[Event]()
        for event in events:
            table = evolve(table, event)
            shown = redact(event, audience)
            if shown is not None:
                seen.append(shown)
        if room is None:
            room = Recorded(table, seen=len(seen))
            yield outbound.encode("sync", room, audience), table.hands_dealt
            continue
        now += _BETWEEN_MS
        room.clock = opened(room.meta.clock, room.clock, before, table, now)
        room.table = table
        room.seen += len(seen)
        if seen:
            yield outbound.encode("ev", room, audience, seen), table.hands_dealt
