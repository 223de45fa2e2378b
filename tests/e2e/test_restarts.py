"""A page continues when its web server ends, is killed or is replaced, and shows no wrong text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import QUICK_PACE
from tests.kit.network_proxy import NetworkProxy
from tests.kit.processes import Daphne, Site, wait_until
from tests.web.site import serve

STATUS = "mj-status"
KEEP_TEXTS = """() => {
  const status = document.querySelector("mj-status");
  window.textsSeen = [];
  window.statusesSeen = [];
  const look = () => {
    window.textsSeen.push(status.textContent, status.querySelector(".status-windows").title);
    window.statusesSeen.push(status.dataset.status);
  };
  new MutationObserver(look).observe(status,
    { subtree: true, childList: true, characterData: true, attributes: true });
}"""

End = Literal["stopped", "killed"]


@pytest.fixture
def servers(site: Site) -> tuple[Daphne, Daphne]:
    """Return two web servers of a site that runs at a quick pace with one worker."""
    site.env["TABLE_PACE"] = QUICK_PACE
    one, two = serve(site, daphnes=2).daphnes
    return one, two


@pytest.fixture
def network_proxy(servers: tuple[Daphne, Daphne]) -> Iterator[NetworkProxy]:
    """Yield a proxy that leads to the first web server."""
    made = NetworkProxy(servers[0].url)
    yield made
    made.close()


@pytest.fixture
def page(chromium: Browser, network_proxy: NetworkProxy) -> Iterator[Page]:
    """Yield a page at a table against three bots, which records each text of its status line."""
    context = chromium.new_context(reduced_motion="reduce", locale="en")
    page = context.new_page()
    page.goto(network_proxy.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    expect(page.locator(STATUS)).to_have_attribute("data-status", "online")
    page.evaluate(KEEP_TEXTS)
    yield page
    context.close()


def end_server(server: Daphne, how: End) -> None:
    server.stop() if how == "stopped" else server.kill()


def check_texts(page: Page) -> None:
    """Wait until the page has lost its connection and is online again. Check that two wrong texts
    were not shown."""
    is_away = "statusesSeen.some((status) => status !== 'online')"
    wait_until(lambda: bool(page.evaluate(is_away)), within_s=60, what="the connection is gone")
    expect(page.locator(STATUS)).to_have_attribute("data-status", "online")
    # Longer than the server needs to detect a second window.
    page.wait_for_timeout(4_000)
    texts = page.evaluate("[...new Set(textsSeen)].join('|')")
    assert "Connection lost" not in texts
    assert "another window" not in texts
    assert page.locator(".status-windows").is_hidden()


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_another_web_server_takes_over(
    page: Page, network_proxy: NetworkProxy, servers: tuple[Daphne, Daphne], how: End
) -> None:
    network_proxy.redirect_to(servers[1].url)
    end_server(servers[0], how)
    check_texts(page)


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_restarted_web_server_continues(
    page: Page, servers: tuple[Daphne, Daphne], how: End
) -> None:
    end_server(servers[0], how)
    servers[0].start()
    check_texts(page)


def test_second_window_is_announced_after_a_restart(
    page: Page, network_proxy: NetworkProxy, servers: tuple[Daphne, Daphne]
) -> None:
    network_proxy.redirect_to(servers[1].url)
    servers[0].kill()
    expect(page.locator(STATUS)).to_have_attribute("data-status", "online")
    other = page.context.new_page()
    other.goto(page.url)
    for window in (page, other):
        expect(window.locator(".status-notice")).to_contain_text("open in another window")
