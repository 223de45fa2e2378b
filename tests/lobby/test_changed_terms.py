"""The terms of a running event change from the next round on, and the log says so."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from lobby.events import event_data
from lobby.models import Event, Membership, Ruling
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, tables_of
from tests.lobby.pages import text_of
from tests.lobby.seasons import AUTUMN, finished_game, new_league

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages", "fresh"),
    pytest.mark.postgresql,
]
EDIT = f"{PATH}edit/"


async def staged_cup(**terms: Any) -> tuple[AsyncClient, Event]:
    officer, anna = await account("Anna")
    return officer, await new_cup(await new_club(anna), 8, **terms)


async def play_round(officer: AsyncClient, cup: Event, number: int) -> None:
    await officer.post(f"{PATH}round/", {"round": str(number)})
    assert await tables_of(cup, number), f"round {number} has started"
    await finish_round(cup, number)


async def test_name_rounds_and_times_change_between_rounds() -> None:
    officer, cup = await staged_cup(rounds=3, time_zone="Asia/Tokyo")
    await play_round(officer, cup, 1)
    before = await database_sync_to_async(event_data.standing_items)(cup)
    page = text_of(await officer.get(EDIT))
    assert "Start of round 2" in page
    assert "max_entrants" not in page, "the registration is over"
    form = {
        "name": "Winter Cup",
        "rounds": "4",
        "time_zone": "Asia/Tokyo",
        "next_round_at": "2026-12-05T14:30",
        "no_show_minutes": "5",
        "reason": "the hall closes late",
        "is_public": "on",
    }
    answer = await officer.post(EDIT, form)
    assert answer.headers["Location"] == PATH
    cup = await Event.objects.select_related("club").aget()
    assert (cup.name, cup.rounds, cup.no_show_minutes, cup.fill) == ("Winter Cup", 4, 5, "refuse")
    assert cup.next_round_at == datetime(2026, 12, 5, 5, 30, tzinfo=UTC)
    assert await database_sync_to_async(event_data.standing_items)(cup) == before
    ruling = await Ruling.objects.aget()
    assert (ruling.kind, ruling.reason) == ("change", "the hall closes late")
    assert set(ruling.changes) >= {"name", "rounds", "next_round_at", "no_show_minutes"}
    log = text_of(await AsyncClient().get(f"{PATH}log/"))
    for text in (
        "Name of the event: Autumn Cup → Winter Cup",
        "Rounds: 3 → 4",
        "Start of the next round: \N{EN DASH} → 5 December 2026, 14:30",
        "the hall closes late",
    ):
        assert text in log
    assert "5 December 2026, 14:30" in text_of(await AsyncClient().get(PATH))
    calendar = text_of(await AsyncClient().get(f"{PATH}calendar.ics"))
    assert "DTSTART:20261205T053000Z" in calendar
    assert "SUMMARY:Winter Cup (Thursday Club): Round 2" in calendar
    for number in (2, 3, 4):
        await play_round(officer, cup, number)
    cup = await Event.objects.aget()
    assert cup.next_round_at is None, "the round has started"
    answer = await officer.post(f"{PATH}round/", {"round": "5"})
    assert answer.headers["Location"] == f"{PATH}?note=over"


@pytest.mark.parametrize("method", ["balanced", "random", "swiss", "interval"])
async def test_added_round_is_seated_and_a_removed_one_is_not(method: str) -> None:
    officer, cup = await staged_cup(rounds=2, method=method)
    await play_round(officer, cup, 1)
    first = [table.seats for table in await tables_of(cup, 1)]
    await officer.post(EDIT, {"name": "Cup", "rounds": "3"})
    for number in (2, 3):
        await play_round(officer, cup, number)
        seated = [player for table in await tables_of(cup, number) for player in table.seats]
        assert sorted(seated) == list(range(1, 9))
    assert [table.seats for table in await tables_of(cup, 1)] == first
    answer = await officer.post(EDIT, {"name": "Cup", "rounds": "2"})
    assert "Round 3 has begun." in text_of(answer)
    assert (await Event.objects.aget()).rounds == 3


async def test_prescribed_seats_limit_the_rounds() -> None:
    seats = [[[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 5, 2, 6], [3, 7, 4, 8]]]
    officer, cup = await staged_cup(rounds=2, method="prescribed", schedule=seats)
    await play_round(officer, cup, 1)
    answer = await officer.post(EDIT, {"name": "Cup", "rounds": "3"})
    assert "The seats are for another number of rounds: 2." in text_of(answer)
    await officer.post(EDIT, {"name": "Cup", "rounds": "1"})
    await officer.post(EDIT, {"name": "Cup", "rounds": "2"})
    await play_round(officer, cup, 2)
    assert [table.seats for table in await tables_of(cup, 2)] == seats[1]


async def test_change_before_the_first_round_is_not_logged() -> None:
    officer, _cup = await staged_cup()
    await officer.post(EDIT, {"name": "Winter Cup", "ties": "broken"})
    assert (await Event.objects.aget()).ties == "broken"
    assert await Ruling.objects.acount() == 0


async def test_unchanged_terms_are_not_logged() -> None:
    officer, cup = await staged_cup()
    await play_round(officer, cup, 1)
    form = {"name": cup.name, "is_public": "on", "watch": cup.watch, "ties": cup.ties}
    await officer.post(EDIT, form)
    assert await Ruling.objects.acount() == 0


async def test_way_in_which_results_count_changes_only_with_a_reason() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club, registration="members")
    people = [(await account(name))[1] for name in ("Ben", "Cleo", "Dora", "Elsa")]
    for person in people:
        await enrol(club, person)
    await finished_game(league, 1, people)
    form = {
        "name": league.name,
        "starts_on": str(league.starts_on),
        "ends_on": str(league.ends_on),
        "registration": "members",
        "ranking": "places",
        "min_games": "0",
        "max_games": "0",
        "best_games": "0",
        "is_public": "on",
    }
    answer = await officer.post(f"{AUTUMN}edit/", form)
    assert answer.status_code == 422
    assert "Say why" in text_of(answer)
    assert (await Event.objects.aget()).ranking == "points"
    answer = await officer.post(f"{AUTUMN}edit/", {**form, "reason": "as agreed"})
    assert answer.status_code == 302
    assert (await Event.objects.aget()).ranking == "places"
    log = text_of(await AsyncClient().get(f"{AUTUMN}log/"))
    assert "Standings by: Sum of results → Average place" in log
    assert "as agreed" in log


async def test_player_may_not_change_how_results_count_while_another_officer_can() -> None:
    officer, cup = await staged_cup()
    playing, ben = await account("Ben")
    await enrol(cup.club, ben, Membership.ORGANISER)
    await cup.entrants.acreate(person=ben)
    last = await cup.entrants.afirst()
    assert last is not None
    await last.adelete()
    await play_round(officer, cup, 1)
    form = {"name": cup.name, "is_public": "on", "ties": "broken", "reason": "fairer"}
    answer = await playing.post(EDIT, form)
    assert "An organiser who does not play in it has to decide." in text_of(answer)
    answer = await playing.post(EDIT, {**form, "ties": "shared", "name": "Winter Cup"})
    assert answer.status_code == 302
    await officer.post(EDIT, {**form, "name": "Winter Cup"})
    cup = await Event.objects.aget()
    assert (cup.name, cup.ties) == ("Winter Cup", "broken")
