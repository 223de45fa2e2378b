"""The index of running tables: what finds a table among all others, and its repair.

`Service` keeps it. Tables that an older program opened, or that a backup put back, are not in it
until a worker repairs it.
"""

from __future__ import annotations

import logging
from typing import Final

from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.room import TableId
from game.tables.service import Service, index_entry
from game.tables.store import IndexEntry

log = logging.getLogger(__name__)

_EVERY_S: Final = 60.0


async def repair_index(service: Service) -> float:
    """Enter tables that are not in the index, and remove those that have ended. Return after how
    many seconds that is to be done again. Raises TablesUnavailable."""
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
    return _EVERY_S
