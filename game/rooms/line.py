"""One connection to Redis on which what is asked for at the same moment goes out in one piece.

redis-py opens it, logs in and follows a change of masters. Once it stands, commands go out and
replies come in without a task and a time limit for each of them, which is most of what they
would cost.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, cast

import hiredis
from redis._parsers import BaseParser
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, InvalidResponse, ReadOnlyError, TimeoutError

ANSWER_WITHIN_S: Final = 3.0
"""Redis is unavailable when it takes longer."""
Command = Sequence[str | bytes | int]
Reply = asyncio.Future[Any]

_NOTHING_YET: Final = object()


class Line(asyncio.Protocol):
    """One batch at a time: while one is under way the next one gathers."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._loop = asyncio.get_running_loop()
        self._gathering: list[tuple[Command, Reply]] = []
        self._under_way: deque[tuple[Command, Reply]] = deque()
        self._is_busy = False
        """A batch is under way, or about to be."""
        self._sent_at = 0.0
        self._limit: asyncio.TimerHandle | None = None
        self._replies = hiredis.Reader()
        self._transport: asyncio.Transport | None = None
        self._connection: AbstractConnection | None = None
        self._opened_by: asyncio.BaseProtocol | None = None
        """What redis-py reads with, and is told that the connection has ended."""
        self._is_of_a_master = True
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, command: Command) -> Reply:
        """What Redis says to that."""
        reply = self._loop.create_future()
        self._gathering.append((command, reply))
        if not self._is_busy:
            self._is_busy = True
            self._loop.call_soon(self._send)
        return reply

    def _send(self) -> None:
        if self._transport is None:
            self._begin(self._open())
            return
        batch, self._gathering = self._gathering, []
        self._under_way.extend(batch)
        try:
            packed = b"".join([hiredis.pack_command(cast(Any, (*one,))) for one, _ in batch])
        except Exception as error:
            self._fail(error)
            return
        self._sent_at = self._loop.time()
        self._limit = self._limit or self._loop.call_later(ANSWER_WITHIN_S, self._look)
        self._transport.write(packed)

    def _begin(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self) -> None:
        try:
            pool = self._redis.connection_pool
            connection = await pool.get_connection()  # type: ignore[no-untyped-call]
        except Exception as error:
            self._under_way.extend(self._gathering)
            self._gathering = []
            self._fail(error)
            return
        self._connection = connection
        self._transport = connection._writer.transport
        self._opened_by = self._transport.get_protocol()
        self._transport.set_protocol(self)
        self._is_of_a_master = True
        self._replies = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=BaseParser.parse_error,
            notEnoughData=_NOTHING_YET,
        )
        self._send()

    def data_received(self, data: bytes) -> None:
        self._replies.feed(data)
        while self._under_way:
            try:
                answer = self._replies.gets()
            except InvalidResponse as error:
                self._fail(error)
                return
            if answer is _NOTHING_YET:
                return
            self._tell(*self._under_way.popleft(), answer)
        if not self._is_of_a_master:
            self._give_up()
        self._go_on()

    def _tell(self, command: Command, reply: Reply, answer: Any) -> None:
        if isinstance(answer, ReadOnlyError):
            self._is_of_a_master = False
        if reply.done():
            return
        if isinstance(answer, Exception):
            reply.set_exception(answer)
            return
        read = self._redis.response_callbacks.get(str(command[0]))
        reply.set_result(answer if read is None else read(answer))

    def _go_on(self) -> None:
        if self._gathering:
            self._send()
        else:
            self._is_busy = False

    def _look(self) -> None:
        """Whether what is under way takes too long. Seldom: one timer for many batches."""
        self._limit = None
        if not self._under_way:
            return
        ends_at = self._sent_at + ANSWER_WITHIN_S
        if self._loop.time() < ends_at:
            self._limit = self._loop.call_at(ends_at, self._look)
        else:
            self._fail(TimeoutError(f"no answer within {ANSWER_WITHIN_S:g} s"))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._opened_by is not None:
            self._opened_by.connection_lost(exc)
        self._fail(ConnectionError(f"the connection has ended: {exc or 'by Redis'}"))

    def _fail(self, error: Exception) -> None:
        """What is under way is not answered. What has gathered meanwhile is tried anew."""
        self._give_up()
        if self._under_way:
            self._loop.call_soon(self._go_on)
        while self._under_way:
            _, reply = self._under_way.popleft()
            if not reply.done():
                reply.set_exception(error)

    def _give_up(self) -> None:
        """Nothing that still comes on this connection is an answer to anything."""
        connection, self._connection = self._connection, None
        if connection is None or self._transport is None or self._opened_by is None:
            return
        self._transport.set_protocol(self._opened_by)
        self._transport = self._opened_by = None
        self._begin(self._give_back(connection))

    async def _give_back(self, connection: AbstractConnection) -> None:
        await connection.disconnect(nowait=True)
        await self._redis.connection_pool.release(connection)
