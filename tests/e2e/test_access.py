"""axe-core finds no violation of WCAG 2 level AA on any page or in any state of the table, and a
screen reader can follow a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import axe_source, axe_violations, axe_violations_in_both_schemes
from tests.e2e.gallery import resize, show
from tests.kit.long_form import IS_LONG

SCENES: Final = {
    "desktop": ["riichi", "crowded", "lost", "yakuman", "exhaustive", "end"],
    "telephone upright": ["crowded", "ron", "end"],
}
"""On a telephone, only the scenes with another layout there."""
if IS_LONG:  # scenes whose parts are also in others
    SCENES["desktop"] += ["turn", "barred", "ways", "full", "watch"]
    SCENES["desktop"] += ["ron", "tsumo", "haneman", "kyushu"]
    SCENES["telephone upright"] += ["barred", "full", "kyushu"]
PAGES: Final = (
    *("/", "/lobby/", "/tables/new/", "/watch/", "/no-such-page", "/sign-up/"),
    *("/learn/", "/learn/calls/", "/learn/rules/", "/ranking/", "/clubs/", "/rules/"),
    "/learn/calculator/?hand=123m456p1357s22z45m",
    *(["/gallery/"] if IS_LONG else []),  # all scenes at once
)
OTHER_ON_TELEPHONES: Final = ("/", "/tables/new/", "/learn/calculator/?hand=123m456p1357s22z45m")
"""Pages with another layout on a telephone."""
FIVE_SIZES: Final = ((1440, 900), (1280, 720), (768, 1024), (844, 390), (390, 844))


@pytest.fixture(scope="module")
def axe() -> str:
    return axe_source()


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Iterator[dict[str, Page]]:
    """Yield a window of each size."""
    context = chromium.new_context(reduced_motion="reduce")
    yield {size: resize(context.new_page(), size) for size in SCENES}
    context.close()


@pytest.fixture(params=["desktop", "telephone upright"] if IS_LONG else ["desktop"])
def window(request: pytest.FixtureRequest, windows: dict[str, Page]) -> Page:
    return windows[request.param]


@pytest.mark.parametrize(
    ("window", "path"),
    [
        *(("desktop", path) for path in PAGES),
        *(("telephone upright", path) for path in (PAGES if IS_LONG else OTHER_ON_TELEPHONES)),
    ],
    indirect=["window"],
)
def test_page_is_accessible_and_fits(window: Page, address: str, axe: str, path: str) -> None:
    size = window.viewport_size
    assert size is not None
    window.goto(address + path)
    is_desktop = size["width"] > 1000
    if not is_desktop:
        assert axe_violations(window, axe) == []
        return
    assert axe_violations_in_both_schemes(window, axe) == []
    for width, height in FIVE_SIZES:
        window.set_viewport_size({"width": width, "height": height})
        wide = window.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path} is {wide} wide in a window of {width} by {height}"
    window.set_viewport_size(size)


@pytest.mark.parametrize("window", ["desktop"], indirect=True)
def test_choosing_shows(window: Page, address: str) -> None:
    """A choice is shown at once, without a button, and keeps the focus."""
    for path in ("/learn/yaku/", "/learn/points/"):
        window.goto(address + path)
        expect(window.get_by_role("button", name="Show")).to_have_count(0)
        choice = window.get_by_role("combobox", name="Rules")
        choice.select_option(index=1)
        window.wait_for_url(re.compile(r"\?rules="))
        expect(choice).to_be_focused()
    window.goto(f"{address}/learn/rules/")
    choice = window.get_by_role("checkbox").last
    is_chosen = choice.is_checked()
    choice.click()
    window.wait_for_url(re.compile(r"&rules="))
    expect(choice).to_be_checked(checked=not is_chosen)


@pytest.mark.parametrize("window", ["desktop"], indirect=True)
def test_hand_is_clicked_and_calculated(window: Page, address: str) -> None:
    window.goto(f"{address}/learn/calculator/")
    for target, tiles in (
        ("Tile of the hand", ["2 of characters", "3 of characters", "4 of characters"]),
        ("Open set", ["White dragon"] * 3),
        ("Closed kan", ["East wind"]),
        ("Dora indicator", ["9 of bamboo"]),
        ("Tile of the hand", ["5 of circles (red)", "6 of circles", "South wind", "South wind"]),
        ("Tile of the hand", ["7 of circles", "1 of bamboo"]),
    ):
        window.get_by_role("radio", name=target, exact=True).check()
        for tile in tiles:
            window.get_by_role("button", name=tile, exact=True).click()
    window.get_by_role("button", name="Remove the last").click()
    hand = window.get_by_role("textbox", name="Hand", exact=True)
    expect(hand).to_have_value("234m06p22z7p <555z #1111z")
    window.get_by_role("button", name="Calculate").click()
    expect(window.get_by_role("status")).to_contain_text("7,700 points")
    expect(hand).to_have_value("234m06p22z7p <555z #1111z")


def test_choosing_shows_where_the_browser_stores_nothing(chromium: Browser, address: str) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.add_init_script(
            "Object.defineProperty(window, 'sessionStorage', "
            "{ get() { throw new DOMException('', 'SecurityError'); } })"
        )
        page.goto(f"{address}/learn/yaku/")
        page.get_by_role("combobox", name="Rules").select_option(index=1)
        page.wait_for_url(re.compile(r"\?rules="))


@pytest.mark.parametrize(
    ("window", "scene"),
    [(size, scene) for size, scenes in SCENES.items() for scene in scenes],
    indirect=["window"],
)
def test_table_is_accessible(window: Page, address: str, axe: str, scene: str) -> None:
    show(window, address, scene)
    assert axe_violations(window, axe) == []


@pytest.mark.parametrize("window", ["telephone upright"], indirect=True)
def test_smallest_telephone_is_accessible(window: Page, address: str, axe: str) -> None:
    size = window.viewport_size
    assert size is not None
    window.set_viewport_size({"width": 320, "height": 568})
    for scene in ("kans", "ron", "end"):
        show(window, address, scene)
        assert axe_violations(window, axe) == [], scene
    window.set_viewport_size(size)


def test_talk_is_accessible(window: Page, address: str, axe: str) -> None:
    show(window, address, "turn")
    window.click(".tool--chat")
    window.click(".chat-author >> nth=1")
    assert axe_violations(window, axe) == []


def test_sheet_of_the_wall_is_accessible(window: Page, address: str, axe: str) -> None:
    show(window, address, "turn")
    window.click(".wall-chip")
    window.locator(".wall-sheet").wait_for()
    assert axe_violations(window, axe) == []
    window.keyboard.press("Escape")


def test_game_and_dialogs_are_accessible(window: Page, address: str, axe: str) -> None:
    sit_down(window, address)
    assert axe_violations(window, axe) == []
    for name in ("Settings", "Yaku, points and keys"):
        window.get_by_role("button", name=name).click()
        window.get_by_role("dialog", name=name).wait_for()
        if name != "Settings":
            window.locator(".yaku-sheet .yaku-sheet-name").first.wait_for(timeout=60_000)
        assert axe_violations(window, axe) == []
        window.keyboard.press("Escape")
    window.get_by_role("link", name="Leave the table").click()
    window.get_by_role("dialog", name="Leave the table?").wait_for()
    assert window.locator(".question button").all_inner_texts() == [
        "Leave (a bot plays on)",
        "Stay",
    ]
    assert axe_violations(window, axe) == []
    window.get_by_role("button", name="Leave (a bot plays on)").click()
    window.wait_for_url(f"{address}/")


def test_list_of_live_tables_is_accessible(chromium: Browser, address: str, axe: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    sit_down(page, address)
    page.goto(f"{address}/watch/")
    page.wait_for_selector(".live-board svg, .live-board .tile")
    assert axe_violations_in_both_schemes(page, axe) == []
    for width, height in FIVE_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def sit_down(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    page.wait_for_selector(".own button.tile")


def test_screen_reader_follows_a_game(chromium: Browser, address: str) -> None:
    page = chromium.new_page(reduced_motion="reduce")
    sit_down(page, address)
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
