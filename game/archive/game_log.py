"""Encodes the log of a finished game: its events, changes of seats and times, and nothing else.

The log leaves out data that only a running table needs: tokens, ids of clients, commands, clocks
and votes. It also leaves out walls that can be computed from the seed of the game. Times are
rounded to a tenth of a second. Pure.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import Event, GameRestored, GameStarted, HandStarted, WallSeeded
from game.engine.rules import RuleSet
from game.engine.wall import SEED_BYTES, shuffled_wall
from game.tables.codec import encode
from game.tables.room import Commit, SeatMeta

FORMAT: Final = 1
"""The form of a log: zlib over msgpack of `StoredLog`."""
_TICK_MS: Final = 100
_WALL_FROM_SEED: Final = b"seed"
"""The mark that replaces a wall which can be computed from the seed."""


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """One commit as the log keeps it."""

    at: int
    """The time of the commit, in Unix milliseconds."""
    events: tuple[Event, ...]
    seats: BySeat[SeatMeta] | None = None
    """The new seats, if they have changed."""


class StoredLog(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A whole log as it is stored, by columns: similar values beside each other compress better."""

    began_at: int
    """The time of the first entry in Unix milliseconds."""
    waits: tuple[int, ...]
    """The time from each entry to the next, in tenths of a second."""
    sizes: tuple[int, ...]
    """The number of events of each entry."""
    seats: tuple[tuple[int, BySeat[SeatMeta]], ...]
    """The seats of the entries that change them, by the index of the entry."""
    events: tuple[Event, ...]
    """All events. A wall that can be computed from the seed is `_WALL_FROM_SEED`."""


_decoder: Final = msgspec.msgpack.Decoder(StoredLog)


def entries_of(commits: Iterable[Commit]) -> tuple[LogEntry, ...]:
    """Reduce the commits of a running table to entries of the log."""
    return tuple(
        LogEntry(commit.at, commit.events, commit.seats)
        for commit in commits
        if commit.events or commit.seats is not None
    )


def encode_log(entries: Sequence[LogEntry]) -> bytes:
    """Encode a log of at least one entry as compressed bytes."""
    began_at = entries[0].at
    ticks = [round((entry.at - began_at) / _TICK_MS) for entry in entries]
    events = [event for entry in entries for event in entry.events]
    stored = StoredLog(
        began_at=began_at,
        waits=tuple(after - before for before, after in pairwise(ticks)),
        sizes=tuple(len(entry.events) for entry in entries),
        seats=tuple(
            (at, entry.seats) for at, entry in enumerate(entries) if entry.seats is not None
        ),
        events=tuple(_without_wall(event, wall) for event, wall in _with_walls(events)),
    )
    return zlib.compress(encode(stored), 9)


def decode_log(data: bytes | memoryview) -> tuple[LogEntry, ...]:
    """Decode a log. Times are exact to a tenth of a second. Raises ValueError or zlib.error."""
    stored = _decoder.decode(zlib.decompress(data))
    events = iter([_with_wall(event, wall) for event, wall in _with_walls(stored.events)])
    seats = dict(stored.seats)
    times = accumulate((_TICK_MS * wait for wait in stored.waits), initial=stored.began_at)
    return tuple(
        LogEntry(at, tuple(islice(events, size)), seats.get(number))
        for number, (at, size) in enumerate(zip(times, stored.sizes, strict=True))
    )


def _with_walls(events: Iterable[Event]) -> Iterator[tuple[Event, bytes]]:
    """Yield each event with a wall: for the start of a hand the one computed from the seed, if the
    game has a seed; otherwise b""."""
    rules, seed, hand = RuleSet(), b"", 0
    for event in events:
        wall = b""
        match event:
            case GameStarted():
                rules, seed = event.rules, event.seed
            case GameRestored() | WallSeeded():
                seed = event.seed
            case HandStarted():
                wall = shuffled_wall(rules, seed, hand) if len(seed) == SEED_BYTES else b""
                hand += 1
            case _:
                pass
        yield event, wall


def _without_wall(event: Event, wall: bytes) -> Event:
    is_derived = isinstance(event, HandStarted) and wall != b"" and event.wall == wall
    return replace(event, wall=_WALL_FROM_SEED) if is_derived else event


def _with_wall(event: Event, wall: bytes) -> Event:
    is_derived = isinstance(event, HandStarted) and event.wall == _WALL_FROM_SEED
    return replace(event, wall=wall) if is_derived else event
