"""The site as processes: one Redis, and as many Daphnes and workers as a test wants.

Each can be killed and started again; all share one data directory and end with the test.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from mahjong_site.processes import Child
from tests.rooms.own_redis import OwnRedis

ROOT = Path(__file__).parents[2]
START_WITHIN_S = 60.0
LARGEST_MESSAGE_BYTES = 64 * 1024

_SIGN_IN = """
import json, sys
from importlib import import_module
from django.conf import settings
from game.people import SESSION_KEY
from lobby.models import Person

made = []
for name in json.loads({names!r}):
    person = Person.objects.create(name=name)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session.save()
    made.append([str(person.pk), f"{{settings.SESSION_COOKIE_NAME}}={{session.session_key}}"])
print("made:" + json.dumps(made))
"""


@dataclass(frozen=True)
class Signed:
    """Somebody with a session."""

    person: str
    cookie: str


class Daphne:
    """One web server process on a port of its own."""

    def __init__(self, env: dict[str, str], name: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        command = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1"]
        command += ["-p", str(self.port)]
        command += ["--websocket-max-message-size", str(LARGEST_MESSAGE_BYTES)]
        command += ["--websocket_timeout", "-1", "mahjong_site.asgi:application"]
        self.process = Child(name, command, env=env, cwd=ROOT)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def socket_url(self, table_id: str) -> str:
        return f"ws://127.0.0.1:{self.port}/ws/table/{table_id}/"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process.start()
        until = time.monotonic() + START_WITHIN_S
        while self.status("/healthz") != 200:
            assert self.process.is_running, self.process.ending
            assert time.monotonic() < until, "the web server does not answer"
            time.sleep(0.05)

    def status(self, path: str) -> int:
        """The status of that page; 0 if nobody answers."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        except OSError:
            return 0

    def page(self, path: str, cookie: str = "") -> str:
        request = urllib.request.Request(self.address + path, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(answer.read().decode())


class Site:
    """Everything under one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "redis").mkdir()
        self.redis = OwnRedis(directory / "redis")
        self.daphnes: list[Daphne] = []
        self.workers: list[Child] = []
        env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        self.env = env | {
            "DJANGO_SETTINGS_MODULE": "mahjong_site.settings",
            "DATA_DIR": str(directory),
            "REDIS_URL": self.redis.url,
        }

    def start(self, *, daphnes: int = 1, workers: int = 1) -> None:
        self.redis.start()
        self._manage("migrate", "--verbosity", "0")
        for number in range(workers):
            self.add_worker(number)
        for number in range(daphnes):
            daphne = Daphne(self.env, f"daphne {number}")
            self.daphnes.append(daphne)
            daphne.start()

    def add_worker(self, number: int) -> None:
        command = [sys.executable, "manage.py", "worker"]
        worker = Child(f"worker {number}", command, env=self.env, cwd=ROOT)
        worker.start()
        self.workers.append(worker)

    def stop(self) -> None:
        for daphne in self.daphnes:
            daphne.process.kill()
        for worker in self.workers:
            worker.kill()
        self.redis.kill()

    def sign_in(self, *names: str) -> list[Signed]:
        """People with sessions, as if they had come through the first page."""
        out = self._manage("shell", "--no-imports", "-c", _SIGN_IN.format(names=json.dumps(names)))
        (line,) = (line for line in out.splitlines() if line.startswith("made:"))
        return [Signed(*pair) for pair in json.loads(line.removeprefix("made:"))]

    def _manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.env,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
