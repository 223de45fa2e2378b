"""That the house has stopped the clocks of all tables: noted in Redis, so that a table which is
opened meanwhile is told too.
"""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec

from game.redis.clients import Redis
from game.tables.store import reaching_redis

_KEY: Final = "house:hold"


class Maintenance(msgspec.Struct, frozen=True):
    """Until when, and what is said of it."""

    until: int
    notice: str


_decoder: Final = msgspec.json.Decoder(Maintenance)


async def start_hold(redis: Redis, hold: Maintenance, now: int) -> None:
    """All clocks stand; a longer one that is noted already stays. Raises RoomsUnavailable."""
    before = await current_hold(redis)
    if before is not None and before.until > hold.until:
        hold = Maintenance(before.until, hold.notice)
    with reaching_redis():
        await redis.set(_KEY, msgspec.json.encode(hold), px=max(1, hold.until - now))


async def end_hold(redis: Redis) -> None:
    """The clocks run again."""
    with reaching_redis():
        await redis.delete(_KEY)


async def current_hold(redis: Redis) -> Maintenance | None:
    """What holds just now; None if nothing does."""
    with reaching_redis():
        raw = cast(Any, await redis.get(_KEY))
    return None if raw is None else _decoder.decode(raw)
