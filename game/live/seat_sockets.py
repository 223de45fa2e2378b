"""Tells players how many sockets they have at their seat, and everybody which players are absent.

Both are read when a socket opens or closes. A count that has grown is sent only when a later count
confirms it: the sockets of a dead web server count until it has been silent for `SILENT_AFTER_MS`,
and their pages reconnect before that. A player is shown as absent if the last socket has been
closed for `ABSENT_AFTER_MS`, so that a reload shows nothing. Counts and marks that have to wait are
read again after each heartbeat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from game.live.heartbeat import NowMs, now_ms
from game.live.presence import Presence
from game.live.subscribers import Subscribers
from game.tables.room import TableId
from game.tables.service import Service
from game.tables.table_tasks import TableTasks
from game.tables.timeouts import (
    SILENT_AFTER_MS,
    Heartbeats,
    SeatSockets,
    count_open_sockets,
    left_since,
)

CONFIRMED_AFTER_MS: Final = SILENT_AFTER_MS + 1_000
ABSENT_AFTER_MS: Final = 1_000


class SeatSocketCounts:
    """Counts the sockets at seats of the tables of this process."""

    def __init__(
        self,
        presence: Presence,
        subscribers: Subscribers,
        service: Service,
        *,
        now_ms: NowMs = now_ms,
    ) -> None:
        self._presence = presence
        self._subscribers = subscribers
        self._service = service
        self._now_ms = now_ms
        self._table_tasks = TableTasks("sockets", self._count)
        self._greater_since: dict[TableId, int] = {}
        """Since when a table has had a greater number that is not confirmed."""
        self._uncounted: set[TableId] = set()
        """Tables whose marks are not as they should be, or soon will not be."""

    def request_count(self, table_id: TableId) -> None:
        """Ask for a count, because a socket may have opened or closed at a seat of the table.
        Returns at once."""
        if table_id in self._subscribers:
            self._uncounted.add(table_id)
            self._table_tasks.request(table_id)

    async def count_again(self) -> None:
        """Start counts at tables where a grown count is not confirmed yet or a mark of absence may
        be outdated. Returns at once."""
        waiting, self._uncounted = {*self._uncounted, *self._greater_since}, set()
        for table_id in waiting:
            if table_id in self._subscribers:
                self.request_count(table_id)
            else:
                self._greater_since.pop(table_id, None)

    async def stop(self) -> None:
        await self._table_tasks.stop()

    async def _count(self, table_id: TableId) -> None:
        room = self._service.rooms.get(table_id)
        if room is None:
            return
        seats = [seat for seat, meta in enumerate(room.meta.seats) if meta.person and not meta.bot]
        heartbeats, sockets = await self._presence.read_sockets(table_id, seats)
        self._send_counts(table_id, heartbeats, sockets)
        now, absent, is_settled = self._now_ms(), list[int](), True
        for seat, own in sockets.items():
            left_at = left_since(own, heartbeats, now)
            if left_at is not None and now - left_at >= ABSENT_AFTER_MS:
                absent.append(seat)
            elif left_at is not None:
                is_settled = False
        if await self._service.mark_absent(table_id, absent) and is_settled:
            self._uncounted.discard(table_id)

    def _send_counts(
        self, table_id: TableId, heartbeats: Heartbeats, sockets: Mapping[int, SeatSockets]
    ) -> None:
        """Send the counts that have changed; a grown count only once it is confirmed."""
        now, has_more = self._now_ms(), False
        since = self._greater_since.pop(table_id, now)
        for subscriber in self._subscribers.players(table_id):
            if subscriber.viewer not in sockets:
                continue
            count = count_open_sockets(sockets[subscriber.viewer], heartbeats, now)
            is_greater = count > subscriber.sent_socket_count
            if is_greater and now - since < CONFIRMED_AFTER_MS:
                has_more = True
            else:
                subscriber.deliver_socket_count(count)
        if has_more:
            self._greater_since[table_id] = since
