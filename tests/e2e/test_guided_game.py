"""The guided first game is played in Chromium by pressing what its guide points at."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.e2e.axe import axe_source, axe_violations
from tests.kit.long_form import IS_LONG

WITHIN_MS = 60_000
LANGUAGES = ("en", "fr", "ja")
STEPS = {
    "pon": {"discard", "pon", "after_pon", "tsumo", "won"},
    "riichi": {"discard", "honour", "pass", "riichi", "riichi_tile", "tsumo", "won"},
}
"""The steps at which the learner has to act, and the last step."""
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


@pytest.mark.parametrize("language", LANGUAGES if IS_LONG else LANGUAGES[-1:])
def test_both_hands_are_won_by_following_the_guide(
    chromium: Browser, address: str, language: str
) -> None:
    context = chromium.new_context(locale=language, reduced_motion="reduce")
    try:
        page = context.new_page()
        console_errors: list[str] = []
        page.on("pageerror", lambda error: console_errors.append(str(error)))
        page.goto(f"{address}/learn/guided/")
        assert page.get_attribute("html", "lang") == language
        page.click('form[action="/learn/guided/pon/"] button')
        page.wait_for_selector('#guide[data-hand="pon"]', timeout=WITHIN_MS)
        assert steps_of(page) >= STEPS["pon"]
        page.click('#guide form[action="/learn/guided/riichi/"] button')
        page.wait_for_selector('#guide[data-hand="riichi"]', timeout=WITHIN_MS)
        assert steps_of(page) >= STEPS["riichi"]
        assert console_errors == []
    finally:
        context.close()


def test_hand_is_won_by_keyboard_and_accessible(chromium: Browser, address: str) -> None:
    context = chromium.new_context(locale="en", reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(f"{address}/learn/guided/")
        page.locator('form[action="/learn/guided/pon/"] button').press("Enter")
        page.wait_for_selector("#guide .guide-text p:not([hidden])", timeout=WITHIN_MS)
        assert axe_violations(page, axe_source()) == []
        help_display = page.locator("mj-hints").evaluate("node => getComputedStyle(node).display")
        assert help_display == "none", "the guide replaces the help"
        assert steps_of(page, press_by_keyboard) >= STEPS["pon"]
        expect(page.locator(".button--main:visible")).to_have_count(1)
        expect(page.get_by_role("button", name="Final ranking")).to_be_hidden()
        expect(page.locator(".outcome-foot")).to_be_hidden()
        expect(page.get_by_text("Last hand", exact=True)).to_be_hidden()
        assert axe_violations(page, axe_source()) == []
    finally:
        context.close()


def test_hand_can_be_restarted_after_another_discard(chromium: Browser, address: str) -> None:
    context = chromium.new_context(locale="en", reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(f"{address}/learn/guided/")
        page.click('form[action="/learn/guided/pon/"] button')
        page.wait_for_selector('#guide[data-step="discard"]', timeout=WITHIN_MS)
        first = page.url
        own = page.locator('.own mj-hand button.tile[data-pai="2m"]:not([aria-disabled])')
        own.press("Enter", timeout=WITHIN_MS)
        page.wait_for_selector('#guide[data-step="off"]', timeout=WITHIN_MS)
        assert page.locator(".guide-target").count() == 0
        expect(page.locator("#guide")).to_contain_text("the explanations end here")
        page.get_by_role("button", name="Start this hand again").click()
        page.wait_for_url(lambda url: "/table/" in url and url != first, timeout=WITHIN_MS)
        page.wait_for_selector('#guide[data-step="discard"]', timeout=WITHIN_MS)
    finally:
        context.close()


CUT_STEPS = """() => {
  const guide = document.getElementById("guide");
  const parts = [...guide.querySelectorAll("[data-on]")];
  const steps = new Set(parts.flatMap((part) => part.dataset.on.split(" ")));
  return [...steps].filter((step) => {
    for (const part of parts) part.hidden = !part.dataset.on.split(" ").includes(step);
    return guide.scrollHeight > guide.clientHeight + 1;
  });
}"""
"""Steps whose text and buttons do not fit into the guide."""


@pytest.mark.parametrize("language", LANGUAGES if IS_LONG else ["fr"])
def test_every_step_fits_a_telephone(chromium: Browser, address: str, language: str) -> None:
    context = chromium.new_context(
        locale=language, reduced_motion="reduce", viewport={"width": 390, "height": 844}
    )
    try:
        page = context.new_page()
        for hand in ("pon", "riichi"):
            page.goto(f"{address}/learn/guided/")
            page.click(f'form[action="/learn/guided/{hand}/"] button')
            page.wait_for_selector("#guide .guide-text p:not([hidden])", timeout=WITHIN_MS)
            for width, height in ((390, 844), (768, 1024), (844, 390), (1280, 720)):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(CUT_STEPS) == [], (hand, width)
    finally:
        context.close()


def steps_of(page: Page, act: Callable[[Page, str], None] | None = None) -> set[str]:
    """Press what the guide points at until the hand is over, by `act` or the mouse; return the
    steps with their texts."""
    seen: set[str] = set()
    while True:
        page.wait_for_function(NEXT, timeout=WITHIN_MS)
        step, texts, described = page.evaluate(SHOWN)
        hand = page.get_attribute("#guide", "data-hand")
        # The explanation of furiten stays until the learner has won by self-draw.
        assert len(texts) == (2 if (hand, step) == ("riichi", "tsumo") else 1), step
        assert all(texts), step
        seen.add(step)
        if step in ("won", "off"):
            return seen
        assert described in ("guide-text", None), step
        (act or press)(page, step)


def press(page: Page, step: str) -> None:
    """Press the control that the guide points at, unless `step` is over meanwhile: each step has to
    be seen before it is pressed. A control that is drawn again is pressed in the next round."""
    at_step = f'body:has(#guide[data-step="{step}"])'
    with contextlib.suppress(Error):
        page.click(f"{at_step} .guide-target:not([aria-disabled])", timeout=PRESS_MS)
    page.wait_for_timeout(50)


def press_by_keyboard(page: Page, step: str) -> None:
    """Move the focus by the Tab key to what the guide points at, and press Enter, unless `step` is
    over meanwhile."""
    for _ in range(80):
        if page.get_attribute("#guide", "data-step") != step:
            return
        if page.evaluate("document.activeElement.matches('.guide-target:not([aria-disabled])')"):
            page.keyboard.press("Enter")
            break
        page.keyboard.press("Tab")
    page.wait_for_timeout(50)
