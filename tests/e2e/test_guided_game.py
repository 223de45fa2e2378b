"""The guided first game is played through in Chromium, by pressing what its guide points at."""

from __future__ import annotations

import contextlib
import os

import pytest
from playwright.sync_api import Browser, Error, Page

WITHIN_MS = 60_000
LANGUAGES = ("en", "fr", "ja")
STEPS = {
    "pon": {"discard", "pon", "after_pon", "tsumo", "won"},
    "riichi": {"discard", "honour", "riichi", "riichi_tile", "tsumo", "won"},
}
"""The steps at which the learner has to do something, and the last one."""
NEXT = """() => {
  const step = document.getElementById("guide").dataset.step;
  return ["won", "off"].includes(step) || document.querySelector(".guide-target") !== null;
}"""
SHOWN = """() => [
  document.getElementById("guide").dataset.step,
  [...document.querySelectorAll("#guide-text p:not([hidden])")].map((node) => node.innerText),
  document.querySelector(".guide-target")?.getAttribute("aria-describedby") ?? null,
]"""
PRESS_MS = 2_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES if os.environ.get("LONG") else LANGUAGES[-1:])
def test_both_hands_are_won_by_following_the_guide(
    chromium: Browser, address: str, language: str
) -> None:
    context = chromium.new_context(locale=language, reduced_motion="reduce")
    try:
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/learn/guided/")
        assert page.get_attribute("html", "lang") == language
        page.click('form[action="/learn/guided/pon/"] button')
        page.wait_for_selector('#guide[data-hand="pon"]', timeout=WITHIN_MS)
        assert steps_of(page) >= STEPS["pon"]
        page.click('#guide form[action="/learn/guided/riichi/"] button')
        page.wait_for_selector('#guide[data-hand="riichi"]', timeout=WITHIN_MS)
        assert steps_of(page) >= STEPS["riichi"]
        assert complaints == []
    finally:
        context.close()


def steps_of(page: Page) -> set[str]:
    """Press what the guide points at until the hand is over; return the steps with their texts."""
    seen: set[str] = set()
    while True:
        page.wait_for_function(NEXT, timeout=WITHIN_MS)
        step, texts, described = page.evaluate(SHOWN)
        assert len(texts) == 1, step
        assert texts[0], step
        seen.add(step)
        if step in ("won", "off"):
            return seen
        assert described in ("guide-text", None), step
        press(page)


def press(page: Page) -> None:
    """Press the control that the guide points at. It may be drawn anew meanwhile: the next round
    presses it then."""
    with contextlib.suppress(Error):
        page.click(".guide-target:not([aria-disabled])", timeout=PRESS_MS)
    page.wait_for_timeout(50)
