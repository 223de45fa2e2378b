"""Where the key stands in each command that the project sends to Redis.

A cluster sends a command to the node of its key, so that a wrong place would send it to a node that
refuses it. The tests of clusters compare this table with Redis' own (`COMMAND GETKEYS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

WITHOUT_KEY: Final = frozenset({"PING", "TIME", "WAIT"})
"""`WAIT` goes to the node of the writes that are sent with it."""
KEY_FIRST: Final = frozenset(
    {
        *("DEL", "EXISTS", "EXPIRE", "GET", "INCRBY", "SET"),
        *("HDEL", "HEXISTS", "HGET", "HGETALL", "HINCRBY", "HLEN", "HMGET", "HSET", "HVALS"),
        *("SADD", "SISMEMBER", "SMEMBERS"),
        *("XADD", "XRANGE"),
        *("ZADD", "ZCARD", "ZCOUNT", "ZRANGE", "ZRANGEBYLEX", "ZRANGEBYSCORE", "ZREM"),
        *("ZREMRANGEBYSCORE", "ZREVRANGE", "ZSCORE"),
    }
)
"""Commands whose first argument is a key. If they have several, all are of one slot."""
KEY_AFTER_COUNT: Final = {"ZDIFF": 2, "EVAL": 3, "EVALSHA": 3}
"""Commands that say before their keys how many there are, with the place of the first key."""
BY_CHANNEL: Final = frozenset({"PUBLISH"})
"""Commands that any node executes. Each channel has a node, so that its messages keep their order.
"""
_KEY_AT: Final = dict.fromkeys(KEY_FIRST | BY_CHANNEL, 1) | KEY_AFTER_COUNT


class UnknownCommand(LookupError):
    """The command is missing in this table: an error of the program."""


def key_of(command: Sequence[Any]) -> bytes | None:
    """Return the command's first key, or its channel; None if it has none. Raises
    UnknownCommand."""
    name = command[0]
    at = _KEY_AT.get(name)
    if at is None:
        if name in WITHOUT_KEY:
            return None
        raise UnknownCommand(f"game.redis.command_keys does not list the command {name!r}")
    if name in KEY_AFTER_COUNT and not int(command[at - 1]):
        return None
    key = command[at]
    return key if isinstance(key, bytes) else str(key).encode()
