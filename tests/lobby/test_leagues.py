"""Leagues of clubs: who plays, which games count, and the files of a season."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.models import Game, GameSeat, Player
from lobby.accounts import rate_limits
from lobby.events import results
from lobby.events.registration import events_of
from lobby.models import Club, ClubGame, Event, Person
from lobby.play import pregame_services
from lobby.play.backend import current_backend
from lobby.play.club_tables import season_of
from lobby.play.pregame import PregameRefusal
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import new_cup
from tests.lobby.pages import invite_link, press, room_at, text_of
from tests.lobby.seasons import finished_game, four_members, new_league

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def make_table(client: AsyncClient, club: Club) -> str:
    answer = await client.post(f"/clubs/{club.slug}/events/autumn/table/")
    assert answer.status_code == 302
    return answer.headers["Location"]


async def test_officer_makes_and_changes_a_league() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {
        "name": "Autumn League",
        "slug": "autumn",
        "rules": "wrc-2025",
        "starts_on": "2026-09-01",
        "ends_on": "2026-11-30",
        "time_zone": "Asia/Tokyo",
        "ranking": "places",
        "min_games": "2",
        "max_games": "20",
        "best_games": "10",
        "is_public": "on",
    }
    answer = await officer.post(f"/clubs/{club.slug}/events/new/?format=open", form)
    assert answer.headers["Location"] == f"/clubs/{club.slug}/events/autumn/"
    league = await Event.objects.aget()
    assert (league.rules["name"], league.max_games, league.time_zone) == (
        "wrc-2025",
        20,
        "Asia/Tokyo",
    )
    answer = await officer.post(f"/clubs/{club.slug}/events/new/?format=open", form)
    assert "This address is taken." in text_of(answer)
    changed = {**form, "ends_on": "2026-08-01"}
    answer = await officer.post(f"/clubs/{club.slug}/events/autumn/edit/", changed)
    assert answer.status_code == 422
    changed = {**form, "name": "Late Autumn", "rules": "tenhou", "max_games": "0"}
    await officer.post(f"/clubs/{club.slug}/events/autumn/edit/", changed)
    league = await Event.objects.aget()
    assert (league.name, league.rules["name"], league.max_games) == ("Late Autumn", "wrc-2025", 0)
    page = text_of(await AsyncClient().get(f"/clubs/{club.slug}/events/"))
    assert "Late Autumn" in page
    sheet = await AsyncClient().get(f"/clubs/{club.slug}/events/autumn/rules/")
    assert "Late Autumn" in text_of(sheet)


@pytest.mark.parametrize(("rules", "players"), [("ema-2025", 4), ("tenhou-3", 3)])
async def test_members_play_whenever_they_meet(rules: str, players: int) -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    await new_league(club, rules)
    browsers = (await four_members(club, owner))[:players]
    address = await make_table(owner, club)
    page = text_of(await browsers[1].get(f"/clubs/{club.slug}/events/autumn/"))
    assert f'href="{address}"' in page
    for browser in browsers[1:]:
        await press(browser, address, "sit")
    for browser in browsers:
        table = await press(browser, address, "ready")
    room = await room_at(table)
    game = await ClubGame.objects.select_related("event").aget(pk=room.table_id)
    assert game.event is not None
    assert game.event.slug == "autumn"
    assert room.table.rules.name == rules
    assert len(room.meta.seats) == players
    assert (room.meta.clock.base_ms, room.meta.settings.help, room.meta.settings.may_join) == (
        15_000,
        False,
        False,
    )
    assert room.meta.settings.event == game.event.pk
    assert table in text_of(await AsyncClient().get(f"/clubs/{club.slug}/events/autumn/"))


async def test_only_members_sit_at_a_table_of_a_league() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    await new_league(club)
    address = await make_table(owner, club)
    link = await invite_link(owner, address)
    assert (await press(owner, address, "bot:1:sensible")).endswith("?no=taken")
    assert 'value="bot:' not in text_of(await owner.get(address))
    stranger, _ = await account("Ben")
    assert (await press(stranger, link, "sit")).endswith("?no=event")
    assert "You cannot play in this event now" in text_of(await stranger.get(f"{link}?no=event"))


@pytest.mark.parametrize(("first", "last"), [(1, 9), (-9, -1)])
async def test_nobody_plays_before_or_after_the_season(first: int, last: int) -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    today = timezone.now().date()
    await new_league(
        club, starts_on=today + timedelta(days=first), ends_on=today + timedelta(days=last)
    )
    answer = await owner.post(f"/clubs/{club.slug}/events/autumn/table/")
    assert answer.status_code == 404
    page = text_of(await owner.get(f"/clubs/{club.slug}/events/autumn/"))
    assert "Make a table of the event" not in page


def test_season_is_reckoned_in_the_time_zone_of_the_league() -> None:
    league = Event(time_zone="Asia/Tokyo", starts_on=date(2026, 9, 1), ends_on=date(2026, 9, 2))
    seasons = [
        season_of(league, datetime(2026, 8, 31, 14, 59, tzinfo=UTC)),
        season_of(league, datetime(2026, 8, 31, 15, 0, tzinfo=UTC)),
        season_of(league, datetime(2026, 9, 2, 14, 59, tzinfo=UTC)),
        season_of(league, datetime(2026, 9, 2, 15, 0, tzinfo=UTC)),
    ]
    assert seasons == ["before", "running", "running", "over"]


async def test_player_with_all_games_cannot_sit_down() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club, max_games=1)
    _, ben = await account("Ben")
    await enrol(club, ben)
    address = await make_table(owner, club)
    await finished_game(league, 1, [ben])
    backend = await current_backend()
    outcome = await pregame_services.sit_down(backend, address.split("/")[2], str(ben.pk), ben.name)
    assert outcome == PregameRefusal("event")


async def test_files_of_a_season_equal_a_recount_of_its_games() -> None:
    """Twelve players play forty games."""
    _, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club, min_games=8, max_games=14, best_games=10)
    people = [await Person.objects.acreate(name=f"Player {number:02}") for number in range(12)]
    for person in people:
        await Player.objects.acreate(person_id=person.pk, name=person.name)
    rng = Random(7)
    for number in range(40):
        await finished_game(league, number, rng.sample(people, 4))
    await Game.objects.filter(pk="game-5").aupdate(is_broken_off=True)
    await GameSeat.objects.filter(game="game-5").aupdate(is_broken_off=True)
    base = f"/clubs/{club.slug}/events/autumn/"
    data = (await AsyncClient().get(f"{base}standings.json")).json()
    assert data["version"] == 2
    assert len(data["games"]) == 39
    totals: dict[str, Decimal] = {}
    for person in people:
        own = [
            Decimal(result["points"])
            for game in data["games"]
            for result in game["results"]
            if result["player"] == str(person.pk)
        ]
        if len(own) >= 8:
            totals[person.name] = sum(sorted(own[:14])[-10:], Decimal(0))
    shown = {row["name"]: row for row in data["standings"]}
    for name, total in totals.items():
        assert Decimal(shown[name]["points"]) == total
        assert shown[name]["place"] == 1 + sum(other > total for other in totals.values())
    assert {name for name, row in shown.items() if row["place"] is None} == set(shown) - set(totals)
    for game in data["games"]:
        assert sum(Decimal(result["points"]) for result in game["results"]) == 0
    text = text_of(await AsyncClient().get(f"{base}standings.csv")).lstrip("\N{BOM}")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == [row["name"] for row in data["standings"]]
    assert [row["points"] for row in rows] == [row["points"] for row in data["standings"]]
    page = text_of(await AsyncClient().get(base))
    assert "After 39 finished games." in page


async def test_game_ending_during_the_reading_is_in_no_list_or_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club, min_games=1)
    people = [await Person.objects.acreate(name=f"Player {number}") for number in range(4)]
    for person in people:
        await Player.objects.acreate(person_id=person.pk, name=person.name)
    await finished_game(league, 0, people)
    ended = iter(range(1, 10))

    def penalties(event: Event) -> dict[str, Decimal]:
        async_to_sync(finished_game)(league, next(ended), people)
        return {}

    monkeypatch.setattr(results, "penalty_points_of", penalties)
    path = f"/clubs/{club.slug}/events/autumn/standings.json"
    data = (await AsyncClient().get(path)).json()
    assert {row["played"] for row in data["standings"]} == {len(data["games"])}


async def test_unchanged_file_is_not_sent_again() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club)
    for end in ("standings.json", "standings.csv"):
        address = f"/clubs/{club.slug}/events/autumn/{end}"
        tag = (await AsyncClient().get(address)).headers["ETag"]
        again = await AsyncClient().get(address, headers={"if-none-match": tag})
        assert again.status_code == 304
    await finished_game(league, 1, [anna])
    again = await AsyncClient().get(address, headers={"if-none-match": tag})
    assert again.status_code == 200


async def test_deleted_league_leaves_its_games_to_the_club() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club)
    await finished_game(league, 1, [anna])
    await owner.post(f"/clubs/{club.slug}/events/autumn/delete/", {"name": "Winter"})
    assert await Event.objects.acount() == 1
    await owner.post(f"/clubs/{club.slug}/events/autumn/delete/", {"name": "Autumn League"})
    assert await Event.objects.acount() == 0
    assert (await ClubGame.objects.aget()).club_id == club.pk


async def test_form_of_a_new_league_offers_every_member_first() -> None:
    officer, anna = await account("Anna")
    await new_club(anna)
    page = text_of(await officer.get("/clubs/thursday/events/new/?format=open"))
    choices = page[page.index('name="registration"') :]
    assert choices.index('value="members"') < choices.index('value="open"')


async def test_events_without_days_come_before_the_latest() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    today = timezone.now().date()
    for slug, days in (("old", 20), ("new", 10)):
        await new_league(club, slug=slug, starts_on=today - timedelta(days=days))
    await new_cup(club, 4)
    assert [event.slug for event in await database_sync_to_async(events_of)(club)] == [
        "cup",
        "new",
        "old",
    ]
