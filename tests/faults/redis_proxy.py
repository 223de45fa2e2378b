"""A proxy between each process of a site and its Redis.

Each process connects to a unix socket of its own, which forwards to Redis. Published messages can
be dropped, doubled or reordered, and a subscription silenced; everything else passes unchanged. A
proxy can also drop Redis's answers and break its connections. Proxies know Redis's protocol and
nothing of tables but the names of their channels.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from pathlib import Path
from typing import Final, Literal

Notifications = Literal["unchanged", "dropped", "doubled", "reordered", "silent"]
"""Faults of published messages. Silent: nothing published arrives, not even the messages that test
a subscription."""

_MESSAGE: Final = b"*3\r\n$7\r\nmessage\r\n"
_OF_TABLE: Final = b"\r\nt:{"
"""The beginning of the name of a table's channel."""


class RedisProxy:
    """The proxy of one process, which connects to `url`."""

    def __init__(self, path: Path, redis_path: str) -> None:
        self.url = f"unix://{path}"
        self.path = path
        self.notifications: Notifications = "unchanged"
        self.changed: Counter[str] = Counter()
        """Notifications that were dropped, doubled and reordered."""
        self.drops_answers = False
        """Forward commands to Redis, but not its answers."""
        self._redis_path = redis_path
        self._open: set[asyncio.StreamWriter] = set()

    def break_connections(self) -> None:
        """Break every connection; new ones are accepted. Call this in the event loop of the
        proxies."""
        for writer in self._open:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection of the process until either end closes it."""
        self._open.add(writer)
        redis_writer: asyncio.StreamWriter | None = None
        try:
            redis_reader, redis_writer = await asyncio.open_unix_connection(self._redis_path)
            self._open.add(redis_writer)
            connection = _Connection(self)
            requests = asyncio.create_task(connection.forward_requests(reader, redis_writer))
            replies = asyncio.create_task(connection.forward_replies(redis_reader, writer))
            await asyncio.wait([requests, replies], return_when=asyncio.FIRST_COMPLETED)
            for task in (requests, replies):
                task.cancel()
            await asyncio.gather(requests, replies, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            return
        finally:
            for end in (writer, redis_writer):
                if end is not None:
                    self._open.discard(end)
                    end.transport.abort()


class _Connection:
    """One connection through a proxy."""

    def __init__(self, proxy: RedisProxy) -> None:
        self._proxy = proxy
        self._subscribes = False
        self._delayed = b""

    async def forward_requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(65_536):
            # A client subscribes only after it has received all earlier answers.
            self._subscribes = self._subscribes or b"SUBSCRIBE\r\n" in data.upper()
            writer.write(data)
            await writer.drain()

    async def forward_replies(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        unread = b""
        while data := await reader.read(65_536):
            if self._proxy.drops_answers:
                continue
            if self._subscribes:
                unread, data = self._change_notifications(unread + data)
            writer.write(data)
            await writer.drain()

    def _change_notifications(self, data: bytes) -> tuple[bytes, bytes]:
        """Change complete notifications as set. Return the incomplete rest, and what to forward."""
        out = list[bytes]()
        start = 0
        while (end := reply_end(data, start)) is not None:
            reply, start = data[start:end], end
            is_message = reply.startswith(_MESSAGE)
            if is_message and self._proxy.notifications == "silent":
                continue
            is_of_table = is_message and _OF_TABLE in reply[:40]
            out += self._apply_fault(reply) if is_of_table else [reply]
        return data[start:], b"".join(out)

    def _apply_fault(self, notification: bytes) -> list[bytes]:
        delayed, self._delayed = self._delayed, b""
        fault = self._proxy.notifications
        if fault == "unchanged":
            return [notification, *([delayed] if delayed else [])]
        self._proxy.changed[fault] += 1
        if fault == "dropped":
            return []
        if fault == "doubled":
            return [notification, notification]
        if delayed:
            return [notification, delayed]
        self._delayed = notification
        return []


def reply_end(data: bytes, start: int) -> int | None:
    """Return the end of the reply that begins at `start`; None if it is incomplete."""
    line_end = data.find(b"\r\n", start)
    if line_end < 0:
        return None
    kind, after = data[start : start + 1], line_end + 2
    if kind == b"$":
        length = int(data[start + 1 : line_end])
        end = after + length + 2 if length >= 0 else after
        return end if end <= len(data) else None
    if kind == b"*":
        for _ in range(int(data[start + 1 : line_end])):
            part_end = reply_end(data, after)
            if part_end is None:
                return None
            after = part_end
    return after


class RedisProxies:
    """The proxies of one site, in a thread of their own."""

    def __init__(self, directory: Path, redis_url: str) -> None:
        self._directory = directory
        self._redis_path = redis_url.removeprefix("unix://")
        self._proxies: list[RedisProxy] = []
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def add_proxy(self) -> RedisProxy:
        """Start one more proxy."""
        path = self._directory / f"redis-{len(self._proxies)}.sock"
        proxy = RedisProxy(path, self._redis_path)
        self._proxies.append(proxy)

        async def listen() -> None:
            server = await asyncio.start_unix_server(proxy.serve, proxy.path)
            self._servers.append(server)

        asyncio.run_coroutine_threadsafe(listen(), self._loop).result()
        return proxy

    def disconnect(self, proxy: RedisProxy) -> None:
        self._loop.call_soon_threadsafe(proxy.break_connections)

    def count_changed(self) -> Counter[str]:
        """Count the notifications that all proxies changed, by fault."""
        return sum((proxy.changed for proxy in self._proxies), Counter[str]())

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close_all(self) -> None:
        for server in self._servers:
            server.close()
        for proxy in self._proxies:
            proxy.break_connections()
        this = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not this]
        for task in others:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*others, return_exceptions=True)
