"""Decides what happens to a table that its players have abandoned: it pauses, and later its game is
ended; and to the site's table of bots when nobody watches. Pure.

A table is abandoned if nobody of its people has a socket. Games that are played to their end, the
guided ones and tables of bots are left alone. The time in which no web server could take a player
back does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from game.engine.commands import EndGame
from game.tables.commit_draft import Proposal
from game.tables.room import Room
from game.tables.timeouts import Heartbeats, SeatSockets, overlap_ms


@dataclass(frozen=True, slots=True)
class AbandonmentLimits:
    """For how long a table may be abandoned."""

    pause_after_ms: int
    """The time without a socket until the table pauses; 0 for never."""
    end_after_ms: int
    """The length of that pause, after which the game is ended."""


def may_be_abandoned(room: Room, limits: AbandonmentLimits) -> bool:
    """Return whether the table looks abandoned. `propose_for_abandoned` then decides by the
    sockets, which this function does not need."""
    if not limits.pause_after_ms or not room.is_deserted:
        return False
    return not room.clock.paused_at or room.is_paused_for_absence


def propose_for_abandoned(
    room: Room,
    limits: AbandonmentLimits,
    heartbeats: Heartbeats,
    sockets: Mapping[int, SeatSockets],
    now: int,
) -> Proposal | None:
    """Return what happens at an abandoned table that is due; None if it goes on. `sockets` has
    those of all people."""
    absent_ms = _absent_ms(room, heartbeats, sockets.values(), now)
    if absent_ms < limits.pause_after_ms:
        return None
    left_ms = limits.end_after_ms
    if room.clock.paused_at:
        left_ms += limits.pause_after_ms - absent_ms
        if left_ms <= 0:
            return Proposal(votes=room.no_votes, resume=True, commands=(EndGame(),))
    return Proposal(pause_until=now + left_ms)


UNWATCHED_MS: Final = 60_000
"""For how long the site's table of bots waits for somebody to watch."""


def propose_for_unwatched(room: Room, now: int) -> Proposal | None:
    """Return what happens at the site's table of bots that is due while nobody watches: None while
    it waits, and later the end of its game."""
    if now - room.at < UNWATCHED_MS:
        return None
    return Proposal(commands=(EndGame(),))


def _absent_ms(room: Room, heartbeats: Heartbeats, sockets: Iterable[SeatSockets], now: int) -> int:
    """Return for how long no person at the table has had a socket, though some web server could
    have taken one back."""
    since = room.meta.opened_at
    for player in sockets:
        since = max(since, player.left_at or 0, player.lost_at)
        for process in player.processes:
            if not heartbeats.is_silent(process, now):
                return 0
            if (record := heartbeats.by_process.get(process)) is not None:
                since = max(since, record.beat_at)
    return max(
        (
            now - start - overlap_ms(record.outages, start, now)
            for process in heartbeats.accepting
            if not heartbeats.is_silent(process, now)
            for record in [heartbeats.by_process[process]]
            for start in [max(since, record.began_at)]
        ),
        default=0,
    )
