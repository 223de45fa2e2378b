"""The pages of friends in a browser: axe finds nothing, they fit five windows, and they work by
keyboard and without scripts."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Browser, Page, expect

from tests.e2e.accounts import sign_up
from tests.e2e.axe import axe_source, axe_violations_in_both_schemes

FIVE_SIZES: Final = ((1440, 900), (1024, 768), (768, 1024), (844, 390), (390, 844))


def friend_page_of(page: Page) -> str:
    """Return the path of the page on which others send the account of that window a request."""
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + "/profile/")
    link = page.get_by_role("link", name="My public page").get_attribute("href") or ""
    found = re.fullmatch(r"/player/([\w-]+)/", link)
    assert found, link
    return f"/friends/{found[1]}/"


def check(page: Page, axe: str) -> None:
    assert axe_violations_in_both_schemes(page, axe) == []
    for width, height in FIVE_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{page.url} is {wide} wide in a window of {width} by {height}"


def test_pages_of_friends_are_accessible_fit_and_work_by_keyboard(
    chromium: Browser, address: str
) -> None:
    axe = axe_source()
    anna = sign_up(chromium, address, "Anna")
    bruno = sign_up(chromium, address, "Bruno", scripts=False)
    chika = sign_up(chromium, address, "Chika")
    path = friend_page_of(anna)
    for page in (bruno, chika):
        page.goto(address + path)
        page.get_by_role("button", name="Ask to be friends").click()
        page.get_by_role("button", name="Withdraw the request").wait_for()
    check(chika, axe)

    anna.goto(f"{address}/friends/")
    expect(anna.locator("#friend-requests")).to_have_text("2")
    check(anna, axe)
    anna.get_by_role("button", name=re.compile("^Accept Bruno")).focus()
    anna.keyboard.press("Enter")
    friends = anna.get_by_role("region", name="Your friends")
    expect(friends.get_by_role("link", name=re.compile("^Bruno"))).to_be_visible()
    expect(anna.locator("#friend-requests")).to_have_text("1")
    check(anna, axe)

    bruno.goto(f"{address}/friends/")
    bruno.get_by_role("link", name=re.compile("^Anna")).first.click()
    bruno.get_by_role("button", name="Block", exact=True).click()
    expect(bruno.get_by_role("button", name="Unblock")).to_be_visible()
    anna.goto(f"{address}/friends/")
    expect(anna.get_by_text(re.compile("Bruno"))).to_have_count(0)
    for page in (anna, bruno, chika):
        page.context.close()
