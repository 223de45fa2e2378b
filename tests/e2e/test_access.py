"""Every page and every state of the table, looked through by axe-core: nothing that WCAG 2 at
level AA objects to. And what a screen reader is told of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

AXE: Final = Path(settings.BASE_DIR) / "node_modules/axe-core/axe.min.js"
RULES: Final = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
SIZES: Final = {"desktop": (1440, 900), "telephone": (390, 844)}
OBJECTIONS: Final = """async (rules) => (await axe.run(document, rules)).violations.map(
  ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) =>
    `${html.slice(0, 160)} | ${failureSummary.split("\\n")[1] ?? ""}`).join(" || ")}`)"""

Opened = Callable[[str], Page]


@pytest.fixture(scope="module")
def axe() -> str:
    """The rules, as npm has fetched them for the check of the types."""
    if not AXE.exists():
        pytest.fail("axe-core is not there; `make lint` or `npm ci` fetches it")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(params=SIZES)
def opened(request: pytest.FixtureRequest, chromium: Browser, address: str) -> Iterator[Opened]:
    """Opens a page of the site in a window of that size."""
    width, height = SIZES[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()

    def open_page(path: str) -> Page:
        page.goto(address + path)
        return page

    yield open_page
    context.close()


def objections(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found: list[str] = page.evaluate(OBJECTIONS, RULES)
    return found


@pytest.mark.parametrize("path", ["/", "/watch/", "/no-such-page", "/gallery/"])
def test_a_page_is_accessible(opened: Opened, axe: str, path: str) -> None:
    assert objections(opened(path), axe) == []


@pytest.mark.parametrize(
    "scene",
    [
        *("turn", "riichi", "claims", "ways", "full", "watch"),
        *("ron", "tsumo", "yakuman", "exhaustive", "kyushu", "end"),
    ],
)
def test_a_table_is_accessible(opened: Opened, axe: str, scene: str) -> None:
    page = opened(f"/gallery/?scene={scene}")
    page.wait_for_selector("mj-centre .plate")
    assert objections(page, axe) == []


def test_a_game_and_its_dialogs_are_accessible(opened: Opened, axe: str) -> None:
    page = sat_down(opened)
    assert objections(page, axe) == []
    for name in ("Settings", "Keys and gestures"):
        opener = page.get_by_role("button", name=name)
        if opener.is_visible():  # a telephone has no keys
            opener.click()
            page.get_by_role("dialog", name=name).wait_for()
            assert objections(page, axe) == []
            page.keyboard.press("Escape")
    page.get_by_role("link", name="Leave the table").click()
    page.get_by_role("dialog", name="Leave the table?").wait_for()
    assert objections(page, axe) == []


def sat_down(opened: Opened) -> Page:
    page = opened("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    page.wait_for_selector(".own button.tile")
    return page


def test_a_screen_reader_follows_a_game(chromium: Browser, address: str) -> None:
    page = chromium.new_page()
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".own button.tile")
    log = page.get_by_role("log")
    question = page.get_by_role("alert")
    until_asked = page.locator(".own button.tile--live:not([aria-disabled]), .call")
    until_asked.first.wait_for()
    expect(question).to_have_text(re.compile(r"^(You draw |Your turn|.+\. .*Pass$)"))
    while page.locator(".call--none:not([aria-disabled])").is_visible():
        page.keyboard.press("n")
        page.wait_for_timeout(300)
    page.locator(".own button.tile--live:not([aria-disabled])").first.wait_for()
    name = page.locator(".own button.tile").first.get_attribute("aria-label") or ""
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(log).to_contain_text(f"You discard {name.removesuffix(', dora')}")
    roles: list[Any] = page.evaluate(
        "[...document.querySelectorAll('.own button.tile')].map((node) => node.ariaLabel)"
    )
    assert all(roles)
    page.close()
