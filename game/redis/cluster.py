"""A Redis Cluster, used as if it were one Redis.

Owns the map from slots to nodes, and sends each command to its node. A command is repeated only if
a node has answered that it did not execute it, because its slot has moved. A command whose outcome
is unknown is never repeated. Each node has its own connections. The map is read in the background,
from a master that is a member of the cluster; commands wait for it only while there is none. Nodes
that are no longer in the map are disconnected. A table in this module says at which position each
command has its key; the tests compare the table with Redis' own (`COMMAND GETKEYS`).
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
    InvalidResponse,
    MovedError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from game.redis.addresses import Address, Node

WITHOUT_KEY: Final = frozenset({"PING", "TIME", "WAIT"})
"""`WAIT` goes to the node of the writes that are sent with it."""
KEY_FIRST: Final = frozenset(
    {
        *("DEL", "EXISTS", "EXPIRE", "GET", "INCRBY", "SET"),
        *("HDEL", "HEXISTS", "HGET", "HGETALL", "HINCRBY", "HLEN", "HMGET", "HSET", "HVALS"),
        *("SADD", "SISMEMBER", "SMEMBERS"),
        *("XADD", "XRANGE"),
        *("ZADD", "ZCARD", "ZCOUNT", "ZRANGE", "ZRANGEBYLEX", "ZRANGEBYSCORE", "ZREM"),
        *("ZREMRANGEBYRANK", "ZREMRANGEBYSCORE", "ZREVRANGE", "ZSCORE"),
    }
)
"""Commands whose first argument is a key. If they have several, all are of one slot."""
KEY_AFTER_COUNT: Final = {"ZDIFF": 2, "EVAL": 3, "EVALSHA": 3}
"""Commands that say before their keys how many there are, with the place of the first key."""
BY_CHANNEL: Final = frozenset({"PUBLISH"})
"""Commands that any node executes. Each channel has a node, so that its messages keep their order.
"""
_KEY_POSITIONS: Final = dict.fromkeys(KEY_FIRST | BY_CHANNEL, 1) | KEY_AFTER_COUNT


class UnknownCommand(LookupError):
    """This module does not know where the command has its key: an error of the program."""


def key_of(command: Sequence[Any]) -> bytes | None:
    """Return the command's first key, or its channel; None if it has neither. Raises
    UnknownCommand."""
    name = command[0]
    at = _KEY_POSITIONS.get(name)
    if at is None:
        if name in WITHOUT_KEY:
            return None
        raise UnknownCommand(f"game.redis.cluster does not list the command {name!r}")
    if name in KEY_AFTER_COUNT and not int(command[at - 1]):
        return None
    key = command[at]
    return key if isinstance(key, bytes) else str(key).encode()


_MAX_REDIRECTS: Final = 4
_REFRESH_AFTER_S: Final = 0.2
"""The shortest time between two reads of the map, however many commands fail."""
_MAP_VALID_S: Final = 5.0
"""The map is read again when it is older, so that a removed node is noticed."""
_MAP_WITHIN_S: Final = 0.5
"""A node that takes longer to return its map is skipped."""
_CLOSED_AFTER_S: Final = 4.0
"""Connections to a node that left the map are closed after this time, in which commands in flight
end."""

SLOTS: Final = 16_384

Sent = tuple[tuple[Any, ...], dict[str, Any]]
"""A command and redis-py's options for its reply."""


class Cluster(AsyncCoreCommands):
    """Offers, over a cluster, the methods of redis-py's client that the project uses."""

    def __init__(self, address: Address, connected: Callable[[str], Redis]) -> None:
        self._address = address
        self._connect = connected
        self._nodes: dict[Node, Redis] = {}
        self._owners: list[Node | None] = []
        """The node of each slot."""
        self._masters: list[Node] = []
        """The nodes that have slots."""
        self._must_reload_map = True
        self._refreshed_at = -_REFRESH_AFTER_S
        self._refreshing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._unreachable: set[Node] = set()
        """Nodes that did not answer when they were last asked."""
        self._next_master = 0

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Return the reply to one command. Raises RedisError and OSError."""
        (reply,) = await self.run([(args, options)])
        if isinstance(reply, Exception):
            raise reply
        return reply

    def owner_of(self, command: Sequence[Any]) -> Node | None:
        """Return the node that would execute the command; None if that is unknown or the command
        has no key. Raises UnknownCommand."""
        try:
            return self._owner(command)
        except ClusterDownError:
            return None

    def pipeline(self, transaction: bool = True) -> ClusterPipeline:
        """Return a pipeline that collects commands. The keys of a transaction must be in one
        slot."""
        # The types of redis-py ask for a private attribute that its commands do not use.
        return ClusterPipeline(self, transaction)  # type: ignore[abstract]

    def pubsub(self) -> PubSub:
        """Return a subscription object at one of the masters. Any master will do: each forwards all
        messages."""
        return self._client_of(self._any_node()).pubsub()

    async def pubsub_elsewhere(self, silent: PubSub) -> PubSub:
        """Read the map again, and return a subscription object at another master than that of
        `silent`."""
        node = self._node_of(silent)
        if node is not None:
            self._unreachable.add(node)
        self._must_reload_map = True
        await self._use_map()
        nodes = [known for known in self._nodes_by_preference() if known != node]
        return self._client_of(nodes[0] if nodes else self._any_node()).pubsub()

    async def publish_to(self, pubsub: PubSub, channel: str) -> None:
        """Publish an empty message for that subscription at another master, each time the next one.
        It arrives if the nodes forward messages to each other. Raises RedisError and OSError."""
        await self._use_map()
        own = self._node_of(pubsub)
        others = [node for node in self._masters if node != own]
        nodes = [node for node in others if node not in self._unreachable] or others
        self._next_master += 1
        node = nodes[self._next_master % len(nodes)] if nodes else self._any_node()
        try:
            await self._client_of(node).publish(channel, b"")
        except (RedisError, OSError, asyncio.CancelledError):
            self._unreachable.add(node)
            raise

    def _node_of(self, pubsub: PubSub) -> Node | None:
        pool = pubsub.connection_pool
        known = self._nodes.items()
        return next((node for node, client in known if client.connection_pool is pool), None)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        self._must_reload_map = True
        tasks = {*self._closing, *filter(None, [self._refreshing])}
        for task in tasks:
            task.cancel()
        # The nodes are closed last: a task that has lost its cancellation may still connect to one.
        await asyncio.gather(*tasks, return_exceptions=True)
        nodes, self._nodes = self._nodes, {}
        await asyncio.gather(*(node.aclose() for node in nodes.values()), return_exceptions=True)

    async def run(self, commands: Sequence[Sent], *, transaction: bool = False) -> list[Any]:
        """Return the replies in the order of the commands. An error of a command is returned in
        place of its reply. Raises UnknownCommand before anything is sent."""
        for args, _ in commands:
            key_of(args)
        replies: list[Any] = [None] * len(commands)
        left = list(range(len(commands)))
        for _ in range(_MAX_REDIRECTS):
            await self._use_map()
            by_node = self._group_by_node(commands, left, replies)
            if transaction and len(by_node) > 1:
                raise ResponseError("CROSSSLOT a transaction's keys are of one slot")
            answers = await asyncio.gather(
                *(
                    self._execute_at(node, [commands[index] for index in indexes], transaction)
                    for node, indexes in by_node.items()
                )
            )
            for node, answered in zip(by_node, answers, strict=True):
                for index, reply in zip(by_node[node], answered, strict=True):
                    replies[index] = reply
                    if isinstance(reply, MovedError):
                        self._owners[reply.slot_id] = (reply.host or node[0], reply.port)
            for index, reply in enumerate(replies):
                if type(reply) is AskError and not transaction:
                    replies[index] = await self._execute_after_ask(reply, commands[index])
            left = [index for index, reply in enumerate(replies) if isinstance(reply, MovedError)]
            if not left:
                break
            left += [index for index, (args, _) in enumerate(commands) if args[0] == "WAIT"]
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
        except Exception as error:
            # redis-py could not read a reply, and has left those after it in the connection.
            await self._client_of(node).connection_pool.disconnect(inuse_connections=False)
            replies = [InvalidResponse(f"Redis sent a malformed reply: {error}")] * len(commands)
        if any(_shows_old_map(reply) for reply in replies):
            self._must_reload_map = True
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

    def _group_by_node(
        self, commands: Sequence[Sent], indexes: Sequence[int], replies: list[Any]
    ) -> dict[Node, list[int]]:
        """Map each node to the indexes of its commands. A command without a key goes to the node of
        the first command that has one. A command whose slot has no node gets an error in
        `replies`."""
        owners: dict[int, Node | None] = {}
        for index in indexes:
            try:
                owners[index] = self._owner(commands[index][0])
            except ClusterDownError as error:
                replies[index] = error
        default = next(filter(None, owners.values()), None) or self._any_node()
        by_node: dict[Node, list[int]] = {}
        for index, owner in owners.items():
            by_node.setdefault(owner or default, []).append(index)
        return by_node

    def _nodes_by_preference(self) -> list[Node]:
        """Return all nodes: reachable ones first, among these the masters of the map first,
        otherwise in random order."""
        nodes = list(dict.fromkeys([*self._masters, *self._nodes, *self._address.nodes]))
        random.shuffle(nodes)
        return sorted(
            nodes, key=lambda node: (node in self._unreachable, node not in self._masters)
        )

    def _any_node(self) -> Node:
        """Return a node: if possible a master that answered the last time."""
        return self._nodes_by_preference()[0]

    def _owner(self, args: Sequence[Any]) -> Node | None:
        """Return the node that has the command's key; None if the command has no key or there is no
        map yet. Raises ClusterDownError and UnknownCommand."""
        key = key_of(args)
        if key is None or not self._owners:
            return None
        slot = key_slot(key)
        owner = self._owners[slot]
        if args[0] == "PUBLISH" and owner in self._unreachable:
            return None  # any node: they forward published messages to each other
        if owner is None:
            self._must_reload_map = True
            raise ClusterDownError(f"no node of the cluster has slot {slot}")
        return owner

    def _client_of(self, node: Node) -> Redis:
        client = self._nodes.get(node)
        if client is None:
            client = self._nodes[node] = self._connect(self._address.at(node))
        return client

    async def _use_map(self) -> None:
        """Start to read the map in the background if it is missing, old or has proved wrong. Wait
        for it only if there is no map. Raises ConnectionError if no node answers."""
        age = time.monotonic() - self._refreshed_at
        valid_s = _REFRESH_AFTER_S if self._must_reload_map else _MAP_VALID_S
        if age > valid_s or not self._owners:
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = asyncio.create_task(self._refresh(), name="map of the cluster")
            if not self._owners:
                await asyncio.wait([self._refreshing])
        if not self._owners:
            raise ConnectionError("no node of the cluster can be asked for its slots")

    async def _refresh(self) -> None:
        """Read the map from the first node that answers. If none does, keep the old map: most of it
        stays valid while one node is replaced. A node that is not in its own map was removed or has
        no slots. Its map is used only if there is no other."""
        owners_of_others: list[Node | None] = []
        for node in self._nodes_by_preference():
            try:
                async with asyncio.timeout(_MAP_WITHIN_S):
                    is_member, owners = await self._read_slots(node)
            except (RedisError, OSError):
                self._unreachable.add(node)
                continue
            if is_member:
                self._unreachable.discard(node)
                self._take_map(owners)
                return
            owners_of_others = owners_of_others or owners
        if owners_of_others and not self._owners:
            self._take_map(owners_of_others)
        self._refreshed_at = time.monotonic()

    async def _read_slots(self, node: Node) -> tuple[bool, list[Node | None]]:
        """Read the map of that node. Return whether the node is in its own map, and the owner of
        each slot."""
        ask: Any = self._client_of(node).execute_command
        own_id = await ask("CLUSTER MYID")
        rows = await ask("CLUSTER SLOTS")
        owners: list[Node | None] = [None] * SLOTS
        members = set[bytes]()
        for first, last, *servers in rows:
            host, port = servers[0][:2]
            owner = (host.decode() or node[0], int(port))
            owners[first : last + 1] = [owner] * (last + 1 - first)
            members.update(server[2] for server in servers)
        if not rows:
            raise ClusterDownError("the node knows of no slots")
        return own_id in members, owners

    def _take_map(self, owners: list[Node | None]) -> None:
        self._owners = owners
        self._must_reload_map = False
        self._refreshed_at = time.monotonic()
        self._masters = list(dict.fromkeys(filter(None, owners)))
        for node in self._masters:
            self._client_of(node)
        for node in self._nodes.keys() - self._masters:
            self._unreachable.discard(node)
            closing = asyncio.create_task(_close_later(self._nodes.pop(node)))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


class ClusterPipeline(AsyncCoreCommands):
    """Collects commands as redis-py's pipelines do."""

    def __init__(self, cluster: Cluster, transaction: bool) -> None:
        self._cluster = cluster
        self._transaction = transaction
        self._commands: list[Sent] = []

    def execute_command(self, *args: Any, **options: Any) -> ClusterPipeline:
        self._commands.append((args, options))
        return self

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send the commands and return their replies. With `raise_on_error`, raise the first error
        among them."""
        commands, self._commands = self._commands, []
        if not commands:
            return []
        replies = await self._cluster.run(commands, transaction=self._transaction)
        if raise_on_error:
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return replies


async def _close_later(client: Redis) -> None:
    try:
        await asyncio.sleep(_CLOSED_AFTER_S)
    finally:
        await client.aclose()


def _shows_old_map(reply: Any) -> bool:
    return isinstance(
        reply, MovedError | ClusterDownError | ConnectionError | TimeoutError | OSError
    )
