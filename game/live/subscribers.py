"""Keeps the sockets of this process by table.

Players and spectators are kept apart: a table may have a thousand spectators, and no frame for
players waits for a search among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from game.engine.events import Event
from game.engine.perspective import is_seat
from game.tables.room import Room, TableId


class Subscriber(Protocol):
    """A socket at a table. No method waits. Frames for spectators are queued until `flush`."""

    viewer: int
    """The player's seat; any other number is a spectator. Spectators with a delay get the game
    from `game.live.delayed_view`, not from the hub."""
    person: str
    """The id of the person, or ''."""
    sent_socket_count: int
    """The number of sockets of the player that was last sent, 1 at first."""
    blocked_people: frozenset[str]
    """The ids of people whose chat the person does not see."""

    def set_viewer(self, room: Room) -> None:
        """Set `viewer` to the person's seat or to a spectator. Called once."""

    def deliver(self, frame: str, seq: int) -> None:
        """Send a frame; `seq` is the number of its last event, counted for this viewer."""

    def deliver_chat(self, frame: str) -> None:
        """Send a frame of chat."""

    def deliver_socket_count(self, count: int) -> None:
        """Send how many sockets the player has open at this seat."""

    def deliver_spectator_count(self, count: int) -> None:
        """Send how many spectators the table has."""

    def flush(self) -> None:
        """Send the queued frames."""

    def unseat(self) -> None:
        """Close the socket: a player has lost the seat, or a spectator has got one. The page may
        connect again."""


class BotSubscriber:
    """A bot account at a seat. Instead of frames it gets the events that its seat may see."""

    viewer: int
    person: str
    sent_socket_count: int = 1
    blocked_people: frozenset[str] = frozenset()

    def set_viewer(self, room: Room) -> None:
        """Set `viewer` to the seat of the bot account. Called once."""
        raise NotImplementedError

    def deliver_step(self, room: Room, seen: Sequence[Event]) -> None:
        """Take the events of one step, redacted for the seat, and the room after the step. Called
        for every step."""
        raise NotImplementedError

    def deliver_afresh(self, room: Room) -> None:
        """Take a room that does not follow from the steps delivered before, for example after steps
        were lost."""
        raise NotImplementedError

    def unseat(self) -> None:
        """Note that the bot has lost its seat."""
        raise NotImplementedError

    def deliver(self, frame: str, seq: int) -> None:
        """Do nothing: bots get events, not frames."""

    def deliver_chat(self, frame: str) -> None:
        """Do nothing: bots do not chat."""

    def deliver_socket_count(self, count: int) -> None:
        """Do nothing: a bot has one socket."""

    def deliver_spectator_count(self, count: int) -> None:
        """Do nothing: bots are not told the number of spectators."""

    def flush(self) -> None:
        """Do nothing: there is no queue."""


class _Group:
    """The sockets of this process at one table, in the order in which they joined."""

    __slots__ = ("players", "spectators")

    def __init__(self) -> None:
        self.players: dict[Subscriber, None] = {}
        self.spectators: dict[Subscriber, None] = {}


_NOBODY: Final = _Group()


class Subscribers:
    """The sockets of this process at each table."""

    def __init__(self) -> None:
        self._groups: dict[TableId, _Group] = {}
        self._joining: Counter[TableId] = Counter()

    @contextmanager
    def expect_join(self, table_id: TableId) -> Iterator[None]:
        """During the block, count a socket that is about to join the table."""
        self._joining[table_id] += 1
        try:
            yield
        finally:
            self._joining[table_id] -= 1
            if not self._joining[table_id]:
                del self._joining[table_id]

    def has_any(self, table_id: TableId) -> bool:
        """Return whether the table has sockets or one is joining."""
        return table_id in self._groups or table_id in self._joining

    def all_sockets(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """Return all sockets at the table, players first."""
        return self.players(table_id) + self.spectators(table_id)

    def __contains__(self, table_id: TableId) -> bool:
        """Return whether the table has sockets."""
        return table_id in self._groups

    def __iter__(self) -> Iterator[TableId]:
        """Iterate over the ids of the tables that have sockets."""
        return iter(self._groups)

    def add(self, table_id: TableId, subscriber: Subscriber) -> None:
        """Add the socket as a player or a spectator, according to its `viewer`."""
        self.discard(table_id, subscriber)
        group = self._groups.setdefault(table_id, _Group())
        is_player = is_seat(subscriber.viewer)
        (group.players if is_player else group.spectators)[subscriber] = None

    def discard(self, table_id: TableId, subscriber: Subscriber) -> None:
        """Remove the socket if it is there."""
        group = self._groups.get(table_id, _NOBODY)
        group.players.pop(subscriber, None)
        group.spectators.pop(subscriber, None)
        if not group.players and not group.spectators:
            self._groups.pop(table_id, None)

    def players(self, table_id: TableId) -> tuple[Subscriber, ...]:
        return tuple(self._groups.get(table_id, _NOBODY).players)

    def spectators(self, table_id: TableId) -> tuple[Subscriber, ...]:
        return tuple(self._groups.get(table_id, _NOBODY).spectators)

    def count_spectators(self, table_id: TableId) -> int:
        return len(self._groups.get(table_id, _NOBODY).spectators)
