"""How many watch which table, in all processes.

Each process says of itself how many it has, and says it again before it is forgotten; what a
process said that has died counts for nothing after a moment. Never says who.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from redis.asyncio import Redis

from game.rooms.pulse import NowMs, now_ms
from game.rooms.room import TableId
from game.rooms.store import TableKeys, reaching_redis

BELIEVED_MS: Final = 15_000
_FORGOTTEN_AFTER_S: Final = 60
_AT_ONCE: Final = 500


class Onlookers:
    """The watchers of tables, counted."""

    def __init__(self, redis: Redis, process: str, *, now_ms: NowMs = now_ms) -> None:
        self._redis = redis
        self._process = process
        self._now_ms = now_ms
        self._said: set[TableId] = set()
        """Tables of which Redis has been told that somebody here watches."""

    async def say(self, here: Mapping[TableId, int]) -> None:
        """So many watch in this process; nobody at tables that are not named."""
        now = self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        for table_id, count in here.items():
            key = TableKeys.of(table_id).eyes
            pipe.hset(key, self._process, f"{count}:{now}")
            pipe.expire(key, _FORGOTTEN_AFTER_S)
        for table_id in self._said - here.keys():
            pipe.hdel(TableKeys.of(table_id).eyes, self._process)
        async with reaching_redis():
            await pipe.execute()
        self._said = set(here)

    async def count(self, table_ids: Sequence[TableId]) -> dict[TableId, int]:
        """How many watch each of these tables."""
        counted: dict[TableId, int] = {}
        for start in range(0, len(table_ids), _AT_ONCE):
            part = table_ids[start : start + _AT_ONCE]
            pipe = self._redis.pipeline(transaction=False)
            for table_id in part:
                pipe.hvals(TableKeys.of(table_id).eyes)
            async with reaching_redis():
                replies = await pipe.execute()
            counted |= dict(zip(part, map(self._sum, replies), strict=True))
        return counted

    def _sum(self, said: Iterable[Any]) -> int:
        oldest = self._now_ms() - BELIEVED_MS
        pairs = (value.split(b":") for value in said)
        return sum(int(count) for count, at in pairs if int(at) > oldest)
