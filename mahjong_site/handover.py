"""Hands connections from page servers, which accept them, to table servers.

A page server looks at the first bytes of a connection without reading them. If they ask for a
socket (`/ws/`), it sends the connection itself to a table server, over a pair of datagram sockets
that the supervisor has made. From then on no byte of it passes the page server.

Each end belongs to one event loop. The caller serves the connections that stay or arrive.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Final, Literal

Role = Literal["pages", "tables", "all"]
"""Pages, sockets (`/ws/`), or both. Every role answers health checks and serves metrics."""

log = logging.getLogger(__name__)

Take = Callable[[socket.socket], None]
"""A function that serves a connection. It duplicates the descriptor; the caller closes its own."""

_SOCKET_REQUEST: Final = b"GET /ws/"
_FIRST_LINE_WITHIN_S: Final = 60.0
"""How long a connection may stay without a first byte, as for one of a page server alone."""
_FIRST_PEEK_S: Final = 0.05
_LAST_REQUEST_WITHIN_S: Final = 1.0
"""How long a connection may stay without its first line after the end of accepting."""
_ACCEPTED_AT_ONCE: Final = 64
_TAKEN_WITHIN_S: Final = 10.0
"""How long a connection waits while all table servers are full or being started again."""


class Entrance:
    """The listening socket of a page server. `channels` lead to table servers; `take` serves the
    connections that stay here."""

    def __init__(
        self, listener: socket.socket, channels: Sequence[socket.socket], take: Take
    ) -> None:
        self._listener = listener
        self._channels = cycle(channels)
        self._channel_count = len(channels)
        self._take = take
        self._undecided: dict[socket.socket, asyncio.TimerHandle] = {}
        """Connections without enough bytes, with the end of their time."""

    def open(self) -> None:
        """Start to accept connections."""
        self._listener.setblocking(False)
        asyncio.get_running_loop().add_reader(self._listener, self._accept)

    async def close(self) -> None:
        """Stop accepting. Wait shortly for requests that are under way, so that none is lost, and
        close connections that bring none."""
        asyncio.get_running_loop().remove_reader(self._listener)
        self._listener.close()
        # What was taken last has to be read, too, before the server looks for open requests.
        await asyncio.sleep(_LAST_REQUEST_WITHIN_S if self._undecided else _FIRST_PEEK_S)
        for connection in list(self._undecided):
            self._close_connection(connection)

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                connection, _address = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:  # such as too many open files: the connection waits
                log.warning("a connection cannot be accepted: %s", error)
                loop = asyncio.get_running_loop()
                loop.remove_reader(self._listener)
                loop.call_later(1.0, self._accept_again)
                return
            connection.setblocking(False)
            loop = asyncio.get_running_loop()
            self._undecided[connection] = loop.call_later(
                _FIRST_LINE_WITHIN_S, self._close_connection, connection
            )
            self._peek(connection)

    def _accept_again(self) -> None:
        if self._listener.fileno() >= 0:
            asyncio.get_running_loop().add_reader(self._listener, self._accept)

    def _peek(self, connection: socket.socket, delay_s: float = _FIRST_PEEK_S) -> None:
        """Decide by the first bytes, or wait for more of them. `delay_s` doubles each time, so that
        many connections that stop in the middle cost little."""
        if connection not in self._undecided:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(connection)
        try:
            head = connection.recv(len(_SOCKET_REQUEST), socket.MSG_PEEK)
        except BlockingIOError:
            loop.add_reader(connection, self._peek, connection)
            return
        except OSError:
            head = b""
        if not head:
            self._close_connection(connection)
        elif head == _SOCKET_REQUEST:
            self._undecided.pop(connection).cancel()
            self._hand_over(connection, time.monotonic() + _TAKEN_WITHIN_S)
        elif _SOCKET_REQUEST.startswith(head):  # a part of the line: it stays readable meanwhile
            loop.call_later(delay_s, self._peek, connection, 2 * delay_s)
        else:
            self._undecided.pop(connection).cancel()
            with connection, suppress(OSError):
                self._take(connection)

    def _hand_over(self, connection: socket.socket, until: float) -> None:
        """Send the connection to the next table server that has room for it."""
        for _ in range(self._channel_count):
            try:
                socket.send_fds(next(self._channels), [b"\0"], [connection.fileno()])
            except OSError:
                continue
            connection.close()
            return
        if time.monotonic() < until:
            loop = asyncio.get_running_loop()
            loop.call_later(_FIRST_PEEK_S, self._hand_over, connection, until)
        else:
            log.warning("no table server takes a connection")
            connection.close()

    def _close_connection(self, connection: socket.socket) -> None:
        if (timer := self._undecided.pop(connection, None)) is not None:
            timer.cancel()
            asyncio.get_running_loop().remove_reader(connection)
            connection.close()


class Receiver:
    """A table server's end of a channel. `take` serves the connections that arrive."""

    def __init__(self, channel: socket.socket, take: Take) -> None:
        self._channel = channel
        self._take = take

    def open(self) -> None:
        """Start to take connections."""
        self._channel.setblocking(False)
        asyncio.get_running_loop().add_reader(self._channel, self._receive)

    async def close(self) -> None:
        """Stop taking connections. Later ones wait in the channel for the next process."""
        asyncio.get_running_loop().remove_reader(self._channel)
        self._channel.close()

    def _receive(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                _data, descriptors, _flags, _address = socket.recv_fds(self._channel, 1, 1)
            except BlockingIOError:
                return
            except OSError as error:
                log.warning("a connection cannot be received: %s", error)
                return
            for descriptor in descriptors:
                with socket.socket(fileno=descriptor) as connection, suppress(OSError):
                    connection.setblocking(False)
                    self._take(connection)


def make_channel() -> tuple[socket.socket, socket.socket]:
    """Return the two ends of a channel: one for page servers and one for a table server."""
    sender, receiver = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.setblocking(False)
    receiver.setblocking(False)
    return sender, receiver
