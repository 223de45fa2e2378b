"""A connection to one server that is kept for all batches, and the task that reads its replies.

redis-py's pool would look at the connection before each batch, and its pipeline wraps each in
retries. The reader notices at once if the server closes the connection or sends a reply that
nobody has asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError, InvalidResponse, ReadOnlyError, ResponseError

from game.redis.cancellation import cancel_and_wait
from game.redis.errors import FAILURES

Command = Sequence[str | bytes | int]


class HeldConnection:
    """A connection out of the pool of a client, to which it returns closed. After an error it is
    unusable. It executes one batch at a time, without a limit of time."""

    def __init__(self, redis: Redis, connection: AbstractConnection) -> None:
        self._redis = redis
        self._connection = connection
        self._limit_s = connection.socket_timeout
        connection.socket_timeout = None  # the reader waits for as long as nothing is asked
        self._commands: Sequence[Command] = ()
        self._answers: list[Any] = []
        self._done: asyncio.Future[None] | None = None
        """Ends with the batch; None between batches."""
        self.is_usable = True
        self._reader = asyncio.create_task(self._read(), name="replies from Redis")

    @classmethod
    async def open(cls, redis: Redis) -> HeldConnection:
        """Take a connection out of the client's pool. Raises RedisError and OSError."""
        connection = await redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        return cls(redis, connection)

    async def execute(self, commands: Sequence[Command]) -> list[Any]:
        """Return the reply to each command, or its error. Raises RedisError and OSError; then it is
        unknown which commands were executed. Close the connection if this is cancelled."""
        self._commands, self._answers = commands, []
        self._done = asyncio.get_running_loop().create_future()
        packed = self._connection.pack_commands(commands)
        await self._connection.send_packed_command(packed, check_health=False)
        await self._done
        return self._answers

    async def close(self) -> None:
        await cancel_and_wait([self._reader])

    async def _read(self) -> None:
        """Read replies until the connection is unusable, and return it to the pool."""
        ended: BaseException = ConnectionError("the server is no longer the master")
        try:
            await self._read_batches()
        except FAILURES as error:
            ended = error
        except Exception as error:
            ended = InvalidResponse(f"Redis sent a malformed reply: {error}")
        except BaseException as error:
            ended = error
            raise
        finally:
            self.is_usable = False  # at once: redis-py would open the connection again
            if self._done is not None and not self._done.done():
                self._done.set_exception(ended)
                self._done.exception()  # asyncio logs no exception that was read
            await self._connection.disconnect(nowait=True)
            self._connection.socket_timeout = self._limit_s
            await self._redis.connection_pool.release(self._connection)

    async def _read_batches(self) -> None:
        """Read replies. Return after a batch that the server has refused because it is not the
        master any more: a new connection leads to the present one."""
        read, callbacks = self._connection.read_response, self._redis.response_callbacks
        is_master = True
        while is_master or self._done is not None:
            try:
                answer = await read()
            except ResponseError as error:
                answer = error
                is_master = is_master and not isinstance(error, ReadOnlyError)
            if self._done is None:
                raise InvalidResponse("Redis sent a reply to no command")
            name = str(self._commands[len(self._answers)][0])
            if name in callbacks and not isinstance(answer, ResponseError):
                answer = callbacks[name](answer)
            self._answers.append(answer)
            if len(self._answers) == len(self._commands):
                self._done.set_result(None)
                self._done = None
