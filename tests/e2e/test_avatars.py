"""Avatars at the table in Chromium: a tile on its coloured ground, beside the name."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from tests.e2e.gallery import resize, show

SPILLED = """() => [...document.querySelectorAll(".avatar .face")].filter((face) => {
  const [inner, outer] = [face, face.closest(".avatar")].map((one) => one.getBoundingClientRect());
  return inner.width < 4 || inner.left < outer.left || inner.right > outer.right
      || inner.top < outer.top || inner.bottom > outer.bottom;
}).length"""


def count_avatars(page: Page) -> int:
    assert page.evaluate(SPILLED) == 0
    return page.locator(".avatar:visible").count()


def test_ranking_and_speech_show_avatars(chromium: Browser, address: str) -> None:
    page = chromium.new_page(reduced_motion="reduce")
    for size in ("desktop", "tablet", "telephone on its side"):
        show(resize(page, size), address, "end")
        page.locator(".rank .avatar").wait_for()
        assert count_avatars(page) == 1, "bots have none"
    show(resize(page, "desktop"), address, "turn")
    page.click(".tool--chat")
    page.locator(".chat-phrases button").first.click()
    page.locator(".speech .avatar").wait_for()
    assert count_avatars(page) == 1
    page.close()
