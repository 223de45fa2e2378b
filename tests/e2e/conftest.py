"""The whole site in a process of its own, and Chromium to visit it with."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
END_SECONDS = 20
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def _chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.fail("needs Chromium: apt-get install chromium")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site that plays at a quick pace; with SITE_URL, one that runs already."""
    if "SITE_URL" in os.environ:
        yield os.environ["SITE_URL"].rstrip("/")
        return
    port = _free_port()
    directory = tmp_path_factory.mktemp("site")
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in {"REDIS_URL", "DATABASE_URL", "ALLOWED_HOSTS", "ALLOWED_ORIGINS", "HTTPS"}
    }
    env |= {
        "DATA_DIR": str(directory),
        "DJANGO_SETTINGS_MODULE": "mahjong_site.settings",
        "TABLE_PACE": "0.25",
    }
    log = directory / "site.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "run", "--port", str(port)],
            cwd=ROOT,
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _await_answer(address, process, log)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_answer(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the site did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; each test opens its own contexts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()
