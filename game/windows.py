"""How many windows of one table a player has open: told to each of them when that changes.

Asked of Redis when a socket comes or goes, not again and again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from game.rooms.errors import RoomsUnavailable
from game.rooms.hub import Hub
from game.rooms.room import TableId
from game.rooms.service import Service

log = logging.getLogger(__name__)


@runtime_checkable
class Window(Protocol):
    """A player's socket."""

    def tell_of_windows(self, count: int) -> None:
        """The player has so many sockets open at this seat. Must not wait."""


class Windows:
    """The windows at the tables that this process looks at."""

    def __init__(self, service: Service, hub: Hub) -> None:
        self._service = service
        self._hub = hub
        self._counts: dict[TableId, asyncio.Task[None]] = {}
        self._again: set[TableId] = set()
        hub.on_seats = self.check

    def check(self, table_id: TableId) -> None:
        """A socket has come or gone at a seat there, or may have."""
        if table_id in self._counts:
            self._again.add(table_id)
        elif self._hub.players_at(table_id):
            self._counts[table_id] = asyncio.create_task(self._count(table_id))

    async def _count(self, table_id: TableId) -> None:
        try:
            while True:
                self._again.discard(table_id)
                counts = await self._service.seat_sockets(table_id)
                for listener in self._hub.players_at(table_id):
                    if isinstance(listener, Window):
                        listener.tell_of_windows(counts[listener.audience])
                if table_id not in self._again:
                    return
        except RoomsUnavailable as error:
            log.info("table %s: the windows cannot be counted now: %s", table_id, error)
        finally:
            self._again.discard(table_id)
            del self._counts[table_id]


_windows: WeakKeyDictionary[Hub, Windows] = WeakKeyDictionary()


def windows_of(service: Service, hub: Hub) -> Windows:
    """Those of this process."""
    if hub not in _windows:
        _windows[hub] = Windows(service, hub)
    return _windows[hub]
