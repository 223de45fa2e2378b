"""How many windows of one table a player has open: told to each of them when that changes.

Asked of Redis when a socket comes or goes, not again and again. More windows than before are told
only if they are still there a moment later: the sockets of a web server that has died are counted
until it has been silent for `SILENT_AFTER_MS`, and their pages are back before that.
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
    """The windows at the tables of this process."""

    def __init__(self, presence: Presence, subscribers: Subscribers) -> None:
        self._presence = presence
        self._subscribers = subscribers
        self._refresher = Refresher("windows", self._count)

    def check(self, table_id: TableId) -> None:
        """Count soon: a socket has opened or closed at a seat there, or may have."""
        if self._subscribers.players(table_id):
            self._refresher.request(table_id)

    async def stop(self) -> None:
        await self._refresher.stop()

    async def _count(self, table_id: TableId) -> None:
        if await self._tell(table_id, is_confirmed=False):
            await asyncio.sleep(CONFIRMED_AFTER_S)
            await self._tell(table_id, is_confirmed=True)

    async def _tell(self, table_id: TableId, *, is_confirmed: bool) -> bool:
        """Tell the windows how many there are. True if there are more than some of them know, which
        is told only when it is confirmed."""
        counts = await self._presence.sockets(table_id)
        has_more = False
        for subscriber in self._subscribers.players(table_id):
            count = counts[subscriber.audience]
            if count <= subscriber.sent_socket_count or is_confirmed:
                subscriber.deliver_socket_count(count)
            else:
                has_more = True
        return has_more
