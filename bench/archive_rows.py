"""Fills an archive with copies of games that bots have played."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

from django.db import connection, models, transaction
from msgspec.structs import replace

from bench.played_games import play_room
from game.engine.presets import PRESETS
from game.live.process import ARCHIVE
from game.models import Game, GameLog, GamePlayer, GameSeat, Ladder, Player, Rating
from game.results.ladders import MU, SIGMA, LadderKind, displayed_rating
from game.results.totals import add_contributions, figures_of, key_of
from game.tables.room import SeatMeta

POOL_GAMES: Final = 48
"""Number of played games that are copied. They are of all presets and lengths, half of them of the
first preset."""
_GAMES_PER_BATCH: Final = 5_000
_FIRST_GAME_AT: Final = datetime(2016, 1, 1, tzinfo=UTC)
_SPAN_S: Final = 10 * 365 * 86_400
_GAMES_PER_PERSON: Final = 20
_PRIVATE_SHARE: Final = 0.15

Show = Callable[[int, int], None]
"""A function that shows progress. Its arguments are the numbers of games that exist and that are
wanted."""


def person_id(number: int) -> UUID:
    """Return the id of the person with this number. People with low numbers play most."""
    return UUID(bytes=hashlib.md5(b"%d" % number, usedforsecurity=False).digest())


def count_games() -> int:
    """Return the number of games in the archive, without the played games that are copied."""
    return Game.objects.count() - _pool_size()


def _pool_size() -> int:
    return Game.objects.filter(pk__startswith="pool-").count()


def fill_archive(games: int, pool: int, show: Show) -> None:
    """Add copies of `pool` played games until there are `games` games. Game number N is the same in
    every run.

    The database copies the rows of played games itself; only columns that differ are sent to it.
    """
    _play_pool(pool)
    first = count_games()
    people = max(400, games // _GAMES_PER_PERSON)
    if first >= games:
        return
    ladders = _ladders_of_pool()
    _add_players(people)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA cache_size = -1000000")  # KiB, for this connection
        for name, columns in _TEMPORARY_TABLES.items():
            types = ", ".join(
                f"{column} {_column_type(field)}" for column, field in columns.items()
            )
            cursor.execute(f"CREATE TEMPORARY TABLE {name} ({types})")
        for start in range(first, games, _GAMES_PER_BATCH):
            end = min(games, start + _GAMES_PER_BATCH)
            rows = [_rows_of_game(number, games, people, ladders) for number in range(start, end)]
            with transaction.atomic():
                _insert_rows(cursor, "bench_game", [game for game, _ in rows])
                _insert_rows(cursor, "bench_seat", [seat for _, seats in rows for seat in seats])
                for model in (Game, GameLog, GameSeat, GamePlayer):
                    cursor.execute(_copy_statement(model))
                _add_totals([game[0] for game, _ in rows])
                for name in _TEMPORARY_TABLES:
                    cursor.execute(f"DELETE FROM {name}")
            show(end, games)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")


def _play_pool(size: int) -> None:
    """Play games until there are `size` to copy. Does nothing if the archive already has copies."""
    for number in range(_pool_size(), size if not count_games() else 0):
        table_id = f"pool-{number}"
        names = list(PRESETS)
        name = names[0] if number % 2 else names[number // 2 % len(names)]
        length = "east" if number % 3 == 0 else "east_south"
        rules = replace(PRESETS[name], length=length)
        seats = tuple(SeatMeta(f"pool {at}", str(UUID(int=at + 1))) for at in range(4))
        began = int(_FIRST_GAME_AT.timestamp() * 1000)
        room, log = play_room(table_id, seats, rules, seed=number, started_at=began)
        ARCHIVE.save_game(room, log)


def _ladders_of_pool() -> list[str]:
    games = {game.pk: game for game in Game.objects.filter(pk__startswith="pool-")}
    in_order = [games[f"pool-{number}"] for number in range(len(games))]
    return [
        LadderKind(game.preset, str(game.rules["length"])).name if game.preset else ""
        for game in in_order
    ]


_TEMPORARY_TABLES: Final[dict[str, dict[str, models.Field[Any, Any]]]] = {
    "bench_game": {
        "pk": Game._meta.get_field("table_id"),
        "pool": Game._meta.get_field("table_id"),
        "started_at": Game._meta.get_field("started_at"),
        "ended_at": Game._meta.get_field("ended_at"),
        "is_public": Game._meta.get_field("is_public"),
        "ladder": Game._meta.get_field("ladder"),
    },
    "bench_seat": {
        "pk": Game._meta.get_field("table_id"),
        "seat": GameSeat._meta.get_field("seat"),
        "person_id": GamePlayer._meta.get_field("person_id"),
        "name": GameSeat._meta.get_field("name"),
        "place": GameSeat._meta.get_field("place"),
    },
}
"""Columns of the temporary tables, which hold the differences between a game and the played game
that it copies."""


def _column_type(field: models.Field[Any, Any]) -> str:
    """Return the database type of the field's column, without its range check."""
    return str(field.db_type(connection))


def _rows_of_game(
    number: int, games: int, people: int, ladders: Sequence[str]
) -> tuple[list[Any], list[list[Any]]]:
    """Return the row of game `number` and the rows of its seats in the temporary tables."""
    rng = Random(number)
    pk = base64.urlsafe_b64encode(hashlib.sha256(b"%d" % number).digest()[:12]).decode()
    ended_at = _FIRST_GAME_AT + timedelta(seconds=_SPAN_S * number / games + rng.random())
    started_at = ended_at - timedelta(minutes=15 + 45 * rng.random())
    players: list[int] = []
    while len(players) < 4:
        if (person := int(people * rng.random() ** 2)) not in players:
            players.append(person)
    pool = number % len(ladders)
    ladder = ladders[pool] if number % 3 else ""
    is_public = rng.random() > _PRIVATE_SHARE
    places = rng.sample((1, 2, 3, 4), 4)
    game = [pk, f"pool-{pool}", _format_time(started_at), _format_time(ended_at), is_public, ladder]
    return game, [
        [pk, seat, person_id(who).hex, f"Player {who}", place]
        for seat, (who, place) in enumerate(zip(players, places, strict=True))
    ]


def _add_totals(games: Sequence[str]) -> None:
    """Add the figures of these games to the sums, as the archive does for each game."""
    results = GameSeat.objects.filter(game__in=games)
    seats = {(seat.game_id, seat.person_id): seat for seat in results.iterator()}
    parts = GamePlayer.objects.filter(game__in=games).iterator()
    add_contributions(
        [
            (key_of(part), figures_of(part, seats.get((part.game_id, part.person_id))))
            for part in parts
        ]
    )


def _format_time(moment: datetime) -> str:
    """Return the moment as Django's database backend writes it."""
    text = f"{moment:%Y-%m-%d %H:%M:%S.%f}"
    return text if connection.vendor == "sqlite" else f"{text}+00"


def _insert_rows(cursor: Any, table: str, rows: Sequence[Sequence[Any]]) -> None:
    columns = list(_TEMPORARY_TABLES[table])
    if connection.vendor == "sqlite":
        marks = ", ".join(["%s"] * len(columns))
        cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        return
    with cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _copy_statement(model: type[models.Model]) -> str:
    """Return the statement that adds the rows of this model for the games in the temporary
    tables."""
    is_of_seat = model in (GameSeat, GamePlayer)
    key = "table_id" if model is Game else "game_id"
    replaced_columns = {key: "game.pk", "ended_at": "game.ended_at", "is_public": "game.is_public"}
    if model is Game:
        replaced_columns |= {"started_at": "game.started_at", "ladder": "game.ladder"}
    if is_of_seat:
        replaced_columns |= {"person_id": "seat.person_id", "name": "seat.name"}
    if model is GameSeat:
        replaced_columns["place"] = "seat.place"
    fields = [field for field in model._meta.concrete_fields if field.attname != "id"]
    columns = [str(field.column) for field in fields]
    values = [replaced_columns.get(column, f"pool.{column}") for column in columns]
    table = model._meta.db_table
    seats = "JOIN bench_seat seat ON seat.pk = game.pk AND seat.seat = pool.seat"
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"
        f" FROM bench_game game JOIN {table} pool ON pool.{key} = game.pool"
        f" {seats if is_of_seat else ''}"
    )


def _add_players(people: int) -> None:
    """Add the people and their ratings in the ladders. Three of four get an account."""
    ladders = sorted(set(_ladders_of_pool()) - {""})
    Ladder.objects.bulk_create([Ladder(name=name) for name in ladders], ignore_conflicts=True)
    rng = Random(0)
    for start in range(0, people, _GAMES_PER_BATCH):
        part = range(start, min(people, start + _GAMES_PER_BATCH))
        Player.objects.bulk_create(
            [
                Player(
                    person_id=person_id(number), name=f"Player {number}", is_listed=number % 4 != 3
                )
                for number in part
            ],
            ignore_conflicts=True,
        )
        Rating.objects.bulk_create(
            [
                Rating(
                    player_id=person_id(number),
                    ladder_id=name,
                    mu=mu,
                    sigma=SIGMA / 4,
                    shown=displayed_rating((mu, SIGMA / 4)),
                    games=rng.randint(1, 200),
                )
                for number in part
                if number % 4 != 3
                for name in ladders
                if (mu := rng.gauss(MU, 5))
            ],
            ignore_conflicts=True,
        )
