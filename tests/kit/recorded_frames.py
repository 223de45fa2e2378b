"""Records a whole game as the frames of one seat, which a page can replay without a server."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from game.engine.clock import ClockSettings, next_clock
from game.engine.perspective import redact
from game.engine.rules import RuleSet
from game.live import outbound
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta, evolve_table, fold
from tests.kit.random_games import NAMES, play_random_game

_OPENED_AT: Final = 1_790_000_000_000
_FRAME_INTERVAL_MS: Final = 1_000


def record_frames(seed: int, rules: RuleSet, hands: int, viewer: int) -> Iterator[tuple[str, int]]:
    """Play a game with that seed, and yield each frame of `viewer` with the number of hands dealt
    so far. The first frame contains the whole table."""
    east, south, west, north = (SeatMeta(name=name) for name in NAMES)
    meta = TableMeta((east, south, west, north), ClockSettings(), opened_at=_OPENED_AT)
    room = Room(TableId("recorded"), meta)
    for _, _, events in play_random_game(Random(seed), rules, hands):
        before, at = room, _OPENED_AT + room.version * _FRAME_INTERVAL_MS
        clock = next_clock(meta.clock, room.clock, room.table, evolve_table(room.table, events), at)
        room = fold(room, Commit(room.version + 1, b"", at, (), events, clock))
        seen = [shown for event in events if (shown := redact(event, viewer)) is not None]
        if before.version == 0:
            yield outbound.encode("sync", room, viewer), room.table.hands_dealt
        elif seen:
            yield outbound.encode("ev", room, viewer, seen), room.table.hands_dealt
