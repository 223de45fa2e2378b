"""What players settle beside the game: pauses, the end before the end, who sits where. Pure.

A pause and an early end need the votes of all players who are there; going on needs one.
Whoever leaves is replaced by a bot and has the seat back on return, unless somebody has taken
it in the meantime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from msgspec.structs import replace

from game.engine.commands import EndGame, RestoreGame
from game.engine.decide import Rejected
from game.engine.state import SEATS, Phase
from game.tables.commit_draft import Proposal
from game.tables.room import NO_VOTES, FourSeats, Room, SeatMeta, Votes

STAND_IN_BOT: Final = "sensible"
"""Plays on for who has left, or has been removed."""
PAUSE_MS: Final = 600_000
"""After which a pause ends by itself."""

Motion = Literal["", "pause", "end"]


@dataclass(frozen=True, slots=True)
class Vote:
    """The seat's player wants that; '' withdraws."""

    seat: int
    motion: Motion


@dataclass(frozen=True, slots=True)
class Resume:
    """A player has had enough of the pause; or the house lets the clocks run again, which is
    the only one to end what it has begun."""

    by_house: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """The house stops the clocks for so long, as before a restart, and says why. While it has
    something to say, no player lets them run."""

    span_ms: int
    notice: str


@dataclass(frozen=True, slots=True)
class End:
    """The house breaks the game off."""


@dataclass(frozen=True, slots=True)
class Restore:
    """The table was restored from a backup: its game goes on with that seed, and a hand that
    is being played is dealt again. The clocks stand for so long, and the notice says why."""

    seed: bytes
    span_ms: int
    notice: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat's player goes; the bot plays on."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class Remove:
    """The house takes that person's seat away for good; the bot plays on."""

    person: str
    bot: str


@dataclass(frozen=True, slots=True)
class Return:
    """The seat's player, who had left, is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes the seat of a bot."""

    seat: int
    person: str
    name: str


TableRequest = Vote | Resume | Hold | End | Restore | Leave | Remove | Return | Sit

_OVER: Final = Rejected("not_running", "the game is over")
_HELD: Final = Rejected("held", "the house has stopped the clocks")


def proposal_for(room: Room, matter: TableRequest, now: int) -> Proposal | Rejected | None:
    """What is to be done about it; None if nothing is."""
    if room.table.phase == Phase.ENDED:
        return _OVER
    match matter:
        case Vote(seat=seat, motion=motion):
            return _voted(room, seat, motion, now)
        case Resume(by_house=by_house):
            if room.clock.paused_at and room.notice and not by_house:
                return _HELD
            return Proposal(resume=True, votes=NO_VOTES) if room.clock.paused_at else None
        case Hold(span_ms=span_ms, notice=notice):
            return Proposal(pause_until=now + span_ms, notice=notice)
        case End():
            return Proposal(votes=NO_VOTES, resume=True, commands=(EndGame(),))
        case Restore(seed=seed, span_ms=span_ms, notice=notice):
            return Proposal(
                votes=NO_VOTES,
                resume=True,
                commands=(RestoreGame(seed),),
                reopen=tuple(SEATS),
                pause_until=now + span_ms,
                notice=notice,
            )
        case Leave(seat=seat, bot=bot):
            return _left(room, seat, bot)
        case Remove(person=person, bot=bot):
            taken = room.seat_of(person)
            return None if taken is None else _replaced(room, taken, bot, person="")
        case Return(seat=seat):
            if not room.has_left(seat):
                return None
            return Proposal(seats=_with(room, seat, replace(_meta(room, seat), bot="")))
        case Sit():
            return _sat_down(room, matter)


def _voted(room: Room, seat: int, motion: Motion, now: int) -> Proposal | Rejected | None:
    if room.is_bot(seat):
        return Rejected("not_seated", "who has left the table has no vote")
    votes = _with_vote(room, seat, motion)
    if votes == room.votes:
        return None
    voters = [one for one in SEATS if one == seat or _has_vote(room, one)]
    is_carried = bool(motion) and all(votes[one] == motion for one in voters)
    if not is_carried:
        return Proposal(votes=votes)
    if motion == "pause":
        return Proposal(votes=NO_VOTES, pause_until=now + PAUSE_MS)
    return Proposal(votes=NO_VOTES, resume=True, commands=(EndGame(),))


def _has_vote(room: Room, seat: int) -> bool:
    return not room.is_bot(seat) and not room.table.away[seat]


def _left(room: Room, seat: int, bot: str) -> Proposal | None:
    if room.is_bot(seat):
        return None
    return _replaced(room, seat, bot, person=_meta(room, seat).person)


def _replaced(room: Room, seat: int, bot: str, *, person: str) -> Proposal:
    """The bot plays that seat, kept for that person or for nobody. Without players the game is
    over."""
    seats = _with(room, seat, replace(_meta(room, seat), bot=bot, person=person))
    votes = _with_vote(room, seat, "")
    if all(one.bot for one in seats):
        return Proposal(seats=seats, votes=NO_VOTES, resume=True, commands=(EndGame(),))
    return Proposal(seats=seats, votes=votes)


def _sat_down(room: Room, matter: Sit) -> Proposal | Rejected:
    if not room.is_bot(matter.seat):
        return Rejected("seat_taken", "somebody sits there")
    if room.seat_of(matter.person) is not None:
        return Rejected("seated", "you sit at this table already")
    taken = SeatMeta(name=matter.name, person=matter.person)
    return Proposal(seats=_with(room, matter.seat, taken), reopen=(matter.seat,))


def _with_vote(room: Room, seat: int, motion: Motion) -> Votes:
    return (*room.votes[:seat], motion, *room.votes[seat + 1 :])


def _meta(room: Room, seat: int) -> SeatMeta:
    return room.meta.seats[seat]


def _with(room: Room, seat: int, meta: SeatMeta) -> FourSeats:
    seats = list(room.meta.seats)
    seats[seat] = meta
    return seats[0], seats[1], seats[2], seats[3]
