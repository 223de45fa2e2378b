"""Stores reviews, and removes old ones.

A review is stored in the form in which a web server sends it to pages. It is removed after
`settings.REVIEWS_KEPT_DAYS`, or together with the log of the game. While the log exists, the review
can be computed again. The accuracy of the players (`PlayAccuracy`) stays.
"""

from __future__ import annotations

import gzip
import logging
from datetime import timedelta
from typing import Final

import msgspec
from channels.db import database_sync_to_async
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from game.archive.archive import read_events
from game.engine.events import Event
from game.imports.imported_game import decode_game
from game.models import Review
from game.reviews.figures import GameReview

log = logging.getLogger(__name__)

_BATCH: Final = 500
_EVERY_S: Final = 3_600.0


class Stored(msgspec.Struct, frozen=True):
    """The response with a review."""

    state: str
    done: float
    review: GameReview


def encode_review(review: GameReview) -> bytes:
    """Return the response with the review: JSON, compressed by gzip."""
    answer = Stored("done", 1.0, review)
    return gzip.compress(msgspec.json.encode(answer), 9, mtime=0)


async def remove_old_reviews() -> float | None:
    """Remove a batch. Return after how many seconds to look again: an hour if none is left."""
    removed = await database_sync_to_async(_remove_batch)()
    if removed:
        log.info("removed %d reviews", removed)
    return None if removed == _BATCH else _EVERY_S


def _remove_batch() -> int:
    is_old = Q(game__isnull=False, game__kept_log=None)
    if settings.REVIEWS_KEPT_DAYS:
        before = timezone.now() - timedelta(days=settings.REVIEWS_KEPT_DAYS)
        is_old |= Q(requested_at__lt=before)
    rows = Review.objects.filter(is_old, state__in=("done", "failed"))
    keys = list(rows.order_by("requested_at").values_list("pk", flat=True)[:_BATCH])
    return Review.objects.filter(pk__in=keys).delete()[0]


def read_review_events(review: Review) -> list[Event]:
    """Return the events of its game, from the first on. Raises NoLog."""
    if review.game is not None:
        return list(read_events(review.game))
    assert review.record is not None
    return list(decode_game(review.record.game).events)
