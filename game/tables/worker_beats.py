"""Records in Redis when the workers of the site last polled.

Each node of a cluster has a list of workers, so that one node that hangs does not block the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from game.redis.pipeline import Command, Pipeline
from game.tables.errors import reaching_redis
from game.tables.keys import SHARDS

_KEY: Final = "workers"
_KEPT_MS: Final = 600_000
_NOTED_WITHIN_S: Final = 0.5
"""How long a beat waits for a node. A slower one is left out."""


class WorkerBeats:
    """The beats of all workers, of which one may run in this process."""

    def __init__(self, pipeline: Pipeline, process: str, *, now_ms: Callable[[], int]) -> None:
        self._pipeline = pipeline
        self._process = process
        self._now_ms = now_ms

    async def age_ms(self) -> int:
        """Return how long ago any worker polled. Raises TablesUnavailable."""
        return self._now_ms() - await self.last_at()

    async def note(self) -> None:
        """Record that the worker of this process has polled. Raises TablesUnavailable if no node
        stored it."""
        now, process = self._now_ms(), self._process
        oldest = now - _KEPT_MS
        await self._at_keys(
            lambda key: [("ZADD", key, now, process), ("ZREMRANGEBYSCORE", key, "-inf", oldest)]
        )

    async def remove(self) -> None:
        """Remove the worker of this process from all lists."""
        await self._at_keys(lambda key: [("ZREM", key, self._process)])

    async def last_at(self) -> int:
        """Return when any worker last polled; 0 if none has for ten minutes."""
        rows = await self._at_keys(lambda key: [("ZRANGE", key, 0, 0, "REV", "WITHSCORES")])
        # RESP2 sends name and score, RESP3 a list of such pairs
        ends = [row[-1][-1] if isinstance(row[-1], list) else row[-1] for row in rows if row]
        return max((int(float(score)) for score in ends), default=0)

    async def _at_keys(self, commands: Callable[[str], list[Command]]) -> list[Any]:
        """Send these commands for each list of workers. Return the replies that come."""
        keys: dict[object, str] = {None: _KEY}
        if self._pipeline.is_of_cluster:
            tagged = [f"{_KEY}:{{{shard}}}" for shard in range(SHARDS)]
            keys = {self._pipeline.node_of(("ZCARD", key)): key for key in tagged}
        replies = await self._pipeline.try_all(
            [command for key in keys.values() for command in commands(key)],
            within_s=_NOTED_WITHIN_S,
        )
        answered = [reply for reply in replies if not isinstance(reply, Exception)]
        if not answered:
            with reaching_redis():
                raise replies[0]
        return answered
