"""Changes ratings in the database.

No other module changes them; `players` deletes those of deleted accounts.

The archive calls `queue_for_rating` in the transaction that saves a game. The worker rates the
queued games in batches (`rate_queued_games`), in the order in which they ended. A game waits for
`MIN_WAIT` after its end, so that games that ended earlier are archived first. One `RatingChange`
per rated player is stored: the skill before and after. This also covers games that are not simply
the next one:

- **late** (archived after games that ended later were rated): it is rated with the current skills;
- **deleted**: `undo_ratings` takes the stored change back;
- **corrected** (another place or absence): `rate_game` rates it again with the stored skills
  before it, and replaces the stored change.

Later games keep their rating changes. A change adds to the mean and multiplies the deviation, so
that changes can be added and undone in any order.

A transaction locks the ladder before it changes ratings, and then the players. A batch leaves the
queue in the transaction that stores its changes, so that a process that dies leaves no game rated
twice or left out.

A game whose rating raises an error is a fault of the program. It stays in the queue with the error
until a moderator rates it; the other games of its ladder are rated without it.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Max, Min, Q, QuerySet
from django.utils import timezone

from game.models import MAX_ERROR, Game, GameSeat, Ladder, Player, Rating, RatingChange, UnratedGame
from game.results.ladders import (
    MU,
    SIGMA,
    Absence,
    Skill,
    displayed_rating,
    rating_ranks,
    skills_after_game,
)

log = logging.getLogger(__name__)

MIN_WAIT: Final = timedelta(seconds=5)
"""How long after its end a game is rated at the earliest."""
MAX_WAIT: Final = timedelta(minutes=1)
"""How long late games of a ladder are collected at most, before they are rated."""
BATCH: Final = 250
"""The number of games of one transaction. Other writers of an SQLite file wait until it ends."""
_MAX_BATCHES: Final = 4
"""The most batches of one call, so that a worker that is to stop does so soon."""
CHECK_EVERY_S: Final = 5.0
"""How often a worker looks for queued games while none is due."""

Changes = dict[UUID, RatingChange]
"""The rating changes of one game by player."""


def queue_for_rating(game: Game) -> None:
    """Queue a saved game for rating, if it belongs to a ladder. Call it in the transaction that
    saves the game."""
    if game.ladder:
        now = timezone.now()
        UnratedGame.objects.create(
            game_id=game.pk,  # with the object, both would refer to each other
            ladder=game.ladder,
            ended_at=game.ended_at,
            archived_at=now,
            is_late=now > game.ended_at + MIN_WAIT,
        )


async def rate_queued_games() -> float:
    """Rate the queued games that are due. Return after how many seconds a worker is to call
    again."""
    for _ in range(_MAX_BATCHES):
        if not await database_sync_to_async(rate_due_games)(timezone.now()):
            return CHECK_EVERY_S
    return 0.0


def rate_due_games(now: datetime) -> int:
    """Rate one batch of each ladder with games that are due at `now`. Return how many games were
    rated."""
    return sum(_rate_next_games(ladder, now) for ladder in _due_ladders(now))


def rate_game(game: Game) -> bool:
    """Rate a saved game if it belongs to a ladder; a game that is rated already is rated again.
    Players who have deleted their account are ignored. If it cannot be rated, log the error and
    return False. Call it in a transaction of its own: transactions that lock several ladders can
    deadlock."""
    if not game.ladder:
        return True
    _lock_ladder(game.ladder)
    return _rate_or_mark(game.ladder, [game.pk])


def undo_ratings(game: Game) -> None:
    """Undo the rating changes of that game, and take it out of the queue. Call it in a transaction
    of its own: transactions that lock several ladders can deadlock."""
    if not game.ladder:
        return
    _lock_ladder(game.ladder)
    UnratedGame.objects.filter(game=game).delete()
    changes = RatingChange.objects.filter(game=game)
    for change in changes.select_related("rating").order_by("rating"):
        rating = change.rating
        _apply_change(rating, _skill_after(change), _skill_before(change), games=-1)
        rating.save(update_fields=["mu", "sigma", "shown", "games"])
    changes.delete()


def undo_ratings_before_delete(sender: object, instance: Game, **details: Any) -> None:
    """Undo the ratings of a game that is about to be deleted. Connected to `pre_delete`."""
    with transaction.atomic():
        undo_ratings(instance)


def _due_games(now: datetime) -> QuerySet[UnratedGame]:
    return UnratedGame.objects.filter(ended_at__lte=now - MIN_WAIT, error="")


def _due_ladders(now: datetime) -> list[str]:
    """Return the ladders with games that are due. If games arrive late, for example after an
    outage, a ladder waits up to `MAX_WAIT`, so that they are rated in the order of their ends."""
    rows = (
        _due_games(now)
        .values("ladder")
        .annotate(
            first_archived=Min("archived_at"),
            last_late=Max("archived_at", filter=Q(is_late=True)),
        )
    )
    return [
        row["ladder"]
        for row in rows.order_by("ladder")
        if row["last_late"] is None
        or row["last_late"] <= now - MIN_WAIT
        or row["first_archived"] <= now - MAX_WAIT
    ]


def _rate_next_games(ladder: str, now: datetime) -> int:
    """Rate the next due games of a ladder and return how many. Return 0 if another process has
    locked the ladder."""
    due = _due_games(now).filter(ladder=ladder)
    Ladder.objects.get_or_create(name=ladder)
    with transaction.atomic():
        if Ladder.objects.select_for_update(skip_locked=True).filter(name=ladder).first() is None:
            return 0
        games = list(due.order_by("ended_at", "pk").values_list("pk", flat=True)[:BATCH])
        _rate_or_mark(ladder, games)
    return len(games)


def _rate_or_mark(ladder: str, games: Sequence[str]) -> bool:
    """Rate these games of a locked ladder in this order, and mark those that cannot be rated.
    Return True if none had to be marked."""
    try:
        with transaction.atomic():
            _rate_together(ladder, games)
        return True
    except (InterfaceError, OperationalError):  # the database cannot be used now
        raise
    except Exception as error:
        if len(games) > 1:
            half = len(games) // 2
            for part in (games[:half], games[half:]):
                _rate_or_mark(ladder, part)
        else:
            log.exception("game %s cannot be rated", games[0])
            reason = f"{type(error).__name__}: {error}"[:MAX_ERROR]
            UnratedGame.objects.filter(pk=games[0]).update(error=reason)
        return False


def _lock_ladder(ladder: str) -> None:
    """Lock the ladder against rating changes by other transactions until this one ends."""
    Ladder.objects.get_or_create(name=ladder)
    Ladder.objects.select_for_update().get(name=ladder)


def _rate_together(ladder: str, games: Sequence[str]) -> None:
    """Rate these games of a locked ladder in this order, and remove them from the queue."""
    seats = _rated_seats(games)
    ratings = _ratings_of(ladder, dict.fromkeys(person for game in games for person in seats[game]))
    stored = _stored_changes(games, ratings)
    new_changes: list[RatingChange] = []
    for game in games:
        changes = stored.get(game)
        if changes is None:
            changes = {person: _new_change(game, ratings[person]) for person in seats[game]}
            new_changes += changes.values()
        _apply_result(changes, seats[game])
    RatingChange.objects.bulk_create(new_changes)
    old_changes = [change for changes in stored.values() for change in changes.values()]
    RatingChange.objects.bulk_update(old_changes, ["mu", "sigma"])
    Rating.objects.bulk_create(  # updates them: bulk_update takes ten times as long
        ratings.values(),
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["mu", "sigma", "shown", "games"],
    )
    UnratedGame.objects.filter(pk__in=games).delete()


def _apply_result(changes: Changes, seats: dict[UUID, GameSeat]) -> None:
    """Compute the rating changes of one game from its result, and apply them to the ratings."""
    people = [person for person in seats if person in changes]
    before = [_skill_before(changes[person]) for person in people]
    after = _new_skills(before, [seats[person] for person in people])
    for person, new in zip(people, after, strict=True):
        change = changes[person]
        _apply_change(change.rating, _skill_after(change), new, games=int(change.pk is None))
        change.mu, change.sigma = new


def _rated_seats(games: Sequence[str]) -> dict[str, dict[UUID, GameSeat]]:
    """Return for each game the seats of its rated players, by player and in the order of the seats.
    Lock the players, so that none can delete the account before the transaction ends."""
    rows = GameSeat.objects.filter(game__in=games, is_rated=True, person_id__isnull=False)
    found = list(rows.order_by("seat"))
    people = {seat.person_id for seat in found if seat.person_id is not None}
    players = Player.objects.select_for_update(no_key=True).filter(pk__in=people)
    known = {player.pk for player in players.order_by("pk") if not player.is_forgotten}
    seats: dict[str, dict[UUID, GameSeat]] = {game: {} for game in games}
    for seat in found:
        if seat.person_id is not None and seat.person_id in known:
            seats[seat.game_id][seat.person_id] = seat
    return seats


def _ratings_of(ladder: str, people: Iterable[UUID]) -> dict[UUID, Rating]:
    """Return the ratings of these players in a ladder; players without one get a new, unsaved
    rating."""
    people = list(people)
    rows = Rating.objects.filter(ladder_id=ladder, player_id__in=people)
    ratings = {rating.player_id: rating for rating in rows}
    shown = displayed_rating((MU, SIGMA))
    new = [
        Rating(player_id=person, ladder_id=ladder, mu=MU, sigma=SIGMA, shown=shown)
        for person in people
        if person not in ratings
    ]
    for rating in Rating.objects.bulk_create(new):
        ratings[rating.player_id] = rating
    return ratings


def _stored_changes(games: Sequence[str], ratings: dict[UUID, Rating]) -> dict[str, Changes]:
    """Return the stored rating changes of those games that have been rated before."""
    by_id = {rating.pk: rating for rating in ratings.values()}
    stored: dict[str, Changes] = defaultdict(dict)
    for change in RatingChange.objects.filter(game__in=games, rating__in=by_id):
        change.rating = by_id[change.rating_id]
        stored[change.game_id][change.rating.player_id] = change
    return stored


def _new_skills(before: Sequence[Skill], seats: Sequence[GameSeat]) -> list[Skill]:
    if len(seats) < 2:
        return list(before)
    places, absent = [seat.place for seat in seats], [seat.is_absent for seat in seats]
    absence: Absence = "as_played" if settings.RATED_ABSENCE == "as_played" else "last"
    return skills_after_game(before, rating_ranks(places, absent, absence))


def _new_change(game: str, rating: Rating) -> RatingChange:
    """Return an unsaved change for that game whose skills before and after are the present one."""
    mu, sigma = rating.mu, rating.sigma
    return RatingChange(
        game_id=game, rating=rating, mu_before=mu, sigma_before=sigma, mu=mu, sigma=sigma
    )


def _skill_before(change: RatingChange) -> Skill:
    return change.mu_before, change.sigma_before


def _skill_after(change: RatingChange) -> Skill:
    return change.mu, change.sigma


def _apply_change(rating: Rating, before: Skill, after: Skill, *, games: int) -> None:
    """Apply the change from `before` to `after` to the present rating, and add `games` to its
    number of games. Does not save."""
    rating.mu += after[0] - before[0]
    rating.sigma *= after[1] / before[1]
    rating.shown = displayed_rating((rating.mu, rating.sigma))
    rating.games += games
