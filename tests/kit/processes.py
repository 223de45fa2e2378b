"""Runs the site as real processes for tests and benchmarks: Redis, web servers, workers.

Each process can be stopped, killed, paused and started again. All end with the process that started
them, even if that one is killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast
from urllib.error import HTTPError
from urllib.request import urlopen

from django.conf import settings

from mahjong_site import redis_server as own_redis
from mahjong_site.handover import Role
from mahjong_site.supervisor.child import Child
from tests.kit import fork_server

_START_SECONDS = 120
_TEMPLATES = 8
"""How many SQLite files with empty tables are kept besides a new one."""
_SETTINGS = frozenset(
    {
        *("ADMIN_OTP", "ALLOWED_HOSTS", "ALLOWED_ORIGINS", "CONTACT", "DATABASE_URL", "DATA_DIR"),
        *("DEBUG", "EMAIL_URL", "HTTPS", "MAIL_FROM", "REDIS_URL", "SECRET_KEY", "TABLE_PACE"),
        *(
            "ABANDONED_END_MINUTES",
            "ABANDONED_PAUSE_SECONDS",
            "BOTS_PER_ACCOUNT",
            "EMPTY_TABLES_PER_ADDRESS",
            "TABLES_PER_ADDRESS",
            "PAGE_SECONDS_PER_ADDRESS",
            "QUEUE_MEETINGS_A_DAY",
            "SAME_ADDRESS_ALLOWED",
            "RATED_ABSENCE",
            "RECORDS_KEPT_DAYS",
            "REDIS_WAIT_REPLICAS",
            "REVIEWERS",
            "REVIEWER_MEMORY_MB",
            "REVIEWER_SECONDS",
            "REVIEWS_KEPT_DAYS",
            "REVIEW_PROCESSES",
            "SERVICE_WORKER",
            "SITE_URL",
            "BUSY_LAG_MS",
        ),
        *("LOG_FORMAT", "LOG_LEVEL", "METRICS_PORT", "METRICS_TOKEN", "SOCKETS_PER_ADDRESS"),
        "SECRET_KEY_FALLBACKS",
    }
)
Process = TypeVar("Process", "Daphne", "Worker")


def wait_until(condition: Callable[[], bool], *, within_s: float, what: str) -> None:
    """Poll until the condition holds; raise AssertionError with `what` after `within_s`."""
    until = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"{what}: not within {within_s} s")
        time.sleep(0.02)


def free_port() -> int:
    """Return a port of the loopback address on which nothing listens. It is below 32768: the system
    may give higher ports to connections at any moment."""
    while True:
        port = 10_240 + secrets.randbelow(22_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def environment(data: Path, **settings_by_name: str) -> dict[str, str]:
    """Return the environment for a process of the site: that of this process, without the site's
    own settings, plus `settings_by_name`."""
    inherited = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
    names = {
        "DJANGO_SETTINGS_MODULE": "mahjong_site.settings",
        "DATA_DIR": str(data),
        "MAHJONG_ENV": "",  # read no settings file
        # Tests of a session share an address, a Redis and the tables that they leave unfinished.
        "EMPTY_TABLES_PER_ADDRESS": "0",
        "TABLES_PER_ADDRESS": "0",
        "BUSY_LAG_MS": "0",  # a busy machine must not change what a test sees
        "PAGE_SECONDS_PER_ADDRESS": "0",
        "SERVICE_WORKER": "0",  # a service worker would bypass the routes that tests intercept
    }
    return {**inherited, **names, **settings_by_name}


class ForkedChild(Child):
    """A process of the site, started through `fork_server`, which halves its processor time."""

    def start(self, *, files: Sequence[int] = (), env: Mapping[str, str] | None = None) -> None:
        """Start the program. Unlike a `Child`, it inherits no `files`."""
        assert not files
        forked = fork_server.start(
            self.command[1:], env=self.env | dict(env or {}), cwd=Path(self.cwd)
        )
        self._process = cast("subprocess.Popen[bytes]", forked)


child_type: type[Child] = Child
"""The class that starts web servers and workers. Pytest forks them; benchmarks start real
programs."""


class RedisServer:
    """A private Redis on a unix socket, with its append-only file in `directory`.

    Runs the same server program as the site, or `binary`.
    """

    def __init__(self, directory: Path, binary: own_redis.Binary | None = None) -> None:
        self.data, path = own_redis.private_directories(directory)
        self.url = f"unix://{path}"
        self.binary = binary or own_redis.find_binary(self.data)
        command = own_redis.command(self.binary, self.data, path)
        self._child = Child("Redis", command, env=os.environ, cwd=self.data)

    @property
    def pid(self) -> int:
        return self._child.pid

    def start(self) -> None:
        """Start the server with the data it had, and wait until it answers."""
        self._child.start()
        wait_until(self._answers, within_s=_START_SECONDS, what="Redis starts")

    def stop(self) -> None:
        """Stop the server as an operator does, without losing data."""
        self._child.stop()

    def kill(self) -> None:
        """End the process with SIGKILL: up to a second of writes may be lost."""
        self._child.kill()

    def pause(self) -> None:
        """Stop the process with SIGSTOP; connections stay open."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def _answers(self) -> bool:
        if not self._child.is_running:
            log = own_redis.log_file(self.data).read_text()
            raise AssertionError(f"Redis ended with {self._child.ending}:\n{log}")
        return own_redis.is_answering(self.url)


class Daphne:
    """One web server process of a site. It keeps its port over restarts."""

    def __init__(self, env: dict[str, str], serves: Role = "all") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.origin = self.url
        """The Origin header of a browser on this server's pages."""
        self.websocket_url = f"ws://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "mahjong_site.web", "--port", str(self.port)]
        command += ["--serves", serves]
        self._child = child_type("Daphne", command, env=env, cwd=settings.BASE_DIR)

    @property
    def pid(self) -> int:
        return self._child.pid

    def start(self) -> None:
        """Start the server, and wait until it reaches the database and Redis."""
        self._child.start()
        wait_until(self._answers, within_s=_START_SECONDS, what="Daphne answers")

    def stop(self) -> None:
        self._child.stop()

    def kill(self) -> None:
        """End the process with SIGKILL."""
        self._child.kill()

    def pause(self) -> None:
        """Stop the process with SIGSTOP; connections stay open."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def _answers(self) -> bool:
        if not self._child.is_running:
            raise AssertionError(f"Daphne ended with {self._child.ending}")
        try:
            with urlopen(f"{self.url}/readyz", timeout=5) as page:
                found = json.load(page)
        except HTTPError as error:
            with error:
                found = json.load(error)
        except OSError:
            return False
        return bool(found["database"] and found["redis"])


class Worker:
    """One worker process of a site."""

    def __init__(self, env: dict[str, str]) -> None:
        command = [sys.executable, "manage.py", "worker"]
        self._child = child_type("worker", command, env=env, cwd=settings.BASE_DIR)

    @property
    def pid(self) -> int:
        return self._child.pid

    def start(self) -> None:
        self._child.start()

    def stop(self) -> None:
        self._child.stop()

    def kill(self) -> None:
        """End the process with SIGKILL."""
        self._child.kill()

    def pause(self) -> None:
        """Stop the process with SIGSTOP."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)


class Site:
    """A site of any number of web servers and workers, with one Redis and one database."""

    def __init__(self, redis: RedisServer, directory: Path, database: Path) -> None:
        self.redis = redis
        own = directory / "db.sqlite3"
        shutil.copyfile(database, own)
        self.env = environment(
            directory,
            DATABASE_URL=f"sqlite:///{own}",
            REDIS_URL=redis.url,
            SECRET_KEY=settings.SECRET_KEY,
        )
        """The environment of processes that are started from now on; a test may change it. It has
        the test's secret key, so that the test can read the tables."""
        self._processes: list[Daphne | Worker] = []

    def start_daphne(self, serves: Role = "all") -> Daphne:
        """Start one more web server, and wait until it answers."""
        return self._start(Daphne(self.env, serves))

    def start_worker(self) -> Worker:
        """Start one more worker."""
        return self._start(Worker(self.env))

    def stop(self) -> None:
        """End all processes except Redis."""
        for process in reversed(self._processes):
            process.kill()

    def _start(self, process: Process) -> Process:
        self._processes.append(process)
        process.start()
        return process


def migrate_database(directory: Path, **settings_by_name: str) -> Path:
    """Create an SQLite database with empty tables in that directory, and return its path. If the
    settings name another database, migrate that one.

    Running all migrations takes five seconds, so an SQLite file is made once for these migrations
    and packages, and copied. Files made by other checkouts are kept.
    """
    path = directory / "db.sqlite3"
    if settings_by_name:
        _migrate(directory, **settings_by_name)
        return path
    digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for file in sorted(Path(settings.BASE_DIR).glob("*/migrations/*.py")):
        digest.update(file.read_bytes())
    kept = Path(tempfile.gettempdir()) / f"mahjong-templates-{os.getuid()}"
    kept.mkdir(mode=0o700, exist_ok=True)
    template = kept / f"{digest.hexdigest()}.sqlite3"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.exists():
            made = sorted(kept.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime)
            for old in made[:-_TEMPLATES]:
                old.unlink()
            with tempfile.TemporaryDirectory() as data:
                _migrate(Path(data))
                shutil.copyfile(Path(data) / path.name, kept / "unfinished")
            (kept / "unfinished").rename(template)
        shutil.copyfile(template, path)
    path.chmod(0o600)
    return path


def _migrate(data: Path, **settings_by_name: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env=environment(data, **settings_by_name),
        check=True,
    )
