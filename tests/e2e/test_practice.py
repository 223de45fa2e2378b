"""A practice game gives way to the table of the queue."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect


def seek(page: Page, address: str) -> None:
    page.goto(f"{address}/lobby/")
    page.get_by_label("Bots for empty seats").select_option("never")
    page.get_by_role("button", name="Find a game").click()


def test_practice_game_gives_way_to_the_table_of_the_queue(chromium: Browser, address: str) -> None:
    first, *others = [chromium.new_context().new_page() for _ in range(4)]
    seek(first, address)
    first.get_by_role("button", name="Practise meanwhile").click()
    first.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    practice = first.url
    first.wait_for_selector(".own .tile")
    expect(first.locator(".waiting")).to_contain_text("Looking for a game")
    for other in others:
        seek(other, address)
    first.wait_for_url(lambda url: "/table/" in url and url != practice)
