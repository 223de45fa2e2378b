"""Pages of the site on a telephone: hands stay in one line, choices and addresses are not cut
off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.geometry import CUT_CHOICES
from tests.kit.long_form import IS_LONG

BROKEN_ROWS: Final = """() => [...document.querySelectorAll(".tile-row")].filter((row) => {
  const tiles = [...row.children].map((tile) => tile.getBoundingClientRect());
  const lowest = Math.max(...tiles.map(({ bottom }) => bottom));
  const { right } = row.closest(".felt, li, body").getBoundingClientRect();
  return tiles.some((tile) => tile.bottom < lowest - tile.height || tile.right > right);
}).map((row) => row.getAttribute("aria-label"))"""
"""Rows of tiles that take a second line, or are wider than their background."""


@pytest.fixture(scope="module")
def phones(chromium: Browser, address: str) -> Iterator[dict[str, Page]]:
    """Yield a telephone for each language."""
    contexts = {
        language: chromium.new_context(
            base_url=address,
            locale=language,
            viewport={"width": 390, "height": 844},
            reduced_motion="reduce",
        )
        for language in ("en", "fr", "ja")
    }
    yield {language: context.new_page() for language, context in contexts.items()}
    for context in contexts.values():
        context.close()


@pytest.mark.parametrize(
    "path", ["/learn/first-yaku/", "/learn/furiten/", "/learn/yaku/", "/learn/exercises/"]
)
def test_hands_stay_in_one_line(phones: dict[str, Page], path: str) -> None:
    phone = phones["en"]
    phone.goto(path)
    assert phone.locator(".tile-row").count() > 0
    assert phone.evaluate(BROKEN_ROWS) == []


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
def test_choices_are_not_cut_off(phones: dict[str, Page], language: str) -> None:
    phone = phones[language]
    for path in ("/", "/lobby/", "/tables/new/", "/learn/points/"):
        phone.goto(path)
        assert phone.locator("main select").count() > 0
        assert phone.evaluate(CUT_CHOICES) == [], path
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_menu_takes_one_line_in_every_language(phones: dict[str, Page]) -> None:
    for language, phone in phones.items():
        phone.goto("/")
        phone.get_by_role("main").get_by_role("button").first.click()
        phone.wait_for_url("**/table/**")
        phone.goto("/lobby/")
        lines = phone.evaluate(
            """() => new Set([...document.querySelectorAll(".top nav > a:not(.enter)")]
              .map((link) => Math.round(link.getBoundingClientRect().top))).size"""
        )
        assert lines == 1, language


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
def test_exercise_with_every_tile_fits_a_telephone_on_its_side(
    chromium: Browser, address: str, language: str
) -> None:
    context = chromium.new_context(locale=language, viewport={"width": 844, "height": 390})
    page = context.new_page()
    for _ in range(40):
        page.goto(f"{address}/learn/exercises/waits/easy/")
        if page.locator(".option").count() == 34:
            break
    assert page.locator(".option").count() == 34
    ends = page.locator(".option, .actions .button").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().bottom)"
    )
    assert max(ends) <= 390
    context.close()
