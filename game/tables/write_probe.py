"""Tries whether Redis takes writes. One that is full or cannot write to its disk still answers."""

from __future__ import annotations

from typing import Final

from game.redis.errors import OUTAGES
from game.redis.pipeline import Command, Pipeline
from game.tables.keys import SHARDS

_KEPT_MS: Final = 60_000
_ANSWERED_WITHIN_S: Final = 1.0


async def takes_writes(pipeline: Pipeline, process: str) -> bool:
    """Return whether a write succeeds and no node refuses one.

    A node of a cluster that does not answer does not count: the tables of the others play on.
    """
    names = [f"probe:{{{shard}}}" for shard in range(SHARDS)]
    keys = {pipeline.node_of(("SET", name)): f"{name}:{process}" for name in names}
    commands: list[Command] = [("SET", key, 1, "PX", _KEPT_MS) for key in keys.values()]
    replies = await pipeline.try_all(commands, within_s=_ANSWERED_WITHIN_S)
    failures = [reply for reply in replies if isinstance(reply, Exception)]
    is_refused = any(not isinstance(failure, OUTAGES) for failure in failures)
    return len(failures) < len(replies) and not is_refused
