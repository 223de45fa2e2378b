"""Writes finished games that wait to be rated: ``python -m tests.kit.unrated_games COUNT``.

All games belong to one ladder and are between randomly drawn players with accounts. They ended one
second after another, and were archived all at the same time.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    django.setup()

from django.db import transaction

from game.models import Game, GameSeat, Player, UnratedGame

LADDER: Final = "tenhou.east_south"
FIRST_END: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PLAYERS: Final = 1_000


def write_games(count: int, *, shuffled: bool = False, queued: bool = True) -> list[Game]:
    """Write `count` games, and return them in the order of their ends, or `shuffled`. If not
    `queued`, they still have to be passed to `queue_for_rating`."""
    chance = Random(count)
    people = [UUID(int=number, version=4) for number in range(_PLAYERS)]
    games, seats = [], []
    for number in range(count):
        ended_at = FIRST_END + timedelta(seconds=number)
        game = Game(
            table_id=f"game{number:06}",
            rules={"name": "tenhou", "length": "east_south"},
            started_at=ended_at - timedelta(hours=1),
            ended_at=ended_at,
            preset="tenhou",
            ladder=LADDER,
            revision=1_000,
        )
        games.append(game)
        places = chance.sample(range(1, 5), 4)
        for seat, person in enumerate(chance.sample(people, 4)):
            seats.append(
                GameSeat(
                    game=game,
                    seat=seat,
                    person_id=person,
                    name="p",
                    score=25_000,
                    place=places[seat],
                    points=0,
                    is_rated=True,
                )
            )
    with transaction.atomic():
        players = [Player(person_id=person, name="p", is_listed=True) for person in people]
        Player.objects.bulk_create(players, ignore_conflicts=True)
        Game.objects.bulk_create(games)
        GameSeat.objects.bulk_create(seats)
        if queued:
            UnratedGame.objects.bulk_create([_queue_entry(game) for game in games])
    if shuffled:
        chance.shuffle(games)
    return games


def _queue_entry(game: Game) -> UnratedGame:
    return UnratedGame(
        game=game,
        ladder=game.ladder,
        ended_at=game.ended_at,
        archived_at=FIRST_END,
        is_late=True,
    )


if __name__ == "__main__":
    write_games(int(sys.argv[1]))
