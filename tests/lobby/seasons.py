"""Creates leagues, their members and finished games for tests of the lobby."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import preset
from game.models import Game, GameSeat
from lobby.events import fixtures
from lobby.events.registration import make_event
from lobby.models import Club, ClubGame, Event, Person
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import room_at

AUTUMN = "/clubs/thursday/events/autumn/"
LIST = f"{AUTUMN}fixtures/"
POINTS = [Decimal("45.5"), Decimal("5"), Decimal("-15.5"), Decimal("-35")]


async def new_league(club: Club, rules: str = "ema-2025", **terms: Any) -> Event:
    today = timezone.now().date()
    usual = {
        "slug": "autumn",
        "name": "Autumn League",
        "starts_on": today - timedelta(days=10),
        "ends_on": today + timedelta(days=10),
        "format": Event.OPEN_FORMAT,
        "registration": Event.MEMBERS,
    }
    event: Event = await database_sync_to_async(make_event)(
        club, preset(rules), "15+30", **{**usual, **terms}
    )
    return event


async def four_members(club: Club, owner: AsyncClient) -> list[AsyncClient]:
    browsers = [owner]
    for name in ("Ben", "Cleo", "Dora"):
        client, person = await account(name)
        await enrol(club, person)
        browsers.append(client)
    return browsers


async def finished_game(league: Event, number: int, people: list[Person]) -> None:
    """Store a game of the league. These people take the places from the first on; bots take the
    others."""
    ended = timezone.now() - timedelta(days=9) + timedelta(minutes=number)
    table_id = f"game-{number}"
    await ClubGame.objects.acreate(table_id=table_id, club_id=league.club_id, event=league)
    await finish(table_id, people, ended=ended)


async def finish(
    table_id: str,
    people: list[Person],
    *,
    is_broken_off: bool = False,
    ended: datetime | None = None,
) -> None:
    """Store the results of that game, which ends now unless another time is given."""
    ended = ended or timezone.now()
    game = await Game.objects.acreate(
        table_id=table_id,
        rules={},
        started_at=ended,
        ended_at=ended,
        is_broken_off=is_broken_off,
    )
    for seat in range(4):
        person = people[seat] if seat < len(people) else None
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=person.pk if person else None,
            name=person.name if person else f"b{seat}",
            bot="" if person else "sensible",
            score=30_000,
            place=seat + 1,
            points=POINTS[seat],
            is_broken_off=is_broken_off,
        )


async def league_of_four(**terms: Any) -> tuple[Event, list[AsyncClient], list[Person]]:
    """Create a league of Anna, who owns the club, Ben, Cleo and Dora, with one table on its
    list."""
    owner, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club, format=Event.LIST_FORMAT, **terms)
    browsers = await four_members(club, owner)
    people = [person async for person in Person.objects.order_by("name")]
    await database_sync_to_async(fixtures.make_list)(league, 1)
    return league, browsers, people


async def begin(browsers: list[AsyncClient]) -> str:
    """Let all four open the table; return the id of its game."""
    for browser in browsers:
        answer = await browser.post(f"{LIST}1/")
        assert answer.status_code == 302
    room = await room_at(answer.headers["Location"])
    return str(room.table_id)


async def count_rows(path: str = "games") -> int:
    data = (await AsyncClient().get(f"/api/1{AUTUMN}{path}/")).json()
    return int(data["count"])


async def states() -> list[str]:
    data = (await AsyncClient().get(f"/api/1{AUTUMN}fixtures/")).json()
    return [item["state"] for item in data["items"]]


async def league_club(league: Event) -> Club:
    return (await Event.objects.select_related("club").aget(pk=league.pk)).club
