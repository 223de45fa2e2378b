"""How many watch which table, in all processes.

Each process says of itself how many it has, and says it again before it is forgotten; what a
process said that has died counts for nothing after a moment. Never says who.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final

from game.live.heartbeat import NowMs, now_ms
from game.redis.pipeline import Command, Pipeline
from game.tables.room import TableId
from game.tables.store import TableKeys, reaching_redis

BELIEVED_MS: Final = 15_000
_FORGOTTEN_AFTER_S: Final = 60
_SAID_AGAIN_MS: Final = 5_000


class ViewerCounts:
    """The watchers of tables, counted."""

    def __init__(self, pipeline: Pipeline, process: str, *, now_ms: NowMs = now_ms) -> None:
        self._pipeline = pipeline
        self._process = process
        self._now_ms = now_ms
        self._said: dict[TableId, tuple[int, int]] = {}
        """What Redis has been told of tables at which somebody here watches, and when."""

    def told_of(self) -> Set[TableId]:
        """The tables at which somebody watches here, as far as Redis has been told."""
        return self._said.keys()

    async def say(self, here: Mapping[TableId, int]) -> None:
        """So many watch each of these tables in this process."""
        now = self._now_ms()
        news = {
            table_id: count for table_id, count in here.items() if self._is_news(table_id, count)
        }
        commands = list[Command]()
        for table_id, count in news.items():
            key = TableKeys.of(table_id).viewers
            if count:
                commands.append(("HSET", key, self._process, f"{count}:{now}"))
                commands.append(("EXPIRE", key, _FORGOTTEN_AFTER_S))
            else:
                commands.append(("HDEL", key, self._process))
        with reaching_redis():
            await self._pipeline.calls(commands)
        for table_id, count in news.items():
            if count:
                self._said[table_id] = count, now
            else:
                del self._said[table_id]

    def _is_news(self, table_id: TableId, count: int) -> bool:
        said, at = self._said.get(table_id, (0, 0))
        return count != said or (count > 0 and self._now_ms() - at > _SAID_AGAIN_MS)

    async def count(self, table_ids: Sequence[TableId]) -> dict[TableId, int]:
        """How many watch each of these tables."""
        with reaching_redis():
            replies = await self._pipeline.calls(
                [("HVALS", TableKeys.of(table_id).viewers) for table_id in table_ids]
            )
        return dict(zip(table_ids, map(self._sum, replies), strict=True))

    def _sum(self, said: Iterable[Any]) -> int:
        oldest = self._now_ms() - BELIEVED_MS
        pairs = (value.split(b":") for value in said)
        return sum(int(count) for count, at in pairs if int(at) > oldest)
