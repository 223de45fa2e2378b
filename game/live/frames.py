"""When a table needs a whole new frame, and how frames are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from game.engine.events import Event
from game.tables.room import Room


class Encode(Protocol):
    """Writes a frame: `events`, redacted for `audience`, or the whole room."""

    def __call__(
        self,
        kind: Literal["ev", "sync"],
        room: Room,
        audience: int,
        events: Sequence[Event] = (),
    ) -> str: ...


def is_arranged_anew(before: Room, after: Room) -> bool:
    """Whether it is another table to look at: seats, votes, or clocks that stand or go again."""
    return _arrangement(before) != _arrangement(after)


def _arrangement(room: Room) -> tuple[object, ...]:
    clock = room.clock
    pause = (bool(clock.paused_at), clock.pause_ends_at, room.notice)
    return room.meta.seats, room.votes, pause
