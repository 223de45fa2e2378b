"""Registration for events: places, requests, lists, the waiting list, times and the calendar
file."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.clubs import members
from lobby.events import registration
from lobby.events.registration import make_event
from lobby.events.registration_views import CalendarEvent, write_calendar
from lobby.models import Applicant, Club, Event, EventPlayer, Person
from lobby.play.club_tables import may_play
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

CUP = "/clubs/thursday/events/cup/"
AUTUMN = "/clubs/thursday/events/autumn/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def new_cup(club: Club, **terms: Any) -> Event:
    usual: dict[str, Any] = {
        "slug": "cup",
        "name": "Autumn Cup",
        "rounds": 2,
        "method": "random",
        "fill": "bots",
    }
    usual["format"] = Event.ROUNDS
    return await database_sync_to_async(make_event)(
        club, PRESETS["tenhou"], "5+20", **{**usual, **terms}
    )


async def new_season(club: Club, **terms: Any) -> Event:
    today = timezone.now().date()
    usual = {
        "slug": "autumn",
        "name": "Autumn League",
        "starts_on": today - timedelta(days=3),
        "ends_on": today + timedelta(days=3),
        "format": "open",
        "registration": "members",
    }
    return await database_sync_to_async(make_event)(
        club, PRESETS["tenhou"], "5+20", **{**usual, **terms}
    )


async def club_of(*names: str) -> tuple[Club, list[AsyncClient], list[Person]]:
    """Create a club with these people: the first one owns it, the others are members."""
    browsers, people = list[AsyncClient](), list[Person]()
    for name in names:
        browser, person = await account(name)
        browsers.append(browser)
        people.append(person)
    club = await new_club(people[0])
    for person in people[1:]:
        await enrol(club, person)
    return club, browsers, people


async def names_on(event: Event) -> tuple[list[str], list[str], list[str]]:
    lists = await database_sync_to_async(registration.lists_of)(event)
    return (
        [entrant.name for entrant in lists.entrants],
        [person.name for person in lists.asked],
        [person.name for person in lists.waiting],
    )


async def test_entrant_on_the_waiting_list_moves_up() -> None:
    club, browsers, _ = await club_of("Anna", "Ben", "Cleo", "Dora")
    cup = await new_cup(club, max_entrants=2)
    for browser in browsers:
        answer = await browser.post(f"{CUP}enter/", {"do": "enter"})
    assert answer.headers["Location"] == f"{CUP}?note=waiting"
    assert await names_on(cup) == (["Anna", "Ben"], [], ["Cleo", "Dora"])
    page = text_of(await browsers[3].get(CUP))
    assert "You are on the waiting list." in page
    assert "2 places" in page
    await browsers[3].post(f"{CUP}enter/", {"do": "enter"})
    await browsers[0].post(f"{CUP}enter/", {"do": "withdraw"})
    assert await names_on(cup) == (["Ben", "Cleo"], [], ["Dora"])
    await browsers[2].post(f"{CUP}enter/", {"do": "withdraw"})
    assert await names_on(cup) == (["Ben", "Dora"], [], [])


async def test_leaving_the_club_frees_the_entry() -> None:
    club, _browsers, people = await club_of("Anna", "Ben", "Cleo")
    cup, season = await new_cup(club, max_entrants=1), await new_season(club, registration="open")
    for event in (cup, season):
        for person in people[1:]:
            await database_sync_to_async(registration.register)(event, person)
    await database_sync_to_async(members.leave)(club, people[1])
    assert await names_on(cup) == (["Cleo"], [], [])
    assert await names_on(season) == (["Cleo"], [], [])


async def test_more_places_let_people_move_up() -> None:
    club, browsers, people = await club_of("Anna", "Ben", "Cleo")
    cup = await new_cup(club, max_entrants=1)
    for person in people:
        await database_sync_to_async(registration.register)(cup, person)
    form = {"name": "Late Cup", "time_zone": "UTC", "registration": "open", "max_entrants": "2"}
    answer = await browsers[0].post(f"{CUP}edit/", form)
    assert answer.headers["Location"] == CUP
    assert await names_on(cup) == (["Anna", "Ben"], [], ["Cleo"])
    assert (await Event.objects.aget()).name == "Late Cup"


async def test_organiser_answers_requests() -> None:
    club, browsers, people = await club_of("Anna", "Ben", "Cleo", "Dora")
    cup = await new_cup(club, registration="request", max_entrants=1)
    for browser in browsers[1:]:
        answer = await browser.post(f"{CUP}enter/", {"do": "enter"})
        assert answer.headers["Location"] == f"{CUP}?note=asked"
    assert await names_on(cup) == ([], ["Ben", "Cleo", "Dora"], [])
    assert "3 people ask to take part." in text_of(await browsers[0].get(CUP))
    assert "people ask" not in text_of(await browsers[1].get(CUP))
    lists = f"{CUP}entrants/"
    for verb, person in zip(("remove", "accept", "accept"), people[1:], strict=True):
        answer = await browsers[0].post(lists, {"do": f"{verb}:{person.pk}"})
        assert answer.status_code == 302
    assert await names_on(cup) == (["Cleo"], [], ["Dora"])
    await browsers[0].post(lists, {"do": f"accept:{people[3].pk}"})
    assert await names_on(cup) == (["Cleo", "Dora"], [], [])
    page = text_of(await browsers[0].get(lists))
    assert "Cleo" in page
    assert f'<option value="{people[1].pk}">Ben</option>' in page


async def test_organisers_make_the_list() -> None:
    club, browsers, people = await club_of("Anna", "Ben")
    cup = await new_cup(club, registration="list")
    answer = await browsers[1].post(f"{CUP}enter/", {"do": "enter"})
    assert answer.headers["Location"] == f"{CUP}?note=closed"
    assert 'value="enter"' not in text_of(await browsers[1].get(CUP))
    await browsers[0].post(f"{CUP}entrants/", {"do": "add", "person": str(people[1].pk)})
    assert await names_on(cup) == (["Ben"], [], [])
    _, stranger = await account("Elsa")
    answer = await browsers[0].post(f"{CUP}entrants/", {"do": "add", "person": str(stranger.pk)})
    assert answer.status_code == 404


async def test_nobody_enters_or_leaves_a_tournament_that_has_begun() -> None:
    club, browsers, people = await club_of("Anna", "Ben", "Cleo", "Dora", "Elsa")
    cup = await new_cup(club, max_entrants=4)
    for person in people:
        await database_sync_to_async(registration.register)(cup, person)
    await browsers[0].post(f"{CUP}round/", {"round": "1"})
    answer = await browsers[1].post(f"{CUP}enter/", {"do": "withdraw"})
    assert answer.headers["Location"] == f"{CUP}?note=begun"
    for verb in ("accept", "add"):
        answer = await browsers[0].post(f"{CUP}entrants/", {"do": f"{verb}:{people[4].pk}"})
        assert answer.status_code == 404
    await database_sync_to_async(members.leave)(club, people[1])
    await browsers[0].post(f"{CUP}edit/", {"name": "Cup", "max_entrants": "9"})
    assert await EventPlayer.objects.filter(event=cup).acount() == 4
    assert await Applicant.objects.acount() == 1


async def test_registration_ends_on_the_clock_of_the_event() -> None:
    _club, browsers, _ = await club_of("Anna", "Ben")
    form = {
        "name": "Autumn Cup",
        "slug": "cup",
        "rules": "tenhou",
        "rounds": "2",
        "method": "random",
        "fill": "bots",
        "starts_at": "2026-12-05T10:00",
        "ends_at": "2026-12-05T18:30",
        "registration_ends_at": "2026-12-01T20:00",
        "time_zone": "Asia/Tokyo",
    }
    await browsers[0].post("/clubs/thursday/events/new/?format=rounds", form)
    cup = await Event.objects.aget()
    assert cup.registration_ends_at == datetime(2026, 12, 1, 11, tzinfo=UTC)
    assert registration.takes_registrations(cup, datetime(2026, 12, 1, 10, 59, tzinfo=UTC))
    assert not registration.takes_registrations(cup, datetime(2026, 12, 1, 11, tzinfo=UTC))
    assert 'value="2026-12-05T10:00"' in text_of(await browsers[0].get(f"{CUP}edit/"))
    assert "5 December 2026, 10:00" in text_of(await browsers[1].get(CUP))
    for wrong in (
        {"ends_at": "2026-12-05T09:00"},
        {
            "starts_at": "0001-01-01T00:00"
        },  # this is before the year 1 in UTC, which no database can store
        {"ends_at": "9999-12-31T23:00", "time_zone": "America/New_York"},
    ):
        answer = await browsers[0].post(
            "/clubs/thursday/events/new/?format=rounds", {**form, "slug": "other", **wrong}
        )
        assert answer.status_code == 422
    await Event.objects.aupdate(registration_ends_at=timezone.now())
    answer = await browsers[1].post(f"{CUP}enter/", {"do": "enter"})
    assert answer.headers["Location"] == f"{CUP}?note=closed"


async def test_league_is_for_its_entrants() -> None:
    club, browsers, people = await club_of("Anna", "Ben", "Cleo")
    season = await new_season(club, registration="open", max_entrants=1)
    await browsers[1].post(f"{AUTUMN}enter/", {"do": "enter"})
    await browsers[2].post(f"{AUTUMN}enter/", {"do": "enter"})
    may = [await database_sync_to_async(may_play)(season.pk, str(person.pk)) for person in people]
    assert may == [False, True, False]
    assert (await browsers[2].post(f"{AUTUMN}table/")).status_code == 404
    await browsers[1].post(f"{AUTUMN}enter/", {"do": "withdraw"})
    assert [row async for row in EventPlayer.objects.values_list("person", flat=True)] == [
        people[2].pk
    ]
    await Event.objects.aupdate(registration="members")
    assert await database_sync_to_async(may_play)(season.pk, str(people[1].pk))
    assert "entrants" not in text_of(await browsers[1].get(AUTUMN))


async def test_calendar_file_has_the_times_of_the_event() -> None:
    club, browsers, _ = await club_of("Anna")
    cup = await new_cup(club, time_zone="Europe/Paris")
    assert (await browsers[0].get(f"{CUP}calendar.ics")).status_code == 404
    await Event.objects.filter(pk=cup.pk).aupdate(
        starts_at=datetime(2026, 12, 5, 9, tzinfo=UTC),
        ends_at=datetime(2026, 12, 5, 17, tzinfo=UTC),
    )
    answer = await AsyncClient().get(f"{CUP}calendar.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    lines = text_of(answer).split("\r\n")
    assert "DTSTART:20261205T090000Z" in lines
    assert "DTEND:20261205T170000Z" in lines
    assert "SUMMARY:Autumn Cup (Thursday Club)" in lines
    assert f"URL:http://testserver{CUP}" in lines
    await new_season(club, starts_on=date(2026, 9, 1), ends_on=date(2026, 11, 30))
    lines = text_of(await AsyncClient().get(f"{AUTUMN}calendar.ics")).split("\r\n")
    assert "DTSTART;VALUE=DATE:20260901" in lines
    assert "DTEND;VALUE=DATE:20261201" in lines


def test_lines_of_a_calendar_file_are_escaped_and_folded() -> None:
    at = datetime(2026, 12, 5, 9, tzinfo=UTC)
    event = CalendarEvent(
        uid="1@host",
        name="東南戦; a, b\\c\r\nEND:VEVENT " + "雀" * 60,
        starts=at,
        ends=at,
        written_at=at,
        url="http://host/",
    )
    text = write_calendar([event])
    assert text.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    unfolded = text.replace("\r\n ", "").split("\r\n")
    assert "SUMMARY:東南戦\\; a\\, b\\\\c END:VEVENT " + "雀" * 60 in unfolded


async def test_officer_pastes_a_list_of_names() -> None:
    club, browsers, _ = await club_of("Anna", "Ben", "Cleo")
    cup = await new_cup(club, registration="list")
    form = {"do": "paste", "names": " ben \n\nNobody\nCleo\nben"}
    answer = await browsers[0].post(f"{CUP}entrants/", form)
    assert answer.status_code == 422
    assert "Nobody</textarea>" in text_of(answer)
    assert await names_on(cup) == (["Ben", "Cleo"], [], [])
    answer = await browsers[1].post(f"{CUP}entrants/", {"do": "paste", "names": "Anna"})
    assert answer.status_code == 404, "Ben is no officer"
