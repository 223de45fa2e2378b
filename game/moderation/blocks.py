"""Blocks between people.

A person does not see the chat of the people whom they block, and gets no requests or invitations
from them. Blocked people are not informed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from game.models import Block

MAX_BLOCKS: Final = 500
"""People whom one person can block."""


class TooManyBlocks(Exception):
    """The person already blocks `MAX_BLOCKS` people."""


def block(person: UUID, blocked: UUID) -> None:
    """Block that person. Raises TooManyBlocks."""
    with transaction.atomic():
        Block.objects.get_or_create(person_id=person, blocked_id=blocked)
        if Block.objects.filter(person_id=person).count() > MAX_BLOCKS:
            raise TooManyBlocks


def unblock(person: UUID, blocked: UUID) -> None:
    """End the block of that person."""
    Block.objects.filter(person_id=person, blocked_id=blocked).delete()


def blocked_by(person: UUID) -> frozenset[str]:
    """Return the ids of the people whom the person blocks."""
    rows = Block.objects.filter(person_id=person)
    return frozenset(str(person) for person in rows.values_list("blocked_id", flat=True))


def readers_who_block(writers: Collection[UUID], readers: Collection[UUID]) -> set[tuple[str, str]]:
    """Return pairs of ids (reader, writer) in which the reader blocks the writer."""
    rows = Block.objects.filter(blocked_id__in=writers, person_id__in=readers)
    pairs = rows.values_list("person_id", "blocked_id")
    return {(str(reader), str(writer)) for reader, writer in pairs}


def is_blocked(person: UUID, by: UUID) -> bool:
    """Return whether `by` blocks the person."""
    return Block.objects.filter(person_id=by, blocked_id=person).exists()


def forget_blocks(person: UUID) -> None:
    """Delete all blocks by this person and of this person, whose account is deleted."""
    Block.objects.filter(Q(person_id=person) | Q(blocked_id=person)).delete()
