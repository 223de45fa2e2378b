"""Hints in a first game with three players: once each, read to screen readers, closed by key."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

HINT = "#three-hints p:visible"
IS_IN_HINT = "() => document.activeElement.closest('#three-hints') !== null"
HINT_WITHIN_S = 150
"""The longest wait for a hint, on a loaded machine. Hardly any hand has none."""
STOPS = 60
"""The most places for the keyboard before the button of a hint."""


def play_until_hint(page: Page) -> str:
    """Discard what is drawn, pass and confirm results until a hint is shown; return its text."""
    until = time.monotonic() + HINT_WITHIN_S
    while page.locator(HINT).count() == 0 and time.monotonic() < until:
        for key in "ndo":
            page.keyboard.press(key)
        page.wait_for_timeout(100)
    return page.locator(HINT).inner_text()


@pytest.mark.timeout(3 * HINT_WITHIN_S)
def test_each_hint_is_shown_once_and_closed_by_key(chromium: Browser, address: str) -> None:
    page = chromium.new_page(reduced_motion="reduce")
    page.goto(address)
    page.get_by_text("Options").click()
    page.get_by_label("Players").select_option("3")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    page.wait_for_selector(".own button.tile")
    told = []
    for _ in range(2):
        told.append(play_until_hint(page))
        expect(page.get_by_role("log", name="Game log").get_by_text(told[-1])).to_have_count(1)
        for _ in range(STOPS):
            page.keyboard.press("Tab")
            if page.evaluate(IS_IN_HINT):
                break
        page.keyboard.press("Enter")
        expect(page.locator("#three-hints")).to_be_hidden()
        page.reload()
        page.wait_for_selector(".own .tile")
    assert told[0] != told[1]
    page.context.close()
