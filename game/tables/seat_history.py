"""Who sat where during a game, read from the commits of its whole log. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeVar

from msgspec.structs import replace

from game.engine.commands import StartGame
from game.engine.events import Event, GameStarted
from game.tables.room import Commit, FourSeats, SeatMeta

FourNames = tuple[str, str, str, str]
_SEATS: Final = range(4)
_T = TypeVar("_T")


def opening_seats(commits: Sequence[Commit], last: FourSeats) -> FourSeats:
    """Who sat where when the game began. `last` is who sat there when it ended.

    The first commit says it. Logs from before that was so say it first where somebody leaves:
    the seat of that player then has a bot as well.
    """
    first = next((commit.seats for commit in commits if commit.seats is not None), last)
    east, south, west, north = (replace(seat, bot="") if seat.person else seat for seat in first)
    return east, south, west, north


def sittings(
    commits: Sequence[Commit], last: FourSeats
) -> Iterator[tuple[FourNames, tuple[Event, ...]]]:
    """For each commit the ids of the players by seat, '' where a bot plays, and its events."""
    seats = opening_seats(commits, last)
    for commit in commits:
        seats = commit.seats or seats
        yield players_at(seats), commit.events


def players_at(seats: FourSeats) -> FourNames:
    """By seat the id of the player; '' where a bot plays, also for a player who has left."""
    east, south, west, north = ("" if seat.bot else seat.person for seat in seats)
    return east, south, west, north


def people_in(commits: Sequence[Commit], last: FourSeats) -> dict[str, tuple[int, str]]:
    """Everybody who has had a seat, by id, in the order in which they came: the seat that they
    had first, and what they were called."""
    found: dict[str, tuple[int, str]] = {}
    changes = [commit.seats for commit in commits if commit.seats is not None]
    for seats in (opening_seats(commits, last), *changes, last):
        for seat in _SEATS:
            if seats[seat].person:
                found.setdefault(seats[seat].person, (seat, seats[seat].name))
    return found


def without_names(
    commits: Sequence[Commit], last: FourSeats, people: AbstractSet[str]
) -> tuple[Commit, ...]:
    """The log without the names of these people, given by id. Their ids stay."""
    opening = opening_seats(commits, last)
    owners = list(opening)
    is_blank = [seat.person in people for seat in opening]
    done: list[Commit] = []
    for commit in commits:
        seats = commit.seats
        if seats is not None:
            owners = [_owned(before, after) for before, after in zip(owners, seats, strict=True)]
            east, south, west, north = (
                replace(seat, name="") if owner.person in people else seat
                for seat, owner in zip(seats, owners, strict=True)
            )
            seats = (east, south, west, north)
        done.append(
            replace(
                commit,
                commands=tuple([_blanked(one, is_blank) for one in commit.commands]),
                events=tuple([_blanked(one, is_blank) for one in commit.events]),
                seats=seats,
            )
        )
    return tuple(done)


def _owned(before: SeatMeta, after: SeatMeta) -> SeatMeta:
    """Whose name the seat bears: it stays that of a player whose seat was taken away."""
    is_same = not after.person and after.name == before.name
    return before if is_same else after


def _blanked(one: _T, is_blank: Sequence[bool]) -> _T:
    """A command or event that begins the game, without the names of those seats."""
    if not isinstance(one, (StartGame, GameStarted)):
        return one
    east, south, west, north = (
        "" if blank else name for name, blank in zip(one.names, is_blank, strict=True)
    )
    return replace(one, names=(east, south, west, north))
