"""The layout of tiles, measured in Chromium: sideways and stacked tiles, and fixed places."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.gallery import SIZES, resize, show

ROWS = """() => [...document.querySelectorAll(".side")].map((side) => {
  const upright = side.matches(".side--bottom, .side--top");
  return [...side.querySelectorAll(".river-row")].map((row) => [...row.children].map((tile) => {
    const { left, top, width, height } = tile.getBoundingClientRect();
    const long = upright ? height : width;
    const across = upright ? width : height;
    return { at: Math.round(upright ? top + height / 2 : left + width / 2), ratio: long / across,
             isTurned: tile.matches(".tile--turned") };
  }));
})"""

BOX = """(selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, right, bottom].map(Math.round);
}"""

MELDS = """() => [...document.querySelectorAll(".exhibit > .samples > .meld")].map((meld) => {
  const low = meld.getBoundingClientRect().bottom;
  return [...meld.children].map((part) => {
    if (part.matches(".meld-stack")) {
      const [upper, lower] = [...part.children].map((tile) => tile.getBoundingClientRect());
      const isStacked = upper.bottom <= lower.top + 2 && Math.abs(upper.left - lower.left) < 1;
      return isStacked ? "stack" : "apart";
    }
    const { width, height, bottom } = part.getBoundingClientRect();
    if (Math.abs(bottom - low) > 1) return "lifted";
    return width > height ? "turned" : "upright";
  }).join(" ");
})"""

MOVING = """() => document.getAnimations()
  .filter((one) => one.effect.target.matches(".tile, .stick, mj-hand"))
  .map((one) => one.effect.target.className)"""

STEP_AND_MOVING = f"""async () => {{
  const moving = {MOVING};
  const seen = new Set();
  document.querySelector(".turn-table").click();
  for (let frame = 0; frame < 3; frame += 1) {{
    for (const name of moving()) seen.add(name);
    await new Promise(requestAnimationFrame);
  }}
  return [...seen];
}}"""
"""Returns what moves in the first frames. On a slow machine a later query could find the motion
already over."""

LATE = "document.getAnimations().filter((one) => one.effect.target.closest('.outcome')).length"

CUT_OFF = """() => [...document.querySelectorAll(".round, .plate-points, .counter, .plate-wind")]
  .filter((node) => {
    const centre = node.closest("mj-centre").getBoundingClientRect();
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return node.scrollWidth > node.clientWidth + 1 || left < centre.left - 1 || top < centre.top - 1
        || right > centre.right + 1 || bottom > centre.bottom + 1;
  }).map((node) => node.className)"""


@pytest.fixture(scope="module", params=SIZES)
def page(request: pytest.FixtureRequest, window: Page) -> Page:
    return resize(window, request.param)


def test_river_has_straight_rows_of_six(page: Page, address: str) -> None:
    show(page, address, "full")
    for rows in page.evaluate(ROWS):
        assert [len(row) for row in rows] == [6, 6, 6, 2]
        for row in rows:
            upright = {tile["at"] for tile in row if not tile["isTurned"]}
            assert max(upright) - min(upright) <= 1


def test_riichi_tile_is_sideways(page: Page, address: str) -> None:
    show(page, address, "turn")
    turned: list[int] = []
    for rows in page.evaluate(ROWS):
        for at, tile in enumerate(tile for row in rows for tile in row):
            wanted = 3 / 4 if tile["isTurned"] else 4 / 3
            assert tile["ratio"] == pytest.approx(wanted, rel=0.03)
            turned += [at] if tile["isTurned"] else []
    assert turned == [4]


def test_table_centre_is_not_cut_off(page: Page, address: str) -> None:
    show(page, address, "full")
    assert page.evaluate(CUT_OFF) == []


def test_hands_keep_their_place(page: Page, address: str) -> None:
    show(page, address, "moving")
    places: dict[str, Callable[[], list[int]]] = {
        "the hand begins": lambda: page.evaluate(BOX, ".own mj-hand .tile")[:2],
        "the melds end": lambda: page.evaluate(BOX, ".own mj-melds")[2:],
        "another hand begins": lambda: page.evaluate(BOX, ".side--right mj-hand .tile")[:2],
        "the river begins": lambda: page.evaluate(BOX, ".side--bottom mj-river .tile")[:2],
    }
    before = {name: place() for name, place in places.items()}
    for _ in range(4):
        step(page, 1)
        assert {name: place() for name, place in places.items()} == before


def step(page: Page, times: int) -> None:
    """Let that many events happen on the moving table."""
    for _ in range(times):
        page.locator(".turn-table").dispatch_event("click")


def test_last_and_called_discards_are_marked(window: Page, address: str) -> None:
    show(window, address, "turn")
    names = "nodes => nodes.map((node) => node.querySelector('.face').ariaLabel)"
    assert window.eval_on_selector_all(".tile--recent", names) == [
        "4 of circles, dora, drawn and discarded"
    ]
    assert window.eval_on_selector_all(".tile--taken", names) == [
        "East wind, called by Aki",
        "9 of bamboo, called by Haru",
        "4 of characters, called by Haru",
    ]
    assert window.query_selector_all(".tile--last") == []
    show(window, address, "claims")
    last = window.query_selector_all(".tile--last")
    assert [tile.get_attribute("data-pai") for tile in last] == ["4p"]


def test_meld_tiles_are_turned_and_stacked(window: Page, address: str) -> None:
    show(resize(window, "desktop"), address, None)
    chi, pons = ["turned upright upright"] * 2, ["turned upright upright"]
    assert window.evaluate(MELDS) == [
        *chi,
        *pons,
        "upright turned upright",
        "upright upright turned",
        "turned upright upright upright",
        "upright turned upright upright",
        "upright upright upright turned",
        "stack upright upright",
        "upright stack upright",
        "upright upright stack",
        "upright upright upright upright",
    ]


def test_tile_sets_are_complete(window: Page, address: str) -> None:
    show(window, address, None)
    drawn: Any = window.evaluate(
        """() => Object.fromEntries(["contrast", "four_colour"].map((set) => [set,
             [...document.querySelectorAll(`[data-tiles="${set}"] .samples--large .face use`)]
               .filter((use) => use.getAttribute("href").includes(`#tiles-${set}-svg-t-`)
                             && use.getBBox().width > 20).length]))"""
    )
    assert drawn == {"contrast": 38, "four_colour": 38}


def test_tile_set_follows_the_setting(window: Page, address: str) -> None:
    show(window, address, "moving")
    for tiles, file in (("contrast", "tiles-contrast"), ("plain", "tiles")):
        window.evaluate("(t) => { document.querySelector('.table').dataset.tiles = t; }", tiles)
        window.wait_for_selector(f'.own use[href^="#{file}-svg-t-"]', state="attached")
        faces = ".face use:first-child"
        others = window.query_selector_all(f'.table {faces}:not([href^="#{file}-svg-t-"])')
        assert others == []


def test_numbers_lie_over_the_tiles_of_every_set(window: Page, address: str) -> None:
    """By default against beginner bots and on tiles with high contrast."""
    numbers = "document.querySelectorAll('.own .tile-number').length"
    for tiles, shown in {"plain": 0, "four_colour": 0, "contrast": 12}.items():
        show(window, address, "plain", json.dumps({"tiles": tiles}))
        assert window.evaluate(numbers) == shown, tiles
        show(window, address, "plain", json.dumps({"tiles": tiles, "tile_numbers": "never"}))
        assert window.evaluate(numbers) == 0, tiles
        show(window, address, "plain", json.dumps({"tiles": tiles, "tile_numbers": "always"}))
        assert window.evaluate(numbers) == 12, "all but the two dragons"
        window.wait_for_function("document.querySelector('.tile-number').getBBox().width > 5")
    show(window, address, "plain")
    window.evaluate("document.querySelector('.table').dataset.beginners = ''")
    window.wait_for_function(f"{numbers} === 12")


def test_moving_tiles_block_no_clicks(chromium: Browser, address: str) -> None:
    page = show(chromium.new_page(), address, "moving")
    assert "tile tile--last" in page.evaluate(STEP_AND_MOVING)
    step(page, 2)
    assert page.get_attribute("#gallery", "data-events") == "3", (
        "a move has waited for an animation"
    )
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    assert page.evaluate(MOVING) == []
    show(page, address, "moving", json.dumps({"motion": "off"}))
    step(page, 1)
    assert page.evaluate(MOVING) == []
    page.close()


def test_result_rows_appear_at_once_without_animations(chromium: Browser, address: str) -> None:
    page = show(chromium.new_page(), address, "ura")
    late = "getComputedStyle(document.querySelector('.result-sum')).visibility"
    assert page.evaluate(LATE) > 3
    assert page.evaluate(late) == "hidden"
    show(page, address, "ura", json.dumps({"motion": "off"}))
    assert page.evaluate(LATE) == 0
    assert page.evaluate(late) == "visible"
    page.close()


def test_win_scene_ends_with_a_press_or_a_key(chromium: Browser, address: str) -> None:
    page = show(chromium.new_page(), address, "moving")
    moment = page.locator(".win-moment")
    step(page, 16)
    expect(moment).to_have_class("win-moment win-moment--3")
    expect(moment).to_contain_text("Sanbaiman")
    page.keyboard.press("Enter")
    expect(moment).to_have_count(0)
    step(page, 16)
    moment.click(force=True)
    expect(moment).to_have_count(0)
    step(page, 16)
    moment.wait_for(state="detached")
    page.close()


def test_riichi_and_wins_are_called_in_kanji_with_their_reading(window: Page, address: str) -> None:
    show(window, address, "moving")
    riichi, win = window.locator(".callout--riichi"), window.locator(".callout--win")
    step(window, 8)
    expect(riichi.locator(".kanji")).to_be_visible()
    expect(riichi).to_have_text("Riichi")
    assert window.evaluate(MOVING) == [], "it stands still if the reader wants no motion"
    step(window, 8)
    expect(win.locator(".kanji")).to_be_visible()
    expect(win).to_have_text("Ron")


def press(page: Page, device: str) -> None:
    """Press a key, or the mouse on the felt."""
    if device == "keyboard":
        page.keyboard.press("Enter")
    else:
        page.mouse.click(40, 300)


def test_press_ends_what_is_called_out(window: Page, address: str) -> None:
    for device in ("keyboard", "mouse"):
        show(window, address, "moving")
        step(window, 8)
        expect(window.locator(".callout--riichi")).to_be_visible()
        press(window, device)
        expect(window.locator(".callout")).to_have_count(0)


def test_only_a_yakuman_is_displayed_without_motion(window: Page, address: str) -> None:
    """It stands still, before the result, and a press ends it."""
    show(window, address, "moving")
    step(window, 16)
    expect(window.locator(".win-moment")).to_be_hidden()
    moment, result = window.locator(".win-moment"), window.locator(".outcome-body")
    for device in ("keyboard", "mouse"):
        show(window, address, "yakuman")
        expect(moment.locator(".kanji")).to_be_visible()
        expect(moment).to_contain_text("Big three dragons")
        expect(result).to_be_hidden()
        assert window.evaluate("document.getAnimations().length") == 0
        press(window, device)
        expect(moment).to_have_count(0)
        expect(result).to_be_visible()


def test_reduced_motion_stops_all_motion(window: Page, address: str) -> None:
    show(window, address, "moving")
    step(window, 3)
    assert window.evaluate(MOVING) == []


def test_score_differences_are_shown_while_pressed(window: Page, address: str) -> None:
    show(window, address, "turn")
    shown = """() => [...document.querySelectorAll(".plate-points > *:not([hidden])")]
      .filter((node) => getComputedStyle(node).visibility === "visible" && node.textContent !== "")
      .map((node) => node.textContent)"""
    window.mouse.move(5, 400)
    assert sorted(window.evaluate(shown)) == ["17,700", "25,000", "25,000", "31,300"]
    window.hover("mj-centre .round")
    assert sorted(window.evaluate(shown)) == ["+6,300", "25,000", "±0", "\u22127,300"]
    window.mouse.move(5, 400)
    window.keyboard.press("Tab")
    window.focus("mj-centre")
    assert "+6,300" in window.evaluate(shown)
