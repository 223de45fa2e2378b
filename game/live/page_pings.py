"""Pings the pages of players while the wall is drawn with them, so that the draw waits for a slow
page but not for a dead connection.

These are pings of the websocket protocol, which the browser answers even if the page is busy.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from game.live.presence import Presence
from game.live.send_queue import ServerSocket
from game.tables.room import TableId
from game.tables.room_cache import RoomCache


class PagePings:
    """The sockets of this process at tables whose wall is being drawn."""

    def __init__(self, presence: Presence, rooms: RoomCache) -> None:
        self._presence = presence
        self._rooms = rooms
        self._followed: dict[ServerSocket, _FollowedSocket] = {}

    async def follow(self, table_id: TableId, seat: int, socket: ServerSocket) -> None:
        """Ping a player's new socket until the wall is fixed or `leave` is called."""
        self._followed[socket] = _FollowedSocket(table_id, seat, socket.answered_at)
        await self._presence.note_pongs({(table_id, seat): 0})

    def leave(self, socket: ServerSocket) -> None:
        """Stop pinging that socket."""
        self._followed.pop(socket, None)

    async def ping(self) -> None:
        """Store when the last pings were answered, and send new ones."""
        now, ages = time.monotonic(), dict[tuple[TableId, int], int]()
        for socket, followed in list(self._followed.items()):
            room = self._rooms.get(followed.table_id)
            if room is not None and not room.table.is_drawing_wall:
                self.leave(socket)
                continue
            if socket.answered_at != followed.stored:
                followed.stored = socket.answered_at
                ages[followed.table_id, followed.seat] = int(1000 * (now - socket.answered_at))
            socket.ping()
        if ages:
            await self._presence.note_pongs(ages)


@dataclass(slots=True)
class _FollowedSocket:
    table_id: TableId
    seat: int
    stored: float
    """The last answer that has been stored, by the monotonic clock."""
