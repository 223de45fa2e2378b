"""Bots wait for rated games, against bots of other owners."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any, Final

import pytest
import websockets
from django.conf import settings

from game.live.process import Process
from game.tables.room import Room, TableId
from lobby.bots.ladder_queue import WaitingBot, pair_bots
from tests.bot_socket.bot_client import Bot, BotClient, register_bots_of
from tests.kit.long_form import IS_LONG
from tests.web.site import RunningSite

_RATINGS: Final = """
import json, sys
from game.models import RatingChange

rows = RatingChange.objects.filter(rating__player__person_id__in=json.load(sys.stdin))
print("made:" + json.dumps([
    {
        "bot": str(row.rating.player.person_id),
        "ladder": row.rating.ladder_id,
        "games": row.rating.games,
        "rise": row.mu - row.mu_before,
        "place": row.game.seats.get(person_id=row.rating.player.person_id).place,
    }
    for row in rows.select_related("rating__player", "game")
]))
"""
_RATED_WITHIN_S: Final = 60


def waits(*rows: tuple[str, str]) -> list[WaitingBot]:
    """Return waiting bots from (bot, owner) pairs; the first has waited longest."""
    return [WaitingBot(bot, owner, since) for since, (bot, owner) in enumerate(rows)]


def test_longest_waiting_bots_of_different_owners_are_matched() -> None:
    queue = waits(("a", "1"), ("b", "1"), ("c", "2"), ("d", "3"), ("e", "4"), ("f", "5"))
    assert [waiting.bot for waiting in pair_bots(queue[::-1], 4)] == ["a", "c", "d", "e"]
    assert pair_bots(queue[:4], 4) == [], "the waiting bots have only three owners"
    assert [waiting.bot for waiting in pair_bots(queue[:4], 3)] == ["a", "c", "d"]
    assert pair_bots([], 4) == []


async def room_of(running_site: RunningSite, table_id: str) -> Room:
    process = Process(running_site.redis.url)
    try:
        return await process.service.read_room(TableId(table_id))
    finally:
        await process.stop()


async def waiting_client(
    running_site: RunningSite, bot: Bot, ladder: str = "tenhou.east"
) -> BotClient:
    client = BotClient(running_site.daphnes[0].websocket_url, bot.token)
    client.query = f"?ladder={ladder}"
    await client.open()
    await client.until("connected")
    return client


@pytest.mark.parametrize(
    ("preset", "owners"),
    [
        (
            "tenhou",
            {"Ansel": ["Kama", "Kame"], "Bella": ["Kami"], "Clara": ["Kamo"], "Doran": ["Kamu"]},
        ),
        ("tenhou-3", {"Irena": ["Kosa", "Kose"], "Jonas": ["Kosi"], "Klara": ["Koso"]}),
    ],
)
async def test_waiting_bots_of_enough_owners_get_a_rated_game(
    running_site: RunningSite, preset: str, owners: dict[str, list[str]]
) -> None:
    ladder = f"{preset}.east"
    bots = await asyncio.to_thread(register_bots_of, running_site, owners)
    clients = [await waiting_client(running_site, bots[0], ladder)]
    try:
        await clients[0].until("waiting")  # it is in the queue before the other bot of its owner
        clients += [await waiting_client(running_site, bot, ladder) for bot in bots[1:]]
        assert (await clients[1].until("waiting"))["reason"] == "owner"
        tables = [await client.until("seated") for client in clients[2:]]
        assert len({table["table"] for table in tables}) == 1
        room = await room_of(running_site, tables[0]["table"])
        assert room.meta.ladder == f"bots.{ladder}"
        assert room.meta.rated == (True,) * len(owners)
        owner_of = {bot.person: bot.owner for bot in bots}
        assert len({owner_of[seat.person] for seat in room.meta.seats}) == len(owners)
        assert all(seat.is_program for seat in room.meta.seats)
        assert room.table.rules.length == "east"
    finally:
        for client in clients:
            await client.close()


def rating_changes(running_site: RunningSite, bots: list[Bot]) -> list[dict[str, Any]]:
    """Return the rating changes of these bots from the database of the site."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", _RATINGS],
        input=json.dumps([bot.person for bot in bots]),
        env=running_site.site.env,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("made:"))
    rows: list[dict[str, Any]] = json.loads(line.removeprefix("made:"))
    return rows


@pytest.mark.skipif(not IS_LONG, reason="LONG=1 plays a whole East game")
@pytest.mark.timeout(900)
async def test_ladder_game_of_bots_changes_their_ratings(running_site: RunningSite) -> None:
    owners = {"Elira": ["Kanu"], "Fabio": ["Kena"], "Gerda": ["Kino"], "Halim": ["Kuna"]}
    bots = await asyncio.to_thread(register_bots_of, running_site, owners)
    clients = [await waiting_client(running_site, bot) for bot in bots]
    try:
        async with asyncio.TaskGroup() as games:
            for client in clients:
                games.create_task(client.play())
    finally:
        for client in clients:
            await client.close()
    assert not any(client.refused for client in clients)
    async with asyncio.timeout(_RATED_WITHIN_S):
        changes = await asyncio.to_thread(rating_changes, running_site, bots)
        while len(changes) < 4:
            await asyncio.sleep(0.5)
            changes = await asyncio.to_thread(rating_changes, running_site, bots)
    assert {row["bot"] for row in changes} == {bot.person for bot in bots}
    assert {row["ladder"] for row in changes} == {"bots.tenhou.east"}
    assert {row["games"] for row in changes} == {1}
    by_place = sorted(changes, key=lambda row: row["place"])
    assert [row["place"] for row in by_place] == [1, 2, 3, 4]
    rises = [row["rise"] for row in by_place]
    assert rises == sorted(rises, reverse=True)
    assert rises[0] > 0 > rises[-1]


async def test_unknown_ladder_closes_the_connection(
    running_site: RunningSite, all_bots: list[Bot]
) -> None:
    client = await waiting_client(running_site, all_bots[18], "tenhou.west")
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await client.until("seated")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404
