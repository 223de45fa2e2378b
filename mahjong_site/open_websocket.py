"""An open websocket: reads and writes frames (RFC 6455), with limits against floods.

Owns the connection from the end of the handshake on. Must not know Daphne, nor what the messages
mean. A socket takes 2 KiB here. Autobahn's takes 14 KiB, and three times as long for a message.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from twisted.internet import tcp
from twisted.internet.abstract import FileDescriptor

from game.live.rate_limits import Bucket

READ_BYTES: Final = 4096
"""Read at once from one websocket: about a hundred of the shortest messages, some milliseconds."""
MAX_MESSAGE_BYTES: Final = 64 * 1024
"""A larger message ends the connection. The limit of the consumers is lower and gets an error."""
MAX_UNREAD: Final = 24
"""Messages of one websocket that the application has not read. Beyond that no further frame is
parsed, since parsing costs more than refusing. Our page never has as many."""
FRAMES_AT_ONCE: Final = 60
FRAMES_PER_S: Final = 20
"""Limits for one websocket. Pings and parts of messages count, which the application never sees.
Our page sends few messages, and none in parts."""
MAX_PAUSES: Final = 4
"""A websocket that has to be paused more often within `_FORGIVEN_S` is closed as a flood."""
MAX_UNSENT_BYTES: Final = 512 * 1024
"""Drop connections with more unsent data. A page is closed as too slow after four hundred unseen
events, some 100 KiB."""
CLOSED_WITHIN_S: Final = 1.0
"""How long the client may take to answer a close."""
PING_EVERY_S: Final = 20
ANSWERED_WITHIN_S: Final = 30
"""Drop a connection that sends nothing for so long after a ping."""
_PAUSE_S: Final = 0.5
_FORGIVEN_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.02

NORMAL: Final = 1000
PROTOCOL_ERROR: Final = 1002
NO_CODE: Final = 1005
ABNORMAL: Final = 1006
NOT_UTF8: Final = 1007
TOO_LARGE: Final = 1009
FAULT: Final = 1011
FLOOD: Final = 4429
_ABUSES: Final = frozenset({4400, 4413, FLOOD})
"""Close codes after which nothing more is read."""
_CODES: Final = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
"""Close codes that a client may send."""

_FINAL, _RESERVED, _OPCODE, _MASKED, _LENGTH = 0x80, 0x70, 0x0F, 0x80, 0x7F
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_MAX_CONTROL: Final = 125
_MEDIUM, _HUGE = 126, 127

Message = dict[str, Any]


class Inbox:
    """Messages for one reader. An `asyncio.Queue` takes 3 KiB for each socket."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        return len(self._messages)

    def put_nowait(self, message: Message) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Message:
        """Return the next message, when there is one. There is one reader."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)


class OpenWebSocket:
    """One connection as Twisted's protocol. It is read in small pieces, no faster than the
    application reads. After a close for abuse nothing is read, and the connection is dropped when
    the client's time to answer the close is over."""

    __slots__ = (
        *(
            "answered_at",
            "clock",
            "inbox",
            "is_begun",
            "transport",
            "_data",
            "_frames",
            "_has_begun",
        ),
        *("_heard_at", "_is_abused", "_is_closing", "_is_paused", "_last_pause", "_lost_code"),
        *("_on_lost", "_opcode", "_parts", "_pauses", "_pinged_at", "__weakref__"),
    )

    def __init__(self, on_lost: Callable[[], None]) -> None:
        """Call `on_lost` when the connection has ended."""
        self.inbox: Any = Inbox()
        """Takes the messages of ASGI for the application."""
        self.transport: Any = None
        self.is_begun = False
        """Whether the handshake is over."""
        self.answered_at = 0.0
        """When the client last answered a ping, by the monotonic clock."""
        self.clock: Callable[[], float] = time.monotonic
        """Seconds, on any monotonic clock."""
        self._on_lost = on_lost
        self._data = b""
        """Received bytes that are not parsed."""
        self._has_begun = False
        """Whether `_data` begins with a frame that was counted already."""
        self._opcode = _CONTINUATION
        """The type of the message of which `_parts` have come."""
        self._parts: list[bytes] = []
        self._frames: Bucket
        self._pauses = 0
        self._last_pause = self._heard_at = self._pinged_at = 0.0
        self._is_paused = self._is_abused = self._is_closing = False
        self._lost_code = ABNORMAL

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self.transport is not None and not self._is_closing

    def open(self, transport: Any, received: bytes = b"") -> None:
        """Take over a connection after its handshake, with the data that came after that."""
        self.is_begun, self.transport = True, transport
        self._heard_at = self.clock()
        self._frames = Bucket(FRAMES_AT_ONCE, FRAMES_PER_S, self._heard_at)
        transport.bufferSize = READ_BYTES
        transport.protocol = self
        if received:
            self.dataReceived(received)

    # What Twisted calls

    def dataReceived(self, data: bytes) -> None:
        if self._is_abused:
            return
        self._data = self._data + data if self._data else data
        self._read_frames()

    def connectionLost(self, reason: object = None) -> None:
        self.transport = None
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": self._lost_code})
        self._on_lost()

    # What the application sends

    def write_text(self, *texts: str) -> None:
        """Send these texts, a frame each. A connection with too much unsent data is dropped."""
        if self.is_open:
            self._write(b"".join([encode_text_frame(text.encode()) for text in texts]))

    def write_bytes(self, data: bytes) -> None:
        """Send a binary frame."""
        if self.is_open:
            self._write(_encode_frame(_BINARY, data))

    def ping(self) -> None:
        """Send a ping. Does not wait for the answer."""
        if self.is_open:
            self._pinged_at = self.clock()
            self._write(_encode_frame(_PING, b""))

    def close(self, code: int = NORMAL) -> None:
        """Send a close, and end the connection when the client has answered or its time is over."""
        if not self.is_open:
            return
        self._send_close(code, code.to_bytes(2))
        if code in _ABUSES:
            self._read_no_more()

    def check_timeouts(self) -> None:
        """Ping a client that has been silent, drop one that stays silent. Call this every few
        seconds."""
        if not self.is_open:
            return
        now = self.clock()
        if self._pinged_at > self._heard_at and now - self._pinged_at > ANSWERED_WITHIN_S:
            self._drop()
        elif now - max(self._heard_at, self._pinged_at) > PING_EVERY_S:
            self.ping()

    def _write(self, frames: bytes) -> None:
        """Send directly to the kernel if no data is waiting."""
        transport = self.transport
        waiting = count_unsent(transport)
        if type(transport) is tcp.Server and not waiting and not transport.TLS:
            try:
                sent = transport.socket.send(frames)
            except OSError:
                sent = 0  # full, or closed: the transport handles both
            if sent == len(frames):
                return
            frames = frames[sent:]
        if waiting > MAX_UNSENT_BYTES:
            self._drop()  # a close would wait behind the unsent data
        else:
            transport.write(frames)

    def _send_close(self, code: int, payload: bytes) -> None:
        """Send a close, after which the connection lasts a moment longer at most."""
        self._write(_encode_frame(_CLOSE, payload))
        self._is_closing = True
        self._lost_code = code
        asyncio.get_running_loop().call_later(CLOSED_WITHIN_S, self._drop)

    def _drop(self) -> None:
        if self.transport is not None:
            self.transport.abortConnection()

    # Reading

    def _read_frames(self) -> None:
        while self._data and not (self._is_paused or self._is_abused) and self.transport:
            if self.inbox.qsize() > MAX_UNREAD:
                self._pause(_LOOK_AGAIN_S)
            elif not (self._has_begun or self._may_begin_frame()) or not self._read_frame():
                return

    def _may_begin_frame(self) -> bool:
        now = self._heard_at = self.clock()
        if self._frames.take(now):
            self._has_begun = True
            return True
        self._pauses = 1 + (self._pauses if now - self._last_pause < _FORGIVEN_S else 0)
        self._last_pause = now
        if self._pauses > MAX_PAUSES:
            self.close(FLOOD)
        else:
            self._pause(_PAUSE_S)
        return False

    def _read_frame(self) -> bool:
        """Handle the first frame. Return False if it is not complete, or has ended the reading."""
        data = self._data
        if len(data) < 2:
            return False
        first, second = data[0], data[1]
        opcode, length, start = first & _OPCODE, second & _LENGTH, 2
        if first & _RESERVED or not second & _MASKED:
            return self._fail(PROTOCOL_ERROR)
        if opcode >= _CLOSE and (length > _MAX_CONTROL or not first & _FINAL):
            return self._fail(PROTOCOL_ERROR)
        if length >= _MEDIUM:
            start = 4 if length == _MEDIUM else 10
            if len(data) < start:
                return False
            length = int.from_bytes(data[2:start])
        if length + sum(map(len, self._parts)) > MAX_MESSAGE_BYTES:
            return self._fail(TOO_LARGE)
        end = start + 4 + length
        if len(data) < end:
            return False
        payload = _unmask(data[start + 4 : end], data[start : start + 4])
        self._data = data[end:]
        self._has_begun = False
        return self._take(opcode, bool(first & _FINAL), payload)

    def _take(self, opcode: int, is_final: bool, payload: bytes) -> bool:
        """Handle a frame. Return False if it ends the reading."""
        if opcode in (_TEXT, _BINARY, _CONTINUATION):
            if (opcode == _CONTINUATION) != bool(self._opcode):
                return self._fail(PROTOCOL_ERROR)
            if is_final and not self._opcode:
                return self._deliver(opcode, payload)
            self._opcode = self._opcode or opcode
            self._parts.append(payload)
            if not is_final:
                return True
            opcode, whole = self._opcode, b"".join(self._parts)
            self._opcode, self._parts = _CONTINUATION, []
            return self._deliver(opcode, whole)
        if opcode == _PING:
            if self.is_open:
                self._write(_encode_frame(_PONG, payload))
            return True
        if opcode == _PONG:
            self.answered_at = time.monotonic()
            return True
        if opcode == _CLOSE:
            return self._answer_close(payload)
        return self._fail(PROTOCOL_ERROR)

    def _deliver(self, opcode: int, payload: bytes) -> bool:
        if self._is_closing:
            return True
        if opcode == _BINARY:
            self.inbox.put_nowait({"type": "websocket.receive", "bytes": payload})
            return True
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            return self._fail(NOT_UTF8)
        self.inbox.put_nowait({"type": "websocket.receive", "text": text})
        return True

    def _answer_close(self, payload: bytes) -> bool:
        code = int.from_bytes(payload[:2]) if payload else NO_CODE
        if not self._is_closing:
            if payload and (code not in _CODES or not _is_text(payload[2:])):
                return self._fail(PROTOCOL_ERROR)
            self._send_close(code, payload[:2])
        self.transport.loseConnection()
        return False

    def _fail(self, code: int) -> bool:
        """Close because of a wrong frame, after which nothing can be parsed."""
        self.close(code)
        self._read_no_more()
        return False

    def _read_no_more(self) -> None:
        self._is_abused = True
        self._data = b""
        self.transport.pauseProducing()

    def _pause(self, seconds: float) -> None:
        self._is_paused = True
        self.transport.pauseProducing()
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        if self._is_abused or self.transport is None:
            return
        if self.inbox.qsize() > MAX_UNREAD // 2:
            self._pause(_LOOK_AGAIN_S)
            return
        self._is_paused = False
        self.transport.resumeProducing()
        self._read_frames()


def _unmask(payload: bytes, mask: bytes) -> bytes:
    """Apply the mask of a client's frame: the payload XOR the mask, again and again."""
    size = len(payload)
    whole = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(whole)).to_bytes(size)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def encode_text_frame(payload: bytes) -> bytes:
    """Return the payload as an unmasked text frame (RFC 6455, 5.2)."""
    return _encode_frame(_TEXT, payload)


def _encode_frame(opcode: int, payload: bytes) -> bytes:
    size, first = len(payload), _FINAL | opcode
    if size < _MEDIUM:
        return bytes((first, size)) + payload
    if size < 1 << 16:
        return bytes((first, _MEDIUM)) + size.to_bytes(2) + payload
    return bytes((first, _HUGE)) + size.to_bytes(8) + payload


def count_unsent(transport: Any) -> int:
    """Return how many bytes wait until the kernel takes them."""
    if not isinstance(transport, FileDescriptor):
        return 0
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen
