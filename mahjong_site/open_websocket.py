"""An open websocket, over the protocol of the package websockets, with limits against floods.

Owns the connection from the end of the handshake on. Must not know Daphne, nor the meaning of
messages. A socket takes 3 KiB here; Autobahn's takes 14 KiB, and three times as long for a message.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from twisted.internet import tcp
from twisted.internet.abstract import FileDescriptor
from websockets.frames import CloseCode, Opcode
from websockets.protocol import SEND_EOF, Protocol, Side, State

from game.live.rate_limits import Bucket

READ_BYTES: Final = 4096
"""Read at once from one websocket."""
MAX_MESSAGE_BYTES: Final = 64 * 1024
"""A larger message ends the connection. The limit of the consumers is lower and gets an error."""
MAX_UNREAD: Final = 24
"""Messages of one websocket that the application has not read. Beyond that nothing further is
parsed, since parsing costs more than refusing. Our page never has as many."""
FRAMES_AT_ONCE: Final = 60
FRAMES_PER_S: Final = 20
"""Limits for one websocket. Pings and parts of messages count, which the application never sees.
Our page sends few messages, and none in parts."""
PARSED_AT_ONCE: Final = 6 * FRAMES_AT_ONCE
"""Bytes that are parsed before the limits are looked at again. A client's shortest frame has six,
so a limit is exceeded by `FRAMES_AT_ONCE` at most."""
MAX_PAUSES: Final = 4
"""A websocket that has to be paused more often within `_PAUSES_KEPT_S` is closed as a flood."""
MAX_UNSENT_BYTES: Final = 512 * 1024
"""Drop connections with more unsent data. A page is closed as too slow after four hundred unseen
events, some 100 KiB."""
CLOSED_WITHIN_S: Final = 1.0
"""How long the client may take to answer a close."""
PING_EVERY_S: Final = 20
ANSWERED_WITHIN_S: Final = 30
"""Drop a connection that sends nothing for so long after a ping."""
_PAUSE_S: Final = 0.5
_PAUSES_KEPT_S: Final = 10.0
_CHECK_INBOX_S: Final = 0.02

_WHOLE_TEXT: Final = 0x81
"""The first byte of a frame with a whole text."""
_SIZE_IN_2_BYTES: Final = 126
_SIZE_IN_8_BYTES: Final = 127
"""In the place of a frame's size, if the size follows in that many bytes."""

FLOOD: Final = 4429
_ABUSES: Final = frozenset({4400, 4413, FLOOD})
"""Close codes after which nothing more is read."""
_OPEN: Final = State.OPEN
_TEXT, _BINARY, _CONTINUATION, _PONG = Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.PONG
"""Looking up a member of an enumeration takes 0.1 us each time."""

Message = dict[str, Any]
Handler = Callable[[Message], Awaitable[None]]


class Inbox:
    """Messages for the application. They are kept until it reads them, or handed to its handler one
    after the other. (An `asyncio.Queue` would take 3 KiB for each socket.)"""

    __slots__ = ("_at_once", "_handler", "_messages", "_reader", "_task", "work")

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._reader: asyncio.Future[None] | None = None
        self._handler: Handler | None = None
        self._at_once: Callable[[Message], bool]
        self._task: asyncio.Task[None] | None = None
        """Handles messages. There is none while nothing comes: a task takes 4 KiB."""
        self.work: asyncio.Future[None]
        """Ends when the application has done everything for this socket. `run` sets it."""

    def qsize(self) -> int:
        return len(self._messages)

    def put_nowait(self, message: Message) -> None:
        if self._handler is None:
            self._messages.append(message)
            if self._reader is not None and not self._reader.done():
                self._reader.set_result(None)
        elif self._task is not None:
            self._messages.append(message)
        elif not self._at_once(message):
            self._messages.append(message)
            self._task = asyncio.create_task(self._until_done(None))

    async def get(self) -> Message:
        """Wait for the next message and return it. Only one task may read."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)

    def run(self, application: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        """Start the application in a task. Return the future `work`, which ends with the
        application's work."""
        self.work = asyncio.get_running_loop().create_future()
        self.work.add_done_callback(self._stop)
        self._task = asyncio.create_task(self._until_done(application))
        return self.work

    def set_handler(self, handler: Handler, at_once: Callable[[Message], bool]) -> None:
        """See `game.live.send_queue.ServerInbox`."""
        self._handler, self._at_once = handler, at_once

    async def _until_done(self, application: Coroutine[Any, Any, None] | None) -> None:
        """Run the application, if one is given, then handle all waiting messages."""
        try:
            if application is not None:
                await application
            while self._messages and self._handler is not None:
                message = self._messages.pop(0)
                await self._handler(message)
                if message["type"] == "websocket.disconnect":
                    self._handler = None
            if self._handler is None:
                self._end(None)
        except Exception as error:
            self._end(error)
        finally:
            self._task = None

    def _end(self, error: Exception | None) -> None:
        if self.work.done():
            return
        if error is None:
            self.work.set_result(None)
        else:
            self.work.set_exception(error)

    def _stop(self, work: asyncio.Future[None]) -> None:
        if work.cancelled() and self._task is not None:
            self._task.cancel()


class OpenWebSocket:
    """One connection as Twisted's protocol. It is read in small pieces, no faster than the
    application reads. After abuse or a wrong frame nothing more is read, and the connection is
    dropped when the client's time to close it is over."""

    __slots__ = (
        *("answered_at", "clock", "inbox", "is_begun", "transport", "_data", "_frames"),
        *("_heard_at", "_is_ended", "_is_paused", "_is_text", "_last_pause", "_message"),
        *("_on_lost", "_pauses", "_pinged_at", "_protocol", "_uncounted", "__weakref__"),
    )

    def __init__(self, on_lost: Callable[[], None]) -> None:
        """`on_lost` is called when the connection has ended."""
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
        self._protocol = Protocol(Side.SERVER, max_size=MAX_MESSAGE_BYTES)
        self._data = b""
        """Received bytes that are not parsed."""
        self._message = b""
        """The parts of a message of which more has to come."""
        self._is_text = False
        """Whether that message is text."""
        self._frames: Bucket
        self._uncounted = 0
        """Parsed frames that are not taken from `_frames` yet."""
        self._pauses = 0
        self._last_pause = self._heard_at = self._pinged_at = 0.0
        self._is_paused = self._is_ended = False

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self.transport is not None and self._protocol.state is _OPEN

    def open(self, transport: Any, received: bytes = b"") -> None:
        """Take over a connection after its handshake. `received` is data that came after the
        handshake."""
        self.is_begun, self.transport = True, transport
        self._heard_at = self.clock()
        self._frames = Bucket(FRAMES_AT_ONCE, FRAMES_PER_S, self._heard_at)
        transport.bufferSize = READ_BYTES
        transport.protocol = self
        if received:
            self.dataReceived(received)

    # What Twisted calls

    def dataReceived(self, data: bytes) -> None:
        if self._is_ended:
            self.transport.pauseProducing()  # only the end of the connection is awaited
        else:
            self._data += data
            self._parse_received()

    def connectionLost(self, reason: object = None) -> None:
        self.transport = None
        self._protocol.receive_eof()
        code = self._protocol.close_code
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": code})
        self._on_lost()

    # What the application sends

    def write_text(self, *texts: str) -> None:
        """Send each text as a frame. If too much data is unsent, drop the connection."""
        if self.is_open:
            self._write(b"".join([_text_frame(text.encode()) for text in texts]))

    def write_bytes(self, data: bytes) -> None:
        """Send a binary frame."""
        if self.is_open:
            self._protocol.send_binary(data)
            self._flush()

    def ping(self) -> None:
        """Send a ping. Does not wait for the answer."""
        if self.is_open:
            self._pinged_at = self.clock()
            self._protocol.send_ping(b"")
            self._flush()

    def close(self, code: int = CloseCode.NORMAL_CLOSURE) -> None:
        """Send a close frame. End the connection when the client has answered, or after
        `CLOSED_WITHIN_S`."""
        if self.is_open:
            if code in _ABUSES:
                self._protocol.fail(code)
            else:
                self._protocol.send_close(code)
            self._flush()

    def check_timeouts(self) -> None:
        """Ping the client if it has been silent, and drop the connection if it stays silent. To be
        called every few seconds."""
        if not self.is_open:
            return
        now = self.clock()
        if self._pinged_at > self._heard_at and now - self._pinged_at > ANSWERED_WITHIN_S:
            self._abort()
        elif now - max(self._heard_at, self._pinged_at) > PING_EVERY_S:
            self.ping()

    def _flush(self) -> None:
        """Send the bytes that the protocol has produced."""
        written = self._protocol.data_to_send()
        if not written:
            return
        self._write(b"".join(written))
        if self._protocol.close_expected():
            asyncio.get_running_loop().call_later(CLOSED_WITHIN_S, self._abort)
        if SEND_EOF in written:
            self._is_ended, self._data = True, b""
            self.transport.loseWriteConnection()

    def _write(self, frames: bytes) -> None:
        """Send the bytes directly to the kernel if no other data waits."""
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
            self._abort()  # a close would wait behind the unsent data
        else:
            transport.write(frames)

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abortConnection()

    # Reading

    def _parse_received(self) -> None:
        """Parse the received data, as far as the limits allow."""
        while self._data and self.transport and not self._is_paused:
            now = self._heard_at = self.clock()
            while self._uncounted and self._frames.take(now):
                self._uncounted -= 1
            if self._uncounted:
                self._slow_down(now)
            elif self.inbox.qsize() > MAX_UNREAD:
                self._pause(_CHECK_INBOX_S)
            else:
                data, self._data = self._data[:PARSED_AT_ONCE], self._data[PARSED_AT_ONCE:]
                self._parse(data)

    def _parse(self, data: bytes) -> None:
        was_open = self.is_open
        self._protocol.receive_data(data)
        frames = self._protocol.events_received()
        self._uncounted += len(frames)
        if was_open:
            try:
                for frame in frames:
                    self._handle_frame(frame)
            except UnicodeDecodeError:
                self._protocol.fail(CloseCode.INVALID_DATA)
        self._flush()

    def _handle_frame(self, frame: Any) -> None:
        """Handle a frame. The protocol has already answered pings and closes."""
        opcode = frame.opcode
        if opcode is _PONG:
            self.answered_at = time.monotonic()
        if opcode not in (_TEXT, _BINARY, _CONTINUATION):
            return
        if opcode is not _CONTINUATION:
            self._is_text = opcode is _TEXT
        self._message += frame.data
        if frame.fin:
            whole, self._message = self._message, b""
            content = {"text": whole.decode()} if self._is_text else {"bytes": whole}
            self.inbox.put_nowait({"type": "websocket.receive", **content})

    def _slow_down(self, now: float) -> None:
        """Pause a client that sends too many frames, or end the connection after many pauses."""
        self._pauses = 1 + (self._pauses if now - self._last_pause < _PAUSES_KEPT_S else 0)
        self._last_pause = now
        if self._pauses > MAX_PAUSES and self.is_open:
            self.close(FLOOD)
        else:
            self._pause(_PAUSE_S)

    def _pause(self, seconds: float) -> None:
        self._is_paused = True
        self.transport.pauseProducing()
        asyncio.get_running_loop().call_later(seconds, self._resume_reading)

    def _resume_reading(self) -> None:
        if self._is_ended or self.transport is None:
            return
        if self.inbox.qsize() > MAX_UNREAD // 2:
            self._pause(_CHECK_INBOX_S)
            return
        self._is_paused = False
        self.transport.resumeProducing()
        self._parse_received()


def _text_frame(data: bytes) -> bytes:
    """Return a whole unmasked text frame (RFC 6455, section 5.2). The package websockets makes ten
    calls for the same."""
    size = len(data)
    if size < _SIZE_IN_2_BYTES:
        return bytes((_WHOLE_TEXT, size)) + data
    if size <= 0xFFFF:
        return bytes((_WHOLE_TEXT, _SIZE_IN_2_BYTES)) + size.to_bytes(2) + data
    return bytes((_WHOLE_TEXT, _SIZE_IN_8_BYTES)) + size.to_bytes(8) + data


def count_unsent(transport: Any) -> int:
    """Return how many bytes have not been passed to the kernel yet. Twisted has no public count
    that includes bytes written since its loop last ran."""
    if not isinstance(transport, FileDescriptor):
        return 0
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen
