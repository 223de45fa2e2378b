"""Sockets of the lobby's pages send each change."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient

from game.live.process import close_current
from lobby.accounts import rate_limits
from lobby.models import Person
from lobby.play import queues
from lobby.play.backend import current_backend
from lobby.play.queues import QUEUES
from mahjong_site.asgi import application
from tests.kit.wires import PATIENCE_S, Wire
from tests.lobby.pages import create_table, invite_link, press, sit_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

ORIGIN = b"http://localhost"


class LobbySocket:
    """The socket of a page, with the last received version of each part."""

    def __init__(self, path: str, client: AsyncClient, *, origin: bytes = ORIGIN) -> None:
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        headers = [(b"host", b"localhost"), (b"origin", origin), (b"cookie", cookies.encode())]
        self.wire = Wire(application, path, headers=headers)
        self.parts: dict[str, str] = {}
        self.went = ""

    async def open(self) -> bool:
        is_open, _ = await self.wire.connect()
        return bool(is_open)

    async def receive(self) -> Any:
        message = await self.wire.receive_json_from()
        if message["t"] == "parts":
            self.parts |= message["parts"]
        elif message["t"] == "go":
            self.went = message["path"]
        return message

    async def until(self, condition: Any) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await self.receive()


async def test_a_page_of_another_site_gets_no_socket() -> None:
    socket = LobbySocket("/ws/lobby/", AsyncClient(), origin=b"https://example.org")
    assert not await socket.open()


async def test_lobby_page_adds_a_new_table() -> None:
    socket = LobbySocket("/ws/lobby/?language=en", AsyncClient())
    assert await socket.open()
    await socket.until(lambda: "No table is open" in socket.parts.get("joinable", ""))
    address = await create_table(AsyncClient())
    await socket.until(lambda: f'href="{address}"' in socket.parts["joinable"])
    await socket.wire.disconnect()


async def test_whoever_opens_a_page_is_counted_as_a_visitor() -> None:
    """The operator is warned if most visitors have one address."""
    client = AsyncClient()
    await create_table(client)
    socket = LobbySocket("/ws/lobby/", client)
    socket.wire.scope["client"] = ["127.0.0.1", 1]
    await socket.open()
    await socket.until(lambda: socket.parts)
    rows = await (await current_backend()).call("ZRANGE", "visitors", 0, -1)
    person = await Person.objects.aget()
    assert [row.decode() for row in rows] == [f"loopback {person.pk}"]
    await socket.wire.disconnect()


async def test_parts_are_in_the_language_of_the_page() -> None:
    socket = LobbySocket("/ws/lobby/?language=fr", AsyncClient())
    await socket.open()
    await socket.until(lambda: "joinable" in socket.parts)
    assert "No table" not in socket.parts["joinable"]
    await socket.wire.disconnect()


async def test_seated_player_sees_others_and_is_redirected_to_the_game() -> None:
    host, guest = AsyncClient(), AsyncClient()
    address = await create_table(host, entry="invited", seat_2="sensible", seat_3="sensible")
    link = await invite_link(host, address)
    pregame_id = address.strip("/").rpartition("/")[2]
    socket = LobbySocket(f"/ws/lobby/tables/{pregame_id}/?was=pregame&language=en", host)
    await socket.open()
    await socket.until(lambda: "not ready" in socket.parts.get("seats", ""))
    await press(guest, link, "sit")
    await press(guest, link, "ready")
    await socket.until(lambda: socket.parts["seats"].count("Guest") == 2)
    table = await press(host, address, "ready")
    await socket.until(lambda: socket.went)
    assert socket.went == table
    await socket.wire.disconnect()


async def test_stranger_sees_no_private_table() -> None:
    host = AsyncClient()
    address = await create_table(host, entry="invited")
    pregame_id = address.strip("/").rpartition("/")[2]
    for path in (f"{pregame_id}/", f"{pregame_id}/?token=x", "nothing/"):
        socket = LobbySocket(f"/ws/lobby/tables/{path}", AsyncClient())
        await socket.open()
        messages = [await socket.wire.receive_output(), await socket.wire.receive_output()]
        assert [message["type"] for message in messages] == ["websocket.send", "websocket.close"]
        assert '"ask"' in messages[0]["text"]
        assert messages[1]["code"] == 4404
        await socket.wire.disconnect()


async def test_heartbeat_of_the_page_keeps_the_person_in_the_queue() -> None:
    client = AsyncClient()
    await client.post("/lobby/seek/", {"preset": "tenhou", "length": "east", "bots": "never"})
    backend, queue = await current_backend(), QUEUES["tenhou.east"]
    (person,) = (await queues.read_queue(backend, queue)).heartbeats
    before = (await queues.read_queue(backend, queue)).heartbeats
    socket = LobbySocket("/ws/lobby/", client)
    await socket.open()
    await socket.until(lambda: "Looking" in socket.parts.get("mine", ""))
    assert (await queues.read_queue(backend, queue)).heartbeats == before
    await socket.wire.send_json_to({"t": "here"})
    for _ in range(500):
        if (await queues.read_queue(backend, queue)).heartbeats != before:
            break
        await asyncio.sleep(0.01)
    assert (await queues.read_queue(backend, queue)).heartbeats[person] > before[person]
    await socket.wire.disconnect()


@pytest.mark.postgresql
async def test_paired_player_is_redirected_to_the_table() -> None:
    client = AsyncClient()
    await client.post("/lobby/seek/", {"preset": "tenhou", "length": "east", "bots": "15"})
    person = await Person.objects.afirst()
    assert person is not None
    socket = LobbySocket("/ws/lobby/?was=queue", client)
    await socket.open()
    await socket.until(lambda: "mine" in socket.parts)
    backend, queue = await current_backend(), QUEUES["tenhou.east"]
    seen = await queues.read_queue(backend, queue)
    match = queues.Match("drawn", (None, *seen.tickets, None, None))
    assert await queues._store_match(backend, queue, match, backend.now_ms())
    await queues.process_queue(backend, queue)
    await socket.until(lambda: socket.went)
    assert socket.went == "/table/drawn/"
    await socket.wire.disconnect()


async def test_list_of_live_tables_is_updated() -> None:
    socket = LobbySocket("/ws/lobby/watch/?language=en", AsyncClient())
    await socket.open()
    await socket.until(lambda: "No people play here" in socket.parts.get("live", ""))
    table = (await AsyncClient().post("/play/")).headers["Location"]
    await sit_at(table.split("/")[2])
    await socket.until(lambda: f'href="{table}"' in socket.parts["live"])
    assert "25,000" in socket.parts["live"]
    assert "East 1" in socket.parts["live"]
    await socket.wire.disconnect()


@pytest.mark.parametrize("text", ["{", '{"t":"act"}', "[]", "x" * 300])
async def test_invalid_message_closes_the_socket(text: str) -> None:
    socket = LobbySocket("/ws/lobby/watch/", AsyncClient())
    await socket.open()
    await socket.wire.send_to(text_data=text)
    async with asyncio.timeout(PATIENCE_S):
        while (output := await socket.wire.receive_output())["type"] != "websocket.close":
            pass
    assert output["code"] == 4400
    await socket.wire.disconnect()


async def test_guessing_links_by_socket_is_rate_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await create_table(AsyncClient(), entry="invited")
    monkeypatch.setattr(rate_limits, "LINKS_OF_ADDRESS", rate_limits.Limit("links-test", 2, 3600))

    async def code(token: str) -> int:
        path = f"/ws/lobby{address}?token={token}"
        socket = LobbySocket(path, AsyncClient())
        assert await socket.open()
        message = await socket.wire.receive_output()
        while message["type"] != "websocket.close":
            message = await socket.wire.receive_output()
        return int(message["code"])

    rate_limits.cache.clear()
    assert [await code(f"guess-{at}") for at in range(4)] == [4404, 4404, 4429, 4429]


async def test_every_page_of_a_waiting_person_keeps_the_ticket() -> None:
    client = AsyncClient()
    await client.post("/lobby/seek/", {"preset": "tenhou", "length": "east", "bots": "15"})
    backend, queue = await current_backend(), QUEUES["tenhou.east"]
    before = (await queues.read_queue(backend, queue)).heartbeats
    socket = LobbySocket("/ws/lobby/waiting/?was=queue", client)
    await socket.open()
    await socket.until(lambda: socket.parts.get("place", "").strip() == "queue")
    assert set(socket.parts) == {"place"}
    await socket.wire.send_json_to({"t": "here"})
    for _ in range(500):
        if (await queues.read_queue(backend, queue)).heartbeats != before:
            break
        await asyncio.sleep(0.01)
    seen = await queues.read_queue(backend, queue)
    assert seen.heartbeats != before
    match = queues.Match("found", (None, *seen.tickets, None, None))
    assert await queues._store_match(backend, queue, match, backend.now_ms())
    await queues.process_queue(backend, queue)
    await socket.until(lambda: socket.went)
    assert socket.went == "/table/found/"
    await socket.wire.disconnect()


async def test_page_is_notified_when_the_person_stops_waiting() -> None:
    socket = LobbySocket("/ws/lobby/waiting/?was=queue", AsyncClient())
    await socket.open()
    await socket.until(lambda: "place" in socket.parts)
    assert socket.parts["place"].strip() == ""
    assert not socket.went
    await socket.wire.disconnect()


async def test_shared_read_of_a_closed_page_ends_with_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A read that continues would open a connection to Redis that nobody closes."""
    has_begun = asyncio.Event()

    async def count_waiting(_backend: Any) -> None:
        has_begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(queues, "count_waiting", count_waiting)
    socket = LobbySocket("/ws/lobby/", AsyncClient())
    await socket.open()
    await has_begun.wait()
    await socket.wire.disconnect()
    await close_current()
    assert asyncio.all_tasks() == {asyncio.current_task()}
