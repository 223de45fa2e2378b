"""How many windows of one table a player has open: told to each of them when that changes.

Asked of Redis when a socket comes or goes, not again and again. More windows than before are told
only if they are still there a moment later: the sockets of a web server that has died are counted
until it has been silent for `SILENT_AFTER_MS`, and their pages are back before that.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from game.live.hub import Hub
from game.tables.errors import TablesUnavailable
from game.tables.room import TableId
from game.tables.service import Service
from game.tables.timeouts import SILENT_AFTER_MS

log = logging.getLogger(__name__)

CONFIRMED_AFTER_S: Final = SILENT_AFTER_MS / 1000 + 1


@runtime_checkable
class Window(Protocol):
    """A player's socket."""

    windows_told: int
    """What it was told last, 1 at first."""

    def tell_of_windows(self, count: int) -> None:
        """The player has so many sockets open at this seat. Must not wait."""


class SeatSocketCounts:
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

    async def _tell(self, table_id: TableId, *, is_confirmed: bool) -> bool:
        """Tell the windows how many there are. True if there are more than some of them know, which
        is told only when it is confirmed."""
        counts = await self._service.count_sockets(table_id)
        has_more = False
        for listener in self._hub.players_at(table_id):
            if not isinstance(listener, Window):
                continue
            count = counts[listener.audience]
            if count <= listener.windows_told or is_confirmed:
                listener.tell_of_windows(count)
            else:
                has_more = True
        return has_more

    async def _count(self, table_id: TableId) -> None:
        try:
            while True:
                self._again.discard(table_id)
                if await self._tell(table_id, is_confirmed=False):
                    await asyncio.sleep(CONFIRMED_AFTER_S)
                    await self._tell(table_id, is_confirmed=True)
                if table_id not in self._again:
                    return
        except TablesUnavailable as error:
            log.info("table %s: the windows cannot be counted now: %s", table_id, error)
        finally:
            self._again.discard(table_id)
            del self._counts[table_id]


_windows: WeakKeyDictionary[Hub, SeatSocketCounts] = WeakKeyDictionary()


def windows_of(service: Service, hub: Hub) -> SeatSocketCounts:
    """Those of this process."""
    if hub not in _windows:
        _windows[hub] = SeatSocketCounts(service, hub)
    return _windows[hub]
