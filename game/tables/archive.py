"""Finished games reach the database, each exactly once; then their tables end.

The row's primary key is the table's id and everything is written in one transaction. Only
then is the table taken off: whoever dies in between leaves it due, and the next to come
finds the row. The same transaction enters the game into the books (`game.results`).
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from django.db import IntegrityError, transaction

from game.engine.commands import EndGame, RestoreGame
from game.engine.events import Event, HandDrawn, HandStarted, Won
from game.engine.rules import RuleSet
from game.engine.tiles import EAST, kind_of
from game.models import Game, GamePlayer, GameSeat
from game.results.counts import GameCounts, count_game
from game.results.ladders import preset_of
from game.results.ratings import rate_game
from game.results.recording import lock_forgotten, record_players, register_players
from game.tables.codec import decode_commit, decode_commits, encode
from game.tables.database import note_written, reaching_database
from game.tables.hand_schedule import schedule_of
from game.tables.room import Commit, FourSeats, Room, SeatMeta, TableId
from game.tables.seat_history import find_people, opening_seats, remove_names, sittings
from game.tables.service import Service

log = logging.getLogger(__name__)

KEPT_AFTER_END_S: Final = 600
"""How long a finished table can still be looked at where it was played; spectators with open
hands have this long after its last hand has been shown to them."""
LOG_FORMAT: Final = 1
"""zlib over msgpack of all commits."""
REVISION: Final = 1
"""Of what is read from a log for the figures that pages show. A higher one lets the worker read
every archived game again."""
_READ_AT_ONCE: Final = 20

WriteEvent = Callable[[Event], dict[str, Any]]


async def game_archive(service: Service, table_id: TableId, write: WriteEvent) -> None:
    """Bring the finished game of that table into the database, and end the table.

    `write` puts the results of hands as the wire does. Raises RoomsUnavailable if Redis or the
    database cannot be used.
    """
    room = await service.read_room(table_id)
    rows = await service.store.entries_from(table_id, 1)
    commits = tuple(decode_commit(data) for _, data in rows)
    with reaching_database():
        await database_sync_to_async(game_save)(room, commits, write)
    note_written()
    keep_s = KEPT_AFTER_END_S
    if room.meta.watch == "open_delayed":
        shown_at = schedule_of(room.meta, commits).ends_at()
        keep_s += max(0, shown_at - service.now_ms()) // 1000
    await service.store.end_table(table_id, keep_s=keep_s)


def game_save(room: Room, commits: Sequence[Commit], write: WriteEvent) -> bool:
    """Write the game, unless it is there. True if this call has written it."""
    last = room.meta.seats
    is_broken_off = _is_broken_off(commits)
    game = Game(
        table_id=room.table_id,
        rules=msgspec.to_builtins(room.table.rules),
        is_public=room.meta.public,
        started_at=_time(commits[0].at),
        ended_at=_time(commits[-1].at),
        hands=_hands([event for commit in commits for event in commit.events], write),
        preset=preset_of(room.table.rules),
        ladder="" if is_broken_off or _was_restored(commits) else room.meta.ladder,
        is_broken_off=is_broken_off,
        revision=REVISION,
    )
    try:
        with transaction.atomic():
            if Game.objects.filter(pk=room.table_id).exists():
                return False
            forgotten = lock_forgotten(find_people(commits, last))
            _set_log(game, remove_names(commits, last, forgotten) if forgotten else commits)
            counts = count_game(sittings(commits, last))
            game.save(force_insert=True)
            GameSeat.objects.bulk_create(
                [_seat_row(game, room, commits, counts, forgotten, seat) for seat in range(4)]
            )
            players = _players(game, commits, last, forgotten)
            record_players(game, players, counts)
            register_players(players)
            rate_game(game)
    except IntegrityError:
        if Game.objects.filter(pk=room.table_id).exists():  # somebody was faster
            return False
        raise
    return True


async def old_games_read() -> None:
    """Read again some of the games that were last read by an older revision, or before somebody
    who played in them deleted their account. Done by the worker, every second."""
    ids = Game.objects.filter(revision__lt=REVISION).order_by("pk").values_list("pk", flat=True)
    for table_id in [table_id async for table_id in ids[:_READ_AT_ONCE]]:
        await database_sync_to_async(game_read_again)(table_id)


def game_read_again(table_id: str) -> None:
    """Count anew what the players of an archived game did, say who of those who began it was not
    there at the end, and remove the names of deleted accounts from its log. Its ratings stay.

    A log that cannot be read is left as it is.
    """
    with transaction.atomic():
        games = Game.objects.select_for_update().filter(pk=table_id, revision__lt=REVISION)
        if (game := games.first()) is None:
            return
        try:
            commits = game_commits(game)
        except Exception:
            log.exception("game %s cannot be read", table_id)
        else:
            _read_again(game, commits)
        game.revision = REVISION
        game.save(update_fields=["preset", "is_broken_off", "log", "revision"])


def _read_again(game: Game, commits: Sequence[Commit]) -> None:
    rows = list(game.seats.order_by("seat"))
    last = _last_seats(rows)
    opening = opening_seats(commits, last)
    forgotten = lock_forgotten(find_people(commits, last))
    if forgotten:
        _set_log(game, remove_names(commits, last, forgotten))
    counts = count_game(sittings(commits, last))
    game.preset = preset_of(msgspec.convert(game.rules, RuleSet))
    game.is_broken_off = _is_broken_off(commits)
    for row, began, present in zip(rows, opening, counts.present, strict=True):
        row.person_id = UUID(began.person) if began.person else None
        row.name = "" if began.person in forgotten else began.name
        row.bot = "" if began.person else row.bot or began.bot
        row.is_absent = bool(began.person) and began.person != present
        row.save()
    record_players(game, _players(game, commits, last, forgotten), counts)


def game_events(game: Game) -> list[Event]:
    """The events of an archived game, in their order. Reads its log from the database."""
    return [event for commit in game_commits(game) for event in commit.events]


def game_commits(game: Game) -> tuple[Commit, ...]:
    """The commits of an archived game."""
    if game.log_format != LOG_FORMAT:
        raise ValueError(f"game {game.pk}: the log has unknown format {game.log_format}")
    return decode_commits(zlib.decompress(game.log))


def _set_log(game: Game, commits: Sequence[Commit]) -> None:
    game.log_format = LOG_FORMAT
    game.log = zlib.compress(encode(tuple(commits)))


def _is_broken_off(commits: Sequence[Commit]) -> bool:
    """Whether the game was ended before the rules end it."""
    return any(isinstance(command, EndGame) for commit in commits for command in commit.commands)


def _was_restored(commits: Sequence[Commit]) -> bool:
    """Whether it was restored from a backup: then players may have seen tiles, and it is not
    rated."""
    return any(isinstance(one, RestoreGame) for commit in commits for one in commit.commands)


def _last_seats(rows: Sequence[GameSeat]) -> FourSeats:
    """Who sat there at the end of a game that is archived, where its log does not say so."""
    east, south, west, north = (
        SeatMeta(row.name, str(row.person_id) if row.person_id else "", row.bot) for row in rows
    )
    return east, south, west, north


def _seat_row(
    game: Game,
    room: Room,
    commits: Sequence[Commit],
    counts: GameCounts,
    forgotten: frozenset[str],
    seat: int,
) -> GameSeat:
    meta, table = opening_seats(commits, room.meta.seats)[seat], room.table
    place, points = table.placement[seat]
    return GameSeat(
        game=game,
        seat=seat,
        person_id=UUID(meta.person) if meta.person else None,
        name="" if meta.person in forgotten else meta.name,
        bot="" if meta.person else meta.bot,
        score=table.scores[seat],
        place=place,
        points=Decimal(str(points)),
        is_rated=bool(game.ladder) and room.meta.rated[seat],
        is_absent=bool(meta.person) and meta.person != counts.present[seat],
    )


def _players(
    game: Game, commits: Sequence[Commit], last: FourSeats, forgotten: frozenset[str]
) -> list[GamePlayer]:
    """Everybody who has had a seat, without what they did."""
    began = {seat.person for seat in opening_seats(commits, last)}
    return [
        GamePlayer(
            game=game,
            person_id=UUID(person),
            seat=seat,
            name="" if person in forgotten else name,
            has_result=person in began,
        )
        for person, (seat, name) in find_people(commits, last).items()
    ]


def _hands(events: Sequence[Event], write: WriteEvent) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = []
    for event in events:
        match event:
            case HandStarted():
                kyoku = 4 * (kind_of(event.bakaze) - EAST) + event.kyoku - 1
                hands.append({"kyoku": kyoku, "honba": event.honba, "results": []})
            case Won() | HandDrawn():
                hands[-1]["results"].append(write(event))
            case _:
                pass
    return hands


def _time(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
