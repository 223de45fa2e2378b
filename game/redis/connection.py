"""One connection to Redis on which what is asked for at the same moment goes out in one piece.

redis-py opens it, logs in and finds another master. Once it stands, commands go out and replies
come in without a task and a time limit for each of them, which is most of what they would cost.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, cast

import hiredis
from redis._parsers import BaseParser
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, InvalidResponse, ReadOnlyError, TimeoutError

ANSWER_WITHIN_S: Final = 3.0
"""Redis is unavailable when a batch takes longer."""
Command = Sequence[str | bytes | int]
Reply = asyncio.Future[Any]

_Asked = tuple[bytes, Callable[[Any], Any] | None, Reply]
"""A command, packed; how redis-py reads the reply to it; and who waits for that."""
_NOTHING_YET: Final = object()
_TRIES: Final = 2


class Line:
    """One batch at a time: while one is under way the next one gathers."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._loop = asyncio.get_running_loop()
        self._gathering: list[_Asked] = []
        self._is_busy = False
        """Something is to come, and only one thing, after which `_send` has its turn: the end of
        a batch, that of an opening, or a call of it that the loop has noted."""
        self._held: _Held | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, command: Command) -> Reply:
        """What Redis says to that; or the error for which it says nothing."""
        packed = hiredis.pack_command(cast(Any, (*command,)))
        reply = self._loop.create_future()
        self._gathering.append((packed, self._redis.response_callbacks.get(str(command[0])), reply))
        if not self._is_busy:
            self._is_busy = True
            self._loop.call_soon(self._send)
        return reply

    def _send(self) -> None:
        if not self._gathering:
            self._is_busy = False
        elif self._held is None:
            self._begin(self._open())
        else:
            self._held.send(self._taken())

    def _taken(self) -> list[_Asked]:
        batch, self._gathering = self._gathering, []
        return batch

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self) -> None:
        try:
            self._held = _Held(await self._connection(), self._send, self._ended)
        except Exception as error:
            for _, _, reply in self._taken():
                if not reply.done():
                    reply.set_exception(error)
        except BaseException:
            for _, _, reply in self._taken():
                reply.cancel()
            self._is_busy = False
            raise
        self._send()

    async def _connection(self) -> AbstractConnection:
        """One that lives. The pool may give one that has just ended, and then opens it anew."""
        for _ in range(_TRIES):
            connection = await self._redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
            if _lives(connection):
                return cast(AbstractConnection, connection)
            await self._give_back(connection)
        raise ConnectionError("the connection ended as it was opened")

    def _ended(self, held: _Held, with_a_batch: bool) -> None:
        """Whose batch it was has been told; what has gathered meanwhile is tried anew, after the
        pool has the connection back: it then opens it to whoever is master by that time."""
        self._held = None
        self._begin(self._give_back(held.connection))
        if with_a_batch:
            self._loop.call_soon(self._send)

    async def _give_back(self, connection: AbstractConnection) -> None:
        await connection.disconnect(nowait=True)
        await self._redis.connection_pool.release(connection)


def _lives(connection: AbstractConnection) -> bool:
    reader, writer = connection._reader, connection._writer
    if reader is None or writer is None or writer.transport.is_closing():
        return False
    return not reader.at_eof() and reader.exception() is None


class _Held(asyncio.Protocol):
    """A connection, read by us from when redis-py has opened it until it ends."""

    def __init__(
        self,
        connection: AbstractConnection,
        answered: Callable[[], None],
        ended: Callable[[_Held, bool], None],
    ) -> None:
        assert connection._writer is not None
        self.connection = connection
        self._answered = answered
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._transport: Any = connection._writer.transport
        self._of_redis_py: Any = self._transport.get_protocol()
        self._transport.set_protocol(self)
        self._replies = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=BaseParser.parse_error,
            notEnoughData=_NOTHING_YET,
        )
        self._under_way: deque[_Asked] = deque()
        self._is_at_work = False
        """With a batch whose end has not been told."""
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_useless = False
        """Redis has said that it serves nobody here."""
        self._is_over = False

    def send(self, batch: list[_Asked]) -> None:
        """Ask for these. Those before them have been answered."""
        self._is_at_work = True
        self._under_way.extend(batch)
        self._sent_at = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(ANSWER_WITHIN_S, self._end_if_late)
        self._transport.write(b"".join([packed for packed, _, _ in batch]))

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        self._replies.feed(data)
        try:
            while (answer := self._replies.gets()) is not _NOTHING_YET:
                self._tell(answer)
        except InvalidResponse as error:
            self._end(error)
            return
        if self._is_useless and not self._under_way:
            self._end(ConnectionError("another connection is needed"))
        elif self._is_at_work and not self._under_way:
            self._is_at_work = False
            self._answered()

    def _tell(self, answer: Any) -> None:
        if isinstance(answer, hiredis.PushNotification):
            return
        if not self._under_way:
            raise InvalidResponse("an answer to nothing that was asked")
        _, read, reply = self._under_way.popleft()
        if isinstance(answer, ReadOnlyError | ConnectionError):
            self._is_useless = True
        if reply.done():
            return
        if isinstance(answer, Exception):
            reply.set_exception(answer)
            return
        try:
            reply.set_result(answer if read is None else read(answer))
        except Exception as error:
            reply.set_exception(InvalidResponse(f"not an answer to that: {error}"))

    def _end_if_late(self) -> None:
        """One timer for many batches: it goes on as long as they are answered in time."""
        self._timer = None
        if not self._under_way:
            return
        ends_at = self._sent_at + ANSWER_WITHIN_S
        if self._loop.time() < ends_at:
            self._timer = self._loop.call_at(ends_at, self._end_if_late)
        else:
            self._end(TimeoutError(f"no answer within {ANSWER_WITHIN_S:g} s"))

    def _end(self, error: Exception) -> None:
        """What still comes is no answer to anything, and what has not gone out does not."""
        if self._is_over:
            return
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        self._transport.abort()
        for _, _, reply in self._under_way:
            if not reply.done():
                reply.set_exception(error)
        self._ended(self, self._is_at_work)

    def connection_lost(self, exc: Exception | None) -> None:
        self._of_redis_py.connection_lost(exc)  # it waits for that when it closes
        self._end(ConnectionError(f"the connection has ended: {exc or 'by Redis'}"))
