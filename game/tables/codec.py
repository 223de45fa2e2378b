"""Encodes rooms, commits, summaries and heartbeats as bytes for Redis and the archive.

Structs are arrays in msgpack: a field may be added at the end, never moved or removed.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.progress import with_start_points
from game.engine.rules import RuleSet
from game.tables.room import Commit, Room, TableId
from game.tables.settings import TableSettings


class TableSummary(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One line of the list of running tables."""

    table_id: TableId
    names: BySeat[str]
    bots: BySeat[bool]
    scores: BySeat[int]
    kyoku: int
    """The round and dealer: 0 is East 1, 4 is South 1."""
    honba: int
    opened_at: int
    left: BySeat[bool] = (False, False, False, False)
    """Seats whose players have left, and where a bot plays on."""
    settings: TableSettings = TableSettings()
    programs: BySeat[bool] = (False, False, False, False)
    """Seats of bot accounts, which people's programs play."""


class HeartbeatRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The last heartbeat of a process, and when it stalled or could not reach Redis."""

    beat_at: int
    outages: tuple[tuple[int, int], ...] = ()
    began_at: int = 0
    """When the process wrote its first heartbeat; 0 from an older release."""
    is_busy: bool = False
    """Whether the process cannot keep up with its work."""

    @property
    def up_since(self) -> int:
        """Since when the process has written heartbeats without a gap; 0 if that is unknown."""
        return max(self.began_at, self.outages[-1][1]) if self.outages else self.began_at


encode: Final = msgspec.msgpack.Encoder().encode
_decode_room: Final = msgspec.msgpack.Decoder(Room).decode
decode_commit: Final = msgspec.msgpack.Decoder(Commit).decode
decode_commits: Final = msgspec.msgpack.Decoder(tuple[Commit, ...]).decode
decode_summary: Final = msgspec.msgpack.Decoder(TableSummary).decode
decode_heartbeat: Final = msgspec.msgpack.Decoder(HeartbeatRecord).decode


_RULES_LEFT_OUT: Final = TableSettings().rules
"""The default, which is not stored."""


def encode_room(room: Room) -> bytes:
    """Encode a room. The rules are stored once, in its table."""
    return encode(_with_rules(room, _RULES_LEFT_OUT))


def decode_room(data: bytes) -> Room:
    """Decode a room. Its settings get the rules of its table, where they are stored."""
    room = _decode_room(data)
    return _with_rules(room, room.table.rules)


def _with_rules(room: Room, rules: RuleSet) -> Room:
    settings = replace(room.meta.settings, rules=rules)
    return replace(room, meta=replace(room.meta, settings=settings))


def summary_of(room: Room) -> TableSummary:
    """Return the table's line in the list of running tables. It contains public facts only."""
    table = room.table if room.table.hands_dealt else with_start_points(room.table)
    seats = room.meta.seats
    return TableSummary(
        table_id=room.table_id,
        names=tuple(seat.name for seat in seats),
        bots=tuple(bool(seat.bot) for seat in seats),
        scores=table.scores,
        kyoku=table.kyoku,
        honba=table.honba,
        opened_at=room.meta.opened_at,
        left=tuple(map(room.has_left, table.seats)),
        settings=replace(room.meta.settings, password=""),
        programs=tuple(seat.is_program for seat in seats),
    )
