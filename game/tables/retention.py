"""Removes the logs of games that ended more than `settings.RECORDS_KEPT_DAYS` ago.

The results stay: the page of the game, the statistics of its players and their ratings. A worker
does this once an hour, in batches, so that no other writer waits for long.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils import timezone

from game.models import GameLog

log = logging.getLogger(__name__)

_BATCH: Final = 500
_EVERY_S: Final = 3_600.0


async def remove_old_logs() -> float | None:
    """Remove a batch. Return after how many seconds to look again: an hour if none is left."""
    if not settings.RECORDS_KEPT_DAYS:
        return _EVERY_S
    removed = await database_sync_to_async(_remove_batch)(settings.RECORDS_KEPT_DAYS)
    if removed:
        log.info("removed the logs of %d games", removed)
    return None if removed == _BATCH else _EVERY_S


def _remove_batch(days: int) -> int:
    old = GameLog.objects.filter(ended_at__lt=timezone.now() - timedelta(days=days))
    keys = list(old.order_by("ended_at").values_list("pk", flat=True)[:_BATCH])
    return GameLog.objects.filter(pk__in=keys).delete()[0]
