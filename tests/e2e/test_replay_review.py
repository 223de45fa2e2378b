"""The review beside a replay in Chromium: asked for, computed by the worker, and shown."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from tests.e2e.axe import axe_source, axe_violations
from tests.e2e.conftest import BrowserSite

ARCHIVE: Final = (
    "from tests.web.archived_games import archive, whole_game; archive('reviewed', whole_game(2))"
)
COMPUTED_MS: Final = 90_000


@pytest.fixture
def replay(browser_site: BrowserSite) -> str:
    program = [sys.executable, "manage.py", "shell", "--no-imports", "-c", ARCHIVE]
    env = browser_site.served.site.env
    subprocess.run(program, env=env, cwd=settings.BASE_DIR, check=True)
    return f"{browser_site.address}/game/reviewed/replay/"


def test_questions_hide_their_answers_until_asked(chromium: Browser, replay: str) -> None:
    page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(replay)
    page.wait_for_selector("#replay[data-ready]", state="attached")
    review = page.locator("#review")
    review.get_by_role("button", name="Review this game").click()
    questions = review.locator(".review-question")
    expect(questions.first).to_be_visible(timeout=COMPUTED_MS)
    assert 1 <= questions.count() <= 10
    questions.first.click()
    expect(review.locator(".review-tile").first).to_be_visible()
    expect(review.locator(".review-table")).to_have_count(0)
    review.get_by_role("button", name="Show the answer").click()
    expect(review.locator(".review-table tbody tr.chosen")).to_have_count(1)
    expect(review.get_by_text(re.compile(r"^The bot would "))).to_be_visible()
    assert axe_violations(page, axe_source()) == []
    review.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Figures of a review")).to_be_visible()
