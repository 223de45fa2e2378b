"""Writes each finished game to the database once, ends its table, and later removes its log.

The row's primary key is the table's id, and everything is written in one transaction. The table
ends after that. If the worker dies in between, the table is still due, and the next worker finds
the row. The same transaction enters the game into the results of its players.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from game.archive import game_log
from game.archive.game_log import LogEntry, decode_log, encode_log, entries_of
from game.archive.hand_schedule import schedule_of
from game.archive.seat_history import Sitting, find_people, opening_seats, remove_names, sittings
from game.engine.by_seat import BySeat
from game.engine.commands import Command, EndGame, RestoreGame
from game.engine.events import Event, HandDrawn, HandStarted, Won
from game.engine.rules import RuleSet
from game.engine.tiles import EAST, kind_of
from game.models import Game, GameLog, GamePlayer, GameSeat
from game.results.ladders import preset_of
from game.results.ratings import queue_for_rating
from game.results.recording import lock_people, record_players
from game.results.totals import read_contributions, update_totals
from game.tables.codec import decode_commit
from game.tables.database import note_write_success, reaching_database
from game.tables.room import Commit, Room, SeatMeta, TableId
from game.tables.service import Service

log = logging.getLogger(__name__)

KEPT_AFTER_END_S: Final = 600
"""How long a finished table can still be opened. If spectators see hands after their end, this time
begins when the last hand has been shown."""
REVISION: Final = 3
"""The version of the figures that are computed from a log. With a higher one the worker reads every
archived game again."""
_REREAD_EVERY_S: Final = 10.0
_REREAD_BATCH: Final = 20

EncodeEvent = Callable[[Event], dict[str, Any]]


class Archive:
    """Writes finished games to the database. `write` encodes the events that end hands, as frames
    do."""

    def __init__(self, write: EncodeEvent) -> None:
        self._write = write

    async def archive_game(self, service: Service, table_id: TableId) -> None:
        """Write the finished game of that table to the database, and end the table. Not written are
        guided hands and tables that are not kept (`TableSettings.is_archived`).

        Raises TablesUnavailable if Redis or the database cannot be used.
        """
        room = await service.read_room(table_id)
        if room.meta.guided or not room.meta.settings.is_archived:
            await service.store.end_table(table_id, keep_s=KEPT_AFTER_END_S)
            return
        rows = await service.store.read_entries(table_id, 1)
        commits = tuple(decode_commit(data) for _, data in rows)
        with reaching_database():
            await database_sync_to_async(self.save_game)(room, commits)
        note_write_success()
        keep_s = KEPT_AFTER_END_S
        if room.meta.settings.is_shown_delayed:
            shown_at = schedule_of(room.meta, commits).ends_at()
            keep_s += max(0, shown_at - service.now_ms()) // 1000
        await service.store.end_table(table_id, keep_s=keep_s)

    def save_game(self, room: Room, commits: Sequence[Commit]) -> bool:
        """Write the game if the database does not have it yet. Return True if it was written
        now."""
        last = room.meta.seats
        is_rated = bool(room.meta.ladder) and not _has_command(commits, (EndGame, RestoreGame))
        game = Game(
            table_id=room.table_id,
            rules=msgspec.to_builtins(room.table.rules),
            is_public=room.meta.settings.public,
            started_at=_datetime_of(commits[0].at),
            ended_at=_datetime_of(commits[-1].at),
            hands=_encode_hands(
                [event for commit in commits for event in commit.events], self._write
            ),
            preset=preset_of(room.table.rules),
            ladder=room.meta.ladder if is_rated else "",
            is_broken_off=_has_command(commits, EndGame),
            revision=REVISION,
        )
        entries = entries_of(commits)
        try:
            with transaction.atomic():
                if Game.objects.filter(pk=room.table_id).exists():
                    return False
                forgotten = lock_people(find_people(entries, last))
                game.save(force_insert=True)
                _save_log(game, remove_names(entries, last, forgotten) if forgotten else entries)
                rated = [bool(game.ladder) and seat_is_rated for seat_is_rated in room.meta.rated]
                present = self._record_players(game, entries, last, forgotten, rated)
                opening = opening_seats(entries, last)
                GameSeat.objects.bulk_create(
                    [
                        _seat_row(game, room, seat, began, present[seat], forgotten)
                        for seat, began in enumerate(opening)
                    ]
                )
                queue_for_rating(game)
                update_totals(game, ())
        except IntegrityError:
            if Game.objects.filter(pk=room.table_id).exists():  # somebody was faster
                return False
            raise
        return True

    async def reread_old_games(self) -> float | None:
        """Recompute a batch of games with an older `revision`. Return None if more may be left,
        otherwise the seconds to wait."""
        ids = Game.objects.filter(revision__lt=REVISION).order_by("pk").values_list("pk", flat=True)
        found = [table_id async for table_id in ids[:_REREAD_BATCH]]
        for table_id in found:
            await database_sync_to_async(self._reread_game)(table_id)
        return None if found else _REREAD_EVERY_S

    def _reread_game(self, table_id: str) -> None:
        """Recompute what is derived from the log of an archived game: the figures, and which of the
        players who began were absent at the end. Remove the names of deleted accounts from the log.
        Ratings stay.

        A log that cannot be read stays as it is. A game without a log counts with its results only.
        """
        with transaction.atomic():
            games = Game.objects.select_for_update().filter(pk=table_id, revision__lt=REVISION)
            if (game := games.first()) is None:
                return
            counted = read_contributions(game)
            try:
                entries = read_log(game)
            except NoLog:
                _keep_results_only(game)
            except Exception:
                log.exception("game %s cannot be read", table_id)
                _keep_results_only(game)
            else:
                self._update_game(game, entries)
            update_totals(game, counted)
            game.revision = REVISION
            game.save(update_fields=["preset", "revision"])

    def _update_game(self, game: Game, entries: Sequence[LogEntry]) -> None:
        rows = list(game.seats.order_by("seat"))
        last = _final_seats(rows)
        forgotten = lock_people(find_people(entries, last))
        if forgotten:
            _save_log(game, remove_names(entries, last, forgotten))
        game.preset = preset_of(msgspec.convert(game.rules, RuleSet))
        rated = [row.is_rated for row in rows]
        present = self._record_players(game, entries, last, forgotten, rated)
        for row, began in zip(rows, opening_seats(entries, last), strict=True):
            _set_player(row, began, present[row.seat], forgotten)
            for name, value in _copied_columns(game).items():
                setattr(row, name, value)
            row.save()

    def _record_players(
        self,
        game: Game,
        entries: Sequence[LogEntry],
        last: BySeat[SeatMeta],
        forgotten: frozenset[str],
        rated_seats: Sequence[bool],
    ) -> Sequence[str]:
        """Write a row for everybody who has had a seat. Return for each seat the id of the person
        who was present at the end; '' for nobody."""
        opening = opening_seats(entries, last)
        began = {seat.person for seat in opening}
        rated = {
            seat.person for seat, is_rated in zip(opening, rated_seats, strict=True) if is_rated
        }
        players = [
            GamePlayer(
                game=game,
                person_id=UUID(person),
                seat=seat,
                name="" if person in forgotten else name,
                has_result=person in began,
                is_rated=person in rated,
                length=str(game.rules.get("length", "")),
                **_copied_columns(game),
            )
            for person, (seat, name) in find_people(entries, last).items()
        ]
        return record_players(game, players, sittings(entries, last))


class NoLog(LookupError):
    """The log of the game has been deleted."""


def read_events(game: Game) -> list[Event]:
    """Return the events of an archived game, in their order. Raises NoLog."""
    return [event for entry in read_log(game) for event in entry.events]


def read_sittings(game: Game) -> list[Sitting]:
    """Return the events of an archived game with the people at its seats. Raises NoLog."""
    return list(sittings(read_log(game), _final_seats(list(game.seats.order_by("seat")))))


def read_log(game: Game) -> tuple[LogEntry, ...]:
    """Read the log of an archived game from the database. Raises NoLog."""
    if (row := GameLog.objects.filter(game=game).first()) is None:
        raise NoLog(f"the log of game {game.pk} is not kept any more")
    if row.format != game_log.FORMAT:
        raise ValueError(f"game {game.pk}: the log has unknown format {row.format}")
    return decode_log(row.data)


def _keep_results_only(game: Game) -> None:
    """Mark a game without a log as one that counts with its results only. Figures that were counted
    before stay."""
    parts = GamePlayer.objects.filter(game=game, figures=None)
    is_rated = Exists(
        GameSeat.objects.filter(game=game, person_id=OuterRef("person_id"), is_rated=True)
    )
    length = str(game.rules.get("length", ""))
    parts.update(figures=b"", length=length, is_rated=is_rated, ended_at=game.ended_at)


def _save_log(game: Game, entries: Sequence[LogEntry]) -> None:
    row = {"format": game_log.FORMAT, "data": encode_log(entries), "ended_at": game.ended_at}
    # By the key: with the object, the game and its log would refer to each other and stay in memory
    # until the next garbage collection, some hundred games later.
    GameLog.objects.update_or_create(game_id=game.pk, defaults=row)


def _copied_columns(game: Game) -> dict[str, Any]:
    """Return the columns of the game that the rows of its players repeat."""
    names = ("ended_at", "is_public", "is_broken_off", "preset", "seat_count")
    return {name: getattr(game, name) for name in names}


def _has_command(
    commits: Sequence[Commit], kinds: type[Command] | tuple[type[Command], ...]
) -> bool:
    """Return whether the log has a command of one of these kinds. `EndGame` means that the game was
    ended early; `RestoreGame` that it was restored from a backup, so that players may know hidden
    tiles."""
    return any(isinstance(command, kinds) for commit in commits for command in commit.commands)


def _final_seats(rows: Sequence[GameSeat]) -> BySeat[SeatMeta]:
    """Rebuild the seats at the end of an archived game from its rows, for logs that lack them."""
    return tuple(SeatMeta(row.name, str(row.person_id or ""), row.bot) for row in rows)


def _seat_row(
    game: Game, room: Room, seat: int, began: SeatMeta, present: str, forgotten: frozenset[str]
) -> GameSeat:
    place, points = room.table.placement[seat]
    row = GameSeat(
        game=game,
        seat=seat,
        score=room.table.scores[seat],
        place=place,
        points=Decimal(str(points)),
        is_rated=bool(game.ladder) and room.meta.rated[seat],
        **_copied_columns(game),
    )
    _set_player(row, began, present, forgotten)
    return row


def _set_player(row: GameSeat, began: SeatMeta, present: str, forgotten: frozenset[str]) -> None:
    """Set who began at that seat, and whether they were absent at the end."""
    row.person_id = UUID(began.person) if began.person else None
    row.name = "" if began.person in forgotten else began.name
    row.bot = "" if began.person else row.bot or began.bot
    row.is_absent = bool(began.person) and began.person != present


def _encode_hands(events: Sequence[Event], write: EncodeEvent) -> list[dict[str, Any]]:
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


def _datetime_of(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


_REMOVAL_BATCH: Final = 500
_REMOVAL_EVERY_S: Final = 3_600.0


async def remove_old_logs() -> float | None:
    """Remove a batch of logs older than RECORDS_KEPT_DAYS. Return None if more may be left,
    otherwise the seconds to wait."""
    if not settings.RECORDS_KEPT_DAYS:
        return _REMOVAL_EVERY_S
    removed = await database_sync_to_async(_remove_batch)(settings.RECORDS_KEPT_DAYS)
    if removed:
        log.info("removed the logs of %d games", removed)
    return None if removed == _REMOVAL_BATCH else _REMOVAL_EVERY_S


def _remove_batch(days: int) -> int:
    old = GameLog.objects.filter(ended_at__lt=timezone.now() - timedelta(days=days))
    keys = list(old.order_by("ended_at").values_list("pk", flat=True)[:_REMOVAL_BATCH])
    return GameLog.objects.filter(pk__in=keys).delete()[0]
