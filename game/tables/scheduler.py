"""Computes when a room is due, that is, when the server has to act there. Pure.

During claims, the server answers for bots and stand-ins within the reaction time after the discard.
Its end depends only on the discard, so that its length does not reveal whether anybody could call.
`timeouts` decides what the server does then.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from game.engine.clock import WAITING_PHASES, continues_at, deadline
from game.engine.legal import legal, pending_seats
from game.engine.state import Phase, Riichi
from game.tables.bot_seats import question_fraction, thinking_ms
from game.tables.room import Room

SECRET_PHASES: Final = (Phase.CLAIMS, Phase.SHOWING)
"""Phases in which only those who are asked know that they are."""
ABSENT_MS: Final = 5_000
"""For how long a player must have been shown as absent until a stand-in answers at once what
nobody else may know that they are asked."""


class PlayedBy(Enum):
    """Who answers the open question of a seat."""

    PERSON = "person"
    BOT = "bot"
    STAND_IN = "stand_in"
    """The server answers: the player is away, or has only one legal move in riichi."""
    ABSENT = "absent"
    """The player is shown as absent, and the question is secret: the server answers as a stand-in,
    but only if it has certainly not kept the player out."""


def played_by(room: Room, seat: int) -> PlayedBy:
    """Return who answers the open question of `seat`."""
    if room.is_bot(seat):
        return PlayedBy.BOT
    table = room.table
    if table.away[seat]:
        return PlayedBy.STAND_IN
    in_riichi = table.hands[seat].riichi == Riichi.ACCEPTED
    if table.phase == Phase.TURN and in_riichi and len(legal(table, seat)) == 1:
        return PlayedBy.STAND_IN
    if table.phase in SECRET_PHASES and room.absent_since[seat]:
        return PlayedBy.ABSENT
    return PlayedBy.PERSON


def expires_at(room: Room, seat: int) -> int:
    """Return when (ms) a player who has not answered runs out of time."""
    settings = room.meta.clock
    if settings.is_unlimited and room.table.phase != Phase.RESULT:
        return room.clock.asked_at[seat] + settings.base_ms
    end = deadline(settings, room.clock, room.table.phase, seat)
    return (room.clock.closes_at if end is None else end) + settings.lag_ms


def answers_at(room: Room, seat: int) -> int:
    """Return when (ms) the server answers for `seat`, unless its player answers before."""
    player = played_by(room, seat)
    if player is PlayedBy.PERSON:
        return expires_at(room, seat)
    settings, clock, phase = room.meta.clock, room.clock, room.table.phase
    if phase in SECRET_PHASES:
        at = clock.closes_at - int(
            settings.reaction_ms * (0.4 + 0.3 * question_fraction(room, "claims"))
        )
        if player is PlayedBy.ABSENT:
            return min(max(at, room.absent_since[seat] + ABSENT_MS), expires_at(room, seat))
        return at
    if phase == Phase.RESULT:
        return clock.closes_at
    asked_at = clock.asked_at[seat]
    if player is PlayedBy.BOT:
        return asked_at + thinking_ms(room, seat)
    return asked_at + (settings.away_ms if room.table.away[seat] else settings.forced_ms)


def due_at(room: Room) -> int | None:
    """Return the server time (ms) at which the server must next act for the room; None if nothing
    is scheduled."""
    table = room.table
    if table.phase == Phase.ENDED:
        return room.clock.closes_at
    if room.clock.paused_at:
        return room.clock.pause_ends_at
    next_at = _game_due_at(room)
    if not room.clock.round_ends_at:
        return next_at
    return room.clock.round_ends_at if next_at is None else min(next_at, room.clock.round_ends_at)


def _game_due_at(room: Room) -> int | None:
    """Return when the game itself is due, without the clock of the round."""
    table = room.table
    if table.is_drawing_wall:
        return room.clock.closes_at
    unanswered = pending_seats(table)
    if unanswered:
        return min(answers_at(room, seat) for seat in unanswered)
    if table.phase not in WAITING_PHASES:
        return None
    return continues_at(room.meta.clock, room.clock, table.phase)
