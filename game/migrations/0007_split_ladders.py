"""Give every player of an archived game a row, and every length a ladder of its own.

Ladders were of one preset and all lengths. Games stay rated: a rating in a new ladder begins at the
rating of a new player, and the recorded changes by the games of that length are added to it.
Ratings of deleted accounts are deleted.

Only the logs of the games say who left a game and which games were broken off. The worker reads
them after this migration, because the `revision` of the games is 0.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_MU: Final = 25.0
_SIGMA: Final = 25.0 / 3.0
_BATCH: Final = 500
_COUNTS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)


def _players_added(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    seats: Any = apps.get_model("game", "GameSeat")
    players: Any = apps.get_model("game", "GamePlayer")
    rows = seats.objects.exclude(person_id=None).order_by("pk")
    batch = []
    for seat in rows.iterator(_BATCH):
        counts = {name: getattr(seat, name) for name in _COUNTS}
        batch.append(
            players(
                game_id=seat.game_id,
                person_id=seat.person_id,
                seat=seat.seat,
                name=seat.name,
                **counts,
            )
        )
        if len(batch) == _BATCH:
            players.objects.bulk_create(batch)
            batch = []
    players.objects.bulk_create(batch)


def _ladders_split(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games: Any = apps.get_model("game", "Game")
    ladders: Any = apps.get_model("game", "Ladder")
    ratings: Any = apps.get_model("game", "Rating")
    changes: Any = apps.get_model("game", "RatingChange")
    ratings.objects.filter(player__is_forgotten=True).delete()
    of_game: dict[str, str] = {}
    rated = games.objects.exclude(ladder="").order_by().values_list("pk", "ladder", "rules")
    for pk, ladder, rules in rated.iterator(_BATCH):
        of_game[pk] = f"{ladder}.{rules.get('length', 'east_south')}"
    for name in set(of_game.values()):
        ladders.objects.get_or_create(name=name)
        pks = [pk for pk, ladder in of_game.items() if ladder == name]
        for at in range(0, len(pks), _BATCH):
            games.objects.filter(pk__in=pks[at : at + _BATCH]).update(ladder=name)
    for old in list(ratings.objects.exclude(ladder__in=set(of_game.values()))):
        parts = defaultdict(list)
        for change in changes.objects.filter(rating=old).order_by("pk"):
            parts[of_game[change.game_id]].append(change)
        for name, found in parts.items():
            mu, sigma = _MU, _SIGMA
            for change in found:
                mu += change.mu - change.mu_before
                sigma *= change.sigma / change.sigma_before
            shown = round(1000 + 40 * (mu - 3 * sigma))
            new = ratings.objects.create(
                player_id=old.player_id,
                ladder_id=name,
                mu=mu,
                sigma=sigma,
                shown=shown,
                games=len(found),
            )
            changes.objects.filter(pk__in=[change.pk for change in found]).update(rating=new)
    old_ladders = ladders.objects.exclude(name__in=set(of_game.values()))
    ratings.objects.filter(ladder__in=old_ladders).delete()
    old_ladders.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0006_game_players"),
    ]

    operations = [
        migrations.RunPython(_players_added, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(_ladders_split, migrations.RunPython.noop, elidable=True),
    ]
