"""Decides a proposal and drafts it as the next commit of a room. Pure."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from game.engine.by_seat import BySeat
from game.engine.clock import (
    Clock,
    extend_round,
    may_continue,
    next_clock,
    pause_clock,
    reopen_question,
    resume_clock,
)
from game.engine.commands import Act, Command, Proceed, Timeout
from game.engine.decide import Accepted, Rejected, Stale, decide
from game.engine.events import Event, HandStarted
from game.engine.state import Table
from game.tables.room import NO_SEAT, Commit, Room, SeatMeta, Votes, apply_commit, evolve_table
from game.tables.scheduler import due_at


class Proposal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Commands for one commit, and its changes to clocks, seats and votes."""

    commands: tuple[Command, ...] = ()
    skips_refused: bool = False
    """Whether commands that the rules refuse are left out. Otherwise one such command refuses the
    whole proposal."""
    reopen: tuple[int, ...] = ()
    """Seats whose open question is asked again, with its full time."""
    not_charged: int = 0
    """Milliseconds of thinking time that are not charged; may be more than was used."""
    seat: int = NO_SEAT
    cid: str = ""
    resume: bool = False
    """Whether the clocks are started again."""
    pause_until: int = 0
    """The time until which the clocks are stopped; 0 for no pause."""
    seats: BySeat[SeatMeta] | None = None
    votes: Votes | None = None
    notice: str | None = None
    """The new notice of the operator or of an official (`Room.notice`); None for no change."""
    extra_ms: int | None = None
    """What officials have added to the time of the round, in all; None for no change."""
    round_ms: int = 0
    """The length of the round, for the first commit."""
    absent_since: BySeat[int] | None = None
    """The new marks of absent players (`Room.absent_since`); None for no change."""


class Draft(msgspec.Struct, frozen=True, gc=False):
    """A commit that the rules allow, and the room it would make."""

    commit: Commit
    after: Room
    due: int | None
    """When the room after the commit is due; None for never."""


def draft(
    room: Room, proposal: Proposal, *, now_ms: Callable[[], int], token: bytes
) -> Draft | Rejected | Stale:
    """Decide the proposal on this room.

    The time is read once, after the commands have been decided. A discard that somebody may call
    takes longer to decide, and the time between its commit and its frames must not reveal that.

    If nobody is left to answer and it is time to go on, the table goes on in the same commit. If
    the reaction time has not ended, the commit gets the time of its end, which depends neither on
    the last answer nor on the process. A proposal that would change nothing is `Stale`.
    """
    settings = room.meta.clock
    is_paused = room.clock.paused_at and not proposal.resume
    if is_paused and any(isinstance(command, (Act, Timeout)) for command in proposal.commands):
        return Rejected("paused", "the game is paused")
    table, events = room.table, list[Event]()
    commands: list[Command] = []
    for command in proposal.commands:
        match decide(table, command):
            case Accepted() as accepted:
                table = evolve_table(table, accepted.events)
                events.extend(accepted.events)
                commands.append(command)
            case refusal:
                if not proposal.skips_refused:
                    return refusal
    now = now_ms()
    before = resume_clock(room.clock, now) if proposal.resume else room.clock
    clock = next_clock(settings, before, room.table, table, now, proposal.not_charged)
    at = now
    if may_continue(settings, clock, table, now):
        at = max(now, clock.closes_at)
        table, clock = _proceed(room, table, clock, at, commands, events)
    for seat in proposal.reopen:
        clock = reopen_question(settings, clock, seat, now)
    if proposal.pause_until:
        clock = pause_clock(clock, now, proposal.pause_until)
    if proposal.extra_ms is not None:
        clock = extend_round(clock, proposal.extra_ms)
    if proposal.round_ms:
        clock = msgspec.structs.replace(clock, round_ends_at=now + proposal.round_ms)
    notice = proposal.notice
    if notice is None and room.notice and _ends_notice(proposal, clock, events):
        notice = ""
    rest = (proposal.seats, proposal.votes, notice, proposal.absent_since)
    if not commands and clock == room.clock and all(value is None for value in rest):
        return Stale()
    commit = Commit(
        version=room.version + 1,
        token=token,
        at=at,
        commands=tuple(commands),
        events=tuple(events),
        clock=clock,
        seat=proposal.seat,
        cid=proposal.cid,
        seats=proposal.seats,
        votes=proposal.votes,
        notice=notice,
        absent_since=proposal.absent_since,
    )
    after = apply_commit(room, commit, table)
    return Draft(commit, after, due_at(after))


def _ends_notice(proposal: Proposal, clock: Clock, events: list[Event]) -> bool:
    is_next_hand = any(isinstance(event, HandStarted) for event in events)
    return proposal.resume or (is_next_hand and not clock.paused_at)


def _proceed(
    room: Room,
    table: Table,
    clock: Clock,
    now: int,
    commands: list[Command],
    events: list[Event],
) -> tuple[Table, Clock]:
    command = Proceed(table.step)
    decided = decide(table, command)
    if not isinstance(decided, Accepted):
        raise ValueError(f"the table does not go on at step {table.step}: {decided}")
    after = evolve_table(table, decided.events)
    commands.append(command)
    events.extend(decided.events)
    return after, next_clock(room.meta.clock, clock, table, after, now)
