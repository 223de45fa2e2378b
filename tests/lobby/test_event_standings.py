"""The page of an event's standings shows finished and provisional results, points by round, and who
met whom."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.events import event_data, offline
from lobby.events.offline import OfflineResult
from lobby.events.registration import make_event
from lobby.models import EventPlayer, Person
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import let_points_move
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

RULES = PRESETS["ema-2025"]
CUP = "/clubs/thursday/events/cup/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_page_has_rounds_and_meetings() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    today = timezone.now()
    league = await database_sync_to_async(make_event)(
        club,
        RULES,
        "15+30",
        slug="autumn",
        name="Autumn League",
        starts_on=today.date(),
        ends_on=today.date(),
        format="open",
        registration="members",
    )
    address = "/clubs/thursday/events/autumn/standings/"
    assert "No game is finished yet." in text_of(await AsyncClient().get(address))
    people = [await Person.objects.acreate(name=f"Player {at}") for at in range(5)]
    for person in people:
        await enrol(club, person)
    for day, left_out in enumerate((4, 3)):
        one, two, three, four = (p.pk for at, p in enumerate(people) if at != left_out)
        result = OfflineResult(
            players=(one, two, three, four),
            scores=(42_000, 31_000, 28_000, 19_000),
            sticks=0,
            played_at=today + timedelta(hours=day),
        )
        await database_sync_to_async(offline.enter_game)(league, result, by=anna)
    by_round = await database_sync_to_async(event_data.points_by_round)(league)
    assert by_round.columns == [1, 2]
    assert [str(points) for points in by_round.rows[str(people[0].pk)]] == ["27.0", "27.0"]
    assert [str(points) for points in by_round.rows[str(people[4].pk)]] == ["-26.0", "None"]
    met = await database_sync_to_async(event_data.meetings_of)(league)
    assert met[frozenset((str(people[0].pk), str(people[1].pk)))] == 2
    assert met[frozenset((str(people[3].pk), str(people[4].pk)))] == 0
    page = re.sub(r"\s+", " ", text_of(await AsyncClient().get(address)))
    assert "Equal players share a place." in page
    assert "+54.0" in page
    assert page.count("<polyline") == 8
    assert "As if the" not in page


async def test_game_without_a_round_has_a_column_behind_the_rounds() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    cup = await database_sync_to_async(make_event)(
        club,
        RULES,
        "15+30",
        slug="cup",
        name="Cup",
        format="rounds",
        rounds=2,
        method="random",
        fill="bots",
    )
    people = [await Person.objects.acreate(name=f"Player {at}") for at in range(4)]
    for person in people:
        await EventPlayer.objects.acreate(event=cup, person=person)
    first = timezone.now() - timedelta(hours=3)
    for hour, number in enumerate((1, None, 2)):
        result = OfflineResult(
            players=tuple(person.pk for person in people),
            scores=(42_000, 31_000, 28_000, 19_000),
            sticks=0,
            played_at=first + timedelta(hours=hour),
            round=number,
        )
        await database_sync_to_async(offline.enter_game)(cup, result, by=anna)
    by_round = await database_sync_to_async(event_data.points_by_round)(cup)
    assert by_round.columns == [1, 2, 3]
    assert [str(points) for points in by_round.rows[str(people[0].pk)]] == ["27.0"] * 3


async def test_running_games_are_listed_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await database_sync_to_async(make_event)(
        club,
        RULES,
        "15+30",
        slug="cup",
        name="Cup",
        format="rounds",
        rounds=1,
        method="random",
        fill="bots",
        ties="broken",
    )
    for at in range(4):
        person = await Person.objects.acreate(name=f"Player {at}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    await officer.post(f"{CUP}round/", {"round": "1"})
    page = text_of(await officer.get(f"{CUP}standings/"))
    assert "As if the" not in page, "no points have changed hands"
    await let_points_move(monkeypatch)
    page = text_of(await officer.get(f"{CUP}standings/"))
    assert "As if the 1 running game ended now." in page
    assert "After the finished games" not in page
    assert "Player 3" in page
