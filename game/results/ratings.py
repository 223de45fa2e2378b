"""Ratings in the database: the change by one game is added, taken back or corrected.

A rated game leaves one `RatingChange` for each rated player: the skill before it and after it. This
is the one mechanism for every game that does not simply come next:

- **late** (archived after games that ended later): it is rated with the skills that its players
  have now, and its change is added;
- **deleted**: its recorded change is taken back;
- **corrected** (another place or absence): it is rated again with the recorded skills before it,
  and the recorded change is replaced by the new one.

In every case later games stay as they were rated. A change of the mean is a difference and a change
of the deviation a factor, so that changes may be added and taken back in any order.

All functions are to be called in a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from game.models import Game, GameSeat, Ladder, Player, Rating, RatingChange
from game.results.ladders import MU, SIGMA, Absence, Skill, after_game, ranks, shown

_Change = tuple[Skill, Skill]


def ratings_added(game: Game) -> None:
    """Rate a game that has been saved with its seats. Players who have deleted their account in
    the meantime are left out."""
    _lock(game.ladder)
    seats = _rated_seats(game)
    rows = [_rating_of(person, game.ladder) for person in seats]
    before = [(row.mu, row.sigma) for row in rows]
    after = _after(before, list(seats.values()))
    for row, old, new in zip(rows, before, after, strict=True):
        _move(row, (old, new), games=1)
        RatingChange.objects.create(
            game=game, rating=row, mu_before=old[0], sigma_before=old[1], mu=new[0], sigma=new[1]
        )


def ratings_taken_back(game: Game) -> None:
    """Undo what the game has changed, as if it had not been rated."""
    if not game.ladder:
        return
    _lock(game.ladder)
    changes = RatingChange.objects.filter(game=game)
    for change in changes.select_related("rating").order_by("rating"):
        _move(change.rating, (_after_of(change), _before_of(change)), games=-1)
    changes.delete()


def ratings_corrected(game: Game) -> None:
    """Rate the game by the places and absences that its seats have now, as if they had been these
    when it was rated first."""
    _lock(game.ladder)
    found = RatingChange.objects.filter(game=game).select_related("rating")
    changes = {change.rating.player_id: change for change in found}
    seats = {one: seat for one, seat in _rated_seats(game).items() if one in changes}
    after = _after([_before_of(changes[one]) for one in seats], list(seats.values()))
    for person, new in zip(seats, after, strict=True):
        change = changes[person]
        _move(change.rating, (_after_of(change), new), games=0)
        change.mu, change.sigma = new
        change.save(update_fields=["mu", "sigma"])


def before_game_is_deleted(sender: object, instance: Game, **details: Any) -> None:
    """Receives `pre_delete` of a game, wherever it is deleted."""
    with transaction.atomic():
        ratings_taken_back(instance)


def _lock(ladder: str) -> None:
    """Let no other transaction change ratings in the ladder until this one ends."""
    Ladder.objects.get_or_create(name=ladder)
    Ladder.objects.select_for_update().get(name=ladder)


def _rated_seats(game: Game) -> dict[UUID, GameSeat]:
    """By player, in the order of the seats."""
    seats = GameSeat.objects.filter(game=game, is_rated=True).order_by("seat")
    people = {seat.person_id: seat for seat in seats if seat.person_id is not None}
    players = Player.objects.filter(pk__in=people, is_forgotten=False)
    known = set(players.values_list("pk", flat=True))
    return {person: seat for person, seat in people.items() if person in known}


def _after(before: Sequence[Skill], seats: Sequence[GameSeat]) -> list[Skill]:
    if len(seats) < 2:
        return list(before)
    places, absent = [seat.place for seat in seats], [seat.is_absent for seat in seats]
    absence: Absence = "as_played" if settings.RATED_ABSENCE == "as_played" else "last"
    return after_game(before, ranks(places, absent, absence))


def _rating_of(person: UUID, ladder: str) -> Rating:
    skill = MU, SIGMA
    fresh = {"mu": MU, "sigma": SIGMA, "shown": shown(skill)}
    rating, _ = Rating.objects.get_or_create(player_id=person, ladder_id=ladder, defaults=fresh)
    return rating


def _before_of(change: RatingChange) -> Skill:
    return change.mu_before, change.sigma_before


def _after_of(change: RatingChange) -> Skill:
    return change.mu, change.sigma


def _move(rating: Rating, change: _Change, *, games: int) -> None:
    """Apply the change to the rating, whatever it is now, and count so many games more."""
    (mu_before, sigma_before), (mu, sigma) = change
    rating.mu += mu - mu_before
    rating.sigma *= sigma / sigma_before
    rating.shown, rating.games = shown((rating.mu, rating.sigma)), rating.games + games
    rating.save(update_fields=["mu", "sigma", "shown", "games"])
