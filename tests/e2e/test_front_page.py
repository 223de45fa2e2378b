"""The first page loads a table that is being played, and leads to it."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect


def test_first_page_shows_a_table_that_is_being_played(chromium: Browser, address: str) -> None:
    page = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(address)
    board = page.get_by_role("region", name="Live")
    expect(board.locator(".live-side .live-tile").nth(3)).to_be_visible()
    assert board.get_by_text("bots only").is_visible()
    assert sockets == []
    before = board.locator(".live-side .live-tile").count()
    page.wait_for_function(
        "before => document.querySelectorAll('.live-side .live-tile').length !== before",
        arg=before,
    )
    options = page.locator(".options")
    assert not options.get_by_label("Length").is_visible()
    options.locator("summary").click()
    expect(options.get_by_label("Length")).to_be_visible()
    board.get_by_role("link", name="Watch").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
