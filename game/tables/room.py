"""The room: a running table with its seats, clocks, votes and counters.

A room is the fold of its commits; a commit is one entry of a table's log. A room's notice is one
text. If it comes from an official, it begins with a mark and the kind of the intervention, for
which pages show words in the reader's language. Pure: no Redis, no clock.
"""

from __future__ import annotations

from typing import Final, Literal, NewType, get_args

import msgspec
from msgspec.structs import force_setattr

from game.engine.by_seat import BySeat
from game.engine.clock import NOT_ASKED, WAITING_PHASES, Clock, ClockSettings
from game.engine.commands import Command
from game.engine.events import Answered, Event
from game.engine.evolve import evolve
from game.engine.perspective import is_seat
from game.engine.state import Table
from game.tables.settings import TableSettings

TableId = NewType("TableId", str)
NO_SEAT: Final = -1
RECENT_CIDS: Final = 8
"""How many command ids are kept for each seat, to recognise resends."""


class SeatMeta(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Who sits at a seat: a person (id from the session) or a bot (its name). With both, the
    person has left and the bot plays on."""

    name: str
    person: str = ""
    bot: str = ""
    is_program: bool = False
    """Whether the person is the bot account of somebody (`lobby.bots`)."""
    avatar: str = ""
    """The avatar of the person (`game.results.avatars`); '' for a bot."""
    rating: int = 0
    """The listed rating with which the person began this rated game; 0 if there is none."""

    @property
    def is_of_person(self) -> bool:
        """Whether the seat's game began with a person, not with a bot or a bot account. Stays true
        when a bot plays on for the person."""
        return bool(self.person) and not self.is_program


Votes = BySeat[str]
"""By seat, what its player votes for; '' for nothing."""


class TableMeta(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The settings with which a table was opened, and who sits there."""

    seats: BySeat[SeatMeta]
    clock: ClockSettings = ClockSettings()
    """The times of the clock of the settings, with the pauses at the pace of the site."""
    settings: TableSettings = TableSettings()
    opened_at: int = 0
    ladder: str = ""
    """The ladder in which the game is rated; '' for an unrated game."""
    rated: BySeat[bool] = ()
    """By seat, whether the player who sat there at the start is rated; nobody if left out."""
    guided: str = ""
    """The staged hand of the guided first game (`game.tables.guided_hands`); '' for a game. Such a
    table is for one person: it is not listed, watched, rated or archived."""

    def __post_init__(self) -> None:
        if not self.rated:
            force_setattr(self, "rated", (False,) * len(self.seats))

    @property
    def is_played_to_end(self) -> bool:
        """Whether stand-ins play on to the end when all people have left: in rated games and those
        of an event."""
        return bool(self.ladder or self.settings.has_officials or self.settings.event)


class Commit(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One entry of a table's log."""

    version: int
    token: bytes
    """A random text that distinguishes two commits of one version, which can exist after Redis has
    lost the last entries of the log."""
    at: int
    """When the commit is shown. If it ends a wait (`ends_wait_on_time`), up to `EARLY_MS` after it
    was made."""
    commands: tuple[Command, ...]
    events: tuple[Event, ...]
    clock: Clock
    """The clock after the commit."""
    seat: int = NO_SEAT
    cid: str = ""
    """The id that the client of `seat` gave to its command."""
    seats: BySeat[SeatMeta] | None = None
    """The new seats, if they have changed."""
    votes: Votes | None = None
    """The new votes, if they have changed."""
    notice: str | None = None
    """The new notice, if it has changed."""
    absent_since: BySeat[int] | None = None
    """The new marks of absent players, if they have changed."""


class Room(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One table after commit `version`. The defaults are those of a table of four; `empty_room`
    makes rooms for any number of seats."""

    table_id: TableId
    meta: TableMeta
    version: int = 0
    token: bytes = b""
    table: Table = Table()
    clock: Clock = Clock()
    seqs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """How many events each seat and, last, a spectator have been sent."""
    cids: BySeat[tuple[str, ...]] = ((), (), (), ())
    votes: Votes = ("", "", "", "")
    notice: str = ""
    """The notice of the operator or of an official, until the clocks run again or the next hand is
    dealt."""
    at: int = 0
    """The time of commit `version`."""
    absent_since: BySeat[int] = (0, 0, 0, 0)
    """By seat, since when everybody has been shown that the player has no socket; 0 for not."""

    @property
    def head(self) -> str:
        """The id of the last commit, which the store compares before an append; '' before the
        first."""
        return f"{self.version}:{self.token.hex()}" if self.version else ""

    def seq(self, viewer: int) -> int:
        """Return how many events have been sent to `viewer` (a seat or a spectator)."""
        return self.seqs[viewer if is_seat(viewer) else -1]

    def seat_of(self, person: str) -> int | None:
        """Return the seat of that person; None if they have none."""
        for seat, meta in enumerate(self.meta.seats):
            if person and meta.person == person:
                return seat
        return None

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot plays that seat."""
        return bool(self.meta.seats[seat].bot)

    @property
    def no_votes(self) -> Votes:
        """The votes when nobody votes for anything."""
        return ("",) * len(self.meta.seats)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people who have not left."""
        seats = self.meta.seats
        return tuple([at for at, meta in enumerate(seats) if meta.is_of_person and not meta.bot])

    @property
    def is_deserted(self) -> bool:
        """Whether stand-ins play for all people at the table, and the game need not be played to
        its end."""
        if self.meta.is_played_to_end or self.meta.guided:
            return False
        people = self.people
        return bool(people) and all(self.table.away[seat] for seat in people)

    @property
    def is_paused_for_absence(self) -> bool:
        """Whether the table is paused until one of its people comes back."""
        return bool(self.clock.paused_at) and not self.notice and self.is_deserted

    @property
    def absent(self) -> tuple[bool, ...]:
        """By seat, whether the player is shown as absent. False where a bot plays."""
        seats = zip(self.meta.seats, self.absent_since, strict=True)
        return tuple([bool(since) and not seat.bot for seat, since in seats])

    def has_left(self, seat: int) -> bool:
        """Return whether the seat's player has left and a bot plays on."""
        meta = self.meta.seats[seat]
        return bool(meta.bot and meta.person)


def empty_room(table_id: TableId, meta: TableMeta) -> Room:
    """Return the room of a table before its first commit."""
    seats = len(meta.seats)
    return Room(
        table_id,
        meta,
        clock=Clock(asked_at=(NOT_ASKED,) * seats, bank=(0,) * seats),
        seqs=(0,) * (seats + 1),
        cids=((),) * seats,
        votes=("",) * seats,
        absent_since=(0,) * seats,
    )


def fold(room: Room, commit: Commit) -> Room:
    """Return the room after that commit."""
    return apply_commit(room, commit, evolve_table(room.table, commit.events))


def ends_wait_on_time(before: Room, after: Room) -> bool:
    """Return whether the step between these rooms ended a wait (for calls, for open hands, after a
    result) exactly at the time that was set when the wait began."""
    is_end = before.table.phase in WAITING_PHASES and after.table.step != before.table.step
    return is_end and after.at == before.clock.closes_at


def evolve_table(table: Table, events: tuple[Event, ...]) -> Table:
    """Return the table after those events."""
    for event in events:
        table = evolve(table, event)
    return table


def apply_commit(room: Room, commit: Commit, table: Table) -> Room:
    """Return the room after that commit; `table` is the room's table after the commit's events."""
    cids = room.cids
    if commit.cid:
        recent = (*cids[commit.seat], commit.cid)[-RECENT_CIDS:]
        cids = (*cids[: commit.seat], recent, *cids[commit.seat + 1 :])
    meta = room.meta
    if commit.seats is not None:
        meta = msgspec.structs.replace(meta, seats=commit.seats)
    return Room(
        table_id=room.table_id,
        meta=meta,
        version=commit.version,
        token=commit.token,
        table=table,
        clock=commit.clock,
        seqs=_count_events(room.seqs, commit.events),
        cids=cids,
        votes=room.votes if commit.votes is None else commit.votes,
        notice=room.notice if commit.notice is None else commit.notice,
        at=commit.at,
        absent_since=room.absent_since if commit.absent_since is None else commit.absent_since,
    )


def _count_events(seqs: tuple[int, ...], events: tuple[Event, ...]) -> tuple[int, ...]:
    """Count the events for each viewer: an answer is sent to its own seat only, every other event
    to all."""
    counts = list(seqs)
    for event in events:
        if isinstance(event, Answered):
            counts[event.actor] += 1
        else:
            counts = [count + 1 for count in counts]
    return tuple(counts)


Intervention = Literal[
    "pause",
    "extend",
    "replace",
    "penalty",
    "chombo",
    "no_show",
    "cancel_penalty",
    "void",
    "repeat_hand",
    "repeat_game",
    "correct",
]
"""What an official has done."""
INTERVENTIONS: Final[tuple[str, ...]] = get_args(Intervention)
_OFFICIAL_MARK: Final = "\x1e"


def official_notice(kind: Intervention, reason: str) -> str:
    """Encode an official's intervention and its reason as one notice; `read_notice` decodes it."""
    return f"{_OFFICIAL_MARK}{kind}{_OFFICIAL_MARK}{reason}"


def read_notice(notice: str) -> tuple[str, str]:
    """Return the kind of the intervention, '' for a notice of the operator, and the text."""
    parts = notice.split(_OFFICIAL_MARK, 2)
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0] else ("", notice)
