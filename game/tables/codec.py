"""Encodes rooms, commits, summaries and heartbeats as bytes for Redis and the archive.

Structs are arrays in msgpack: a field may be added at the end, never moved or removed.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.progress import before_first_deal
from game.engine.state import SEATS
from game.tables.room import Commit, OpensAfter, Room, TableId, Watch, four


class TableSummary(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One line of the list of running tables."""

    table_id: TableId
    names: tuple[str, str, str, str]
    bots: tuple[bool, bool, bool, bool]
    scores: tuple[int, int, int, int]
    kyoku: int
    """The round and dealer: 0 is East 1, 4 is South 1."""
    honba: int
    rules: str
    """The name of the rule set."""
    opened_at: int
    left: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Seats whose players have left, and where a bot plays on."""
    may_join: bool = False
    """Whether anybody may take these seats."""
    watch: Watch = "closed"
    watch_delay_s: int = 0
    opens_after: OpensAfter = "game"


class HeartbeatRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The last heartbeat of a process, and when it stalled or could not reach Redis."""

    beat_at: int
    outages: tuple[tuple[int, int], ...] = ()
    began_at: int = 0
    """When the process wrote its first heartbeat; 0 from an older release."""

    @property
    def up_since(self) -> int:
        """Since when the process has written heartbeats without a gap; 0 if that is unknown."""
        return max(self.began_at, self.outages[-1][1]) if self.outages else self.began_at


encode: Final = msgspec.msgpack.Encoder().encode
decode_room: Final = msgspec.msgpack.Decoder(Room).decode
decode_commit: Final = msgspec.msgpack.Decoder(Commit).decode
decode_commits: Final = msgspec.msgpack.Decoder(tuple[Commit, ...]).decode
decode_summary: Final = msgspec.msgpack.Decoder(TableSummary).decode
decode_heartbeat: Final = msgspec.msgpack.Decoder(HeartbeatRecord).decode


def summary_of(room: Room) -> TableSummary:
    """Return the table's line in the list of running tables. It contains public facts only."""
    table = room.table if room.table.hands_dealt else before_first_deal(room.table)
    seats = room.meta.seats
    return TableSummary(
        table_id=room.table_id,
        names=four(seat.name for seat in seats),
        bots=four(bool(seat.bot) for seat in seats),
        scores=table.scores,
        kyoku=table.kyoku,
        honba=table.honba,
        rules=table.rules.name,
        opened_at=room.meta.opened_at,
        left=four(room.has_left(seat) for seat in SEATS),
        may_join=room.meta.may_join,
        watch=room.meta.watch,
        watch_delay_s=room.meta.watch_delay_s,
        opens_after=room.meta.opens_after,
    )
