"""Queues requests for reviews, with a limit for each person, and finds stored reviews."""

from __future__ import annotations

from typing import Final

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from game.models import Game, ImportedRecord, Review
from game.reviews.figures import VERSION

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
