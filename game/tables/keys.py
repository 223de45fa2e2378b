"""The names of the keys of tables in Redis, and the shard of each table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

FORM_KEY: Final = "tables:form"
"""The key of the form in which the running tables are stored."""
FORM: Final = b"4"
"""Changes when this release cannot read the running tables of the one before, or the other way
round (`game.tables.stored_form`)."""
SHARDS: Final = 16

_CACHED_KEYS: Final = 2048


def shard_of(table_id: str) -> int:
    """Return the shard of a table. It never changes."""
    return crc32(table_id.encode()) % SHARDS


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The names of a table's keys."""

    meta: str
    log: str
    snap: str
    sockets: str
    """How many sockets of each player each process holds."""
    left: str
    """When each player closed the last socket."""
    channel: str
    """The channel of notifications."""
    pongs: str
    """When the page of each player last answered a ping during the draw of the wall."""
    spectators: str
    """How many spectators each process has."""
    boards: str
    """Exists while pages show the board of the table."""
    chat: str
    spectator_chat: str

    @staticmethod
    @lru_cache(maxsize=_CACHED_KEYS)
    def of(table_id: str) -> TableKeys:
        start = f"t:{{{shard_of(table_id)}}}:{table_id}"
        return TableKeys(
            meta=f"{start}:meta",
            log=f"{start}:log",
            snap=f"{start}:snap",
            sockets=f"{start}:sockets",
            left=f"{start}:left",
            channel=f"{start}:changed",
            pongs=f"{start}:pongs",
            spectators=f"{start}:spectators",
            boards=f"{start}:boards",
            chat=f"{start}:chat",
            spectator_chat=f"{start}:spectator-chat",
        )


def due_key(shard: int) -> str:
    return f"due:{{{shard}}}"


def live_key(shard: int) -> str:
    return f"live:{{{shard}}}"


def frozen_key(shard: int) -> str:
    return f"frozen:{{{shard}}}"


def tables_key(shard: int) -> str:
    """Return the key of all tables, running and frozen, by the time at which they were opened."""
    return f"tables:{{{shard}}}"


def people_key(shard: int) -> str:
    """Return the key of the index by people at tables: members `<name or id> <table id>`."""
    return f"people:{{{shard}}}"
