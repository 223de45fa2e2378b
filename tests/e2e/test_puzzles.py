"""Puzzles in a browser: answered by keyboard, and legible in narrow windows."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from game.puzzles.puzzle import shipped_puzzles


def test_puzzles_are_answered_by_keyboard(window: Page, address: str) -> None:
    for key, puzzle in list(shipped_puzzles().items())[:3]:
        window.goto(f"{address}/learn/puzzles/{key}/")
        best = window.locator(f'button[name="answer"][value="{puzzle.best}"]').first
        best.focus()
        window.keyboard.press("Enter")
        expect(window.locator(".verdict.is-right")).to_be_visible()


def test_list_of_themes_fits_in_every_language(chromium: Browser, address: str) -> None:
    for language in ("en", "fr", "ja"):
        for width in (320, 390):
            context = chromium.new_context(
                viewport={"width": width, "height": 844}, locale=language, is_mobile=True
            )
            page = context.new_page()
            page.goto(f"{address}/learn/puzzles/")
            content: int = page.evaluate("document.documentElement.scrollWidth")
            context.close()
            assert content <= width, language


def test_puzzles_fit_into_narrow_windows(window: Page, address: str) -> None:
    for width, height in ((320, 568), (390, 844)):
        window.set_viewport_size({"width": width, "height": height})
        for key, puzzle in list(shipped_puzzles().items())[::9]:
            window.goto(f"{address}/learn/puzzles/{key}/")
            for answer in (None, puzzle.rival):
                if answer is not None:
                    window.locator(f'button[name="answer"][value="{answer}"]').first.click()
                    expect(window.locator(".verdict")).to_be_visible()
                    window.wait_for_load_state()
                overflow = "document.documentElement.scrollWidth - innerWidth"
                assert window.evaluate(overflow) <= 0, (key, width, answer)
