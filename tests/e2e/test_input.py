"""Mouse, touch and keys on the gallery's tables: each input acts once and as intended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.gallery import show

OpenScene = Callable[..., Page]

MARKED_WHILE_PENDING = """async () => {
  const { markPending } = await import("/static/js/ui/pending.js");
  const root = document.createElement("div");
  const add = () => {
    const button = document.createElement("button");
    button.dataset.action = JSON.stringify({ type: "none" });
    root.prepend(button);
  };
  const marked = () => [...root.children].map((button) =>
    button.classList.contains("is-pending") && button.ariaBusy === "true");
  const seen = [];
  for (const action of [{ type: "none" }, { type: "none" }, null]) {
    add();
    markPending(root, action);
    seen.push(marked());
  }
  return seen;
}"""
"""Adds a button with the pending action before each call; returns the buttons that are marked."""

NOTE_MENU = "() => { document.oncontextmenu = (e) => { window.menu = !e.defaultPrevented } }"
FACES = "nodes => nodes.map(node => node.dataset.pai)"

SAME_PLACE_MS = 300
"""The time after which a second click at the same place is not a double click."""

AUTOMATIC_MS = 1_000
"""The time after which automatic actions have been made."""


@pytest.fixture(scope="module")
def open_scene(chromium: Browser, address: str) -> Iterator[OpenScene]:
    """Yield a function that opens a scene of the gallery with these settings, for a mouse or a
    finger."""
    windows: dict[bool, Page] = {}

    def open_page(scene: str, *, touch: bool = False, **settings: object) -> Page:
        if touch not in windows:
            context = chromium.new_context(
                viewport={"width": 844, "height": 390}, has_touch=touch, reduced_motion="reduce"
            )
            windows[touch] = context.new_page()
        return show(windows[touch], address, scene, json.dumps(settings))

    yield open_page
    for page in windows.values():
        page.context.close()


def sent_actions(page: Page) -> list[str]:
    """Return the actions that the page would have sent."""
    pressed = page.get_attribute("#gallery", "data-pressed") or ""
    return pressed.split(";")[:-1]


def test_click_discards_the_tile(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.click('.own [data-pai="5mr"]')
    assert sent_actions(page) == ["dahai 5mr false"]


def test_separate_tile_is_the_drawn_one(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.click(".own .tile--drawn")
    assert sent_actions(page) == ["dahai 7s true"]


def test_double_click_acts_once(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.dblclick('.own [data-pai="9p"]')
    assert sent_actions(page) == ["dahai 9p false"]


def test_first_tap_raises_the_tile(open_scene: OpenScene) -> None:
    page = open_scene("turn", touch=True)
    page.tap('.own [data-pai="9p"]')
    assert sent_actions(page) == []
    page.tap('.own [data-pai="8p"]')
    assert sent_actions(page) == [], "another tile is raised instead"
    page.tap('.own [data-pai="8p"]')
    assert sent_actions(page) == ["dahai 8p false"]


def test_double_tap_acts_once(open_scene: OpenScene) -> None:
    page = open_scene("turn", touch=True)
    for _ in range(3):
        page.tap('.own [data-pai="8p"]')
    assert sent_actions(page) == ["dahai 8p false"]


def test_tap_on_a_call_acts_at_once(open_scene: OpenScene) -> None:
    page = open_scene("claims", touch=True)
    page.tap(".call--pon")
    assert sent_actions(page) == ["pon 4p 4p"]


def test_riichi_waits_for_its_discard(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.click(".call--reach")
    page.click('.own [data-pai="5mr"]')
    assert sent_actions(page) == ["reach 5mr false"]


def test_riichi_can_be_cancelled(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.click(".call--reach")
    page.wait_for_timeout(SAME_PLACE_MS)
    page.click(".call--cancel")
    page.click('.own [data-pai="9p"]')
    assert sent_actions(page) == ["dahai 9p false"]


def test_double_click_on_riichi_does_not_cancel_it(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.dblclick(".call--reach")
    assert page.is_visible(".call--cancel")


def test_letters_press_calls(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    page.keyboard.press("p")
    assert sent_actions(page) == ["pon 4p 4p"]


def test_ambiguous_call_asks_which_tiles(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    page.click(".call--chi")
    assert sent_actions(page) == []
    page.click(".call--chi >> nth=2")
    assert sent_actions(page) == ["chi 3p 5pr"]


def test_letters_choose_between_ways_to_call(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    for _ in range(3):
        page.keyboard.press("c")
    assert sent_actions(page) == []
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["chi 3p 5p"]


def test_escape_goes_back_from_the_ways_to_call(open_scene: OpenScene) -> None:
    page = open_scene("ways")
    page.keyboard.press("Escape")
    page.wait_for_selector(".call--pon")
    assert sent_actions(page) == []


def test_focus_moves_to_the_ways_to_call(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    page.focus(".call--chi")
    page.keyboard.press("Enter")
    page.wait_for_selector(".call--way:focus")
    assert sent_actions(page) == []


def test_escape_passes(open_scene: OpenScene) -> None:
    page = open_scene("chis")
    page.keyboard.press("Escape")
    assert sent_actions(page) == ["none"]


def test_only_the_letter_passes_on_a_win(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    page.keyboard.press("Escape")
    assert sent_actions(page) == []
    page.keyboard.press("n")
    assert sent_actions(page) == ["none"]


def test_few_ways_to_call_have_own_buttons(open_scene: OpenScene) -> None:
    page = open_scene("chis")
    page.click(".call--chi >> nth=1")
    assert sent_actions(page) == ["chi 3p 5p"]


def test_ambiguous_kan_asks_which_tiles(open_scene: OpenScene) -> None:
    page = open_scene("ankans")
    page.click(".call--ankan")
    assert sent_actions(page) == []
    page.click(".call--ankan >> nth=2")
    assert sent_actions(page) == ["ankan 5s 5s 5s 5sr"]


@pytest.mark.parametrize(
    ("scene", "key", "action"),
    [
        ("orphans", "y", "ryukyoku"),
        ("showing", "t", "tenpai"),
        ("showing", "n", "none"),
        ("turn", "t", "hora"),
    ],
)
def test_call_has_a_letter(open_scene: OpenScene, scene: str, key: str, action: str) -> None:
    page = open_scene(scene)
    page.keyboard.press(key)
    assert sent_actions(page) == [action]


def test_arrows_and_enter_discard(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["dahai 7s true"]


def test_same_digit_twice_discards(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.keyboard.press("2")
    assert sent_actions(page) == []
    page.keyboard.press("2")
    assert sent_actions(page) == ["dahai 3m false"]


def test_every_tile_of_fourteen_has_a_key(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    faces = ["2m", "3m", "4m", "5m", "5mr", "1p", "2p", "3p", "7p", "8p", "9p", "5sr", "6s", "7s"]
    keys = [*"1234567890", "Minus", "Equal", "Backspace", "d"]
    reached = []
    for key in keys:
        page.keyboard.press(key)
        reached.append(page.evaluate("document.activeElement.dataset.pai"))
    assert reached == faces
    assert sent_actions(page) == []


def test_arrows_lead_to_the_calls_and_back(open_scene: OpenScene) -> None:
    page = open_scene("kans")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".call--ankan:focus")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector('.own [data-pai="7s"]:focus')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["ankan 6p 6p 6p 6p"]


def test_letter_and_digit_keys_can_be_switched_off(open_scene: OpenScene) -> None:
    page = open_scene("turn", letter_keys=False)
    for key in ("t", "1", "1", "?", ","):
        page.keyboard.press(key)
    assert sent_actions(page) == []
    assert page.query_selector("dialog[open]") is None
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["dahai 7s true"]


def test_focus_stays_while_an_answer_is_pending(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.evaluate("document.querySelector('#gallery').dataset.answers = 'pending'")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["dahai 7s true"]
    page.wait_for_selector('.own [data-pai="7s"][aria-disabled]:focus')
    page.keyboard.press("Enter")
    page.click('.own [data-pai="9p"]', force=True)
    assert sent_actions(page) == ["dahai 7s true"]


def test_one_answer_marks_one_button(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    assert page.evaluate(MARKED_WHILE_PENDING) == [[True], [True, False], [False, False, False]]


def test_enter_confirms_a_result(open_scene: OpenScene) -> None:
    page = open_scene("ron")
    page.keyboard.press("Enter")
    assert sent_actions(page) == ["confirm"]


def test_every_tile_and_call_has_a_name(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    names = [node.get_attribute("aria-label") for node in page.query_selector_all(".call")]
    assert "Pon, 4 of circles, 4 of circles" in names
    page = open_scene("turn")
    names = [node.get_attribute("aria-label") for node in page.query_selector_all(".own .tile")]
    assert "5 of characters (red)" in names
    assert all(names)


def test_result_marks_the_dora_and_ura_dora_of_the_hand(open_scene: OpenScene) -> None:
    page = open_scene("ron")
    marked = page.query_selector_all(".result-hand .tile--dora")
    assert [tile.get_attribute("data-pai") for tile in marked] == ["8m", "6p", "6p"]
    ura = page.query_selector_all(".result-hand .tile--ura")
    assert [tile.get_attribute("data-pai") for tile in ura] == ["8m"]


def test_finished_game_links_to_the_next(open_scene: OpenScene) -> None:
    page = open_scene("end")
    ways = page.query_selector_all(".outcome-foot a, .outcome-foot button")
    assert [way.inner_text() for way in ways if way.is_visible()] == [
        "Last result",
        "Home page",
        "Hands and replay",
        "Review",
        "Play again",
    ]
    levels = page.query_selector_all(".ranking .rank-level")
    assert [level.inner_text() for level in levels] == ["Strong", "Strong", "Strong"]


def test_leading_dealer_ends_the_game_with_a_button_and_no_key(open_scene: OpenScene) -> None:
    page = open_scene("stop")
    assert page.get_by_text("end the game, or play on?").is_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("o")
    assert sent_actions(page) == []
    page.get_by_role("button", name="End the game").click()
    assert sent_actions(page) == ["stop"]


def test_two_click_setting_raises_the_tile_first(open_scene: OpenScene) -> None:
    page = open_scene("turn", discard_by="double")
    page.click('.own [data-pai="9p"]')
    assert sent_actions(page) == []
    page.click('.own [data-pai="9p"]')
    assert sent_actions(page) == ["dahai 9p false"]


def test_one_tap_setting_discards_at_once(open_scene: OpenScene) -> None:
    page = open_scene("turn", touch=True, discard_by="click")
    page.tap('.own [data-pai="9p"]')
    assert sent_actions(page) == ["dahai 9p false"]


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of an element."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, pai: str, *places: tuple[float, float], let_go: bool = True) -> None:
    """Drag the tile with the mouse past these places."""
    page.mouse.move(*middle(page, f'.own [data-pai="{pai}"]'))
    page.mouse.down()
    for x, y in places:
        page.mouse.move(x, y, steps=4)
    if let_go:
        page.mouse.up()


def test_tile_dragged_onto_the_table_is_discarded(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    drag(page, "9p", middle(page, "mj-centre"), let_go=False)
    assert page.query_selector(".dragged-tile") is not None
    page.mouse.up()
    assert sent_actions(page) == ["dahai 9p false"]
    assert page.query_selector(".dragged-tile") is None


def test_tile_dropped_on_the_hand_stays(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    drag(page, "9p", middle(page, "mj-centre"), middle(page, '.own [data-pai="9p"]'))
    assert sent_actions(page) == []
    drag(page, "9p", middle(page, '.own [data-pai="3m"]'))
    assert sent_actions(page) == []


BUSY = """() => addEventListener("mouseup", () => {
  const begun = performance.now();
  while (performance.now() - begun < 400);
}, { once: true })"""
"""Keeps the page busy between the end of a drag and the click that the browser makes of it."""


def test_end_of_a_drag_on_a_busy_page_is_no_click(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.evaluate(BUSY)
    drag(page, "9p", middle(page, "mj-centre"), middle(page, '.own [data-pai="9p"]'))
    assert sent_actions(page) == []


def test_escape_ends_a_drag(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    drag(page, "9p", middle(page, "mj-centre"), let_go=False)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert sent_actions(page) == []
    assert page.query_selector(".dragged-tile") is None


def test_small_drag_counts_as_a_click(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    x, y = middle(page, '.own [data-pai="9p"]')
    drag(page, "9p", (x + 9, y + 3))
    assert sent_actions(page) == ["dahai 9p false"]


def test_illegal_discard_cannot_be_dragged(open_scene: OpenScene) -> None:
    page = open_scene("riichi")
    drag(page, "9p", middle(page, "mj-centre"))
    assert sent_actions(page) == []
    drag(page, "5mr", middle(page, "mj-centre"))
    assert sent_actions(page) == ["reach 5mr false"]


def own_faces(page: Page) -> list[str]:
    """Return the faces of the own hand, from left to right."""
    tiles = page.query_selector_all(".own mj-hand .tile")
    return [tile.get_attribute("data-pai") or "" for tile in tiles]


def test_unsorted_hand_keeps_its_order(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.keyboard.press("s")
    drag(page, "6s", middle(page, '.own [data-pai="2m"]'))
    assert own_faces(page)[:3] == ["2m", "6s", "3m"]
    page.keyboard.press("1")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector('.own [data-pai="2m"]:focus')
    assert own_faces(page)[:3] == ["6s", "2m", "3m"]
    assert sent_actions(page) == []
    page.keyboard.press("s")
    page.wait_for_selector('.own mj-hand .tile:first-child[data-pai="2m"]')


def switch(page: Page, auto: str) -> None:
    """Press the switch of an automatic action."""
    page.click(f'[data-auto="{auto}"]')
    page.wait_for_selector(f'[data-auto="{auto}"][aria-pressed="true"]')


def test_tsumogiri_discards_the_drawn_tile(open_scene: OpenScene) -> None:
    page = open_scene("plain")
    switch(page, "tsumogiri")
    page.wait_for_selector("#gallery[data-pressed]")
    assert sent_actions(page)[0] == "dahai 7s true"


def test_no_calls_passes_without_showing_calls(open_scene: OpenScene) -> None:
    page = open_scene("chis")
    switch(page, "no_calls")
    assert page.query_selector_all(".call") == []
    page.wait_for_selector("#gallery[data-pressed]")
    assert sent_actions(page)[0] == "none"


def test_auto_win_wins(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    switch(page, "win")
    page.wait_for_selector("#gallery[data-pressed]")
    assert sent_actions(page)[0] == "hora"


def test_automatic_actions_keep_wins_and_choices(open_scene: OpenScene) -> None:
    for scene in ("turn", "claims", "kans"):
        page = open_scene(scene)
        switch(page, "no_calls")
        switch(page, "tsumogiri")
        page.wait_for_timeout(AUTOMATIC_MS)
        assert sent_actions(page) == [], scene


def test_automatic_actions_wait_while_the_player_chooses(open_scene: OpenScene) -> None:
    page = open_scene("plain")
    drag(page, "P", middle(page, "mj-centre"), let_go=False)
    page.keyboard.press("g")
    page.wait_for_selector('[data-auto="tsumogiri"][aria-pressed="true"]')
    page.wait_for_timeout(AUTOMATIC_MS)
    assert sent_actions(page) == []
    page.evaluate("document.querySelector('#gallery').dataset.answers = 'pending'")
    page.mouse.up()
    assert sent_actions(page) == ["dahai P false"]


def test_help_sheet_lists_the_keys(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert "Riichi" in page.inner_text("dialog[open] .keys-line:has(kbd:text-is('R'))")
    page.keyboard.press("t")
    assert sent_actions(page) == [], "keys belong to the sheet"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    page.keyboard.press("t")
    assert sent_actions(page) == ["hora"]


def test_settings_apply_at_once_and_after_a_reload(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.keyboard.press(",")
    page.select_option('[data-setting="discard_by"]', "double")
    page.uncheck('[data-setting="auto_sort"]')
    page.keyboard.press("Escape")
    page.click('.own [data-pai="9p"]')
    assert sent_actions(page) == []
    page.reload()
    page.evaluate("document.dispatchEvent(new CustomEvent('show-scene', { detail: 'turn' }))")
    page.wait_for_selector('[data-auto="sort"][aria-pressed="false"]')


def test_last_seconds_are_announced(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    announced = page.evaluate(
        """() => new Promise((done) => {
             const announced = [];
             const clock = document.querySelector(".own-state mj-clock");
             clock.addEventListener("clock-urgent", ({ detail }) => {
               if (announced.push(detail.left) === 2) done([...announced, clock.className]);
             });
             const now = Date.now();
             clock.now = Date.now;
             clock.show({ asked_at: now, base_ms: 0, bank_ms: 4_300, deadline: now + 4_300 });
           })"""
    )
    assert announced[:2] == [5, 4]
    assert "is-urgent" in announced[2]


def test_right_click_passes(open_scene: OpenScene) -> None:
    page = open_scene("chis")
    page.click(".board", button="right", position={"x": 40, "y": 40})
    assert sent_actions(page) == ["none"]


def test_right_click_without_a_pass_does_nothing(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.evaluate(NOTE_MENU)
    page.click('.own [data-pai="9p"]', button="right")
    assert sent_actions(page) == []
    assert page.evaluate("window.menu"), "the browser opens its menu"


def test_right_click_does_not_pass_on_a_win(open_scene: OpenScene) -> None:
    page = open_scene("claims")
    assert page.is_visible(".call--ron")
    page.evaluate(NOTE_MENU)
    page.click(".board", button="right", position={"x": 40, "y": 40})
    assert sent_actions(page) == []
    assert not page.evaluate("window.menu")


def test_long_touch_does_not_pass(open_scene: OpenScene) -> None:
    page = open_scene("chis", touch=True)
    page.dispatch_event(".board", "pointerdown", {"pointerType": "touch", "button": 0})
    page.dispatch_event(".board", "contextmenu", {"button": 2})
    assert sent_actions(page) == []


def test_double_click_on_the_table_discards_the_drawn_tile(open_scene: OpenScene) -> None:
    page = open_scene("plain")
    page.dblclick(".board", position={"x": 40, "y": 40})
    assert sent_actions(page) == ["dahai 7s true"]


def test_double_click_discards_only_the_tile_of_its_first_press(
    open_scene: OpenScene,
) -> None:
    page = open_scene("chis")
    page.mouse.move(40, 40)
    page.mouse.down(click_count=1)
    page.mouse.up(click_count=1)
    page = open_scene("plain")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert sent_actions(page) == []


def test_double_click_declares_no_riichi(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.click(".call--reach")
    page.dblclick(".board", position={"x": 40, "y": 40})
    assert sent_actions(page) == []


def test_short_cuts_of_the_mouse_can_be_switched_off(open_scene: OpenScene) -> None:
    page = open_scene("plain", double_click_discards=False)
    page.dblclick(".board", position={"x": 40, "y": 40})
    assert sent_actions(page) == []
    page = open_scene("chis", right_click_passes=False)
    page.click(".board", button="right", position={"x": 40, "y": 40})
    assert sent_actions(page) == []


def test_copies_in_rivers_and_melds_are_marked_until_the_mouse_rests(open_scene: OpenScene) -> None:
    page = open_scene("turn")
    page.hover('.own [data-pai="5mr"]')
    assert set(page.eval_on_selector_all(".tile--same", FACES)) == {"5m"}
    every = ":is(mj-river, mj-melds) .tile:not(.tile--taken):is([data-pai='5m'], [data-pai='5mr'])"
    assert page.locator(every).count() == page.locator(".tile--same").count() > 1
    page.hover(".tools")
    expect(page.locator(".tile--same")).to_have_count(0)
    page.hover('.own [data-pai="5mr"]')
    expect(page.locator(".tile--same")).not_to_have_count(0)
    expect(page.locator(".tile--same")).to_have_count(0)  # the pointer rests


def test_dora_stands_beside_its_indicator_with_help(open_scene: OpenScene) -> None:
    page = open_scene("riichi")
    assert page.eval_on_selector_all(".dora-row .tile", FACES) == ["3p", "4p", "F", "C", "7m", "8m"]
    page = open_scene("turn")
    assert page.eval_on_selector_all(".dora-row .tile", FACES) == ["3p", "F", "7m", "?", "?"]


def test_touched_tile_lights_up_and_is_not_discarded(open_scene: OpenScene) -> None:
    page = open_scene("turn", touch=True)
    page.tap('.own [data-pai="5mr"]')
    assert set(page.eval_on_selector_all(".tile--same", FACES)) == {"5m"}
    river = page.locator("mj-river .tile:not(.tile--taken)").first
    river.tap()
    pai = river.get_attribute("data-pai")
    assert pai in page.eval_on_selector_all(".tile--same", FACES)
    assert sent_actions(page) == []


def test_copies_stay_dark_if_that_is_switched_off(open_scene: OpenScene) -> None:
    page = open_scene("turn", same_tiles=False)
    page.hover('.own [data-pai="5mr"]')
    assert page.locator(".tile--same").count() == 0


def test_held_tile_is_raised_where_one_tap_discards(open_scene: OpenScene) -> None:
    page = open_scene("plain", touch=True, discard_by="click")
    tile = page.locator('.own [data-pai="P"]')
    tile.dispatch_event("pointerdown", {"pointerType": "touch", "button": 0, "bubbles": True})
    page.wait_for_function(
        "since => performance.now() - since > 600", arg=page.evaluate("performance.now()")
    )
    tile.dispatch_event("click", {"detail": 1})
    assert sent_actions(page) == []
    assert page.locator(".own .tile--raised").count() == 1
    tile.tap()
    assert sent_actions(page) == ["dahai P false"]
