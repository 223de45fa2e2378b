"""``python -m bench.archive [--games N] [--directory DIR] [--url URL]``: pages of a large archive.

Fills a database with N games (a million by default) and measures each public page, cold and warm.
The database is SQLite in DIR, or the PostgreSQL at URL, and is kept: a second run with the same or
a smaller N measures at once, and one that was stopped is continued. Drop it to begin anew.

The games are copies of some dozens of games that bots have played, with other people, times and
places. A few people have played very often: the first of them in about one game of sixty.

Warm is the median of five requests, with the processor time of this process beside it. Cold: a new
connection and, for SQLite, a file that the kernel does not hold in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, connections
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext, setup_test_environment

from bench import report
from bench.archive_rows import POOL_GAMES, count_games, fill_archive, person_id
from bench.servers import use_database
from game.admin import GameAdmin, LimitedPaginator
from game.identity.sessions import SESSION_KEY
from game.models import GamePlayer, GameSeat, Rating
from mahjong_site.interpreter import collect_garbage_rarely
from tests.kit.async_client import views_in_threads
from tests.kit.processes import migrate_database

GOAL_MS: Final = 100.0
_WARM_RUNS: Final = 5
_DIRECTORY: Final = Path("var/bench-archive")


def main() -> None:
    """Fill the database unless it is full, and print how long each page takes."""
    parser = argparse.ArgumentParser(prog="python -m bench.archive", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, metavar="N")
    parser.add_argument(
        "--pool", type=int, default=POOL_GAMES, metavar="N", help="games to be played"
    )
    parser.add_argument("--directory", type=Path, default=_DIRECTORY, metavar="DIR")
    parser.add_argument("--url", default="", help="postgres://user:password@host/name")
    arguments = parser.parse_args()
    file = None
    if not arguments.url:
        arguments.directory.mkdir(parents=True, exist_ok=True)
        file = arguments.directory.absolute() / "db.sqlite3"
        if not file.exists():
            migrate_database(file.parent)
    setup_test_environment()
    use_database(arguments.url or f"sqlite:///{file}")
    call_command("migrate", verbosity=0)
    fill_archive(arguments.games, arguments.pool, _show_progress)
    report.print_heading(f"archive: {count_games():,} games on {connection.vendor}")
    _print_sizes(file)
    with views_in_threads():
        asyncio.run(_measure_pages(file))


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        bar = "#" * (40 * done // total)
        sys.stderr.write(f"\r[{bar:<40}] {done:,} of {total:,} games")
        sys.stderr.write("\n" if done == total else "")
        sys.stderr.flush()


def _print_sizes(file: Path | None) -> None:
    games = count_games()
    with connection.cursor() as cursor:
        cursor.execute("SELECT AVG(LENGTH(data)) FROM game_gamelog WHERE game_id < 'B'")
        report.print_line("bytes of a log", f"{float(cursor.fetchone()[0] or 0):>9,.0f}")
        if file is None:
            cursor.execute("SELECT pg_database_size(current_database())")
            (size,) = cursor.fetchone()
        else:
            size = file.stat().st_size
    report.print_line("bytes of the database for each game", f"{size / games:>9,.0f}")


async def _measure_pages(file: Path | None) -> None:
    heavy, usual = person_id(0), person_id(100)
    games = GamePlayer.objects.filter(person_id=heavy)
    count = await games.acount()
    total = await sync_to_async(count_games)()
    last_listed = min(total, LimitedPaginator.MAX_GAMES) // GameAdmin.list_per_page
    last_page = min(1_000, max(1, count // 20))
    report.print_line("games of the heaviest profile", f"{count:>9,}")
    listed = await Rating.objects.filter(ladder="tenhou.east_south", games__gte=10).acount()
    report.print_line("players in the ladder", f"{listed:>9,}")
    latest = await GameSeat.objects.filter(person_id=heavy).order_by("-ended_at").afirst()
    game = latest.game_id if latest else ""
    public, own, admin = AsyncClient(), await _signed_in_player(heavy), await _signed_in_admin()
    profile = f"/player/{heavy}/"
    filters = "rules=tenhou&length=east_south&rated=rated&period=12"
    pages: list[tuple[str, AsyncClient, str]] = [
        ("profile, heaviest", public, profile),
        ("profile, heaviest, one preset", public, f"{profile}?rules=tenhou"),
        ("profile, heaviest, all filters", public, f"{profile}?{filters}"),
        ("profile, heaviest, against another", public, f"{profile}?against={person_id(1)}"),
        ("profile, heaviest, last page", public, f"{profile}?page={last_page}"),
        ("profile, a regular", public, f"/player/{usual}/"),
        ("my games, heaviest", own, "/games/"),
        ("my games, heaviest, last page", own, f"/games/?page={last_page}"),
        ("game", own, f"/game/{game}/"),
        ("record of a game, mjlog", own, f"/game/{game}/mjlog/"),
        ("ladder", public, "/ranking/tenhou/east_south/"),
        ("ladder, last page", public, f"/ranking/tenhou/east_south/?page={max(1, listed // 50)}"),
        ("admin, list of games", admin, "/admin/game/game/"),
        ("admin, list of games, last page", admin, f"/admin/game/game/?p={last_listed}"),
        ("admin, private games", admin, "/admin/game/game/?is_public__exact=0"),
        ("admin, search for a game", admin, f"/admin/game/game/?q={game}"),
        ("admin, game", admin, f"/admin/game/game/{game}/change/"),
    ]
    for _, at, path in pages:  # loads what the pages need, as a server that has run for a while
        await at.get(path)
    collect_garbage_rarely()  # as in a web server
    for label, at, path in pages:
        await at.get("/healthz")
        cold = await _time_page_ms(at, path, lambda: _drop_file_cache(file))
        queries = await _count_queries(at, path)
        began = time.process_time()
        warm = median([await _time_page_ms(at, path) for _ in range(_WARM_RUNS)])
        spent = (time.process_time() - began) * 1000 / _WARM_RUNS
        over = f"  above {GOAL_MS:.0f} ms" if warm > GOAL_MS else ""
        report.print_line(
            label,
            f"{warm:>8.1f} ms warm ({spent:.0f} CPU) {cold:>9.1f} ms cold"
            f" {queries:>3} queries{over}",
        )


async def _time_page_ms(
    at: AsyncClient, path: str, before: Callable[[], None] | None = None
) -> float:
    """Return the milliseconds that the page takes. `before` runs first, outside the measured
    time."""
    if before is not None:
        await sync_to_async(before)()
    began = time.perf_counter()
    answer = await at.get(path)
    spent = (time.perf_counter() - began) * 1000
    if answer.status_code != 200:
        raise SystemExit(f"{path} answers with status {answer.status_code}")
    return spent


async def _count_queries(at: AsyncClient, path: str) -> int:
    found = CaptureQueriesContext(connection)
    await sync_to_async(found.__enter__)()  # in the thread of the queries
    await at.get(path)
    await sync_to_async(found.__exit__)(None, None, None)
    return await sync_to_async(len)(found)


def _drop_file_cache(file: Path | None) -> None:
    """Close the connection, and drop the pages of the database file from the kernel's cache."""
    connections.close_all()
    if file is None:
        return
    for path in (file, Path(f"{file}-wal")):
        if path.exists():
            with path.open("rb") as opened:
                os.fdatasync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


async def _signed_in_player(person: UUID) -> AsyncClient:
    client = AsyncClient()
    session = await client.asession()
    session[SESSION_KEY] = str(person)
    await session.asave()
    client.cookies["sessionid"] = str(session.session_key)
    return client


async def _signed_in_admin() -> AsyncClient:
    user, _ = await User.objects.aget_or_create(
        username="bench", defaults={"is_staff": True, "is_superuser": True}
    )
    client = AsyncClient()
    await client.aforce_login(user)
    return client


if __name__ == "__main__":
    main()
