"""The data directory: which files the site keeps on this machine, and where.

    secret_key   signs cookies and seals running tables; readable by its owner only
    db.sqlite3   people, sessions and finished games, unless DATABASE_URL names another
                 database; readable by its owner only
    redis/       the append-only file of running tables, unless REDIS_URL names another Redis
    run.lock     held by the supervisor that serves from this directory

Knows nothing of Django, so that the settings can be built on it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote

_SOCKET_PATH_BYTES = 100
"""The kernel's limit is 107."""


class DataDirError(Exception):
    """The directory cannot be used. The text is one line for the person who starts the site."""


def make_data_dir(data_dir: Path) -> Path:
    """Create the directory if it is missing, and return it. Raises DataDirError."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataDirError(f"Cannot use the data directory {data_dir}: {error.strerror}.") from None
    if not os.access(data_dir, os.W_OK | os.X_OK):
        raise DataDirError(f"Cannot write to the data directory {data_dir}.")
    return data_dir


def secret_key_path(data_dir: Path) -> Path:
    """Return the path of the file with the secret key."""
    return data_dir / "secret_key"


def secret_key(data_dir: Path) -> str:
    """Read the key in the directory. The first call creates it."""
    path = secret_key_path(make_data_dir(data_dir))
    try:
        if not path.exists():
            _create_secret_key(path)
        return path.read_text().strip()
    except OSError as error:
        raise DataDirError(f"Cannot read {path}: {error.strerror}.") from None


def _create_secret_key(path: Path) -> None:
    """Write a new key and link it into place. If two processes do so at once, one wins, and both
    read its key."""
    draft = _write_draft(path, secrets.token_urlsafe(48) + "\n")
    with suppress(FileExistsError):
        os.link(draft, path)
    os.unlink(draft)


def replace_secret_key(data_dir: Path, key: str) -> None:
    """Write another key into the directory, for example when a site moves to this machine."""
    path = secret_key_path(make_data_dir(data_dir))
    os.replace(_write_draft(path, key), path)


def _write_draft(path: Path, key: str) -> str:
    """Write the key to a temporary file beside the path. Return its name."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return draft


def redis_dir(data_dir: Path) -> Path:
    """Return the directory of the Redis that the supervisor starts."""
    return data_dir / "redis"


def redis_socket(data_dir: Path) -> Path:
    """Return the unix socket of that Redis, in a directory that only its owner can enter.

    The socket is in the data directory. If its path would be too long for a socket, it is among the
    temporary files, under a name that every process derives from the path.
    """
    path = redis_dir(data_dir.resolve()) / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"mahjong-{os.getuid()}-{digest}" / "redis.sock"


def redis_url(data_dir: Path) -> str:
    """Return the address of the directory's Redis server, in redis-py's form."""
    return f"unix://{quote(str(redis_socket(data_dir)))}"


def make_private(directory: Path) -> Path:
    """Create the directory so that only its owner can enter it, and return it. Raises DataDirError,
    also if it belongs to another user."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.stat().st_uid != os.getuid():
            raise DataDirError(f"The directory {directory} belongs to another user.")
        directory.chmod(0o700)
    except OSError as error:
        raise DataDirError(f"Cannot use the directory {directory}: {error.strerror}.") from None
    return directory


def find_lock_holder(data_dir: Path, role: str) -> int | None:
    """Return the process id of the supervisor that holds the directory's lock in that role; None if
    none does."""
    try:
        with (data_dir / "run.lock").open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                process, _, held_as = file.read().strip().partition(" ")
                return int(process) if held_as == role else None
    except (OSError, ValueError):
        return None
    return None


def lock_data_dir(data_dir: Path, role: str = "run") -> IO[str]:
    """Lock the directory against other supervisors until the returned file is closed. Raises
    DataDirError if it is locked."""
    file = (make_data_dir(data_dir) / "run.lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        process = file.read().partition(" ")[0].strip()
        file.close()
        raise DataDirError(
            f"The data directory {data_dir} is in use by another running site"
            + (f" (process {process})" if process else "")
            + ". Choose another with DATA_DIR."
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()} {role}\n")
    file.flush()
    return file
