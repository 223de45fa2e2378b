"""What is said at tables, in Redis: two circles for each table, the players' and the watchers'.

A circle is a capped stream that ends with its table. Knows nothing of who may say or hear what.
"""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import msgspec

from game.redis.clients import Redis
from game.tables.room import TableId
from game.tables.store import TableKeys, reaching_redis

Circle = Literal["table", "watchers"]
CIRCLES: Final[tuple[Circle, ...]] = ("table", "watchers")
KEPT_LINES: Final = 200
KEPT_S: Final = 2 * 86_400
"""After the last line, if the table is not taken off before."""
NEW_CHAT_LINE: Final = "talk"
"""What a table's channel says when somebody has spoken; a head is never that."""
_WINDOWS: Final = ((5, 4), (60, 20))
"""Seconds, and how many lines of one person within them."""


class ChatMessage(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Something said."""

    at: int
    person: str
    name: str
    seat: int
    """-1 for a watcher."""
    text: str = ""
    phrase: str = ""
    """One of the quick ones, which every reader is shown in their own language."""


class StoredLine(msgspec.Struct, frozen=True, gc=False):
    """A line, and its place in its circle."""

    circle: Circle
    id: str
    line: ChatMessage


_encoder: Final = msgspec.msgpack.Encoder()
_line: Final = msgspec.msgpack.Decoder(ChatMessage)


async def is_too_often(redis: Redis, person: str, now_ms: int) -> bool:
    """Count one more line of that person, at whatever table."""
    pipe = redis.pipeline(transaction=False)
    for window_s, _ in _WINDOWS:
        key = f"said:{window_s}:{now_ms // (1000 * window_s)}:{person}"
        pipe.incr(key)
        pipe.expire(key, window_s)
    with reaching_redis():
        replies = await pipe.execute()
    pairs = zip(replies[::2], _WINDOWS, strict=True)
    return any(count > at_most for count, (_, at_most) in pairs)


async def line_said(redis: Redis, table_id: TableId, circle: Circle, line: ChatMessage) -> None:
    """Add the line to the circle, and let all processes know."""
    keys = TableKeys.of(table_id)
    key = _key(keys, circle)
    pipe = redis.pipeline(transaction=True)
    pipe.xadd(key, {"l": _encoder.encode(line)}, maxlen=KEPT_LINES, approximate=False)
    pipe.expire(key, KEPT_S)
    pipe.publish(keys.channel, NEW_CHAT_LINE)
    with reaching_redis():
        await pipe.execute()


async def lines_after(
    redis: Redis, table_id: TableId, circle: Circle, last: str
) -> list[StoredLine]:
    """What has been said there since the line of that id; '' for all that is kept."""
    key = _key(TableKeys.of(table_id), circle)
    start = f"({last}" if last else "-"
    with reaching_redis():
        rows = await cast(Any, redis.xrange(key, min=start))
    return [StoredLine(circle, row.decode(), _line.decode(fields[b"l"])) for row, fields in rows]


def _key(keys: TableKeys, circle: Circle) -> str:
    return keys.chat if circle == "table" else keys.spectator_chat
