"""Changes ratings in the database. No other module does.

`rate_game` rates a finished game; the archive calls it in the transaction that saves the game. It
stores one `RatingChange` per rated player: the skill before and after. This also covers games that
are not simply the next one:

- **late** (archived after games that ended later): `rate_game` uses the current skills and adds
  the change;
- **deleted**: `undo_ratings` takes the stored change back;
- **corrected** (another place or absence): `correct_ratings` rates it again with the stored skills
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

_Change = tuple[Skill, Skill]


def rate_game(game: Game) -> None:
    """Rate a game that has been saved with its seats, if it belongs to a ladder. Players who have
    deleted their account are ignored."""
    if not game.ladder:
        return
    _lock(game.ladder)
    seats = _rated_seats(game)
    rows = [_rating_of(person, game.ladder) for person in seats]
    before = [(row.mu, row.sigma) for row in rows]
    after = _new_skills(before, list(seats.values()))
    for row, old, new in zip(rows, before, after, strict=True):
        _apply_change(row, (old, new), games=1)
        RatingChange.objects.create(
            game=game, rating=row, mu_before=old[0], sigma_before=old[1], mu=new[0], sigma=new[1]
        )


def undo_ratings(game: Game) -> None:
    """Undo the rating changes of that game."""
    if not game.ladder:
        return
    _lock(game.ladder)
    changes = RatingChange.objects.filter(game=game)
    for change in changes.select_related("rating").order_by("rating"):
        _apply_change(change.rating, (_after_of(change), _before_of(change)), games=-1)
    changes.delete()


def correct_ratings(game: Game) -> None:
    """Rate the game again by the present places and absences of its seats."""
    _lock(game.ladder)
    found = RatingChange.objects.filter(game=game).select_related("rating")
    changes = {change.rating.player_id: change for change in found}
    seats = {one: seat for one, seat in _rated_seats(game).items() if one in changes}
    after = _new_skills([_before_of(changes[one]) for one in seats], list(seats.values()))
    for person, new in zip(seats, after, strict=True):
        change = changes[person]
        _apply_change(change.rating, (_after_of(change), new), games=0)
        change.mu, change.sigma = new
        change.save(update_fields=["mu", "sigma"])


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


def _rating_of(person: UUID, ladder: str) -> Rating:
    skill = MU, SIGMA
    fresh = {"mu": MU, "sigma": SIGMA, "shown": displayed_rating(skill)}
    rating, _ = Rating.objects.get_or_create(player_id=person, ladder_id=ladder, defaults=fresh)
    return rating


def _before_of(change: RatingChange) -> Skill:
    return change.mu_before, change.sigma_before


def _after_of(change: RatingChange) -> Skill:
    return change.mu, change.sigma


def _apply_change(rating: Rating, change: _Change, *, games: int) -> None:
    """Apply the change to the present rating, and add `games` to its count."""
    (mu_before, sigma_before), (mu, sigma) = change
    rating.mu += mu - mu_before
    rating.sigma *= sigma / sigma_before
    rating.shown = displayed_rating((rating.mu, rating.sigma))
    rating.games += games
    rating.save(update_fields=["mu", "sigma", "shown", "games"])
