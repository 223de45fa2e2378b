"""Computes the columns of reviewers in finished reviews, one at a time in each worker.

A review is stored and shown before its columns are computed, so that a reviewer that hangs or fails
costs nothing else. `ReviewerRun` is the queue; a run is claimed for the longest time that the
reviewer may take.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Iterable
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from typing import Final

import msgspec
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from game.archive.archive import NoLog
from game.engine.events import Event
from game.mjai_programs.process import Limits, has_no_network
from game.mjai_programs.spec import ProgramSpec
from game.models import Review, ReviewerRun
from game.reviews.figures import GameReview, ReviewerColumn
from game.reviews.processes import drop_reviewer_pool, reviewer_pool
from game.reviews.reviewers import AskedDecision, ask_reviewer
from game.reviews.storage import Stored, encode_review, read_review_events

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 2
COLUMNS_PLAYERS: Final = 4
"""Reviewers play with so many players, and reviews of other games have no columns."""
_GRACE: Final = timedelta(seconds=60)
_running: Final[dict[asyncio.Task[None], int]] = {}
"""The key of the run that the task computes."""
_decoder: Final = msgspec.json.Decoder(Stored)


def queue_columns(review: Review) -> list[ReviewerColumn]:
    """Queue the columns of a review that is about to be stored, and return them as they are now.
    Call it in the transaction that stores the review."""
    ReviewerRun.objects.filter(review=review).delete()
    ReviewerRun.objects.bulk_create(
        ReviewerRun(review=review, name=spec.name) for spec in settings.REVIEWERS
    )
    return [ReviewerColumn(spec.name, "queued") for spec in settings.REVIEWERS]


async def compute_columns() -> None:
    """Start to compute a queued column, unless one is being computed. A periodic task: it does not
    wait for the end."""
    if _running or not settings.REVIEWERS or not settings.REVIEW_PROCESSES:
        return
    run = await database_sync_to_async(_claim)()
    if run is not None:
        task = asyncio.create_task(_compute(run))
        _running[task] = run.pk
        task.add_done_callback(_running.pop)


async def stop_columns() -> None:
    """Stop computing, and leave the column to other workers."""
    stopped = dict(_running)
    for task in stopped:
        task.cancel()
    await asyncio.gather(*stopped, return_exceptions=True)
    drop_reviewer_pool()
    try:
        await database_sync_to_async(_give_back)(stopped.values())
    except (InterfaceError, OperationalError) as error:
        log.warning("a column waits until its claim ends: %s", error)


def _claim() -> ReviewerRun | None:
    """Claim the oldest column whose reviewer this worker knows."""
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    known = [spec.name for spec in settings.REVIEWERS]
    for run in ReviewerRun.objects.filter(free, name__in=known).order_by("pk")[:5]:
        until = now + timedelta(seconds=settings.REVIEWER_SECONDS) + _GRACE
        if ReviewerRun.objects.filter(free, pk=run.pk).update(
            claimed_until=until, attempts=F("attempts") + 1
        ):
            run.refresh_from_db()
            return run
    return None


async def _compute(run: ReviewerRun) -> None:
    """Compute the column of a claimed run and put it into its review."""
    name = run.name
    column = ReviewerColumn(name, "failed")
    try:
        if run.attempts <= MAX_ATTEMPTS:
            column = await _column_of(run)
    except BrokenProcessPool:
        log.warning("the process that asked the reviewer %s has died", name)
        drop_reviewer_pool()
        await database_sync_to_async(_give_back)([run.pk])
        return
    except (NoLog, Review.DoesNotExist, ReviewerRun.DoesNotExist) as reason:
        log.info("no column of %s: %s", name, reason)
    except Exception:
        log.exception("the column of %s failed", name)
    if column.failed:
        log.warning("the reviewer %s failed: %s", name, column.failed)
    # What the reviewer wrote is for the log of the operator, not for readers.
    stored = msgspec.structs.replace(column, failed=column.failed.partition(":")[0])
    await database_sync_to_async(_store)(run.pk, stored)


async def _column_of(run: ReviewerRun) -> ReviewerColumn:
    spec: ProgramSpec = next(spec for spec in settings.REVIEWERS if spec.name == run.name)
    if not await asyncio.to_thread(has_no_network):
        log.warning("this system cannot run %s without network", spec.name)
    events, review = await database_sync_to_async(_read)(run.pk)
    asked = [
        AskedDecision(decision.at, decision.seat, decision.choices) for decision in review.decisions
    ]
    limits = Limits(
        seconds=settings.REVIEWER_SECONDS,
        answer_s=min(Limits().answer_s, settings.REVIEWER_SECONDS),
        megabytes=settings.REVIEWER_MEMORY_MB,
    )
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(reviewer_pool(), ask_reviewer, spec, limits, events, asked)


def _read(run: int) -> tuple[list[Event], GameReview]:
    review = ReviewerRun.objects.select_related("review").get(pk=run).review
    stored = _decoder.decode(gzip.decompress(review.figures))
    return read_review_events(review), stored.review


def _give_back(runs: Iterable[int]) -> None:
    ReviewerRun.objects.filter(pk__in=runs).update(claimed_until=None)


def _store(run: int, column: ReviewerColumn) -> None:
    """Put the column into the stored review and remove the run."""
    with transaction.atomic():
        found = ReviewerRun.objects.filter(pk=run).first()
        if found is None:
            return
        rows = Review.objects.select_for_update().filter(pk=found.review_id, state="done")
        row = rows.first()
        if row is not None:
            review = _decoder.decode(gzip.decompress(row.figures)).review
            columns = [
                column if reviewer.name == column.name else reviewer
                for reviewer in review.reviewers
            ]
            new = msgspec.structs.replace(review, reviewers=columns)
            rows.update(figures=encode_review(new))
        found.delete()
