"""With `min-replicas-to-write 1` a promoted master refuses writes until it has a replica."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from redis.exceptions import RedisError, ResponseError

from game.tables.keys import due_key, shard_of
from tests.kit.long_form import IS_LONG
from tests.kit.processes import wait_until
from tests.kit.redises import Cluster, Server

pytestmark = pytest.mark.skipif(not IS_LONG, reason="a minute: LONG=1 runs it")
KEY = due_key(shard_of("any"))


@pytest.mark.parametrize("replicas", [1, 2])
def test_promoted_server_needs_a_second_replica_to_write(replicas: int) -> None:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        cluster = Cluster(Path(directory), replicas=replicas)
        try:
            cluster.start()
            for server in cluster.servers:
                server.execute("CONFIG", "SET", "min-replicas-to-write", 1)
                server.execute("CONFIG", "SET", "min-replicas-max-lag", 2)
            master = next(server for server in cluster.masters if _refusal(server) == "")
            master.kill()
            wait_until(
                lambda: any(_is_master(replica) for replica in cluster.replicas),
                within_s=30,
                what="a replica is promoted",
            )
            promoted = next(replica for replica in cluster.replicas if _is_master(replica))
            if replicas == 2:
                wait_until(lambda: _refusal(promoted) == "", within_s=30, what="it writes")
                return
            assert _refusal(promoted).startswith("NOREPLICAS")
            master.start()  # joins as the replica of the promoted server
            wait_until(lambda: _refusal(promoted) == "", within_s=30, what="it writes")
        finally:
            cluster.kill()


def _is_master(server: Server) -> bool:
    return bool(server.info("replication")["role"] == "master")


def _refusal(server: Server) -> str:
    """Return why the server refuses a write; '' if it accepts the write."""
    try:
        server.execute("ZADD", KEY, 1, "table")
    except ResponseError as error:
        return str(error)
    except (RedisError, OSError) as error:
        return f"{error!r}"
    return ""
