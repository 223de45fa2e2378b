"""The page on fairness is readable in every language and window, and the programs on it are the
tested ones."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from tests.e2e.axe import axe_source, axe_violations
from tests.kit.long_form import IS_LONG

TITLES: Final = {
    "en": "Nobody chooses the wall",
    "fr": "Personne ne choisit le mur",
    "ja": "牌山は誰にも選べない",
}
WINDOWS: Final = [(1440, 900), (768, 1024), (390, 844)]


@pytest.mark.parametrize(
    ("language", "width", "height"),
    [
        *(("en", *size) for size in (WINDOWS if IS_LONG else WINDOWS[:1])),
        *((language, *WINDOWS[-1]) for language in ("fr", "ja")),
    ],
)
def test_page_on_fairness(
    chromium: Browser, address: str, language: str, width: int, height: int
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": height}, locale=language, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address)
    page.locator(".foot a[href='/fair/']").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[language])
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("check_wall.py", "check_wall.mjs"):
        summary = page.locator("summary", has_text=name)
        summary.focus()
        page.keyboard.press("Enter")
        shown = page.get_by_role("region", name=name).inner_text()
        program = Path(settings.BASE_DIR) / "static" / "fair" / name
        assert shown.strip() == program.read_text().strip()
        link = page.locator(f"a[href$='{name}']").get_attribute("href")
        assert page.request.get(f"{address}{link}").text() == program.read_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe_violations(page, axe_source()) == []
    context.close()
