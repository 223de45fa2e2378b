"""Starts a Redis Cluster, or a master with a replica and sentinels.

They are real processes on ports of the loopback address; their data is deleted with them.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import redis

from mahjong_site.redis_server import find_binary
from mahjong_site.supervisor.child import Child
from tests.kit.processes import free_port, wait_until

SLOTS = 16_384
MASTER = "tables"
"""The name of the master in the sentinels' configuration."""
_NODE_TIMEOUT_MS = 2_000
_DOWN_AFTER_MS = 1_000
_BUS_PORT_OFFSET = 10_000
"""The offset of a cluster node's bus port from its port."""
_EPHEMERAL_PORTS_FROM = 32_768
"""The lowest port that Linux gives to a connection."""


class Server:
    """One Redis server on its own port."""

    def __init__(self, directory: Path, port: int, *options: str) -> None:
        self.port = port
        self.directory = directory / str(port)
        self.directory.mkdir()
        words = [find_binary().path, *options, "--port", str(port), "--bind", "127.0.0.1"]
        words += ["--dir", str(self.directory), "--save", "", "--logfile", "redis.log"]
        self._child = Child(f"Redis {port}", words, env=os.environ, cwd=self.directory)

    def start(self) -> None:
        self._child.start()
        wait_until(self._answers, within_s=60, what=f"Redis {self.port} answers")

    def kill(self) -> None:
        """End the process with SIGKILL."""
        self._child.kill()

    def pause(self) -> None:
        """Stop the process with SIGSTOP; connections stay open."""
        os.kill(self._child.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._child.pid, signal.SIGCONT)

    def execute(self, *words: Any) -> Any:
        """Send one command and return its reply. If the server has ended, the error contains its
        log."""
        with redis.Redis(port=self.port, socket_timeout=5) as connection:
            try:
                return connection.execute_command(*words)
            except redis.ConnectionError as error:
                if self._child.is_running:
                    raise
                log = (self.directory / "redis.log").read_text()
                raise redis.ConnectionError(f"{self._child.ending}\n{log[-20_000:]}") from error

    def execute_all(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """Send these commands together and return their replies. Raises the first error."""
        with redis.Redis(port=self.port, socket_timeout=20) as connection:
            pipe = connection.pipeline(transaction=False)
            for words in commands:
                pipe.execute_command(*words)
            return list(pipe.execute())

    def info(self, section: str) -> dict[str, Any]:
        with redis.Redis(port=self.port, socket_timeout=5) as connection:
            return dict(connection.info(section))

    def _answers(self) -> bool:
        try:
            return bool(self.execute("PING"))
        except (redis.RedisError, OSError):
            return False


class Cluster:
    """A cluster of masters that share the slots, each with `replicas` replicas."""

    def __init__(self, directory: Path, *, masters: int = 3, replicas: int = 0) -> None:
        options = ["--cluster-enabled", "yes", "--cluster-node-timeout", str(_NODE_TIMEOUT_MS)]
        options += ["--appendonly", "yes", "--cluster-replica-validity-factor", "0"]
        options += ["--cluster-require-full-coverage", "no"]
        count = masters * (1 + replicas)
        self.servers = [Server(directory, _cluster_port(), *options) for _ in range(count)]
        self.masters = self.servers[:masters]
        self.replicas = self.servers[masters:]

    @property
    def url(self) -> str:
        """The address of the cluster. It names two nodes; one would be enough."""
        return f"redis+cluster://127.0.0.1:{self.servers[0].port},127.0.0.1:{self.servers[1].port}"

    def first_owner(self, slot: int) -> Server:
        """Return the master that had the slot when the cluster started."""
        return self.masters[slot // -(-SLOTS // len(self.masters))]

    def replica_of(self, slot: int) -> Server:
        """Return a replica of the master that has the slot now. Waits for one, because after a
        failover the cluster has none for some seconds."""
        found = list[Server]()

        def has_replica() -> bool:
            for first, last, _, *replicas in self.servers[0].execute("CLUSTER", "SLOTS"):
                ports = [port for _, port, *_ in replicas if first <= slot <= last]
                found.extend(server for server in self.servers if server.port in ports)
            return bool(found)

        wait_until(has_replica, within_s=60, what=f"the master of slot {slot} has a replica")
        return found[0]

    def start(self) -> None:
        for server in self.servers:
            server.start()
        for server in self.masters:
            slots = [slot for slot in range(SLOTS) if self.first_owner(slot) is server]
            server.execute("CLUSTER", "ADDSLOTS", *slots)
        for number, server in enumerate(self.servers):
            server.execute("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            for other in self.servers[:number]:
                server.execute("CLUSTER", "MEET", "127.0.0.1", other.port)
        wait_until(self._all_know_all, within_s=30, what="the nodes know each other")
        for replica, master in zip(self.replicas, cycle(self.masters), strict=False):
            replica.execute(
                "CLUSTER", "REPLICATE", _decoded_text(master.execute("CLUSTER", "MYID"))
            )
        self.wait_until_whole()

    def key_counts(self) -> list[int]:
        """Return the number of keys of each master."""
        return [int(master.execute("DBSIZE")) for master in self.masters]

    def kill(self) -> None:
        for server in self.servers:
            server.kill()

    def move_slots(self, slots: Sequence[int], before: Server, after: Server) -> None:
        """Move slots with their keys from one master to another, as `redis-cli --cluster` does."""
        names = {
            server: _decoded_text(server.execute("CLUSTER", "MYID")) for server in (before, after)
        }
        with contextlib.suppress(redis.ResponseError):  # older servers do not have this setting
            # Otherwise a master without slots becomes a replica at once and refuses SETSLOT.
            before.execute("CONFIG", "SET", "cluster-allow-replica-migration", "no")
        counts = before.execute_all([("CLUSTER", "COUNTKEYSINSLOT", slot) for slot in slots])
        for slot in [slot for slot, count in zip(slots, counts, strict=True) if count]:
            after.execute("CLUSTER", "SETSLOT", slot, "IMPORTING", names[before])
            before.execute("CLUSTER", "SETSLOT", slot, "MIGRATING", names[after])
            while keys := before.execute("CLUSTER", "GETKEYSINSLOT", slot, 100):
                before.execute("MIGRATE", "127.0.0.1", after.port, "", 0, 5000, "KEYS", *keys)
        others = [master for master in self.masters if master not in (before, after)]
        for server in (after, before, *others):
            server.execute_all(
                [("CLUSTER", "SETSLOT", slot, "NODE", names[after]) for slot in slots]
            )

    def forget(self, server: Server) -> None:
        """Remove a server without slots from the cluster. The server keeps running and
        answering."""
        name = _decoded_text(server.execute("CLUSTER", "MYID"))
        for other in self.servers:
            if other is not server:
                other.execute("CLUSTER", "FORGET", name)

    def _all_know_all(self) -> bool:
        return all(
            _cluster_state(server)["cluster_known_nodes"] == str(len(self.servers))
            for server in self.servers
        )

    def wait_until_whole(self) -> None:
        """Wait until each slot has a master, and each replica is in sync and known to be up."""
        wait_until(self._is_whole, within_s=30, what="the cluster is whole")

    def _is_whole(self) -> bool:
        return all(
            (state["cluster_state"], state["cluster_slots_ok"]) == ("ok", str(SLOTS))
            for state in map(_cluster_state, self.servers)
        ) and all(
            server.info("replication").get("master_link_status", "up") == "up"
            and "fail"
            not in _decoded_text(server.execute("CLUSTER", "NODES"))  # else it omits replicas
            for server in self.servers
        )


class Sentinels:
    """A master, a replica, and three sentinels that promote the replica."""

    def __init__(self, directory: Path) -> None:
        self.master = Server(directory, free_port(), "--appendonly", "yes")
        follow = ["--replicaof", "127.0.0.1", str(self.master.port)]
        self.replica = Server(directory, free_port(), "--appendonly", "yes", *follow)
        self.sentinels = [self._sentinel(directory) for _ in range(3)]

    def _sentinel(self, directory: Path) -> Server:
        port = free_port()
        config = directory / f"sentinel-{port}.conf"
        config.write_text(
            f"sentinel monitor {MASTER} 127.0.0.1 {self.master.port} 2\n"
            f"sentinel down-after-milliseconds {MASTER} {_DOWN_AFTER_MS}\n"
            f"sentinel failover-timeout {MASTER} 3000\n"
        )
        return Server(directory, port, str(config), "--sentinel")

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{MASTER}/0"

    def start(self) -> None:
        self.master.start()
        self.replica.start()
        for sentinel in self.sentinels:
            sentinel.start()
        wait_until(
            self._are_ready, within_s=30, what="the sentinels know the replica and each other"
        )

    def kill(self) -> None:
        for server in (*self.sentinels, self.replica, self.master):
            server.kill()

    def _are_ready(self) -> bool:
        for sentinel in self.sentinels:
            state = sentinel.info("sentinel")["master0"]
            if (state["slaves"], state["sentinels"]) != (1, len(self.sentinels)):
                return False
        return bool(self.replica.info("replication")["master_link_status"] == "up")


def _cluster_port() -> int:
    """Return a port that is free and whose bus port is free too. Both are below the ports that
    systems give to connections, so that no connection can take them in the meantime."""
    while True:
        port = random.SystemRandom().randrange(10_000, _EPHEMERAL_PORTS_FROM - _BUS_PORT_OFFSET)
        if _is_free(port) and _is_free(port + _BUS_PORT_OFFSET):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _cluster_state(server: Server) -> dict[str, str]:
    reply = server.execute("CLUSTER", "INFO")
    return (
        dict(reply)
        if isinstance(reply, dict)
        else dict(line.split(":", 1) for line in _decoded_text(reply).splitlines() if ":" in line)
    )


def _decoded_text(reply: bytes | str) -> str:
    return reply.decode() if isinstance(reply, bytes) else reply
