"""Exports all that is stored about one person: games, ratings, chat, reports and sanctions.

Games include their results. Records of games are separate files; the export has their addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from game.live.chat_store import CHAT_STREAMS, KEPT_S, lines_after, tables_with_lines_of
from game.live.process import current
from game.models import (
    GameLog,
    GamePlayer,
    ImportedRecord,
    PlayAccuracy,
    Rating,
    ReplayLink,
    Report,
    Sanction,
)
from game.moderation.blocks import blocked_by
from game.records.formats import FORMATS
from game.results.play_figures import decode_figures
from game.results.players import chosen_avatar, is_named_in_links
from game.tables.room import TableId

Data = dict[str, Any]

# The exported fields of each kind of row.
_GAME_COLUMNS: Final = (
    *("table_id", "started_at", "ended_at", "is_public", "preset", "ladder", "rules"),
    "is_broken_off",
)
_FIGURE_COLUMNS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)
_SEAT_COLUMNS: Final = ("seat", "name", "bot", "place", "score", "points")
_CHAT_REPORT_COLUMNS: Final = ("made_at", "table_id", "text")
_REPORT_COLUMNS: Final = (*_CHAT_REPORT_COLUMNS, "name", "reason")
_PLAYER_REPORT_COLUMNS: Final = ("made_at", "table_id", "reason")
"""The text of such a report is left out: only moderators may read it."""
_IMPORTED_GAME_COLUMNS: Final = ("key", "names", "format", "created_at")
_REPLAY_LINK_COLUMNS: Final = ("key", "game_id", "shows_name", "made_at")
_ACCURACY_COLUMNS: Final = ("game_id", "seat", "efficient", "efficient_of", "safe", "safe_of")
_SANCTION_COLUMNS: Final = ("kind", "made_at", "until", "why")


async def collect_personal_data(person: str) -> Data:
    """Return everything stored about that person, ready for JSON. Times are in ISO 8601.

    Raises TablesUnavailable.
    """
    stored = await database_sync_to_async(_database_rows)(UUID(person))
    return {**stored, "talk": await _collect_chat(person)}


async def _collect_chat(person: str) -> list[Data]:
    """Return the person's lines of chat that Redis still has."""
    process = await current()
    tables = set(await process.service.store.index.tables_of(person))
    tables.update(await tables_with_lines_of(process.redis, person))
    tables.update(await database_sync_to_async(_recent_tables)(UUID(person)))
    own = [
        (line.message.at, table_id, line)
        for table_id in tables
        for stream in CHAT_STREAMS
        for line in await lines_after(process.redis, table_id, stream, "")
        if line.message.person == person
    ]
    return [
        {
            "said_at": datetime.fromtimestamp(at / 1000, UTC).isoformat(),
            "table": table_id,
            "to": line.stream,
            "text": line.message.text or line.message.phrase,
        }
        for at, table_id, line in sorted(own, key=lambda row: row[:2])
    ]


def _recent_tables(person: UUID) -> list[TableId]:
    """Return the person's finished tables whose chat may still be in Redis."""
    since = timezone.now() - timedelta(seconds=KEPT_S)
    played = GamePlayer.objects.filter(person_id=person, game__ended_at__gt=since)
    return [TableId(table_id) for table_id in played.values_list("game_id", flat=True)]


def _database_rows(person: UUID) -> Data:
    played = GamePlayer.objects.filter(person_id=person).order_by("ended_at", "game_id")
    with_record = frozenset(
        GameLog.objects.filter(game__players__person_id=person).values_list("pk", flat=True)
    )
    played = played.select_related("game").prefetch_related("game__seats")
    return {
        "games": [_game_data(own, with_record) for own in played],
        "ratings": list(
            Rating.objects.filter(player_id=person)
            .order_by("ladder_id")
            .values("ladder_id", "shown", "mu", "sigma", "games")
        ),
        "accuracy": [
            row_data(accuracy, _ACCURACY_COLUMNS)
            for accuracy in PlayAccuracy.objects.filter(person_id=person).order_by(
                "ended_at", "game_id"
            )
        ],
        "reports_of_what_you_said": _rows_data(
            Report.objects.filter(person_id=person, reason=""), _CHAT_REPORT_COLUMNS
        ),
        "reports_of_how_you_played": _rows_data(
            Report.objects.filter(person_id=person).exclude(reason=""), _PLAYER_REPORT_COLUMNS
        ),
        "reports_by_you": _rows_data(Report.objects.filter(reporter_id=person), _REPORT_COLUMNS),
        "imported_games": _imported_games(person),
        "avatar": chosen_avatar(person),
        "named_in_links_of_others": is_named_in_links(person),
        "replay_links": _rows_data(
            ReplayLink.objects.filter(person_id=person), _REPLAY_LINK_COLUMNS
        ),
        "blocked_people": sorted(blocked_by(person)),
        "mutes_and_bans": _rows_data(Sanction.objects.filter(person_id=person), _SANCTION_COLUMNS),
    }


def _imported_games(person: UUID) -> list[Data]:
    """Return the games that the person has imported. Each is at `/replay/<key>/`."""
    rows = ImportedRecord.objects.filter(owner_id=person).order_by("created_at")
    return [row_data(record, _IMPORTED_GAME_COLUMNS) for record in rows.defer("game")]


def _rows_data(found: QuerySet[Any], names: Iterable[str]) -> list[Data]:
    """Return these attributes of each row, ready for JSON, the oldest row first."""
    return [row_data(row, names) for row in found.order_by("made_at")]


def row_data(row: object, names: Iterable[str]) -> Data:
    """Return these attributes of a row, ready for JSON. `table_id` is exported as `table`."""
    values = {name.removesuffix("_id"): getattr(row, name) for name in names}
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def _game_data(own: GamePlayer, with_record: frozenset[str]) -> Data:
    game = own.game
    figures = decode_figures(bytes(own.figures or b""))
    return {
        **row_data(game, _GAME_COLUMNS),
        "your_seat": own.seat,
        "you_began": own.has_result,
        "you_did": row_data(figures, _FIGURE_COLUMNS),
        "seats": [
            row_data(seat, _SEAT_COLUMNS)
            for seat in sorted(game.seats.all(), key=lambda seat: seat.seat)
        ],
        "hands": game.hands,
        "records": [
            reverse("game:record", args=[game.pk, kind])
            for kind in (FORMATS if game.pk in with_record else ())
        ],
    }
