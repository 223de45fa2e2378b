"""The review beside a replay in Chromium is requested, computed by the worker, and shown.

The worker asks two outside engines, one of which ends at its third line. Every test sees the review
with the columns of both.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.e2e.axe import axe_source, axe_violations
from tests.e2e.conftest import PATIENCE_MS, BrowserSite
from tests.kit.commands import manage
from tests.kit.long_form import IS_LONG
from tests.kit.processes import Worker, wait_until

WINDOWS: Final = ((1440, 900), (844, 390), (390, 844), (768, 1024), (320, 568))
ARCHIVE: Final = """
from tests.reviews.games import SHORT_RULES
from bench.bots.games import play_game
from tests.kit.random_games import TEMPERS
from tests.web.archived_games import archive
archive("reviewed", play_game(1, TEMPERS[:4], SHORT_RULES).events)
"""
ENGINE: Final = shlex.join(
    [sys.executable, str(Path(__file__).parents[1] / "reviews" / "reviewer_programs.py")]
)
REVIEWERS: Final = f"Dropper=mjai.app {ENGINE} tsumogiri; Broken=mjai.app {ENGINE} die"
REVIEW_SCRIPT: Final = re.compile(r"/(replay|bundle)/review(-\w+)?\.js$")
COMPUTED_MS: Final = 90_000
DROPPER: Final = re.compile(r"^Dropper: the same choice in (\d+) of (\d+) decisions\.$")
BROKEN: Final = re.compile(
    r"^Broken: the same choice in (\d+) of (\d+) decisions\. "
    r"It stopped before the end of the game\.$"
)
COLUMNS_S: Final = 90
COLUMNS_POLL_MS: Final = 10_000
"""The interval at which the page polls for columns (`static/js/replay/review.js`)."""


@pytest.fixture(scope="module")
def _engines(browser_site: BrowserSite) -> Iterator[None]:
    """Replace the site's worker by one that asks outside engines."""
    (own,) = browser_site.running_site.workers
    asking = Worker({**browser_site.running_site.site.env, "REVIEWERS": REVIEWERS})
    own.stop()
    try:
        asking.start()
        yield
    finally:
        asking.kill()
        own.start()


@pytest.fixture(scope="module")
def replay(browser_site: BrowserSite, _engines: None) -> str:
    manage(browser_site.running_site.site.env, "shell", "--no-imports", "-c", ARCHIVE)
    return f"{browser_site.address}/game/reviewed/replay/"


@pytest.fixture(scope="module")
def reviewed_replay(chromium: Browser, replay: str) -> str:
    """Return the address of a replay with a review that somebody has requested by its button. The
    page has shown the columns of the engines when they were ready."""
    page = open_review(chromium, replay, WINDOWS[0])
    review = page.locator("#review")
    page.get_by_role("button", name="Review", exact=True).click()
    url = str(review.get_attribute("data-review"))
    review.get_by_role("button", name="Review this game").click()
    expect(review.locator(".review-question").first).to_be_visible(timeout=COMPUTED_MS)

    def is_complete() -> bool:
        answer = page.request.get(urljoin(replay, url)).json()
        return all(reviewer["state"] != "queued" for reviewer in answer["review"]["reviewers"])

    wait_until(is_complete, within_s=COLUMNS_S, what="the columns are computed")
    expect(review.get_by_text(BROKEN)).to_be_visible(timeout=COLUMNS_POLL_MS + PATIENCE_MS)
    expect(review.get_by_text(DROPPER)).to_be_visible()
    page.context.close()
    return replay


def open_review(chromium: Browser, address: str, size: tuple[int, int]) -> Page:
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#replay[data-ready]", state="attached")
    return page


def panel(page: Page) -> Locator:
    """Return the review, opened by the button below the board."""
    review = page.locator("#review")
    if not review.is_visible():
        page.locator("[data-command=review]").click()
    expect(review.locator(".review-question").first).to_be_visible()
    return review


def use(what: Locator, by: str) -> None:
    if by == "keys":
        what.focus()
        what.press("Enter")
    elif by == "pointer":
        what.click()
    else:
        what.tap()


@pytest.mark.parametrize("size", WINDOWS if IS_LONG else [WINDOWS[0], WINDOWS[2]], ids=str)
def test_questions_are_answered_by_keys_pointer_and_finger(
    chromium: Browser, reviewed_replay: str, size: tuple[int, int]
) -> None:
    page = open_review(chromium, f"{reviewed_replay}#review", size)
    verdict = page.locator("#review .review-verdict")
    expect(verdict.locator("summary").first).to_be_in_viewport()
    expect(verdict).to_have_attribute("open", "")
    expect(verdict.locator(".review-accuracy")).to_have_text(re.compile(r"in all: [\d.]+%"))
    expect(verdict.locator(".review-luck")).to_have_text(re.compile(r"95 % interval"))
    expect(verdict.get_by_role("img", name="Expected place before each hand")).to_have_count(1)
    expect(page.locator("#review .review-row.chosen")).to_be_visible()  # the first loss
    expect(page.locator("#review .review-sentence").first).to_be_visible()
    expect(page.locator(".replay-hands")).to_be_hidden()
    all_open = page.locator(".replay-toggle").first
    for number, by in enumerate(("keys", "pointer", "finger")):
        review = panel(page)
        use(review.locator(".review-costliest .review-question").nth(number), by)
        picks = review.locator(".review-picks button")
        expect(picks.first).to_be_visible()
        expect(review.locator(".review-row")).to_have_count(0)
        expect(verdict).not_to_have_attribute("open", "")
        expect(all_open).to_have_attribute("aria-pressed", "false")
        use(picks.nth(1), by)
        expect(all_open).to_have_attribute("aria-pressed", "true")
        expect(review.get_by_text(re.compile(r"^Your choice: "))).to_be_visible()
        expect(review.get_by_text(re.compile(r"^Bot: "))).to_be_visible()
        expect(review.locator(".review-row.chosen[open]")).to_have_count(1)
        closed = review.locator(".review-row:not([open])")
        left = closed.count()
        use(closed.first.locator("summary"), by)
        expect(closed).to_have_count(left - 1)
        width = review.evaluate("node => node.scrollWidth - node.clientWidth")
        assert width <= 0, "nothing is wider than the panel"
    page.context.close()


def test_review_that_loads_after_the_replay_shows_the_position(
    chromium: Browser, reviewed_replay: str
) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    held: list[Route] = []
    page.route(REVIEW_SCRIPT, lambda route: held.append(route))
    with page.expect_request(REVIEW_SCRIPT):
        page.goto(f"{reviewed_replay}?hand=1&step=1&seat=0", wait_until="commit")
    page.wait_for_selector("#replay[data-ready]", state="attached")
    (script,) = held
    script.continue_()
    review = panel(page)
    expect(review.locator(".review-row[open]").first).to_be_visible()
    expect(review.locator(".review-question").first).to_have_text(re.compile(r"^East 1"))
    context.close()


def test_figures_are_shown_with_tiles_and_curves(chromium: Browser, reviewed_replay: str) -> None:
    page = open_review(chromium, f"{reviewed_replay}?hand=1&step=1&seat=0", WINDOWS[0])
    expect(page.locator("[data-command=drawer]")).to_be_hidden()
    review = panel(page)
    row = review.locator(".review-row[open]").first
    expect(row.locator(".review-useful .tile").first).to_be_visible()
    count = row.locator(".review-kind").first
    expect(count).to_have_text(re.compile(r"^\u00d7[1-4]$"))
    expect(count.get_by_role("img")).to_have_accessible_name(re.compile(r"[1-4]"))
    faces = row.locator(".face use").evaluate_all(
        "all => all.map((use) => document.querySelector(use.getAttribute('href')) !== null)"
    )
    assert faces
    assert all(faces), "every face is in the sprite of the board"
    for _ in range(200):
        if review.locator(".review-chart").count():
            break
        page.keyboard.press("ArrowRight")
    chart = review.locator(".review-row[open] .review-chart").first
    expect(chart).to_have_accessible_name(re.compile(r"within \d+ draws: tenpai [\d.]+%"))
    expect(chart.locator(".chart-line")).to_have_count(2)
    assert axe_violations(page, axe_source()) == []
    review.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Figures of a review")).to_be_visible()
    page.context.close()


def test_columns_show_choices_and_a_failure_of_reviewers(
    chromium: Browser, reviewed_replay: str
) -> None:
    page = open_review(chromium, f"{reviewed_replay}?hand=1&step=1&seat=0", WINDOWS[0])
    review = panel(page)
    dropper = review.get_by_text(DROPPER)
    expect(dropper).to_have_count(1)
    found = DROPPER.match(dropper.inner_text())
    broken = BROKEN.match(review.get_by_text(BROKEN).inner_text())
    assert found
    assert broken
    same, of = map(int, found.groups())
    assert 0 < same < of
    assert int(broken[2]) < of, "the engine that ended early has fewer answers"
    decision = review.locator(".review-decision")
    choice = decision.locator(".review-bot", has_text="Dropper: ")
    for _ in range(200):
        if choice.get_by_role("img").count():
            break
        page.keyboard.press("ArrowRight")
    tile = choice.get_by_role("img").get_attribute("aria-label")
    marked = decision.locator("summary", has=page.locator(".badge", has_text="Dropper"))
    expect(marked).to_have_count(1)
    assert marked.get_by_role("img").first.get_attribute("aria-label") == tile
    expect(decision.get_by_text(re.compile(r"^Bot: "))).to_be_visible()
    assert axe_violations(page, axe_source()) == []
    page.context.close()


def test_calls_are_shown_at_the_discard_that_offers_them(
    chromium: Browser, reviewed_replay: str
) -> None:
    page = open_review(chromium, f"{reviewed_replay}?hand=1&step=1&seat=0", WINDOWS[0])
    at = page.evaluate(
        """async () => {
          const { review: url } = document.getElementById("review").dataset;
          const { review } = await (await fetch(url)).json();
          const { at, seat } = review.decisions.find(({ claimed, choices }) =>
            claimed && choices.some(({ action }) => action === "pon"));
          document.dispatchEvent(new CustomEvent("goto", { detail: { at, seat } }));
          return at;
        }"""
    )
    assert at > 0
    review = panel(page)
    expect(review.locator("summary", has_text="Pass").first).to_be_visible()
    pon = review.locator("details", has_text="Pon with").first
    if pon.get_attribute("open") is None:
        pon.locator("summary").click()
    expect(pon.locator("summary .tile")).to_have_count(2)
    expect(pon.get_by_text("Then the bot would discard")).to_be_visible()
    page.context.close()
