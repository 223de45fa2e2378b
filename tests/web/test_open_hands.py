"""Open hands are never those of a running hand, while processes are killed, stopped and resumed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from game.engine.state import Phase
from game.tables.requests import Hold, Resume
from tests.kit.open_hands import Frame, scan_open_hands
from tests.kit.processes import RedisServer, Site
from tests.web.backdated_tables import DELAY_MS, BackdatedTables, now_ms
from tests.web.players import Client
from tests.web.site import RunningSite, serve
from tests.web.tables import AT_ONCE, commits_of

SERVERS = 2
WRITTEN_TO_DISK_S = 1.5
"""The time after which a killed Redis does not lose a write."""


@pytest.fixture
def running_site(migrated_database: Path, tmp_path: Path) -> Iterator[RunningSite]:
    """Yield a site with two web servers and no worker: tables move when the test moves them."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path, migrated_database)
        try:
            redis.start()
            yield serve(site, daphnes=SERVERS, workers=0)
        finally:
            site.stop()
            redis.kill()


async def spectate(url: str, came: list[Frame]) -> None:
    """Watch without end: reconnect whenever the connection breaks, and load the page again and
    again."""
    while True:
        client = Client(url)
        try:
            await client.open()
            for _ in range(40):
                try:
                    await client.receive(0.5)
                    came.append((now_ms(), client.frames[-1]))
                except TimeoutError:
                    await client.send({"t": "hello", "seq": client.seq})
                await client.beat()
        except (ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
            await asyncio.sleep(0.1)
        finally:
            await client.cut()


async def test_no_running_hand_is_shown_while_processes_are_killed(
    running_site: RunningSite,
) -> None:
    backdated, redis = BackdatedTables(running_site.redis.url), running_site.redis
    backdated.now -= DELAY_MS + 1_000
    table_id = await backdated.open_table("open_delayed", clock=replace(AT_ONCE, reaction_ms=60))
    came = list[Frame]()
    watching = [
        asyncio.create_task(spectate(running_site.socket_url(table_id, server), came))
        for server in (*range(SERVERS), *range(SERVERS))
    ]
    first, second = running_site.daphnes

    async def meanwhile(seconds: float = 2.0) -> None:
        await backdated.play_live(table_id, seconds)

    async def restarted() -> None:
        await asyncio.to_thread(first.kill)
        await asyncio.to_thread(first.start)

    try:
        await meanwhile(3.0)
        for _ in range(2):
            playing = asyncio.create_task(meanwhile(8.0))
            await restarted()
            second.pause()
            await asyncio.sleep(1.0)
            second.resume()
            await playing
            while (
                room := await backdated.process.service.read_room(table_id)
            ).table.phase != Phase.TURN:
                assert room.table.phase != Phase.ENDED, "the game was too short for this test"
                await meanwhile(0.05)
            # In the middle of a hand, stop the clocks and restart all processes.
            await backdated.process.service.apply_request(table_id, Hold(3_600_000, "Maintenance"))
            await asyncio.sleep(WRITTEN_TO_DISK_S)
            await asyncio.to_thread(redis.kill)
            await asyncio.to_thread(redis.start)
            await restarted()
            await backdated.process.service.apply_request(table_id, Resume())
            await meanwhile()
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        await backdated.process.stop()
    commits = await commits_of(redis.url, table_id)
    shown = scan_open_hands(came, commits, delay_ms=DELAY_MS)
    print(f"{len(came)} frames scanned, {shown} hands shown")
    assert shown > 1
