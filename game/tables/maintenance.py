"""Maintenance of the whole site, stored in Redis.

During a hold the clocks of all tables are stopped, those of new tables too. During a drain no table
is opened, and running ones are played to their end.
"""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec

from game.redis.clients import Redis
from game.tables.errors import reaching_redis

_HOLD_KEY: Final = "maintenance:hold"
_DRAIN_KEY: Final = "maintenance:drain"
"""The key of the drain, with its notice."""


class Maintenance(msgspec.Struct, frozen=True):
    """The end of the hold in Unix milliseconds, and the notice for players."""

    until: int
    notice: str


_decoder: Final = msgspec.json.Decoder(Maintenance)


async def start_hold(redis: Redis, hold: Maintenance, now: int) -> None:
    """Store the hold. If the stored hold ends later, keep that end. Raises TablesUnavailable."""
    before = await current_hold(redis)
    if before is not None and before.until > hold.until:
        hold = Maintenance(before.until, hold.notice)
    with reaching_redis():
        await redis.set(_HOLD_KEY, msgspec.json.encode(hold), px=max(1, hold.until - now))


async def end_hold(redis: Redis) -> None:
    """Remove the hold. Raises TablesUnavailable."""
    with reaching_redis():
        await redis.delete(_HOLD_KEY)


async def current_hold(redis: Redis) -> Maintenance | None:
    """Return the present hold, or None. Raises TablesUnavailable."""
    with reaching_redis():
        raw = cast(Any, await redis.get(_HOLD_KEY))
    return None if raw is None else _decoder.decode(raw)


async def start_drain(redis: Redis, notice: str) -> None:
    """Refuse new tables from now on, and show `notice` to players. Raises TablesUnavailable."""
    with reaching_redis():
        await redis.set(_DRAIN_KEY, notice)


async def end_drain(redis: Redis) -> None:
    """Allow new tables again. Raises TablesUnavailable."""
    with reaching_redis():
        await redis.delete(_DRAIN_KEY)


async def current_drain(redis: Redis) -> str | None:
    """Return the notice of the present drain, or None. Raises TablesUnavailable."""
    with reaching_redis():
        raw = cast(Any, await redis.get(_DRAIN_KEY))
    return None if raw is None else bytes(raw).decode()
