"""A spectator looks back at a running table in Chromium, and returns to the live table."""

from __future__ import annotations

import asyncio
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from playwright.sync_api import Browser, Page, expect

from game.tables.room import TableId
from tests.e2e.axe import axe_source, axe_violations
from tests.e2e.conftest import BrowserSite
from tests.e2e.visitor import OUTCOME, Visitor, press, take_turn
from tests.web.leak_scan import SPECTATOR_VIEWER, scan
from tests.web.tables import log_of

SECONDS: Final = 180
OTHER_TILES: Final = """() => [...document.querySelectorAll(".rack mj-hand .tile")]
  .map((tile) => tile.dataset.pai)"""


def board(page: Page) -> str:
    """Return the contents of the table, without briefly shown calls. The order of class names is
    removed: it depends on earlier steps and has no meaning."""
    html = page.locator(".board").inner_html()
    html = re.sub(r'<div class="callout[^>]*>.*?</div>', "", html)
    return re.sub(r'class="([^"]*)"', lambda found: " ".join(sorted(found[1].split())), html)


COVERED: Final = """() => [...document.querySelectorAll("#table button, #table a")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && node.offsetWidth > 1)
  .filter((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return !node.contains(document.elementFromPoint(x, y));
  })
  .map((node) => node.getAttribute("aria-label") ?? node.textContent)"""


def steps_behind(page: Page) -> int:
    found = re.search(r"\d+", page.locator(".look-back-steps").inner_text())
    return int(found[0]) if found else 0


def discards(visitor: Visitor) -> int:
    return sum(map(len, visitor.rivers()))


def play(player: Visitor, spectator: Visitor, more: int) -> None:
    """Play until the spectator has seen that many more discards."""
    until, wanted = time.monotonic() + SECONDS, discards(spectator) + more
    while discards(spectator) < wanted:
        assert time.monotonic() < until, "the table does not go on"
        press(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
        take_turn(player.page)
        player.page.wait_for_timeout(50)


def test_spectator_looks_back_and_returns_to_live(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    player = Visitor(chromium, 1280, 800)
    player.page.goto(browser_site.address)
    player.page.get_by_role("button", name="Play now").click()
    player.page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    spectator = Visitor(chromium, 844, 390)
    page = spectator.page
    page.goto(player.page.url)
    look_back = page.get_by_role("button", name="Look back")
    look_back.wait_for()
    assert look_back.evaluate("(node) => node.getBoundingClientRect().left") > 6
    live_button = page.get_by_role("button", name="Back to live")
    expect(live_button).to_be_hidden()
    expect(page.get_by_role("button", name="Next seat")).to_be_visible()
    page.locator(".wall-chip").wait_for()
    page.wait_for_function(f"() => ({COVERED})().length === 0")  # no control covers any other
    play(player, spectator, 8)

    # Back and to live again, while the table waits for the player.
    until = time.monotonic() + SECONDS
    while True:
        assert time.monotonic() < until, "the table never waits"
        received = len(spectator.received)
        page.wait_for_timeout(100)  # wait until received events are drawn
        shown = board(page)
        for _ in range(4):
            page.keyboard.press("ArrowLeft")
        expect(page.locator(".look-back-steps")).to_have_text(re.compile(r"\d"))
        page.keyboard.press("End")
        expect(live_button).to_be_hidden()
        page.wait_for_timeout(50)
        if len(spectator.received) == received:
            assert board(page) == shown
            break

    # Forward and back by buttons and wheel; what happens meanwhile is not drawn.
    for _ in range(6):
        page.locator("[data-command=eventBack]").click()
    page.mouse.move(420, 150)
    page.mouse.wheel(0, -100)
    page.mouse.wheel(0, -100)
    expect(live_button).to_be_visible()
    expect(page.locator(".look-back-steps")).to_have_text(re.compile(r"^([89]|\d\d+) "))
    behind, seen, before = steps_behind(page), discards(spectator), board(page)
    assert axe_violations(page, axe_source()) == []
    received = len(spectator.received)
    until = time.monotonic() + SECONDS
    while steps_behind(page) < behind + 6:
        assert time.monotonic() < until, "the table does not go on"
        press(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
        take_turn(player.page)
        player.page.wait_for_timeout(50)
        page.wait_for_timeout(10)
    assert len(spectator.received) > received
    assert discards(spectator) == seen
    assert board(page) == before

    # No position shows a hand of the others, and none is asked for.
    page.keyboard.press("Home")
    assert page.locator("[data-command=eventBack]").get_attribute("aria-disabled") == "true"
    far = steps_behind(page)
    for step in range(1, far):
        page.keyboard.press("ArrowRight")
        assert page.locator(OUTCOME).count() or set(page.evaluate(OTHER_TILES)) <= {"?"}, step
    assert page.locator("[data-command=eventBack]").get_attribute("aria-disabled") is None
    live_button.click()
    expect(live_button).to_be_hidden()

    # Calls and the end of the hand are announced in words, at the edge of the board.
    until = time.monotonic() + SECONDS
    while page.locator(".event-bar li").count() == 0:
        assert time.monotonic() < until, "nothing was announced"
        press(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
        take_turn(player.page)
        player.page.wait_for_timeout(50)
    assert page.locator(".event-bar li").first.inner_text().strip()
    assert "live, with closed hands" in (page.locator(".event-note").text_content() or "")

    # An event of the log leads back to its position.
    while live_button.is_hidden():
        assert time.monotonic() < until, "the log lists no event before the present one"
        page.locator(".event-link").last.evaluate("(node) => node.click()")
        press(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
        take_turn(player.page)
        player.page.wait_for_timeout(50)
    assert steps_behind(page) > 0
    assert axe_violations(page, axe_source()) == []
    live_button.click()
    expect(live_button).to_be_hidden()
    assert {message["t"] for message in spectator.sent} <= {"hello", "ping"}
    table_id = TableId(page.url.rstrip("/").rpartition("/")[2])
    with ThreadPoolExecutor(1) as elsewhere:
        reading = log_of(browser_site.redis_url, table_id)
        log = elsewhere.submit(asyncio.run, reading).result()
    frames = [json.dumps(frame) for frame in spectator.received]
    assert scan(frames, log, SPECTATOR_VIEWER) > 0
    assert spectator.console_errors == []
    player.page.context.close()
    page.context.close()
