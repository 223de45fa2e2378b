"""Light and dark colours in Chromium: the choice of the reader takes precedence over that of the
browser."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page


def brightness(page: Page) -> float:
    """Return the brightness of the page's background, from 0 to 1."""
    colour: list[float] = page.evaluate(
        """() => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = "var(--page)";
          return getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
        }"""
    )
    return sum(colour) / 3 / 255


@pytest.mark.parametrize("browser_scheme", ["light", "dark"])
def test_chosen_scheme_overrides_that_of_the_browser(
    chromium: Browser, address: str, browser_scheme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(base_url=address, color_scheme=browser_scheme, locale="en-GB")
    page = context.new_page()
    page.goto("/privacy/")
    is_dark = browser_scheme == "dark"
    assert (brightness(page) < 0.5) == is_dark
    for name, dark in (("Light", False), ("Dark", True), ("Automatic", is_dark)):
        with page.expect_navigation():
            page.get_by_role("button", name=name, exact=True).click()
        assert page.url == f"{address}/privacy/"
        assert (brightness(page) < 0.5) == dark, name
    context.close()


def test_table_stays_dark(chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=address, locale="en-GB")
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Light", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".own button.tile")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    context.close()
