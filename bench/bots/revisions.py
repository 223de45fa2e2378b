"""Finds bots by name in this code and in earlier revisions of the same repository.

`sensible` is a bot of this code. `sensible@f92a3c3` is the bot of that name in the revision, so
that a change can be compared with the code before it. Its packages `game.bots` and `game.analysis`
are unpacked and imported under another name; they use the engine of this code.
"""

from __future__ import annotations

import atexit
import importlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final, cast

from game.bots import Bot, bot_named

_REPOSITORY: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("game/bots", "game/analysis")


class UnknownBot(ValueError):
    """No bot or revision has this name."""


def bot_of(text: str) -> Bot:
    """Return the bot with the name `NAME` or `NAME@REVISION`. Raises UnknownBot."""
    name, _, revision = text.partition("@")
    try:
        if not revision:
            return bot_named(name)
        return cast(Bot, _package_of(revision).bot_named(name))
    except KeyError as error:
        raise UnknownBot(error.args[0]) from None


@lru_cache(maxsize=8)
def _package_of(revision: str):  # type: ignore[no-untyped-def]
    """Import and return the package `game.bots` of a revision."""
    full = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    archive = _git("archive", full, *_PACKAGES)
    folder = Path(tempfile.mkdtemp(prefix="bots-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    package = f"bots_{full[:12]}"
    with tarfile.open(fileobj=io.BytesIO(archive)) as unpacked:
        unpacked.extractall(folder, filter="data")
    (folder / "game").rename(folder / package)
    for path in (folder / package).rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for name in ("bots", "analysis"):
            source = source.replace(f"game.{name}", f"{package}.{name}")
        path.write_text(source, encoding="utf-8")
    sys.path.insert(0, str(folder))
    return importlib.import_module(f"{package}.bots")


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", str(_REPOSITORY), *arguments], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise UnknownBot(f"git does not know {arguments[-1]}") from None
    return done.stdout
