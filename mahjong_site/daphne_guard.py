"""Limits against floods that Daphne lacks: on websockets, and on the bodies and time of requests.

`guard_daphne` puts subclasses in place of Daphne's protocols. A websocket is Daphne's until its
handshake is over, then an `OpenWebSocket` with limits of its own. The private parts of Daphne and
Twisted that this relies on may change with a release, so `guard_proof` tries the limits at each
start.
"""

from __future__ import annotations

# Daphne installs its reactor before anything else of Twisted is imported.
import daphne.server  # isort: skip  # noqa: F401

import asyncio
import gc
from typing import Any, Final

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.web.http import HTTPChannel
from websockets.frames import CloseCode

from mahjong_site.open_websocket import OpenWebSocket

MAX_BODY_BYTES: Final = 3 * 2**20
"""Requests with a larger body are refused before they are read. Django's limit is lower."""
MAX_DROPPED_BYTES: Final = 8 * 2**20
"""Bytes of a refused body that are read and dropped. A browser shows the refusal only if it could
send the body to its end."""
REQUEST_WITHIN_S: Final = 60
"""The longest time from the first byte of a request to the last of its body. A connection on which
no request begins ends after the same time."""
COLLECT_AFTER: Final = 500
"""Closed sockets after which garbage is collected: each leaves a cycle of some 2 kB, which the
collector would find late."""


def guard_daphne() -> None:
    """Put the guarded protocols in place. Call it before the server listens."""
    WebSocketFactory.protocol = GuardedWebSocket
    HTTPFactory.protocol = LimitedChannel


_Base: Any = object


class GuardedWebSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's websocket until the handshake is over. After that, `socket` handles the connection,
    and this object only forwards the calls of Daphne's server."""

    data: bytes

    def __init__(self) -> None:
        super().__init__()
        self.socket = OpenWebSocket(self._end)

    def onOpen(self) -> None:
        super().onOpen()
        self.transport.unregisterProducer()  # the channel of the request
        received, self.data = self.data, b""
        self.socket.open(self.transport, received)
        asyncio.get_running_loop().call_soon(self._forget_handshake)

    def _forget_handshake(self) -> None:
        """Free the objects that only the handshake needed, some ten kilobytes. They are replaced,
        because a dictionary never shrinks."""
        self.__dict__ = {name: vars(self)[name] for name in ("server", "socket", "client_addr")}

    def _end(self) -> None:
        self.server.protocol_disconnected(self)
        _count_closed()

    def check_timeouts(self) -> None:
        if self.socket.is_begun:
            self.socket.check_timeouts()
        else:
            super().check_timeouts()

    def serverClose(self, code: int | None = None) -> None:
        if self.socket.is_begun:
            self.socket.close(CloseCode.NORMAL_CLOSURE if code is None else code)
        else:
            super().serverClose(code)

    def handle_reply(self, message: dict[str, Any]) -> None:
        if not self.socket.is_begun:
            super().handle_reply(message)
        elif message["type"] == "websocket.close":
            self.serverClose(message.get("code"))
        elif message["type"] == "websocket.send" and message.get("bytes") is not None:
            self.socket.write_bytes(message["bytes"])
        elif message["type"] == "websocket.send":
            self.socket.write_text(message["text"])

    def handle_exception(self, exception: Exception) -> None:
        if self.socket.is_begun:
            self.socket.close(CloseCode.INTERNAL_ERROR)
        else:
            super().handle_exception(exception)

    def __repr__(self) -> str:
        return f"<GuardedWebSocket client={self.client_addr!r}>"


_closed = 0


def _count_closed() -> None:
    global _closed
    _closed += 1
    if _closed >= COLLECT_AFTER:
        _closed = 0
        gc.collect()


class LimitedBody(_Base):  # type: ignore[misc]  # a mixin over Daphne's request
    """A request that is refused if its announced or received body is too large. Without this,
    Daphne writes the whole body to the disk before the application sees the request."""

    _is_refused = False
    _body_bytes = 0

    def refusal(self) -> tuple[str, bytes]:
        """Return the content type and the content of the answer that refuses the request."""
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
    """Daphne's request, with a limited body. Removes the header `Daphne-Root-Path`: a client could
    use it to change addresses in parts of pages that are cached for all readers."""

    def process(self) -> Any:
        self.requestHeaders.removeHeader(b"daphne-root-path")
        return super().process()

    def refusal(self) -> tuple[str, bytes]:
        from mahjong_site.error_pages import Refusal, refusal_page  # Django is set up by now

        headers = self._header(b"accept"), self._header(b"accept-language")
        return refusal_page(Refusal.TOO_LARGE, *headers)

    def _header(self, name: bytes) -> str:
        values = self.requestHeaders.getRawHeaders(name) or [b""]
        return bytes(values[0]).decode("latin-1")


_HTTPChannel: Any = HTTPChannel
"""Twisted does not type its methods."""


class LimitedChannel(_HTTPChannel):  # type: ignore[misc]
    """A connection on which each request has to be complete within `REQUEST_WITHIN_S`. Twisted's
    own timeout starts again with each byte."""

    request_class: Any = LimitedRequest
    _has_begun = False

    def connectionMade(self) -> None:
        self.timeOut = REQUEST_WITHIN_S
        self.requestFactory = self.request_class
        super().connectionMade()

    def setTimeout(self, period: float | None) -> Any:
        """Start the time limit of a request, or end it for None. Twisted calls this when a request
        may begin, and with None when one is complete."""
        self._has_begun = False
        return super().setTimeout(period)

    def resetTimeout(self) -> None:
        """Start the time limit at the first piece of a request. Twisted calls this for every piece;
        later calls change nothing."""
        if not self._has_begun:
            self._has_begun = True
            super().resetTimeout()
