"""The page of a replay in Chromium: every control works by keys, pointer and finger, in four
windows."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import axe_source, axe_violations
from tests.e2e.conftest import BrowserSite
from tests.e2e.geometry import COVERED, GROUPS, OVERLAPS
from tests.kit.commands import manage
from tests.kit.long_form import IS_LONG
from tests.kit.processes import wait_until

WINDOWS: Final = ((1440, 900), (844, 390), (390, 844), (768, 1024))
STEPPED: Final = [("keys", WINDOWS[0]), ("finger", WINDOWS[2])]
"""Ways of stepping that are tried by default: keys are the same in every window."""
ARCHIVE: Final = (
    "from tests.web.archived_games import archive, whole_game; archive('seen', whole_game(2))"
)
ARCHIVE_OF_THREE: Final = "from tests.web.test_games_of_three import archive_three; archive_three()"
_POSITIONS: Final = """document.addEventListener("position", ({ detail }) => {
  window.position = detail;
});"""

Act = Callable[[Page], None]


@pytest.fixture(scope="module")
def replay(browser_site: BrowserSite) -> str:
    """Return the address of the replay of a finished game."""
    manage(browser_site.running_site.site.env, "shell", "--no-imports", "-c", ARCHIVE)
    return f"{browser_site.address}/game/seen/replay/"


PRESSED_AT_ONCE = """() => {
  document.querySelector("dialog[open]").close();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ",", bubbles: true }));
}"""
"""Closes a sheet and presses a key within one frame, while the sheet still has the focus."""


BEYOND_THE_MIDDLE = """() => {
  const middle = document.querySelector("mj-centre").getBoundingClientRect();
  return [...document.querySelectorAll(".round-name, .counter, .plate-score")].filter((node) => {
    const { left, right } = node.getBoundingClientRect();
    return node.checkVisibility() && (left < middle.left || right > middle.right);
  }).map((node) => node.textContent);
}"""
"""The texts of the middle that stick out of it at a side."""


def open_replay(
    chromium: Browser, address: str, size: tuple[int, int], *, touch: bool = False
) -> Page:
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=touch, reduced_motion="reduce"
    )
    context.add_init_script(_POSITIONS)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#replay[data-ready]", state="attached")
    return page


def position(page: Page) -> tuple[int, int]:
    """Return the shown hand and step, from 0."""
    found = page.evaluate("[window.position.hand, window.position.step]")
    return found[0], found[1]


def wait_for_step(page: Page, step: int) -> None:
    expect(page.locator(".replay-where")).to_have_text(re.compile(rf"step {step}$"))


def press(key: str) -> Act:
    return lambda page: page.keyboard.press(key)


def click(command: str) -> Act:
    return lambda page: page.locator(f"[data-command={command}]").click()


KEYS: Final[dict[str, Act]] = {
    "event": press("ArrowRight"),
    "eventBack": press("ArrowLeft"),
    "turn": press("ArrowDown"),
    "turnBack": press("ArrowUp"),
    "hand": press("PageDown"),
    "handBack": press("PageUp"),
    "first": press("Home"),
    "last": press("End"),
    "play": press("Space"),
}


def test_plates_have_faces_and_levels_unless_names_are_hidden(
    chromium: Browser, replay: str
) -> None:
    page = open_replay(chromium, f"{replay}?hand=1&step=5&seat=2", WINDOWS[0])
    assert page.locator(".plate .avatar:visible").count() == 1
    assert page.locator(".plate--bottom .avatar").is_visible()
    page.get_by_role("button", name="Names", exact=True).click()
    expect(page.locator(".plate .avatar:visible")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize(
    ("by", "size"),
    list(product(("keys", "pointer", "finger"), WINDOWS)) if IS_LONG else STEPPED,
    ids=str,
)
def test_every_step_works(chromium: Browser, replay: str, size: tuple[int, int], by: str) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=0", size, touch=by == "finger")

    def act(command: str) -> tuple[int, int]:
        if by == "keys":
            KEYS[command](page)
        elif by == "pointer":
            click(command)(page)
        else:
            page.locator(f"[data-command={command}]").tap()
        return position(page)

    assert position(page) == (1, 20)
    assert act("event") == (1, 21)
    assert act("eventBack") == (1, 20)
    hand, step = act("turn")
    assert hand == 1
    assert step > 20
    assert act("turnBack")[1] <= 20
    assert act("hand") == (2, 0)
    assert act("handBack") == (1, 0)
    assert act("first") == (0, 0)
    hand, step = act("last")
    assert hand > 2
    assert step > 0
    assert page.locator("[data-command=last]").get_attribute("aria-disabled") == "true"
    assert act("first") == (0, 0)
    page.get_by_role("combobox").select_option("4")
    page.evaluate("document.activeElement.blur()")
    act("play")
    expect(page.locator(".replay-where")).to_have_text(re.compile(r"step ([2-9]|\d\d)$"))
    act("play")
    expect(page.locator("[data-command=play]")).to_have_attribute("aria-pressed", "false")
    page.context.close()


@pytest.mark.parametrize("size", WINDOWS[1:], ids=str)
def test_open_drawer_leaves_the_whole_board_in_sight(
    chromium: Browser, replay: str, size: tuple[int, int]
) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=60&seat=0", size)
    check_board_beside_drawer(page, size)
    page.context.close()


def check_board_beside_drawer(page: Page, size: tuple[int, int]) -> None:
    page.locator("[data-command=drawer]").click()
    panel, stage = (page.locator(at).bounding_box() for at in (".replay-panel", ".replay-stage"))
    assert panel is not None
    assert stage is not None
    assert panel["y"] >= stage["y"] + stage["height"] or panel["x"] >= stage["x"] + stage["width"]
    assert panel["width"] * panel["height"] <= size[0] * size[1] / 2
    check_parts(page)


def check_parts(page: Page) -> None:
    """Check that no part of the board overlaps another or sticks out of its stage."""
    rivers_and_racks = [name for name in GROUPS if name.endswith(("river", "rack"))]
    shown = ("centre", "dora", "own hand", "own melds", *rivers_and_racks)
    groups = {name: GROUPS[name] for name in shown}
    assert page.evaluate(OVERLAPS, groups | {"panel": ".replay-panel"}) == []
    tiles = ".board .tile, .own .tile, mj-info, mj-centre"
    inside = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].every((node) => {
          const box = node.getBoundingClientRect();
          const stage = document.querySelector(".replay-stage").getBoundingClientRect();
          return box.left >= stage.left - 1 && box.right <= stage.right + 1
              && box.top >= stage.top - 1 && box.bottom <= stage.bottom + 1;
        })""",
        tiles,
    )
    assert inside


def test_replay_of_three_shows_their_seats_and_norths(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    manage(browser_site.running_site.site.env, "shell", "--no-imports", "-c", ARCHIVE_OF_THREE)
    for size in WINDOWS:
        address = f"{browser_site.address}/game/three/replay/?hand=1&step=9&seat=2"
        page = open_replay(chromium, address, size)
        plates = page.locator(".plate:visible .plate-who")
        names = plates.all_text_contents()
        assert len(names) == 3
        page.locator("[data-command=seat]").click()
        assert page.evaluate("window.position.seat") == 0
        assert sorted(plates.all_text_contents()) == sorted(names)
        page.locator("[data-command=hand]").click()
        for _ in range(9):
            page.locator("[data-command=eventBack]").click()
        check_parts(page)
        assert page.evaluate(BEYOND_THE_MIDDLE) == []
        if size != WINDOWS[0]:
            check_board_beside_drawer(page, size)
            assert page.evaluate(BEYOND_THE_MIDDLE) == []
        page.context.close()


@pytest.mark.parametrize("size", WINDOWS if IS_LONG else WINDOWS[2:3], ids=str)
@pytest.mark.parametrize("by", ["keys", "pointer", "finger"] if IS_LONG else ["keys", "finger"])
def test_every_other_control_works(
    chromium: Browser, replay: str, size: tuple[int, int], by: str
) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=0", size, touch=by == "finger")

    def press(control: Locator) -> None:
        if by == "keys":
            control.focus()
            page.keyboard.press("Enter")
        elif by == "pointer":
            control.click()
        else:
            control.tap()

    press(page.locator("[data-command=seat]"))
    assert page.evaluate("window.position.seat") == 1
    backs = page.locator('.side--top .rack .tile[data-pai="?"]')
    assert backs.count() == 0
    press(page.locator("[data-command=open]"))
    assert backs.count() >= 13
    is_drawer = page.locator(".replay-panel").is_hidden()
    if is_drawer:
        press(page.locator("[data-command=drawer]"))
    for name in ("All hands open", "Waits and furiten", "Names"):
        toggle = page.locator(".replay-toggle", has_text=name)
        before = toggle.get_attribute("aria-pressed")
        press(toggle)
        assert toggle.get_attribute("aria-pressed") != before
    for name, text in (("Copy link", "names=0"), ("Copy the hand as text", r"\d[mpsz]")):
        press(page.get_by_role("button", name=name))
        expect(page.locator(".replay-message")).to_have_text(re.compile(text))
    with page.expect_download():
        press(page.get_by_role("button", name="Save as picture"))
    chart = page.locator(".replay-panel summary")
    press(chart)
    expect(page.locator(".replay-panel details")).to_have_attribute("open", "")
    press(page.locator(".replay-hand").nth(2))
    assert position(page) == (2, 0)
    if is_drawer:
        expect(page.locator(".replay-panel")).to_be_hidden()
    slider = page.get_by_role("slider", name="Position in the game")
    if slider.is_visible():
        if by == "keys":
            slider.focus()
            page.keyboard.press("ArrowRight")
            assert position(page) == (2, 1)
        else:
            press(slider)
            assert position(page) != (2, 0)
    press(page.get_by_role("link", name="Leave the replay"))
    page.wait_for_url(re.compile(r"/game/seen/$"))
    page.context.close()


@pytest.mark.parametrize("size", WINDOWS if IS_LONG else [WINDOWS[0], WINDOWS[2]], ids=str)
def test_sheets_of_settings_and_keys(chromium: Browser, replay: str, size: tuple[int, int]) -> None:
    is_touch = size[0] < 1000
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=0", size, touch=is_touch)
    page.keyboard.press("?")
    title = "Buttons and gestures" if is_touch else "Keys and gestures"
    keys = page.get_by_role("dialog", name=title)
    expect(keys.get_by_text("Next hand" if is_touch else "Page Down")).to_be_visible()
    assert axe_violations(page, axe_source()) == []
    page.keyboard.press("ArrowRight")
    page.mouse.wheel(0, 200)
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    assert position(page) == (1, 20), "keys and wheel belong to the sheet while it is open"
    page.keyboard.press(",")
    settings_sheet = page.get_by_role("dialog", name="Settings")
    settings_sheet.get_by_label("Animations").click()
    settings_sheet.get_by_label("Animations").press("ArrowLeft")
    assert position(page) == (1, 20)
    assert axe_violations(page, axe_source()) == []
    assert page.evaluate("localStorage.getItem('table-settings')") == '{"motion":"off"}'
    page.keyboard.press("Escape")
    for command in ("help", "settings"):
        opener = page.locator(f"[data-command={command}]")
        opener.tap() if is_touch else opener.click()
        sheet = page.locator("dialog[open]")
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()
    page.context.close()


def test_key_right_after_a_sheet_is_closed_works(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=0", WINDOWS[0])
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    page.evaluate(PRESSED_AT_ONCE)
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.context.close()


def test_report_leads_to_the_page_of_this_position(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=1", WINDOWS[0])
    page.keyboard.press("ArrowRight")
    address = page.get_by_role("link", name="Report a player").get_attribute("href")
    assert address is not None
    assert address.endswith("/game/seen/replay/report/?hand=2&step=21&seat=1&open=1")
    page.context.close()


def test_wheel_and_swipes_step(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=20&seat=0", (320, 640), touch=True)
    for button in page.locator(".replay-button").all():
        expect(button).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.mouse.move(195, 500)
    page.mouse.wheel(0, 100)
    wait_for_step(page, 21)
    page.mouse.wheel(0, -100)
    wait_for_step(page, 20)
    touch = page.context.new_cdp_session(page)

    def swipe(start: int, end: int) -> None:
        for kind, x in (("touchStart", start), ("touchMove", end), ("touchEnd", None)):
            points = [] if x is None else [{"x": x, "y": 500}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe(250, 200)
    wait_for_step(page, 21)
    swipe(200, 250)
    wait_for_step(page, 20)
    page.context.close()


def test_address_follows_the_position_and_opens_at_it(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, replay, WINDOWS[0])
    page.keyboard.press("PageDown")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.locator("[data-command=seat]").click()
    page.locator("[data-command=open]").click()
    page.wait_for_url(re.compile(r"hand=2&step=7&seat=1&open=0"))
    board = page.locator(".board").inner_html()
    other = open_replay(chromium, page.url, WINDOWS[0])
    assert position(other) == (1, 7)
    assert other.locator(".board").inner_html() == board
    assert parse_qs(urlparse(other.url).query)["seat"] == ["1"]
    page.context.close()
    other.context.close()


def test_closed_hands_and_hidden_names_are_not_drawn(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, f"{replay}?hand=1&step=3&seat=0&open=0&names=0", WINDOWS[0])
    for place in ("left", "top", "right"):
        faces = page.locator(f".side--{place} .rack .tile")
        assert faces.count() >= 13
        assert {node.get_attribute("data-pai") for node in faces.all()} == {"?"}
    shown = page.locator("body").inner_text()
    assert "Player 1" in shown
    assert not [name for name in ("Anna", "Berta", "Clara", "Dora ") if name in shown]
    page.context.close()


def test_list_timeline_and_chart_jump(chromium: Browser, replay: str) -> None:
    page = open_replay(chromium, replay, WINDOWS[0])
    page.locator(".replay-hand").nth(3).click()
    assert position(page) == (3, 0)
    page.locator(".timeline").click(position={"x": 2, "y": 10})
    assert position(page)[0] == 0
    chart = page.locator(".replay-panel .chart-lines")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] * 0.955, "y": box["height"] / 2})
    assert page.locator("[data-command=last]").get_attribute("aria-disabled") == "true"
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".replay-panel")).to_be_hidden()
    page.locator("[data-command=drawer]").click()
    page.locator(".replay-hand").nth(1).click()
    assert position(page) == (1, 0)
    expect(page.locator(".replay-panel")).to_be_hidden()
    page.context.close()


def test_hand_is_copied_as_text_and_board_saved_as_picture(
    chromium: Browser, replay: str, tmp_path: Path
) -> None:
    page = open_replay(chromium, f"{replay}?hand=1&step=1&seat=0", WINDOWS[0])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the hand as text").click()
    page.get_by_text("Copied:").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert sum(sign.isdigit() for sign in text) == 14
    page.wait_for_selector(".sprite symbol", state="attached")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as picture").click()
    saving.value.save_as(tmp_path / "board.svg")
    picture = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert picture.count("<use") >= 4 * 13
    assert set(re.findall(r'href="#([^"]+)"', picture)) == set(
        re.findall(r'<symbol id="([^"]+)"', picture)
    )
    page.context.close()


def step_by_ear(page: Page) -> None:
    """Step on by keys. Hear each event, then a river, the points and the dora, and find the open
    hands by the names of their owners."""
    heard = page.get_by_role("log").get_by_role("paragraph")

    def hear(key: str) -> str:
        before = heard.all_inner_texts()
        page.keyboard.press(key)
        expect(heard).not_to_have_text(before)
        return heard.last.inner_text()

    events = [hear("ArrowRight") for _ in range(8)]
    assert any(" draws " in text for text in events)
    assert any(" discards " in text for text in events)
    river = hear("v").partition(":")[0]
    items = page.get_by_role("list", name=river, exact=True).get_by_role("listitem")
    assert items.count() > 1
    assert " tiles left. " in hear("e")
    assert hear("i").startswith("Dora ")
    expect(page.get_by_role("list", name=re.compile("^Hand of "))).to_have_count(4)


@pytest.mark.parametrize("size", WINDOWS if IS_LONG else [WINDOWS[2]], ids=str)
def test_axe_finds_nothing_and_steps_are_spoken(
    chromium: Browser, replay: str, size: tuple[int, int]
) -> None:
    page = open_replay(chromium, f"{replay}?hand=2&step=40", size)
    log = page.get_by_role("log")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(log.locator("p").first).not_to_be_empty()
    step_by_ear(page)
    assert axe_violations(page, axe_source()) == []
    if size[0] < 1100:
        page.locator("[data-command=drawer]").click()
    assert axe_violations(page, axe_source()) == []
    page.keyboard.press("End")
    if page.locator(".replay-close").is_visible():
        page.locator(".replay-close").click()
        page.keyboard.press("End")
    assert axe_violations(page, axe_source()) == []
    page.context.close()


def test_replay_without_scripts_offers_a_picture(chromium: Browser, replay: str) -> None:
    page = chromium.new_page(java_script_enabled=False)
    page.goto(replay)
    expect(page.locator(".no-script a")).to_be_visible()
    expect(page.locator(".replay-panel")).to_be_hidden()
    page.close()


@pytest.mark.parametrize("size", [(768, 1024), (390, 844)] if IS_LONG else [(390, 844)], ids=str)
def test_bar_of_a_wait_hides_no_open_hand(
    chromium: Browser, browser_site: BrowserSite, replay: str, size: tuple[int, int]
) -> None:
    page = open_replay(chromium, replay, size)
    lobby = page.context.new_page()
    lobby.goto(f"{browser_site.address}/lobby/")
    lobby.get_by_role("button", name="Find a game").click()
    stop = lobby.get_by_role("button", name="Stop looking")
    expect(stop).to_be_visible()
    wait_until(
        lambda: lobby.evaluate("localStorage.getItem('waiting')") == "queue",
        within_s=30,
        what="the lobby stores the wait",
    )
    page.reload()
    expect(page.locator(".waiting")).to_be_visible()
    expect(page.locator(".side--top .rack .tile")).to_have_count(13)
    assert page.evaluate(COVERED, ".side--top .rack .tile") == 0
    stop.click()
    page.context.close()
