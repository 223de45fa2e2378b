"""The data directory: what the site keeps on this machine, and where in it.

    secret_key   signs cookies and seals running tables; made once, readable by its owner only
    db.sqlite3   people, sessions and finished games, unless DATABASE_URL names another
                 database; made by the supervisor, readable by its owner only
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
from pathlib import Path
from typing import IO
from urllib.parse import quote

_SOCKET_PATH_BYTES = 100
"""The kernel takes 107; Redis and its clients get a little room."""


class DataDirError(Exception):
    """The directory cannot be used. The text is one line for the person who starts the site."""


def made(data_dir: Path) -> Path:
    """The directory, after making it where it is missing."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataDirError(f"Cannot use the data directory {data_dir}: {error.strerror}.") from None
    if not os.access(data_dir, os.W_OK | os.X_OK):
        raise DataDirError(f"Cannot write to the data directory {data_dir}.")
    return data_dir


def secret_key_path(data_dir: Path) -> Path:
    """Where the key lies, if it has been made."""
    return data_dir / "secret_key"


def secret_key(data_dir: Path) -> str:
    """The key in the directory. The first to ask makes it; all others read the same one."""
    path = secret_key_path(made(data_dir))
    try:
        if not path.exists():
            _make_secret(path)
        return path.read_text().strip()
    except OSError as error:
        raise DataDirError(f"Cannot read {path}: {error.strerror}.") from None


def _make_secret(path: Path) -> None:
    """Written whole and then linked into place: of two at once, one wins and both read it."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def replace_secret_key(data_dir: Path, key: str) -> None:
    """Put another key into the directory, as that of a site that moves there."""
    path = secret_key_path(made(data_dir))
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    os.replace(draft, path)


def redis_dir(data_dir: Path) -> Path:
    """Where the Redis that the supervisor starts keeps its files."""
    return data_dir / "redis"


def redis_socket(data_dir: Path) -> Path:
    """The unix socket of that Redis, in a directory for its owner alone.

    A path in the data directory; where that is too long for a socket, one among the
    temporary files that follows from it, so that every process works out the same.
    """
    path = redis_dir(data_dir.resolve()) / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"mahjong-{os.getuid()}-{digest}" / "redis.sock"


def redis_url(data_dir: Path) -> str:
    """The address of that Redis, as redis-py writes it."""
    return f"unix://{quote(str(redis_socket(data_dir)))}"


def private(directory: Path) -> Path:
    """The directory, made for its owner alone. One that belongs to somebody else is refused."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.stat().st_uid != os.getuid():
            raise DataDirError(f"The directory {directory} belongs to another user.")
        directory.chmod(0o700)
    except OSError as error:
        raise DataDirError(f"Cannot use the directory {directory}: {error.strerror}.") from None
    return directory


def holder(data_dir: Path, role: str) -> int | None:
    """The process id of the supervisor that serves from the directory in that role, if one does."""
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


def lock(data_dir: Path, role: str = "run") -> IO[str]:
    """Keep other supervisors out of the directory for as long as the returned file is open."""
    file = (made(data_dir) / "run.lock").open("a+")
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
