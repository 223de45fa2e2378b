"""Limits against floods that Daphne lacks: on frames, unread messages, unsent bytes and requests.

`guard_daphne` puts subclasses of Daphne's protocols in place. They rely on a few private parts of
Daphne, Autobahn and Twisted, so `guard_proof` tries the limits at each start. What the private
parts are worth: docs/adr/2026-11-22-keep-private-parts-of-libraries-only-if-they-pay.md.
"""

from __future__ import annotations

# Daphne installs its reactor before anything else of Twisted is imported.
import daphne.server  # isort: skip  # noqa: F401

import asyncio
import gc
import time
from collections.abc import Callable
from typing import Any, Final

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import tcp
from twisted.internet.abstract import FileDescriptor
from twisted.web.http import HTTPChannel

from game.live.rate_limits import Bucket

READ_BYTES: Final = 4096
"""Read at once from one websocket: about a hundred of the shortest messages, some milliseconds."""
MAX_UNREAD: Final = 24
"""Messages of one websocket that the application has not read. Beyond that no further frame is
parsed, since parsing costs more than refusing. Our page never has as many."""
FRAMES_AT_ONCE: Final = 60
FRAMES_PER_S: Final = 20
"""Limits for one websocket. Pings and parts of messages count, which the application never sees.
Our page sends few messages, and none in parts."""
MAX_PAUSES: Final = 4
"""A websocket that has to be paused more often within `_FORGIVEN_S` is closed as a flood."""
MAX_BODY_BYTES: Final = 3 * 2**20
"""Requests with a larger body are refused before they are read. Django's limit is lower."""
MAX_DROPPED_BYTES: Final = 8 * 2**20
"""Bytes of a refused body that are read and dropped. A browser shows the refusal only if it could
send the body to its end."""
REQUEST_WITHIN_S: Final = 60
"""The longest time from the first byte of a request to the last of its body. A connection on which
no request begins ends after the same time."""
MAX_UNSENT_BYTES: Final = 512 * 1024
"""Drop connections with more unsent data. A page is closed as too slow after four hundred unseen
events, some 100 KiB."""
COLLECT_AFTER: Final = 500
"""Closed sockets after which garbage is collected: each leaves a cycle of some 20 kB, which the
collector would find late."""
_PAUSE_S: Final = 0.5
_FORGIVEN_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.02
_FLOOD: Final = 4429
_ABUSES: Final = frozenset({4400, 4413, 4429})
"""Close codes after which nothing more is read."""
_TEXT_FRAME: Final = 0x81
_MEDIUM, _LARGE = 126, 1 << 16
_OF_HANDSHAKE: Final = (
    *("http_headers", "http_request_data", "http_request_params", "http_response_data"),
    *("http_request_host", "http_request_path", "http_request_uri", "http_status_line"),
    *("websocket_extensions", "websocket_origin", "websocket_protocols", "_wskey"),
    *("application_deferred", "clean_headers", "protocol_to_accept"),
)
"""Attributes of a protocol that nothing reads after the handshake."""


def guard_daphne() -> None:
    """Put the guarded protocols in place, before the server listens."""
    WebSocketFactory.protocol = GuardedWebSocket
    HTTPFactory.protocol = LimitedChannel


_Base: Any = object


class Guard(_Base):  # type: ignore[misc]  # a mixin over Daphne's protocol, which has no types
    """A websocket that is read in small pieces, no faster than the application reads. After a close
    for abuse nothing is read, and the connection is dropped when the client's time to answer the
    close is over."""

    _is_abused = False
    _is_paused = False
    _pauses = 0
    _last_pause = 0.0
    answered_at = 0.0
    """When the client last answered a ping, by the monotonic clock."""
    _frames: Bucket
    data: bytes
    clock: Callable[[], float] = staticmethod(time.monotonic)
    """Seconds, on any monotonic clock."""

    def onOpen(self) -> None:
        self.transport.bufferSize = READ_BYTES
        self._frames = Bucket(FRAMES_AT_ONCE, FRAMES_PER_S, self.clock())
        super().onOpen()
        self._forget_handshake()

    def _forget_handshake(self) -> None:
        """Free some eight kilobytes: the headers in several forms and the channel of the request, a
        producer that has nothing to produce."""
        self.transport.unregisterProducer()
        for name in _OF_HANDSHAKE:
            self.__dict__.pop(name, None)
        self.__dict__ = dict(self.__dict__)  # a dictionary never shrinks

    def ping(self) -> None:
        """Send a ping. Does not wait for the answer."""
        self.sendPing()

    def onPong(self, payload: bytes) -> None:
        self.answered_at = time.monotonic()

    def serverClose(self, code: int | None = None) -> None:
        super().serverClose(code)
        if code in _ABUSES:
            self._is_abused = True
            self.transport.pauseProducing()

    def connectionLost(self, reason: Any = None) -> None:
        super().connectionLost(reason)
        _count_closed()

    def processData(self) -> bool:
        """Parse one frame. Return False if there is none, or if it has to wait."""
        if self._is_abused or self._is_paused:
            return False
        if self.application_queue.qsize() > MAX_UNREAD:
            self._pause(_LOOK_AGAIN_S)
            return False
        if self.current_frame is None and self.data and not self._may_begin_frame():
            return False
        return bool(super().processData())

    def _may_begin_frame(self) -> bool:
        now = self.clock()
        if self._frames.take(now):
            return True
        self._pauses = 1 + (self._pauses if now - self._last_pause < _FORGIVEN_S else 0)
        self._last_pause = now
        if self._pauses > MAX_PAUSES:
            self.serverClose(_FLOOD)
        else:
            self._pause(_PAUSE_S)
        return False

    def _pause(self, seconds: float) -> None:
        self._is_paused = True
        self.transport.pauseProducing()
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        if self._is_abused:
            return
        if self.application_queue.qsize() > MAX_UNREAD // 2:
            self._pause(_LOOK_AGAIN_S)
            return
        self._is_paused = False
        self.transport.resumeProducing()
        self.consumeData()

    def write_text(self, *texts: str) -> None:
        """Send these texts, a frame each, directly to the kernel if no data is waiting. A
        connection with too much unsent data is dropped."""
        if self.state != self.STATE_OPEN:
            return
        frames = b"".join([encode_text_frame(text.encode()) for text in texts])
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
            transport.abortConnection()  # a close would wait behind the unsent data
        else:
            transport.write(frames)


class GuardedWebSocket(Guard, WebSocketProtocol):  # type: ignore[misc]
    """Daphne's websocket, guarded."""


_closed = 0


def _count_closed() -> None:
    global _closed
    _closed += 1
    if _closed >= COLLECT_AFTER:
        _closed = 0
        gc.collect()


class LimitedBody(_Base):  # type: ignore[misc]  # a mixin over Daphne's request
    """A request that is refused when its announced or received body is too large. Daphne writes the
    whole body to the disk before the application sees the request."""

    _is_refused = False
    _body_bytes = 0

    def refusal(self) -> tuple[str, bytes]:
        """Return the content type and the content of the refusal."""
        return "text/plain", b"The request is too large."

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        self._check_size(length or 0)

    def handleContentChunk(self, data: bytes) -> None:
        self._body_bytes += len(data)
        self._check_size(self._body_bytes)
        if not self._is_refused:
            super().handleContentChunk(data)
        elif self._body_bytes > MAX_DROPPED_BYTES:
            self.channel.loseConnection()

    def process(self) -> Any:
        if not self._is_refused:
            return super().process()
        self.channel.loseConnection()
        return None

    def _check_size(self, size: int) -> None:
        if size <= MAX_BODY_BYTES or self._is_refused:
            return
        self._is_refused = True
        kind, content = self.refusal()
        head = (
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nCache-Control: no-store\r\n"
            f"Content-Type: {kind}; charset=utf-8\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self.channel.transport.write(head.encode() + content)


class LimitedRequest(LimitedBody, WebRequest):  # type: ignore[misc]
    """Daphne's request, with a limited body."""

    def refusal(self) -> tuple[str, bytes]:
        from mahjong_site.error_pages import too_large  # Django is set up by now

        return too_large(self._header(b"accept"), self._header(b"accept-language"))

    def _header(self, name: bytes) -> str:
        values = self.requestHeaders.getRawHeaders(name) or [b""]
        return bytes(values[0]).decode("latin-1")


_HTTPChannel: Any = HTTPChannel
"""Twisted does not type its methods."""


class LimitedChannel(_HTTPChannel):  # type: ignore[misc]
    """A connection whose requests have to be complete within `REQUEST_WITHIN_S`. Twisted's own
    timeout starts again with each byte."""

    request_class: Any = LimitedRequest
    _has_begun = False

    def connectionMade(self) -> None:
        self.timeOut = REQUEST_WITHIN_S
        self.requestFactory = self.request_class
        super().connectionMade()

    def setTimeout(self, period: float | None) -> Any:
        """Start the time of a request, or end it for None. Twisted calls this when a request may
        begin, and with None when one is complete."""
        self._has_begun = False
        return super().setTimeout(period)

    def resetTimeout(self) -> None:
        """Start the time of a request at its first piece of data. Twisted calls this for each
        piece; the later ones change nothing."""
        if not self._has_begun:
            self._has_begun = True
            super().resetTimeout()


def count_unsent(transport: Any) -> int:
    """Return how many bytes wait until the kernel takes them."""
    if not isinstance(transport, FileDescriptor):
        return 0
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen


def encode_text_frame(payload: bytes) -> bytes:
    """Return the payload as an unmasked text frame (RFC 6455, 5.2)."""
    size = len(payload)
    if size < _MEDIUM:
        return bytes((_TEXT_FRAME, size)) + payload
    if size < _LARGE:
        return bytes((_TEXT_FRAME, _MEDIUM)) + size.to_bytes(2, "big") + payload
    return bytes((_TEXT_FRAME, 127)) + size.to_bytes(8, "big") + payload
