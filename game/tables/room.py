"""A room: a table with everything that running it needs, as the fold of its commits.

A commit is what one append to a table's log holds. Pure: no Redis, no clock.
"""

from __future__ import annotations

from typing import Final, Literal, NewType

import msgspec

from game.engine.clock import WAITING, Clock, ClockSettings
from game.engine.commands import Command
from game.engine.events import Answered, Event
from game.engine.evolve import evolve
from game.engine.state import Table

TableId = NewType("TableId", str)
NO_SEAT: Final = -1
RECENT_CIDS: Final = 8
"""How many of a seat's last command ids are remembered, to know a resend."""

_WATCHER_SEQ: Final = 4


class SeatMeta(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Who sits there: a person (by the id that the session gives) or a bot (by name). With
    both, the person has left and the bot plays on."""

    name: str
    person: str = ""
    bot: str = ""


Watch = Literal["closed", "open_delayed", "nobody"]
"""What watchers are shown: the table as it is with all hands closed; finished hands with all
hands open; or there are none."""
OpensAfter = Literal["hand", "game"]
"""What has to be over before spectators are shown a hand with all hands open."""
FourSeats = tuple[SeatMeta, SeatMeta, SeatMeta, SeatMeta]
Votes = tuple[str, ...]
NO_VOTES: Final[Votes] = ("", "", "", "")
"""By seat, what its player has voted for."""


class TableMeta(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is settled when a table is opened. The rules are in the table itself."""

    seats: FourSeats
    clock: ClockSettings
    public: bool
    """Listed for everybody to watch."""
    opened_at: int
    help: bool = True
    """Players may be told what the rules say of their hands (`study`)."""
    watch: Watch = "closed"
    watch_delay_s: int = 0
    """How long after its end a hand is shown with all hands open."""
    may_join: bool = False
    """Whoever comes may take the seat of a player who has left."""
    opens_after: OpensAfter = "game"
    """Where watchers see all hands: the hand, or in a rated game the whole game."""
    ladder: str = ""
    """The ladder in which the game is rated (`game.results.ladders`); '' for an unrated game.
    A game that is to be rated no more gets ''."""
    rated: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """By seat, whether the player who began there is rated."""


class Commit(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One entry of a table's log."""

    version: int
    token: bytes
    """Random: tells this commit from another that took the same version, after Redis
    came back with a log that lacks its last entries."""
    at: int
    """When it is shown. `is_scheduled`: this was settled before, and may be `EARLY_MS` away."""
    commands: tuple[Command, ...]
    events: tuple[Event, ...]
    clock: Clock
    """The clock after it."""
    seat: int = NO_SEAT
    cid: str = ""
    """The client's id of the command, and the seat it came from."""
    seats: FourSeats | None = None
    """Who sits there from now on, if that has changed."""
    votes: Votes | None = None
    """The votes after it, if they have changed."""
    notice: str | None = None
    """What the house says from now on, if that has changed."""


class Room(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One table as it stands after commit `version`."""

    table_id: TableId
    meta: TableMeta
    version: int = 0
    token: bytes = b""
    table: Table = Table()
    clock: Clock = Clock()
    seqs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """How many events each seat and, last, a watcher have been shown."""
    cids: tuple[tuple[str, ...], ...] = ((), (), (), ())
    votes: Votes = NO_VOTES
    notice: str = ""
    """What the house has to say while the clocks stand; to everybody at the table."""
    at: int = 0
    """The time of commit `version`."""

    @property
    def head(self) -> str:
        """What the store compares before it appends; '' before the first commit."""
        return f"{self.version}:{self.token.hex()}" if self.version else ""

    def seq(self, audience: int) -> int:
        """How many events `audience`, a seat or any other number for a watcher, has seen."""
        return self.seqs[audience if 0 <= audience < _WATCHER_SEQ else _WATCHER_SEQ]

    def seat_of(self, person: str) -> int | None:
        """The seat of that person, None if they only watch."""
        for seat, meta in enumerate(self.meta.seats):
            if person and meta.person == person:
                return seat
        return None

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays that seat."""
        return bool(self.meta.seats[seat].bot)

    def has_left(self, seat: int) -> bool:
        """Whether the seat's player has left it to a bot."""
        meta = self.meta.seats[seat]
        return bool(meta.bot and meta.person)


def fold(room: Room, commit: Commit) -> Room:
    """The room after that commit."""
    return after_commit(room, commit, evolved(room.table, commit.events))


def is_scheduled(before: Room, after: Room) -> bool:
    """Whether the commit between these rooms ends a pause at the very time that was settled when
    the pause began."""
    is_end = before.table.phase in WAITING and after.table.step != before.table.step
    return is_end and after.at == before.clock.closes_at


def evolved(table: Table, events: tuple[Event, ...]) -> Table:
    """The table after those events."""
    for event in events:
        table = evolve(table, event)
    return table


def after_commit(room: Room, commit: Commit, table: Table) -> Room:
    """The room after that commit, whose events have made `table` of the room's table."""
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
        seqs=_counted(room.seqs, commit.events),
        cids=cids,
        votes=room.votes if commit.votes is None else commit.votes,
        notice=room.notice if commit.notice is None else commit.notice,
        at=commit.at,
    )


def _counted(
    seqs: tuple[int, int, int, int, int], events: tuple[Event, ...]
) -> tuple[int, int, int, int, int]:
    """Only an answer is kept from others; every other event is shown to all, redacted."""
    counts = list(seqs)
    for event in events:
        if isinstance(event, Answered):
            counts[event.actor] += 1
        else:
            counts = [count + 1 for count in counts]
    return (counts[0], counts[1], counts[2], counts[3], counts[4])
