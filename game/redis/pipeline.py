"""Sends to Redis in one go what many ask for at the same moment.

While one batch is under way the next one gathers. With nothing else to do a command goes
out at once; under load a command costs a third of what it costs alone, and needs no
connection of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis.asyncio import Redis

from game.redis.connection import Command, Line, Reply


class Pipeline:
    """One batch at a time, in the order of asking: over a connection of its own
    (`game.redis.connection`), or to the nodes of a cluster. Each node has batches of its own, so
    that one which does not answer delays nothing else."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._line: Line | None = None
        self._owner_of: Callable[[Command], object] | None = getattr(redis, "owner_of", None)
        self._waiting: dict[object, list[tuple[Command, Reply]]] = {}
        """By node of a cluster, as `_senders` are."""
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
        return await self._asked(command)

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """The replies to those commands. Raises the first error there is; what the others do
        stays done."""
        return await asyncio.gather(*[self._asked(command) for command in commands])

    def _asked(self, command: Command) -> Reply:
        if self._owner_of is None:
            self._line = self._line or Line(self._redis)
            return self._line.ask(command)
        reply: Reply = asyncio.get_running_loop().create_future()
        owner = self._owner_of(command)
        self._waiting.setdefault(owner, []).append((command, reply))
        sender = self._senders.get(owner)
        if sender is None or sender.done():
            self._senders[owner] = asyncio.create_task(self._send(owner))
        return reply

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
        pipe = self._redis.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        return await pipe.execute(raise_on_error=False)
