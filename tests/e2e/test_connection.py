"""A page handles its connection: it shows the state, sends waiting actions again, and lets players
leave and return."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http import HTTPStatus

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, WebSocketRoute, expect
from redis import Redis

from game.identity.seat_proofs import COOKIE, RENEW_EVERY_S
from game.live.process import Process
from game.tables.room import TableId
from tests.e2e.conftest import BrowserSite
from tests.e2e.geometry import OVERLAPS
from tests.kit.network_proxy import NetworkProxy

TILE = ".own button.tile--live:not([aria-disabled])"
STATUS = "mj-status"


@pytest.fixture
def network_proxy(browser_site: BrowserSite) -> Iterator[NetworkProxy]:
    made = NetworkProxy(browser_site.address)
    yield made
    made.close()


@pytest.fixture
def page(chromium: Browser, network_proxy: NetworkProxy) -> Iterator[Page]:
    """Yield a page at a table against three bots, over a connection that the test can break."""
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(network_proxy.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    page.wait_for_selector(".own button.tile")
    page.evaluate("window.isTheSamePage = true")
    yield page
    context.close()


def wait_for_turn(page: Page) -> None:
    """Pass on calls until a tile is to be discarded."""
    passing = page.locator(".call--none:not([aria-disabled])")
    tile = page.locator(TILE).first
    while not tile.is_visible():
        if passing.is_visible():
            passing.click()
        page.wait_for_timeout(20)


def test_only_a_long_round_trip_is_shown(chromium: Browser, browser_site: BrowserSite) -> None:
    """The clock of the page stands still, so that a ping takes exactly as long as the test says."""
    trip_ms = 400

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "pong":
                frame["at"] -= trip_ms
            socket.send(json.dumps(frame))

        server.on_message(forward)

    with chromium.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.clock.set_fixed_time(datetime.now(UTC))
        page.route_web_socket(re.compile("/ws/table/"), connect)
        page.goto(browser_site.address)
        page.get_by_role("button", name="Play now").click()
        expect(page.locator(".status-trip")).to_have_text("400 ms")
        trip_ms = 399
        page.evaluate("dispatchEvent(new Event('online'))")  # the page pings at once
        expect(page.locator(".status-trip")).to_have_text("")
        expect(page.locator(STATUS)).to_have_attribute("data-status", "online")


def test_page_of_a_player_renews_the_seat_proof(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    with chromium.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.clock.install()
        page.goto(browser_site.address)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector(".own button.tile")
        page.clock.fast_forward((RENEW_EVERY_S - 60) * 1_000)
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_response(re.compile("/seat-proof/$")) as renewed:
            page.clock.fast_forward(61_000)
        assert [url.endswith("/seat-proof/") for url in asked].count(True) == 1
        assert renewed.value.status == HTTPStatus.NO_CONTENT
        assert f"{COOKIE}=" in (renewed.value.header_value("set-cookie") or "")


def test_offline_discard_is_sent_after_reconnecting(
    page: Page, network_proxy: NetworkProxy
) -> None:
    wait_for_turn(page)
    network_proxy.disconnect()
    page.context.set_offline(True)
    expect(page.locator(STATUS)).to_have_attribute("data-status", "offline")
    expect(page.get_by_role("status").first).to_contain_text("Connection lost")
    expect(page.locator(".status-seat")).to_contain_text("You keep your seat")
    expect(page.locator(".status-left")).to_have_text(re.compile(r"^\d+ seconds? left$"))
    assert page.evaluate(OVERLAPS, {"banner": ".status-live", "own": ".own .tile, .tool"}) == []
    page.locator(TILE).last.click()
    expect(page.locator(".own .is-pending")).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("status").first).to_contain_text("when the connection is back")
    assert page.locator(TILE).count() == 0, "a question is answered once"
    network_proxy.reconnect()
    page.context.set_offline(False)
    expect(page.locator(STATUS)).to_have_attribute("data-status", "online")
    expect(page.locator(".status-seat")).to_be_hidden()
    expect(page.locator(".is-pending")).to_have_count(0)
    expect(page.locator(".side--bottom mj-river .tile")).to_have_count(1)
    assert page.evaluate("window.isTheSamePage")


def test_long_disconnection_is_shown_as_lost(page: Page, network_proxy: NetworkProxy) -> None:
    network_proxy.disconnect()
    expect(page.get_by_role("status").first).to_contain_text("Reconnecting")
    expect(page.get_by_role("status").first).to_contain_text("Connection lost")
    network_proxy.reconnect()
    expect(page.locator(STATUS)).to_have_attribute("data-status", "online")


def test_both_windows_of_a_seat_are_warned(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".own button.tile")
    for window in (page, other):
        expect(window.locator(".status-notice")).to_contain_text("open in another window")
    other.close()
    expect(page.locator(".status-notice")).to_have_count(0)
    expect(page.locator(".status-windows")).to_be_hidden()


def test_visible_page_takes_its_seat_back(page: Page, browser_site: BrowserSite) -> None:
    wait_for_turn(page)
    table_id = TableId(page.url.rstrip("/").rpartition("/")[2])
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, give_up_and_rejoin(browser_site.redis_url, table_id)).result()


async def give_up_and_rejoin(redis_url: str, table_id: TableId) -> None:
    """Give the seat of the only person at the table to a stand-in, and wait until the person has
    the seat again. This takes 3 s, less than the time until the next ping of the page."""
    process = Process(redis_url)
    try:
        room = await process.service.read_room(table_id)
        (seat,) = (number for number, meta in enumerate(room.meta.seats) if not meta.bot)
        await process.service.set_away(table_id, seat, True)
        for _ in range(30):
            await asyncio.sleep(0.1)
            if not (await process.service.read_room(table_id)).table.away[seat]:
                return
        raise AssertionError("a stand-in plays on")
    finally:
        await process.stop()


def test_leaving_asks_and_returning_keeps_the_seat(page: Page) -> None:
    table = page.url
    page.get_by_role("link", name="Leave the table").click()
    page.get_by_role("dialog", name="Leave the table?").wait_for()
    expect(page.get_by_role("button", name="Stay")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Leave the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    page.get_by_role("link", name="Return to table").click()
    page.wait_for_selector(".own button.tile")
    assert page.url == table


def test_browser_asks_before_closing_a_running_game(page: Page) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    # Browsers ask only about pages that were used.
    page.locator(".own").click(position={"x": 1, "y": 1})
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    assert not page.is_closed()


def test_removed_table_leads_to_its_game(page: Page, browser_site: BrowserSite) -> None:
    table_id = page.url.rstrip("/").rpartition("/")[2]
    with Redis.from_url(browser_site.redis_url) as redis:
        redis.flushall()
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator(STATUS)).to_have_attribute("data-status", "missing")
    hands = page.get_by_role("link", name="Hands and replay")
    expect(hands).to_be_visible()
    assert hands.get_attribute("href") == f"/game/{table_id}/"
    page.get_by_role("link", name="Home page").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_page_of_another_version_reloads_once_then_asks(page: Page, chromium: Browser) -> None:
    """The page reloads also in the middle of a game, without asking whether to leave it."""
    context = chromium.new_context(locale="fr", storage_state=page.context.storage_state())
    window = context.new_page()
    sockets, dialogs = list[WebSocketRoute](), list[str]()

    def connect(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    window.route_web_socket(re.compile("/ws/table/"), connect)
    window.on("dialog", stay)
    window.goto(page.url)
    window.wait_for_selector(".own button.tile")
    window.locator(".own").click(position={"x": 1, "y": 1})
    window.evaluate("window.isTheSamePage = true")
    sockets[-1].close(code=4426)
    window.wait_for_function("window.isTheSamePage === undefined")
    expect(window.locator(STATUS)).to_have_attribute("data-status", "online")
    window.evaluate("window.isTheSamePage = true")
    sockets[-1].close(code=4426)
    expect(window.locator(STATUS)).to_have_attribute("data-status", "outdated")
    expect(window.get_by_role("status").first).to_contain_text(
        "Le site a été mis à jour. Rechargez la page."
    )
    assert window.evaluate("window.isTheSamePage")
    assert (len(sockets), dialogs) == (2, [])
    context.close()


def test_page_without_a_version_asks_for_a_reload(page: Page) -> None:
    window = page.context.new_page()

    changed: set[str] = set()

    def without_version(route: Route) -> None:
        script, found = re.subn(r"\?v=(\$\{\w+\}|\d+)", "?", route.fetch().text())
        if found:
            changed.add(route.request.url)
        route.fulfill(body=script, content_type="text/javascript")

    window.route(re.compile(r"/(net/socket|first_socket|bundle/chunk)[^/]*\.js"), without_version)
    window.goto(page.url)
    assert len(changed) == 2, "the scripts of the first socket, and of those after it"
    expect(window.locator(STATUS)).to_have_attribute("data-status", "outdated")
    expect(window.get_by_role("status").first).to_contain_text("Reload the page.")
