"""Refuses a Redis with running tables that another release has stored in a form of its own."""

from __future__ import annotations

import logging
from typing import Any

from game.redis.clients import connect
from game.tables.errors import TablesUnavailable, reaching_redis
from game.tables.keys import FORM, FORM_KEY, SHARDS, due_key, tables_key

log = logging.getLogger(__name__)


class OtherForm(Exception):
    """Tables run in a form that this release cannot read."""


async def check_tables(url: str) -> None:
    """Note in the Redis of that address in which form this release stores tables. Raise OtherForm
    if tables run there in another one.

    While Redis is unavailable nothing can be checked: a table that cannot be read then stays as it
    is.
    """
    redis: Any = connect(url)
    try:
        with reaching_redis():
            if await redis.get(FORM_KEY) == FORM:
                return
            count = sum([await _count_tables(redis, shard) for shard in range(SHARDS)])
            if not count:
                await redis.set(FORM_KEY, FORM)
                return
    except TablesUnavailable as error:
        log.warning("the form of the stored tables cannot be checked: %s", error)
        return
    finally:
        await redis.aclose()
    raise OtherForm(
        f"Redis has running tables ({count}) in the form of another release. Start that release, "
        "let the site run empty with `manage.py tables drain`, and update then."
    )


async def _count_tables(redis: Any, shard: int) -> int:
    """Return the number of tables of a shard, frozen ones included. Releases without an index of
    all tables had those that are due only."""
    listed: int = await redis.zcard(tables_key(shard))
    due: int = await redis.zcard(due_key(shard))
    return max(listed, due)
