"""Stores imported games: adds, finds, lists and deletes them, and removes them after thirty days.

The address of an imported game cannot be guessed. The account that imported the game may delete it,
and so may anybody with its deletion key, of which only a hash is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.db.models import QuerySet
from django.utils import timezone

from game.imports.imported_game import AcceptedRecord
from game.models import ImportedRecord

log = logging.getLogger(__name__)

KEPT_DAYS: Final = 30
MAX_LISTED: Final = 100
_KEY_BYTES: Final = 16
_REMOVED_AT_ONCE: Final = 500
_REMOVE_EVERY_S: Final = 3_600.0


def add_record(accepted: AcceptedRecord, owner: UUID | None) -> tuple[str, str]:
    """Store the game. Return the key of its address and its deletion key."""
    key, deletion_key = secrets.token_urlsafe(_KEY_BYTES), secrets.token_urlsafe(_KEY_BYTES)
    ImportedRecord.objects.create(
        key=key,
        deletion_hash=_hash_deletion_key(deletion_key),
        owner_id=owner,
        names=accepted.names,
        format=accepted.format,
        is_over=accepted.is_over,
        game=accepted.game,
        created_at=timezone.now(),
    )
    return key, deletion_key


def find_record(key: str) -> ImportedRecord | None:
    """Return the record of that key, unless it is older than `KEPT_DAYS`."""
    return _unexpired_records().filter(pk=key).first()


def records_of(owner: UUID) -> list[ImportedRecord]:
    """Return the latest records of that account, the newest first, without their games."""
    return list(_unexpired_records().filter(owner_id=owner).defer("game")[:MAX_LISTED])


def may_delete(record: ImportedRecord, *, owner: UUID | None, deletion_key: str) -> bool:
    """Return whether the account `owner` imported the record, or `deletion_key` is the record's
    deletion key."""
    if owner is not None and record.owner_id == owner:
        return True
    return hmac.compare_digest(_hash_deletion_key(deletion_key), bytes(record.deletion_hash))


async def remove_old_records() -> float | None:
    """Remove one batch of expired records. Return the seconds until the next call; an hour if no
    expired record is left."""
    removed = await database_sync_to_async(_remove_batch)()
    if removed:
        log.info("removed %d imported games", removed)
    return None if removed == _REMOVED_AT_ONCE else _REMOVE_EVERY_S


def _remove_batch() -> int:
    old = ImportedRecord.objects.filter(created_at__lt=_oldest_kept_time())
    keys = list(old.order_by("created_at").values_list("pk", flat=True)[:_REMOVED_AT_ONCE])
    _, by_model = ImportedRecord.objects.filter(pk__in=keys).delete()  # and their reviews
    return by_model.get(ImportedRecord._meta.label, 0)


def _unexpired_records() -> QuerySet[ImportedRecord]:
    return ImportedRecord.objects.filter(created_at__gte=_oldest_kept_time())


def _oldest_kept_time() -> datetime:
    return timezone.now() - timedelta(days=KEPT_DAYS)


def _hash_deletion_key(deletion_key: str) -> bytes:
    return hashlib.sha256(deletion_key.encode("utf-8", "replace")).digest()
