"""Sends the commands of many tasks to Redis in batches.

While one batch is being executed, new commands are collected for the next one. When no batch is
under way, a command is sent at once. In batches a command costs a third of the processor time that
it costs alone, and all tasks share one connection. `Script` runs Lua scripts by their digest.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import ConnectionError, TimeoutError

from game.redis.cancellation import cancel_and_wait
from game.redis.cluster import Cluster
from game.redis.errors import NoScriptError, ProcessLate
from game.redis.held_connection import Command, HeldConnection, Outcome

__all__ = ["Command", "Pipeline", "Script"]

Reply = asyncio.Future[Any]
_ENCODABLE: Final = (str, bytes, int)
_STOP_WITHIN_S: Final = 1.0
_STEP_S: Final = 0.05
_MAX_LATE_S: Final = 2.0
"""How long a process that cannot run adds to the time that it gives a node."""


class Pipeline:
    """Sends batches through one client: one at a time, in the order of the calls.

    Each node of a cluster has its own batches, so that a node that does not answer delays only its
    own commands. With a single server, all batches go over one connection.
    """

    def __init__(self, redis: Redis) -> None:
        # Checked once: the client's protocol classes make `isinstance` slow.
        client: object = redis
        self._cluster = client if isinstance(client, Cluster) else None
        self._held = HeldConnection(redis)
        """The connection to a single server."""
        self._waiting: dict[object, list[tuple[Command, Reply]]] = {}
        """Commands that are not sent yet, by node. The key of a single server is None."""
        self._under_way: dict[object, list[tuple[Command, Reply]]] = {}
        """The batch that each node executes."""
        self._tasks: set[asyncio.Task[None]] = set()
        """They execute batches at nodes of a cluster."""
        self._is_stopped = False

    @property
    def is_of_cluster(self) -> bool:
        """Whether commands go to several nodes. Then PUBLISH counts only the subscribers of its own
        node."""
        return self._cluster is not None

    async def call(self, *command: str | bytes | int) -> Any:
        """Return the reply to that command. Raises the errors of redis-py.

        After an error of the connection it is unknown whether Redis has executed the command. It is
        never sent twice.
        """
        return await self.send(command)

    async def stop(self) -> None:
        """Wait a moment for the commands under way, then drop the others. Call this before closing
        the client: a later batch would open a connection that nobody closes."""
        if replies := [reply for batch in self._under_way.values() for _, reply in batch]:
            await asyncio.wait(replies, timeout=_STOP_WITHIN_S)
        self._is_stopped = True
        await cancel_and_wait(self._tasks)
        self._held.close(_stopping_error())
        for batch in self._waiting.values():
            _settle_replies(batch, _stopping_error())
        await asyncio.sleep(0)  # the event loop closes the socket in its next turn

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to these commands. All of them are executed; then the first error is
        raised."""
        return await asyncio.gather(*self._send_all(commands))

    async def try_all(self, commands: Sequence[Command], *, within_s: float) -> list[Any]:
        """Return for each command its reply or its error. In a cluster, wait at most `within_s`
        seconds, not counting time in which this process could not run. A command without a reply by
        then may still be executed."""
        replies = self._send_all(commands)
        gathered = asyncio.gather(*replies, return_exceptions=True)
        late_s = 0.0
        if self.is_of_cluster:
            late_s = await _wait_own_time(gathered, within_s)
        else:
            await asyncio.wait([gathered])
        if late_s >= _MAX_LATE_S:
            no_reply: Exception = ProcessLate(late_s)
        else:
            no_reply = TimeoutError("the node has not answered yet")
        return (
            gathered.result()
            if gathered.done()
            else [_reply_or_error(reply, no_reply) for reply in replies]
        )

    def node_of(self, command: Command) -> object:
        """Return the node of the cluster that the command goes to; None without a cluster."""
        return None if self._cluster is None else self._cluster.owner_of(command)

    def send(self, command: Command) -> Reply:
        """Send the command now or with the next batch. Return a future of its reply. In a cluster,
        raises UnknownCommand."""
        (reply,) = self._send_all((command,))
        return reply

    def _send_all(self, commands: Sequence[Command]) -> list[Reply]:
        """Send the commands as `send` does, in one batch if they go to one node."""
        loop = asyncio.get_running_loop()
        added = list[tuple[Command, Reply]]()
        for command in commands:
            for part in command:
                if not isinstance(part, _ENCODABLE):
                    raise TypeError(
                        f"{command[0]!r} has a part that is neither text, bytes nor int"
                    )
            added.append((command, loop.create_future()))
        if self._is_stopped:
            _settle_replies(added, _stopping_error())
        elif self._cluster is None:
            self._waiting.setdefault(None, []).extend(added)
        else:
            for command, reply in added:
                self._waiting.setdefault(self.node_of(command), []).append((command, reply))
        for owner in list(self._waiting):
            self._start_batch(owner)
        return [reply for _, reply in added]

    def _start_batch(self, owner: object) -> None:
        """Send the commands that wait for that node, unless a batch is under way there."""
        if owner in self._under_way or not self._waiting.get(owner) or self._is_stopped:
            return
        batch = self._under_way[owner] = self._waiting.pop(owner)
        commands = self._prepare(owner, [command for command, _ in batch])
        if self._cluster is None:
            self._held.execute(commands, self._end)
        else:
            task = asyncio.create_task(self._execute_in(self._cluster, owner, commands))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _execute_in(
        self, cluster: Cluster, owner: object, commands: Sequence[Command]
    ) -> None:
        outcome: Outcome = _stopping_error()
        try:
            outcome = await cluster.run([(tuple(command), {}) for command in commands])
        except Exception as error:
            outcome = error
        finally:
            self._end(outcome, owner)

    def _end(self, outcome: Outcome, owner: object = None) -> None:
        """Pass on the replies to a batch, and start the next one."""
        if isinstance(outcome, list):
            outcome = self._examine(owner, outcome)
        batch = self._under_way.pop(owner)
        self._start_batch(owner)
        _settle_replies(batch, outcome)

    def _prepare(self, owner: object, commands: list[Command]) -> list[Command]:
        """Return the commands of a batch, with any that a subclass adds."""
        return commands

    def _examine(self, owner: object, answers: list[Any]) -> list[Any]:
        """Return the replies without those to commands that `_prepare` has added."""
        return answers


def _settle_replies(batch: Sequence[tuple[Command, Reply]], outcome: Outcome) -> None:
    """Give each caller of the batch its reply or its error."""
    answers = outcome if isinstance(outcome, list) else [outcome] * len(batch)
    for (_, reply), answer in zip(batch, answers, strict=True):
        if reply.done():
            continue
        if isinstance(answer, Exception):
            reply.set_exception(answer)
            reply.exception()  # asyncio logs no exception that was read
        else:
            reply.set_result(answer)


def _stopping_error() -> ConnectionError:
    return ConnectionError("the connections to Redis are being closed")


async def _wait_own_time(gathered: asyncio.Future[Any], within_s: float) -> float:
    """Wait at most `within_s` seconds for the future, not counting time in which this process could
    not run, since replies may lie unread then. Return the time not counted, in seconds, up to
    `_MAX_LATE_S`."""
    late_s = 0.0
    until = time.monotonic() + within_s
    while not gathered.done() and (left := until + late_s - time.monotonic()) > 0:
        step, began = min(left, _STEP_S), time.monotonic()
        await asyncio.wait([gathered], timeout=step)
        late_s = min(_MAX_LATE_S, late_s + max(0.0, time.monotonic() - began - step))
    return late_s


def _reply_or_error(reply: Reply, no_reply: Exception) -> Any:
    if not reply.done() or reply.cancelled():
        return no_reply
    return reply.exception() or reply.result()


class Script:
    """A Lua script. In a cluster, all its keys must share a hash tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    async def run(self, pipeline: Pipeline, keys: Sequence[str], args: Command = ()) -> Any:
        """Return the script's reply. The script's text is sent only if Redis does not know its
        digest. Raises the errors of redis-py."""
        try:
            return await pipeline.call("EVALSHA", self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return await pipeline.call("EVAL", self.text, len(keys), *keys, *args)
