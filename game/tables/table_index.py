"""The index of running tables: what finds a table among all others, and its repair.

`Service` keeps it. Tables that an older program opened, or that a backup put back, are not in it
until a worker repairs it.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.room import TableId
from game.tables.service import Service, index_entry
from game.tables.store import IndexEntry

log = logging.getLogger(__name__)

_EVERY_S: Final = 60.0


class IndexRepair:
    """Repairs the index once a minute."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._next_at = 0.0

    async def repair_index(self) -> None:
        """Repair the index if a minute has passed since the last time. Raises TablesUnavailable."""
        now = time.monotonic()
        if now >= self._next_at:
            await repair_index(self._service)
            self._next_at = now + _EVERY_S


async def repair_index(service: Service) -> None:
    """Enter tables that are not in the index, and remove those that have ended."""
    missing, ended = await service.store.index_differences()

    async def enter(table_id: TableId) -> None:
        try:
            entry = index_entry((await service.read_room(table_id)).meta)
        except (NoSuchTable, TableUnreadable):
            entry = IndexEntry(0, ())
        await service.store.reindex(table_id, entry)

    await in_batches(enter, sorted(missing))
    await in_batches(service.store.unindex, sorted(ended))
    if missing or ended:
        log.info("%d tables entered into the index, %d removed", len(missing), len(ended))
