"""Bots continue their hand after a web server and a worker were killed, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import Any

import msgspec
import websockets

from game.engine.events import AwayChanged, GameStarted, HandStarted
from game.engine.perspective import redact
from game.records.mjai_seat import SeatLines
from game.tables.room import TableId
from tests.bot_socket.bot_client import Bot, BotClient, bot_table, register_bots
from tests.kit.processes import Site
from tests.web.site import RunningSite, serve
from tests.web.tables import AT_ONCE, commits_of, events_of

PACE = msgspec.structs.replace(
    AT_ONCE, base_ms=20_000, bank_ms=20_000, reaction_ms=30, bot_min_ms=20, bot_max_ms=60
)


class ReconnectingBot(BotClient):
    """A bot that connects to the next server whenever its connection ends."""

    def __init__(self, running_site: RunningSite, bot: Bot, seed: int) -> None:
        self.urls = [daphne.websocket_url for daphne in running_site.daphnes]
        super().__init__(self.urls[seed % len(self.urls)], bot.token, seed=seed)
        self.returns = 0

    async def play_on(self) -> None:
        while True:
            with contextlib.suppress(websockets.WebSocketException, OSError):
                await self.open()
                await self.play()
                return
            self.returns += 1
            self.url = self.urls[self.returns % len(self.urls)]
            await asyncio.sleep(0.1)


async def until_commits(running_site: RunningSite, table_id: TableId, count: int) -> None:
    until = time.monotonic() + 90
    while (found := len(await commits_of(running_site.redis.url, table_id))) < count:
        assert time.monotonic() < until, f"the log still has {found} commits"
        await asyncio.sleep(0.1)


async def wait_for_accepted(clients: list[ReconnectingBot], count: int) -> None:
    """Wait until each bot had so many answers accepted."""
    until = time.monotonic() + 60
    while (found := min(client.acks["accepted"] for client in clients)) < count:
        assert time.monotonic() < until, f"a bot had only {found} answers accepted"
        await asyncio.sleep(0.1)


def expected_lines(log: list[Any], seat: int) -> list[dict[str, Any]]:
    stream = SeatLines(seat)
    seen = [shown for event in log if (shown := redact(event, seat)) is not None]
    return [json.loads(json.dumps(line)) for event in seen for line in stream.lines(event)]


async def test_bots_continue_after_a_web_server_and_a_worker_die(site: Site) -> None:
    running_site = serve(site, daphnes=2, workers=2)
    bots = register_bots(running_site, "Owner", "Manuea", "Manueb")
    table_id = await bot_table(running_site.redis.url, bots, PACE)
    clients = [ReconnectingBot(running_site, bot, seed) for seed, bot in enumerate(bots)]
    games = [asyncio.create_task(client.play_on()) for client in clients]
    try:
        await until_commits(running_site, table_id, 40)
        before = await commits_of(running_site.redis.url, table_id)
        await asyncio.to_thread(running_site.daphnes[0].kill)
        await asyncio.to_thread(running_site.workers[0].kill)
        await until_commits(running_site, table_id, len(before) + 60)
        await wait_for_accepted(clients, 6)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        for client in clients:
            await client.cut()
    log = await commits_of(running_site.redis.url, table_id)
    assert log[: len(before)] == before
    following = events_of(log[len(before) :])
    assert not isinstance(following[0], GameStarted | HandStarted), "the hand was dealt anew"
    assert not [event for event in events_of(log) if isinstance(event, AwayChanged) and event.away]
    done = [(commit.seat, commit.cid) for commit in log if commit.cid]
    assert len(done) == len(set(done)), "an answer was carried out twice"
    assert clients[0].returns, "the server of this bot did not die"
    for seat, client in enumerate(clients):
        assert not client.refused, client.refused
        accepted = client.acks["accepted"]
        assert accepted > 5
        _check_lines(client.game, expected_lines(events_of(log), seat))


def _check_lines(told: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Check that the last connection of the bot got the game without a gap, from the start of a
    hand."""
    assert told[0] in (expected[0], expected[0] | {"resumed": True})
    start = expected.index(told[1])
    assert expected[start]["type"] == "start_kyoku"
    assert told[1:] == expected[start : start + len(told) - 1]
