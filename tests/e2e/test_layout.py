"""Every table of the gallery, at every size of window: nothing overlaps, nothing scrolls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page

SIZES = {
    "desktop": (1440, 900),
    "tablet": (1024, 768),
    "telephone upright": (390, 844),
    "telephone on its side": (844, 390),
}

GROUPS = {
    "centre": "mj-centre",
    "bottom river": ".side--bottom mj-river .tile",
    "right river": ".side--right mj-river .tile",
    "top river": ".side--top mj-river .tile",
    "left river": ".side--left mj-river .tile",
    "right rack": ".side--right mj-hand .tile, .side--right .meld > .tile",
    "top rack": ".side--top mj-hand .tile, .side--top .meld > .tile",
    "left rack": ".side--left mj-hand .tile, .side--left .meld > .tile",
    "own hand": ".own mj-hand .tile",
    "own melds": ".own mj-melds .tile",
    "automatics": ".auto",
}

OVERLAPS = """(groups) => {
  const boxes = Object.entries(groups).flatMap(([name, selector]) =>
    [...document.querySelectorAll(selector)].map((node) => [name, node.getBoundingClientRect()]));
  const found = new Set();
  for (const [one, a] of boxes) for (const [other, b] of boxes) {
    if (one >= other) continue;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 2) found.add(`${one} and ${other}`);
  }
  return [...found];
}"""

OUTSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).length"""

COVERED = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
  const { left, width, top, height } = node.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit === null || !node.contains(hit);
}).length"""


LINES = """(row) => new Set([...row.querySelectorAll(".tile:not(.tile--counted)")]
  .filter((tile) => !tile.closest(".meld-stack"))
  .map((tile) => Math.round(tile.getBoundingClientRect().bottom))).size"""


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """One window for all: opening one takes longer than looking at a table."""
    context = chromium.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, window: Page) -> Page:
    width, height = SIZES[request.param]
    window.set_viewport_size({"width": width, "height": height})
    return window


def shown(page: Page, address: str, scene: str) -> list[str]:
    """Open the scene; returns what the browser complains about."""
    complaints: list[str] = []

    def note_error(error: Error) -> None:
        complaints.append(str(error))

    def note_line(line: ConsoleMessage) -> None:
        if line.type == "error":
            complaints.append(line.text)

    page.on("pageerror", note_error)
    page.on("console", note_line)
    page.goto(f"{address}/gallery/?scene={scene}")
    page.wait_for_selector("mj-centre .plate")
    page.remove_listener("pageerror", note_error)
    page.remove_listener("console", note_line)
    return complaints


def scrolls(page: Page) -> Any:
    return page.evaluate(
        """() => {
             const table = document.querySelector(".table");
             table.scrollTo(50, 50);
             return document.documentElement.scrollHeight > innerHeight
                 || document.documentElement.scrollWidth > innerWidth
                 || table.scrollTop > 0 || table.scrollLeft > 0;
           }"""
    )


@pytest.mark.parametrize("scene", ["turn", "claims", "ways", "watch", "full"])
def test_a_table_fits_its_window(page: Page, address: str, scene: str) -> None:
    assert shown(page, address, scene) == []
    assert not scrolls(page)
    assert page.evaluate(OVERLAPS, GROUPS) == []
    assert page.evaluate(OUTSIDE, ".board .tile, .own .tile, .call, mj-clock, mj-info") == 0
    assert page.evaluate(COVERED, ".own button.tile, .call") == 0


@pytest.mark.parametrize("scene", ["turn", "riichi", "claims", "ways", "chis", "kans"])
def test_what_is_asked_hides_no_river(page: Page, address: str, scene: str) -> None:
    shown(page, address, scene)
    asked = {"calls": ".call, .prompt-hint, mj-clock", "rivers": "mj-river .tile"}
    assert page.evaluate(OVERLAPS, asked) == []


def test_what_is_pressed_is_large_enough_for_a_finger(page: Page, address: str) -> None:
    shown(page, address, "turn")
    for tile in page.query_selector_all(".own button.tile"):
        box = tile.bounding_box()
        assert box is not None
        assert box["width"] >= 38
    for button in page.query_selector_all(".call, .auto, .tool:visible"):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


RESULTS = [
    *("ron", "tsumo", "ura", "four_kans"),
    *("exhaustive", "nagashi", "kyushu", "sucha_riichi", "sukaikan", "end"),
]


@pytest.mark.parametrize("scene", RESULTS)
def test_a_result_fits_its_window(page: Page, address: str, scene: str) -> None:
    assert shown(page, address, scene) == []
    buttons = ".outcome button:not([hidden], [hidden] *)"
    page.wait_for_selector(buttons)
    assert not scrolls(page)
    body = ".outcome-body"
    assert page.evaluate(OUTSIDE, f"{body}, {body} .tile, {buttons}") == 0
    assert page.evaluate("(s) => document.querySelector(s).scrollHeight", body) <= page.evaluate(
        "(s) => document.querySelector(s).clientHeight", body
    )
    assert page.evaluate(COVERED, buttons) == 0
    for row in page.query_selector_all(".tile-row"):
        assert row.evaluate(LINES) <= 1


@pytest.mark.parametrize("scene", ["riichi", "barred", "waiting"])
def test_help_hides_nothing(page: Page, address: str, scene: str) -> None:
    shown(page, address, scene)
    page.wait_for_selector("mj-hints:not([hidden])")
    groups = {
        "help": "mj-hints",
        "tiles": ".side mj-river .tile, .side--left .meld > .tile, .own .tile, mj-clock",
    }
    assert page.evaluate(OVERLAPS, groups) == []
    assert page.evaluate(COVERED, ".call") == 0


def test_riichi_lights_the_tiles_that_keep_it(page: Page, address: str) -> None:
    shown(page, address, "riichi")
    live = page.query_selector_all(".own button.tile:not([aria-disabled])")
    assert [tile.get_attribute("data-pai") for tile in live] == ["5mr", "7s"]
    assert all("reach" in (tile.get_attribute("data-action") or "") for tile in live)


def test_a_watcher_has_nothing_to_press(page: Page, address: str) -> None:
    shown(page, address, "watch")
    assert page.query_selector_all(".own button, .call") == []
    assert {tile.get_attribute("data-pai") for tile in page.query_selector_all(".own .tile")} == {
        "?"
    }


def test_the_gallery_has_every_face(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/")
    page.wait_for_selector(".shelf--huge .tile")
    assert len(page.query_selector_all(".shelf--huge .tile")) == 38
