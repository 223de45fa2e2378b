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
    """A socket at a table. No method waits. Frames for spectators leave with `flush`."""

    audience: int
    """The seat whose player it is; any other number is a spectator. Spectators with open hands get
    the game from `game.live.delayed_view`, not from the hub."""
    person: str
    """The id of the person, or ''."""
    sent_socket_count: int
    """The count that was sent last, 1 at first."""

    def find_place(self, room: Room) -> None:
        """Set `audience`, once, by who sits at the table."""

    def deliver(self, frame: str, seq: int) -> None:
        """Send a frame, which reaches event `seq` of this audience."""

    def deliver_chat(self, frame: str) -> None:
        """Send a frame of chat."""

    def deliver_socket_count(self, count: int) -> None:
        """Send how many sockets the player has open at this seat."""

    def deliver_spectator_count(self, count: int) -> None:
        """Send how many spectators the table has."""

    def flush(self) -> None:
        """Send what waits in the queue."""

    def unseat(self) -> None:
        """Close: somebody else has the seat now, or the spectator has a seat. The page may come
        back."""


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

    def count_spectators(self, table_id: TableId) -> int:
        """How many are at no seat."""
        place = self._places.get(table_id)
        return 0 if place is None else len(place.watching)
