"""Bots wait for rated games, against bots of other owners."""

from __future__ import annotations

import asyncio

import pytest
import websockets

from game.live.process import Process
from game.tables.room import Room, TableId
from lobby.bots.ladder_queue import Waiting, pair
from tests.bot_socket.bot_client import Bot, BotClient, register_bots_of
from tests.web.site import Served


def waits(*rows: tuple[str, str]) -> list[Waiting]:
    """Bots with their owners, the longest wait first."""
    return [Waiting(bot, owner, since) for since, (bot, owner) in enumerate(rows)]


def test_table_has_bots_of_four_owners_the_longest_waits_first() -> None:
    queue = waits(("a", "1"), ("b", "1"), ("c", "2"), ("d", "3"), ("e", "4"), ("f", "5"))
    assert [one.bot for one in pair(queue[::-1])] == ["a", "c", "d", "e"]
    assert pair(queue[:4]) == [], "only three owners"
    assert pair([]) == []


async def room_of(served: Served, table_id: str) -> Room:
    process = Process(served.redis.url)
    try:
        return await process.service.read_room(TableId(table_id))
    finally:
        await process.stop()


async def waiting_client(served: Served, bot: Bot, ladder: str = "tenhou.east") -> BotClient:
    client = BotClient(served.daphnes[0].websocket_url, bot.token)
    client.query = f"?ladder={ladder}"
    await client.open()
    await client.until("connected")
    return client


@pytest.mark.timeout(180)
async def test_waiting_bots_of_four_owners_get_a_rated_game(served: Served) -> None:
    owners = {"Ansel": ["Kama", "Kame"], "Bella": ["Kami"], "Clara": ["Kamo"], "Doran": ["Kamu"]}
    bots = await asyncio.to_thread(register_bots_of, served, owners)
    clients = [await waiting_client(served, bot) for bot in bots]
    try:
        tables = [await client.until("seated") for client in clients[2:]]
        assert len({table["table"] for table in tables}) == 1
        room = await room_of(served, tables[0]["table"])
        assert room.meta.ladder == "bots.tenhou.east"
        assert room.meta.rated == (True,) * 4
        owner_of = {bot.person: bot.owner for bot in bots}
        assert len({owner_of[seat.person] for seat in room.meta.seats}) == 4
        assert all(seat.is_program for seat in room.meta.seats)
        assert room.table.rules.length == "east"
    finally:
        for client in clients:
            await client.close()


@pytest.mark.timeout(120)
async def test_unknown_ladder_closes_the_connection(served: Served, all_bots: list[Bot]) -> None:
    client = await waiting_client(served, all_bots[18], "tenhou.west")
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await client.until("seated")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404
