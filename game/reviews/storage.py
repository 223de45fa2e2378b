"""Stores reviews: requests, with a limit for each person; finished reviews; removal of old ones.

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
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from game.archive.archive import read_events
from game.engine.events import Event
from game.imports.imported_game import decode_game
from game.models import Game, ImportedRecord, Review
from game.reviews.figures import VERSION, GameReview

log = logging.getLogger(__name__)

_BATCH: Final = 500
_EVERY_S: Final = 3_600.0


class Stored(msgspec.Struct, frozen=True):
    """The JSON response of a finished review, as it is stored."""

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
    subject = review.game or review.record
    assert subject is not None
    if isinstance(subject, Game):
        return list(read_events(subject))
    return list(decode_game(subject.game).events)


MAX_UNFINISHED: Final = 20
"""Unfinished reviews that one person may have. `game.reviews.computing.claim` prefers people who
have few."""
UNFINISHED: Final = ("queued", "running")

Subject = Game | ImportedRecord


class TooManyReviews(Exception):
    """The person has `MAX_UNFINISHED` unfinished reviews."""


def find_review(subject: Subject) -> Review | None:
    """Return the review of a game, unless its figures are of an older version."""
    return _rows(subject).filter(version=VERSION).first()


def request_review(subject: Subject, person: str) -> Review:
    """Return the review of a game, queued if there is none yet. A failed review and one of an
    older version are computed again. Raises TooManyReviews."""
    with transaction.atomic():
        found = _rows(subject).select_for_update().first()
        if found is not None and found.version == VERSION and found.state != "failed":
            return found
        unfinished = Review.objects.filter(requested_by=person, state__in=UNFINISHED)
        if unfinished.count() >= MAX_UNFINISHED:
            raise TooManyReviews
        if found is not None:
            found.delete()
    try:
        with transaction.atomic():
            return Review.objects.create(
                game=subject if isinstance(subject, Game) else None,
                record=subject if isinstance(subject, ImportedRecord) else None,
                version=VERSION,
                requested_by=person,
                requested_at=timezone.now(),
            )
    except IntegrityError:  # somebody else was faster
        return _rows(subject).get()


def review_as_json(review: Review | None) -> bytes:
    """Return the state of a review. A finished one is returned with its figures, compressed by
    gzip."""
    if review is None:
        return msgspec.json.encode({"state": "none", "done": 0.0})
    if review.state == "done":
        return bytes(review.figures)
    share = review.hands_done / review.hands if review.hands else 0.0
    return msgspec.json.encode({"state": review.state, "done": share})


def _rows(subject: Subject) -> QuerySet[Review]:
    if isinstance(subject, Game):
        return Review.objects.filter(game=subject)
    return Review.objects.filter(record=subject)
