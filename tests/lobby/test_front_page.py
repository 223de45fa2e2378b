"""The live part of the first page: what it shows, and that all visitors share it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import AsyncClient
from django.utils import timezone

from game.engine.tiles import tile_to_text
from game.models import Game
from game.tables.maintenance import start_drain
from game.tables.room import TableId
from lobby.accounts import rate_limits
from lobby.models import Event
from lobby.play import front_page
from lobby.play.backend import current_backend
from lobby.play.watch_list import WatchedTable, watchable_tables
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import new_cup
from tests.lobby.pages import boards_of, sit_at, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


@pytest.fixture(autouse=True)
def _reset_caches() -> None:
    rate_limits.cache.clear()
    cache.clear()


async def test_part_shows_the_strongest_bots_while_nobody_plays() -> None:
    stranger = AsyncClient()
    page = text_of(await stranger.get("/"))
    assert 'data-from="/live/"' in page
    assert boards_of(page) == [], "the page waits for no table"
    part = text_of(await stranger.get("/live/"))
    assert "bots only" in part
    (board,) = boards_of(part)
    (watched,) = await watchable_tables()
    room = await (await current_backend()).process.service.read_room(
        TableId(watched.table.table_id)
    )
    discards = [[tile_to_text(tile & 0xFF) for tile in hand.river] for hand in room.table.hands]
    assert [[tile.rstrip("!~") for tile in river] for river in board["rivers"]] == discards
    assert set(board) == {"rivers", "riichi", "dora"}, "nothing of hands and wall"
    assert "leads" not in part, "nobody is ahead yet"


async def test_part_shows_people_waiting_players_games_and_events() -> None:
    anna, ben, stranger = AsyncClient(), AsyncClient(), AsyncClient()
    table_id = (await anna.post("/play/")).headers["Location"].split("/")[2]
    await sit_at(table_id)
    await ben.post("/lobby/seek/", {"preset": "tenhou", "length": "east", "bots": "60"})
    now = timezone.now()
    for number, hours in enumerate((1, 30)):
        await Game.objects.acreate(
            table_id=f"g{number}",
            rules={},
            is_public=True,
            started_at=now - timedelta(hours=hours),
            ended_at=now - timedelta(hours=hours),
            hands=[],
        )
    _officer, host = await account("Host")
    cup = await new_cup(await new_club(host), 8, rounds=1)
    await Event.objects.filter(pk=cup.pk).aupdate(starts_at=now + timedelta(days=1))
    part = text_of(await stranger.get("/live/"))
    assert f'href="/table/{table_id}/"' in part
    assert "bots only" not in part
    assert "2 people are here" in part
    assert "1 looks for a game" in part
    assert "1 game in the last 24 hours" in part
    assert "Autumn Cup" in part


async def test_all_visitors_share_the_part_for_five_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = 0

    async def count() -> list[WatchedTable]:
        nonlocal made
        made += 1
        return []

    monkeypatch.setattr(front_page, "watchable_tables", count)
    now = timezone.now()
    await Game.objects.acreate(
        table_id="g", rules={}, is_public=True, started_at=now, ended_at=now, hands=[]
    )
    first = await AsyncClient().get("/live/")
    again = await AsyncClient().get("/live/", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert made == 1
    french = await AsyncClient().get("/live/", headers={"Accept-Language": "fr"})
    assert french.status_code == 200
    assert made == 2, "one for each language"
    await database_sync_to_async(cache.delete)("front-page:en:made")
    await AsyncClient().get("/live/")
    assert made == 3


async def test_part_is_empty_while_no_table_may_be_opened() -> None:
    await start_drain((await current_backend()).process.redis, "Back at noon")
    assert "live-board" not in text_of(await AsyncClient().get("/live/"))
