"""The profile page in Chromium: each card is saved alone."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.e2e.accounts import sign_up


def test_saving_one_card_keeps_the_changes_of_others(chromium: Browser, address: str) -> None:
    page = sign_up(chromium, address, "Anna")
    page.goto(f"{address}/profile/")
    page.locator("#table select[name=tiles]").select_option("contrast")
    page.locator("#friends input[name=is_shown_online]").set_checked(False)
    page.locator("#avatar input[name=tile]:not(:checked)").first.check(force=True)
    tile = page.locator("#avatar input[name=tile]:checked").input_value()
    page.locator("#language button").click()
    page.wait_for_url(re.compile("saved=language"))
    expect(page.locator("#language .done")).to_have_text("Saved.")
    expect(page.locator("#table select[name=tiles]")).to_have_value("contrast")
    expect(page.locator("#friends input[name=is_shown_online]")).not_to_be_checked()
    expect(page.locator("#avatar input[name=tile]:checked")).to_have_value(tile)
    expect(page.locator(".unsaved:visible")).to_have_count(3)
    page.locator("#table button").click()
    page.wait_for_url(re.compile("saved=table"))
    expect(page.locator("#friends input[name=is_shown_online]")).not_to_be_checked()
    expect(page.locator(".unsaved:visible")).to_have_count(2)
    page.reload()
    expect(page.locator("#table select[name=tiles]")).to_have_value("contrast")
    expect(page.locator("#friends input[name=is_shown_online]")).to_be_checked()
    expect(page.locator(".unsaved:visible")).to_have_count(0)
    page.context.close()
