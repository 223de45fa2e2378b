"""The results of a player: how the rating changed, and the results against frequent opponents.

Reads only rows of the player's latest games, so that the cost does not grow with the number of
games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from uuid import UUID

from django.utils.formats import date_format

from game.models import GameSeat, Player, Rating, RatingChange
from game.results.charts import Chart, rating_chart
from game.results.figure_cards import Share
from game.results.filters import PlayFilter
from game.results.game_text import format_number
from game.results.ladders import BOT_LADDERS, LADDERS, displayed_rating
from game.results.statistics import ALL_OF_FOUR, ladder_name

OPPONENTS: Final = 10
GAMES_IN_RATING_CHART: Final = 100


@dataclass(frozen=True, slots=True)
class Opponent:
    """The results against one opponent, in games that both played from the beginning and that were
    not broken off."""

    person: UUID
    name: str
    games: int
    ahead: Share
    """The share of games in which the player had the better place."""
    mean_place: str
    """The mean place of the player in these games."""
    their_mean_place: str


def chart_rating(person: UUID, chosen: PlayFilter = ALL_OF_FOUR) -> tuple[str, Chart] | None:
    """Return the name of a ladder, and a chart of the player's rating after each of the latest
    games in it. Of the ladders that match the filter, the one with most games is charted. None if
    it has fewer than two games."""
    kinds = {
        name
        for name, kind in {**LADDERS, **BOT_LADDERS}.items()
        if chosen.preset in (None, kind.preset)
        and chosen.length in ("", kind.length)
        and chosen.players == kind.players
    }
    ratings = Rating.objects.filter(player_id=person, ladder__in=kinds)
    own = ratings.order_by("-games", "pk").first()
    kind = {**LADDERS, **BOT_LADDERS}.get(own.ladder_id) if own is not None else None
    if own is None or kind is None:
        return None
    changes = RatingChange.objects.filter(rating=own).order_by("-game__ended_at", "-pk")
    rows = list(changes.values_list("mu", "sigma", "game__ended_at")[:GAMES_IN_RATING_CHART])
    if len(rows) < 2:
        return None
    rows.reverse()
    shown = [displayed_rating((mu, sigma)) for mu, sigma, _ended_at in rows]
    days = [date_format(ended_at, "SHORT_DATE_FORMAT") for _mu, _sigma, ended_at in rows]
    return ladder_name(kind), rating_chart(shown, days)


def opponents(person: UUID, latest: Sequence[str]) -> list[Opponent]:
    """Return the accounts that the player has met most often in these games, the most frequent
    first, at most `OPPONENTS`."""
    # Counted here: joined with the player's own seats, databases take ten times as long.
    rows = GameSeat.objects.filter(game__in=latest, is_broken_off=False)
    games: defaultdict[str, dict[UUID, int]] = defaultdict(dict)
    for game, opponent, place in rows.values_list("game_id", "person_id", "place"):
        if opponent is not None:
            games[game][opponent] = place
    met: defaultdict[UUID, list[tuple[int, int]]] = defaultdict(list)
    for places in games.values():
        own_place = places.pop(person, None)
        if own_place is not None:
            for opponent, place in places.items():
                met[opponent].append((own_place, place))
    most = sorted(met, key=lambda opponent: (-len(met[opponent]), str(opponent)))[: 3 * OPPONENTS]
    listed = Player.objects.filter(pk__in=most, is_listed=True).values_list("pk", "name")
    names = dict(listed)
    return [
        _opponent(opponent, names[opponent], met[opponent])
        for opponent in most
        if opponent in names
    ][:OPPONENTS]


def _opponent(person: UUID, name: str, places: Sequence[tuple[int, int]]) -> Opponent:
    """Return the results against an opponent. `places` has for each common game the place of the
    player and that of the opponent."""
    games = len(places)
    return Opponent(
        person,
        name,
        games,
        Share(sum(own < their for own, their in places), games),
        _mean(sum(own for own, _ in places), games, 2),
        _mean(sum(their for _, their in places), games, 2),
    )


def _mean(total: int, times: int, decimals: int = 0) -> str:
    return format_number(Fraction(total, times), decimals) if times else "\N{EN DASH}"
