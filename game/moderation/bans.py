"""Applies new bans to running tables.

The worker does this within a few seconds, whichever process stored the ban. A ban that could not be
applied completely is tried again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from django.utils import timezone

from game.models import Sanction
from game.moderation.sanctions import current_sanctions
from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.requests import Remove
from game.tables.service import Service

log = logging.getLogger(__name__)


async def remove_banned_from_tables(
    service: Service, remove_elsewhere: Callable[[str], Awaitable[None]]
) -> None:
    """Apply the new bans: let bots take over the seats of banned people at running tables.

    `remove_elsewhere(person)` removes a person from queues and other places outside this package.
    Raises TablesUnavailable; then call this function again later.
    """
    new = current_sanctions().filter(kind=Sanction.BAN, carried_out_at=None)
    bans = [ban async for ban in new]
    if not bans:
        return
    people = frozenset(str(ban.person_id) for ban in bans)
    await _remove_from_tables(service, people)
    for person in people:
        await remove_elsewhere(person)
    done = Sanction.objects.filter(pk__in=[ban.pk for ban in bans], carried_out_at=None)
    await done.aupdate(carried_out_at=timezone.now())
    log.info("%d bans have taken effect", len(bans))


async def _remove_from_tables(service: Service, people: frozenset[str]) -> None:
    found = await in_batches(service.store.index.tables_of, sorted(people))
    for table_id in sorted({table_id for tables in found for table_id in tables}):
        try:
            room = await service.read_room(table_id)
        except (NoSuchTable, TableUnreadable):
            continue
        for seat in room.meta.seats:
            if seat.person in people:
                await service.apply_request(table_id, Remove(seat.person))
