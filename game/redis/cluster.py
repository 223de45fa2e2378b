"""A Redis Cluster, used as if it were one Redis.

Owns the map from slots to nodes, and sends each command to its node. A command is sent again only
if a node has answered that it did not execute it (its slot has moved); one whose outcome is unknown
is never repeated. Each node has its own connections. A node that does not answer delays the
commands of others for no longer than its time limit.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.commands.core import AsyncCoreCommands
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from game.redis.addresses import Address, Node

_REDIRECTS: Final = 4
_REFRESH_AFTER_S: Final = 0.2
"""The owners of slots are not read more often than that, however many commands fail."""
_WITHOUT_KEY: Final = frozenset({"PUBLISH", "PING", "TIME", "WAIT"})
"""Commands without a key. Nodes pass published messages on to each other. `WAIT` goes to the node
of the writes that are sent with it."""

Sent = tuple[tuple[Any, ...], dict[str, Any]]
"""A command and redis-py's options for its reply."""


class Cluster(AsyncCoreCommands):
    """The part of redis-py's client that the project uses, over a cluster."""

    def __init__(self, address: Address, connected: Callable[[str], Redis]) -> None:
        self._address = address
        self._connect = connected
        self._nodes: dict[Node, Redis] = {}
        self._owners: list[Node | None] = []
        """By slot."""
        self._is_stale = True
        self._refreshed_at = -_REFRESH_AFTER_S
        self._refreshing = asyncio.Lock()
        self._unreachable: set[Node] = set()
        """Nodes that did not answer when they were last asked."""

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Return the reply to one command. Raises RedisError and OSError."""
        (reply,) = await self.run([(args, options)])
        if isinstance(reply, Exception):
            raise reply
        return reply

    def owner_of(self, command: Sequence[Any]) -> Node | None:
        """Return the node that the command would go to; None if unknown or without a key."""
        try:
            return self._owner(command) if self._owners else None
        except ClusterDownError:
            return None

    def pipeline(self, transaction: bool = True) -> ClusterPipeline:
        """Gather commands to send together. The keys of a transaction must be of one slot."""
        # The types of redis-py ask for a private attribute that its commands do not use.
        return ClusterPipeline(self, transaction)  # type: ignore[abstract]

    def pubsub(self) -> PubSub:
        """Return a subscription at one of the nodes: each receives all messages. After it has
        broken, ask for another."""
        self._is_stale = True
        return self._client_of(self._any_node()).pubsub()

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        nodes, self._nodes = self._nodes, {}
        self._is_stale = True
        await asyncio.gather(*(node.aclose() for node in nodes.values()), return_exceptions=True)

    async def run(self, commands: Sequence[Sent], *, transaction: bool = False) -> list[Any]:
        """Return the replies, errors among them, in the order of the commands."""
        replies: list[Any] = [None] * len(commands)
        left = list(range(len(commands)))
        for _ in range(_REDIRECTS):
            await self._refresh_owners()
            by_node = self._by_node(commands, left, replies)
            if transaction and len(by_node) > 1:
                raise ResponseError("CROSSSLOT a transaction's keys are of one slot")
            answers = await asyncio.gather(
                *(
                    self._execute_at(node, [commands[index] for index in indexes], transaction)
                    for node, indexes in by_node.items()
                )
            )
            for indexes, answered in zip(by_node.values(), answers, strict=True):
                for index, reply in zip(indexes, answered, strict=True):
                    replies[index] = reply
            for index, reply in enumerate(replies):
                if type(reply) is AskError and not transaction:
                    replies[index] = await self._execute_after_ask(reply, commands[index])
            left = [index for index, reply in enumerate(replies) if isinstance(reply, MovedError)]
            if not left:
                break
            left += [index for index, (args, _) in enumerate(commands) if args[0] == "WAIT"]
            self._is_stale, self._refreshed_at = True, -_REFRESH_AFTER_S
        return replies

    async def _execute_at(
        self, node: Node, commands: Sequence[Sent], transaction: bool
    ) -> list[Any]:
        pipe = self._client_of(node).pipeline(transaction=transaction)
        for args, options in commands:
            pipe.execute_command(*args, **options)
        try:
            replies: list[Any] = await pipe.execute(raise_on_error=False)
            self._unreachable.discard(node)
        except (RedisError, OSError) as error:
            self._unreachable.add(node)
            replies = [error] * len(commands)
        if any(_says_map_is_old(reply) for reply in replies):
            self._is_stale = True
        return replies

    async def _execute_after_ask(self, where: AskError, command: Sent) -> Any:
        """Send a command to the node to which its slot is being moved."""
        args, options = command
        pipe = self._client_of((where.host, where.port)).pipeline(transaction=False)
        pipe.execute_command("ASKING")
        pipe.execute_command(*args, **options)
        try:
            return (await pipe.execute(raise_on_error=False))[1]
        except (RedisError, OSError) as error:
            return error

    def _by_node(
        self, commands: Sequence[Sent], indexes: Sequence[int], replies: list[Any]
    ) -> dict[Node, list[int]]:
        """Return the indexes of the commands by node. A command without a key goes with the first
        that has one. A command whose slot no node has gets an error as its reply."""
        owners: dict[int, Node | None] = {}
        for index in indexes:
            try:
                owners[index] = self._owner(commands[index][0])
            except ClusterDownError as error:
                replies[index] = error
        somewhere = next(filter(None, owners.values()), None) or self._any_node()
        by_node: dict[Node, list[int]] = {}
        for index, owner in owners.items():
            by_node.setdefault(owner or somewhere, []).append(index)
        return by_node

    def _any_node(self) -> Node:
        """Return a node, if possible one that answered when it was last asked."""
        nodes = list(self._nodes) or list(self._address.nodes)
        return random.choice([one for one in nodes if one not in self._unreachable] or nodes)

    def _owner(self, args: Sequence[Any]) -> Node | None:
        """Return the node that has the command's key; None if it has no key."""
        name = str(args[0]).upper()
        if name in _WITHOUT_KEY:
            return None
        key = args[3] if name in {"EVAL", "EVALSHA"} else args[1]
        slot = key_slot(key if isinstance(key, bytes) else str(key).encode())
        owner = self._owners[slot]
        if owner is None:
            self._is_stale = True
            raise ClusterDownError(f"no node of the cluster has slot {slot}")
        return owner

    def _client_of(self, node: Node) -> Redis:
        client = self._nodes.get(node)
        if client is None:
            client = self._nodes[node] = self._connect(self._address.at(node))
        return client

    async def _refresh_owners(self) -> None:
        """Read which node has which slot, if that is unknown or was wrong. If no node answers, keep
        the old map: most of it stays valid while one node is replaced."""
        if not self._needs_refresh():
            return
        async with self._refreshing:
            if not self._needs_refresh():
                return
            failure: Exception | None = None
            known = dict.fromkeys([*self._nodes, *self._address.nodes])
            for node in sorted(known, key=lambda node: node in self._unreachable):
                try:
                    await self._read_slots(node)
                except (RedisError, OSError) as error:
                    self._unreachable.add(node)
                    failure = error
                    continue
                return
            self._refreshed_at = time.monotonic()
            if not self._owners:
                raise ConnectionError(f"no node of the cluster can be asked: {failure}")

    def _needs_refresh(self) -> bool:
        is_just_asked = time.monotonic() - self._refreshed_at < _REFRESH_AFTER_S
        return self._is_stale and not (self._owners and is_just_asked)

    async def _read_slots(self, node: Node) -> None:
        """Read the owners of all slots from that node."""
        ask: Any = self._client_of(node).execute_command
        rows = await ask("CLUSTER SLOTS")
        owners: list[Node | None] = [None] * 16_384
        for first, last, (host, port, *_), *_ in rows:
            owner = (host.decode() or node[0], int(port))
            owners[first : last + 1] = [owner] * (last + 1 - first)
        if not rows:
            raise ClusterDownError("the node knows of no slots")
        self._owners = owners
        self._is_stale = False
        self._refreshed_at = time.monotonic()
        for known in filter(None, set(owners)):
            self._client_of(known)


class ClusterPipeline(AsyncCoreCommands):
    """Gathers commands like redis-py's pipelines."""

    def __init__(self, cluster: Cluster, transaction: bool) -> None:
        self._cluster = cluster
        self._transaction = transaction
        self._commands: list[Sent] = []

    def execute_command(self, *args: Any, **options: Any) -> ClusterPipeline:
        self._commands.append((args, options))
        return self

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Return the replies. With `raise_on_error`, raise the first error among them."""
        commands, self._commands = self._commands, []
        if not commands:
            return []
        replies = await self._cluster.run(commands, transaction=self._transaction)
        if raise_on_error:
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return replies


def _says_map_is_old(reply: Any) -> bool:
    return isinstance(
        reply, MovedError | ClusterDownError | ConnectionError | TimeoutError | OSError
    )
