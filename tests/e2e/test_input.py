"""Mouse, finger and keys on the gallery's tables: what is pressed is what was meant, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def opened(chromium: Browser, address: str) -> Iterator[Opened]:
    """Opens a scene of the gallery, with a mouse or with a finger."""
    windows: dict[bool, Page] = {}

    def open_scene(scene: str, *, finger: bool = False) -> Page:
        if finger not in windows:
            context = chromium.new_context(
                viewport={"width": 844, "height": 390}, has_touch=finger, reduced_motion="reduce"
            )
            windows[finger] = context.new_page()
        page = windows[finger]
        page.goto(f"{address}/gallery/?scene={scene}")
        page.wait_for_selector(".own .tile")
        return page

    yield open_scene
    for page in windows.values():
        page.context.close()


def pressed(page: Page) -> list[str]:
    """The actions that would have been sent."""
    noted = page.get_attribute("#gallery", "data-pressed") or ""
    return noted.split(";")[:-1]


def test_a_click_discards_the_tile(opened: Opened) -> None:
    page = opened("turn")
    page.click('.own [data-pai="5mr"]')
    assert pressed(page) == ["dahai 5mr false"]


def test_the_tile_set_apart_is_the_drawn_one(opened: Opened) -> None:
    page = opened("turn")
    page.click(".own .tile--drawn")
    assert pressed(page) == ["dahai 7s true"]


def test_a_double_click_acts_once(opened: Opened) -> None:
    page = opened("turn")
    page.dblclick('.own [data-pai="E"]')
    assert pressed(page) == ["dahai E false"]


def test_a_finger_raises_the_tile_first(opened: Opened) -> None:
    page = opened("turn", finger=True)
    page.tap('.own [data-pai="E"]')
    assert pressed(page) == []
    page.tap('.own [data-pai="P"]')
    assert pressed(page) == [], "another tile is raised instead"
    page.tap('.own [data-pai="P"]')
    assert pressed(page) == ["dahai P false"]


def test_a_double_tap_acts_once(opened: Opened) -> None:
    page = opened("turn", finger=True)
    for _ in range(3):
        page.tap('.own [data-pai="P"]')
    assert pressed(page) == ["dahai P false"]


def test_a_finger_presses_a_call_at_once(opened: Opened) -> None:
    page = opened("claims", finger=True)
    page.tap(".call--pon")
    assert pressed(page) == ["pon 4p 4p"]


def test_riichi_is_declared_with_the_tile_clicked_next(opened: Opened) -> None:
    page = opened("turn")
    page.click(".call--reach")
    page.click('.own [data-pai="5mr"]')
    assert pressed(page) == ["reach 5mr false"]


def test_riichi_can_be_taken_back(opened: Opened) -> None:
    page = opened("turn")
    page.click(".call--reach")
    page.click(".call--cancel")
    page.click('.own [data-pai="E"]')
    assert pressed(page) == ["dahai E false"]


def test_letters_press_the_calls(opened: Opened) -> None:
    page = opened("claims")
    page.keyboard.press("p")
    assert pressed(page) == ["pon 4p 4p"]


def test_a_call_that_can_be_made_in_several_ways_asks_which(opened: Opened) -> None:
    page = opened("claims")
    page.click(".call--chi")
    assert pressed(page) == []
    page.click(".call--chi >> nth=2")
    assert pressed(page) == ["chi 3p 5pr"]


def test_letters_choose_among_the_ways_to_call(opened: Opened) -> None:
    page = opened("claims")
    for _ in range(3):
        page.keyboard.press("c")
    assert pressed(page) == []
    page.keyboard.press("Enter")
    assert pressed(page) == ["chi 3p 5p"]


def test_escape_goes_back_from_the_ways_to_call(opened: Opened) -> None:
    page = opened("ways")
    page.keyboard.press("Escape")
    page.wait_for_selector(".call--pon")
    assert pressed(page) == []


def test_the_focus_goes_on_to_the_ways_to_call(opened: Opened) -> None:
    page = opened("claims")
    page.focus(".call--chi")
    page.keyboard.press("Enter")
    page.wait_for_selector(".call--way:focus")
    assert pressed(page) == []


def test_escape_passes(opened: Opened) -> None:
    page = opened("claims")
    page.keyboard.press("Escape")
    assert pressed(page) == ["none"]


def test_arrows_and_enter_discard(opened: Opened) -> None:
    page = opened("turn")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert pressed(page) == ["dahai 7s true"]


def test_the_same_digit_twice_discards(opened: Opened) -> None:
    page = opened("turn")
    page.keyboard.press("2")
    assert pressed(page) == []
    page.keyboard.press("2")
    assert pressed(page) == ["dahai 3m false"]


def test_the_focus_stays_where_it_was_while_an_answer_is_on_its_way(opened: Opened) -> None:
    page = opened("turn")
    page.evaluate("document.querySelector('#gallery').dataset.answers = 'pending'")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert pressed(page) == ["dahai 7s true"]
    page.wait_for_selector('.own [data-pai="7s"][aria-disabled]:focus')
    page.keyboard.press("Enter")
    page.click('.own [data-pai="E"]', force=True)
    assert pressed(page) == ["dahai 7s true"]


def test_enter_confirms_a_result(opened: Opened) -> None:
    page = opened("ron")
    page.keyboard.press("Enter")
    assert pressed(page) == ["confirm"]


def test_every_tile_and_call_has_a_name(opened: Opened) -> None:
    page = opened("claims")
    names = [node.get_attribute("aria-label") for node in page.query_selector_all(".call")]
    assert "Pon, 4 of circles, 4 of circles" in names
    page = opened("turn")
    names = [node.get_attribute("aria-label") for node in page.query_selector_all(".own .tile")]
    assert "5 of characters (red)" in names
    assert all(names)


def test_a_finished_game_leads_on(opened: Opened) -> None:
    page = opened("end")
    ways = page.query_selector_all(".outcome-foot a, .outcome-foot button")
    assert [way.inner_text() for way in ways if way.is_visible()] == [
        "First page",
        "All hands",
        "Play again",
    ]
