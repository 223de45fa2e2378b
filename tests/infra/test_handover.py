"""How a page server tells by the first bytes where a connection belongs."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.task import Clock

from mahjong_site.handover import Entrance, make_channel
from tests.kit.processes import wait_until


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The time of an event loop that waits for nothing else."""
    made: Any = Clock()

    def call_later(delay_s: float, call: Callable[..., None], *args: object) -> Any:
        return made.callLater(delay_s, call, *args)

    loop = SimpleNamespace(call_later=call_later, remove_reader=lambda _socket: None)
    monkeypatch.setattr("mahjong_site.handover.asyncio.get_running_loop", lambda: loop)
    return made


def test_first_line_that_stalls_costs_little_and_may_still_end(clock: Any) -> None:
    sender, receiver = make_channel()
    with socket.create_server(("127.0.0.1", 0)) as listener, sender, receiver:
        entrance = Entrance(listener, [sender], lambda _connection: pytest.fail("it is no page"))
        listener.setblocking(False)
        with socket.create_connection(listener.getsockname()) as client:
            client.sendall(b"GET /w")
            entrance._accept()
            looks = 0
            while (due := clock.getDelayedCalls()[0].getTime()) < 30:
                clock.advance(due - clock.seconds())
                looks += 1
            assert 4 < looks < 12
            client.sendall(b"s/lobby/ HTTP/1.1\r\n")
            clock.advance(29)
            _data, descriptors, _flags, _peer = socket.recv_fds(receiver, 1, 1)
        with socket.socket(fileno=descriptors[0]) as taken:
            assert taken.recv(100).startswith(b"GET /ws/lobby/ HTTP/1.1")


async def test_request_on_its_way_is_served_by_a_server_that_ends() -> None:
    """A connection that brings none is closed."""
    taken = list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        entrance = Entrance(listener, [], lambda given: taken.append(given.recv(100)))
        entrance.open()
        with socket.create_connection(address) as client, socket.create_connection(address) as idle:
            await asyncio.to_thread(
                wait_until,
                lambda: len(entrance._undecided) == 2,
                within_s=20,
                what="both connections are accepted",
            )
            closing = asyncio.create_task(entrance.close())
            await asyncio.sleep(0)
            client.sendall(b"GET / HTTP/1.1\r\n")
            await closing
            assert taken == [b"GET / HTTP/1.1\r\n"]
            assert idle.recv(1) == b""
