"""One site and one Chromium for all tests, since both start slowly. Games at the site's tables end
with the module, its windows are closed, and its clubs are deleted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from redis import Redis

from tests.kit import processes
from tests.kit.site_scripts import run_script
from tests.web.site import RunningSite, serve
from tools import system

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    # No test looks at pixels. With so little memory for painted parts of pages Chromium paints
    # hardly anything, which saves a tenth to a fifth of the processor time of these tests.
    "--force-gpu-mem-available-mb=1",
]

PATIENCE_MS = 60_000
"""The longest wait for a page, on a loaded machine. Tests do not measure it."""
expect.set_options(timeout=PATIENCE_MS)

QUICK_PACE = "0.1"
"""The factor by which pauses and the thinking time of bots are shortened."""


def launch_browser(playwright: Playwright, program: str | None) -> Browser:
    """Start this Chromium."""
    if program is None:
        pytest.fail(system.CHROMIUM.advice)
    return playwright.chromium.launch(executable_path=program, args=ARGUMENTS)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Yield the Playwright of this process. It ends with the tests of this folder: its event loop
    occupies the thread, and no other loop can run there."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def shared_browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch_browser(playwright, system.find_browser())
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def chromium(shared_browser: Browser) -> Iterator[Browser]:
    """Yield the browser; each test opens its own contexts."""
    yield shared_browser
    for context in shared_browser.contexts:
        context.close()


@dataclass(frozen=True)
class BrowserSite:
    """A running site: its address, its Redis and its processes."""

    address: str
    redis_url: str
    running_site: RunningSite


@pytest.fixture(scope="package")
def quick_site(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserSite]:
    """Yield a site whose tables run at a quick pace."""
    # Names below pytest's own directories are too long for a unix socket.
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = processes.RedisServer(Path(directory))
        redis.start()
        site = processes.Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            site.env["TABLE_PACE"] = QUICK_PACE
            running_site = serve(site)
            yield BrowserSite(running_site.daphnes[0].url, redis.url, running_site)
        finally:
            site.stop()
            redis.kill()


@pytest.fixture(scope="module")
def browser_site(quick_site: BrowserSite) -> Iterator[BrowserSite]:
    """Yield the site without the tables and clubs of the module before. Those tables would go on
    and slow this module down, and the names of those clubs are in one language."""
    with Redis.from_url(quick_site.redis_url) as redis:
        redis.flushall()
        yield quick_site
        redis.flushall()
    run_script(
        quick_site.running_site.site.env,
        "from lobby.models import Club; Club.objects.all().delete()",
    )


@pytest.fixture(scope="module")
def address(browser_site: BrowserSite) -> str:
    """Return the address of the site."""
    return browser_site.address


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """Yield one window for all scenes of a module, without motion. Opening a window takes longer
    than looking at a table."""
    context = chromium.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()
