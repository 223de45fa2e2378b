"""In every table of the gallery, at every size of window, nothing overlaps and nothing scrolls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect

from game.engine.presets import preset
from tests.e2e.gallery import SIZES, resize, show
from tests.e2e.geometry import (
    COVERED,
    EVERY_HELP,
    GROUPS,
    OUT_OF_REACH,
    OUTSIDE,
    OVERLAPS,
    TEXT_OVERLAPS,
)
from tests.kit.long_form import IS_LONG

WINDOWS = {
    "desktop": (1440, 900),
    "laptop": (1366, 768),
    "small desktop": (1280, 720),
    "smaller desktop": (1024, 640),
    "tablet upright": (768, 1024),
    "larger tablet upright": (820, 1180),
    "large tablet upright": (1024, 1366),
    "telephone on its side": (844, 390),
    "small telephone on its side": (740, 360),
    "telephone upright": (390, 844),
    "telephone upright, under the bars of its browser": (390, 664),
    "small telephone upright": (360, 640),
}

ONE_OF_EACH_LAYOUT = (
    *("desktop", "smaller desktop", "tablet upright", "telephone on its side"),
    *("telephone upright", "small telephone upright"),
)
TRIED = WINDOWS if IS_LONG else ONE_OF_EACH_LAYOUT

SMALL_WINDOWS = (
    *((320, 480), (320, 568), (320, 640), (360, 640), (390, 664), (480, 800)),
    *((568, 320), (667, 375), (844, 390), (640, 480), (1024, 640)),
)
ZOOMED = ((360, 225), (480, 270))
"""1440 by 900 and 1920 by 1080 pixels at a zoom of 400 %."""

UPRIGHT_AND_LOW = [
    "desktop",
    "laptop",
    "small desktop",
    "smaller desktop",
    "tablet upright",
    "telephone on its side",
    "telephone upright",
]

SCENES = (
    *("turn", "riichi", "claims", "ways", "chis", "kans"),
    *("showing", "full", "full_left", "full_top", "full_right", "declared", "crowded", "watch"),
    *("three_turn", "three_norths", "three_full", "three_watch"),
)

CLOCK = {"asked": ".call, .prompt-hint", "clock": "mj-clock, .furiten"}
"""The calls and the clock, which are one group in `GROUPS`."""

LONG_NAME = "Maximiliana Augustin"
"""A name of the maximum length of account names."""

CUT_NAMES = """(name) => [...document.querySelectorAll(".plate-who")].filter((node) => {
  node.textContent = name;
  return node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
}).map((node) => node.closest(".plate").className)"""

ROWS_OF_HAND = """() => new Set([...document.querySelectorAll(".own mj-hand .tile")]
  .map((tile) => Math.round(tile.getBoundingClientRect().bottom))).size"""

HELP_IS_CUT = """() => {
  const part = document.querySelector(".hint-part");
  return part.scrollHeight > part.clientHeight + 1;
}"""

CUT_LABELS = """() => [...document.querySelectorAll(".chart-text")].filter((text) => {
  const { left, right } = text.getBoundingClientRect();
  const chart = text.closest("svg").getBoundingClientRect();
  return text.checkVisibility() && (left < chart.left - 1 || right > chart.right + 1);
}).map((text) => text.textContent)"""

BEYOND_THE_CARD = """() => {
  const { right } = document.querySelector(".result-hands").getBoundingClientRect();
  return [...document.querySelectorAll(".result-hands .tile")]
    .filter((tile) => tile.getBoundingClientRect().right > right + 1)
    .map((tile) => tile.dataset.pai);
}"""

SHOWN_WHILE_HIDDEN = """() => [...document.body.querySelectorAll("*")].filter((node) => {
  if (!(node instanceof HTMLElement)) return false;
  node.hidden = true;
  return getComputedStyle(node).display !== "none";
}).map((node) => `${node.localName}.${node.className}`)"""

CUT_TEXTS = """(selector) => [...document.querySelectorAll(selector)].filter((node) =>
  node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""

BROKEN_LINES = """(selector) => [...document.querySelectorAll(selector)].filter((node) =>
  node.clientHeight > 2 * parseFloat(getComputedStyle(node).fontSize))
  .map((node) => node.textContent)"""

LINES = """(row) => new Set([...row.querySelectorAll(".tile:not(.tile--counted)")]
  .filter((tile) => !tile.closest(".meld-stack"))
  .map((tile) => Math.round(tile.getBoundingClientRect().bottom))).size"""


@pytest.fixture(scope="module", params=[size for size in SIZES if IS_LONG or size != "tablet"])
def page(request: pytest.FixtureRequest, window: Page) -> Page:
    return resize(window, request.param)


def open_scene(page: Page, address: str, scene: str, settings: str = "{}") -> list[str]:
    """Open the scene; return the errors in the browser's console."""
    console_errors: list[str] = []

    def note_error(error: Error) -> None:
        console_errors.append(str(error))

    def note_line(line: ConsoleMessage) -> None:
        if line.type == "error":
            console_errors.append(line.text)

    page.on("pageerror", note_error)
    page.on("console", note_line)
    show(page, address, scene, settings)
    page.remove_listener("pageerror", note_error)
    page.remove_listener("console", note_line)
    return console_errors


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


@pytest.mark.parametrize("size", TRIED)
def test_table_fits_its_window(window: Page, address: str, size: str) -> None:
    """No part overlaps another, sticks out or is covered; nothing scrolls."""
    resize(window, size, WINDOWS)
    for scene in SCENES:
        assert open_scene(window, address, scene) == [], scene
        assert not scrolls(window), scene
        assert window.evaluate(OVERLAPS, GROUPS | CLOCK) == [], scene
        shown = ".board .tile, .own .tile, .call, .auto, .tool, .leave, mj-clock, mj-info"
        assert window.evaluate(OUTSIDE, shown) == 0, scene
        pressed = ".own button.tile, .call, .auto:not([hidden], [hidden] *), .tool"
        assert window.evaluate(COVERED, pressed) == 0, scene


def test_texts_do_not_overlap_in_small_windows(window: Page, address: str) -> None:
    for width, height in (*SMALL_WINDOWS, *ZOOMED):
        window.set_viewport_size({"width": width, "height": height})
        for scene in ("turn", "full", "declared", "crowded", "watch", "three_full", "three_watch"):
            open_scene(window, address, scene)
            assert window.evaluate(TEXT_OVERLAPS) == [], (width, height, scene)
            assert window.evaluate("document.documentElement.scrollWidth") <= width


def test_smallest_telephone_keeps_calls_clock_and_sticks_apart(window: Page, address: str) -> None:
    window.set_viewport_size({"width": 320, "height": 568})
    rivers = {"river": ".side--bottom mj-river .tile", "asked": ".call, .prompt-hint"}
    for scene in ("ways", "kans", "chis"):
        open_scene(window, address, scene)
        assert window.evaluate(OVERLAPS, rivers | CLOCK) == [], scene
    sticks = {"stick": ".stick", "round": ".round-name, .counter"}
    for scene in ("three_turn", "three_claims", "three_robbing", "three_waiting"):
        open_scene(window, address, scene)
        assert window.evaluate(OVERLAPS, sticks) == [], scene


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_texts_of_a_result_do_not_overlap(
    window: Page, address: str, width: int, height: int
) -> None:
    """A name in the ranking has most of its line, a part of the fu does not break."""
    window.set_viewport_size({"width": width, "height": height})
    for scene in ("tsumo", "ron", "end"):
        open_scene(window, address, scene)
        assert window.evaluate(TEXT_OVERLAPS, ".outcome") == [], scene
        if scene == "tsumo":
            assert window.evaluate(BROKEN_LINES, ".result-fu li") == []
    names = window.locator(".rank-who")
    assert names.count() == 4
    assert names.evaluate_all("(all) => Math.min(...all.map((name) => name.clientWidth))") > 50


@pytest.mark.parametrize(("width", "height"), [(320, 480), *ZOOMED])
def test_every_control_is_reached_at_a_zoom_of_400_percent(
    window: Page, address: str, width: int, height: int
) -> None:
    """The page may scroll down, and nothing overlaps."""
    window.set_viewport_size({"width": width, "height": height})
    for scene in ("turn", "crowded", "full"):
        open_scene(window, address, scene)
        assert window.evaluate(OUT_OF_REACH, ".own button.tile, .call, .auto, .tool, .leave") == []
        groups = {name: part for name, part in GROUPS.items() if name != "connection"}
        assert window.evaluate(OVERLAPS, groups | CLOCK) == [], scene


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
def test_three_chis_and_pass_take_one_row(chromium: Browser, address: str, language: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "django_language", "value": language, "url": address}])
    page = context.new_page()
    for size in ("small desktop", "telephone on its side", "telephone upright"):
        open_scene(resize(page, size, WINDOWS), address, "chis")
        tops = {box["y"] for call in page.locator(".call").all() if (box := call.bounding_box())}
        assert len(tops) == 1, size
        assert page.evaluate(OVERLAPS, GROUPS) == [], size
    context.close()


@pytest.mark.parametrize("size", ["telephone on its side", "telephone upright"])
def test_held_middle_shows_long_names_in_full(window: Page, address: str, size: str) -> None:
    open_scene(resize(window, size, WINDOWS), address, "turn")
    window.evaluate(
        """() => document.querySelectorAll(".plate-who").forEach((node) => {
          node.textContent = "東風戦の達人麻雀太郎左衛門之助殿下大";
          node.classList.add("is-long");
        })"""
    )
    cut = """() => [...document.querySelectorAll(".plate-who")].filter((who) =>
      who.scrollWidth > who.clientWidth + 1 || who.scrollHeight > who.clientHeight + 1).length"""
    assert window.evaluate(cut) > 0
    window.hover(".round")
    window.mouse.down()
    assert window.evaluate(cut) == 0
    window.mouse.up()
    assert window.evaluate(cut) > 0
    window.mouse.move(0, 0)
    assert window.get_attribute(".plate--left .plate-who", "title") == "Haru (Strong)"


@pytest.mark.parametrize("size", TRIED)
def test_offline_banner_hides_no_tile_and_no_control(window: Page, address: str, size: str) -> None:
    resize(window, size, WINDOWS)
    open_scene(window, address, "lost")
    kept = {name: part for name, part in GROUPS.items() if not name.endswith("rack")}
    kept["corner"] = ".tool, .leave"
    found = window.evaluate(OVERLAPS, kept | {"banner": ".status-live", "help": "mj-hints"})
    assert [pair for pair in found if "banner" in pair] == []
    assert window.evaluate(OUTSIDE, ".status-live") == 0


def test_notice_lies_above_the_open_chat(window: Page, address: str) -> None:
    for size in TRIED:
        open_scene(resize(window, size, WINDOWS), address, "turn")
        window.locator(".status-notices").evaluate(
            """(notices) => {
              notices.innerHTML = '<span class="status-notice">The game has gone on.</span>';
              notices.style.pointerEvents = "auto"; // so that the test can hit it
            }"""
        )
        window.click(".tool--chat")
        assert window.evaluate(COVERED, ".status-notice") == 0, size


@pytest.mark.parametrize("size", UPRIGHT_AND_LOW)
def test_vote_in_a_pause_hides_no_tile_and_no_result(window: Page, address: str, size: str) -> None:
    resize(window, size, WINDOWS)
    requests = {"requests": ".requests, .requests .button"}
    open_scene(window, address, "votes")
    kept = {name: GROUPS[name] for name in GROUPS if name not in ("automatics", "asked")}
    found = window.evaluate(OVERLAPS, kept | requests)
    assert [pair for pair in found if "requests" in pair] == []
    open_scene(window, address, "votes_ron")
    kept = {"result": ".outcome-body, .outcome-foot button"}
    assert window.evaluate(OVERLAPS, kept | requests) == []
    buttons = ":is(.requests, .outcome-foot) button:not([hidden], [hidden] *)"
    assert window.evaluate(COVERED, buttons) == 0
    assert window.evaluate(OUTSIDE, f".requests, {buttons}") == 0


@pytest.mark.parametrize("size", UPRIGHT_AND_LOW)
def test_two_votes_during_a_hand_hide_no_open_tile(window: Page, address: str, size: str) -> None:
    """An upright window has room for them over the closed hand opposite. There they may cover the
    fourth row of its river."""
    resize(window, size, WINDOWS)
    open_scene(window, address, "two_votes")
    ways = {"corner": ".tool, .leave", "requests": ".requests, .requests .button"}
    kept = {name: GROUPS[name] for name in GROUPS if name != "connection"}
    if "upright" in size:
        del kept["top rack"]
        kept["top river"] = ".side--top .river-row:nth-child(-n + 3) .tile"
    found = window.evaluate(OVERLAPS, kept | ways)
    assert [pair for pair in found if "requests" in pair] == []
    assert window.evaluate(COVERED, ".requests .button:not([hidden])") == 0


def test_two_votes_in_french_fit_the_smallest_telephone(chromium: Browser, address: str) -> None:
    context = chromium.new_context(
        locale="fr", reduced_motion="reduce", viewport={"width": 320, "height": 568}
    )
    page = context.new_page()
    show(page, address, "two_votes")
    expect(page.locator(".requests .button:visible")).to_have_count(4)
    assert page.evaluate(OUTSIDE, ".requests, .requests .button:not([hidden])") == 0
    assert page.evaluate(TEXT_OVERLAPS, ".requests") == []
    context.close()


@pytest.mark.parametrize("size", ["desktop", "small desktop", "smaller desktop"])
def test_table_can_be_left_while_a_result_is_shown(window: Page, address: str, size: str) -> None:
    resize(window, size, WINDOWS)
    for scene in ("ron", "votes_ron", "end"):
        open_scene(window, address, scene)
        assert window.evaluate(COVERED, ".leave") == 0
        found = window.evaluate(
            OVERLAPS, {"leave": ".leave", "others": ".outcome-body, .outcome-foot, .requests"}
        )
        assert found == [], scene


def hints_of_three(language: str) -> str:
    """Return the panel of the hints of a first game."""
    with translation.override(language):
        return render_to_string("game/three_hints.html", {"rules": preset("tenhou-3")})


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
@pytest.mark.parametrize("size", UPRIGHT_AND_LOW)
def test_hints_of_three_hide_no_tile_and_no_result(
    window: Page, address: str, size: str, language: str
) -> None:
    """An upright window shows them over the name of the round."""
    resize(window, size, WINDOWS)
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright's event loop occupies this thread
        panel = elsewhere.submit(hints_of_three, language).result()
    kept = {name: GROUPS[name] for name in GROUPS if "upright" not in size or name != "centre"}
    kept |= {"names": ".plate-who, .plate-score"}
    result = {"result": ".outcome-body, .outcome-foot button"}
    for scene, ids, groups in (
        ("three_claims", ("north", "run", "characters"), kept),
        ("three_full", ("north", "run", "characters"), kept),
        ("three_ron", ("loss",), result),
    ):
        open_scene(window, address, scene)
        window.locator(".notices").evaluate(
            "(notices, panel) => notices.insertAdjacentHTML('beforeend', panel)", panel
        )
        for kind in ids:
            window.locator(".three-hints").evaluate(
                """(panel, id) => {
                  panel.hidden = false;
                  const texts = panel.querySelectorAll("p");
                  for (const text of texts) text.hidden = text.dataset.on !== id;
                }""",
                kind,
            )
            found = window.evaluate(OVERLAPS, groups | {"hints": ".three-hints"})
            assert [pair for pair in found if "hints" in pair] == [], (scene, kind)
            assert window.evaluate(COVERED, ".three-hints button") == 0
            assert window.evaluate(OUTSIDE, ".three-hints, .three-hints button") == 0


@pytest.mark.parametrize("size", [size for size in WINDOWS if size.endswith("tablet upright")])
def test_tablet_shows_a_wide_board_and_one_row_of_tiles(
    window: Page, address: str, size: str
) -> None:
    resize(window, size, WINDOWS)
    open_scene(window, address, "crowded")
    assert window.evaluate(ROWS_OF_HAND) == 1
    tile = window.locator(".own button.tile, .own mj-hand .tile").first.bounding_box()
    assert tile is not None
    assert tile["width"] >= 44
    racks = [window.locator(f".side--{side} .rack").bounding_box() for side in ("left", "right")]
    assert racks[0] is not None
    assert racks[1] is not None
    assert racks[1]["x"] + racks[1]["width"] - racks[0]["x"] > 0.94 * WINDOWS[size][0]


@pytest.mark.parametrize("size", ["desktop", "laptop", "small desktop", "large tablet upright"])
def test_long_names_are_not_cut(window: Page, address: str, size: str) -> None:
    resize(window, size, WINDOWS)
    for scene in ("turn", "full"):
        open_scene(window, address, scene)
        assert window.evaluate(CUT_NAMES, LONG_NAME) == [], scene


def test_buttons_are_large_enough_for_a_finger(page: Page, address: str) -> None:
    open_scene(page, address, "turn")
    for tile in page.query_selector_all(".own button.tile"):
        box = tile.bounding_box()
        assert box is not None
        assert box["width"] >= 38
    for button in page.query_selector_all(".call, .auto:visible, .tool:visible"):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


@pytest.mark.parametrize("scene", [None, "turn", "riichi", "ron", "exhaustive", "end"])
def test_hidden_attribute_hides_every_part_of_a_table(
    window: Page, address: str, scene: str | None
) -> None:
    show(window, address, scene)
    assert window.evaluate(SHOWN_WHILE_HIDDEN) == []


@pytest.mark.parametrize("path", ["/", "/lobby/", "/tables/new/", "/sign-up/"])
def test_hidden_attribute_hides_every_part_of_a_page(window: Page, address: str, path: str) -> None:
    window.goto(address + path)
    assert window.locator(".button").count() > 0
    assert window.evaluate(SHOWN_WHILE_HIDDEN) == []


RESULTS = [
    *("ron", "tsumo", "ura", "four_kans", "three_ron"),
    *("exhaustive", "nagashi", "kyushu", "sucha_riichi", "sukaikan", "stop", "end"),
]


@pytest.mark.parametrize("scene", RESULTS)
def test_result_fits_its_window(page: Page, address: str, scene: str) -> None:
    assert open_scene(page, address, scene) == []
    buttons = ".outcome button:not([hidden], [hidden] *)"
    page.wait_for_selector(buttons)
    assert not scrolls(page)
    body = ".outcome-body"
    assert page.evaluate(OUTSIDE, f"{body}, {body} .tile, {buttons}") == 0
    assert page.evaluate("(s) => document.querySelector(s).scrollHeight", body) <= page.evaluate(
        "(s) => document.querySelector(s).clientHeight", body
    )
    assert page.evaluate(COVERED, buttons) == 0
    assert page.evaluate(CUT_LABELS) == []
    assert page.evaluate(CUT_TEXTS, ".payment-name") == []
    for row in page.query_selector_all(".tile-row"):
        assert row.evaluate(LINES) <= 1


@pytest.mark.parametrize("size", ["desktop", "tablet upright", "telephone on its side"])
def test_hands_of_a_draw_stay_in_its_card(window: Page, address: str, size: str) -> None:
    resize(window, size, WINDOWS)
    for scene in ("exhaustive", "nagashi", "sucha_riichi", "sanchaho"):
        open_scene(window, address, scene)
        assert window.evaluate(BEYOND_THE_CARD) == [], scene


@pytest.mark.parametrize("scene", ["riichi", "barred", "waiting", "crowded", "three_waiting"])
def test_help_hides_nothing_and_folds_where_there_is_no_room(
    page: Page, address: str, scene: str
) -> None:
    open_scene(page, address, scene, EVERY_HELP)
    page.wait_for_selector("mj-hints:not([hidden])")
    groups = {name: GROUPS[name] for name in GROUPS if name not in {"centre", "right rack"}}
    groups |= {"help": "mj-hints"}
    assert [pair for pair in page.evaluate(OVERLAPS, groups) if "help" in pair] == []
    assert page.evaluate(COVERED, ".call, .auto:not([hidden])") == 0
    assert page.evaluate(OUTSIDE, "mj-hints") == 0
    page.evaluate("new Promise(requestAnimationFrame)")
    if page.evaluate(HELP_IS_CUT):
        page.click(".hint-opener")
        assert page.evaluate(HELP_IS_CUT) is False
        assert page.evaluate(OUTSIDE, "mj-hints, mj-hints .tile") == 0
        page.click(".hint-opener")
        assert page.evaluate(HELP_IS_CUT)
    else:
        assert page.is_hidden(".hint-opener")


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
def test_help_beside_a_long_river_or_three_players_is_not_cut(
    chromium: Browser, address: str, language: str
) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "django_language", "value": language, "url": address}])
    page = context.new_page()
    sizes = ("tablet upright", "telephone upright", "telephone on its side")
    for size, scene in product(sizes, ("crowded", "three_waiting")):
        open_scene(resize(page, size, WINDOWS), address, scene)
        page.wait_for_selector("mj-hints:not([hidden])")
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate(HELP_IS_CUT) is False, size
        assert page.is_hidden(".hint-opener")
        groups = {name: GROUPS[name] for name in GROUPS if name != "right rack"}
        found = page.evaluate(OVERLAPS, groups | {"help": "mj-hints"})
        assert [pair for pair in found if "help" in pair] == [], size
    context.close()


def test_forbidden_discard_says_why(page: Page, address: str) -> None:
    open_scene(page, address, "barred")
    page.hover('.own [data-pai="5mr"]', force=True)
    note = page.locator(".tile-note")
    note.wait_for()
    why = "Cannot be discarded now: it is the other end of the run just called"
    assert note.inner_text() == why
    assert page.evaluate(OUTSIDE, ".tile-note") == 0
    tile = page.locator('.own [data-pai="5mr"]')
    assert tile.get_attribute("aria-label") == f"5 of characters (red). {why}"
    page.hover('.own [data-pai="E"]')
    note.wait_for(state="hidden")


def test_riichi_marks_its_discards(window: Page, address: str) -> None:
    open_scene(window, address, "riichi")
    live = window.query_selector_all(".own button.tile:not([aria-disabled])")
    assert [tile.get_attribute("data-pai") for tile in live] == ["5mr", "7s"]
    assert all("reach" in (tile.get_attribute("data-action") or "") for tile in live)


def test_line_at_the_plate_shows_the_time_of_the_turn(window: Page, address: str) -> None:
    animations = "(node) => node.getAnimations({ subtree: true })"
    running = f"(nodes) => nodes.filter((node) => ({animations})(node).length > 0).length"
    show(window, address, "turn")
    assert window.locator(".plate").evaluate_all(running) == 1
    line = window.locator(".plate--turn")
    line.evaluate(f"(node) => ({animations})(node)[0].finish()")
    expect(window.locator(".plate--turn.plate--bank")).to_have_count(1)
    for scene in ("claims", "showing", "ron"):
        show(window, address, scene)
        assert window.locator(".plate").evaluate_all(running) == 0
        assert window.locator(".plate--bank").count() == 0


def test_spectator_has_no_buttons(window: Page, address: str) -> None:
    open_scene(window, address, "watch")
    assert window.query_selector_all(".own button, .call") == []
    assert {tile.get_attribute("data-pai") for tile in window.query_selector_all(".own .tile")} == {
        "?"
    }
    resize(window, "desktop")
    box = window.locator(".own mj-hand").bounding_box()
    assert box is not None
    assert box["height"] < 40, "a closed hand is drawn as the other racks"
    standings = window.locator(".plate-standing").all_inner_texts()
    assert standings == ["2nd\u22126,300", "1st+6,300", "4th\u22127,300", "2nd\u22126,300"]
    expect(window.locator(".plate--top .plate-riichi")).to_have_text("Riichi")
    assert window.locator(".plate-riichi:visible").count() == 1


def test_gallery_has_every_tile(window: Page, address: str) -> None:
    show(window, address, None)
    assert len(window.query_selector_all(".samples--huge .tile")) == 38
