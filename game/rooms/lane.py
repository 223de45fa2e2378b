"""Sends to Redis in one go what many ask for at the same moment.

While one batch is under way the next one gathers. With nothing else to do a command goes
out at once; under load a command costs a third of what it costs alone, and needs no
connection of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from hiredis import pack_command
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

ANSWER_WITHIN_S: Final = 3.0
"""Redis is unavailable when it takes longer."""
Command = Sequence[str | bytes | int]


class Lane:
    """One batch at a time, in the order of asking. In a cluster each node has batches of its own,
    so that one which does not answer holds up nothing but itself."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._owner_of: Callable[[Command], object] | None = getattr(redis, "owner_of", None)
        self._waiting: dict[object, list[tuple[Command, asyncio.Future[Any]]]] = {}
        self._connection: AbstractConnection | None = None
        self._senders: dict[object, asyncio.Task[None]] = {}

    @property
    def is_of_cluster(self) -> bool:
        """Commands go to several nodes, none of which knows who listens at the others."""
        return self._owner_of is not None

    async def call(self, *command: str | bytes | int) -> Any:
        """The reply to that command. Raises what redis-py raises.

        After an error of the connection it is unknown whether the command was carried out;
        it is never sent twice.
        """
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        owner = None if self._owner_of is None else self._owner_of(command)
        self._waiting.setdefault(owner, []).append((command, reply))
        sender = self._senders.get(owner)
        if sender is None or sender.done():
            self._senders[owner] = asyncio.create_task(self._send(owner))
        return await reply

    async def _send(self, owner: object) -> None:
        while batch := self._waiting.pop(owner, None):
            try:
                answers = await self._answers([command for command, _ in batch])
            except Exception as error:
                answers = [error] * len(batch)
            except BaseException:
                for _, reply in batch:
                    reply.cancel()
                raise
            for (_, reply), answer in zip(batch, answers, strict=True):
                if reply.done():
                    continue
                if isinstance(answer, Exception):
                    reply.set_exception(answer)
                else:
                    reply.set_result(answer)

    async def _answers(self, commands: list[Command]) -> list[Any]:
        if self._owner_of is None:
            return await self._answers_of_one(commands)
        pipe = self._redis.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        return await pipe.execute(raise_on_error=False)

    async def _answers_of_one(self, commands: list[Command]) -> list[Any]:
        """Over one connection kept for it, with one time limit for all: half of what redis-py's
        pipeline costs."""
        connection = await self._living_connection()
        patience, connection.socket_timeout = connection.socket_timeout, None
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                packed = b"".join([pack_command(cast(Any, (*command,))) for command in commands])
                await connection.send_packed_command(packed, check_health=False)
                return [await self._answer(connection, command) for command in commands]
        except BaseException:
            await self._give_up(connection)
            raise
        finally:
            connection.socket_timeout = patience

    async def _living_connection(self) -> AbstractConnection:
        """The one that is kept, or another if the server has ended it."""
        kept = self._connection
        if kept is not None:
            reader = kept._reader
            if reader is not None and not reader.at_eof() and reader.exception() is None:
                return kept
            await self._give_up(kept)
        pool = self._redis.connection_pool
        self._connection = await pool.get_connection()  # type: ignore[no-untyped-call]
        return self._connection

    async def _give_up(self, connection: AbstractConnection) -> None:
        self._connection = None
        await connection.disconnect(nowait=True)
        await self._redis.connection_pool.release(connection)

    async def _answer(self, connection: AbstractConnection, command: Command) -> Any:
        try:
            answer = await connection.read_response(disconnect_on_error=False)
        except ResponseError as error:
            return error
        read = self._redis.response_callbacks.get(str(command[0]))
        return answer if read is None else read(answer)
