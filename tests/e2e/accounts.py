"""Windows of new accounts."""

from __future__ import annotations

import secrets

from playwright.sync_api import Browser, Page, expect


def sign_up(browser: Browser, address: str, name: str, *, scripts: bool = True) -> Page:
    """Return a window of a new account whose name begins with `name`."""
    page = browser.new_context(reduced_motion="reduce", java_script_enabled=scripts).new_page()
    page.goto(f"{address}/sign-up/")
    page.get_by_label("Name", exact=True).fill(name + secrets.token_hex(3))
    page.get_by_label("Password").fill("four winds, one wall")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.locator("a.me")).to_be_visible()
    return page
