"""Read from the log of a game who sat where. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeVar

from msgspec.structs import replace

from game.engine.commands import StartGame
from game.engine.events import Event, GameStarted
from game.tables.room import Commit, FourSeats, SeatMeta, four

FourNames = tuple[str, str, str, str]
Sitting = tuple[FourNames, tuple[Event, ...]]
"""The ids of the players by seat, '' for a bot, and events while they sat there."""
_SEATS: Final = range(4)
_T = TypeVar("_T")


def opening_seats(commits: Sequence[Commit], last: FourSeats) -> FourSeats:
    """Return the seats at the start of the game; `last` are those at its end.

    The first commit holds them. In older logs the first commit with seats is that of a player who
    leaves, whose seat then has a bot as well.
    """
    first = next((commit.seats for commit in commits if commit.seats is not None), last)
    return four(replace(seat, bot="") if seat.person else seat for seat in first)


def sittings(commits: Sequence[Commit], last: FourSeats) -> Iterator[Sitting]:
    """Yield for each commit the players and its events."""
    seats = opening_seats(commits, last)
    for commit in commits:
        seats = commit.seats or seats
        yield find_players(seats), commit.events


def find_players(seats: FourSeats) -> FourNames:
    """Return the ids of the players by seat; '' where a bot plays, also for an absent player."""
    return four("" if seat.bot else seat.person for seat in seats)


def find_people(commits: Sequence[Commit], last: FourSeats) -> dict[str, tuple[int, str]]:
    """Return everybody who has had a seat, by id and in order of arrival: their first seat and
    their name."""
    found: dict[str, tuple[int, str]] = {}
    changes = [commit.seats for commit in commits if commit.seats is not None]
    for seats in (opening_seats(commits, last), *changes, last):
        for seat in _SEATS:
            if seats[seat].person:
                found.setdefault(seats[seat].person, (seat, seats[seat].name))
    return found


def remove_names(
    commits: Sequence[Commit], last: FourSeats, people: AbstractSet[str]
) -> tuple[Commit, ...]:
    """Return the log without the names of these people, given by id. Their ids stay."""
    opening = opening_seats(commits, last)
    owners = list(opening)
    is_blank = [seat.person in people for seat in opening]
    done: list[Commit] = []
    for commit in commits:
        seats = commit.seats
        if seats is not None:
            owners = [
                _owner_of_name(before, after) for before, after in zip(owners, seats, strict=True)
            ]
            seats = four(
                replace(seat, name="") if owner.person in people else seat
                for seat, owner in zip(seats, owners, strict=True)
            )
        done.append(
            replace(
                commit,
                commands=tuple([_blank_names(one, is_blank) for one in commit.commands]),
                events=tuple([_blank_names(one, is_blank) for one in commit.events]),
                seats=seats,
            )
        )
    return tuple(done)


def _owner_of_name(before: SeatMeta, after: SeatMeta) -> SeatMeta:
    """Return whose name the seat has: a player who was removed leaves the name behind."""
    is_same = not after.person and after.name == before.name
    return before if is_same else after


def _blank_names(one: _T, is_blank: Sequence[bool]) -> _T:
    """Remove the names of those seats from a command or event that starts the game."""
    if not isinstance(one, (StartGame, GameStarted)):
        return one
    names = four("" if blank else name for name, blank in zip(one.names, is_blank, strict=True))
    return replace(one, names=names)
