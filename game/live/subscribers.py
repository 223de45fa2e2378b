"""Who in this process looks at which table: players apart from those who watch, of whom there may
be a thousand, so that no player waits until these have been looked through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from game.engine.state import SEATS
from game.tables.room import Room, TableId


class Subscriber(Protocol):
    """A socket."""

    audience: int
    """The seat whose player it is; any other number watches. The hub hands
    nothing of the game to spectators with open hands: `game.live.delayed_view` does."""
    person: str
    """Who it is."""

    def find_place(self, room: Room) -> None:
        """Settle `audience`, which stays as it is then, by who sits there. Must not wait."""

    def deliver(self, frame: str, seq: int) -> None:
        """Take a frame, which tells of event `seq` of this audience and of none after it; must
        not wait."""

    def unseat(self) -> None:
        """End: the seat is somebody else's now, or who watched has one. Must not wait."""

    def tell_of_watchers(self, count: int) -> None:
        """So many watch the table. Must not wait."""


class _Place:
    """One table, as far as sockets of this process are there."""

    __slots__ = ("players", "watching")

    def __init__(self) -> None:
        self.players: dict[Subscriber, None] = {}
        self.watching: dict[Subscriber, None] = {}


class Subscribers:
    """By table, in the order in which they have come."""

    def __init__(self) -> None:
        self._places: dict[TableId, _Place] = {}
        self._joining: Counter[TableId] = Counter()

    @contextmanager
    def joining(self, table_id: TableId) -> Iterator[None]:
        """Count somebody who is about to come to that table."""
        self._joining[table_id] += 1
        try:
            yield
        finally:
            self._joining[table_id] -= 1
            if not self._joining[table_id]:
                del self._joining[table_id]

    def has_any(self, table_id: TableId) -> bool:
        """Whether anybody is there or about to come."""
        return table_id in self._places or table_id in self._joining

    def everybody(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """Those at that table, players first."""
        return self.players(table_id) + self.watching(table_id)

    def __contains__(self, table_id: TableId) -> bool:
        """Whether anybody is there."""
        return table_id in self._places

    def __iter__(self) -> Iterator[TableId]:
        """The tables at which somebody is."""
        return iter(self._places)

    def add(self, table_id: TableId, listener: Subscriber) -> None:
        """Among the players or those who watch, as their audience says."""
        place = self._places.get(table_id)
        if place is None:
            place = self._places[table_id] = _Place()
        group, other = place.players, place.watching
        if listener.audience not in SEATS:
            group, other = other, group
        other.pop(listener, None)
        group[listener] = None

    def discard(self, table_id: TableId, listener: Subscriber) -> None:
        """No longer there, if they were."""
        place = self._places.get(table_id)
        if place is None:
            return
        place.players.pop(listener, None)
        place.watching.pop(listener, None)
        if not place.players and not place.watching:
            del self._places[table_id]

    def players(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """Those at seats."""
        place = self._places.get(table_id)
        return () if place is None else tuple(place.players)

    def watching(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """Those at no seat."""
        place = self._places.get(table_id)
        return () if place is None else tuple(place.watching)

    def count_watching(self, table_id: TableId) -> int:
        """How many are at no seat."""
        place = self._places.get(table_id)
        return 0 if place is None else len(place.watching)
