"""Computes the queued reviews in processes of the worker, a hand at a time.

A worker claims a review for some time, which each finished hand extends. If the worker dies,
another one takes the review over when the claim ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.utils import timezone

from game.archive.archive import NoLog, read_sittings
from game.models import Game, PlayAccuracy, Review
from game.reviews.figures import Decision
from game.reviews.game_review import accuracy_of, join_hands, review_hand
from game.reviews.moments import HandEvents, NotFinished, is_shown, split_hands
from game.reviews.processes import drop_pool, pool
from game.reviews.reviewer_columns import COLUMNS_PLAYERS, queue_columns, stop_columns
from game.reviews.storage import UNFINISHED, encode_review, read_review_events

log = logging.getLogger(__name__)

CLAIM: Final = timedelta(seconds=60)
MAX_ATTEMPTS: Final = 3
_LOOK_EVERY_S: Final = 3.0
"""How often a worker looks for queued reviews while there is none."""
_running: Final[dict[asyncio.Task[None], int]] = {}
"""The key of the review that each task computes."""


async def compute_queued() -> float:
    """Start to compute queued reviews, as many at once as the settings say. A periodic task: it
    does not wait for their end. Return after how many seconds to call again."""
    while len(_running) < settings.REVIEW_PROCESSES:
        claimed = await database_sync_to_async(claim)()
        if claimed is None:
            return _LOOK_EVERY_S
        task = asyncio.create_task(compute(claimed))
        _running[task] = claimed
        task.add_done_callback(_running.pop)
    return 0.0


async def stop_computing() -> None:
    """Put unfinished reviews back into the queue for other workers, and shut the pool down. Call it
    before the worker ends."""
    stopped = dict(_running)
    for task in stopped:
        task.cancel()
    await asyncio.gather(*stopped, return_exceptions=True)
    await stop_columns()
    drop_pool()
    try:
        await database_sync_to_async(_put_back)(stopped.values())
    except (InterfaceError, OperationalError) as error:
        log.warning("reviews wait until their claim ends: %s", error)


def claim() -> int | None:
    """Claim a review that is queued or whose claim has ended. Return its key.

    Prefer the people with the fewest unfinished reviews, and of these the oldest review: one review
    does not wait for twenty of another person.
    """
    if not Review.objects.filter(state__in=UNFINISHED).exists():
        return None
    now = timezone.now()
    free = Q(state="queued") | Q(state="running", claimed_until__lt=now)
    Review.objects.filter(free, attempts__gte=MAX_ATTEMPTS).update(state="failed", requested_by="")
    own = Review.objects.filter(requested_by=OuterRef("requested_by"), state__in=UNFINISHED)
    number = own.order_by().values("requested_by").annotate(number=Count("pk")).values("number")
    rows = Review.objects.filter(free).order_by(Subquery(number), "requested_at", "pk")
    for key in rows.values_list("pk", flat=True)[:5]:
        claimed = Review.objects.filter(free, pk=key).update(
            state="running", claimed_until=now + CLAIM, attempts=F("attempts") + 1, hands_done=0
        )
        if claimed:
            return key
    return None


async def compute(key: int) -> None:
    """Compute a claimed review and store it."""
    try:
        hands = await database_sync_to_async(_read_hands)(key)
        decisions: list[list[Decision]] = []
        for hand in hands:
            workers = pool(settings.REVIEW_PROCESSES)
            loop = asyncio.get_running_loop()
            decisions.append(await loop.run_in_executor(workers, review_hand, hand))
            if not await database_sync_to_async(_store_progress)(key, len(decisions), len(hands)):
                return  # the review was deleted with its game
        await database_sync_to_async(_store)(key, decisions, hands)
    except (NotFinished, NoLog, Review.DoesNotExist) as reason:
        log.info("review %d has no game to read: %s", key, reason)
        await database_sync_to_async(_set_state)(key, "failed")
    except BrokenProcessPool:
        log.warning("a process that computed review %d has died", key)
        drop_pool()
        await database_sync_to_async(_set_state)(key, "queued")
    except (InterfaceError, OperationalError) as error:
        log.warning("review %d waits until its claim ends: %s", key, error)
    except Exception:
        log.exception("review %d failed", key)
        await database_sync_to_async(_set_state)(key, "failed")


def _read_hands(key: int) -> list[HandEvents]:
    return split_hands(read_review_events(Review.objects.get(pk=key)))


def _store_progress(key: int, done: int, hands: int) -> int:
    return Review.objects.filter(pk=key).update(
        hands_done=done, hands=hands, claimed_until=timezone.now() + CLAIM
    )


def _store(key: int, decisions: list[list[Decision]], hands: list[HandEvents]) -> None:
    review = join_hands(decisions, hands)
    with transaction.atomic():
        # Only the review: PostgreSQL cannot lock a game that may be missing.
        rows = Review.objects.select_for_update(of=("self",)).filter(pk=key)
        if (row := rows.select_related("game").first()) is None:
            return
        if len(review.accuracy) == COLUMNS_PLAYERS:
            review = msgspec.structs.replace(review, reviewers=queue_columns(row))
        rows.update(
            state="done", claimed_until=None, requested_by="", figures=encode_review(review)
        )
        if row.game is not None:
            _store_accuracy(row.game, review.decisions)


def _store_accuracy(game: Game, decisions: Iterable[Decision]) -> None:
    """Store the accuracy of each person who had a seat in the game, without discards that a
    stand-in made for them."""
    players = [
        people for people, events in read_sittings(game) for event in events if is_shown(event)
    ]
    own: dict[tuple[str, int], list[Decision]] = {}
    for decision in decisions:
        # The discard is the next event that is shown after the position before it.
        person = players[decision.at + 1][decision.seat]
        if person:
            own.setdefault((person, decision.seat), []).append(decision)
    PlayAccuracy.objects.filter(game=game).delete()
    PlayAccuracy.objects.bulk_create(
        PlayAccuracy(
            game=game,
            person_id=UUID(person),
            seat=seat,
            ended_at=game.ended_at,
            is_public=game.is_public,
            is_broken_off=game.is_broken_off,
            preset=game.preset,
            seat_count=game.seat_count,
            **msgspec.structs.asdict(accuracy_of(made)),
        )
        for (person, seat), made in own.items()
    )


def _put_back(keys: Iterable[int]) -> None:
    """Queue the claimed reviews among these again. Their claim does not count as an attempt."""
    Review.objects.filter(pk__in=keys, state="running").update(
        state="queued", claimed_until=None, attempts=F("attempts") - 1
    )


def _set_state(key: int, state: str) -> None:
    Review.objects.filter(pk=key).update(state=state, claimed_until=None)
    if state == "failed":
        Review.objects.filter(pk=key).update(requested_by="")
