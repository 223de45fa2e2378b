"""Counts the spectators of each table in all processes.

Each process stores its own counts and repeats them every few seconds. Counts that are not repeated,
such as those of a dead process, expire. Must not know who the spectators are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final

from game.live.heartbeat import NowMs, now_ms
from game.redis.pipeline import Command, Pipeline
from game.tables.errors import reaching_redis
from game.tables.keys import TableKeys
from game.tables.room import TableId

VALID_MS: Final = 15_000
"""For how long a count counts, and the page that shows a table's board."""
_KEY_KEPT_S: Final = 60
_REPEATED_AFTER_MS: Final = 5_000


class SpectatorCounts:
    """The counts of spectators in Redis."""

    def __init__(self, pipeline: Pipeline, process: str, *, now_ms: NowMs = now_ms) -> None:
        self._pipeline = pipeline
        self._process = process
        self._now_ms = now_ms
        self._stored: dict[TableId, tuple[int, int]] = {}
        """The stored counts of this process, with the time at which they were stored."""

    def stored_tables(self) -> Set[TableId]:
        """Return the tables for which this process has stored a count."""
        return self._stored.keys()

    async def store(self, counts: Mapping[TableId, int]) -> None:
        """Store how many spectators of each of these tables this process has."""
        now = self._now_ms()
        news = {
            table_id: count
            for table_id, count in counts.items()
            if self._has_to_store(table_id, count)
        }
        commands = list[Command]()
        for table_id, count in news.items():
            key = TableKeys.of(table_id).spectators
            if count:
                commands.append(("HSET", key, self._process, f"{count}:{now}"))
                commands.append(("EXPIRE", key, _KEY_KEPT_S))
            else:
                commands.append(("HDEL", key, self._process))
        with reaching_redis():
            await self._pipeline.calls(commands)
        for table_id, count in news.items():
            if count:
                self._stored[table_id] = count, now
            else:
                del self._stored[table_id]

    def _has_to_store(self, table_id: TableId, count: int) -> bool:
        stored, at = self._stored.get(table_id, (0, 0))
        return count != stored or (count > 0 and self._now_ms() - at > _REPEATED_AFTER_MS)

    async def count(self, table_ids: Sequence[TableId]) -> dict[TableId, int]:
        """Return how many spectators each of these tables has in all processes."""
        with reaching_redis():
            replies = await self._pipeline.calls(
                [("HVALS", TableKeys.of(table_id).spectators) for table_id in table_ids]
            )
        return dict(zip(table_ids, map(self._sum_counts, replies), strict=True))

    async def note_board(self, table_id: TableId) -> None:
        """Note that somebody has a page open that shows the board of the table."""
        with reaching_redis():
            await self._pipeline.call("SET", TableKeys.of(table_id).boards, 1, "PX", VALID_MS)

    async def is_watched(self, table_id: TableId) -> bool:
        """Return whether the table has spectators, or an open page shows its board."""
        with reaching_redis():
            shown = await self._pipeline.call("EXISTS", TableKeys.of(table_id).boards)
        return bool(shown) or (await self.count([table_id]))[table_id] > 0

    def _sum_counts(self, values: Iterable[Any]) -> int:
        oldest = self._now_ms() - VALID_MS
        pairs = (value.split(b":") for value in values)
        return sum(int(count) for count, at in pairs if int(at) > oldest)
