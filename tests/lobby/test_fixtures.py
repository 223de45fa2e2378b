"""The list of tables of a league is made or imported, and each table of it is played once."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from datetime import timedelta
from itertools import combinations

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.models import Sanction
from lobby.accounts import rate_limits
from lobby.clubs import members
from lobby.models import ClubGame, Event, EventTable, OfflineGame, Person
from lobby.play.club_tables import club_of_game, record_game
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import invite_link, press, text_of
from tests.lobby.seasons import (
    AUTUMN,
    LIST,
    begin,
    count_rows,
    finish,
    league_club,
    league_of_four,
    states,
)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_organiser_makes_a_league_with_a_list() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {"name": "Autumn", "slug": "autumn", "rules": "wrc-2025"}
    form |= {"starts_on": "2026-09-01", "ends_on": "2026-11-30", "ranking": "points"}
    form |= {"min_games": "0", "max_games": "0", "best_games": "0", "is_public": "on"}
    await officer.post(f"/clubs/{club.slug}/events/new/?format=list", form)
    assert (await Event.objects.aget()).has_fixtures
    await officer.post(f"{AUTUMN}edit/", form)
    assert (await Event.objects.aget()).has_fixtures, "the list does not change"
    for number in range(8):
        await enrol(club, await Person.objects.acreate(name=f"Player {number}"))
    answer = await officer.post(LIST, {"do": "make", "games": "3"})
    assert "a multiple of 4" in text_of(answer), "nine players"
    answer = await officer.post(LIST, {"do": "make", "games": "8"})
    assert answer.status_code == 302
    page = text_of(await AsyncClient().get(LIST))
    assert page.count("0 / 8") == 9
    answer = await officer.post(LIST, {"do": "make", "games": "4"})
    assert "There are open tables" in text_of(answer)
    text = text_of(await AsyncClient().get(f"{AUTUMN}fixtures.csv")).lstrip("\N{BOM}")
    rows = list(csv.DictReader(io.StringIO(text)))
    tables = [[row[f"player_{at}"] for at in range(1, 5)] for row in rows]
    assert Counter(name for table in tables for name in table).most_common()[-1][1] == 8
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert set(pairs.values()) == {3}, "everybody meets everybody three times"
    await officer.post(LIST, {"do": "delete:1"})
    assert await EventTable.objects.acount() == 17
    await officer.post(LIST, {"do": "delete_open"})
    assert await EventTable.objects.acount() == 0
    answer = await officer.post(LIST, {"do": "add", "lines": text})
    assert answer.status_code == 302, "the file can be read again"
    assert await EventTable.objects.acount() == 18


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("Anna,Ben,Cleo", "Line 1 does not have the names of 4 players."),
        ("Anna,Ben,Cleo,Dora\nAnna,Ben,Cleo,Emil", "Line 2: a name is not that of"),
        ("Anna,Ben,Cleo,ANNA", "Line 1 has a player twice."),
        ("\n", "There are no names."),
    ],
)
async def test_wrong_lines_add_nothing(lines: str, text: str) -> None:
    _, browsers, _ = await league_of_four()
    answer = await browsers[0].post(LIST, {"do": "add", "lines": lines})
    assert answer.status_code == 422
    assert text in text_of(answer)
    assert await EventTable.objects.acount() == 1


async def test_game_of_the_four_counts_once() -> None:
    league, browsers, people = await league_of_four()
    table_id = await begin(browsers)
    assert await states() == ["running"]
    listed = await EventTable.objects.aget(table_id=table_id)
    assert (listed.event_id, listed.number) == (league.pk, 1)
    answer = await browsers[2].post(f"{LIST}1/")
    assert answer.headers["Location"] == f"/table/{table_id}/"
    assert await database_sync_to_async(club_of_game)(table_id) == ("thursday", 0), (
        "a rematch does not count for the league"
    )
    await finish(table_id, people)
    assert await states() == ["played"]
    assert await count_rows() == 1
    page = text_of(await browsers[1].get(AUTUMN))
    assert "You have played at all your tables." in page
    assert "1 / 1" in page
    answer = await browsers[2].post(f"{LIST}1/")
    assert answer.headers["Location"].endswith("?note=fixture")
    await browsers[0].post(LIST, {"do": "delete:1"})
    assert await states() == ["played"]


async def test_other_games_of_the_four_do_not_count() -> None:
    league, browsers, people = await league_of_four()
    page = text_of(await browsers[0].get(AUTUMN))
    assert "Make a table of the event" not in page
    assert (await browsers[0].post(f"{AUTUMN}table/")).status_code == 404
    table_id = await begin(browsers)
    fixture = await EventTable.objects.aget()
    await database_sync_to_async(record_game)("thursday", "another", league.pk, fixture.pk)
    await database_sync_to_async(record_game)("thursday", "third", league.pk)
    await finish("another", people)
    await finish("third", people)
    assert (await count_rows(), await states()) == (0, ["running"])
    assert (await ClubGame.objects.aget(pk="another")).event_id is None
    assert (await EventTable.objects.aget()).table_id == table_id


async def test_game_that_was_broken_off_is_played_again() -> None:
    _, browsers, people = await league_of_four()
    first = await begin(browsers)
    await finish(first, people, is_broken_off=True)
    assert await states() == ["open"]
    second = await begin(browsers)
    assert second != first
    await finish(second, people)
    assert (await states(), await count_rows()) == (["played"], 1)


async def test_only_the_four_sit_down() -> None:
    league, browsers, _ = await league_of_four()
    other, elsa = await account("Elsa")
    await enrol(await league_club(league), elsa)
    assert (await other.post(f"{LIST}1/")).status_code == 404
    assert "Your tables" not in text_of(await other.get(AUTUMN))
    answer = await browsers[1].post(f"{LIST}1/")
    address = answer.headers["Location"]
    page = text_of(await browsers[2].get(address))
    assert "This is your table of the event." in page
    assert f'<a href="{AUTUMN}">Autumn League</a>' in page
    assert "waiting for you" in text_of(await browsers[2].get("/lobby/"))
    await press(browsers[1], address, "bot:1:")
    link = await invite_link(browsers[1], address)
    assert (await press(other, link, "sit")).endswith("?no=fixture")
    assert "until it has been played" in text_of(await other.get(f"{link}?no=fixture"))


async def test_nobody_opens_a_table_outside_the_season() -> None:
    today = timezone.now().date()
    _, browsers, _ = await league_of_four(
        starts_on=today + timedelta(days=2), ends_on=today + timedelta(days=9)
    )
    assert "Open the table" not in text_of(await browsers[0].get(AUTUMN))
    answer = await browsers[0].post(f"{LIST}1/")
    assert answer.headers["Location"].endswith("?note=fixture")


async def test_player_who_has_left_is_named_on_the_list() -> None:
    league, browsers, people = await league_of_four()
    await database_sync_to_async(members.leave)(await league_club(league), people[3])
    assert "No longer in the event: Dora" in text_of(await browsers[0].get(LIST))
    assert (await browsers[3].post(f"{LIST}1/")).headers["Location"].endswith("?note=fixture")


async def test_page_shows_present_opponents() -> None:
    _, browsers, _ = await league_of_four()
    sockets = []
    try:
        sockets.append(await socket_of(browsers[1]))
        await part_of(sockets[0])
        sockets.append(await socket_of(browsers[0]))
        anna = sockets[1]
        while '<span class="badge">here</span>' not in await part_of(anna):
            pass
        await browsers[1].post(f"{LIST}1/")
        while (await anna.receive_json_from())["t"] != "call":
            pass
        page = text_of(await browsers[0].get(AUTUMN))
        assert re.search(r"Ben\s*<span class=\"badge you\">at the table", page)
        assert "Sit down" in page
    finally:
        for socket in sockets:
            await socket.disconnect()


async def test_banned_member_reads_why_no_table_can_be_opened() -> None:
    _, browsers, people = await league_of_four()
    until = timezone.now() + timedelta(days=1)
    await Sanction.objects.acreate(person_id=people[1].pk, kind=Sanction.BAN, until=until)
    for browser, is_banned in ((browsers[0], False), (browsers[1], True)):
        page = text_of(await browser.get(AUTUMN))
        assert ("A moderator has closed the tables to you" in page) == is_banned
        assert ("Open the table" in page) != is_banned


async def test_only_officers_change_the_list() -> None:
    league, browsers, _ = await league_of_four(is_public=False)
    other, emil = await account("Emil")
    await new_club(emil, "other")
    for browser in (browsers[1], other, AsyncClient()):
        for form in ({"do": "delete_open"}, {"do": "delete:1"}, {"do": "make", "games": "1"}):
            assert (await browser.post(LIST, form)).status_code == 404
    for browser in (other, AsyncClient()):
        for path in (LIST, f"{AUTUMN}fixtures.csv", f"/api/1{AUTUMN}fixtures/"):
            assert (await browser.get(path)).status_code == 404
        assert (await browser.post(f"{LIST}1/")).status_code == 404
    assert await EventTable.objects.filter(event=league).acount() == 1


async def test_game_at_a_real_table_counts_for_its_listed_table() -> None:
    league, browsers, people = await league_of_four()
    officer, elsa = await account("Elsa")
    await enrol(await league_club(league), elsa, "organiser")
    sheet = {"played_at": "2026-11-01T20:00", "sticks": "0"}
    scores = (50_000, 40_000, 20_000, 10_000)
    for seat, (person, score) in enumerate(zip(people, scores, strict=True)):
        sheet |= {f"player{seat}": str(person.pk), f"score{seat}": str(score)}
    answer = await officer.post(f"{AUTUMN}offline/", sheet)
    assert answer.status_code == 302, text_of(answer)
    assert (await states(), await count_rows()) == (["played"], 1)
    answer = await officer.post(f"{AUTUMN}offline/", sheet)
    assert "These players have no open table" in text_of(answer)
    assert (await browsers[0].post(f"{LIST}1/")).headers["Location"].endswith("?note=fixture")
    game = await OfflineGame.objects.aget()
    form = {"do": "cancel", "reason": "The wrong date"}
    await officer.post(f"{AUTUMN}offline/{game.pk}/", form)
    assert (await states(), await count_rows()) == (["open"], 0)
    await begin(browsers)
    answer = await officer.post(f"{AUTUMN}offline/{game.pk}/", sheet | {"reason": "It was right"})
    assert "These players have no open table" in text_of(answer)


async def test_list_has_no_tables_of_a_round() -> None:
    _, browsers, _ = await league_of_four()
    assert (await browsers[0].get(f"{AUTUMN}officials/0/1/")).status_code == 404
    wire = await socket_of(browsers[0], "officials/0/1/")
    message = await wire.receive_output()
    assert (message["type"], message.get("code")) == ("websocket.close", 4404)
    wire = await socket_of(browsers[0], "officials/")
    assert "No round has begun." in await part_of(wire, "officials")
    await wire.disconnect()


async def socket_of(browser: AsyncClient, page: str = "") -> Wire:
    await browser.get(AUTUMN)
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in browser.cookies.items())
    headers = [
        (b"host", b"testserver"),
        (b"origin", b"http://testserver"),
        (b"cookie", cookies.encode()),
    ]
    path = f"/ws/lobby{AUTUMN}{page}?language=en"
    wire = Wire(application, path, headers=headers)
    assert (await wire.connect())[0]
    assert (await wire.receive_json_from())["t"] == "ask"
    await wire.send_json_to({"t": "here"})
    return wire


async def part_of(wire: Wire, name: str = "event") -> str:
    while (message := await wire.receive_json_from())["t"] != "parts":
        pass
    return str(message["parts"][name])
