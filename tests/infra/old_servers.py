"""Data directories with a running table, as older Redis servers have written them.

``python -m tests.infra.old_servers PROGRAM DIRECTORY`` writes a directory with that server. The
files in ``old_servers/`` were written by Redis 6.2.14 and by Redis 7.0.15 and are never written
again: part of the table is in the base file, the rest in the commands after it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import django
import redis

FILES: Final = Path(__file__).with_suffix("")
NAMES: Final = ("redis-6.2", "redis-7.0")
LAST_VERSION: Final = 8
"""The number of commits of the table. The last three are not in the base file."""


def write(program: str, directory: Path) -> None:
    """Run that server, open a table, act there, and keep the server's files."""
    from mahjong_site.redis_server import probe_program
    from tests.kit.processes import RedisServer, wait_until

    binary = probe_program(program)
    if binary is None:
        sys.exit(f"{program} does not run here.")
    with tempfile.TemporaryDirectory(prefix="mj-") as temporary:
        server = RedisServer(Path(temporary), binary)
        server.start()
        table_id = asyncio.run(_play(server.url, "", LAST_VERSION - 3))
        with redis.Redis.from_url(server.url) as connection:
            connection.bgrewriteaof()
            wait_until(
                lambda: not connection.info("persistence")["aof_rewrite_in_progress"],
                within_s=60,
                what="the base file is written",
            )
        asyncio.run(_play(server.url, table_id, LAST_VERSION))
        server.stop()
        shutil.copytree(server.data, directory, ignore=shutil.ignore_patterns("*.log"))


async def _play(url: str, table_id: str, last_version: int) -> str:
    from game.engine.legal import pending_seats
    from game.live.process import Process
    from game.tables.room import TableId
    from tests.tables.staging import FakeTime, open_people_table, submit_answer, until_due

    time = FakeTime()
    process = Process(url, now_ms=time, name="old")
    await process.heartbeat.beat()
    known = TableId(table_id) if table_id else await open_people_table(process)
    room = await process.service.read_room(known)
    while room.version < last_version:
        if pending_seats(room.table):
            room = await submit_answer(process, room)
        else:
            room = await until_due(process, time, known)
    await process.stop()
    return known


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    write(sys.argv[1], Path(sys.argv[2]))
