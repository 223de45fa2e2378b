"""A database that is unsuitable, lost, locked or read-only: what the pages and the log say."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest
from django.conf import settings
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect
from websockets.typing import Origin

from game.live.process import Process
from game.operations.table_administration import end_games
from game.tables.room import TableId
from tests.kit.processes import RedisServer, Site, environment, wait_until
from tests.web.short_forms import with_version
from tests.web.site import SignedPerson, serve
from tests.web.tables import open_table
from tests.web.visitor import Visitor
from tools import postgresql

ROOT = Path(settings.BASE_DIR)


@pytest.fixture
def postgres(migrated_postgresql: Path) -> Iterator[str]:
    """Yield the address of a PostgreSQL database with empty tables."""
    with postgresql.run_server(migrated_postgresql) as url:
        yield url


def status_of(url: str, cookie: str = "") -> tuple[int, str]:
    """Return the status and the text of a page requested with that cookie."""
    try:
        with urlopen(Request(url, headers={"Cookie": cookie}), timeout=40) as page:
            return page.status, page.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def migrate(directory: Path, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env=environment(directory, DATABASE_URL=url),
        capture_output=True,
        text=True,
        check=False,
    )


def test_postgresql_without_utf_8_is_refused(postgres: str, tmp_path: Path) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    done = migrate(tmp_path, postgres.removesuffix("postgres") + "latin")
    assert done.returncode == 1
    assert done.stderr == (
        "The database has the encoding LATIN1; names of people need UTF8. "
        "Create it with ENCODING 'UTF8'.\n"
    )
    assert migrate(tmp_path, postgres).returncode == 0


def test_lost_postgresql_is_shown_and_logged_briefly(
    redis_server: RedisServer,
    migrated_database: Path,
    migrated_postgresql: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    site = Site(redis_server, tmp_path, migrated_database)
    with postgresql.run_server(migrated_postgresql) as url:
        site.env["DATABASE_URL"] = url
        running_site = serve(site, workers=0)  # each process logs the outage once
        web = running_site.daphnes[0]
        visitor = Visitor(web.url)
        visitor.submit(visitor.get("/"), "/play/")
        assert status_of(web.url, visitor.cookie)[0] == 200
    try:
        capfd.readouterr()
        started = time.monotonic()
        for path in ("/", "/lobby/", "/ranking/", "/games/"):
            status, text = status_of(web.url + path, visitor.cookie)
            assert (path, status) == (path, 503)
            assert "try again shortly" in text
            assert "The database of the site cannot be used" in text
            assert "/sign-in/" not in text, "the visitor may be signed in"
        assert '"database": false, "redis": true' in status_of(f"{web.url}/readyz")[1]
        for path in ("/ws/lobby/", with_version("/ws/table/none/"), "/ws/bots/"):
            with connect(
                web.websocket_url + path,
                origin=Origin(web.origin),
                additional_headers={"Cookie": visitor.cookie, "Authorization": "Bearer unknown"},
                proxy=None,
            ) as socket:
                with suppress(ConnectionClosedError):
                    list(socket)  # read all frames until the socket is closed
                assert socket.close_code == 4503
        log = capfd.readouterr().err
        assert "Traceback" not in log
        assert 'File "' not in log
        assert log.count("the database cannot be used") == 1, log
        further_lines = int(time.monotonic() - started)  # at most one a second
        assert len(log) < 600 + 300 * further_lines, log
    finally:
        site.stop()


@contextmanager
def read_only(file: Path) -> Iterator[None]:
    """Make the file read-only for SQLite until the block ends, by the write version of a later
    SQLite (https://www.sqlite.org/fileformat.html, 1.3.3). Permissions do not suffice: root may
    write to every file."""

    def set_write_version(number: int) -> None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with file.open("r+b") as opened:
            opened.seek(18)
            opened.write(bytes([number]))

    set_write_version(3)
    yield
    set_write_version(2)


def test_read_only_database_answers_503(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    web = site.start_daphne()
    visitor = Visitor(web.url)
    page = visitor.get("/sign-up/")
    ready = f"{web.url}/readyz"
    assert '"database": true' in status_of(ready)[1]
    file = Path(site.env["DATABASE_URL"].removeprefix("sqlite:///"))
    capfd.readouterr()
    with read_only(file):
        assert '"database": false' in status_of(ready)[1]
        answer = visitor.submit(
            page, "/sign-up/", name="Anna", password="a good long password", mail=""
        )
        assert answer.status == 503
        assert "try again shortly" in answer.text
    log = capfd.readouterr().err
    assert log.count("the database cannot be used: attempt to write a readonly database") == 1
    assert 'File "' not in log
    assert len(log) < 600, log
    wait_until(
        lambda: '"database": true' in status_of(ready)[1], within_s=60, what="it is ready again"
    )
    assert "the database can be used again" in capfd.readouterr().err


def test_locked_database_answers_503(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    site.env["DATABASE_URL"] += "?timeout=1"
    web = site.start_daphne()
    visitor = Visitor(web.url)
    page = visitor.get("/sign-up/")
    capfd.readouterr()
    file = site.env["DATABASE_URL"].removeprefix("sqlite:///").partition("?")[0]
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = visitor.submit(
            page, "/sign-up/", name="Anna", password="a good long password", mail=""
        )
        assert answer.status == 503
        assert '"database": false' in status_of(f"{web.url}/readyz")[1]
        other.execute("ROLLBACK")
    log = capfd.readouterr().err
    assert log.count("the database cannot be used: database is locked") == 1
    assert 'File "' not in log
    page = visitor.get("/sign-up/")
    answer = visitor.submit(
        page, "/sign-up/", name="Anna", password="a good long password", mail=""
    )
    assert answer.status == 200


def test_finished_game_waits_for_the_database(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.env["LOG_LEVEL"] = "INFO"
    running_site = serve(site)
    people = running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
    file = Path(site.env["DATABASE_URL"].removeprefix("sqlite:///"))
    log = ""

    def is_logged(text: str, times: int) -> bool:
        nonlocal log
        log += capfd.readouterr().err
        return log.count(text) >= times

    with read_only(file):
        table_id = asyncio.run(open_ended_table(site.redis.url, people))
        wait_until(
            lambda: is_logged(f"table {table_id}: due work is put off", 2),
            within_s=40,
            what="it is tried again",
        )
    wait_until(
        lambda: is_logged("the database can be used again", 1), within_s=40, what="it is archived"
    )
    assert log.count("WARNING game.tables.database: the database cannot be used") == 1, log
    assert 'File "' not in log
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM game_game").fetchone() == (1,)


async def open_ended_table(url: str, people: list[SignedPerson]) -> TableId:
    """Return a table whose game an operator has ended."""
    table_id = await open_table(url, people)
    process = Process(url)
    try:
        assert await end_games(process.service, [table_id]) == (1, 0)
    finally:
        await process.stop()
    return table_id
