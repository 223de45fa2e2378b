"""Spectators see hands closed at once or open after a delay, and never both."""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from game.engine.events import HandEnded, NorthSetAside
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.live.chat_store import ChatMessage, append_line
from game.redis.cancellation import cancel_and_wait
from game.tables.requests import End, Leave, Sit
from tests.kit.open_hands import LoggedHands, scan_open_hands
from tests.kit.processes import RedisServer, Site
from tests.web.backdated_tables import DELAY_MS, DELAY_S, BackdatedTables, now_ms
from tests.web.leak_scan import OPEN, SPECTATOR_VIEWER, scan
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, SignedPerson, serve
from tests.web.tables import AT_ONCE, commits_of, log_of
from tests.web.visitor import Visitor


@pytest.fixture(scope="module")
def running_site(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    """Yield a site with two web servers and no worker: tables move when the test moves them."""
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
def people(running_site: RunningSite) -> list[SignedPerson]:
    return running_site.sign_in("Anna", "Bruno", "Chika")


@pytest.fixture
async def backdated_tables(running_site: RunningSite) -> AsyncIterator[BackdatedTables]:
    made = BackdatedTables(running_site.redis.url)
    yield made
    await made.process.stop()


async def watching(client: Client) -> Client:
    await client.open()
    await client.until("sync")
    return client


async def frames_for(client: Client, seconds: float) -> list[tuple[int, str]]:
    """Return the frames that come within that time, each with the time when it came."""
    until, came = time.monotonic() + seconds, list[tuple[int, str]]()
    while (left := until - time.monotonic()) > 0:
        try:
            await client.receive(left)
        except TimeoutError:
            break
        came.append((now_ms(), client.frames[-1]))
    return came


async def frames_until_shown(clients: list[Client]) -> list[tuple[int, str]]:
    """Return the frames that come until each client has had more than 20 events and 5 `ev`."""
    came = list[tuple[int, str]]()
    news = [sum(json.loads(text)["t"] == "ev" for text in client.frames) for client in clients]

    def are_shown() -> bool:
        return min(client.seq for client in clients) > 20 and min(news) > 5

    async def read(at: int, client: Client) -> None:
        while not are_shown():
            frame = await client.receive()
            news[at] += frame["t"] == "ev"
            came.append((now_ms(), client.frames[-1]))

    await asyncio.gather(*itertools.starmap(read, enumerate(clients)))
    return came


async def closing(client: Client) -> int | None:
    try:
        while True:
            await client.receive()
    except ConnectionClosed:
        return client.close_code


@pytest.mark.parametrize(
    ("rules", "bot"), [(TENHOU, "tsumogiri"), (preset("tenhou-3"), "novice")], ids=["four", "three"]
)
async def test_hands_are_shown_open_only_after_their_end(
    running_site: RunningSite,
    backdated_tables: BackdatedTables,
    new_client: NewClient,
    rules: RuleSet,
    bot: str,
) -> None:
    backdated_tables.now -= DELAY_MS + 1_000
    table_id = await backdated_tables.open_table(
        "open_delayed", clock=replace(AT_ONCE, reaction_ms=100), rules=rules, bot=bot
    )
    while (await backdated_tables.process.service.read_room(table_id)).table.hands_dealt < 2:
        await backdated_tables.play_live(table_id, 0.1)
    first, other = [
        await watching(new_client(running_site.socket_url(table_id, server))) for server in (0, 1)
    ]
    came = [(now_ms(), frame) for client in (first, other) for frame in client.frames]
    playing = asyncio.create_task(backdated_tables.play_live(table_id, 60.0))
    came += await frames_until_shown([first, other])
    await cancel_and_wait([playing])
    assert other.seq == pytest.approx(first.seq, abs=20), "both servers show the same"
    again = await watching(new_client(running_site.socket_url(table_id)))
    came += [(now_ms(), frame) for frame in again.frames]

    commits = await commits_of(running_site.redis.url, table_id)
    assert scan_open_hands(came, commits, delay_ms=DELAY_MS) > 0
    log = [event for commit in commits for event in commit.events]
    assert any(isinstance(event, NorthSetAside) for event in log) == (rules.players == 3)

    view, sync = again.view, json.loads(again.frames[0])
    assert view is not None
    assert (sync["behind_s"], sync["opens_after"]) == (DELAY_S, "hand")
    assert all("?" not in hand["tiles"] for hand in view["hands"])
    assert (again.you, again.legal, again.clock) == (None, [], None)


async def test_closed_hands_are_shown_late_where_the_table_says_so(
    running_site: RunningSite, backdated_tables: BackdatedTables, new_client: NewClient
) -> None:
    backdated_tables.now -= DELAY_MS + 1_000
    table_id = await backdated_tables.open_table(
        "closed_delayed", clock=replace(AT_ONCE, reaction_ms=100)
    )
    while (await backdated_tables.process.service.read_room(table_id)).table.hands_dealt < 2:
        await backdated_tables.play_live(table_id, 0.1)
    spectator = await watching(new_client(running_site.socket_url(table_id)))
    came = [(now_ms(), frame) for frame in spectator.frames]
    playing = asyncio.create_task(backdated_tables.play_live(table_id, 60.0))
    try:
        came += await frames_until_shown([spectator])
    finally:
        await cancel_and_wait([playing])
    commits = await commits_of(running_site.redis.url, table_id)
    hands = LoggedHands(commits, delay_ms=DELAY_MS, only_after_game=False)
    assert [early for at, text in came if (early := hands.find_early_hands(at, text))] == []
    log = [event for commit in commits for event in commit.events]
    assert scan(spectator.frames, log, SPECTATOR_VIEWER) > 0
    sync = json.loads(spectator.frames[0])
    assert (sync["behind_s"], sync["opens_after"]) == (DELAY_S, "hand")
    assert spectator.seq < len(log)


async def test_running_rated_game_is_not_shown_open(
    running_site: RunningSite, backdated_tables: BackdatedTables, new_client: NewClient
) -> None:
    backdated_tables.now -= DELAY_MS + 1_000
    table_id = await backdated_tables.open_table("open_delayed", opens_after="game")
    spectator = await watching(new_client(running_site.socket_url(table_id)))
    frames, hands = [], 1
    while hands < 2:
        playing = backdated_tables.play_live(table_id, 1.0)
        frames += (await asyncio.gather(frames_for(spectator, 1.0), playing))[0]
        hands = (await backdated_tables.process.service.read_room(table_id)).table.hands_dealt
    again = await watching(new_client(running_site.socket_url(table_id, 1)))
    assert (again.seq, spectator.seq) == (0, 0)
    assert not any(json.loads(text)["t"] == "ev" for _, text in frames)
    await backdated_tables.process.service.apply_request(table_id, End())
    later = await watching(new_client(running_site.socket_url(table_id)))
    assert later.view is not None
    assert later.view["phase"] != "ended", "shown from its beginning, at its own pace"


async def test_spectator_cannot_request_the_running_hand(
    running_site: RunningSite, backdated_tables: BackdatedTables, new_client: NewClient
) -> None:
    backdated_tables.now -= DELAY_MS + 60_000
    table_id = await backdated_tables.open_table("open_delayed")
    await backdated_tables.play(table_id, backdated_tables.now + 3_000)
    spectator = await watching(new_client(running_site.socket_url(table_id)))
    assert (spectator.seq, spectator.view and spectator.view["phase"]) == (0, "idle")
    act = {"t": "act", "cid": "x", "q": 1, "a": {"type": "none"}}
    for message in (
        {"t": "ping", "seq": 40, "at": 0},
        {"t": "hello", "seq": 0},
        {"t": "study", "q": 1},
        {"t": "vote", "motion": "end"},
        {"t": "leave"},
        act,
    ):
        await spectator.send(message)
    await backdated_tables.play(table_id, backdated_tables.now + 1_000)
    frames = [json.loads(text) for _, text in await frames_for(spectator, 1.0)]
    assert {frame["t"] for frame in frames} <= {"sync", "pong", "error", "spectators"}
    assert all(frame["seq"] == 0 for frame in frames if frame["t"] == "sync")
    assert sum(frame["t"] == "error" for frame in frames) == 4
    log = await log_of(running_site.redis.url, table_id)
    assert len(log) > 20
    assert not any(isinstance(event, HandEnded) for event in log), "older than the delay, not over"
    assert scan(spectator.frames, log, OPEN) > 0


async def test_chat_is_shown_with_its_delayed_hand(
    running_site: RunningSite, backdated_tables: BackdatedTables, new_client: NewClient
) -> None:
    backdated_tables.now -= DELAY_MS + 60_000
    table_id = await backdated_tables.open_table("open_delayed")
    await backdated_tables.play(table_id, backdated_tables.now + 3_000)
    message = ChatMessage(backdated_tables.now, "p", "b0", 0, "one tile to go")
    await append_line(backdated_tables.process.redis, table_id, "table", message)
    url = running_site.socket_url(table_id)
    spectator = await watching(new_client(url))
    await frames_for(spectator, 2.0)
    assert not any("one tile to go" in text for text in spectator.frames)
    await backdated_tables.process.service.apply_request(table_id, End())
    later = await watching(new_client(running_site.socket_url(table_id, 1)))
    chat = await later.until("chat")
    assert [line["text"] for line in chat["lines"]] == ["one tile to go"]


async def test_seated_spectator_stops_watching(
    running_site: RunningSite,
    backdated_tables: BackdatedTables,
    people: list[SignedPerson],
    new_client: NewClient,
) -> None:
    backdated_tables.now -= DELAY_MS + 10_000
    anna, bruno, chika = people
    table_id = await backdated_tables.open_table("open_delayed", people=(anna.person, chika.person))
    backdated_tables.now += DELAY_MS + 10_000
    spectator = await watching(new_client(running_site.socket_url(table_id), bruno.cookie))
    stranger = await watching(new_client(running_site.socket_url(table_id)))
    await backdated_tables.process.service.apply_request(table_id, Leave(0))
    await backdated_tables.process.service.apply_request(table_id, Sit(0, bruno.person, "Bruno"))
    assert await closing(spectator) == 4410
    back = await watching(new_client(running_site.socket_url(table_id), bruno.cookie))
    assert back.you == 0
    assert back.view is not None
    assert [set(hand["tiles"]) == {"?"} for hand in back.view["hands"]] == [False, *[True] * 3]
    assert stranger.view is not None
    assert stranger.view["names"][0] == "p0", "chat is delayed like the events"


async def test_closed_table_has_no_spectators(
    running_site: RunningSite,
    backdated_tables: BackdatedTables,
    people: list[SignedPerson],
    new_client: NewClient,
) -> None:
    table_id = await backdated_tables.open_table("nobody", people=(people[0].person,))
    stranger = new_client(running_site.socket_url(table_id))
    await stranger.open_silently()
    assert await closing(stranger) == 4403
    assert not stranger.frames
    player = await watching(new_client(running_site.socket_url(table_id), people[0].cookie))
    assert player.you == 0

    visitor = Visitor(running_site.daphnes[0].url)
    assert (await asyncio.to_thread(visitor.get, f"/table/{table_id}/")).status == 404
    assert table_id not in (await asyncio.to_thread(visitor.get, "/watch/")).text


async def test_table_with_closed_hands_shows_none(
    running_site: RunningSite, backdated_tables: BackdatedTables, new_client: NewClient
) -> None:
    backdated_tables.now -= DELAY_MS + 5_000
    table_id = await backdated_tables.open_table("closed")
    backdated_tables.now += DELAY_MS + 5_000
    spectator = await watching(new_client(running_site.socket_url(table_id)))
    assert json.loads(spectator.frames[0])["behind_s"] == 0
    assert spectator.view is not None
    assert all(set(hand["tiles"]) == {"?"} for hand in spectator.view["hands"])


async def test_spectators_are_counted_over_all_processes(
    running_site: RunningSite,
    backdated_tables: BackdatedTables,
    people: list[SignedPerson],
    new_client: NewClient,
) -> None:
    table_id = await backdated_tables.open_table("closed", people=(people[0].person,))
    player = await watching(new_client(running_site.socket_url(table_id), people[0].cookie))
    spectators = [
        await watching(new_client(running_site.socket_url(table_id, server)))
        for server in (0, 1, 1)
    ]

    async def wait_for_count(count: int) -> None:
        frame: dict[str, Any] = {}
        while frame.get("count") != count:
            frame = await player.until("spectators")

    await wait_for_count(3)
    page = await asyncio.to_thread(Visitor(running_site.daphnes[1].url).get, "/watch/")
    assert "3 watching" in page.text
    await spectators[1].close()
    await wait_for_count(2)
