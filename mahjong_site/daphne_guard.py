"""What Daphne lacks against floods, and for many tables: it waits for a request as long as a byte
comes now and then, reads on from a socket that it has been told to close, hands over whatever lies
in a large read before anything else has its turn, takes each outgoing frame through a dozen calls
and three of the kernel's, and keeps with each websocket the request by which it came.

Under another server this does nothing.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from twisted.internet import tcp
from twisted.internet.abstract import FileDescriptor
from twisted.web import http

from game.live.rate_limits import Bucket
from game.live.send_queue import WRITE

Application = Callable[[Any, Any, Any], Awaitable[None]]

READ_BYTES: Final = 4096
"""At a time from one websocket: about a hundred of the shortest messages, some milliseconds."""
MAX_WAITING: Final = 24
"""Messages of one websocket that the application has not come to: with more than these, no
further one is parsed, which costs more than to refuse it. An honest page never has as many."""
FRAMES_AT_ONCE: Final = 60
FRAMES_PER_S: Final = 20
"""Of one websocket, pings and parts of messages among them, which the application never sees. An
honest page sends its few messages whole."""
MAX_BREATHERS: Final = 4
"""So often within `_FORGIVEN_S` may a socket be made to wait before it is closed as a flood."""
LARGEST_BODY_BYTES: Final = 3 * 2**20
"""Of a request; what is larger is refused before it is read. Above what Django takes of a form."""
REQUEST_WITHIN_S: Final = 60
"""From the first byte of a request to the last of its body. A connection on which no request begins
ends after the same time."""
MAX_UNSENT_BYTES: Final = 512 * 1024
"""What waits in this process for one reader. Four hundred events, after which an honest one is
known to be too slow, are a fifth of it."""
COLLECT_AFTER: Final = 500
"""Sockets that have ended: what they leave refers to itself, some 20 kB each, and the garbage
collector, which seldom looks, would find it the later the longer they were open."""
_BREATHER_S: Final = 0.5
_FORGIVEN_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.02
_FLOOD: Final = 4429
_ABUSES: Final = frozenset({4400, 4413, 4429})
"""Close codes after which nothing more is worth reading."""
_TEXT_FRAME: Final = 0x81
_MASKED: Final = 0x80
_SHORTEST: Final = 6
"""Bytes of a client's frame before its payload."""
_MEDIUM, _LARGE = 126, 1 << 16
_OF_THE_HANDSHAKE: Final = (
    *("http_headers", "http_request_data", "http_request_params", "http_response_data"),
    *("http_request_host", "http_request_path", "http_request_uri", "http_status_line"),
    *("websocket_extensions", "websocket_origin", "websocket_protocols", "_wskey"),
    *("application_deferred", "clean_headers", "protocol_to_accept"),
)
"""What a protocol holds and never looks at again."""


def straight(application: Application) -> Application:
    """The application, given `WRITE` where the server behind it is Daphne on guard."""

    async def with_write(scope: Any, receive: Any, send: Any) -> None:
        protocol = send.args[0] if isinstance(send, partial) and send.args else None
        write = getattr(protocol, "write_text", None)
        if write is not None:
            scope = {**scope, "extensions": {**scope.get("extensions", {}), WRITE: write}}
        await application(scope, receive, send)

    return with_write


def put_on_guard() -> None:
    """To be called while the server loads the application, before it listens."""
    daphne: Any = sys.modules.get("daphne.ws_protocol")
    if daphne is not None:
        daphne.WebSocketFactory.protocol = guarded(daphne.WebSocketProtocol)
    pages: Any = sys.modules.get("daphne.http_protocol")
    if pages is not None:
        pages.WebRequest = small(pages.WebRequest)
        pages.HTTPFactory.protocol = staticmethod(limited_channel)


def guarded(protocol: Any) -> Any:
    """That protocol of Daphne's, on guard."""
    return type("Guarded", (Guard, protocol), {})


_Protocol: Any = object
"""What stands on guard has Daphne's protocol behind it, which is known when Daphne is loaded."""


class Guard(_Protocol):  # type: ignore[misc]  # Daphne has no types
    """A websocket that is read in small bites, no faster than the application keeps up with,
    and not after it has been closed for abuse: the connection is dropped when the time for
    the client's goodbye is over."""

    _is_abused = False
    _is_waiting = False
    _breathers = 0
    _last_breather = 0.0
    _frames: Bucket
    data: bytes

    def connectionMade(self) -> None:
        kind: Any = type(self)
        for name in kind.CONFIG_ATTRS:  # of all sockets alike: not to be copied into each
            value = getattr(self.factory, name)
            setattr(kind, name, staticmethod(value) if callable(value) else value)
        kind.CONFIG_ATTRS = ()
        super().connectionMade()

    def onOpen(self) -> None:
        self.transport.bufferSize = READ_BYTES
        self._frames = Bucket(FRAMES_AT_ONCE, FRAMES_PER_S, time.monotonic())
        super().onOpen()
        self._forget_the_handshake()

    def _forget_the_handshake(self) -> None:
        """Some eight kilobytes: the headers in several forms, and the channel of the request,
        which is a producer that has nothing to produce."""
        self.transport.unregisterProducer()
        for name in _OF_THE_HANDSHAKE:
            self.__dict__.pop(name, None)
        self.__dict__ = dict(self.__dict__)  # a dictionary never shrinks

    def serverClose(self, code: int | None = None) -> None:
        super().serverClose(code)
        if code in _ABUSES:
            self._is_abused = True
            self.transport.pauseProducing()

    def connectionLost(self, reason: Any = None) -> None:
        super().connectionLost(reason)
        _count_ended()

    def dataReceived(self, data: bytes) -> None:
        self._dataReceived(data)  # without a line for a log that nobody keeps

    def processData(self) -> bool:
        """Parse one frame. False if there is none, or it has to wait."""
        if self._is_abused or self._is_waiting:
            return False
        if self.application_queue.qsize() > MAX_WAITING:
            self._wait(_LOOK_AGAIN_S)
            return False
        if self.current_frame is None and self.data and not self._may_begin_a_frame():
            return False
        return self._took_short_text() or bool(super().processData())

    def _took_short_text(self) -> bool:
        """Whether the data began with a whole short text, which has been handed over: nearly
        all that players send, at a fifth of what parsing it costs."""
        data = self.data
        if len(data) < _SHORTEST or self.current_frame is not None or self.inside_message:
            return False
        size = data[1] & 127
        end = _SHORTEST + size
        is_plain = data[0] == _TEXT_FRAME and data[1] & _MASKED and size < _MEDIUM
        if not is_plain or len(data) < end or self.state != self.STATE_OPEN:
            return False
        text = unmasked(data[2:_SHORTEST], data[_SHORTEST:end])
        try:
            text.decode()
        except UnicodeDecodeError:
            return False  # the server knows what to say to that
        self.data = data[end:]
        self.onMessage(text, False)
        return len(self.data) > 0

    def _may_begin_a_frame(self) -> bool:
        now = time.monotonic()
        if self._frames.take(now):
            return True
        self._breathers = 1 + (self._breathers if now - self._last_breather < _FORGIVEN_S else 0)
        self._last_breather = now
        if self._breathers > MAX_BREATHERS:
            self.serverClose(_FLOOD)
        else:
            self._wait(_BREATHER_S)
        return False

    def _wait(self, seconds: float) -> None:
        self._is_waiting = True
        self.transport.pauseProducing()
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    def write_text(self, *texts: str) -> None:
        """Send these, a frame each: to the kernel at once, if nothing waits to be sent."""
        if self.state != self.STATE_OPEN:
            return
        frames = b"".join([framed(text.encode()) for text in texts])
        transport = self.transport
        waiting = unsent(transport)
        if type(transport) is tcp.Server and not waiting and not transport.TLS:
            try:
                sent = transport.socket.send(frames)
            except OSError:
                sent = 0  # full, or gone: the transport knows what to do
            if sent == len(frames):
                return
            frames = frames[sent:]
        if waiting > MAX_UNSENT_BYTES:
            transport.abortConnection()  # a close would have to wait behind all that
        else:
            transport.write(frames)

    def _go_on(self) -> None:
        if self._is_abused:
            return
        if self.application_queue.qsize() > MAX_WAITING // 2:
            self._wait(_LOOK_AGAIN_S)
            return
        self._is_waiting = False
        self.transport.resumeProducing()
        self.consumeData()


_ended = 0


def _count_ended() -> None:
    global _ended
    _ended += 1
    if _ended >= COLLECT_AFTER:
        _ended = 0
        gc.collect()


_HTTPChannel: Any = http.HTTPChannel
"""Twisted does not type its methods."""


class LimitedChannel(_HTTPChannel):  # type: ignore[misc]
    """A connection whose requests have to come whole within `REQUEST_WITHIN_S`. Twisted's own
    timeout starts again with each byte."""

    _has_begun = False

    def connectionMade(self) -> None:
        self.timeOut = REQUEST_WITHIN_S
        super().connectionMade()

    def setTimeout(self, period: float | None) -> Any:
        """Called when a request may begin, and with None when one has come whole."""
        self._has_begun = False
        return super().setTimeout(period)

    def resetTimeout(self) -> None:
        """Called for each piece of data: only the first one of a request counts."""
        if not self._has_begun:
            self._has_begun = True
            super().resetTimeout()


def limited_channel() -> Any:
    """What Twisted's factory makes for each connection, with `LimitedChannel` in it."""
    return http._GenericHTTPChannelProtocol(LimitedChannel())


def small(request: Any) -> Any:
    """That request of Daphne's, with a body of some size at most: Daphne itself reads all that
    comes, onto the disk, before anybody looks at it."""

    class Small(request):  # type: ignore[misc]
        """Refused as soon as it says, or is found, to be too large."""

        _is_refused = False
        _body_bytes = 0

        def gotLength(self, length: int | None) -> None:
            super().gotLength(length)
            self._grown(length or 0)

        def handleContentChunk(self, data: bytes) -> None:
            self._body_bytes += len(data)
            self._grown(self._body_bytes)
            if not self._is_refused:
                super().handleContentChunk(data)

        def process(self) -> Any:
            return None if self._is_refused else super().process()

        def _grown(self, size: int) -> None:
            if size <= LARGEST_BODY_BYTES or self._is_refused:
                return
            self._is_refused = True
            self.channel.transport.write(
                b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            )
            self.channel.loseConnection()

    return Small


def unsent(transport: Any) -> int:
    """Bytes that wait until the kernel takes them."""
    if not isinstance(transport, FileDescriptor):
        return 0
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen


def unmasked(mask: bytes, payload: bytes) -> bytes:
    """The payload as it was before it was masked (RFC 6455, 5.3)."""
    size = len(payload)
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


def framed(payload: bytes) -> bytes:
    """The payload as one unmasked text frame (RFC 6455, 5.2)."""
    size = len(payload)
    if size < _MEDIUM:
        return bytes((_TEXT_FRAME, size)) + payload
    if size < _LARGE:
        return bytes((_TEXT_FRAME, _MEDIUM)) + size.to_bytes(2, "big") + payload
    return bytes((_TEXT_FRAME, 127)) + size.to_bytes(8, "big") + payload
