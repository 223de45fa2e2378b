"""Sends players the number of sockets that they have open at their seat, when it changes.

The number is read when a socket opens or closes. A greater number is sent only if it is confirmed a
moment later. The sockets of a dead web server count until it has been silent for `SILENT_AFTER_MS`,
and their pages reconnect before that.
"""

from __future__ import annotations

import asyncio
from typing import Final

from game.live.presence import Presence
from game.live.subscribers import Subscribers
from game.tables.refresher import Refresher
from game.tables.room import TableId
from game.tables.timeouts import SILENT_AFTER_MS

CONFIRMED_AFTER_S: Final = SILENT_AFTER_MS / 1000 + 1


class SeatSocketCounts:
    """Counts the sockets at seats of the tables of this process."""

    def __init__(self, presence: Presence, subscribers: Subscribers) -> None:
        self._presence = presence
        self._subscribers = subscribers
        self._refresher = Refresher("sockets", self._count)

    def request_count(self, table_id: TableId) -> None:
        """Request a count: a socket may have opened or closed at a seat of the table."""
        if self._subscribers.players(table_id):
            self._refresher.request(table_id)

    async def stop(self) -> None:
        await self._refresher.stop()

    async def _count(self, table_id: TableId) -> None:
        if await self._send(table_id, is_confirmed=False):
            await asyncio.sleep(CONFIRMED_AFTER_S)
            await self._send(table_id, is_confirmed=True)

    async def _send(self, table_id: TableId, *, is_confirmed: bool) -> bool:
        """Send the counts, greater ones only if they are confirmed. Return whether a greater one
        was left out."""
        counts = await self._presence.sockets(table_id)
        has_more = False
        for subscriber in self._subscribers.players(table_id):
            count = counts[subscriber.viewer]
            if count <= subscriber.sent_socket_count or is_confirmed:
                subscriber.deliver_socket_count(count)
            else:
                has_more = True
        return has_more
