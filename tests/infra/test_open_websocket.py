"""Open websockets pass messages on, close in order, and are limited against floods."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from socket import create_connection, create_server
from socket import socket as Connection
from typing import Any

import pytest
from twisted.internet import tcp
from websockets.frames import Frame, Opcode

from game.live.rate_limits import MAX_UNSEEN_EVENTS
from mahjong_site.daphne_guard import COLLECT_AFTER, GuardedWebSocket
from mahjong_site.open_websocket import (
    ANSWERED_WITHIN_S,
    FRAMES_AT_ONCE,
    MAX_MESSAGE_BYTES,
    MAX_UNSENT_BYTES,
    PARSED_AT_ONCE,
    PING_EVERY_S,
    READ_BYTES,
    Inbox,
    OpenWebSocket,
    count_unsent,
)
from tests.tables.staging import wait_for

GOOD_BYE = 1001


class Transport:
    """A connection in memory that records what is done with it."""

    def __init__(self) -> None:
        self.is_read = True
        self.is_ended = False
        self.is_half_closed = False
        self.bufferSize = 65_536
        self.protocol: OpenWebSocket | None = None
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written += [data] if data else []

    def pauseProducing(self) -> None:
        self.is_read = False

    def resumeProducing(self) -> None:
        self.is_read = True

    def loseWriteConnection(self) -> None:
        self.is_half_closed = True

    def abortConnection(self) -> None:
        self.is_ended = True


class Clock:
    """Stands still until a test moves it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def open_socket(
    clock: Callable[[], float] | None = None, on_lost: Callable[[], None] = lambda: None
) -> tuple[OpenWebSocket, Transport]:
    socket, transport = OpenWebSocket(on_lost), Transport()
    socket.clock = clock or socket.clock
    socket.open(transport)
    return socket, transport


def sent_by_client(opcode: Opcode, payload: bytes, *, is_final: bool = True) -> bytes:
    return Frame(opcode, payload, fin=is_final).serialize(mask=True)


def sent_by_server(opcode: Opcode, payload: bytes) -> bytes:
    return Frame(opcode, payload).serialize(mask=False)


TEXT = sent_by_client(Opcode.TEXT, b"x")


def received(socket: OpenWebSocket) -> list[Any]:
    """Take all messages out of the inbox."""
    inbox: Inbox = socket.inbox
    messages = list(inbox._messages)
    inbox._messages.clear()
    return [message.get("text", message.get("bytes", message.get("code"))) for message in messages]


def close_of(transport: Transport) -> int:
    """Return the code of the close that was sent last."""
    assert transport.written[-1][:1] == b"\x88"
    return int.from_bytes(transport.written[-1][2:4])


def count_pongs(transport: Transport) -> int:
    return b"".join(transport.written).count(sent_by_server(Opcode.PONG, b""))


def test_texts_sent_together_leave_in_one_write() -> None:
    socket, transport = open_socket()
    socket.write_text("one", "two")
    assert transport.written == [
        sent_by_server(Opcode.TEXT, b"one") + sent_by_server(Opcode.TEXT, b"two")
    ]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_text_of_each_size_is_one_frame(size: int) -> None:
    socket, transport = open_socket()
    socket.write_text("x" * size)
    assert transport.written == [sent_by_server(Opcode.TEXT, b"x" * size)]


def test_open_socket_is_read_in_small_pieces() -> None:
    socket, transport = open_socket()
    assert (transport.bufferSize, transport.protocol) == (READ_BYTES, socket)


def test_messages_up_to_the_limit_are_read() -> None:
    socket, _ = open_socket()
    data, text = bytes(range(256)) * (MAX_MESSAGE_BYTES // 256), "東" * (MAX_MESSAGE_BYTES // 3)
    socket.dataReceived(sent_by_client(Opcode.BINARY, data))
    socket.dataReceived(sent_by_client(Opcode.TEXT, text.encode()))
    socket.dataReceived(sent_by_client(Opcode.TEXT, b""))
    assert received(socket) == [data, text, ""]


def test_message_may_arrive_byte_by_byte() -> None:
    """Its bytes do not count as frames."""
    socket, _ = open_socket(Clock())
    for byte in sent_by_client(Opcode.TEXT, "東".encode() * FRAMES_AT_ONCE):
        socket.dataReceived(bytes([byte]))
    assert received(socket) == ["東" * FRAMES_AT_ONCE]


def test_message_in_parts_is_joined_around_a_ping() -> None:
    socket, transport = open_socket()
    word = "東南".encode()
    socket.dataReceived(sent_by_client(Opcode.TEXT, word[:2], is_final=False))
    socket.dataReceived(sent_by_client(Opcode.PING, b"still there?"))
    socket.dataReceived(sent_by_client(Opcode.CONT, word[2:4], is_final=False))
    socket.dataReceived(sent_by_client(Opcode.CONT, word[4:]))
    assert received(socket) == ["東南"]
    assert transport.written == [sent_by_server(Opcode.PONG, b"still there?")]


WRONG_FRAMES = {
    "unmasked": (sent_by_server(Opcode.TEXT, b"x"), 1002),
    "close with half a code": (sent_by_client(Opcode.CLOSE, b"\x03"), 1002),
    "no text": (sent_by_client(Opcode.TEXT, b"\xff"), 1007),
    "too large": (sent_by_client(Opcode.BINARY, bytes(MAX_MESSAGE_BYTES + 1)), 1009),
    "too large in parts": (
        sent_by_client(Opcode.TEXT, bytes(MAX_MESSAGE_BYTES), is_final=False)
        + sent_by_client(Opcode.CONT, b"x"),
        1009,
    ),
}
"""By name, the data and the code of the close."""


@pytest.mark.parametrize("name", WRONG_FRAMES)
async def test_wrong_frame_ends_the_connection(name: str) -> None:
    """The client can read the close to its end, and may send nothing more."""
    data, code = WRONG_FRAMES[name]
    socket, transport = open_socket()
    socket.dataReceived(TEXT + data + TEXT)
    assert close_of(transport) == code
    assert transport.is_half_closed
    socket.dataReceived(TEXT)
    assert not transport.is_read
    assert received(socket) == ["x"]
    await wait_for(lambda: transport.is_ended)


async def test_close_of_the_client_is_answered() -> None:
    lost = list[bool]()
    socket, transport = open_socket(on_lost=lambda: lost.append(True))
    socket.dataReceived(TEXT + sent_by_client(Opcode.CLOSE, GOOD_BYE.to_bytes(2) + b"bye"))
    assert close_of(transport) == GOOD_BYE
    assert transport.is_half_closed
    assert transport.is_read, "the end of the connection has to be noticed"
    assert (received(socket), lost) == (["x"], [])
    socket.connectionLost()
    assert (received(socket), lost) == ([GOOD_BYE], [True])


async def test_close_of_the_server_waits_for_the_answer() -> None:
    socket, transport = open_socket()
    socket.close(4512)
    socket.write_text("too late")
    socket.dataReceived(TEXT)
    assert close_of(transport) == 4512
    assert not transport.is_half_closed
    socket.dataReceived(sent_by_client(Opcode.CLOSE, b""))
    assert transport.is_half_closed
    assert received(socket) == []


async def test_client_that_does_not_answer_a_close_is_dropped() -> None:
    socket, transport = open_socket()
    socket.close(4512)
    await wait_for(lambda: transport.is_ended)
    socket.connectionLost()
    assert received(socket) == [1006]


def test_connection_that_breaks_is_reported() -> None:
    socket, _ = open_socket()
    socket.connectionLost()
    socket.write_text("to nobody")
    assert received(socket) == [1006]


def test_silent_client_is_pinged_and_then_dropped() -> None:
    clock = Clock()
    socket, transport = open_socket(clock)
    clock.now += PING_EVERY_S + 1
    socket.check_timeouts()
    assert transport.written == [sent_by_server(Opcode.PING, b"")]
    socket.dataReceived(sent_by_client(Opcode.PONG, b""))
    assert socket.answered_at > 0
    clock.now += PING_EVERY_S + 1
    socket.check_timeouts()
    clock.now += ANSWERED_WITHIN_S + 1
    assert not transport.is_ended
    socket.check_timeouts()
    assert transport.is_ended


# Floods


async def test_fast_sender_waits_and_loses_nothing() -> None:
    socket, transport = open_socket()
    sent = [str(number) for number in range(FRAMES_AT_ONCE)]
    socket.dataReceived(b"".join(sent_by_client(Opcode.TEXT, text.encode()) for text in sent))
    assert socket.inbox.qsize() <= PARSED_AT_ONCE // len(TEXT) < len(sent)
    assert not transport.is_read
    async with asyncio.timeout(30):
        assert [(await socket.inbox.get())["text"] for _ in sent] == sent
    await wait_for(lambda: transport.is_read)


def test_burst_within_the_limits_is_read_at_once() -> None:
    socket, transport = open_socket()
    socket.dataReceived(TEXT * 20)
    assert socket.inbox.qsize() == 20
    assert transport.is_read


async def test_nothing_is_read_after_a_close_for_abuse() -> None:
    socket, transport = open_socket()
    socket.dataReceived(TEXT * 50)
    socket.close(4429)
    assert received(socket)
    await asyncio.sleep(0.1)
    socket.dataReceived(TEXT * 50)
    assert received(socket) == []
    assert not transport.is_read


async def test_control_frames_count_as_a_flood() -> None:
    socket, transport = open_socket(Clock())
    socket.dataReceived(sent_by_client(Opcode.PING, b"") * 100_000)
    assert 0 < count_pongs(transport) <= 2 * FRAMES_AT_ONCE
    assert not transport.is_read
    answered = count_pongs(transport)
    await wait_for(lambda: not socket.is_open)
    assert close_of(transport) == 4429
    assert count_pongs(transport) == answered, "nothing more is parsed before the close"


class Server:
    """The part of Daphne's server that an open websocket needs."""

    def protocol_disconnected(self, protocol: object) -> None:
        """Do nothing."""


def guarded() -> GuardedWebSocket:
    """Return a websocket after its handshake."""
    shaking, transport = GuardedWebSocket(), Transport()
    shaking.server = Server()
    shaking.transport = transport  # a reference cycle, as in Twisted
    shaking.socket.open(transport)
    return shaking


async def test_memory_of_closed_sockets_is_freed() -> None:
    """Also sockets in the oldest generation of the garbage collector are freed."""
    sockets = [guarded() for _ in range(COLLECT_AFTER)]
    left = weakref.WeakSet(socket.socket for socket in sockets)
    gc.collect()
    gc.disable()
    try:
        for socket in sockets:
            socket.socket.connectionLost()
        sockets.clear()
        del socket
        again = guarded()
        for _ in range(COLLECT_AFTER):
            again.socket.connectionLost()
        assert len(left) == 0
    finally:
        gc.enable()


class Reactor:
    """The part of Twisted's transport that a socket without a reader needs."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.callLater = lambda seconds, call, *args: loop.call_later(seconds, call, *args)
        self.addReader = self.removeReader = self.addWriter = self.removeWriter = lambda reader: (
            None
        )


def open_unread(ours: Connection) -> tuple[OpenWebSocket, list[bool]]:
    """Open a websocket over a real connection whose other side reads nothing. Return it with a list
    that is filled when it is lost."""
    lost = list[bool]()
    make_server: Any = tcp.Server
    socket = OpenWebSocket(lambda: lost.append(True))
    socket.open(make_server(ours, socket, ("127.0.0.1", 1), None, 0, Reactor()))
    return socket, lost


@pytest.fixture
def pair() -> Iterator[tuple[Connection, Connection]]:
    listening = create_server(("127.0.0.1", 0))
    theirs = create_connection(listening.getsockname())
    ours, _ = listening.accept()
    ours.setblocking(False)
    yield ours, theirs
    for end in (ours, theirs, listening):
        end.close()


async def test_client_can_read_why_its_connection_ends(pair: tuple[Connection, Connection]) -> None:
    """Its unread data would reset the connection if it were closed at once."""
    ours, theirs = pair
    theirs.settimeout(60)
    theirs.sendall(TEXT)
    unread, _ = open_unread(ours)
    unread.dataReceived(b"\x81\xff" + b"\xff" * 8)
    unread.transport.doWrite()
    sent = theirs.makefile("rb").read()
    assert (sent[:1], int.from_bytes(sent[2:4])) == (b"\x88", 1009)


async def test_unsent_data_of_one_reader_is_limited(pair: tuple[Connection, Connection]) -> None:
    unread, lost = open_unread(pair[0])
    picture = "x" * 8_000
    most, sent = 0, 0
    while not lost and sent < 100_000_000:
        unread.write_text(picture, picture)
        sent += 2 * len(picture)
        most = max(most, count_unsent(unread.transport))
        await asyncio.sleep(0)
    assert most <= MAX_UNSENT_BYTES + 3 * len(picture)
    assert lost, "the connection is dropped"


async def test_slow_reader_within_the_limit_is_kept(pair: tuple[Connection, Connection]) -> None:
    unread, lost = open_unread(pair[0])
    event = "x" * 300
    while not count_unsent(unread.transport):
        unread.write_text(event)
    for _ in range(MAX_UNSEEN_EVENTS):
        unread.write_text(event)
    await asyncio.sleep(0.01)
    assert not lost
