"""Exports what is stored about one person: games, ratings, chat, reports and sanctions.

Games include their results. Records of games are separate files; the export has their addresses.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from django.urls import reverse
from django.utils import timezone

from game.live.chat_store import CIRCLES, KEPT_S, lines_after
from game.live.process import current
from game.models import GamePlayer, Rating, Report, Sanction
from game.records.formats import FORMATS
from game.results.counts import Counts
from game.tables.room import TableId

Data = dict[str, Any]


async def collect_personal_data(person: str) -> Data:
    """Return everything stored about that person, ready for JSON; times are in ISO 8601.

    Raises TablesUnavailable."""
    stored = await database_sync_to_async(_database_rows)(UUID(person))
    return {**stored, "talk": await _chat(person)}


async def _chat(person: str) -> list[Data]:
    """Return the person's chat lines at tables that are still in Redis."""
    process = await current()
    tables = set(await process.service.store.running())
    tables.update(await database_sync_to_async(_recent_tables)(UUID(person)))
    own = [
        (one.line.at, table_id, one)
        for table_id in tables
        for circle in CIRCLES
        for one in await lines_after(process.redis, table_id, circle, "")
        if one.line.person == person
    ]
    return [
        {
            "said_at": datetime.fromtimestamp(at / 1000, UTC).isoformat(),
            "table": table_id,
            "to": one.circle,
            "text": one.line.text or one.line.phrase,
        }
        for at, table_id, one in sorted(own, key=lambda row: row[:2])
    ]


def _recent_tables(person: UUID) -> list[TableId]:
    """Return finished tables whose chat may still be in Redis."""
    since = timezone.now() - timedelta(seconds=KEPT_S)
    parts = GamePlayer.objects.filter(person_id=person, game__ended_at__gt=since)
    return [TableId(table_id) for table_id in parts.values_list("game_id", flat=True)]


def _database_rows(person: UUID) -> Data:
    parts = GamePlayer.objects.filter(person_id=person).order_by("game__ended_at", "game_id")
    parts = parts.select_related("game").defer("game__log").prefetch_related("game__seats")
    return {
        "games": [_game(part) for part in parts],
        "ratings": list(
            Rating.objects.filter(player_id=person)
            .order_by("ladder_id")
            .values("ladder_id", "shown", "mu", "sigma", "games")
        ),
        "reports_of_what_you_said": [
            {"made_at": one.made_at.isoformat(), "table": one.table_id, "text": one.text}
            for one in Report.objects.filter(person_id=person).order_by("made_at")
        ],
        "reports_by_you": [
            {
                "made_at": one.made_at.isoformat(),
                "table": one.table_id,
                "name": one.name,
                "text": one.text,
            }
            for one in Report.objects.filter(reporter_id=person).order_by("made_at")
        ],
        "mutes_and_bans": [
            {
                "kind": one.kind,
                "made_at": one.made_at.isoformat(),
                "until": one.until.isoformat(),
                "why": one.why,
            }
            for one in Sanction.objects.filter(person_id=person).order_by("made_at")
        ],
    }


def _game(own: GamePlayer) -> Data:
    game = own.game
    counts = {name: getattr(own, name) for name in Counts.__struct_fields__}
    return {
        "table": game.pk,
        "started_at": game.started_at.isoformat(),
        "ended_at": game.ended_at.isoformat(),
        "is_public": game.is_public,
        "preset": game.preset,
        "ladder": game.ladder,
        "rules": game.rules,
        "is_broken_off": game.is_broken_off,
        "your_seat": own.seat,
        "you_began": own.has_result,
        "you_did": counts,
        "seats": [
            {
                "seat": seat.seat,
                "name": seat.name,
                "bot": seat.bot,
                "place": seat.place,
                "score": seat.score,
                "points": str(seat.points),
            }
            for seat in sorted(game.seats.all(), key=lambda seat: seat.seat)
        ],
        "hands": game.hands,
        "records": [reverse("game:record", args=[game.pk, kind]) for kind in FORMATS],
    }
