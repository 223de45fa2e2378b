"""A gathering: people and bots around a table at which no game has begun. Pure: values in,
values out; no Redis, no clock, no chance.

When all four seats are taken and everybody is ready, the gathering is given a plan, and from
then on nothing about it changes but that the plan has been carried out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from game.bots import BOT_NAMES, BOTS
from game.engine.rules import RuleSet
from game.tables.room import Watch

SEATS: Final = 4
EXPIRES_AFTER_MS: Final = 20 * 60_000
"""After so long without anybody there, a gathering is gone."""
UNREADY_AFTER_MS: Final = 30_000
"""After so long without their page, nobody counts as ready: time enough to load it again."""
EXPIRES_AFTER_START_MS: Final = 6 * 3_600_000
"""So long an invite link still leads to the game, and the game back to its people."""


class Seat(msgspec.Struct, frozen=True):
    """A person, a bot, or nobody; then perhaps kept for somebody who has been asked."""

    person: str = ""
    name: str = ""
    bot: str = ""
    is_ready: bool = False
    kept_for: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.person and not self.bot


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played, and who is let in."""

    rules: RuleSet
    clock: str = "5+20"
    """One of `lobby.pregame.clocks`."""
    help: bool = True
    public: bool = True
    watch: Watch = "closed"
    watch_delay_s: int = 0
    may_join: bool = False


class Plan(msgspec.Struct, frozen=True):
    """The game that is to be opened. `order` says which seat of the gathering sits where."""

    table_id: str
    order: tuple[int, int, int, int]


class PregameTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table in the making."""

    id: str
    host: str
    terms: Terms
    seats: tuple[Seat, ...]
    token: str
    """Of the invite link."""
    password: str = ""
    """Hashed; empty if there is none."""
    touched_at: int
    keeps_seats: bool = False
    """Seats are not drawn, as at a rematch."""
    plan: Plan | None = None
    is_open: bool = False
    """The plan has been carried out."""

    def seat_of(self, person: str) -> int | None:
        """Where that person sits."""
        for number, seat in enumerate(self.seats):
            if person and seat.person == person:
                return number
        return None

    def is_invited(self, person: str) -> bool:
        """Whether a seat is kept for that person."""
        return bool(person) and any(seat.kept_for == person for seat in self.seats)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(seat.person for seat in self.seats if seat.person)

    @property
    def is_full(self) -> bool:
        return not any(seat.is_empty for seat in self.seats)

    @property
    def is_listed(self) -> bool:
        """Open for everybody to join."""
        return self.terms.public and self.plan is None and self.has_free_seat

    @property
    def has_free_seat(self) -> bool:
        return any(seat.is_empty and not seat.kept_for for seat in self.seats)

    def expires_at(self) -> int:
        """When it is gone, if nobody touches it."""
        return self.touched_at + (EXPIRES_AFTER_START_MS if self.plan else EXPIRES_AFTER_MS)


@dataclass(frozen=True, slots=True)
class Refusal:
    """It may not be done."""

    code: str


Change = PregameTable | Refusal
_BEGUN: Final = Refusal("begun")
_NOT_SEATED: Final = Refusal("not_here")
_NOT_HOST: Final = Refusal("not_host")


def take_seat(table: PregameTable, person: str, name: str) -> Change:
    """That person takes the seat that is kept for them, or else the first free one."""
    if table.seat_of(person) is not None:
        return table
    if table.plan is not None:
        return _BEGUN
    kept = [at for at, seat in enumerate(table.seats) if seat.kept_for == person]
    free = [at for at, seat in enumerate(table.seats) if seat.is_empty and not seat.kept_for]
    for at in (*kept, *free):
        if table.seats[at].is_empty:
            return _with_seat(table, at, Seat(person=person, name=name, is_ready=at in kept))
    return Refusal("full")


def leave_seat(table: PregameTable, person: str) -> PregameTable | Refusal | None:
    """That person leaves; the next one is the host. None if nobody is left."""
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
    """Whoever was asked says no: the seat is free for others."""
    for at, seat in enumerate(table.seats):
        if seat.kept_for == person and person:
            return _with_seat(table, at, replace(seat, kept_for="", name=""))
    return _NOT_SEATED


def set_ready(table: PregameTable, person: str, is_ready: bool) -> Change:
    """That person is ready, or not yet."""
    at = table.seat_of(person)
    if table.plan is not None:
        return _BEGUN
    if at is None:
        return _NOT_SEATED
    return _with_seat(table, at, replace(table.seats[at], is_ready=is_ready))


def unready_absent(table: PregameTable, heard: Mapping[str, int], now: int) -> PregameTable:
    """Those are not ready any more whose page has not been heard of for long. `heard` says when
    it was, by person."""
    if table.plan is not None:
        return table
    for at, seat in enumerate(table.seats):
        if seat.person and seat.is_ready and now - heard.get(seat.person, 0) > UNREADY_AFTER_MS:
            table = _with_seat(table, at, replace(seat, is_ready=False))
    return table


def place_bot(table: PregameTable, host: str, at: int, bot: str) -> Change:
    """The host gives an empty seat, or that of another bot, to a bot; '' takes it away."""
    if (no := _check_host(table, host, at)) is not None:
        return no
    if table.seats[at].person or (bot and bot not in BOTS):
        return Refusal("taken")
    if not bot:
        return _with_seat(table, at, Seat())
    return _with_seat(table, at, Seat(bot=bot, name=_bot_name(table, at), is_ready=True))


def remove_player(table: PregameTable, host: str, at: int) -> Change:
    """The host asks somebody else to leave."""
    if (no := _check_host(table, host, at)) is not None:
        return no
    if table.seats[at].person == host:
        return _NOT_HOST
    return _with_seat(table, at, Seat())


def plan_game(table: PregameTable, table_id: str, lot: Sequence[int]) -> PregameTable:
    """With a plan, if all four are ready. `lot` is the order that was drawn."""
    if table.plan is not None or not all(seat.is_ready for seat in table.seats):
        return table
    first, second, third, fourth = range(SEATS) if table.keeps_seats else lot
    return replace(table, plan=Plan(table_id, (first, second, third, fourth)))


def mark_open(table: PregameTable) -> PregameTable:
    """The plan has been carried out."""
    return replace(table, is_open=True)


def _check_host(table: PregameTable, host: str, at: int) -> Refusal | None:
    if table.plan is not None:
        return _BEGUN
    if host != table.host:
        return _NOT_HOST
    return None if 0 <= at < SEATS else Refusal("no_seat")


def _with_seat(table: PregameTable, at: int, seat: Seat) -> PregameTable:
    """With that in the seat."""
    seats = (*table.seats[:at], seat, *table.seats[at + 1 :])
    return replace(table, seats=seats)


def _bot_name(table: PregameTable, at: int) -> str:
    taken = {seat.name for number, seat in enumerate(table.seats) if number != at}
    return next(name for name in BOT_NAMES if name not in taken)
