"""Changes ratings in the database.

No other module changes them; `players` deletes those of deleted accounts.

`rate_game` rates a finished game; the archive calls it in the transaction that saves the game. It
stores one `RatingChange` per rated player: the skill before and after. This also covers games that
are not simply the next one:

- **late** (archived after games that ended later): `rate_game` uses the current skills and adds
  the change;
- **deleted**: `undo_ratings` takes the stored change back;
- **corrected** (another place or absence): `rate_game` rates it again with the stored skills
  before it, and replaces the stored change.

Later games keep their rating changes. A change adds to the mean and multiplies the deviation, so
that changes can be added and undone in any order. Call every function in a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from game.models import Game, GameSeat, Ladder, Player, Rating, RatingChange
from game.results.ladders import (
    MU,
    SIGMA,
    Absence,
    Skill,
    displayed_rating,
    rating_ranks,
    skills_after_game,
)


def rate_game(game: Game) -> None:
    """Rate a game that has been saved with its seats, if it belongs to a ladder. Players who have
    deleted their account are ignored. A game that is rated already is rated again."""
    if not game.ladder:
        return
    _lock(game.ladder)
    found = RatingChange.objects.filter(game=game).select_related("rating")
    changes = {change.rating.player_id: change for change in found}
    seats = _rated_seats(game)
    if changes:
        seats = {person: seat for person, seat in seats.items() if person in changes}
    else:
        changes = {person: _new_change(game, person) for person in seats}
    after = _new_skills([_before_of(changes[person]) for person in seats], list(seats.values()))
    for person, new in zip(seats, after, strict=True):
        change = changes[person]
        _apply_change(change.rating, _after_of(change), new, games=int(change.pk is None))
        change.mu, change.sigma = new
        change.save()


def undo_ratings(game: Game) -> None:
    """Undo the rating changes of that game."""
    if not game.ladder:
        return
    _lock(game.ladder)
    changes = RatingChange.objects.filter(game=game)
    for change in changes.select_related("rating").order_by("rating"):
        _apply_change(change.rating, _after_of(change), _before_of(change), games=-1)
    changes.delete()


def undo_ratings_before_delete(sender: object, instance: Game, **details: Any) -> None:
    """Undo the ratings of a game that is about to be deleted. Receives `pre_delete`."""
    with transaction.atomic():
        undo_ratings(instance)


def _lock(ladder: str) -> None:
    """Lock the ladder against rating changes by other transactions until this one ends."""
    Ladder.objects.get_or_create(name=ladder)
    Ladder.objects.select_for_update().get(name=ladder)


def _rated_seats(game: Game) -> dict[UUID, GameSeat]:
    """Return the rated seats by player, in the order of the seats."""
    seats = GameSeat.objects.filter(game=game, is_rated=True).order_by("seat")
    people = {seat.person_id: seat for seat in seats if seat.person_id is not None}
    players = Player.objects.filter(pk__in=people, is_forgotten=False)
    known = set(players.values_list("pk", flat=True))
    return {person: seat for person, seat in people.items() if person in known}


def _new_skills(before: Sequence[Skill], seats: Sequence[GameSeat]) -> list[Skill]:
    if len(seats) < 2:
        return list(before)
    places, absent = [seat.place for seat in seats], [seat.is_absent for seat in seats]
    absence: Absence = "as_played" if settings.RATED_ABSENCE == "as_played" else "last"
    return skills_after_game(before, rating_ranks(places, absent, absence))


def _new_change(game: Game, person: UUID) -> RatingChange:
    """Return a change, not saved, that changes nothing yet."""
    fresh = {"mu": MU, "sigma": SIGMA, "shown": displayed_rating((MU, SIGMA))}
    rating, _ = Rating.objects.get_or_create(
        player_id=person, ladder_id=game.ladder, defaults=fresh
    )
    mu, sigma = rating.mu, rating.sigma
    return RatingChange(
        game=game, rating=rating, mu_before=mu, sigma_before=sigma, mu=mu, sigma=sigma
    )


def _before_of(change: RatingChange) -> Skill:
    return change.mu_before, change.sigma_before


def _after_of(change: RatingChange) -> Skill:
    return change.mu, change.sigma


def _apply_change(rating: Rating, before: Skill, after: Skill, *, games: int) -> None:
    """Apply the change to the present rating, and add `games` to its count."""
    rating.mu += after[0] - before[0]
    rating.sigma *= after[1] / before[1]
    rating.shown = displayed_rating((rating.mu, rating.sigma))
    rating.games += games
    rating.save(update_fields=["mu", "sigma", "shown", "games"])
