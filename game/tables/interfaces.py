"""What tables need from the process that runs them, as protocols.

`game.live` implements them; its composition root hands the objects over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from game.tables.room import TableId
from game.tables.timeouts import Heartbeats, SeatSockets


class Heartbeat(Protocol):
    """The heartbeat of this process."""

    process: str
    """The name of this process."""
    is_stopping: bool
    """Whether the process is stopping: sockets that close now were not closed by players."""

    def outage_ms(self, since: int, table_id: str) -> int:
        """Return for how much of the time since then this process could not receive answers for
        that table."""

    async def is_site_busy(self) -> bool:
        """Return whether no process that accepts players can keep up with its work. Raises
        TablesUnavailable."""


class Presence(Protocol):
    """The sockets of players, in all processes. Methods raise TablesUnavailable."""

    async def arrive(self, table_id: TableId, seat: int) -> bool:
        """Count a socket that opened in this process. Return whether the server made the player
        lose time; this stays stored until `note_time_given_back`."""

    async def note_time_given_back(self, table_id: TableId, seat: int) -> None:
        """Note that the player has got that time back."""

    async def leave(self, table_id: TableId, seat: int) -> None:
        """Uncount a socket that closed in this process."""

    async def has_socket(self, table_id: TableId, seat: int) -> bool:
        """Return whether the player has a socket in any process, as far as Redis knows."""

    async def read_sockets(
        self, table_id: TableId, seats: Sequence[int], *, with_pongs: bool = False
    ) -> tuple[Heartbeats, dict[int, SeatSockets]]:
        """Return the sockets of these seats, with their last answers to pings if asked, and the
        heartbeats of the processes concerned."""

    async def forget(self, table_id: TableId, seat: int, processes: Sequence[str]) -> None:
        """Forget the player's sockets in these processes."""
