"""Computes the accuracy of a player over the reviewed games: totals, a trend, and games without a
review.

Reads the accuracies that reviews have stored (`game.models.PlayAccuracy`). Must not know how
accuracy is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from game.models import GameLog, GamePlayer, PlayAccuracy, Review
from game.results.charts import Chart, share_chart
from game.results.figure_cards import Share
from game.results.statistics import filter_rows

GAMES_IN_CHART: Final = 30
LAST_GAMES: Final = 20
"""The number of a person's last games that can be reviewed together."""
WINDOW_GAMES: Final = 10
"""The number of games of each point of the trend: its own and those before it."""
_COUNT_COLUMNS: Final = ("efficient", "efficient_of", "safe", "safe_of")

Counts = tuple[int, int, int, int]
"""The values of `_COUNT_COLUMNS` for one game."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """The shares over the games of a window."""

    efficiency: Share
    defence: Share


@dataclass(frozen=True, slots=True)
class Trend:
    """A player's accuracy over all reviewed games, and how it changed from game to game."""

    games: int
    efficiency: Share
    defence: Share
    points: tuple[TrendPoint, ...]
    """A point for each of the latest games, the oldest first."""
    chart: Chart | None
    """The chart of the trend; None for fewer than two games."""
    window: int = WINDOW_GAMES


@dataclass(frozen=True, slots=True)
class LastGames:
    """How many of a person's last `LAST_GAMES` games have been reviewed, wait for a review, or lack
    one. Only games that were played to their end count."""

    number: int
    reviewed: int
    """The number of games that count for the accuracy of the person."""
    waiting: int
    """The number of games whose review waits or is being computed."""
    missing: tuple[str, ...]
    """The keys of games that can be reviewed, the latest first."""


def last_games(person: UUID, players: int) -> LastGames:
    """Count reviewed, waiting and unreviewed games among the person's last games with `players`
    players. Games that cannot be reviewed (no log, or a failed review) are not among the
    unreviewed."""
    parts = GamePlayer.objects.filter(person_id=person, is_broken_off=False, seat_count=players)
    latest = parts.order_by("-ended_at", "-game_id").values_list("game_id", flat=True)
    games = list(latest[:LAST_GAMES])
    counted = PlayAccuracy.objects.filter(person_id=person, game__in=games)
    reviewed = set(counted.values_list("game_id", flat=True))
    reviews = Review.objects.filter(game__in=games).values_list("game_id", "state")
    states = dict(reviews)
    logs = GameLog.objects.filter(game__in=games).values_list("game_id", flat=True)
    kept = set(logs)
    waiting = {game for game, state in states.items() if state in ("queued", "running")}
    return LastGames(
        number=len(games),
        reviewed=len(reviewed),
        waiting=len(waiting - reviewed),
        missing=tuple(game for game in games if game in kept and game not in {*reviewed, *states}),
    )


def accuracy_of(
    person: UUID, players: int, *, only_public: bool, preset: str | None = None
) -> Trend | None:
    """Return the accuracy of that person in games with `players` players; None if no game was
    reviewed."""
    rows = PlayAccuracy.objects.filter(person_id=person, seat_count=players)
    rows = filter_rows(rows, only_public=only_public, preset=preset)
    sums = {name: Sum(name, default=0) for name in _COUNT_COLUMNS}
    found = rows.order_by().aggregate(games=Count("*"), **sums)
    if not found["games"]:
        return None
    latest = rows.order_by("-ended_at", "-game_id").values_list(*_COUNT_COLUMNS)
    counts = list(latest[: GAMES_IN_CHART + WINDOW_GAMES - 1])
    points = trend(counts[::-1])[-GAMES_IN_CHART:]
    return Trend(
        games=found["games"],
        efficiency=Share(found["efficient"], found["efficient_of"]),
        defence=Share(found["safe"], found["safe_of"]),
        points=tuple(points),
        chart=_chart(points),
    )


def trend(counts: Sequence[Counts]) -> list[TrendPoint]:
    """Return for each game the shares over the `WINDOW_GAMES` games that end with it. `counts` has
    the numbers of `PlayAccuracy` for each game, the oldest first."""
    found = []
    for end in range(1, len(counts) + 1):
        last = counts[max(0, end - WINDOW_GAMES) : end]
        efficient, efficient_of, safe, safe_of = (sum(column) for column in zip(*last, strict=True))
        found.append(TrendPoint(Share(efficient, efficient_of), Share(safe, safe_of)))
    return found


def _chart(points: Sequence[TrendPoint]) -> Chart | None:
    if len(points) < 2:
        return None
    lines = {
        _("Efficiency"): [point.efficiency for point in points],
        _("Defence"): [point.defence for point in points],
    }
    return share_chart(
        {
            name: [share.part / share.whole if share.whole else None for share in shares]
            for name, shares in lines.items()
        }
    )
