"""A table's socket is handed its messages by the server, and holds no task between them."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from game.live import consumer
from game.live.consumer import TableConsumer
from game.live.inbound import PROTOCOL_VERSION
from game.live.process import Process
from game.live.send_queue import SOCKET
from game.tables.room import Room, TableId
from mahjong_site.open_websocket import Inbox
from tests.tables.staging import MakeProcess, open_people_table, wait_for

pytestmark = pytest.mark.asyncio


class Served:
    """A socket of the server, in memory."""

    answered_at = 0.0

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.written: list[dict[str, Any]] = []

    @property
    def kinds(self) -> list[str]:
        return [frame["t"] for frame in self.written]

    def write_text(self, *texts: str) -> None:
        self.written += map(json.loads, texts)

    def ping(self) -> None:
        """Do nothing."""

    def receive(self, **message: Any) -> None:
        text = json.dumps(message, separators=(",", ":"))
        self.inbox.put_nowait({"type": "websocket.receive", "text": text})


class OpenPage(NamedTuple):
    """The page of a spectator whose socket has joined its table. `work` ends with the socket."""

    process: Process
    socket: Served
    work: asyncio.Future[None]


@pytest_asyncio.fixture
async def page(make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    process = await make_process("web")
    table_id = await open_people_table(process)

    async def current() -> Process:
        return process

    async def stranger(scope: Any, table_id: TableId) -> tuple[str, None]:
        return "stranger", None

    async def send(message: Any) -> None:
        """Drop what the server would send."""

    monkeypatch.setattr(consumer, "current", current)
    monkeypatch.setattr(consumer, "find_player_of_socket", stranger)
    socket = Served()
    scope = {
        "query_string": f"v={PROTOCOL_VERSION}".encode(),
        "url_route": {"kwargs": {"table_id": table_id}},
        "extensions": {SOCKET: socket},
    }
    work = socket.inbox.run(TableConsumer()(scope, socket.inbox.get, send))
    socket.inbox.put_nowait({"type": "websocket.connect"})
    await wait_for(lambda: socket.inbox._task is None)
    assert process.sockets
    return OpenPage(process, socket, work)


@pytest.fixture
def slow_reads(page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let reads of tables wait for the event."""
    released, read_room = asyncio.Event(), page.process.service.read_room

    async def slowly(table_id: TableId) -> Room:
        await released.wait()
        return await read_room(table_id)

    monkeypatch.setattr(page.process.service, "read_room", slowly)
    return released


async def test_ping_is_answered_in_the_call_that_reads_it(page: OpenPage) -> None:
    page.socket.receive(t="hello", seq=0)
    await wait_for(lambda: page.socket.written and page.socket.inbox._task is None)
    page.socket.receive(t="ping", seq=page.socket.written[0]["seq"], at=1)
    assert page.socket.kinds == ["sync", "spectators", "pong"]
    assert page.socket.inbox._task is None


async def test_message_waits_for_the_one_before(page: OpenPage, slow_reads: asyncio.Event) -> None:
    page.socket.receive(t="hello", seq=0)
    page.socket.receive(t="ping", seq=0, at=1)
    await asyncio.sleep(0)
    assert page.socket.written == []
    slow_reads.set()
    await wait_for(lambda: "pong" in page.socket.kinds)
    assert page.socket.kinds[0] == "sync"


@pytest.mark.django_db  # Channels closes old connections to the database
async def test_disconnected_socket_leaves_its_table(page: OpenPage) -> None:
    page.socket.inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})
    async with asyncio.timeout(30):
        await page.work
    assert not page.process.sockets


@pytest.mark.usefixtures("slow_reads")
async def test_socket_ended_during_a_message_leaves_its_table(page: OpenPage) -> None:
    """The server ends a socket whose messages are not handled some time after it has closed."""
    page.socket.receive(t="hello", seq=0)
    await asyncio.sleep(0)
    page.work.cancel()
    await wait_for(lambda: page.socket.inbox._task is None)
    assert not page.process.sockets
