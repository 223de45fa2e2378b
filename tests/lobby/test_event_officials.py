"""Private games of an event are shown to its players and its officials, and to nobody else."""

from __future__ import annotations

from typing import Final

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from game.models import Game
from lobby.events.registration import make_event
from lobby.models import Club, ClubGame, Event, EventTable, Membership, Person
from tests.lobby.club_people import account, enrol, new_club
from tests.web.archived_games import archive, whole_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

PAGES: Final = ("", "replay/", "replay.json", "review.json", "mjlog/")


async def statuses(client: AsyncClient, game: str) -> set[int]:
    return {(await client.get(f"/game/{game}/{page}")).status_code for page in PAGES}


async def private_game(name: str, player: Person) -> None:
    await sync_to_async(archive)(name, whole_game(), public=False, people={0: str(player.pk)})


async def people_of(club: Club) -> dict[str, AsyncClient]:
    """Return the browsers of everybody but the owner and the player, by kind."""
    organiser, one = await account("Ora")
    member, two = await account("Mem")
    moderator, _ = await account("Mod", is_staff=True)
    stranger, three = await account("Str")
    await enrol(club, one, Membership.ORGANISER)
    await enrol(club, two)
    await enrol(await new_club(three, "friday"), one)
    return {
        "organiser": organiser,
        "member": member,
        "moderator": moderator,
        "organiser of another club": stranger,
        "anonymous": AsyncClient(),
    }


@pytest.mark.parametrize("kind", ["league", "tournament"])
async def test_officials_see_private_games_of_their_event(kind: str) -> None:
    owner, person = await account("Owen")
    playing, player = await account("Pia")
    club = await new_club(person)
    people = await people_of(club) | {"owner": owner, "player": playing}
    await private_game("in-event", player)
    league = await new_league(club) if kind == "league" else None
    await ClubGame.objects.acreate(table_id="in-event", club=club, event=league)
    if kind == "tournament":
        await round_table(club, "in-event")
    seen = {name: await statuses(client, "in-event") for name, client in people.items()}
    allowed = {"organiser", "owner", "player"}
    assert {name for name, found in seen.items() if found == {200}} == allowed
    assert {name for name, found in seen.items() if found == {404}} == people.keys() - allowed


async def test_officers_do_not_see_private_games_outside_events() -> None:
    owner, person = await account("Owen")
    _, player = await account("Pia")
    club = await new_club(person)
    await private_game("casual", player)
    await ClubGame.objects.acreate(table_id="casual", club=club)
    assert await statuses(owner, "casual") == {404}
    assert await Game.objects.filter(pk="casual").aexists()


async def new_league(club: Club) -> Event:
    today = timezone.now().date()
    season = {"starts_on": today, "ends_on": today, "format": "open", "registration": "members"}
    return await database_sync_to_async(make_event)(
        club, PRESETS["tenhou"], "15+30", slug="cup", name="Cup", **season
    )


async def round_table(club: Club, table_id: str) -> None:
    cup = await database_sync_to_async(make_event)(
        club,
        PRESETS["tenhou"],
        "15+30",
        slug="cup",
        name="Cup",
        format="rounds",
        rounds=1,
        method="random",
        fill="bots",
    )
    await ClubGame.objects.filter(pk=table_id).aupdate(event=cup)
    await EventTable.objects.acreate(
        event=cup, round=1, number=1, table_id=table_id, seats=[1, 2, 3, 4]
    )
