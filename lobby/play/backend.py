"""Access of the lobby to running tables and to its own data in Redis.

Must not know queues and pregame tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from game.live.process import Process, current
from game.redis.pipeline import Command, Script
from game.tables.errors import reaching_redis
from lobby.play.table_access import TableAccess


class Backend:
    """What the lobby adds to a process: it opens tables (`tables`), and keeps data of its own in
    Redis. Its methods raise TableError if Redis cannot be reached."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.tables = TableAccess(process.service, process.redis)
        self.cache: dict[str, Any] = {}
        """Data that the lobby's pages share for a second."""

    def now_ms(self) -> int:
        """Return the server's time in ms since the epoch."""
        return self.process.service.now_ms()

    async def call(self, *command: str | bytes | int) -> Any:
        """Run the command in Redis and return the reply."""
        with reaching_redis():
            return await self.process.pipeline.call(*command)

    async def run(self, script: Script, keys: Sequence[str], args: Command = ()) -> Any:
        """Run the script in Redis and return the reply."""
        with reaching_redis():
            return await script.run(self.process.pipeline, keys, args)


async def current_backend() -> Backend:
    """Return the backend of the process that serves the running event loop."""
    return (await current()).attached(Backend)
