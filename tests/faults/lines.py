"""The lines between the processes of a site and its Redis, for a test to meddle with.

Each process is given a socket of its own, behind which lies Redis. What travels is handed on as
it is, but for pokes: published messages can be dropped, doubled or put out of order. A line can
also be broken, with the answers to what was sent on it lost. Knows Redis's framing and nothing
of the tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from pathlib import Path
from typing import Final, Literal

Notifications = Literal["as they are", "dropped", "doubled", "reordered"]

_MESSAGE: Final = b"*3\r\n$7\r\nmessage\r\n"


class Line:
    """One process's way to Redis: `url` is where the process finds it."""

    def __init__(self, path: Path, redis_path: str) -> None:
        self.url = f"unix://{path}"
        self.path = path
        self.pokes: Notifications = "as they are"
        self.meddled: Counter[str] = Counter()
        """How many pokes have been dropped, doubled and put out of order."""
        self.loses_answers = False
        """Redis is told, and what it answers does not come back."""
        self._redis_path = redis_path
        self._open: set[asyncio.StreamWriter] = set()

    def break_all(self) -> None:
        """Every connection breaks; new ones may be made. To be called in the lines' loop."""
        for writer in self._open:
            writer.transport.abort()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A process has connected."""
        self._open.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            far_reader, far = await asyncio.open_unix_connection(self._redis_path)
            self._open.add(far)
            connection = _Connection(self)
            there = asyncio.create_task(connection.there(reader, far))
            back = asyncio.create_task(connection.back(far_reader, writer))
            await asyncio.wait([there, back], return_when=asyncio.FIRST_COMPLETED)
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            return
        finally:
            for end in (writer, far):
                if end is not None:
                    self._open.discard(end)
                    end.transport.abort()


class _Connection:
    """One connection on a line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._subscribes = False
        self._held = b""

    async def there(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            # Whoever subscribes has had all answers to what it sent before.
            self._subscribes = self._subscribes or b"SUBSCRIBE\r\n" in data.upper()
            writer.write(data)
            await writer.drain()

    async def back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        unread = b""
        while data := await reader.read(65_536):
            if self._line.loses_answers:
                continue
            if self._subscribes:
                unread, data = self._meddled_with(unread + data)
            writer.write(data)
            await writer.drain()

    def _meddled_with(self, data: bytes) -> tuple[bytes, bytes]:
        """What is not yet whole, and what goes on."""
        out = list[bytes]()
        start = 0
        while (end := reply_end(data, start)) is not None:
            reply, start = data[start:end], end
            out += self._treated(reply) if reply.startswith(_MESSAGE) else [reply]
        return data[start:], b"".join(out)

    def _treated(self, poke: bytes) -> list[bytes]:
        held, self._held = self._held, b""
        how = self._line.pokes
        if how == "as they are":
            return [poke, *([held] if held else [])]
        self._line.meddled[how] += 1
        if how == "dropped":
            return []
        if how == "doubled":
            return [poke, poke]
        if held:
            return [poke, held]
        self._held = poke
        return []


def reply_end(data: bytes, start: int) -> int | None:
    """Where the reply that begins at `start` ends; None if it is not whole yet."""
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


class Lines:
    """The lines of one site, in a thread of their own."""

    def __init__(self, directory: Path, redis_url: str) -> None:
        self._directory = directory
        self._redis_path = redis_url.removeprefix("unix://")
        self._lines: list[Line] = []
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def new(self) -> Line:
        """One more line, that can be connected to."""
        line = Line(self._directory / f"line-{len(self._lines)}.sock", self._redis_path)
        self._lines.append(line)

        async def listen() -> None:
            server = await asyncio.start_unix_server(line.connected, line.path)
            self._servers.append(server)

        asyncio.run_coroutine_threadsafe(listen(), self._loop).result()
        return line

    def break_line(self, line: Line) -> None:
        self._loop.call_soon_threadsafe(line.break_all)

    def meddled(self) -> Counter[str]:
        """What was done to pokes on all lines."""
        return sum((line.meddled for line in self._lines), Counter[str]())

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._closed(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _closed(self) -> None:
        for server in self._servers:
            server.close()
        for line in self._lines:
            line.break_all()
        this = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not this]
        for task in others:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*others, return_exceptions=True)
