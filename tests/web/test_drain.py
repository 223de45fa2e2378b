"""`manage.py tables drain` lets a site run empty; nothing starts over tables of another release."""

from __future__ import annotations

import asyncio
import subprocess

import pytest
import redis
from msgspec.structs import replace

from game.engine.rules import TENHOU
from game.live.process import Process
from game.tables.keys import FORM_KEY
from tests.kit.commands import run_python
from tests.kit.processes import Site
from tests.web.site import serve
from tests.web.tables import AT_ONCE, open_table
from tests.web.visitor import Visitor


def command(site: Site, *words: str) -> subprocess.CompletedProcess[str]:
    return run_python(site.env, "manage.py", "tables", *words)


async def test_site_opens_no_table_and_runs_empty(site: Site) -> None:
    running_site = serve(site, workers=0)
    visitor = Visitor(running_site.daphnes[0].url)
    home = await asyncio.to_thread(visitor.get, "/")
    # Without a worker nobody plays for the bots yet.
    clock = replace(AT_ONCE, reaction_ms=1, bot_max_ms=1)
    table_id = await open_table(site.redis.url, [], clock, rules=replace(TENHOU, length="east"))
    drain = asyncio.create_task(
        asyncio.to_thread(command, site, "drain", "--notice", "Until tomorrow")
    )
    process = Process(site.redis.url)
    async with asyncio.timeout(60):
        while (await process.service.read_room(table_id)).notice != "Until tomorrow":
            process.rooms.forget(table_id)
            await asyncio.sleep(0.1)
    await process.stop()
    refused = await asyncio.to_thread(visitor.submit, home, "/play/")
    assert refused.status == 503
    assert "Until tomorrow" in refused.text
    assert not drain.done()
    site.start_worker()
    done = await drain
    assert (done.returncode, done.stderr.splitlines()[0]) == (0, "1 running"), done.stderr
    assert "No table is running" in done.stdout
    assert command(site, "resume").returncode == 0
    opened = await asyncio.to_thread(visitor.submit, home, "/play/")
    assert opened.path.startswith("/table/")


@pytest.mark.parametrize("program", [("manage.py", "worker"), ("-m", "mahjong_site.web")])
async def test_no_process_starts_over_tables_of_another_release(
    program: tuple[str, ...], site: Site
) -> None:
    await open_table(site.redis.url, [], AT_ONCE)
    with redis.Redis.from_url(site.redis.url) as connection:
        connection.delete(FORM_KEY)
    done = await asyncio.to_thread(run_python, site.env, *program)
    assert done.returncode != 0
    sentences = [line for line in done.stderr.splitlines() if "form of another release" in line]
    assert len(sentences) == 1, done.stderr
    assert "manage.py tables drain" in sentences[0]
    assert "Traceback" not in done.stderr
