"""Exports the records of many games: those of a person, or all of the site, as one zip file.

The file is written as a stream, so that its size does not matter. `index.csv`, which comes last,
has a line for each game with its result and its files, or the reason why it has none.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, Final, cast
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Q, QuerySet

from game.archive.archive import NoLog, read_events
from game.models import Game
from game.records.formats import FORMATS
from game.records.own import FormatCannotExpress
from game.results.game_text import player_name
from game.results.history import game_record

INDEX: Final = "index.csv"
_GAMES_PER_BATCH: Final = 200
_SPOOL_BYTES: Final = 8 * 2**20
_SEAT_COLUMNS: Final = ("name", "person", "bot", "place", "score", "points")
_COLUMNS: Final = (
    *("game", "started_at", "ended_at", "preset", "length", "ladder", "is_public", "is_broken_off"),
    *(f"{column}_{seat}" for seat in range(1, 5) for column in _SEAT_COLUMNS),
    *("files", "no_record"),
)

ShowProgress = Callable[[int], None]
"""A function that gets the number of games written so far."""


def games_to_export(
    *, person: UUID | None = None, since: datetime | None = None, until: datetime | None = None
) -> QuerySet[Game]:
    """Return the games to export, the first ended first: all of the site, or those in which
    `person` has had a seat. Private games are included. Ends from `since` on and before `until`."""
    games = Game.objects.order_by("ended_at", "pk")
    if person is not None:
        games = games.filter(players__person_id=person)
    if since is not None:
        games = games.filter(ended_at__gte=since)
    if until is not None:
        games = games.filter(ended_at__lt=until)
    return games


def export_games(
    games: QuerySet[Game], out: IO[bytes], formats: Sequence[str], show: ShowProgress
) -> tuple[int, int]:
    """Write a zip file with the records of these games in each of the formats to `out`. Return the
    number of games and of record files."""
    done = files = 0
    for part in archive_parts(games, formats):
        out.write(part.data)
        if part.is_game:
            done, files = done + 1, files + part.files
            show(done)
    return done, files


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """The next bytes of the zip file: after each game, and at the end."""

    data: bytes
    is_game: bool = False
    files: int = 0
    """Records of the game."""


def archive_parts(games: QuerySet[Game], formats: Sequence[str]) -> Iterator[ArchivePart]:
    """Yield the zip file of these games' records in parts, game by game. The database connection
    may be closed between two parts."""
    out = _Buffer()
    with (
        ZipFile(cast("IO[bytes]", out), "w", ZIP_DEFLATED) as archive,
        tempfile.SpooledTemporaryFile(_SPOOL_BYTES) as spooled,
    ):
        text = io.TextIOWrapper(spooled, "utf-8", newline="", write_through=True)
        index = csv.DictWriter(text, _COLUMNS)
        index.writeheader()
        for game in _games_in_order(games):
            paths, reason = _write_records(archive, game, formats)
            index.writerow(_index_row(game, paths, reason))
            yield ArchivePart(out.take(), is_game=True, files=len(paths))
        text.flush()
        spooled.seek(0)
        with archive.open(INDEX, "w") as entry:
            while part := spooled.read(_SPOOL_BYTES):
                entry.write(part)
        text.detach()
    yield ArchivePart(out.take())


class _Buffer:
    """Collects the bytes that ZipFile writes until `take` returns them."""

    def __init__(self) -> None:
        self._parts = list[bytes]()

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: the bytes are in memory."""

    def take(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def _games_in_order(games: QuerySet[Game]) -> Iterator[Game]:
    """Yield the games in the order of their end; the database is read in batches."""
    query = games.order_by("ended_at", "pk").prefetch_related("seats").defer("hands")
    batch = list(query[:_GAMES_PER_BATCH])
    while batch:
        yield from batch
        last = batch[-1]
        later = Q(ended_at__gt=last.ended_at) | Q(ended_at=last.ended_at, pk__gt=last.pk)
        batch = list(query.filter(later)[:_GAMES_PER_BATCH])


def _write_records(archive: ZipFile, game: Game, formats: Iterable[str]) -> tuple[list[str], str]:
    """Add the records of a game to the zip file. Return their paths, and why formats are missing;
    '' if none is."""
    paths, reason = [], ""
    seats = sorted(game.seats.all(), key=lambda seat: seat.seat)
    try:
        record = game_record(game, read_events(game), [player_name(seat.name) for seat in seats])
    except (FormatCannotExpress, NoLog) as error:
        return [], str(error)
    for kind in formats:
        path = f"{game.ended_at:%Y/%m}/{game.pk}.{FORMATS[kind].suffix}"
        try:
            archive.writestr(path, FORMATS[kind].write(record))
        except FormatCannotExpress as error:
            reason = f"{kind}: {error}"
        else:
            paths.append(path)
    return paths, reason


def _index_row(game: Game, paths: Sequence[str], reason: str) -> dict[str, Any]:
    row = {
        "game": game.pk,
        "started_at": game.started_at.isoformat(),
        "ended_at": game.ended_at.isoformat(),
        "preset": game.preset,
        "length": game.rules.get("length", ""),
        "ladder": game.ladder,
        "is_public": int(game.is_public),
        "is_broken_off": int(game.is_broken_off),
        "files": " ".join(paths),
        "no_record": reason,
    }
    for seat in game.seats.all():
        values = (seat.name, seat.person_id or "", seat.bot, seat.place, seat.score, seat.points)
        for column, value in zip(_SEAT_COLUMNS, values, strict=True):
            row[f"{column}_{seat.seat + 1}"] = value
    return row
