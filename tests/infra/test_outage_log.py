"""The lines that an outage writes into the log are few and have no tracebacks."""

from __future__ import annotations

import io
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.db import OperationalError
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from game.tables.errors import DatabaseUnavailable, TablesUnavailable
from mahjong_site.logs import LineFormatter
from mahjong_site.outage_log import OutageFilter
from tests.kit.processes import Daphne, RedisServer, Site, wait_until
from tests.web.short_forms import with_version
from tests.web.site import serve
from tests.web.visitor import Visitor
from tools import postgresql

OUTAGE_S = 3.0
_PAUSE_S = 0.05
PATHS = ("/", "/lobby/", "/games/", "/watch/", "/table/none/", "/admin/", "/profile/", "/readyz")
SOCKETS = ("/ws/lobby/", "/ws/lobby/watch/", with_version("/ws/table/none/"))


@contextmanager
def visits(web: Daphne, cookie: str) -> Iterator[list[str]]:
    """Let four browsers load pages and open sockets, with short pauses. Yield the growing list of
    visited paths."""
    done: list[str] = []
    is_over = threading.Event()

    def visit() -> None:
        for path in itertools.cycle((*PATHS, *SOCKETS)):
            if is_over.is_set():
                return
            with suppress(OSError, HTTPException, WebSocketException):
                (look_at_socket if path.startswith("/ws/") else look_at_page)(path)
            done.append(path)
            is_over.wait(_PAUSE_S)

    def look_at_page(path: str) -> None:
        with suppress(HTTPError):
            urlopen(Request(web.url + path, headers={"Cookie": cookie}), timeout=20).close()

    def look_at_socket(path: str) -> None:
        headers, origin = {"Cookie": cookie}, Origin(web.origin)
        with connect(
            web.websocket_url + path, additional_headers=headers, origin=origin, proxy=None
        ) as socket:
            socket.send('{"t":"hello","seq":0}')
            with suppress(TimeoutError):
                socket.recv(timeout=0.2)

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield done
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def is_ready(web: Daphne) -> bool:
    """Return whether database, Redis and worker are ready."""
    with suppress(HTTPError), urlopen(f"{web.url}/readyz", timeout=5) as page:
        return bool(page.status == 200)
    return False


def test_outage_logs_at_most_a_line_a_second_per_process(
    redis_server: RedisServer,
    migrated_database: Path,
    migrated_postgresql: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    site = Site(redis_server, tmp_path, migrated_database)
    with ExitStack() as at_end:
        at_end.callback(site.stop)
        outage = at_end.enter_context(ExitStack())
        site.env["DATABASE_URL"] = outage.enter_context(postgresql.run_server(migrated_postgresql))
        web = serve(site).daphnes[0]
        visitor = Visitor(web.url)
        visitor.submit(visitor.get("/"), "/play/")
        for what, begin in (("Redis", redis_server.kill), ("PostgreSQL", outage.close)):
            wait_until(lambda: is_ready(web), within_s=30, what="the site is ready")
            capfd.readouterr()
            began = time.monotonic()
            with visits(web, visitor.cookie) as done:
                begin()
                time.sleep(OUTAGE_S)
            seconds = time.monotonic() - began
            log = capfd.readouterr().err
            lines = log.splitlines()
            record_property(
                "figures",
                f"outage of {what}: {len(done)} visits in {seconds:.1f} s wrote "
                f"{len(lines)} lines, {len(log.encode()):,} bytes",
            )
            assert "Traceback" not in log
            assert 'File "' not in log
            most = 2 * (seconds + 2)  # a web server and a worker
            assert 0 < len(lines) <= most, log
            assert len(done) > len(lines), "so few visits could have a line each"
            assert max(map(len, lines)) < 400, log
            if what == "Redis":
                redis_server.start()


def test_tracebacks_of_an_outage_become_one_counted_line() -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(LineFormatter())
    handler.addFilter(OutageFilter())
    log = logging.Logger("tests.outage")
    log.addHandler(handler)

    def fail(error: Exception, cause: Exception | None = None) -> None:
        try:
            raise error from cause
        except Exception:
            log.exception("table %s: due work failed", "T")

    def outage() -> None:
        fail(DatabaseUnavailable("gone"), OperationalError("server closed\nthe connection"))

    for _ in range(1_000):
        outage()
    log.warning("tries cannot be counted: %s", TablesUnavailable("Redis is gone"))
    assert written.getvalue().count("\n") == 1
    assert "table T: due work failed: DatabaseUnavailable: gone" in written.getvalue()
    raised = 1_001
    until = time.monotonic() + 10
    while written.getvalue().count("\n") == 1 and time.monotonic() < until:
        outage()
        raised += 1
    assert f"[{raised - 2} lines of an outage were left out]" in written.getvalue()
    # An error of the program keeps its traceback and is always logged.
    fail(ValueError("a fault"))
    fail(ValueError("a fault"))
    assert written.getvalue().count('File "') == 2
    assert written.getvalue().count("ValueError: a fault") == 2
