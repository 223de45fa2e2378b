"""Reads from the log of a game who sat at which seat. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from game.archive.game_log import LogEntry
from game.engine.by_seat import BySeat
from game.engine.events import Event, GameStarted
from game.tables.room import SeatMeta

Sitting = tuple[BySeat[str], tuple[Event, ...]]
"""The ids of the players by seat, '' for a bot, and events while they sat there."""


def opening_seats(entries: Sequence[LogEntry], last: BySeat[SeatMeta]) -> BySeat[SeatMeta]:
    """Return the seats at the start of the game; `last` are the seats at its end.

    Newer logs have them in their first entry. In older logs the first entry with seats is from when
    a player left; that seat then has both a person and a bot.
    """
    first = next((entry.seats for entry in entries if entry.seats is not None), last)
    return tuple(replace(seat, bot="") if seat.person else seat for seat in first)


def sittings(entries: Sequence[LogEntry], last: BySeat[SeatMeta]) -> Iterator[Sitting]:
    """Yield for each entry of the log the ids of the players by seat and the entry's events."""
    seats = opening_seats(entries, last)
    for entry in entries:
        seats = entry.seats or seats
        yield find_players(seats), entry.events


def find_players(seats: BySeat[SeatMeta]) -> BySeat[str]:
    """Return the ids of the players by seat; '' where a bot plays, also for an absent player."""
    return tuple("" if seat.bot else seat.person for seat in seats)


def find_people(entries: Sequence[LogEntry], last: BySeat[SeatMeta]) -> dict[str, tuple[int, str]]:
    """Map the id of everybody who has had a seat to their first seat and their name, in order of
    arrival."""
    found: dict[str, tuple[int, str]] = {}
    changes = [entry.seats for entry in entries if entry.seats is not None]
    for seats in (opening_seats(entries, last), *changes, last):
        for at, seat in enumerate(seats):
            if seat.person:
                found.setdefault(seat.person, (at, seat.name))
    return found


def remove_names(
    entries: Sequence[LogEntry], last: BySeat[SeatMeta], people: AbstractSet[str]
) -> tuple[LogEntry, ...]:
    """Return the log without the names of these people, given by id. Their ids stay."""
    opening = opening_seats(entries, last)
    owners = list(opening)
    is_blank = [seat.person in people for seat in opening]
    done: list[LogEntry] = []
    for entry in entries:
        seats = entry.seats
        if seats is not None:
            owners = [
                _owner_of_name(before, after) for before, after in zip(owners, seats, strict=True)
            ]
            seats = tuple(
                replace(seat, name="") if owner.person in people else seat
                for seat, owner in zip(seats, owners, strict=True)
            )
        done.append(
            replace(
                entry,
                events=tuple([_blank_names(event, is_blank) for event in entry.events]),
                seats=seats,
            )
        )
    return tuple(done)


def _owner_of_name(before: SeatMeta, after: SeatMeta) -> SeatMeta:
    """Return the seat data of the person whose name the seat shows. The name stays after a player
    was removed, so it may be that of `before`."""
    is_same = not after.person and after.name == before.name
    return before if is_same else after


def _blank_names(event: Event, is_blank: Sequence[bool]) -> Event:
    """Blank the names of the marked seats in the event that starts the game."""
    if not isinstance(event, GameStarted):
        return event
    names = tuple("" if blank else name for name, blank in zip(event.names, is_blank, strict=True))
    return replace(event, names=names)
