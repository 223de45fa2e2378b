"""Who watches a table: hands closed at once, or open and late, and never both."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from game.engine.clock import ClockSettings
from game.engine.events import Answered
from game.engine.rules import TENHOU
from game.rooms.matters import Leave, Sit
from game.rooms.process import Process
from game.rooms.room import SeatMeta, TableId, Watch
from tests.kit.processes import RedisServer, Site
from tests.web.players import Client, NewClient
from tests.web.sight import OPEN, scan
from tests.web.site import Served, Signed, serve
from tests.web.tables import AT_ONCE, commits_of, events_of, log_of
from tests.web.visitor import Visitor

DELAY_S = 180
DELAY_MS = 1000 * DELAY_S


@pytest.fixture(scope="module")
def served(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two web servers and no worker: tables move when the test moves them."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            redis.start()
            yield serve(site, daphnes=2, workers=0)
        finally:
            site.stop()
            redis.kill()


@pytest.fixture(scope="module")
def people(served: Served) -> list[Signed]:
    return served.sign_in("Anna", "Bruno", "Chika")


class Past:
    """The tables of a process whose clock is the test's: what it commits has happened then."""

    def __init__(self, url: str) -> None:
        self.now = int(time.time() * 1000)
        self.process = Process(url, now_ms=lambda: self.now)

    async def table(
        self, watch: Watch, *, people: tuple[str, ...] = (), clock: ClockSettings = AT_ONCE
    ) -> TableId:
        """A table with these people, and bots in the seats after them."""
        seats = [SeatMeta(f"p{at}", person) for at, person in enumerate(people)]
        seats += [SeatMeta(f"b{at}", bot="tsumogiri") for at in range(len(seats), 4)]
        return await self.process.service.open_table(
            seats=(seats[0], seats[1], seats[2], seats[3]),
            rules=TENHOU,
            clock=clock,
            watch=watch,
            watch_delay_s=DELAY_S if watch == "open_delayed" else 0,
            may_join=True,
        )

    async def plays(self, table_id: TableId, until: int, step_ms: int = 200) -> None:
        """The bots go on until that moment."""
        while self.now < until:
            self.now += step_ms
            await self.process.service.tick(table_id)


@pytest.fixture
async def past(served: Served) -> AsyncIterator[Past]:
    made = Past(served.redis.url)
    yield made
    await made.process.stop()


async def watching(client: Client) -> Client:
    await client.open()
    await client.until("sync")
    return client


async def frames_for(client: Client, seconds: float) -> list[tuple[int, str]]:
    """What comes within that time, each with the moment when it came."""
    until, came = time.monotonic() + seconds, list[tuple[int, str]]()
    while (left := until - time.monotonic()) > 0:
        try:
            await client.receive(left)
        except TimeoutError:
            break
        came.append((int(time.time() * 1000), client.frames[-1]))
    return came


async def closing(client: Client) -> int | None:
    try:
        while True:
            await client.receive(5.0)
    except ConnectionClosed:
        return client.close_code


async def test_all_hands_are_seen_late_and_nothing_of_them_any_earlier(
    served: Served, past: Past, new_client: NewClient
) -> None:
    due = past.now - DELAY_MS
    past.now = due - 15_000
    table_id = await past.table("open_delayed")
    await past.plays(table_id, due + 30_000)
    log = events_of(commits := await commits_of(served.redis.url, table_id))
    seen_at = [
        commit.at
        for commit in commits
        for event in commit.events
        if not isinstance(event, Answered)
    ]
    first, other = [
        await watching(new_client(served.socket_url(table_id, server))) for server in (0, 1)
    ]
    came = [(int(time.time() * 1000), frame) for frame in first.frames]
    came += (await asyncio.gather(frames_for(first, 3.0), frames_for(other, 3.0)))[0]
    again = await watching(new_client(served.socket_url(table_id)))
    came += [(int(time.time() * 1000), frame) for frame in again.frames]

    late_by = []
    for at, text in came:
        frame = json.loads(text)
        if frame["t"] in ("sync", "ev"):
            newest = seen_at[frame["seq"] - 1] + DELAY_MS
            assert newest <= at, "shown before its time"
            late_by.append(at - newest)
    sequel = [json.loads(text) for _, text in came if json.loads(text)["t"] == "ev"]
    assert len(sequel) > 3
    assert sorted(late_by)[len(late_by) // 2] < 2_000
    assert scan([text for _, text in came], log, OPEN) > 100
    assert other.seq == pytest.approx(first.seq, abs=4)

    view = again.view
    assert view is not None
    assert json.loads(again.frames[0])["behind_s"] == DELAY_S
    assert all("?" not in hand["tiles"] for hand in view["hands"])
    assert (again.you, again.legal, again.clock) == (None, [], None)


async def test_what_a_late_watcher_sends_does_not_bring_the_present(
    served: Served, past: Past, new_client: NewClient
) -> None:
    past.now -= 10_000
    table_id = await past.table("open_delayed")
    await past.plays(table_id, past.now + 8_000)
    watcher = await watching(new_client(served.socket_url(table_id)))
    assert (watcher.seq, watcher.view and watcher.view["phase"]) == (0, "idle")
    act = {"t": "act", "cid": "x", "q": 1, "a": {"type": "none"}}
    for message in (
        {"t": "ping", "seq": 40, "at": 0},
        {"t": "hello", "seq": 0},
        {"t": "study", "q": 1},
        {"t": "vote", "motion": "end"},
        {"t": "leave"},
        act,
    ):
        await watcher.send(message)
    await past.plays(table_id, past.now + 1_000)
    frames = [json.loads(text) for _, text in await frames_for(watcher, 1.0)]
    assert {frame["t"] for frame in frames} <= {"sync", "pong", "error", "watchers"}
    assert all(frame["seq"] == 0 for frame in frames if frame["t"] == "sync")
    assert sum(frame["t"] == "error" for frame in frames) == 4
    log = await log_of(served.redis.url, table_id)
    assert len(log) > 20
    assert scan(watcher.frames, log, OPEN) > 0


async def test_whoever_watches_late_and_then_has_a_seat_watches_no_more(
    served: Served, past: Past, people: list[Signed], new_client: NewClient
) -> None:
    past.now -= DELAY_MS + 10_000
    anna, bruno, chika = people
    table_id = await past.table("open_delayed", people=(anna.person, chika.person))
    past.now += DELAY_MS + 10_000
    watcher = await watching(new_client(served.socket_url(table_id), bruno.cookie))
    stranger = await watching(new_client(served.socket_url(table_id)))
    await past.process.service.settle(table_id, Leave(0, "tsumogiri"))
    await past.process.service.settle(table_id, Sit(0, bruno.person, "Bruno"))
    assert await closing(watcher) == 4410
    back = await watching(new_client(served.socket_url(table_id), bruno.cookie))
    assert back.you == 0
    assert back.view is not None
    assert [set(hand["tiles"]) == {"?"} for hand in back.view["hands"]] == [False, *[True] * 3]
    assert stranger.view is not None
    assert stranger.view["names"][0] == "p0", "late as everything else"


async def test_nobody_may_watch_where_the_table_says_so(
    served: Served, past: Past, people: list[Signed], new_client: NewClient
) -> None:
    table_id = await past.table("nobody", people=(people[0].person,))
    stranger = new_client(served.socket_url(table_id))
    await stranger.open_silently()
    assert await closing(stranger) == 4403
    assert not stranger.frames
    player = await watching(new_client(served.socket_url(table_id), people[0].cookie))
    assert player.you == 0

    visitor = Visitor(served.daphnes[0].url)
    assert (await asyncio.to_thread(visitor.get, f"/table/{table_id}/")).status == 404
    assert table_id not in (await asyncio.to_thread(visitor.get, "/watch/")).text


async def test_a_table_whose_hands_are_closed_shows_none_to_any_watcher(
    served: Served, past: Past, new_client: NewClient
) -> None:
    past.now -= DELAY_MS + 5_000
    table_id = await past.table("closed")
    past.now += DELAY_MS + 5_000
    watcher = await watching(new_client(served.socket_url(table_id)))
    assert json.loads(watcher.frames[0])["behind_s"] == 0
    assert watcher.view is not None
    assert all(set(hand["tiles"]) == {"?"} for hand in watcher.view["hands"])


async def test_watchers_are_counted_over_all_processes(
    served: Served, past: Past, people: list[Signed], new_client: NewClient
) -> None:
    table_id = await past.table("closed", people=(people[0].person,))
    player = await watching(new_client(served.socket_url(table_id), people[0].cookie))
    watchers = [
        await watching(new_client(served.socket_url(table_id, server))) for server in (0, 1, 1)
    ]

    async def told(count: int) -> None:
        frame: dict[str, Any] = {}
        while frame.get("count") != count:
            frame = await player.until("watchers")

    await told(3)
    page = await asyncio.to_thread(Visitor(served.daphnes[1].url).get, "/watch/")
    assert "3 watching" in page.text
    await watchers[1].close()
    await told(2)
