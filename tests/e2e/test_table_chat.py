"""Chat at a table in Chromium: lines are sent, shown as text, muted and reported; a hand is shown
open with its chat after the delay.

A process whose clock is three minutes behind writes that hand. The site's own clock and delay are
unchanged.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from game.archive.hand_schedule import MIN_DELAY_MS
from game.live.chat_store import ChatMessage, append_line
from game.live.process import Process
from game.tables.requests import End
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from game.tables.store import Append, Appended
from tests.e2e.conftest import BrowserSite
from tests.e2e.visitor import Visitor
from tests.web.site import SignedPerson
from tests.web.tables import AT_ONCE, open_table

RUDE = "<b>rude</b> & loud"
IN_PLAY_MS = 4_000
"""The part of the hand that has been shown when the page is loaded."""
LAST_MS = 18_000
"""The length of the whole hand."""
STEP_MS = 500


def run_in_thread(work: Awaitable[Any]) -> Any:
    """Return the result of `work`, run in another thread: Playwright's event loop occupies this
    one."""

    async def done() -> Any:
        return await work

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, done()).result()


def at_table(
    chromium: Browser, browser_site: BrowserSite, person: SignedPerson | None, table_id: str
) -> Visitor:
    """Open the table with its chat in a browser."""
    visitor = Visitor(chromium, 1280, 800)
    if person is not None:
        name, _, value = person.cookie.partition("=")
        cookie: Any = {"name": name, "value": value, "url": browser_site.address}
        visitor.page.context.add_cookies([cookie])
    visitor.page.goto(f"{browser_site.address}/table/{table_id}/")
    visitor.page.wait_for_selector(".own .tile")
    visitor.page.get_by_role("button", name="Chat").click()
    return visitor


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def test_players_chat_mute_and_report_before_spectators(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    anna, bruno, chika = browser_site.running_site.sign_in("Anna", "Bruno", "Chika")
    table_id = run_in_thread(open_table(browser_site.redis_url, [anna, bruno], AT_ONCE))
    one, other, third = [
        at_table(chromium, browser_site, person, table_id) for person in (anna, bruno, chika)
    ]

    say(one.page, RUDE)
    for visitor in (one, other, third):
        expect(visitor.page.locator(".chat-line bdi")).to_have_text([RUDE])
    assert other.page.locator(".chat-line b").count() == 0, "chat is shown as text, not as markup"
    third.page.get_by_role("button", name="Good game").click()
    expect(third.page.locator(".chat-line bdi")).to_have_text([RUDE, "Good game!"])

    other.page.locator(".chat-author").click()
    other.page.get_by_role("button", name="Report", exact=True).click()
    expect(other.page.get_by_text("Reported to the moderators.")).to_be_visible()
    other.page.get_by_role("button", name="Mute", exact=True).click()
    expect(other.page.locator(".chat-line")).to_have_count(0)
    say(one.page, "still here")
    expect(third.page.locator(".chat-line")).to_have_count(3)
    expect(other.page.locator(".chat-line")).to_have_count(0)
    other.page.reload()
    other.page.get_by_role("button", name="Chat").click()
    other.page.get_by_role("button", name="Unmute everyone").click()
    expect(other.page.locator(".chat-line bdi")).to_have_text([RUDE, "still here"])
    assert not any("Good game" in str(frame) or "good_game" in str(frame) for frame in one.received)
    for visitor in (one, other, third):
        assert visitor.console_errors == []
        visitor.page.context.close()


class NeverDue(Process):
    """A process whose tables never become due, so that the site's worker does not change them."""

    def __init__(self, url: str, began: int) -> None:
        self.now = began
        super().__init__(url, now_ms=lambda: self.now)
        append = self.service.store.append

        async def never_due(entry: Append) -> Appended:
            return await append(replace(entry, due=None))

        self.service.store.append = never_due  # type: ignore[method-assign]


async def open_broken_off_table(url: str) -> TableId:
    """Open a table of bots whose hand was broken off long enough ago that it is being shown now."""
    began = int(time.time() * 1000) - MIN_DELAY_MS - IN_PLAY_MS - LAST_MS
    process = NeverDue(url, began)
    try:
        one, two, three, four = (SeatMeta(f"b{at}", bot="tsumogiri") for at in range(4))
        table_id = await process.service.open_table(
            TableMeta(
                seats=(one, two, three, four),
                clock=AT_ONCE,
                settings=TableSettings(
                    watch="open_delayed", watch_delay_s=MIN_DELAY_MS // 1000, opens_after="hand"
                ),
            )
        )
        for text, at in (("long ago", began), ("a moment later", began + LAST_MS)):
            while process.now < at:
                process.now += STEP_MS
                await process.due_work.run(table_id)
            await append_line(process.redis, table_id, "table", ChatMessage(at, "p", "b0", 0, text))
        await process.service.apply_request(table_id, End())
        return table_id
    finally:
        await process.stop()


def test_hand_and_chat_are_shown_open_after_the_delay(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    table_id = run_in_thread(open_broken_off_table(browser_site.redis_url))
    spectator = at_table(chromium, browser_site, None, table_id)
    page = spectator.page
    expect(page.locator(".chat-line bdi")).to_have_text(["long ago"])
    hands = page.locator("mj-hand .tile")
    assert hands.count() >= 40
    faces = hands.evaluate_all("tiles => tiles.map((tile) => tile.dataset.pai)")
    assert "?" not in faces
    assert None not in faces
    thrown = page.locator("mj-river .tile").count()
    expect(page.locator(".chat-line bdi")).to_have_text(["long ago", "a moment later"])
    assert page.locator("mj-river .tile").count() > thrown, "the game goes on as it did"
    assert spectator.received[0]["behind_s"] == MIN_DELAY_MS // 1000
    assert spectator.console_errors == []
    page.context.close()
