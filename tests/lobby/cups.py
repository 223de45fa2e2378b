"""Creates tournaments and finishes their rounds for tests of the lobby."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone
from msgspec.structs import replace

from game.engine.presets import preset
from game.models import Game, GameSeat
from game.tables.room import Room
from lobby.events.registration import make_event
from lobby.models import Club, Event, EventPlayer, EventTable, Person
from lobby.play.backend import current_backend

POINTS = [Decimal("45.5"), Decimal("5"), Decimal("-15.5"), Decimal("-35")]
PATH = "/clubs/thursday/events/cup/"


async def new_cup(club: Club, entrants: int, rules: str = "ema-2025", **terms: Any) -> Event:
    """Create a tournament with that many entrants."""
    usual = {"slug": "cup", "name": "Autumn Cup", "rounds": 3, "method": "balanced"}
    usual["format"] = Event.ROUNDS
    cup: Event = await database_sync_to_async(make_event)(
        club, preset(rules), "15+30", **{**usual, **terms}
    )
    for number in range(entrants):
        person = await Person.objects.acreate(name=f"Player {number:02}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    return cup


async def tables_of(cup: Event, number: int) -> list[EventTable]:
    return [row async for row in EventTable.objects.filter(event=cup, round=number)]


async def finish_round(cup: Event, number: int) -> None:
    """End every table of the round; the places follow the order of the seats."""
    people = {
        entrant.number: entrant.person
        async for entrant in EventPlayer.objects.filter(event=cup).select_related("person")
    }
    now = timezone.now()
    for row in await tables_of(cup, number):
        game = await Game.objects.acreate(
            table_id=row.table_id, rules={}, started_at=now, ended_at=now
        )
        for seat, entrant in enumerate(row.seats):
            person = people.get(entrant)
            await GameSeat.objects.acreate(
                game=game,
                seat=seat,
                person_id=person.pk if person else None,
                name=person.name if person else "bot",
                bot="" if person else "sensible",
                score=30_000,
                place=seat + 1,
                points=POINTS[seat],
            )


async def rooms_of(rows: list[EventTable]) -> list[Any]:
    backend = await current_backend()
    return [await backend.tables.room(row.table_id) for row in rows]


async def let_points_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages and the interface find each running table as after a win of 1,000 points."""
    tables = (await current_backend()).tables
    read = tables.room

    async def room_after_a_win(table_id: str) -> Room | None:
        room = await read(table_id)
        if room is None:
            return None
        first, second, *others = room.table.scores
        scores = (first + 1_000, second - 1_000, *others)
        return replace(room, table=replace(room.table, scores=scores))

    monkeypatch.setattr(tables, "room", room_after_a_win)
