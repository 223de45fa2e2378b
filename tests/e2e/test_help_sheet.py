"""The help sheet of a table: gestures instead of keys on a telephone, keys and rules above the
yaku elsewhere, and a second attempt to load the yaku."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect


def test_sheet_of_a_telephone_names_no_keys_and_loads_again(
    chromium: Browser, address: str
) -> None:
    context = chromium.new_context(
        locale="en",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    try:
        page = context.new_page()
        page.goto(address)
        page.get_by_role("button", name="Play now").tap()
        page.route("**/yaku/", lambda route: route.abort())
        page.locator(".tool--help").tap()
        sheet = page.get_by_role("dialog", name="Yaku, points and gestures")
        expect(sheet).to_contain_text("The yaku could not be loaded.")
        expect(sheet).to_contain_text("Tap a tile to raise it")
        expect(sheet).to_contain_text("tiles left in the wall")
        expect(sheet.locator("kbd")).to_have_count(0)
        sheet.get_by_role("button", name="Close").tap()
        page.unroute("**/yaku/")
        page.locator(".tool--help").tap()
        sheet.locator(".yaku-sheet-name").first.wait_for()
        expect(sheet).not_to_contain_text("The yaku could not be loaded.")
        sheet.get_by_role("button", name="Close").tap()
        expect(page.locator(".counter--wall")).to_have_text(re.compile(r"^\d+left$"))
        # A visitor's first game is against beginners, with all help.
        expect(page.locator("mj-hints")).to_contain_text("tenpai")
        page.locator(".tool--settings").tap()
        page.get_by_label("All of these against beginner bots").uncheck()
        expect(page.locator("mj-hints")).not_to_contain_text("tenpai")
    finally:
        context.close()


def test_sheet_offers_keys_rules_and_points_above_the_yaku(chromium: Browser, address: str) -> None:
    context = chromium.new_context(locale="en", reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(address)
        page.get_by_role("button", name="Play now").click()
        page.locator(".tool--help").click()
        sheet = page.get_by_role("dialog", name="Yaku, points and keys")
        sheet.locator(".yaku-sheet-name").first.wait_for()
        expect(sheet.locator("summary")).to_have_text(
            ["Keys and mouse", "Rules: Tenhou, East only", "Points", "Yaku"]
        )
        sheet.get_by_text("Keys and mouse").click()
        expect(sheet).to_contain_text("Pass, if there is nothing to win")
        expect(sheet.locator("kbd").first).to_be_visible()
    finally:
        context.close()
