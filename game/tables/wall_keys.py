"""Keeps the public keys under which the site signs walls, with the time in which each was used.

The page on fairness lists these keys: readers of a record or a receipt compare its key with the
list. The key is derived from `SECRET_KEY` and changes with it. Rows are never removed.
"""

from __future__ import annotations

from typing import Final

from channels.db import database_sync_to_async
from django.utils import timezone

from game.models import WallKey
from game.tables.wall_signer import site_signer

_NOTED_EVERY_S: Final = 3_600.0


async def note_wall_key() -> float:
    """Note that the present key is in use. Return after how many seconds to note it again."""
    await database_sync_to_async(_note_in_database)(site_signer().public_key.hex())
    return _NOTED_EVERY_S


def _note_in_database(public_key: str) -> None:
    now = timezone.now()
    row, is_new = WallKey.objects.get_or_create(
        public_key=public_key, defaults={"first_used_at": now, "last_used_at": now}
    )
    if not is_new:
        row.last_used_at = now
        row.save(update_fields=["last_used_at"])
