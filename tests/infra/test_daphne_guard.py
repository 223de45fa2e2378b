"""The limits on frames, unsent bytes, request bodies and slow requests, tested without Daphne."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.web import http

from mahjong_site.daphne_guard import (
    MAX_BODY_BYTES,
    MAX_DROPPED_BYTES,
    REQUEST_WITHIN_S,
    LimitedBody,
    LimitedChannel,
)
from tests.kit.processes import environment


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


def test_no_client_chooses_what_addresses_of_pages_begin_with() -> None:
    """Parts of pages are kept for all readers, with the addresses in them."""
    scopes = list[dict[str, Any]]()

    def create_application(_protocol: Any, scope: dict[str, Any]) -> Any:
        scopes.append(scope)
        return SimpleNamespace(put_nowait=lambda _message: None)

    server = SimpleNamespace(
        root_path="",
        request_buffer_size=1024,
        proxy_forwarded_address_header=None,
        protocol_connected=lambda _protocol: None,
        create_application=create_application,
    )
    factory: Any = http.HTTPFactory()
    factory.protocol, factory.server = LimitedChannel, server
    protocol = factory.buildProtocol(None)
    protocol.callLater = Clock().callLater
    protocol.makeConnection(_StringTransport())
    head = b"GET / HTTP/1.1\r\nHost: a.example\r\nDaphne-Root-Path: //evil.example\r\n\r\n"
    protocol.dataReceived(head)
    (scope,) = scopes
    assert scope["root_path"] == ""


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
