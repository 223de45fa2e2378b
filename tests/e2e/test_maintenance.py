"""Players make requests at a table in Chromium: a pause, an early end, leaving."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import BrowserSite
from tests.web.tables import open_table

SIZES = {"desktop": (1440, 900), "telephone": (390, 844)}


@pytest.fixture(params=list(SIZES))
def page(request: pytest.FixtureRequest, chromium: Browser, address: str) -> Iterator[Page]:
    """Yield a page at a table against three bots."""
    width, height = SIZES[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    page.wait_for_selector(".own button.tile")
    yield page
    context.close()


def propose(page: Page, choice: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name=choice).click()


def test_only_player_pauses_resumes_and_ends_the_game(page: Page) -> None:
    propose(page, "Pause the game")
    panel = page.get_by_role("status", name="Game options")
    expect(panel).to_contain_text("The game is paused.")
    expect(page.locator(".own button.tile--live:not([aria-disabled])")).to_have_count(0)
    box = panel.bounding_box()
    viewport = page.viewport_size
    assert box is not None
    assert viewport is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= viewport["width"]
    panel.get_by_role("button", name="Resume").click()
    expect(panel).to_be_hidden()
    propose(page, "End the game")
    question = page.get_by_role("dialog", name="End the game?")
    question.get_by_role("button", name="Play on").click()
    expect(question).to_be_hidden()
    propose(page, "End the game")  # which is offered as long as the game runs
    question.get_by_role("button", name="End the game").click()
    expect(page.locator(".outcome-body")).to_contain_text("Game broken off")
    expect(page.locator(".ranking li")).to_have_count(4)
    expect(page.locator(".rank-place, .rank-points")).to_have_count(0)
    page.set_viewport_size({"width": 844, "height": 390})
    body, row, text = (
        page.locator(at).bounding_box()
        for at in (".ranking-parts", ".rank >> nth=0", ".result-meaning")
    )
    assert body is not None
    assert row is not None
    assert text is not None
    assert row["width"] == body["width"], "the room of the missing chart is used"
    assert text["x"] == body["x"]


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_only_player_who_leaves_keeps_the_seat(page: Page) -> None:
    table = page.url
    page.locator("a.leave").click()
    page.get_by_role("button", name="Leave (a bot plays on)").click()
    page.wait_for_url(lambda url: url != table)
    page.get_by_role("link", name="Return to table").click()
    page.wait_for_url(table)
    expect(page.locator(".own button.tile").first).to_be_visible()


def test_player_who_left_can_return_in_another_window(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    people = browser_site.running_site.sign_in("Anna", "Bruno")
    with ThreadPoolExecutor(1) as elsewhere:
        opening = open_table(browser_site.redis_url, people)
        table_id = elsewhere.submit(asyncio.run, opening).result()
    context = chromium.new_context(reduced_motion="reduce")
    name, _, value = people[0].cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": browser_site.address}])
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(f"{browser_site.address}/table/{table_id}/")
        page.wait_for_selector(".own button.tile")
    first.locator("a.leave").click()
    first.get_by_role("button", name="Leave (a bot plays on)").click()
    beside = second.get_by_role("status", name="Game options")
    expect(beside).to_contain_text("You have left this table, and a bot plays for you.")
    expect(second.locator(".own button.tile--live, .call")).to_have_count(0)
    expect(second.locator(".own-state mj-clock")).to_be_hidden()
    beside.get_by_role("button", name="Return to seat").click()
    expect(beside).to_be_hidden()
    second.locator("a.leave").click()
    second.get_by_role("dialog", name="Leave the table?").wait_for()
    context.close()
