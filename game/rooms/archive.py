"""Finished games reach the database, each exactly once; then their tables end.

The row's primary key is the table's id and everything is written in one transaction. Only
then is the table taken off: whoever dies in between leaves it due, and the next to come
finds the row. The same transaction enters the game into the books (`game.afterwards`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from django.db import IntegrityError, transaction

from game.afterwards.books import game_described, game_entered, seats_counted
from game.afterwards.ladders import preset_of
from game.engine.commands import EndGame
from game.engine.events import Event, GameStarted, HandDrawn, HandStarted, Won
from game.engine.rules import RuleSet
from game.engine.tiles import EAST, kind_of
from game.models import Game, GameSeat
from game.rooms.codec import decode_commit, decode_commits, encode
from game.rooms.database import note_written, reaching_database
from game.rooms.hand_schedule import schedule_of
from game.rooms.room import Commit, Room, TableId
from game.rooms.service import Service

KEPT_AFTER_END_S: Final = 600
"""How long a finished table can still be looked at where it was played; spectators with open
hands have this long after its last hand has been shown to them."""
LOG_FORMAT: Final = 1
"""zlib over msgpack of all commits."""

WriteEvent = Callable[[Event], dict[str, Any]]


async def game_archive(service: Service, table_id: TableId, write: WriteEvent) -> None:
    """Bring the finished game of that table into the database, and end the table.

    `write` puts the results of hands as the wire does. Raises RoomsUnavailable if Redis or the
    database cannot be used.
    """
    room = await service.room(table_id)
    rows = await service.store.entries_from(table_id, 1)
    commits = tuple(decode_commit(data) for _, data in rows)
    with reaching_database():
        await database_sync_to_async(game_save)(room, commits, write)
    note_written()
    keep_s = KEPT_AFTER_END_S
    if room.meta.watch == "open_delayed":
        shown_at = schedule_of(room.meta, commits).ends_at()
        keep_s += max(0, shown_at - service.now_ms()) // 1000
    await service.store.retire(table_id, keep_s=keep_s)


def game_save(room: Room, commits: Sequence[Commit], write: WriteEvent) -> bool:
    """Write the game, unless it is there. True if this call has written it."""
    events = [event for commit in commits for event in commit.events]
    game = Game(
        table_id=room.table_id,
        rules=msgspec.to_builtins(room.table.rules),
        is_public=room.meta.public,
        started_at=_time(commits[0].at),
        ended_at=_time(commits[-1].at),
        hands=_hands(events, write),
        log_format=LOG_FORMAT,
        log=zlib.compress(encode(tuple(commits))),
    )
    try:
        with transaction.atomic():
            if Game.objects.filter(pk=room.table_id).exists():
                return False
            seats = [_seat_row(game, room, seat) for seat in range(4)]
            game_described(game, room.table.rules, seats, is_whole=_is_whole(room, commits))
            seats_counted(seats, events)
            game.save(force_insert=True)
            GameSeat.objects.bulk_create(seats)
            game_entered(game, seats)
    except IntegrityError:
        if Game.objects.filter(pk=room.table_id).exists():  # somebody was faster
            return False
        raise
    return True


def games_counted(games: Iterable[Game]) -> None:
    """Count what the seats of these games did, if they were archived before that was done."""
    for game in games:
        events = [event for commit in game_commits(game) for event in commit.events]
        seats = list(game.seats.order_by("seat"))
        seats_counted(seats, events)
        game.preset = preset_of(msgspec.convert(game.rules, RuleSet))
        with transaction.atomic():
            game.save(update_fields=["preset"])
            for seat in seats:
                seat.save()


def game_commits(game: Game) -> tuple[Commit, ...]:
    """The commits of an archived game."""
    if game.log_format != LOG_FORMAT:
        raise ValueError(f"game {game.pk}: the log has unknown format {game.log_format}")
    return decode_commits(zlib.decompress(game.log))


def _is_whole(room: Room, commits: Sequence[Commit]) -> bool:
    """Played to the end that the rules set, each seat by whoever began it or for them, and no
    hand was shown open before the game was over."""
    began = [event.names for event in commits[0].events if isinstance(event, GameStarted)]
    names = tuple(seat.name for seat in room.meta.seats)
    people = {tuple(seat.person for seat in room.meta.seats)}
    people |= {tuple(seat.person for seat in commit.seats) for commit in commits if commit.seats}
    has_been_ended = any(
        isinstance(command, EndGame) for commit in commits for command in commit.commands
    )
    has_open_hands = room.meta.watch == "open_delayed" and room.meta.opens_after == "hand"
    is_as_begun = began == [names] and len(people) == 1
    return is_as_begun and not has_been_ended and not has_open_hands


def _seat_row(game: Game, room: Room, seat: int) -> GameSeat:
    meta, table = room.meta.seats[seat], room.table
    place, points = table.placement[seat]
    return GameSeat(
        game=game,
        seat=seat,
        person_id=UUID(meta.person) if meta.person else None,
        name=meta.name,
        bot="" if meta.person else meta.bot,
        score=table.scores[seat],
        place=place,
        points=Decimal(str(points)),
    )


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
