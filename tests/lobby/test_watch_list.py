"""The list of tables to watch: its order, the stakes, and boards without hidden tiles."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import HttpCommunicator
from django.test import AsyncClient
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.perspective import SPECTATOR, view
from game.engine.presets import preset
from game.engine.state import Hand, Riichi, Table
from game.engine.tiles import tile_to_text
from game.live.process import ARCHIVE
from game.models import Game
from game.tables.maintenance import start_drain
from game.tables.requests import End
from game.tables.room import TableId
from game.tables.settings import TableSettings
from lobby.accounts import rate_limits
from lobby.events.direction import choose_feature_table
from lobby.models import Event, Person
from lobby.play import fragments
from lobby.play.backend import current_backend
from lobby.play.standing_table import show_standing_table
from lobby.play.table_list import ListedSeat, ListedTable
from lobby.play.watch_list import (
    EventOfTable,
    LiveBoard,
    WatchedTable,
    interest,
    show_board,
    viewers_order,
    watchable_tables,
)
from mahjong_site.asgi import application
from tests.kit.play import stage
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import PATH, new_cup, rooms_of, tables_of
from tests.lobby.pages import boards_of, sit_at, text_of

HANDS = ["123456789m123pE", "", "", ""]


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


SETTLED = LiveBoard("Tenhou", is_rated=False, ratings=(None,) * 4)
QUIET = ListedTable(
    "t", "", 0, tuple(ListedSeat("Aki", True, None, False) for _ in range(4)), TableSettings()
)


def test_board_has_the_discards_and_nothing_of_the_hands() -> None:
    play = stage(HANDS, "9s 3p")
    play.discard(0, "E")
    board = json.loads(show_board(SETTLED, view(play.table, SPECTATOR)).board)
    assert board["rivers"] == [["E"], [], [], []]
    assert board["dora"] == [tile_to_text(play.table.dora[0])]
    assert board["riichi"] == [False] * 4
    assert set(board) == {"rivers", "riichi", "dora"}, "nothing of turn, draw or wall"


def test_table_of_three_has_no_ratings_and_its_own_last_hand() -> None:
    listed = dataclasses.replace(QUIET, seats=QUIET.seats[:3])
    assert [rating for _seat, rating in WatchedTable(listed).players] == [None] * 3
    play = stage([""] * 3, rules=preset("tenhou-3"), scores=(35_000,) * 3)
    for kyoku, is_last in ((5, False), (6, True)):
        seen = replace(view(play.table, SPECTATOR), kyoku=kyoku)
        assert show_board(SETTLED, seen).is_last_hand == is_last


def board_of(kyoku: int, scores: BySeat[int], **more: Any) -> LiveBoard:
    return show_board(SETTLED, replace(Table(), kyoku=kyoku, scores=scores, **more))


def test_stakes_name_last_hands_close_races_and_riichi() -> None:
    early = board_of(0, (25_000, 25_000, 25_000, 25_000))
    assert early.stakes == ()
    hands = (Hand(riichi=Riichi.ACCEPTED), Hand(riichi=Riichi.DECLARED), Hand(), Hand())
    last = board_of(7, (31_000, 30_000, 20_000, 18_000), hands=hands, kyotaku=2)
    assert last.stakes == (
        "Last hand: 1,000 points between 1st and 2nd",
        "1 player in riichi",
        "2 riichi sticks on the table",
    )
    east = board_of(
        3, (50_000, 20_000, 20_000, 10_000), rules=replace(Table().rules, length="east")
    )
    points = [interest(WatchedTable(QUIET, live=board)) for board in (early, last, east)]
    assert points == [0, 20 + 10 + 5, 20]


def test_events_people_ratings_and_spectators_are_interesting() -> None:
    people = tuple(ListedSeat("Ben", False, None, False) for _ in range(4))
    watched = dataclasses.replace(QUIET, seats=people, spectators=30)
    rated = dataclasses.replace(SETTLED, is_rated=True, ratings=(1_800, None, 1_600, None))
    event = EventOfTable("Cup", "/cup/", is_featured=True)
    assert interest(WatchedTable(watched)) == 4 * 5 + 20
    assert interest(WatchedTable(QUIET, live=rated)) == 20 + 17
    assert interest(WatchedTable(QUIET, event)) == 25 + 40


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_page_names_the_event_and_begins_with_the_feature_table() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 8, rounds=1)
    await officer.post(f"{PATH}round/", {"round": "1"})
    first, second = await tables_of(cup, 1)
    await sit_at(first.table_id, second.table_id)
    stranger = AsyncClient()
    for chosen in (second, first):
        await database_sync_to_async(choose_feature_table)(chosen)
        (await current_backend()).cache.clear()
        tables = await watchable_tables()
        assert tables[0].table.table_id == chosen.table_id
        best = await stranger.get("/watch/now/")
        assert best.headers["Location"] == f"/table/{chosen.table_id}/"
    text = text_of(await stranger.get("/watch/"))
    assert text.count("Autumn Cup, round 1") == 2
    assert text.count("Feature table") == 1
    rooms = await rooms_of([first, second])
    shown = {tile for board in boards_of(text) for river in board["rivers"] for tile in river}
    known = {
        tile_to_text(entry & 0xFF)
        for room in rooms
        for hand in room.table.hands
        for entry in hand.river
    }
    assert {tile.rstrip("!~") for tile in shown} <= known
    await Event.objects.filter(pk=cup.pk).aupdate(is_public=False)
    (await current_backend()).cache.clear()
    assert "Autumn Cup" not in text_of(await stranger.get("/watch/")), "it is private"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("watch", "note"),
    [
        ("closed_delayed", "Hands are closed. You see each hand 4 minutes after it is over."),
        ("open_delayed", "All hands are open. You see each hand 4 minutes after it is over."),
    ],
)
async def test_delayed_table_has_no_board_and_no_stakes(watch: str, note: str) -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 4, rounds=1, watch=watch, watch_delay_s=240)
    await officer.post(f"{PATH}round/", {"round": "1"})
    await sit_at(*[row.table_id for row in await tables_of(cup, 1)])
    (table,) = await watchable_tables()
    assert table.live is not None
    assert (table.live.board, table.live.stakes, table.live.lead) == ("", (), None)
    assert boards_of(text_of(await AsyncClient().get("/watch/"))) == []
    page = await AsyncClient().get(f"/table/{table.table.table_id}/")
    assert f'data-watch-note="{note}"' in text_of(page), "the page says when hands are shown"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_page_of_a_site_that_opens_no_tables_offers_a_game() -> None:
    backend, stranger = await current_backend(), AsyncClient()
    await start_drain(backend.process.redis, "Back at noon")
    assert (await stranger.get("/watch/now/")).headers["Location"] == "/watch/"
    assert "There are no public games right now." in text_of(await stranger.get("/watch/"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_table_of_people_is_listed_while_one_of_them_is_there() -> None:
    ben, backend = AsyncClient(), await current_backend()
    table_id = TableId((await ben.post("/play/")).headers["Location"].split("/")[2])
    seats = await backend.process.service.read_room(table_id)
    (seat,) = seats.people

    async def listed() -> set[str]:
        return {watched.table.table_id for watched in await watchable_tables()}

    assert table_id not in await listed(), "nobody has come yet"
    await backend.process.presence.arrive(table_id, seat)
    assert await listed() == {table_id}
    await backend.process.presence.leave(table_id, seat)
    assert table_id not in await listed(), "the player has gone"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_site_without_games_of_people_shows_one_table_of_bots() -> None:
    backend, stranger = await current_backend(), AsyncClient()
    text = text_of(await stranger.get("/watch/"))
    assert "bots only" in text
    assert "The strongest bots of this site." in text
    (watched,) = await watchable_tables()
    assert watched.table.is_of_bots
    opened = await asyncio.gather(*(show_standing_table(backend) for _ in range(3)))
    assert set(opened) == {watched.table.table_id}
    page = text_of(await stranger.get(f"/table/{opened[0]}/"))
    assert 'data-watch-note="You see the game live, with closed hands."' in page
    room = await backend.process.service.read_room(TableId(opened[0]))
    assert not room.meta.ladder
    assert not room.table.wall_draw, "the pages of players draw walls, and here are none"
    assert room.table.hands_dealt
    table_id = TableId((await stranger.post("/play/")).headers["Location"].split("/")[2])
    seat = (await backend.process.service.read_room(table_id)).people[0]
    await backend.process.presence.arrive(table_id, seat)
    assert [row.table.table_id for row in await watchable_tables()] == [table_id]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_next_visitor_opens_another_table_of_bots_after_the_end() -> None:
    backend = await current_backend()
    first = TableId(await show_standing_table(backend))
    await backend.process.service.apply_request(first, End())
    await ARCHIVE.archive_game(backend.process.service, first)
    assert not await Game.objects.aexists()
    second = await show_standing_table(backend)
    assert second != first
    assert await show_standing_table(backend) == second


def test_tables_of_bots_come_after_those_of_people() -> None:
    exciting = dataclasses.replace(SETTLED, is_last_hand=True, lead=100, riichi=3)
    bots = WatchedTable(dataclasses.replace(QUIET, is_of_bots=True), live=exciting)
    people = WatchedTable(QUIET, live=SETTLED)
    assert interest(bots) > interest(people)
    assert sorted([bots, people], key=viewers_order, reverse=True) == [people, bots]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_visits_from_one_address_are_limited() -> None:
    client = AsyncClient()
    most = rate_limits.WATCH_PAGES_OF_ADDRESS.at_most
    for _ in range(most - 1):
        await database_sync_to_async(rate_limits.WATCH_PAGES_OF_ADDRESS.count)("127.0.0.1")
    assert (await client.get("/watch/")).status_code == 200
    for path in ("/watch/", "/watch/now/"):
        refused = await client.get(path)
        assert refused.status_code == 429
        assert "Please wait" in text_of(refused)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_shared_list_survives_a_visitor_who_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, has_left = asyncio.Event(), asyncio.Event()
    reads = 0

    async def read_late() -> list[WatchedTable]:
        nonlocal reads
        reads += 1
        begun.set()
        await has_left.wait()
        await Person.objects.acount()
        return []

    monkeypatch.setattr(fragments, "watchable_tables", read_late)
    headers = [(b"host", b"testserver")]
    first = HttpCommunicator(application, "GET", "/watch/", headers=headers)
    await first.send_input({"type": "http.request"})
    await begun.wait()
    second = asyncio.create_task(fragments.live_list(await current_backend()))
    await asyncio.sleep(0)
    assert reads == 1, "both wait for one read"
    await first.send_input({"type": "http.disconnect"})
    await first.wait()
    has_left.set()
    assert (await second)["tables"] == []
