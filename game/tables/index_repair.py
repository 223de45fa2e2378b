"""Repairs the index of tables (`table_index`).

Tables that an older release opened or that were restored from a backup are not in the index until a
worker repairs it.
"""

from __future__ import annotations

import logging
from typing import Final

from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.room import TableId
from game.tables.service import Service
from game.tables.table_index import IndexEntry

log = logging.getLogger(__name__)

_EVERY_S: Final = 60.0


async def repair_index(service: Service) -> float:
    """Add tables that are missing in the index, and remove those that have ended. Return after how
    many seconds to do so again. Raises TablesUnavailable."""
    missing, ended = await service.store.index.differences()

    async def enter(table_id: TableId) -> None:
        try:
            entry = IndexEntry.of((await service.read_room(table_id)).meta)
        except (NoSuchTable, TableUnreadable):
            entry = IndexEntry(0, ())
        await service.store.index.enter(table_id, entry)

    await in_batches(enter, sorted(missing))
    await in_batches(service.store.index.remove, sorted(ended))
    if missing or ended:
        log.info("%d tables entered into the index, %d removed", len(missing), len(ended))
    return _EVERY_S
