"""A pregame table: the seats of people and bots before the game. Pure: no Redis, no clock, no
randomness.

The rules say how many seats it has. When all are ready, the table gets the plan of its game. From
then on only `is_open` changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from game.bots import BOT_NAMES, BOTS
from game.engine.by_seat import BySeat
from game.tables.settings import TableSettings

EXPIRES_AFTER_MS: Final = 20 * 60_000
"""The time without a visitor after which a table expires."""
UNREADY_AFTER_MS: Final = 30_000
"""The time without a heartbeat after which a player is no longer ready. Reloading a page takes
less."""
EXPIRES_AFTER_START_MS: Final = 6 * 3_600_000
"""How long after the start the invite link leads to the running game."""


class Seat(msgspec.Struct, frozen=True):
    """A seat of a person or a bot, or an empty seat. `kept_for` is the invited person."""

    person: str = ""
    name: str = ""
    bot: str = ""
    is_ready: bool = False
    kept_for: str = ""
    is_program: bool = False
    """Whether the person, or the invited one, is a bot account."""

    @property
    def is_empty(self) -> bool:
        return not self.person and not self.bot


class Plan(msgspec.Struct, frozen=True):
    """The game to open. `order` gives the pregame seat for each seat of the game."""

    table_id: str
    order: BySeat[int]


class PregameTable(msgspec.Struct, frozen=True, kw_only=True):
    """One pregame table. Stored as JSON: fields keep their names."""

    id: str
    host: str
    settings: TableSettings
    seats: tuple[Seat, ...]
    token: str
    """The secret in the invite link."""
    touched_at: int
    keeps_seats: bool = False
    """Whether the seats stay as they are, as in a rematch; otherwise they are drawn by lot."""
    plan: Plan | None = None
    is_open: bool = False
    """Whether the game is open at its table."""
    opened_from: str = ""
    """The key of the unfinished tables of the host's address (`address_tables`), if they are
    limited."""

    def seat_of(self, person: str) -> int | None:
        """Return the number of that person's seat, or None."""
        for number, seat in enumerate(self.seats):
            if person and seat.person == person:
                return number
        return None

    def is_invited(self, person: str) -> bool:
        """Return whether a seat is kept for that person."""
        return bool(person) and any(seat.kept_for == person for seat in self.seats)

    @property
    def host_name(self) -> str:
        return next((seat.name for seat in self.seats if seat.person == self.host), "")

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(seat.person for seat in self.seats if seat.person)

    @property
    def is_listed(self) -> bool:
        """Whether the lobby of the site lists it."""
        return self.settings.public and not self.settings.club and self.is_waiting

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for players."""
        return self.plan is None and self.has_free_seat

    @property
    def has_free_seat(self) -> bool:
        return any(seat.is_empty and not seat.kept_for for seat in self.seats)

    @property
    def is_full(self) -> bool:
        """Whether somebody sits in every seat."""
        return not any(seat.is_empty for seat in self.seats)

    def expires_at(self) -> int:
        """Return the time (ms since the epoch) at which the table expires unless it is touched."""
        return self.touched_at + (EXPIRES_AFTER_START_MS if self.plan else EXPIRES_AFTER_MS)


@dataclass(frozen=True, slots=True)
class PregameRefusal:
    """The reason why an action is not allowed."""

    code: str


Change = PregameTable | PregameRefusal
_BEGUN: Final = PregameRefusal("begun")
_NOT_SEATED: Final = PregameRefusal("not_here")
_NOT_HOST: Final = PregameRefusal("not_host")


def take_seat(table: PregameTable, person: str, name: str) -> Change:
    """Seat the person on the seat kept for them, or else on the first free one."""
    if table.seat_of(person) is not None:
        return table
    if table.plan is not None:
        return _BEGUN
    kept = [at for at, seat in enumerate(table.seats) if seat.kept_for == person]
    free = [at for at, seat in enumerate(table.seats) if seat.is_empty and not seat.kept_for]
    for at in (*kept, *free):
        if table.seats[at].is_empty:
            return _with_seat(
                table,
                at,
                Seat(
                    person=person,
                    name=name,
                    is_ready=at in kept,
                    is_program=at in kept and table.seats[at].is_program,
                ),
            )
    return PregameRefusal("full")


def take_kept_seat(table: PregameTable, person: str, name: str) -> Change:
    """Seat the person on the seat that is kept for them. Refuse them if it is no longer kept."""
    if not table.is_invited(person) and table.seat_of(person) is None:
        return _NOT_SEATED
    return take_seat(table, person, name)


def leave_seat(table: PregameTable, person: str) -> Change | None:
    """Remove the person; the next one becomes host. Return None if no person remains."""
    at = table.seat_of(person)
    if table.plan is not None:
        return _BEGUN
    if at is None:
        return _decline_seat(table, person)
    left = _with_seat(table, at, Seat())
    if not left.people:
        return None
    if table.host == person:
        left = replace(left, host=left.people[0])
    return left


def _decline_seat(table: PregameTable, person: str) -> Change:
    """Free the seat that is kept for an invited person."""
    for at, seat in enumerate(table.seats):
        if seat.kept_for == person and person:
            return _with_seat(table, at, replace(seat, kept_for="", name=""))
    return _NOT_SEATED


def set_ready(table: PregameTable, person: str, is_ready: bool) -> Change:
    """Set whether the person is ready."""
    at = table.seat_of(person)
    if table.plan is not None:
        return _BEGUN
    if at is None:
        return _NOT_SEATED
    return _with_seat(table, at, replace(table.seats[at], is_ready=is_ready))


def unready_absent(table: PregameTable, heartbeats: Mapping[str, int], now: int) -> PregameTable:
    """Set `is_ready` to False for people without a recent heartbeat. `heartbeats` has the time of
    the last heartbeat by person, in ms like `now`.
    """
    if table.plan is not None:
        return table
    for at, seat in enumerate(table.seats):
        if (
            seat.person
            and seat.is_ready
            and now - heartbeats.get(seat.person, 0) > UNREADY_AFTER_MS
        ):
            table = _with_seat(table, at, replace(seat, is_ready=False))
    return table


def place_bot(table: PregameTable, host: str, at: int, bot: str) -> Change:
    """Put a bot on a seat that is empty or has a bot; '' removes the bot. For the host."""
    if (refusal := _check_host(table, host, at)) is not None:
        return refusal
    if table.seats[at].person or (bot and (bot not in BOTS or table.settings.event)):
        return PregameRefusal("taken")
    if not bot:
        return _with_seat(table, at, Seat())
    return _with_seat(table, at, Seat(bot=bot, name=_bot_name(table, at), is_ready=True))


def keep_seat(
    table: PregameTable, host: str, person: str, name: str, *, is_program: bool = False
) -> Change:
    """Keep the first free seat for an invited person, or for a bot account. For the host."""
    if (refusal := _check_host(table, host, 0)) is not None:
        return refusal
    if table.seat_of(person) is not None or table.is_invited(person):
        return table
    if table.settings.event:
        return PregameRefusal("event")
    for at, seat in enumerate(table.seats):
        if seat.is_empty and not seat.kept_for:
            return _with_seat(table, at, Seat(name=name, kept_for=person, is_program=is_program))
    return PregameRefusal("full")


def remove_player(table: PregameTable, host: str, at: int) -> Change:
    """Remove another player. For the host."""
    if (refusal := _check_host(table, host, at)) is not None:
        return refusal
    if table.seats[at].person == host:
        return _NOT_HOST
    return _with_seat(table, at, Seat())


def plan_game(table: PregameTable, table_id: str, lot: Sequence[int]) -> PregameTable:
    """Add the plan of the game if all seats are ready. `lot` is the drawn order of the seats."""
    if table.plan is not None or not all(seat.is_ready for seat in table.seats):
        return table
    order = range(len(table.seats)) if table.keeps_seats else lot
    return replace(table, plan=Plan(table_id, tuple(order)))


def _check_host(table: PregameTable, host: str, at: int) -> PregameRefusal | None:
    if table.plan is not None:
        return _BEGUN
    if host != table.host:
        return _NOT_HOST
    return None if 0 <= at < len(table.seats) else PregameRefusal("no_seat")


def _with_seat(table: PregameTable, at: int, seat: Seat) -> PregameTable:
    """Return the table with that seat replaced."""
    seats = (*table.seats[:at], seat, *table.seats[at + 1 :])
    return replace(table, seats=seats)


def _bot_name(table: PregameTable, at: int) -> str:
    taken = {seat.name for number, seat in enumerate(table.seats) if number != at}
    return next(name for name in BOT_NAMES if name not in taken)
