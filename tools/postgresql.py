"""Runs a private PostgreSQL in a temporary directory, reached only by a unix socket in it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from mahjong_site.supervisor.child import tie_to_parent
from tools import system

POSTGRESQL: Final = system.Program(
    "The check of the database", ("postgres", "initdb"), "postgresql"
)
_DEBIAN: Final = Path("/usr/lib/postgresql")
"""The directories of Debian's PostgreSQL programs, which are not on PATH."""
_USER: Final = "postgres"
"""The user that runs it for root, since PostgreSQL refuses root."""
_START_S: Final = 60
_INITDB_OPTIONS: Final = (
    *("-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"),
    *("--no-sync", "--no-instructions"),
)


class CannotStart(Exception):
    """PostgreSQL cannot be started here. The text says why."""


class NotInstalled(CannotStart):
    """It is not installed, and this process may not install it."""


@contextmanager
def run_server(template: Path | None = None, keep: Path | None = None) -> Iterator[str]:
    """Run PostgreSQL during the block. Yield its address, for DATABASE_URL. Raises CannotStart.

    Its data starts as a copy of the directory `template`, if given. When it has stopped, its data
    is copied to `keep`, which can be a template later.
    """
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="mj-pg-") as name:
        directory = Path(name)
        who = _owner_options(directory)
        data = directory / "data"
        if template is None:
            _make_cluster(programs, data, who)
        else:
            subprocess.run(["cp", "-a", template, data], check=True)
        log = directory / "log"
        with log.open("wb") as said:
            server = subprocess.Popen(
                # The data need not survive a power failure, and no port is needed.
                [programs / "postgres", "-D", data, "-k", directory, "-h", "", "-F"],
                **who,
                preexec_fn=tie_to_parent(os.getpid()),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        try:
            _await_answer(programs, directory, server, log)
            yield f"postgres://tests@{quote(str(directory), safe='')}/postgres"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(_START_S)
        if keep is not None:
            subprocess.run(["cp", "-a", data, keep], check=True)


def _make_cluster(programs: Path, data: Path, who: dict[str, Any]) -> None:
    made = subprocess.run(
        [programs / "initdb", "-D", data, *_INITDB_OPTIONS], **who, capture_output=True, text=True
    )
    if made.returncode:
        raise CannotStart(made.stderr.strip())


def _programs() -> Path:
    """Return the directory with the programs of PostgreSQL. Install them if they are missing and
    this process may. Raises NotInstalled."""
    found = _find_programs()
    if found is None:
        system.install_programs(POSTGRESQL)
        found = _find_programs()
    if found is None:
        raise NotInstalled(POSTGRESQL.advice)
    return found


def _find_programs() -> Path | None:
    on_path = shutil.which("initdb")
    versions = sorted(_DEBIAN.glob("[0-9]*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if versions:
        return versions[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def _owner_options(directory: Path) -> dict[str, Any]:
    if os.geteuid() != 0:
        return {"cwd": directory}
    try:
        shutil.chown(directory, _USER, _USER)
    except LookupError:
        raise CannotStart(f"root cannot run PostgreSQL, and there is no user {_USER}") from None
    return {"cwd": directory, "user": _USER, "group": _USER, "extra_groups": []}


def _await_answer(
    programs: Path, directory: Path, server: subprocess.Popen[bytes], log: Path
) -> None:
    until = time.monotonic() + _START_S
    ask = [f"{programs / 'pg_isready'}", "-q", "-h", f"{directory}", "-U", "tests"]
    while subprocess.run(ask).returncode:
        if server.poll() is not None or time.monotonic() > until:
            raise CannotStart(log.read_text(errors="replace").strip())
        time.sleep(0.05)
