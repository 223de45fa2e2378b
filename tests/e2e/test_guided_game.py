"""The guided first game is played through in Chromium, by pressing what its guide points at."""

from __future__ import annotations

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
NEXT = """(known) => {
  const step = document.getElementById("guide").dataset.step;
  const isOver = step === "won" || step === "off";
  return isOver || (step !== known && document.querySelector(".guide-target") !== null);
}"""


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
        assert steps_of(page) == STEPS["pon"]
        page.click('#guide form[action="/learn/guided/riichi/"] button')
        page.wait_for_selector('#guide[data-hand="riichi"]', timeout=WITHIN_MS)
        assert steps_of(page) == STEPS["riichi"]
        assert complaints == []
    finally:
        context.close()


def steps_of(page: Page) -> set[str]:
    """Press what the guide points at until the hand is over; return the steps with their texts."""
    seen: set[str] = set()
    step = ""
    while step not in ("won", "off"):
        page.wait_for_function(NEXT, arg=step, timeout=WITHIN_MS)
        step = page.get_attribute("#guide", "data-step") or ""
        texts = page.locator("#guide-text p:visible").all_inner_texts()
        assert len(texts) == 1, step
        assert texts[0], step
        seen.add(step)
        target = page.query_selector(".guide-target")
        if target is not None and step not in ("won", "off"):
            assert target.get_attribute("aria-describedby") == "guide-text"
            press(page)
    return seen


def press(page: Page) -> None:
    """Press the control that the guide points at, which may be drawn anew meanwhile."""
    try:
        page.click(".guide-target:not([aria-disabled])", timeout=WITHIN_MS)
    except Error:
        assert page.query_selector(".guide-target") is None
