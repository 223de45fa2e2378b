"""Decides when an abandoned table is paused, and when its game is ended. Pure.

A table is abandoned if none of its people has a socket. Games that are played to their end, guided
games and tables of bots alone are left running, except the site's own table of bots, which ends
when nobody watches. Time in which no web server could have reconnected a player does not count.
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
    """Return whether stand-ins play for all people here, so that the table may be abandoned. A
    cheap check, before the sockets are read for `propose_for_abandoned`."""
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
    """Propose to pause an abandoned table, or to end its game; None if the table goes on. `sockets`
    are those of all people at the table, by seat."""
    absent_ms = _all_absent_ms(room, heartbeats, sockets.values(), now)
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
    """Propose the end of the site's table of bots if nobody has watched it for `UNWATCHED_MS`; None
    before that."""
    if now - room.at < UNWATCHED_MS:
        return None
    return Proposal(commands=(EndGame(),))


def _all_absent_ms(
    room: Room, heartbeats: Heartbeats, sockets: Iterable[SeatSockets], now: int
) -> int:
    """Return for how many milliseconds no person at the table has had a socket, minus the outages
    of the web servers that accept players."""
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
