"""A real Chromium for tests of the whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tools import system


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """The installed Chromium, without a window. Tests make their own contexts and pages."""
    program = system.find(system.CHROMIUM)
    if program is None:
        pytest.fail(system.CHROMIUM.advice)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()
