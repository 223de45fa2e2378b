"""Tries the project on a Python that is newer than the one that runs the tests.

The tests run on the oldest supported Python. On the newest one that is installed only the engine's
tests run, and those that start the site.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools import bootstrap

ROOT: Final = Path(__file__).resolve().parent.parent
TRIED: Final = ("tests/engine", "tests/infra/test_run.py")
_NEWEST_MINOR: Final = 20
"""No `python3.N` above this one is looked for."""


def main() -> bool:
    """Run these tests on the newest Python. Return whether they pass, or there is none."""
    own = ".".join(map(str, sys.version_info[:2]))
    oldest = ".".join(map(str, bootstrap.OLDEST))
    if own != oldest:
        print(f"The tests run on Python {own}, not on {oldest}, the oldest supported one.")
    newer = find_newer_python()
    if newer is None:
        print(f"No Python newer than {own} is installed: nothing was tried on one.", flush=True)
        return True
    print(f"The engine's tests and the start of the site on {newer}", flush=True)
    return run_tests_on(newer)


def find_newer_python() -> str | None:
    """Return the newest installed Python that is newer than this one.

    The `python3.N` of pyenv in the PATH starts only a version that is selected, so the versions
    that pyenv has installed are looked for too.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(_NEWEST_MINOR, sys.version_info.minor, -1):
        name = f"python3.{minor}"
        installed = [shutil.which(name), *map(str, sorted(pyenv.glob(f"3.{minor}.*/bin/{name}")))]
        for path in filter(None, installed):
            if subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                return path
    return None


def run_tests_on(python: str) -> bool:
    """Install the requirements for that Python below `build/`, and run the tests on it."""
    venv = ROOT / "build" / f"venv-{Path(python).name}"
    own = str(venv / "bin" / "python")
    pip = [own, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    pip += ["--only-binary", ":all:", "--require-hashes"]
    return all(
        subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0
        for command in (
            [python, "-m", "venv", str(venv)],
            [*pip, "-r", "requirements.lock"],
            [*pip, "--no-deps", "-r", "requirements-dev.lock"],
            [own, "-m", "pytest", "-qq", "-n", "2", "--dist", "loadscope", *TRIED],
        )
    )
