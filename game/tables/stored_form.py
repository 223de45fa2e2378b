"""Refuses a Redis whose running tables another release has stored in a form that this release
cannot read."""

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
    """Note in the Redis at that address the form in which this release stores tables. Raise
    OtherForm if running tables are stored there in another form.

    If Redis is unavailable, the check is skipped: a table that cannot be read later stays as it is.
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
    """Return the number of tables of a shard, frozen ones included. Older releases have no index of
    all tables: count their due tables."""
    listed: int = await redis.zcard(tables_key(shard))
    due: int = await redis.zcard(due_key(shard))
    return max(listed, due)
