"""Requests of players, officials and the operator beside the game: pauses, early ends, seats, and
what pages send for the draw of the wall. Pure.

A pause and an early end need the votes of all present players; one player can end a pause. In a
rated game an early end needs the votes of all who began it, and nobody votes in the place of an
absent player.
A player who leaves is replaced by a bot, and gets the seat back on return unless somebody else
has taken it. A game ends when the last player leaves, unless it is rated or of an event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, assert_never

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.commands import EndGame, RestoreGame
from game.engine.decide import Rejected
from game.engine.state import Phase
from game.tables.commit_draft import Proposal
from game.tables.room import Room, SeatMeta, Votes
from game.tables.wall_draws import Commitment, Reveal, propose_draw

REPLACEMENT_BOT: Final = "sensible"
"""The bot that replaces a player who has left or was removed."""
PAUSE_MS: Final = 600_000
"""The length of the longest pause of players. Such a pause ends by itself."""

VoteChoice = Literal["", "pause", "end"]
"""What a player votes for; '' for nothing."""
SentVote = Literal[VoteChoice, "no_pause", "no_end"]


@dataclass(frozen=True, slots=True)
class Vote:
    """The seat's player votes for `choice`; '' withdraws the vote, 'no_pause' and 'no_end' withdraw
    everybody's votes for a pause or for the end."""

    seat: int
    choice: SentVote


@dataclass(frozen=True, slots=True)
class Resume:
    """The player of that seat ends the pause; without a seat, the operator does. Only the operator
    can end a pause of the operator."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """The operator stops the clocks for `span_ms`, for example before a restart. If `notice` is not
    empty, no player can end the pause."""

    span_ms: int
    notice: str


@dataclass(frozen=True, slots=True)
class End:
    """The operator or an official ends the game early."""

    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Notify:
    """An official shows a notice at the table until the next hand."""

    notice: str


@dataclass(frozen=True, slots=True)
class ExtendRound:
    """Officials have added `extra_ms` in total to the time of the round."""

    extra_ms: int
    notice: str


@dataclass(frozen=True, slots=True)
class RepeatHand:
    """An official orders that the running hand is played again, with a wall from that seed. `hand`
    is the number of the hand in the game, from 1."""

    hand: int
    seed: bytes
    notice: str


@dataclass(frozen=True, slots=True)
class Replace:
    """An official gives the seat to another player for the rest of the game."""

    seat: int
    player: SeatMeta
    notice: str


@dataclass(frozen=True, slots=True)
class Restore:
    """The operator restored the table from a backup: the game continues with that seed, the
    current hand is dealt again, and the clocks are stopped for `span_ms`."""

    seed: bytes
    span_ms: int
    notice: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat's player leaves; a bot plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Remove:
    """The operator or a ban removes that person permanently from the table; a bot plays on."""

    person: str


@dataclass(frozen=True, slots=True)
class Return:
    """The seat's player, who had left, returns."""

    seat: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes the seat of a bot."""

    seat: int
    person: str
    name: str
    avatar: str = ""


TableRequest = (
    Vote
    | Resume
    | Hold
    | End
    | Notify
    | ExtendRound
    | RepeatHand
    | Replace
    | Restore
    | Leave
    | Remove
    | Return
    | Sit
    | Commitment
    | Reveal
)

_GAME_OVER: Final = Rejected("not_running", "the game is over")
_LEFT: Final = Rejected("left", "you have left this table, and a bot plays on")
_HELD: Final = Rejected("held", "the operator has stopped the clocks")
_OFFICIALS: Final = Rejected("officials", "the officials of the tournament decide this")
_TIME_UP: Final = Rejected("time_up", "the time of the round is over")
_NO_HAND: Final = Rejected("no_hand", "no hand is being played")


def propose(room: Room, request: TableRequest, now: int) -> Proposal | Rejected | None:
    """Return the proposal for that request; None if nothing changes."""
    if room.table.phase == Phase.ENDED:
        return _GAME_OVER
    match request:
        case Vote(seat=seat, choice=choice):
            return _vote(room, seat, choice, now)
        case Resume(seat=seat):
            if seat is not None and room.has_left(seat):
                return _LEFT
            if seat is not None and room.clock.paused_at and room.notice:
                return _HELD
            return Proposal(resume=True, votes=room.no_votes) if room.clock.paused_at else None
        case Hold(span_ms=span_ms, notice=notice):
            return Proposal(pause_until=now + span_ms, notice=notice)
        case End(notice=notice):
            return Proposal(votes=room.no_votes, resume=True, commands=(EndGame(),), notice=notice)
        case Notify(notice=notice):
            return None if notice == room.notice else Proposal(notice=notice)
        case ExtendRound(extra_ms=extra_ms, notice=notice):
            if extra_ms == room.clock.extra_ms:
                return None
            if not room.clock.round_ends_at:
                return _TIME_UP
            return Proposal(extra_ms=extra_ms, notice=notice)
        case RepeatHand():
            return _repeat_hand(room, request)
        case Replace(seat=seat, player=player, notice=notice):
            if _seat_meta(room, seat) == player:
                return None
            reopen = () if player.bot else (seat,)
            return Proposal(
                seats=_seats_with(room, seat, player),
                votes=_votes_with(room, seat, ""),
                reopen=reopen,
                notice=notice,
            )
        case Restore(seed=seed, span_ms=span_ms, notice=notice):
            return Proposal(
                votes=room.no_votes,
                resume=True,
                commands=(RestoreGame(seed),),
                reopen=room.table.seats,
                pause_until=now + span_ms,
                notice=notice,
            )
        case Leave(seat=seat):
            person = _seat_meta(room, seat).person
            return None if room.is_bot(seat) else _replace_with_bot(room, seat, person=person)
        case Remove(person=person):
            taken = room.seat_of(person)
            return None if taken is None else _replace_with_bot(room, taken, person="")
        case Return(seat=seat):
            if not room.has_left(seat):
                return None
            returned = replace(_seat_meta(room, seat), bot="")
            return Proposal(
                seats=_seats_with(room, seat, returned), resume=room.is_paused_for_absence
            )
        case Sit():
            return _sit_down(room, request)
        case Commitment(seat=seat) | Reveal(seat=seat):
            return _LEFT if room.is_bot(seat) else propose_draw(room, request)


def _vote(room: Room, seat: int, choice: SentVote, now: int) -> Proposal | Rejected | None:
    if room.is_bot(seat):
        return Rejected("not_seated", "a player who has left the table has no vote")
    if room.meta.settings.has_officials and choice:
        return _OFFICIALS
    if choice == "pause" and room.clock.paused_at:
        return None
    votes = _votes_after(room, seat, choice)
    voters = _voters(room, choice) | {seat}
    is_carried = all(
        votes[voter] == choice and (voter == seat or _has_vote(room, voter)) for voter in voters
    )
    if not is_carried:
        return None if votes == room.votes else Proposal(votes=votes)
    match choice:
        case "" | "no_pause" | "no_end":
            return None if votes == room.votes else Proposal(votes=votes)
        case "pause":
            return Proposal(votes=room.no_votes, pause_until=now + PAUSE_MS)
        case "end":
            return Proposal(votes=room.no_votes, resume=True, commands=(EndGame(),))
        case _:
            assert_never(choice)


def _repeat_hand(room: Room, request: RepeatHand) -> Proposal | Rejected | None:
    table = room.table
    if table.hands_dealt != request.hand:
        return None if table.hands_dealt > request.hand else _NO_HAND
    if table.phase not in (Phase.TURN, Phase.CLAIMS, Phase.SHOWING):
        return _NO_HAND
    return Proposal(
        votes=room.no_votes,
        commands=(RestoreGame(request.seed, "official"),),
        reopen=room.table.seats,
        notice=request.notice,
    )


def _voters(room: Room, choice: SentVote) -> set[int]:
    """Return the seats that must all vote for `choice` to carry it."""
    if choice == "end" and room.meta.ladder:
        return {seat for seat in room.table.seats if _began_with_person(room, seat)}
    return {seat for seat in room.table.seats if _has_vote(room, seat)}


def _began_with_person(room: Room, seat: int) -> bool:
    """Return whether a person sat in that seat when the rated game began. Nobody else may take such
    a seat. A removed person is recognised by the avatar that remains."""
    meta = _seat_meta(room, seat)
    return bool(meta.person or meta.avatar) or room.meta.rated[seat]


def _has_vote(room: Room, seat: int) -> bool:
    is_present = not room.is_bot(seat) and not room.table.away[seat]
    return is_present and _seat_meta(room, seat).is_of_person  # a bot account cannot vote


def _replace_with_bot(room: Room, seat: int, *, person: str) -> Proposal:
    """Let a bot play that seat. If `person` is given, the seat stays reserved for them. If no
    player is left, the game ends, unless it is one that is played to its end."""
    seats = _seats_with(
        room, seat, replace(_seat_meta(room, seat), bot=REPLACEMENT_BOT, person=person)
    )
    votes = _votes_with(room, seat, "")
    if all(meta.bot for meta in seats) and not room.meta.is_played_to_end:
        return Proposal(seats=seats, votes=room.no_votes, resume=True, commands=(EndGame(),))
    return Proposal(seats=seats, votes=votes)


def _sit_down(room: Room, request: Sit) -> Proposal | Rejected:
    if not room.is_bot(request.seat):
        return Rejected("seat_taken", "somebody sits there")
    if room.seat_of(request.person) is not None:
        return Rejected("seated", "you sit at this table already")
    taken = SeatMeta(name=request.name, person=request.person, avatar=request.avatar)
    return Proposal(
        seats=_seats_with(room, request.seat, taken),
        reopen=(request.seat,),
        resume=room.is_paused_for_absence,
    )


def _votes_after(room: Room, seat: int, choice: SentVote) -> Votes:
    if choice == "no_pause" or choice == "no_end":
        declined = choice.removeprefix("no_")
        return tuple("" if vote == declined else vote for vote in room.votes)
    return _votes_with(room, seat, choice)


def _votes_with(room: Room, seat: int, choice: VoteChoice) -> Votes:
    return (*room.votes[:seat], choice, *room.votes[seat + 1 :])


def _seat_meta(room: Room, seat: int) -> SeatMeta:
    return room.meta.seats[seat]


def _seats_with(room: Room, seat: int, meta: SeatMeta) -> BySeat[SeatMeta]:
    return (*room.meta.seats[:seat], meta, *room.meta.seats[seat + 1 :])
