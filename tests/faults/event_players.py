"""Programs that play the games of events over real sockets, and requests to a running site."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from django.conf import settings

from tests.faults.player import PersistentPlayer
from tests.kit.long_form import IS_LONG
from tests.kit.processes import Daphne, Site
from tests.web.players import choose_to_win
from tests.web.short_forms import with_version
from tests.web.site import SignedPerson
from tests.web.wall_pages import LATE_FOR_THE_WALL

WITHIN_S: Final = 900 if IS_LONG else 240
UMA: Final = [Decimal(20), Decimal(10), Decimal(-10), Decimal(-20)]
CONNECT_TIMEOUT_S: Final = 30.0
"""On a slow machine the remaining server takes long to accept 64 connections. If players gave up
sooner and tried again, none would be accepted."""
_TOKEN: Final = "a" * 32


def run_script(site: Site, script: str, given: dict[str, Any]) -> int:
    """Run the script in a process of the site. Return its exit status."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", script],
        input=json.dumps(given),
        env=site.env,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -9), done.stderr
    return done.returncode


def rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    path = Path(site.env["DATABASE_URL"].removeprefix("sqlite:///"))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as database:
        return database.execute(query).fetchall()


async def until(condition: Callable[[], bool], what: str) -> None:
    end = asyncio.get_running_loop().time() + WITHIN_S
    while not condition():
        assert asyncio.get_running_loop().time() < end, what
        await asyncio.sleep(0.1)


def player(web: list[Daphne], table_id: str, person: SignedPerson, seed: int) -> PersistentPlayer:
    urls = [with_version(f"{server.websocket_url}/ws/table/{table_id}/") for server in web]
    shift = seed % len(urls)
    urls = [*urls[shift:], *urls[:shift]]
    return PersistentPlayer(
        urls[0],
        cookie=person.cookie,
        seed=seed,
        choose=choose_to_win,
        urls=urls,
        connect_timeout_s=CONNECT_TIMEOUT_S,
    )


def is_expected(error: dict[str, Any]) -> bool:
    """Return whether a player may get this error. A player may miss the draw of the wall, and plays
    so quickly here that the server may ask for fewer messages."""
    return error.get("reason") in LATE_FOR_THE_WALL or error.get("code") == "too_fast"


def request(server: Daphne, path: str, person: SignedPerson | None = None) -> bytes:
    """Return the answer to a GET request."""
    headers = {"Cookie": person.cookie} if person is not None else {}
    answer: bytes = _open(Request(server.url + path, headers=headers))[0]
    return answer


def post(server: Daphne, path: str, person: SignedPerson, **fields: str) -> str:
    """Send a form. Return the path to which the answer leads."""
    data = urlencode({**fields, "csrfmiddlewaretoken": _TOKEN}).encode()
    headers = {"Cookie": f"{person.cookie}; csrftoken={_TOKEN}"}
    return _open(Request(server.url + path, data=data, headers=headers))[1].removeprefix(server.url)


def _open(asked: Request) -> tuple[bytes, str]:
    with build_opener(ProxyHandler({})).open(asked, timeout=60) as answer:
        return answer.read(), answer.url
