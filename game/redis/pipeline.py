"""Sends the commands of many tasks to Redis in batches.

While one batch is being executed, new commands are collected for the next one. A single command is
sent at once. Under load a command costs a third of what it costs alone, and tasks share one
connection.
"""

from __future__ import annotations

import asyncio
import builtins
import time
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import TimeoutError

from game.redis.cancellation import cancel_and_wait
from game.redis.clients import ANSWER_WITHIN_S
from game.redis.cluster import Cluster
from game.redis.errors import ProcessLate
from game.redis.held_connection import Command, HeldConnection

__all__ = ["Command", "Pipeline"]

Reply = asyncio.Future[Any]
_ENCODABLE: Final = (str, bytes, int)
_STOP_WITHIN_S: Final = 1.0
_STEP_S: Final = 0.05
_LATE_S: Final = 0.5
"""A time limit that is noticed so much later shows that this process was late."""
_LATE_AT_MOST_S: Final = 2.0
"""How long a process that cannot run adds to the time that it gives a node."""


class Pipeline:
    """Sends batches through one client: one at a time, in the order of the calls.

    Each node of a cluster has batches of its own, so that a node that does not answer delays only
    its own commands. A single server is sent all batches over one connection.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._connection: HeldConnection | None = None
        # Checked once: the client's protocol classes make `isinstance` slow.
        client: object = redis
        self._cluster = client if isinstance(client, Cluster) else None
        self._waiting: dict[object, list[tuple[Command, Reply]]] = {}
        """Commands that are not sent yet, by node. The key of a single server is None."""
        self._senders: dict[object, asyncio.Task[None]] = {}
        self._is_stopped = False

    @property
    def is_of_cluster(self) -> bool:
        """Whether commands go to several nodes. A node counts only its own subscribers."""
        return self._cluster is not None

    async def call(self, *command: str | bytes | int) -> Any:
        """Return the reply to that command. Raises what redis-py raises.

        After an error of the connection it is unknown whether Redis has executed the command. It is
        never sent twice.
        """
        return await self.send(command)

    async def stop(self) -> None:
        """Wait a moment for the commands under way, drop the others. Call this before the client is
        closed: a later batch would open a connection that nobody closes."""
        if senders := [sender for sender in self._senders.values() if not sender.done()]:
            await asyncio.wait(senders, timeout=_STOP_WITHIN_S)
        self._is_stopped = True
        await cancel_and_wait(self._senders.values())
        await self._close_connection()

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to these commands. Raises the first error; the other commands are
        executed nevertheless."""
        return await asyncio.gather(*[self.send(command) for command in commands])

    async def try_all(self, commands: Sequence[Command], *, within_s: float) -> list[Any]:
        """Return the reply to each command, or its error. In a cluster, wait at most `within_s`,
        not counting time in which this process could not run. Commands without a reply until then
        may still be executed."""
        replies = [self.send(command) for command in commands]
        gathered = asyncio.gather(*replies, return_exceptions=True)
        late_s = 0.0
        if self.is_of_cluster:
            late_s = await _wait_own_time(gathered, within_s)
        else:
            await asyncio.wait([gathered])
        if late_s >= _LATE_AT_MOST_S:
            no_reply: Exception = ProcessLate(late_s)
        else:
            no_reply = TimeoutError("the node has not answered yet")
        return (
            gathered.result()
            if gathered.done()
            else [_outcome(reply, no_reply) for reply in replies]
        )

    def node_of(self, command: Command) -> object:
        """Return the node of a cluster that the command goes to; None for one server."""
        return None if self._cluster is None else self._cluster.owner_of(command)

    def send(self, command: Command) -> Reply:
        """Add the command to the next batch. Return a future with its reply. In a cluster, raises
        UnknownCommand."""
        for part in command:
            if not isinstance(part, _ENCODABLE):
                raise TypeError(f"{command[0]!r} has a part that is neither text, bytes nor int")
        reply: Reply = asyncio.get_running_loop().create_future()
        if self._is_stopped:
            reply.set_exception(ConnectionError("the connections to Redis are being closed"))
            reply.exception()  # asyncio logs no exception that was read
            return reply
        owner = self.node_of(command)
        self._waiting.setdefault(owner, []).append((command, reply))
        sender = self._senders.get(owner)
        if sender is None or sender.done():
            self._senders[owner] = asyncio.create_task(self._send(owner))
        return reply

    async def _send(self, owner: object) -> None:
        while batch := self._waiting.pop(owner, None):
            try:
                answers = await self._execute([command for command, _ in batch])
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

    async def _execute(self, commands: list[Command]) -> list[Any]:
        if self._cluster is not None:
            return await self._cluster.run([(tuple(command), {}) for command in commands])
        began = time.monotonic()
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                if self._connection is None or not self._connection.is_usable:
                    self._connection = await HeldConnection.open(self._redis)
                return await self._connection.execute(commands)
        except builtins.TimeoutError:
            await self._close_connection()
            late_s = time.monotonic() - began - ANSWER_WITHIN_S
            if late_s >= _LATE_S:
                raise ProcessLate(late_s) from None
            raise TimeoutError("Redis has not answered in time") from None
        except BaseException:
            await self._close_connection()
            raise

    async def _close_connection(self) -> None:
        if self._connection is not None:
            await self._connection.close()


async def _wait_own_time(gathered: asyncio.Future[Any], within_s: float) -> float:
    """Wait for the future for that time, not counting time in which this process could not run: its
    replies may lie unread. Return that time, `_LATE_AT_MOST_S` at most."""
    late_s = 0.0
    until = time.monotonic() + within_s
    while not gathered.done() and (left := until + late_s - time.monotonic()) > 0:
        step, began = min(left, _STEP_S), time.monotonic()
        await asyncio.wait([gathered], timeout=step)
        late_s = min(_LATE_AT_MOST_S, late_s + max(0.0, time.monotonic() - began - step))
    return late_s


def _outcome(reply: Reply, no_reply: Exception) -> Any:
    if not reply.done() or reply.cancelled():
        return no_reply
    return reply.exception() or reply.result()
