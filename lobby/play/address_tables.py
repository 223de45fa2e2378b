"""Limits how many unfinished tables one address may have opened, over all processes.

Each table is added to the list of its address before it is opened, and only tables added earlier
count against it. So parallel requests cannot exceed the limits together.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings

from lobby.accounts.rate_limits import TooOften, digest_of
from lobby.play.backend import Backend

_OPENS_WITHIN_MS: Final = 30_000
"""A table that was added so recently may not be open yet."""
_KEPT_S: Final = 2 * 86_400


def key_of(address: str) -> str:
    """Return the Redis key of the address's tables. It contains a digest, not the address."""
    return f"opened:{digest_of(address)}"


async def reserve_table(backend: Backend, key: str, table_id: str) -> None:
    """Add a table that is about to be opened to the list of its address. Raises TooOften if the
    address has too many unfinished tables, and TableError.
    """
    now = backend.now_ms()
    await backend.call("ZADD", key, "NX", now, table_id)
    await backend.call("EXPIRE", key, _KEPT_S)
    entries = await backend.call("ZRANGE", key, 0, -1, "WITHSCORES")
    entered = {raw.decode(): float(at) for raw, at in zip(entries[::2], entries[1::2], strict=True)}
    unfinished = await backend.tables.find_unfinished([*entered])
    ended = [
        name
        for name, at in entered.items()
        if name not in unfinished and now - at > _OPENS_WITHIN_MS
    ]
    if ended:
        await backend.call("ZREM", key, *ended)
    earlier = [name for name in entered if name not in ended]
    earlier = earlier[: earlier.index(table_id)]
    empty = [name for name in earlier if not unfinished.get(name, False)]
    for found, at_most in (
        (earlier, settings.TABLES_PER_ADDRESS),
        (empty, settings.EMPTY_TABLES_PER_ADDRESS),
    ):
        if at_most and len(found) >= at_most:
            await release_table(backend, key, table_id)
            raise TooOften


async def release_table(backend: Backend, key: str, table_id: str) -> None:
    """Remove a table that will not be opened after all."""
    await backend.call("ZREM", key, table_id)
