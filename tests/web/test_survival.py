"""Processes die during a hand, and the hand continues."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Final

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from game.engine.events import AwayChanged, GameStarted, HandStarted
from game.live.heartbeat import now_ms
from game.live.process import Process
from game.tables.keys import due_key, shard_of
from game.tables.room import Commit, TableId
from game.tables.worker import LEASE_MS
from tests.kit.processes import Site, wait_until
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, serve
from tests.web.tables import AT_ONCE, commits_of, events_of, open_table
from tests.web.visitor import Visitor

SLOW_CLOCK: Final = msgspec.structs.replace(
    AT_ONCE, base_ms=3_000, bank_ms=1_000, reaction_ms=30, bot_min_ms=20, bot_max_ms=60
)
"""Deadlines that every client meets, but that end within an outage: they are missed unless the
server gives the time back."""
OUTAGE_S: Final = 5.0
PATIENCE_S: Final = 30.0


async def wait_for_seq(client: Client, seq: int, within_s: float = PATIENCE_S) -> None:
    """Wait until the client has seen that many events."""
    until = time.monotonic() + within_s
    while client.seq < seq and not client.has_ended:
        assert time.monotonic() < until, f"the table makes no progress at event {client.seq}"
        await asyncio.sleep(0.02)


async def check_hand_survives(
    running_site: RunningSite,
    new_client: NewClient,
    people_count: int,
    cause_outage: Callable[[], None],
) -> None:
    """Let people and bots play, call `cause_outage`, and check that the same hand goes on: no
    action is lost, and nobody has lost time."""
    people = running_site.sign_in(*(f"person {number}" for number in range(people_count)))
    table_id = await open_table(running_site.redis.url, people, SLOW_CLOCK)
    urls = [
        running_site.socket_url(table_id, server) for server in range(len(running_site.daphnes))
    ]
    clients = [
        new_client(urls[seat % len(urls)], person.cookie, seed=seat)
        for seat, person in enumerate(people)
    ]
    games = [asyncio.create_task(client.play()) for client in clients]
    try:
        await wait_for_seq(clients[0], 25)
        before = await commits_of(running_site.redis.url, table_id)
        await asyncio.to_thread(cause_outage)
        after_outage = len(await commits_of(running_site.redis.url, table_id))
        await wait_for_seq(clients[0], clients[0].seq + 60)
        await _wait_for_commits(running_site, table_id, after_outage + 30)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
    log = await commits_of(running_site.redis.url, table_id)  # no client receives anything more
    assert log[: len(before)] == before, "the log has lost commits"
    _check_that_the_hand_goes_on(log, len(before))
    _check_that_nothing_is_lost_or_done_twice(log, clients)
    _check_that_no_time_is_lost(log, people_count)
    for client in clients:
        assert not [error for error in client.errors if error["code"] != "unavailable"]


async def _wait_for_commits(
    running_site: RunningSite, table_id: TableId, at_least: int
) -> list[Commit]:
    until = time.monotonic() + PATIENCE_S
    while len(log := await commits_of(running_site.redis.url, table_id)) < at_least:
        assert time.monotonic() < until, f"the log still has {len(log)} commits"
        await asyncio.sleep(0.05)
    return log


def _check_that_the_hand_goes_on(log: list[Commit], outage_at: int) -> None:
    dealt = [isinstance(event, HandStarted) for event in events_of(log[:outage_at])]
    assert dealt.count(True) >= 1
    next_event = events_of(log[outage_at:])[0]
    assert not isinstance(next_event, GameStarted | HandStarted), "the hand was dealt anew"


def _check_that_nothing_is_lost_or_done_twice(log: list[Commit], clients: list[Client]) -> None:
    done = [(commit.seat, commit.cid) for commit in log if commit.cid]
    assert len(done) == len(set(done))
    for seat, client in enumerate(clients):
        assert client.acknowledged
        lost = {cid for cid in client.acknowledged if (seat, cid) not in done}
        assert not lost, f"seat {seat} was told that {lost} were done"


def _check_that_no_time_is_lost(log: list[Commit], people_count: int) -> None:
    assert not [event for event in events_of(log) if isinstance(event, AwayChanged)]
    for commit in log:
        left = commit.clock.bank[:people_count]
        assert left == (SLOW_CLOCK.bank_ms,) * people_count, f"at version {commit.version}"


async def test_hand_continues_after_a_web_server_dies(site: Site, new_client: NewClient) -> None:
    running_site = serve(site, daphnes=1, workers=1)
    daphne = running_site.daphnes[0]

    def cause_outage() -> None:
        daphne.kill()
        time.sleep(OUTAGE_S)
        daphne.start()

    await check_hand_survives(running_site, new_client, 4, cause_outage)


async def test_another_worker_continues_after_a_death(site: Site, new_client: NewClient) -> None:
    running_site = serve(site, daphnes=1, workers=2)
    await check_hand_survives(running_site, new_client, 1, running_site.workers[0].kill)


async def test_next_worker_finishes_a_killed_workers_task(site: Site) -> None:
    running_site = serve(site, daphnes=0, workers=1)
    (worker,) = running_site.workers
    table_id = await open_table(running_site.redis.url, [], SLOW_CLOCK)
    before = await _wait_for_commits(running_site, table_id, 10)
    worker.pause()
    log = await commits_of(running_site.redis.url, table_id)
    due = await _due_at(running_site, table_id)
    worker.kill()
    killed_at = now_ms()
    site.start_worker()
    looking_at = await _first_look_since(running_site, killed_at)
    longer = await _wait_for_commits(running_site, table_id, len(log) + 20)
    assert longer[: len(log)] == log
    assert len(log) >= len(before)
    begins_at = max(due + LEASE_MS, looking_at)
    assert due <= longer[len(log)].at < begins_at + 2_000, "at the latest after its lease"


async def _first_look_since(running_site: RunningSite, since: int) -> int:
    """Wait until a worker looks for due tables after `since`; return the time."""
    until = time.monotonic() + PATIENCE_S
    process = Process(running_site.redis.url)
    try:
        while (looked_at := await process.worker_beats.last_at()) <= since:
            assert time.monotonic() < until, "no worker looks for what is due"
            await asyncio.sleep(0.02)
        return looked_at
    finally:
        await process.stop()


async def _due_at(running_site: RunningSite, table_id: TableId) -> int:
    """Return the time at which the table is due."""
    process = Process(running_site.redis.url)
    try:
        return int(await process.redis.zscore(due_key(shard_of(table_id)), table_id) or 0)
    finally:
        await process.stop()


async def test_hand_survives_a_redis_restart(site: Site, new_client: NewClient) -> None:
    running_site = serve(site, daphnes=2, workers=1)

    def cause_outage() -> None:
        running_site.redis.stop()
        time.sleep(OUTAGE_S)
        running_site.redis.start()

    await check_hand_survives(running_site, new_client, 2, cause_outage)


async def test_server_shutdown_is_announced_and_nobody_leaves(
    site: Site, new_client: NewClient
) -> None:
    running_site = serve(site, daphnes=2, workers=1)
    people = running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await open_table(running_site.redis.url, people)
    clients = [new_client(running_site.socket_url(table_id), person.cookie) for person in people]
    for client in clients:
        await client.open()
        await client.until("sync")
    ending = asyncio.create_task(asyncio.to_thread(running_site.daphnes[0].stop))
    for client in clients:
        with pytest.raises(ConnectionClosed):
            await client.receive()
        assert client.close_code == 4512
    await ending
    again = new_client(running_site.socket_url(table_id, 1), people[0].cookie)
    await again.open()
    sync = await again.until("sync")
    assert not any(sync["view"]["away"])


async def test_pages_and_sockets_report_a_lost_redis(site: Site, new_client: NewClient) -> None:
    running_site = serve(site)
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna])
    seated = new_client(running_site.socket_url(table_id), anna.cookie)
    await seated.open()
    await seated.until("sync")
    visitor = Visitor(running_site.daphnes[0].url)
    first_page = await asyncio.to_thread(visitor.get, "/")
    running_site.redis.stop()

    pages = [await asyncio.to_thread(visitor.get, path) for path in ("/", "/watch/", "/readyz")]
    assert [page.status for page in pages] == [200, 503, 503]
    assert (await asyncio.to_thread(visitor.get, f"/table/{table_id}/")).status == 503
    refused = await asyncio.to_thread(visitor.submit, first_page, "/play/")
    assert refused.status == 503
    assert "The tables cannot be reached" in refused.text
    await seated.send({"t": "ping", "seq": seated.seq, "at": 0})
    assert (await seated.until("pong"))["at"] == 0
    answer = {"type": "dahai", "pai": "1m", "tsumogiri": True}
    await seated.send({"t": "act", "cid": "a", "q": seated.q, "a": answer})
    error = await seated.until("error")
    assert error["code"] == "unavailable"
    newcomer = new_client(running_site.socket_url(table_id))
    await newcomer.open_silently()
    assert (await newcomer.receive())["code"] == "unavailable"
    with pytest.raises(ConnectionClosed):
        await newcomer.receive()
    assert newcomer.close_code == 4503

    running_site.redis.start()
    back = new_client(running_site.socket_url(table_id), anna.cookie)
    returning = asyncio.create_task(back.play(until_seq=2))
    await wait_for_seq(back, 2)
    await returning
    assert back.you == 0


async def test_leaving_without_redis_logs_no_error(
    site: Site, new_client: NewClient, capfd: pytest.CaptureFixture[str]
) -> None:
    running_site = serve(site)
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna])
    seated = new_client(running_site.socket_url(table_id), anna.cookie)
    await seated.open()
    await seated.until("sync")
    running_site.redis.stop()
    await seated.close()
    newcomer = new_client(running_site.socket_url(table_id))
    await newcomer.open_silently()
    assert (await newcomer.receive())["code"] == "unavailable", (
        "the socket's departure has been handled"
    )
    running_site.redis.start()
    back = new_client(running_site.socket_url(table_id), anna.cookie)
    returning = asyncio.create_task(back.play(until_seq=2))
    await wait_for_seq(back, 2)
    await returning
    assert "ERROR" not in capfd.readouterr().err


def test_without_a_worker_the_site_is_not_ready(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    running_site = serve(site)
    visitor = Visitor(running_site.daphnes[0].url)
    (worker,) = running_site.workers

    def is_ready() -> bool:
        page = visitor.get("/readyz")
        found = json.loads(page.text)
        assert found.pop("worker") == (page.status == 200)
        others = ("database", "redis", "notifications", "keeps_up")
        assert found == dict.fromkeys(others, True)
        return page.status == 200

    wait_until(is_ready, within_s=60, what="the site is ready")
    worker.kill()
    wait_until(lambda: not is_ready(), within_s=30, what="a dead worker is missed")
    worker.start()
    wait_until(is_ready, within_s=60, what="the site is ready again")
    worker.stop()
    assert not is_ready(), "an ending worker reports its end"
    assert capfd.readouterr().err == "", "only the asking client is answered"
