"""Programs that the checks need and pip cannot give."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple


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
"""The same without windows and notices of its own; takes a quarter less of the processors."""


def find(program: Program) -> str | None:
    """Where the program is, if it is installed."""
    return next((path for name in program.names if (path := shutil.which(name))), None)


def browser() -> str | None:
    """Where the browser is that most tests use, if one is installed."""
    return find(CHROMIUM_SHELL) or find(CHROMIUM)


def install(program: Program) -> bool:
    """Install the program where that may be done without asking; whether it is there now."""
    if find(program) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {program.package} with apt-get ...", flush=True)
        env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        apt_get = ["apt-get", "-qq", "-y"]
        for command in (["update"], ["install", "--no-install-recommends", program.package]):
            subprocess.run(
                [*apt_get, *command], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
    return find(program) is not None
