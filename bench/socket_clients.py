"""Websocket clients that need little CPU: players and spectators of many tables in one process.

They decode only a part of each frame, because they share a machine with the server.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from game.live.rate_limits import Bucket

PING_S: Final = 4.0
_MAX_QUIET_PINGS: Final = 2
_MAX_UNREPORTED_PINGS: Final = 4
_MAX_UNREPORTED_EVENTS: Final = 100
RESEND_S: Final = 1.0
MESSAGES_AT_ONCE, MESSAGES_PER_S = 10, 7.0
"""Limits of the answers of one player. They are below the limits of a socket
(`game.live.rate_limits`), because pings count too."""
_PREFERRED_ANSWERS: Final = ("hora", "none", "confirm")
_DISCARD_EVENT: Final = re.compile(rb'\["dahai",(\d)')
_QUESTION_ID: Final = re.compile(rb'"q":(\d+)')
_EVENT_NUMBER: Final = re.compile(rb'"seq":(\d+)')
_TEXT_OPCODE, _CLOSE_OPCODE, _PING_OPCODE, _PONG_OPCODE = 1, 8, 9, 10
_FINAL_BIT: Final = 0x80
_MASKED_BIT: Final = 0x80
_NO_MASK: Final = bytes(4)
"""A mask of zeros: exclusive-or with it leaves the payload as it is."""


class TablePart(msgspec.Struct):
    """The fields of a whole-table frame that the clients decode."""

    drawn: str | None


class QuestionPart(msgspec.Struct):
    """The fields of a frame with a question that the clients decode."""

    q: int
    legal: list[dict[str, Any]]
    e: list[Any] = []
    view: TablePart | None = None


_question_decoder: Final = msgspec.json.Decoder(QuestionPart)
_encoder: Final = msgspec.json.Encoder()


class Counts:
    """Counts of what all clients sent and received while `is_counting` is set."""

    def __init__(self) -> None:
        self.is_counting = False
        self.discards = 0
        self.frames = 0
        self.bytes = 0
        self.bytes_to_seats = 0
        """Number of `bytes` that players received."""
        self.events = 0
        """Number of events, counted for each client that saw them."""
        self.syncs = 0
        """Number of whole tables that were sent although no client had lost frames."""
        self.refused = 0
        """Number of answers that the server refused; they are sent again."""
        self.received_at: dict[int, float] = {}
        """Time when the first player received the frame of a question, in seconds since the epoch,
        by the question's number."""
        self.latencies_s: list[float] = []
        """Seconds from a discard to its receipt, one for each other seat."""


class Socket(asyncio.Protocol):
    """A websocket without compression and with a mask of zeros."""

    def __init__(self, url: str, cookie: str, on_text: Callable[[bytes], None]) -> None:
        parts = urlsplit(url)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {parts.path}?{parts.query} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Origin: http://{parts.netloc}",
        ]
        if cookie:
            lines.append(f"Cookie: {cookie}")
        self._request = "\r\n".join((*lines, "", "")).encode()
        self._on_text = on_text
        self._is_open = False
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: str = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = self.closed or f"lost: {exc}"
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(self.closed))

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, ends, data = data.partition(b"\r\n\r\n")
            if not ends:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.closed = head.partition(b"\r\n")[0].decode("latin-1")
                self.opened.set_exception(ConnectionError(self.closed))
                return
            self._is_open = True
            self.opened.set_result(None)
        self._buffer = self._frames(data)

    def _frames(self, data: bytes) -> bytes:
        """Handle the whole frames at the beginning of `data` and return the remaining bytes."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if size < start + length:
                break
            kind, payload = data[at] & 15, data[start : start + length]
            at = start + length
            if kind == _TEXT_OPCODE:
                self._on_text(payload)
            elif kind == _PING_OPCODE:
                self._send(_PONG_OPCODE, payload)
            elif kind == _CLOSE_OPCODE:
                self.closed = f"closed with {int.from_bytes(payload[:2], 'big')}"
        return data[at:]

    def send(self, payload: bytes) -> None:
        self._send(_TEXT_OPCODE, payload)

    def _send(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        if length < 126:
            head = bytes((_FINAL_BIT | kind, _MASKED_BIT | length))
        else:
            head = bytes((_FINAL_BIT | kind, _MASKED_BIT | 126)) + length.to_bytes(2, "big")
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(head + _NO_MASK + payload)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Pace:
    """The speed of a table's players: `seconds` between two discards, or 0 to answer at once."""

    def __init__(self, seconds: float, rng: Random) -> None:
        self._seconds = seconds
        self._rng = rng
        self._discarded_at = 0.0

    def thinking_s(self, kind: str) -> float:
        """Return the seconds that a player takes for an answer of this type."""
        if not self._seconds or kind == "confirm":
            return 0.0
        if kind == "none":
            return self._rng.uniform(0.1, 0.4)
        due = self._discarded_at + self._seconds * self._rng.uniform(0.8, 1.2)
        return max(0.0, due - time.perf_counter())

    def discarded(self, now: float) -> None:
        self._discarded_at = now


class TableClient(ABC):
    """A client that acknowledges frames by pings, as the page does (`static/js/net/socket.js`)."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._last = b""
        """The last frame that has a number."""
        self._quiet_pings = 0
        self._pings_unreported = 0
        self._reported_seq = 0
        self.socket: Socket | None = None

    @abstractmethod
    def take(self, payload: bytes) -> None:
        """Handle one frame of the table."""

    def _count_frame(self, payload: bytes) -> None:
        self._quiet_pings = 0
        if self._counts.is_counting:
            self._counts.frames += 1
            self._counts.bytes += len(payload)

    def ping(self) -> None:
        """Send a ping if it is due. Called every `PING_S`."""
        self._quiet_pings += 1
        self._pings_unreported += 1
        seq = self.seq()
        is_quiet = self._quiet_pings >= _MAX_QUIET_PINGS
        has_news = seq - self._reported_seq >= _MAX_UNREPORTED_EVENTS
        if is_quiet or has_news or self._pings_unreported >= _MAX_UNREPORTED_PINGS:
            self._ping(seq)

    def seq(self) -> int:
        """Return the number of the last event that the client has received."""
        found = _EVENT_NUMBER.search(self._last)
        return 0 if found is None else int(found[1])

    def _ping(self, seq: int) -> None:
        self._quiet_pings = self._pings_unreported = 0
        self._reported_seq = seq
        if self._last and self.socket is not None:
            self.socket.send(b'{"t":"ping","seq":%d,"at":0,"seen":true}' % seq)


class PlayerClient(TableClient):
    """A player. The players of a table share `sent_at`, the time of each seat's last discard."""

    def __init__(self, seat: int, sent_at: list[float], pace: Pace, counts: Counts) -> None:
        super().__init__(counts)
        self._seat = seat
        self._sent_at = sent_at
        self._pace = pace
        self._may_send = Bucket(MESSAGES_AT_ONCE, MESSAGES_PER_S, time.perf_counter())
        self._act = b""
        """The last answer, until a frame confirms it."""
        self._open_question = -1
        """Number of the last question that was answered."""

    def take(self, payload: bytes) -> None:
        """Handle one frame of the table."""
        self._count_frame(payload)
        counts = self._counts
        counts.bytes_to_seats += len(payload) * counts.is_counting
        if payload.startswith(b'{"t":"sync"'):
            counts.syncs += counts.is_counting
        elif not payload.startswith(b'{"t":"ev"'):
            if payload.startswith(b'{"t":"error"'):
                counts.refused += 1
                asyncio.get_running_loop().call_later(RESEND_S, self._send_again)
            return
        elif counts.is_counting:
            if asks := _QUESTION_ID.search(payload):
                counts.received_at.setdefault(int(asks[1]), time.time())
            if (found := _DISCARD_EVENT.search(payload)) and int(found[1]) != self._seat:
                counts.latencies_s.append(time.perf_counter() - self._sent_at[int(found[1])])
        self._last = payload
        self._act = b""
        if b'"legal":[{' in payload:
            self._take_question(_question_decoder.decode(payload))

    def _take_question(self, question: QuestionPart) -> None:
        if question.q == self._open_question:
            return
        self._open_question = question.q
        action = self.choose(question.legal, _drawn_tile(question))
        if action is None:
            return
        loop = asyncio.get_running_loop()
        loop.call_later(self._pace.thinking_s(action["type"]), self._answer, question.q, action)

    def choose(self, legal: Sequence[dict[str, Any]], drawn: str | None) -> dict[str, Any] | None:
        """Return the answer to a question, or None for no answer."""
        return choose_action(legal, drawn)

    def _answer(self, q: int, action: dict[str, Any]) -> None:
        if q != self._open_question or self.socket is None:
            return
        if not self._may_send.take(time.perf_counter()):
            asyncio.get_running_loop().call_later(1 / MESSAGES_PER_S, self._answer, q, action)
            return
        act = {"t": "act", "cid": f"{self._seat}-{q}", "q": q, "a": action}
        if action["type"] == "dahai":
            now = self._sent_at[self._seat] = time.perf_counter()
            self._pace.discarded(now)
            self._counts.discards += self._counts.is_counting
        self._act = _encoder.encode(act)
        self.socket.send(self._act)

    def _send_again(self) -> None:
        if self._act and self.socket is not None:
            self.socket.send(self._act)


class SpectatorClient(TableClient):
    """A spectator."""

    def take(self, payload: bytes) -> None:
        """Handle one frame of the table."""
        self._count_frame(payload)
        if payload.startswith((b'{"t":"ev"', b'{"t":"sync"')):
            self._last = payload


async def open_socket(url: str, cookie: str, client: TableClient) -> None:
    """Open the socket of a client and send `hello`."""
    parts = urlsplit(url)
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: Socket(url, cookie, client.take), parts.hostname or "", parts.port or 80
    )
    await socket.opened
    client.socket = socket
    socket.send(b'{"t":"hello","seq":0}')


async def keep_pinging(clients: Sequence[TableClient]) -> None:
    """Send the pings of all clients, evenly spread over `PING_S`, until cancelled."""
    at_once = 1 + len(clients) // 400
    while True:
        for first in range(0, len(clients), at_once):
            for client in clients[first : first + at_once]:
                client.ping()
            await asyncio.sleep(PING_S * at_once / len(clients))


def abort_sockets(clients: Sequence[TableClient]) -> None:
    """End all sockets at once, without a close."""
    for client in clients:
        if client.socket is not None:
            client.socket.abort()


def closing_reasons(clients: Sequence[TableClient]) -> list[str]:
    """Return the distinct reasons for which the server closed sockets or sockets were lost."""
    return sorted(
        {client.socket.closed for client in clients if client.socket and client.socket.closed}
    )


def choose_action(legal: Sequence[dict[str, Any]], drawn: str | None) -> dict[str, Any] | None:
    """Return a win, a pass or a confirmation if one is legal, else the discard of `drawn`. Return
    None if there is no drawn tile, after a call that a stand-in made for the player."""
    for action in legal:
        if action["type"] in _PREFERRED_ANSWERS:
            return action
    return None if drawn is None else {"type": "dahai", "pai": drawn, "tsumogiri": True}


def _drawn_tile(question: QuestionPart) -> str | None:
    """Return the tile that the client has drawn, None if there is none."""
    if question.view is not None:
        return question.view.drawn
    last = question.e[-1] if question.e else None
    return last[2] if isinstance(last, list) and last[0] == "tsumo" else None
