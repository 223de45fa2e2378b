"""``python -m bench.many_tables [--tables N]``: measures what all running tables together cost.

Opens N tables in a Redis of its own, without web servers and workers, and times actions of an
operator and of visitors. Each action starts with a `Process` that knows none of the tables.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.utils import timezone

from bench import report
from bench.servers import own_redis
from game.engine.clock import ClockSettings
from game.live.process import Process, close_current, current
from game.models import Sanction
from game.moderation.bans import remove_banned_from_tables
from game.operations import table_administration
from game.operations.personal_data import collect_personal_data
from game.tables.copies import copy_tables
from game.tables.room import SeatMeta, TableId, TableMeta
from lobby.play.table_list import live_tables
from tests.kit.async_client import views_in_threads
from tests.kit.processes import migrate_database

TABLES: Final = 10_000
_OPENED_AT_ONCE: Final = 64


async def open_tables(process: Process, count: int) -> list[TableId]:
    """Open `count` tables and return their ids. At table N, person N sits with three bots, and
    nothing is due for an hour."""
    waiting = iter(range(count))
    clock = ClockSettings(lead_ms=3_600_000, deal_ms=3_600_000)
    found = list[TableId]()

    async def open_some() -> None:
        for number in waiting:
            person = SeatMeta(name=f"player {number}", person=str(UUID(int=number)))
            one, two, three = (SeatMeta(name=f"b{seat}", bot="tsumogiri") for seat in range(3))
            seats = (person, one, two, three)
            found.append(await process.service.open_table(TableMeta(seats=seats, clock=clock)))

    await asyncio.gather(*(open_some() for _ in range(_OPENED_AT_ONCE)))
    return found


async def _print_time(label: str, work: Callable[[], Awaitable[Any]]) -> None:
    """Print the time of the work with a new `Process`, which has cached no table."""
    await close_current()
    await (await current()).heartbeat.beat()
    started, spent = time.perf_counter(), time.process_time()
    found = await work()
    took, spent = time.perf_counter() - started, time.process_time() - spent
    note = f"  ({found})" if isinstance(found, int | str | tuple) else ""
    report.print_line(label, f"{took * 1000:>9,.1f} ms, CPU {spent * 1000:>9,.1f} ms{note}")


async def _measure(url: str, tables: int) -> None:
    settings.REDIS_URL, settings.ALLOWED_HOSTS = url, ["*"]
    process = Process(url)
    started = time.perf_counter()
    opened = await open_tables(process, tables)
    report.print_line(f"{tables:,} tables opened", f"{time.perf_counter() - started:>9,.1f} s")
    await process.stop()
    user = await User.objects.acreate_superuser("operator", password=None)
    client = AsyncClient()
    await client.aforce_login(user)
    last = str(UUID(int=tables - 1))

    async def page(address: str) -> str:
        answer = await client.get(address)
        assert answer.status_code == 200, answer.status_code
        return f"{len(answer.content):,} bytes"

    async def ten_visitors() -> None:
        for _ in range(10):
            await page("/watch/")

    async def ban() -> None:
        until = timezone.now() + timedelta(hours=1)
        await Sanction.objects.acreate(person_id=UUID(last), kind=Sanction.BAN, until=until)

        async def withdraw_nothing(person: str) -> None:
            return

        await remove_banned_from_tables((await current()).service, withdraw_nothing)

    async def admin_list() -> int:
        return len(await table_administration.list_tables((await current()).service))

    async def backup() -> int:
        return sum([1 async for _ in copy_tables((await current()).store)])

    await page("/")  # loads the templates and routes
    await page("/watch/")
    await _print_time("/metrics", lambda: page("/metrics"))
    await _print_time("list of live tables", live_tables)
    await _print_time("/watch/, with its boards", lambda: page("/watch/"))
    await _print_time("/watch/, for ten visitors", ten_visitors)
    await _print_time("admin: page of running tables", lambda: page("/admin/tables/"))
    await _print_time("admin: last page", lambda: page(f"/admin/tables/?page={-(-tables // 100)}"))
    await _print_time("admin: search a table", lambda: page(f"/admin/tables/?q={opened[7]}"))
    await _print_time("admin: search a person", lambda: page(f"/admin/tables/?q={last}"))
    await _print_time("a ban, of one person", ban)
    await _print_time("own data, of one person", lambda: collect_personal_data(last))
    await _print_time("backup: copies", backup)
    await _print_time("tables list", admin_list)

    async def hold() -> tuple[int, int]:
        return await table_administration.hold_tables((await current()).service, 10, "")

    await _print_time("tables hold", hold)
    await close_current()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_tables", description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, help=f"{TABLES} by default")
    tables = parser.parse_args().tables
    report.print_heading(f"{tables:,} running tables")
    with tempfile.TemporaryDirectory(prefix="mj-") as directory, own_redis() as redis:
        settings.DATABASES["default"]["NAME"] = str(migrate_database(Path(directory)))
        with views_in_threads():
            asyncio.run(_measure(redis.url, tables))


if __name__ == "__main__":
    main()
