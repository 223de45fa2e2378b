"""The limits on frames, unsent bytes, request bodies and slow requests, tested without Daphne."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection, create_server
from socket import socket as Connection
from typing import Any

import pytest
from django.conf import settings
from twisted.internet import tcp
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.web import http

from game.live.rate_limits import MAX_UNSEEN_EVENTS
from mahjong_site.daphne_guard import (
    COLLECT_AFTER,
    FRAMES_AT_ONCE,
    MAX_BODY_BYTES,
    MAX_DROPPED_BYTES,
    MAX_UNREAD,
    MAX_UNSENT_BYTES,
    REQUEST_WITHIN_S,
    Guard,
    LimitedBody,
    LimitedChannel,
    count_unsent,
)
from tests.kit.processes import environment

PROTOCOLS_OWN = 255


class Transport:
    """A transport that records whether it is read."""

    def __init__(self) -> None:
        self.is_read = True
        self.bufferSize = 65_536
        self.protocol: Protocol | None = None
        self.producer: object = "the channel of the request"

    def unregisterProducer(self) -> None:
        self.producer = None

    def pauseProducing(self) -> None:
        self.is_read = False

    def resumeProducing(self) -> None:
        self.is_read = True


class Protocol:
    """The guarded part of Daphne's protocol. A frame is one byte; 255 is a frame for the protocol
    only."""

    current_frame = None

    def __init__(self) -> None:
        self.closed: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.parsed = 0
        self.transport = Transport()
        self.application_queue: asyncio.Queue[int] = asyncio.Queue()
        self.data = b""

    def connectionMade(self) -> None:
        self.http_headers = {"host": "a.example"}

    def onOpen(self) -> None:
        """Do nothing."""

    def connectionLost(self, reason: object = None) -> None:
        """Do nothing."""

    def serverClose(self, code: int | None = None) -> None:
        self.closed.set_result(code)

    def processData(self) -> bool:
        if not self.data:
            return False
        self.parsed += 1
        if self.data[0] != PROTOCOLS_OWN:
            self.application_queue.put_nowait(self.data[0])
        self.data = self.data[1:]
        return True

    def consumeData(self) -> None:
        while self.processData():
            pass


def guard(protocol: type) -> Any:
    return type("Guarded", (Guard, protocol), {})


def open_socket() -> Protocol:
    socket: Protocol = guard(Protocol)()
    socket.connectionMade()
    socket.onOpen()
    return socket


async def test_open_socket_frees_its_handshake() -> None:
    socket = open_socket()
    assert socket.transport.producer is None
    assert "http_headers" not in vars(socket)


async def test_fast_sender_waits_and_loses_nothing() -> None:
    socket = open_socket()
    sent = list(range(60))
    socket.data = bytes(sent)
    socket.consumeData()
    assert socket.application_queue.qsize() <= MAX_UNREAD + 1
    assert not socket.transport.is_read
    async with asyncio.timeout(30):
        assert [await socket.application_queue.get() for _ in sent] == sent
    await asyncio.sleep(0.1)
    assert socket.transport.is_read


async def test_burst_within_the_limits_is_read_at_once() -> None:
    socket = open_socket()
    socket.data = bytes(20)
    socket.consumeData()
    assert socket.application_queue.qsize() == 20
    assert socket.transport.is_read


async def test_nothing_is_read_after_a_close_for_abuse() -> None:
    socket = open_socket()
    socket.data = bytes(200)
    socket.consumeData()
    socket.serverClose(4429)
    taken = socket.application_queue.qsize()
    while not socket.application_queue.empty():
        socket.application_queue.get_nowait()
    await asyncio.sleep(0.1)
    socket.data += bytes(200)
    socket.consumeData()
    assert taken > 0
    assert socket.application_queue.empty()
    assert not socket.transport.is_read


async def test_control_frames_count_as_a_flood() -> None:
    socket = open_socket()
    socket.data = bytes([PROTOCOLS_OWN]) * 100_000
    socket.consumeData()
    assert socket.parsed <= FRAMES_AT_ONCE
    assert not socket.transport.is_read
    async with asyncio.timeout(30):
        assert await socket.closed == 4429
    assert socket.parsed < 2 * FRAMES_AT_ONCE + 10


async def test_memory_of_closed_sockets_is_freed() -> None:
    """Also sockets in the oldest generation of the garbage collector are freed."""
    sockets = [open_socket() for _ in range(COLLECT_AFTER)]
    left = weakref.WeakSet(sockets)
    for socket in sockets:
        socket.transport.protocol = socket  # Twisted's transports have the same reference cycle
    gc.collect()
    gc.disable()
    try:
        for socket in sockets:
            socket.connectionLost()
        sockets.clear()
        del socket
        again = open_socket()
        for _ in range(COLLECT_AFTER):
            again.connectionLost()
        assert len(left) == 0
    finally:
        gc.enable()


class Channel:
    """The connection of a request."""

    def __init__(self) -> None:
        self.transport = self
        self.written = b""
        self.is_open = True

    def write(self, data: bytes) -> None:
        self.written += data

    def loseConnection(self) -> None:
        self.is_open = False


class Request:
    """The limited part of Daphne's request."""

    def __init__(self) -> None:
        self.channel = Channel()
        self.read = 0
        self.is_processed = False

    def gotLength(self, length: int | None) -> None:
        """Do nothing."""

    def handleContentChunk(self, data: bytes) -> None:
        self.read += len(data)

    def process(self) -> None:
        self.is_processed = True


def limited_request() -> Any:
    return type("Limited", (LimitedBody, Request), {})()


@pytest.mark.parametrize("says_length", [True, False])
def test_oversize_body_is_refused_unread(says_length: bool) -> None:
    request = limited_request()
    request.gotLength(MAX_BODY_BYTES + 1 if says_length else None)
    for _ in range(64):
        request.handleContentChunk(bytes(65_536))
    assert request.channel.is_open, "a browser reads the answer only after it has sent the body"
    request.process()
    head, _, body = request.channel.written.partition(b"\r\n\r\n")
    assert b"413" in head
    assert body == b"The request is too large."
    assert f"Content-Length: {len(body)}".encode() in head
    assert request.channel.written.count(b"HTTP/1.1") == 1
    assert not request.channel.is_open
    assert request.read <= (0 if says_length else MAX_BODY_BYTES)
    assert not request.is_processed


def test_endless_body_ends_the_connection() -> None:
    request = limited_request()
    request.gotLength(None)
    while request.channel.is_open:
        request.handleContentChunk(bytes(65_536))
        assert request._body_bytes <= MAX_DROPPED_BYTES + 65_536
    assert request.read <= MAX_BODY_BYTES


def test_body_within_the_limit_is_read() -> None:
    request = limited_request()
    request.gotLength(100_000)
    request.handleContentChunk(bytes(100_000))
    request.process()
    assert (request.read, request.is_processed) == (100_000, True)
    assert request.channel.is_open


class Reactor:
    """The part of Twisted's transport that a socket without a reader needs."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.callLater = lambda seconds, call, *args: loop.call_later(seconds, call, *args)
        self.addReader = self.removeReader = self.addWriter = self.removeWriter = lambda reader: (
            None
        )


class Unread:
    """A websocket over a real connection whose other side reads nothing."""

    STATE_OPEN = state = 3

    def __init__(self, ours: Connection) -> None:
        self.lost: list[object] = []
        server: Any = tcp.Server
        self.transport = server(ours, self, ("127.0.0.1", 1), None, 0, Reactor())

    def connectionLost(self, reason: object = None) -> None:
        self.lost.append(reason)


@pytest.fixture
def pair() -> Iterator[tuple[Connection, Connection]]:
    listening = create_server(("127.0.0.1", 0))
    theirs = create_connection(listening.getsockname())
    ours, _ = listening.accept()
    ours.setblocking(False)
    yield ours, theirs
    for end in (ours, theirs, listening):
        end.close()


async def test_unsent_data_of_one_reader_is_limited(pair: tuple[Connection, Connection]) -> None:
    unread: Any = guard(Unread)(pair[0])
    picture = "x" * 8_000
    most, sent = 0, 0
    while not unread.lost and sent < 100_000_000:
        unread.write_text(picture, picture)
        sent += 2 * len(picture)
        most = max(most, count_unsent(unread.transport))
        await asyncio.sleep(0)
    assert most <= MAX_UNSENT_BYTES + 3 * len(picture)
    assert unread.lost, "the connection is dropped"


async def test_slow_reader_within_the_limit_is_kept(pair: tuple[Connection, Connection]) -> None:
    unread: Any = guard(Unread)(pair[0])
    event = "x" * 300
    while not count_unsent(unread.transport):
        unread.write_text(event)
    for _ in range(MAX_UNSEEN_EVENTS):
        unread.write_text(event)
    await asyncio.sleep(0.01)
    assert not unread.lost


# Requests that arrive slowly


_Request: Any = http.Request
_StringTransport: Any = StringTransport
"""Untyped: Twisted does not type the methods of its test transports."""


def request_channel() -> tuple[Any, Any, Clock]:
    """Return an idle connection to the web server, its transport and its clock."""
    clock = Clock()
    factory: Any = http.HTTPFactory()
    factory.protocol = LimitedChannel
    protocol = factory.buildProtocol(None)
    protocol.request_class = Answered
    protocol.callLater = clock.callLater
    transport: Any = _StringTransport()
    protocol.makeConnection(transport)
    return protocol, transport, clock


class Answered(_Request):  # type: ignore[misc]
    """A request handler that answers OK as soon as the request is complete."""

    def process(self) -> None:
        self.setHeader(b"Content-Length", b"0")
        self.finish()


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: a.example\r\n",
        b"POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9000\r\n\r\n",
    ],
    ids=["address", "headers", "body"],
)
def test_slow_request_ends_after_a_minute(start: bytes) -> None:
    protocol, transport, clock = request_channel()
    clock.advance(20)
    if start:
        protocol.dataReceived(start)
    for _ in range(59):
        protocol.dataReceived(b"x")
        clock.advance(1)
        assert not transport.disconnecting
    clock.advance(1)
    assert transport.disconnecting


def test_silent_connection_ends_after_a_minute() -> None:
    _, transport, clock = request_channel()
    clock.advance(REQUEST_WITHIN_S - 1)
    assert not transport.disconnecting
    clock.advance(1)
    assert transport.disconnecting


def test_each_request_of_a_connection_has_a_minute() -> None:
    protocol, transport, clock = request_channel()
    for number in range(1, 4):
        clock.advance(50)
        protocol.dataReceived(b"GET / HTTP/1.1\r\n")
        clock.advance(50)
        protocol.dataReceived(b"Host: a.example\r\n\r\n")
        assert transport.value().count(b"HTTP/1.1 200 OK") == number
    clock.advance(59)
    assert not transport.disconnecting
    clock.advance(1)
    assert transport.disconnecting


@pytest.mark.parametrize(
    ("before", "warns"), [("", True), ("import mahjong_site.daphne_guard; ", False)]
)
def test_application_warns_under_a_server_without_the_guard(
    before: str, warns: bool, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{before}import mahjong_site.asgi"],
        env=environment(tmp_path),
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("does not have the limits against floods" in done.stderr) == warns
