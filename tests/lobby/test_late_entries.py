"""Officials enter and withdraw players between the rounds of an event."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from lobby.events import event_data, registration, rounds, rulings
from lobby.models import Applicant, Event, EventPlayer, Membership, Person, Ruling
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, rooms_of, tables_of
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages", "fresh"),
    pytest.mark.postgresql,
]

LISTS = f"{PATH}entrants/"
SEATS_OF_THREE_ROUNDS = [
    [[1, 2, 3, 4], [5, 6, 7, 8]],
    [[1, 5, 2, 6], [3, 7, 4, 8]],
    [[1, 6, 3, 8], [5, 2, 7, 4]],
]


async def staged_cup(entrants: int, **terms: Any) -> tuple[AsyncClient, Event]:
    officer, anna = await account("Anna")
    return officer, await new_cup(await new_club(anna), entrants, **terms)


async def play_round(officer: AsyncClient, cup: Event, number: int) -> None:
    await officer.post(f"{PATH}round/", {"round": str(number)})
    assert await tables_of(cup, number), f"round {number} has started"
    await finish_round(cup, number)


async def member(cup: Event, name: str) -> tuple[AsyncClient, Person]:
    browser, person = await account(name)
    await enrol(cup.club, person)
    return browser, person


async def entrant(cup: Event, number: int) -> EventPlayer:
    return await cup.entrants.select_related("person").aget(number=number)


async def seats(cup: Event, number: int) -> list[int]:
    return list(chain.from_iterable(table.seats for table in await tables_of(cup, number)))


async def standing(cup: Event, person: Person) -> dict[str, Any]:
    rows = await database_sync_to_async(event_data.standing_items)(cup)
    return next(row for row in rows if row["player"] == str(person.pk))


@pytest.mark.parametrize("method", ["balanced", "random", "swiss", "interval"])
async def test_late_entrant_takes_the_seat_of_a_bot(method: str) -> None:
    officer, cup = await staged_cup(7, method=method, fill="bots", missed_points=Decimal("-10.5"))
    await play_round(officer, cup, 1)
    before = {
        row["player"]: row["points"]
        for row in await database_sync_to_async(event_data.standing_items)(cup)
    }
    _, ben = await member(cup, "Ben")
    answer = await officer.post(LISTS, {"do": "late", "person": str(ben.pk), "reason": "train"})
    assert answer.headers["Location"] == f"{LISTS}?note=done"
    late = await cup.entrants.aget(person=ben)
    assert late.number == 9, "8 was the number of the bot"
    row = await standing(cup, ben)
    assert (row["place"], row["played"], row["points"]) == (None, 0, "-10.5")
    assert (row["missed_rounds"], row["missed_points"], row["deducted"]) == (1, "-10.5", "0")
    for number in (2, 3):
        await play_round(officer, cup, number)
        assert sorted(await seats(cup, number)) == [1, 2, 3, 4, 5, 6, 7, 9]
        people = [
            seat.person
            for room in await rooms_of(await tables_of(cup, number))
            for seat in room.meta.seats
        ]
        assert "" not in people
    row = await standing(cup, ben)
    assert (row["played"], row["missed_rounds"]) == (2, 1)
    assert row["place"] is not None
    games = await database_sync_to_async(event_data.game_items)(cup)
    results = [one for game in games for one in game["results"] if one["player"] == str(ben.pk)]
    points = sum(Decimal(one["points"]) for one in results)
    assert Decimal(row["points"]) == points - Decimal("10.5")
    first = [one for game in games[:2] for one in game["results"]]
    assert {one["player"]: one["points"] for one in first} == before, "round 1 is what it was"
    log = text_of(await AsyncClient().get(f"{PATH}log/"))
    assert "late entry" in log
    assert "1 missed round: \N{MINUS SIGN}10.5" in log
    assert "train" in log


async def test_standings_and_files_name_late_and_withdrawn_players() -> None:
    officer, cup = await staged_cup(8, fill="bots", missed_points=Decimal("-15"))
    await play_round(officer, cup, 1)
    await play_round(officer, cup, 2)
    _, ben = await member(cup, "Ben")
    await officer.post(LISTS, {"do": "late", "person": str(ben.pk)})
    gone = (await entrant(cup, 3)).person
    before = await standing(cup, gone)
    await officer.post(LISTS, {"do": f"withdraw:{gone.pk}", "reason": "ill"})
    assert await standing(cup, gone) == {**before, "is_withdrawn": True}
    for page in (PATH, f"{PATH}standings/"):
        text = text_of(await AsyncClient().get(page))
        assert "2 missed rounds: \N{MINUS SIGN}30.0" in text
        assert text.count('<span class="badge">withdrawn</span>') == 1
    assert "\N{MINUS SIGN}15.0 for each missed round" in text_of(await AsyncClient().get(PATH))
    answer = await AsyncClient().get(f"{PATH}standings.csv")
    text = answer.content.decode("utf-8-sig")
    lines = {line["name"]: line for line in csv.DictReader(io.StringIO(text))}
    assert (lines["Ben"]["missed_rounds"], lines["Ben"]["missed_points"]) == ("2", "-30.0")
    assert (lines["Ben"]["is_withdrawn"], lines[gone.name]["is_withdrawn"]) == ("0", "1")
    data = (await AsyncClient().get(f"/api/1{PATH}players/")).json()["items"]
    assert {one["name"] for one in data if one["is_withdrawn"]} == {gone.name}
    (data,) = (await AsyncClient().get("/api/1/clubs/thursday/")).json()["items"]
    assert data["missed_points"] == "-15.0"
    kinds = [ruling async for ruling in Ruling.objects.values_list("kind", "reason")]
    assert kinds == [("withdraw", "ill"), ("late", "")]


@pytest.mark.parametrize("method", ["balanced", "random", "swiss", "interval"])
@pytest.mark.parametrize("fill", ["bots", "substitutes"])
async def test_seat_of_a_withdrawn_player_is_filled(method: str, fill: str) -> None:
    officer, cup = await staged_cup(8, method=method, fill=fill)
    _, ben = await member(cup, "Ben")
    await play_round(officer, cup, 1)
    gone = (await entrant(cup, 5)).person
    await officer.post(LISTS, {"do": f"withdraw:{gone.pk}"})
    if fill == "substitutes":
        answer = await officer.post(f"{PATH}round/", {"round": "2"})
        assert answer.headers["Location"] == f"{PATH}?note=substitutes"
        await officer.post(f"{PATH}officials/do/", {"do": "substitutes", "person": str(ben.pk)})
    await play_round(officer, cup, 2)
    assert sorted(await seats(cup, 2)) == [1, 2, 3, 4, 6, 7, 8, 9]
    rooms = await rooms_of(await tables_of(cup, 2))
    people = [seat.person for room in rooms for seat in room.meta.seats]
    assert str(gone.pk) not in people
    assert people.count(str(ben.pk)) == (fill == "substitutes")
    assert people.count("") == (fill == "bots")
    assert (await standing(cup, gone))["played"] == 1
    assert not [
        row
        for row in await database_sync_to_async(event_data.standing_items)(cup)
        if row["player"] == str(ben.pk)
    ]


async def test_withdrawn_player_is_replaced_by_a_late_entrant_in_prescribed_seats() -> None:
    officer, cup = await staged_cup(8, method="prescribed", schedule=SEATS_OF_THREE_ROUNDS)
    await play_round(officer, cup, 1)
    gone = (await entrant(cup, 2)).person
    await officer.post(LISTS, {"do": f"withdraw:{gone.pk}"})
    answer = await officer.get(f"{PATH}round/?round=2")
    assert answer.headers["Location"] == f"{PATH}?note=seats", "the seats may not be left over"
    _, ben = await member(cup, "Ben")
    await officer.post(LISTS, {"do": "late", "person": str(ben.pk)})
    for number in (2, 3):
        await play_round(officer, cup, number)
        expected = [
            [9 if player == 2 else player for player in table]
            for table in SEATS_OF_THREE_ROUNDS[number - 1]
        ]
        assert [table.seats for table in await tables_of(cup, number)] == expected


async def test_bots_fill_a_whole_table_of_prescribed_seats() -> None:
    officer, cup = await staged_cup(8, method="prescribed", schedule=SEATS_OF_THREE_ROUNDS)
    await play_round(officer, cup, 1)
    for number in (1, 2, 3, 4):
        await officer.post(LISTS, {"do": f"withdraw:{(await entrant(cup, number)).person_id}"})
    answer = await officer.post(f"{PATH}round/", {"round": "2"})
    assert answer.headers["Location"] == f"{PATH}?note=prescribed"
    await officer.post(f"{PATH}edit/", {"name": "Cup", "fill": "bots"})
    await play_round(officer, cup, 2)
    assert [table.seats for table in await tables_of(cup, 2)] == [[9, 5, 10, 6], [11, 7, 12, 8]]


@pytest.mark.parametrize("method", ["balanced", "random", "swiss", "interval"])
async def test_field_grows_by_a_table(method: str) -> None:
    officer, cup = await staged_cup(8, method=method)
    await play_round(officer, cup, 1)
    for name in ("Ben", "Cleo", "Dora", "Elsa"):
        _, person = await member(cup, name)
        await officer.post(LISTS, {"do": "late", "person": str(person.pk)})
    for number in (2, 3):
        await play_round(officer, cup, number)
        assert sorted(await seats(cup, number)) == list(range(1, 13))


async def test_player_comes_back() -> None:
    officer, cup = await staged_cup(8, fill="bots", rounds=4, missed_points=Decimal(5))
    await play_round(officer, cup, 1)
    person = (await entrant(cup, 1)).person
    await officer.post(LISTS, {"do": f"withdraw:{person.pk}"})
    await play_round(officer, cup, 2)
    points = Decimal((await standing(cup, person))["points"])
    await officer.post(LISTS, {"do": f"late:{person.pk}"})
    row = await standing(cup, person)
    assert (row["missed_rounds"], row["is_withdrawn"]) == (1, False)
    assert Decimal(row["points"]) == points + 5
    await play_round(officer, cup, 3)
    assert 1 in await seats(cup, 3)


async def test_waiting_list_is_entered_late() -> None:
    officer, cup = await staged_cup(8, max_entrants=8, fill="bots")
    browser, ben = await member(cup, "Ben")
    assert await database_sync_to_async(registration.register)(cup, ben) == "waiting"
    await play_round(officer, cup, 1)
    assert f'value="late:{ben.pk}"' in text_of(await officer.get(LISTS))
    await officer.post(LISTS, {"do": f"late:{ben.pk}"})
    assert await Applicant.objects.acount() == 0
    await play_round(officer, cup, 2)
    assert 9 in await seats(cup, 2)
    answer = await browser.post(f"{PATH}enter/", {"do": "withdraw"})
    assert answer.headers["Location"] == f"{PATH}?note=begun", "only officials withdraw players"


async def test_wrong_entries_are_refused_with_a_reason() -> None:
    officer, cup = await staged_cup(8, fill="bots", rounds=2)
    _, ben = await member(cup, "Ben")
    first = await cup.entrants.afirst()
    assert first is not None
    _, stranger = await account("Zoe")
    form = {"do": "late", "person": str(ben.pk)}

    async def note(**more: str) -> str:
        answer = await officer.post(LISTS, {**form, **more})
        return answer.headers["Location"].rpartition("=")[2]

    assert await note() == "no_round"
    assert await note(do="withdraw", person=str(first.person_id)) == "no_round"
    await play_round(officer, cup, 1)
    assert await note(person=str(stranger.pk)) == "member"
    assert await note(person=str(first.person_id)) == "entered"
    assert await note(do="withdraw") == "player"
    anna = await Membership.objects.aget(club=cup.club, role="owner")
    assert await note(person=str(anna.person_id)) == "own"
    await play_round(officer, cup, 2)
    assert await note() == "no_round"
    assert (await officer.post(LISTS, {"do": "late", "person": "x"})).status_code == 404
    assert (await officer.post(LISTS, {"do": "nothing", "person": str(ben.pk)})).status_code == 404
    assert await Ruling.objects.acount() == 0


async def test_late_entries_withdrawals_and_changes_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rulings, "MAX_RULINGS", 2)
    officer, cup = await staged_cup(8, fill="bots")
    await play_round(officer, cup, 1)
    person = (await entrant(cup, 1)).person_id
    withdrawn = {"do": f"withdraw:{person}"}
    back = {"do": f"late:{person}"}
    notes = [(await officer.post(LISTS, form)).headers["Location"] for form in (withdrawn, back)]
    assert notes == [f"{LISTS}?note=done"] * 2
    assert (await officer.post(LISTS, withdrawn)).headers["Location"] == f"{LISTS}?note=many"
    answer = await officer.post(f"{PATH}edit/", {"name": "Winter Cup"})
    assert "This event cannot have more decisions." in text_of(answer)
    assert (await Event.objects.aget()).name == cup.name
    assert await Ruling.objects.acount() == 2


async def test_drawn_seats_follow_a_withdrawal() -> None:
    officer, cup = await staged_cup(9, fill="bots")
    await play_round(officer, cup, 1)
    await officer.get(f"{PATH}round/?round=2")
    await officer.post(LISTS, {"do": f"withdraw:{(await entrant(cup, 9)).person_id}"})
    await database_sync_to_async(rounds.start_round)(cup, 2)
    assert sorted(await seats(cup, 2)) == list(range(1, 9)), "one table fewer, without bots"


async def test_own_data_has_late_entry_withdrawal_and_pairs_without_their_others() -> None:
    officer, cup = await staged_cup(7, fill="bots")
    await play_round(officer, cup, 1)
    browser, ben = await member(cup, "Ben")
    other = (await entrant(cup, 1)).person
    await officer.post(LISTS, {"do": f"late:{ben.pk}"})
    await officer.post(LISTS, {"do": "apart", "person": [str(ben.pk), str(other.pk)]})
    await officer.post(LISTS, {"do": f"withdraw:{ben.pk}"})
    answer = await browser.get("/privacy/own-data/")
    (own,) = answer.json()["account"]["events"]
    assert (own["missed_rounds"], own["is_withdrawn"], own["pairs_apart"]) == (1, True, 1)
    assert str(other.pk) not in text_of(answer)
