"""Keeps the public keys under which the site signs walls, with the time in which each was used.

The page on fairness lists them: somebody who is shown a record or a receipt compares its key. A key
follows from `SECRET_KEY`, so a new one is in use after that was changed. A row is never removed.
"""

from __future__ import annotations

from typing import Final

from channels.db import database_sync_to_async
from django.utils import timezone

from game.models import WallKey
from game.tables.wall_signer import site_signer

_EVERY_S: Final = 3_600.0


async def note_wall_key() -> float:
    """Note that the key of the settings is in use. Returns after how many seconds to do so
    again."""
    await database_sync_to_async(_note)(site_signer().public_key.hex())
    return _EVERY_S


def _note(public_key: str) -> None:
    now = timezone.now()
    row, is_new = WallKey.objects.get_or_create(
        public_key=public_key, defaults={"first_used_at": now, "last_used_at": now}
    )
    if not is_new:
        row.last_used_at = now
        row.save(update_fields=["last_used_at"])
