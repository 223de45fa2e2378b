"""Mutes and bans: who has one at present, and what a new ban does at running tables.

The worker carries a ban out within a few seconds, wherever it was written. A ban that could not be
carried out completely is tried again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from game.identity import seat_proofs
from game.models import Sanction
from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.requests import Remove
from game.tables.service import Service

log = logging.getLogger(__name__)


async def is_silenced(person: str) -> bool:
    """Whether that person may not chat: muted or banned at present."""
    return await _current_sanctions().filter(person_id=UUID(person)).aexists()


async def is_banned(person: str) -> bool:
    """Whether that person is banned from the tables at present."""
    bans = _current_sanctions().filter(kind=Sanction.BAN)
    return await bans.filter(person_id=UUID(person)).aexists()


def sanctioned_people() -> QuerySet[Sanction, UUID]:
    """Return the ids of those who are muted or banned at present."""
    return _current_sanctions().values_list("person_id", flat=True)


def sanctions_of(person: UUID) -> QuerySet[Sanction]:
    """Return the mutes and bans of that person, the one that ends last first."""
    return Sanction.objects.filter(person_id=person)


def revoke_proofs(instance: Sanction, **_: Any) -> None:
    """Revoke the seat proofs of a banned person: receives the signals before and after a sanction
    is saved. Raises ProofsUnavailable."""
    if instance.kind == Sanction.BAN:
        seat_proofs.revoke_with_transaction(str(instance.person_id))


async def remove_banned_from_tables(
    service: Service, remove_elsewhere: Callable[[str], Awaitable[None]]
) -> None:
    """Carry out the new bans: give the seats of these people at running tables to bots.

    `remove_elsewhere(person)` removes a person from what this package does not know, such as
    queues. Raises TablesUnavailable; call again later then.
    """
    new = _current_sanctions().filter(kind=Sanction.BAN, carried_out_at=None)
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


def _current_sanctions() -> QuerySet[Sanction]:
    return Sanction.objects.filter(until__gt=timezone.now())


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
