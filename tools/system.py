"""Programs that the checks need and pip cannot install: finds, installs and fetches them."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FETCHED: Final = Path(__file__).parents[1] / ".venv/programs"
"""The directory of programs that are unpacked and not installed."""
_FETCH_TIMEOUT_S: Final = 60


class Program(NamedTuple):
    """A program by the names under which it may be installed, and its Debian package."""

    what_for: str
    names: tuple[str, ...]
    package: str

    @property
    def advice(self) -> str:
        return (
            f"{self.what_for} needs {self.names[0]}, which is not installed. "
            f"Debian, Ubuntu: sudo apt-get install {self.package}"
        )


NODE = Program("The JavaScript tests", ("node",), "nodejs")
NPM = Program("The check of the JavaScript types", ("npm",), "npm")
CHROMIUM = Program(
    "The browser test", ("chromium", "chromium-browser", "google-chrome"), "chromium"
)
CHROMIUM_SHELL = Program(
    "A quicker browser test", ("chromium-headless-shell",), "chromium-headless-shell"
)
"""Chromium without windows; it uses a quarter less CPU time."""
NGINX = Program("The test of the site behind nginx", ("nginx",), "nginx")
PROMTOOL = Program("The test of the alert rules", ("promtool",), "prometheus")


def find_program(program: Program) -> str | None:
    """Return the path of the program if it is installed or fetched, else None."""
    places = [
        os.environ.get("PATH", os.defpath),
        "/usr/sbin",
        str(FETCHED / "usr/sbin"),
        str(FETCHED / "usr/bin"),
    ]
    path = os.pathsep.join(places)
    return next((found for name in program.names if (found := shutil.which(name, path=path))), None)


def find_browser() -> str | None:
    """Return the path of the browser that most tests use, None if none is installed."""
    return find_program(CHROMIUM_SHELL) or find_program(CHROMIUM)


def install_programs(*programs: Program) -> bool:
    """Install the programs if this process is root and has apt-get. Return whether all are
    found."""
    missing = [program.package for program in programs if find_program(program) is None]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {' and '.join(missing)} with apt-get ...", flush=True)
        _update_package_lists()
        _apt_get("install", "--no-install-recommends", *missing)
    return all(map(find_program, programs))


@cache
def _update_package_lists() -> None:
    """Update them once in each process."""
    _apt_get("update")


def _apt_get(*arguments: str) -> None:
    subprocess.run(
        ["apt-get", "-qq", "-y", *arguments],
        env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def fetch_program(program: Program) -> bool:
    """Unpack the program with apt-get without installing it, because an installed server would
    start. Return whether the program is found."""
    if find_program(program) is None and shutil.which("apt-get") and shutil.which("dpkg"):
        print(f"Fetching {program.package} with apt-get ...", flush=True)
        FETCHED.mkdir(parents=True, exist_ok=True)
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["apt-get", "-qq", "download", program.package],
                cwd=FETCHED,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_FETCH_TIMEOUT_S,
            )
        for package in FETCHED.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, FETCHED], stdin=subprocess.DEVNULL)
            package.unlink()
    return find_program(program) is not None
