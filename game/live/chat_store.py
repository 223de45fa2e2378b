"""Stores chat in Redis, in two streams for each table: one of the players and one of the
spectators.

A stream has a limited length and expires with its table. Must not know who may write or read what.
"""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import msgspec

from game.redis.clients import Redis
from game.tables.errors import reaching_redis
from game.tables.keys import TableKeys
from game.tables.room import TableId

ChatStream = Literal["table", "watchers"]
CHAT_STREAMS: Final[tuple[ChatStream, ...]] = ("table", "watchers")
KEPT_LINES: Final = 200
KEPT_S: Final = 2 * 86_400
"""How long a chat is kept after its last line, unless the table ends before."""
_TABLES_KEPT_S: Final = 7 * 86_400
"""How long a person's tables are remembered after their last line. Longer than `KEPT_S`, because
lines of others keep the chat of a table."""
NEW_CHAT_LINE: Final = "chat"
"""The message on a table's channel for a new line of chat. It differs from every head."""
_RATE_LIMITS: Final = ((5, 4), (60, 20))
"""Pairs of a number of seconds and the lines that one person may write in them."""


class ChatMessage(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A line of chat, as it is stored."""

    at: int
    person: str
    name: str
    seat: int
    """The seat of the writer; -1 for a spectator."""
    text: str = ""
    phrase: str = ""
    """A quick phrase by its id; each reader sees it in their own language."""


class StoredLine(msgspec.Struct, frozen=True, gc=False):
    """A line of chat with its stream and its id there."""

    stream: ChatStream
    id: str
    message: ChatMessage


_encoder: Final = msgspec.msgpack.Encoder()
_message_decoder: Final = msgspec.msgpack.Decoder(ChatMessage)


async def count_line(redis: Redis, person: str, now_ms: int) -> bool:
    """Count one more line of that person, at any table. Return True if they have now written too
    many."""
    pipe = redis.pipeline(transaction=False)
    for window_s, _ in _RATE_LIMITS:
        key = f"chat-lines:{window_s}:{now_ms // (1000 * window_s)}:{person}"
        pipe.incr(key)
        pipe.expire(key, window_s)
    with reaching_redis():
        replies = await pipe.execute()
    pairs = zip(replies[::2], _RATE_LIMITS, strict=True)
    return any(count > at_most for count, (_, at_most) in pairs)


async def append_line(
    redis: Redis, table_id: TableId, stream: ChatStream, line: ChatMessage
) -> None:
    """Add the line to its stream and notify all processes that follow the table."""
    keys = TableKeys.of(table_id)
    key = _stream_key(keys, stream)
    own = _tables_key(line.person)
    pipe = redis.pipeline(transaction=False)
    pipe.sadd(own, table_id)
    pipe.expire(own, _TABLES_KEPT_S)
    with reaching_redis():
        await pipe.execute()
    pipe = redis.pipeline(transaction=True)
    pipe.xadd(key, {"l": _encoder.encode(line)}, maxlen=KEPT_LINES, approximate=False)
    pipe.expire(key, KEPT_S)
    pipe.publish(keys.channel, NEW_CHAT_LINE)
    with reaching_redis():
        await pipe.execute()


async def tables_with_lines_of(redis: Redis, person: str) -> list[TableId]:
    """Return the tables at which that person has written lines that Redis may still have."""
    with reaching_redis():
        found = await cast(Any, redis.smembers(_tables_key(person)))
    return sorted(TableId(raw.decode()) for raw in found)


async def lines_after(
    redis: Redis, table_id: TableId, stream: ChatStream, last: str
) -> list[StoredLine]:
    """Return the stream's lines after the one with the id `last`; all of them for ''."""
    key = _stream_key(TableKeys.of(table_id), stream)
    start = f"({last}" if last else "-"
    with reaching_redis():
        rows = await cast(Any, redis.xrange(key, min=start))
    return [
        StoredLine(stream, row.decode(), _message_decoder.decode(fields[b"l"]))
        for row, fields in rows
    ]


def _tables_key(person: str) -> str:
    return f"chat-tables:{person}"


def _stream_key(keys: TableKeys, stream: ChatStream) -> str:
    return keys.chat if stream == "table" else keys.spectator_chat
