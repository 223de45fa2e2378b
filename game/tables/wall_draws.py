"""The draw of the seed at a table: what pages send, and what the server does when time is over.

The engine decides what is refused (`game.engine.wall_draw`). Random bytes and times are parameters.
Of the site this module knows only the key that signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.engine.by_seat import BySeat
from game.engine.commands import BindWall, Command, CommitWall, DrawWall, RevealWall, VoidWall
from game.engine.state import DrawState
from game.engine.wall_draw import facts_to_bind, with_value_of_seat
from game.tables.commit_draft import Proposal
from game.tables.room import Room, SeatMeta, TableId
from game.tables.wall_signer import site_signer

OUTAGE_GRACE_MS: Final = 4_000
"""How much longer the draw waits for a page from which the server could not receive in time."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The page of a seat commits to its contribution. `fresh` is 32 new random bytes, used as the
    server's secret if this is the last commitment."""

    seat: int
    draw: int
    commitment: bytes
    fresh: bytes


@dataclass(frozen=True, slots=True)
class Reveal:
    """The page of a seat reveals its contribution."""

    seat: int
    draw: int
    contribution: bytes


def first_draw(table_id: TableId, seats: BySeat[SeatMeta]) -> DrawWall:
    """Return the command that begins the draw at a new table, which has at least one page."""
    people = tuple([at for at, seat in enumerate(seats) if seat.is_of_person])
    return DrawWall(people, table_id, tuple(map(_player_label, seats)))


def _player_label(seat: SeatMeta) -> str:
    return f"person:{seat.person}" if seat.person else f"bot:{seat.bot}"


def propose_draw(room: Room, request: Commitment | Reveal) -> Proposal | None:
    """Return the proposal for a message of a page; None if the same was stored before. The last
    awaited commitment closes the list of commitments."""
    draw, seat = room.table.wall_draw, request.seat
    is_current = draw is not None and draw.number == request.draw
    if isinstance(request, Reveal):
        if draw is not None and is_current and draw.contributions[seat] == request.contribution:
            return None
        return Proposal(commands=(RevealWall(seat, request.draw, request.contribution),))
    if draw is not None and is_current and draw.commitments[seat] == request.commitment:
        return None
    commands: tuple[Command, ...] = (CommitWall(seat, request.draw, request.commitment),)
    if draw is not None and set(awaited_seats(room)) <= {seat}:
        listed = with_value_of_seat(draw.commitments, seat, request.commitment)
        commands = (*commands, _bind(room, request.draw, listed, request.fresh))
    return Proposal(commands=commands)


def _bind(room: Room, draw: int, commitments: BySeat[bytes], secret: bytes) -> BindWall:
    """Return the command that closes the list of these commitments, with the signature."""
    facts = facts_to_bind(room.table, commitments, secret) if any(commitments) else None
    if facts is None:
        return BindWall(draw, secret)
    return BindWall(draw, secret, *site_signer().sign(facts.binding))


def awaited_seats(room: Room) -> tuple[int, ...]:
    """Return the seats of which the draw still awaits a message of the page."""
    table = room.table
    draw = table.wall_draw
    if draw is None or not table.is_drawing_wall:
        return ()
    if draw.state == DrawState.REVEAL:
        return tuple(
            [
                seat
                for seat in table.seats
                if draw.commitments[seat] and not draw.contributions[seat]
            ]
        )
    return tuple(
        [seat for seat in draw.seats if not draw.commitments[seat] and not room.is_bot(seat)]
    )


def close_draw(room: Room, fresh: bytes) -> Proposal:
    """Return the proposal that ends the current step of the draw when its time is over. `fresh` is
    32 new random bytes."""
    draw = room.table.wall_draw
    assert draw is not None
    if draw.state == DrawState.REVEAL:
        return Proposal(commands=(VoidWall(draw.number, fresh),))
    return Proposal(commands=(_bind(room, draw.number, draw.commitments, fresh),))
