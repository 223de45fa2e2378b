"""Enters a finished game into the books: its players, what they did, and their ratings.

All of it happens in the transaction that archives the game, and so exactly once. Ratings are
taken in the order in which the games of a ladder ended. A game that comes late, after an
outage, is put in its place: what later games did is taken back and done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q
from msgspec import structs

from game.afterwards.counts import counted
from game.afterwards.ladders import LEAST_PEOPLE, MU, SIGMA, after_game, preset_of, shown
from game.engine.events import Event
from game.engine.rules import RuleSet
from game.models import Game, GameSeat, Ladder, Player, Rating, RatingChange


def game_described(
    game: Game, rules: RuleSet, seats: Sequence[GameSeat], *, is_whole: bool
) -> None:
    """Say what the game and its seats count as, before they are saved. `is_whole`: it has not
    been ended before its time, nor has a seat changed hands."""
    people = [seat.person_id for seat in seats if seat.person_id is not None]
    known = Player.objects.in_bulk(people)
    game.preset = preset_of(rules)
    for seat in seats:
        player = known.get(seat.person_id) if seat.person_id else None
        if player is not None and player.is_forgotten:
            seat.name = ""
        seat.is_rated = bool(player and player.is_listed)
    may_count = bool(game.preset) and game.is_public and is_whole
    if may_count and sum(seat.is_rated for seat in seats) >= LEAST_PEOPLE:
        game.ladder = game.preset
    else:
        for seat in seats:
            seat.is_rated = False


def seats_counted(seats: Sequence[GameSeat], events: Sequence[Event]) -> None:
    """Put into the seats what they did, before they are saved."""
    for seat, counts in zip(seats, counted(events), strict=True):
        for name, value in structs.asdict(counts).items():
            setattr(seat, name, value)
        seat.is_counted = True


def game_entered(game: Game, seats: Sequence[GameSeat]) -> None:
    """The game has been saved with its seats: its players are known from now on, and rated.

    To be called in the transaction that saves the game.
    """
    for seat in seats:
        if seat.person_id is not None:
            Player.objects.get_or_create(person_id=seat.person_id, defaults={"name": seat.name})
    if game.ladder:
        _rate_from(game)


def _rate_from(game: Game) -> None:
    """Rate the game and, again, every game of its ladder that ended after it."""
    Ladder.objects.get_or_create(name=game.ladder)
    Ladder.objects.select_for_update().get(name=game.ladder)
    later = Q(ended_at__gt=game.ended_at) | Q(ended_at=game.ended_at, pk__gt=game.pk)
    games = Game.objects.filter(later, ladder=game.ladder).order_by("ended_at", "pk")
    following = list(games.values_list("pk", flat=True))
    _take_back(following)
    for game_id in (game.pk, *following):
        _rate(game_id, game.ladder)


def _take_back(games: Sequence[str]) -> None:
    """Undo what these games did to ratings: the first change of each says how it was before."""
    before: dict[int, RatingChange] = {}
    changes = RatingChange.objects.filter(game__in=games).select_related("rating")
    for change in changes.order_by("-number"):
        before[change.rating_id] = change
    for change in before.values():
        skill = change.mu_before, change.sigma_before
        _set(change.rating, skill, games=change.number - 1)
    changes.delete()


def _rate(game_id: str, ladder: str) -> None:
    seats = list(GameSeat.objects.filter(game=game_id, is_rated=True).order_by("seat"))
    ratings = [_rating_of(seat.person_id, ladder) for seat in seats if seat.person_id is not None]
    before = [(rating.mu, rating.sigma) for rating in ratings]
    after = after_game(before, [seat.place for seat in seats])
    for rating, old, new in zip(ratings, before, after, strict=True):
        _set(rating, new, games=rating.games + 1)
        RatingChange.objects.create(
            game_id=game_id,
            rating=rating,
            number=rating.games,
            mu_before=old[0],
            sigma_before=old[1],
            mu=new[0],
            sigma=new[1],
        )


def _rating_of(person: UUID, ladder: str) -> Rating:
    skill = MU, SIGMA
    fresh = {"mu": MU, "sigma": SIGMA, "shown": shown(skill)}
    rating, _ = Rating.objects.get_or_create(player_id=person, ladder_id=ladder, defaults=fresh)
    return rating


def _set(rating: Rating, skill: tuple[float, float], *, games: int) -> None:
    rating.mu, rating.sigma = skill
    rating.shown, rating.games = shown(skill), games
    rating.save(update_fields=["mu", "sigma", "shown", "games"])
