"""Avatars at the table in Chromium: a tile on its coloured ground, beside the name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.gallery import resize, show

WINDOWS = {
    "desktop": (1440, 900),
    "small desktop": (1280, 720),
    "tablet": (1024, 640),
    "tablet upright": (768, 1024),
}

SPILLED = """() => [...document.querySelectorAll(".avatar .face")].filter((face) => {
  if (!face.checkVisibility()) return false;
  const [inner, outer] = [face, face.closest(".avatar")].map((one) => one.getBoundingClientRect());
  return inner.width < 4 || inner.left < outer.left || inner.right > outer.right
      || inner.top < outer.top || inner.bottom > outer.bottom;
}).length"""


def count_avatars(page: Page) -> int:
    assert page.evaluate(SPILLED) == 0
    return page.locator(".avatar:visible").count()


@pytest.mark.parametrize("size", ["desktop", "tablet", "small desktop", "tablet upright"])
def test_plates_have_faces_and_levels_where_there_is_room(
    window: Page, address: str, size: str
) -> None:
    resize(window, size, WINDOWS)
    for scene in ("turn", "watch", "three_turn"):
        show(window, address, scene)
        assert window.locator(".plate--bottom .avatar").is_visible()
        assert count_avatars(window) == 1
        assert window.locator(".plate--left .plate-level").inner_text() == "Strong"
        assert window.locator(".plate--bottom .plate-level").is_hidden()
    show(window, address, "declared")
    assert window.locator(".plate--left .plate-level").inner_text() == "2011"
    assert window.locator(".plate--left .plate-who").get_attribute("title") == "Haru, rating 2011"
    assert count_avatars(window) == 3


def test_names_have_full_contrast(window: Page, address: str) -> None:
    show(resize(window, "desktop"), address, "turn")
    assert window.locator(".plate--left .plate-who").get_attribute("title") == "Haru (Strong)"
    colour = "(node) => getComputedStyle(node).color"
    name = window.locator(".plate--left .plate-who").evaluate(colour)
    assert name == window.locator(".table").evaluate(colour), "a name has full contrast"
    assert count_avatars(show(resize(window, "telephone upright"), address, "turn")) == 0


def test_ranking_and_speech_show_avatars(chromium: Browser, address: str) -> None:
    page = chromium.new_page(reduced_motion="reduce")
    for size in ("desktop", "tablet", "telephone on its side"):
        show(resize(page, size), address, "end")
        page.locator(".rank .avatar").wait_for()
        assert page.evaluate(SPILLED) == 0
        assert page.locator(".rank .avatar").count() == 1, "bots have none"
    show(resize(page, "desktop"), address, "turn")
    page.click(".tool--chat")
    page.locator(".chat-phrases button").first.click()
    page.locator(".speech .avatar").wait_for()
    assert count_avatars(page) == 2
    page.close()
