"""Finds the games that two people have played together, for moderators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Prefetch
from django.utils import timezone

from game.models import Game, GameSeat

SHOWN_DAYS: Final = 30
_MAX_SHOWN_GAMES: Final = 200


def games_of_pair(first: UUID, second: UUID) -> list[Any]:
    """Return the games that both played in the last 30 days, the latest first. Each game has the
    seats of the two in the attribute `pair_seats`."""
    since = timezone.now() - timedelta(days=SHOWN_DAYS)
    games = Game.objects.filter(ended_at__gte=since)
    games = games.filter(seats__person_id=first).filter(seats__person_id=second)
    seats = GameSeat.objects.filter(person_id__in=[first, second]).order_by("seat")
    own = Prefetch("seats", queryset=seats, to_attr="pair_seats")
    return list(games.order_by("-ended_at").prefetch_related(own)[:_MAX_SHOWN_GAMES])
