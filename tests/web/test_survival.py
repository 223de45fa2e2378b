"""Processes die in the middle of a hand, and the same hand goes on."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Final

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from game.engine.events import Event, GameStarted, HandStarted
from game.rooms.room import TableId
from tests.kit.processes import Site, wait_until
from tests.web.players import Client, NewClient
from tests.web.site import Served, serve
from tests.web.tables import AT_ONCE, log_of, table_opened
from tests.web.visitor import Visitor

WALKING_PACE: Final = msgspec.structs.replace(
    AT_ONCE, base_ms=5_000, bank_ms=20_000, pause_ms=30, bot_min_ms=20, bot_max_ms=60
)
PATIENCE_S: Final = 30.0


async def reached(client: Client, seq: int) -> None:
    """Wait until the client has seen that many events."""
    until = time.monotonic() + PATIENCE_S
    while client.seq < seq and not client.has_ended:
        assert time.monotonic() < until, f"the table stands still at {client.seq}"
        await asyncio.sleep(0.02)


async def calamity_in_mid_hand(
    served: Served, new_client: NewClient, people_count: int, strike: Callable[[], None]
) -> tuple[list[Client], list[Event]]:
    """Let people (and bots) play, strike, and see that they play on.

    Returns the clients and the log.
    """
    people = served.sign_in(*(f"person {number}" for number in range(people_count)))
    table_id = await table_opened(served.redis.url, people, WALKING_PACE)
    urls = [served.socket_url(table_id, server) for server in range(len(served.daphnes))]
    clients = [
        new_client(urls[seat % len(urls)], who.cookie, seed=seat) for seat, who in enumerate(people)
    ]
    games = [asyncio.create_task(client.play()) for client in clients]
    try:
        await reached(clients[0], 25)
        before = await log_of(served.redis.url, table_id)
        await asyncio.to_thread(strike)
        after_strike = len(await log_of(served.redis.url, table_id))
        await reached(clients[0], clients[0].seq + 60)
        log = await _settled_log(served, table_id, after_strike + 60)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
    assert log[: len(before)] == before, "what had happened has been forgotten"
    assert not isinstance(log[len(before)], GameStarted | HandStarted), "the hand was dealt anew"
    return clients, log


async def _settled_log(served: Served, table_id: TableId, at_least: int) -> list[Event]:
    until = time.monotonic() + PATIENCE_S
    while len(log := await log_of(served.redis.url, table_id)) < at_least:
        assert time.monotonic() < until, f"the log stands still at {len(log)}"
        await asyncio.sleep(0.05)
    return log


@pytest.mark.timeout(120)
async def test_the_web_server_dies_and_the_hand_goes_on(site: Site, new_client: NewClient) -> None:
    served = serve(site, daphnes=1, workers=1)
    daphne = served.daphnes[0]

    def strike() -> None:
        daphne.kill()
        time.sleep(3)
        daphne.start()

    clients, _ = await calamity_in_mid_hand(served, new_client, 4, strike)
    for client in clients:
        assert not [error for error in client.errors if error["code"] != "unavailable"]
        assert client.view is not None
        assert not any(client.view["away"]), "a player was taken for gone"
        if client.clock is not None and client.view["phase"] != "result":
            assert client.clock["bank_ms"] == WALKING_PACE.bank_ms, "time was burnt"


@pytest.mark.timeout(120)
async def test_a_worker_dies_and_another_takes_over(site: Site, new_client: NewClient) -> None:
    served = serve(site, daphnes=1, workers=2)
    await calamity_in_mid_hand(served, new_client, 1, served.workers[0].kill)


@pytest.mark.timeout(120)
async def test_redis_dies_and_comes_back_with_the_same_hand(
    site: Site, new_client: NewClient
) -> None:
    served = serve(site, daphnes=2, workers=1)

    def strike() -> None:
        served.redis.stop()
        time.sleep(2)
        served.redis.start()

    clients, _ = await calamity_in_mid_hand(served, new_client, 2, strike)
    for client in clients:
        assert client.view is not None
        assert not any(client.view["away"])


@pytest.mark.timeout(120)
async def test_a_server_that_is_told_to_end_says_so_and_nobody_has_left(
    site: Site, new_client: NewClient
) -> None:
    served = serve(site, daphnes=2, workers=1)
    people = served.sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await table_opened(served.redis.url, people)
    clients = [new_client(served.socket_url(table_id), p.cookie) for p in people]
    for client in clients:
        await client.open()
        await client.until("sync")
    ending = asyncio.create_task(asyncio.to_thread(served.daphnes[0].stop))
    for client in clients:
        with pytest.raises(ConnectionClosed):
            await client.receive(10)
        assert client.close_code == 4503
    await ending
    again = new_client(served.socket_url(table_id, 1), people[0].cookie)
    await again.open()
    sync = await again.until("sync")
    assert not any(sync["view"]["away"])


@pytest.mark.timeout(120)
async def test_while_redis_is_away_pages_and_sockets_say_so(
    site: Site, new_client: NewClient
) -> None:
    served = serve(site)
    (anna,) = served.sign_in("Anna")
    table_id = await table_opened(served.redis.url, [anna])
    seated = new_client(served.socket_url(table_id), anna.cookie)
    await seated.open()
    await seated.until("sync")
    visitor = Visitor(served.daphnes[0].url)
    first_page = await asyncio.to_thread(visitor.get, "/")
    served.redis.stop()

    pages = [await asyncio.to_thread(visitor.get, path) for path in ("/", "/watch/", "/readyz")]
    assert [page.status for page in pages] == [200, 503, 503]
    assert (await asyncio.to_thread(visitor.get, f"/table/{table_id}/")).status == 503
    refused = await asyncio.to_thread(visitor.submit, first_page, "/play/")
    assert refused.status == 503
    assert "No table just now" in refused.text
    await seated.send({"t": "ping", "seq": seated.seq, "at": 0})
    assert (await seated.until("pong"))["at"] == 0
    answer = {"type": "dahai", "pai": "1m", "tsumogiri": True}
    await seated.send({"t": "act", "cid": "a", "q": seated.q, "a": answer})
    error = await seated.until("error")
    assert error["code"] in ("unavailable", "illegal")
    newcomer = new_client(served.socket_url(table_id))
    await newcomer.open_silently()
    assert (await newcomer.receive())["code"] == "unavailable"
    with pytest.raises(ConnectionClosed):
        await newcomer.receive()
    assert newcomer.close_code == 4503

    served.redis.start()
    back = new_client(served.socket_url(table_id), anna.cookie)
    returning = asyncio.create_task(back.play(until_seq=2))
    await reached(back, 2)
    await returning
    assert back.you == 0


@pytest.mark.timeout(60)
def test_without_a_worker_the_site_is_not_ready(site: Site) -> None:
    served = serve(site)
    visitor = Visitor(served.daphnes[0].url)
    (worker,) = served.workers

    def is_ready() -> bool:
        page = visitor.get("/readyz")
        found = json.loads(page.text)
        assert found.pop("worker") == (page.status == 200)
        assert found == {"database": True, "redis": True}
        return page.status == 200

    wait_until(is_ready, within_s=20, what="the site is ready")
    worker.kill()
    wait_until(lambda: not is_ready(), within_s=10, what="a dead worker is missed")
    worker.start()
    wait_until(is_ready, within_s=20, what="the site is ready again")
    worker.stop()
    assert not is_ready(), "a worker that ends says so"
