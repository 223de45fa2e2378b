"""Tries the limits of `daphne_guard` with the installed libraries, on connections in memory.

The guard relies on private parts of Daphne, Autobahn and Twisted, which a release may change.
Because of this proof, a web server may start with untested releases: the proof takes some
milliseconds, and finds a limit that does not work before the first visitor comes.
"""

from __future__ import annotations

# Daphne installs its reactor before anything else of Twisted is imported.
import daphne.server  # isort: skip

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from importlib.metadata import version
from typing import Any, Final

from daphne.http_protocol import HTTPFactory
from daphne.ws_protocol import WebSocketFactory
from django.core.exceptions import ImproperlyConfigured
from twisted.internet import tcp
from twisted.internet.abstract import FileDescriptor
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from mahjong_site.daphne_guard import (
    MAX_BODY_BYTES,
    REQUEST_WITHIN_S,
    GuardedWebSocket,
    LimitedBody,
    LimitedChannel,
    LimitedRequest,
)
from mahjong_site.open_websocket import (
    FLOOD,
    FRAMES_AT_ONCE,
    MAX_UNSENT_BYTES,
    PARSED_AT_ONCE,
    READ_BYTES,
    OpenWebSocket,
    count_unsent,
)

TRIED_VERSIONS: Final = {"daphne": "4.2.3", "autobahn": "26.10.2", "twisted": "26.10.0"}
"""The versions with which all tests have passed."""
_HANDSHAKE: Final = (
    b"GET /ws/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
_PING_FRAME: Final = b"\x89\x80\0\0\0\0"
_TEXT_FRAME: Final = b"\x81\x81\0\0\0\0x"
"""Frames of a client, masked with zeros."""
_PROOF_FRAMES: Final = 3 * FRAMES_AT_ONCE
log = logging.getLogger(__name__)


def check_limits() -> None:
    """Raise ImproperlyConfigured if a limit does not work with the installed libraries. Log a
    warning if their versions are not those that the tests ran with."""
    installed = {name: version(name) for name in TRIED_VERSIONS}
    shown = ", ".join(f"{name} {installed[name]}" for name in installed)
    if broken := find_broken_limits():
        raise ImproperlyConfigured(
            f"The protection against floods does not work with {shown}: {', '.join(broken)}. "
            "Install the versions of requirements.txt."
        )
    if installed != TRIED_VERSIONS:
        log.warning(
            "%s: other versions than those of requirements.txt. The limits against floods were "
            "tried at this start, and work.",
            shown,
        )


def find_broken_limits() -> list[str]:
    """Return the names of the limits that do not work. A proof that raises an error counts as
    broken."""
    loop = asyncio.new_event_loop()  # the reactor's loop does not run yet
    try:
        return [
            name
            for name, proof in _PROOFS.items()
            if not loop.run_until_complete(_try_proof(proof))
        ]
    finally:
        loop.close()


async def _try_proof(proof: Callable[[ExitStack], Awaitable[bool]]) -> bool:
    try:
        with ExitStack() as at_end:
            return await proof(at_end)
    except Exception as error:
        log.warning("a limit cannot be tried: %s: %s", type(error).__name__, error)
        return False


_Descriptor: Any = FileDescriptor
_Server: Any = daphne.server.Server
_Failure: Any = Failure
"""Untyped: Twisted and Daphne do not type what is used of them here."""


class _Transport(_Descriptor):  # type: ignore[misc]
    """A connection in memory whose other side reads nothing. Sent data stays in the buffer."""

    TLS = False

    def __init__(self) -> None:
        super().__init__(reactor=Clock())
        self.connected = True
        self.is_read = True
        self.is_dropped = False
        self.protocol: Any = None

    def getPeer(self) -> IPv4Address:
        return IPv4Address("TCP", "127.0.0.1", 1)

    getHost = getPeer

    def writeSomeData(self, data: bytes) -> int:
        return 0

    def startReading(self) -> None:
        self.is_read = True

    def stopReading(self) -> None:
        self.is_read = False

    def startWriting(self) -> None:
        """Do nothing: the kernel takes nothing."""

    stopWriting = startWriting

    def loseConnection(self, *_: object) -> None:
        self.is_dropped = True

    abortConnection = loseConnection

    def setTcpNoDelay(self, is_set: bool) -> None:
        """Do nothing: there is no kernel."""

    setTcpKeepAlive = setTcpNoDelay

    def end_connection(self) -> None:
        """Tell the protocol that the connection has ended, so that it frees timers and files."""
        self.protocol.connectionLost(_Failure(ConnectionDone()))

    def sent(self) -> bytes:
        return b"".join([self.dataBuffer[self.offset :], *self._tempDataBuffer])


class _Site(_Server):  # type: ignore[misc]
    """A Daphne that does not listen and has no application: messages stay in their queues."""

    def __init__(self) -> None:
        super().__init__(application=None, endpoints=["memory"], signal_handlers=False)
        self.connections: dict[Any, Any] = {}
        self.http_factory = HTTPFactory(self)
        self.ws_factory = WebSocketFactory(self)
        self.ws_factory.setProtocolOptions(openHandshakeTimeout=0, closeHandshakeTimeout=0)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        self.connections[protocol] = {"application_queue": protocol.socket.inbox}
        return protocol.socket.inbox


class _Request(LimitedRequest):
    refusal = LimitedBody.refusal  # without the page of the site, which would have to be rendered


def _connect(at_end: ExitStack) -> tuple[LimitedChannel, _Transport, Clock]:
    """Open a connection as the web server would."""
    clock, transport = Clock(), _Transport()
    channel = _Site().http_factory.buildProtocol(transport.getPeer())
    channel.request_class, channel.callLater = _Request, clock.callLater
    transport.protocol = channel
    channel.makeConnection(transport)
    at_end.callback(transport.end_connection)
    return channel, transport, clock


async def _open_websocket(at_end: ExitStack) -> tuple[OpenWebSocket, _Transport]:
    """Open a websocket on a connection, and accept it. Its clock stands still: the limit of frames
    grows with time, and a proof takes longer on a busy machine."""
    channel, transport, _ = _connect(at_end)
    channel.dataReceived(_HANDSHAKE)
    shaking = transport.protocol
    if not isinstance(shaking, GuardedWebSocket):
        raise RuntimeError("no guarded websocket was opened")
    shaking.socket.clock = lambda: 0.0
    shaking.serverAccept()
    if transport.protocol is not shaking.socket:
        raise RuntimeError("the connection has not been handed over")
    await shaking.socket.inbox.get()  # that it connects
    return shaking.socket, transport


async def _limits_frames(at_end: ExitStack) -> bool:
    """Return whether pings beyond the limit stay unanswered. Each answered ping leaves a pong of
    two bytes. The limit is checked after each `PARSED_AT_ONCE` bytes."""
    socket, transport = await _open_websocket(at_end)
    before = len(transport.sent())
    socket.dataReceived(_PING_FRAME * _PROOF_FRAMES)
    pongs = (len(transport.sent()) - before) // 2
    return 0 < pongs <= 2 * FRAMES_AT_ONCE and not transport.is_read


async def _limits_unread_messages(at_end: ExitStack) -> bool:
    socket, transport = await _open_websocket(at_end)
    sent = FRAMES_AT_ONCE - 1
    socket.dataReceived(_TEXT_FRAME * sent)
    most = PARSED_AT_ONCE // len(_TEXT_FRAME)
    return 0 < socket.inbox.qsize() <= most < sent and not transport.is_read


async def _reads_nothing_after_abuse(at_end: ExitStack) -> bool:
    socket, transport = await _open_websocket(at_end)
    socket.close(FLOOD)
    socket.dataReceived(_TEXT_FRAME)
    return not socket.inbox.qsize() and not transport.is_read


async def _limits_unsent_bytes(at_end: ExitStack) -> bool:
    socket, transport = await _open_websocket(at_end)
    before, piece = count_unsent(transport), "x" * 65_000
    socket.write_text(piece)
    if count_unsent(transport) - before < len(piece):
        return False
    for _ in range(2 * MAX_UNSENT_BYTES // len(piece)):
        socket.write_text(piece)
    return transport.is_dropped and count_unsent(transport) < MAX_UNSENT_BYTES + 2 * len(piece)


async def _reads_little_at_once(at_end: ExitStack) -> bool:
    """Return whether Twisted's connection reads no more bytes at once than the guard sets."""
    asked: list[int] = []

    class Kernel:
        def recv(self, size: int) -> bytes:
            asked.append(size)
            return b"x"

    class Nobody:
        def dataReceived(self, data: bytes) -> None:
            """Do nothing."""

    connection: Any = object.__new__(tcp.Connection)
    connection.socket, connection.protocol = Kernel(), Nobody()
    connection.bufferSize = READ_BYTES
    connection.doRead()
    _, transport = await _open_websocket(at_end)
    return asked == [READ_BYTES] and vars(transport).get("bufferSize") == READ_BYTES


async def _limits_announced_bodies(at_end: ExitStack) -> bool:
    channel, transport, _ = _connect(at_end)
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {MAX_BODY_BYTES + 1}\r\n\r\n"
    channel.dataReceived(head.encode())
    return transport.sent().startswith(b"HTTP/1.1 413 ")


async def _limits_other_bodies(at_end: ExitStack) -> bool:
    channel, transport, _ = _connect(at_end)
    channel.dataReceived(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"%x\r\n" % (MAX_BODY_BYTES // 2 + 1) + bytes(MAX_BODY_BYTES // 2 + 1) + b"\r\n"
    channel.dataReceived(chunk)
    if transport.sent():
        return False
    channel.dataReceived(chunk)
    return transport.sent().startswith(b"HTTP/1.1 413 ")


async def _limits_the_time_of_a_request(at_end: ExitStack) -> bool:
    channel, transport, clock = _connect(at_end)
    channel.dataReceived(b"GET / HTTP/1.1\r\n")
    for _ in range(3):
        clock.advance(REQUEST_WITHIN_S / 4)
        channel.dataReceived(b"X")
    if transport.is_dropped:
        return False
    clock.advance(REQUEST_WITHIN_S / 4)
    return transport.is_dropped


_PROOFS: Final = {
    "frames": _limits_frames,
    "unread messages": _limits_unread_messages,
    "nothing is read after abuse": _reads_nothing_after_abuse,
    "unsent bytes": _limits_unsent_bytes,
    "bytes read at once": _reads_little_at_once,
    "announced bodies": _limits_announced_bodies,
    "bodies of unknown size": _limits_other_bodies,
    "time of a request": _limits_the_time_of_a_request,
}
"""The proofs, by the names of the limits."""
