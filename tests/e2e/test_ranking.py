"""A game is watched to its end in Chromium: the page shows the result of the last hand, then the
ranking."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Browser

from game.engine.events import GameEnded
from game.engine.rules import RuleSet
from tests.e2e.conftest import BrowserSite
from tests.web.tables import log_of, open_table

SHORT = RuleSet(start_points=1_000, return_points=1_000, goal_points=1_000, oka=0)
"""Rules under which one deal-in makes a score negative and ends the game."""
GAME_MS = 120_000


def test_final_ranking_is_shown(chromium: Browser, browser_site: BrowserSite) -> None:
    with ThreadPoolExecutor(1) as elsewhere:
        opening = open_table(browser_site.redis_url, [], rules=SHORT, bot="sensible")
        table_id = elsewhere.submit(asyncio.run, opening).result()
        page = chromium.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.goto(f"{browser_site.address}/table/{table_id}/")
        page.get_by_role("button", name="Final ranking").click(timeout=GAME_MS)
        page.wait_for_selector(".ranking li")
        log = elsewhere.submit(asyncio.run, log_of(browser_site.redis_url, table_id)).result()
    last_event = log[-1]
    assert isinstance(last_event, GameEnded)
    rows = page.locator(".ranking li").all_inner_texts()
    by_place = sorted(range(4), key=lambda seat: last_event.placement[seat][0])
    assert len(rows) == 4
    for row, seat in zip(rows, by_place, strict=True):
        assert f"b{seat}" in row
        assert f"{last_event.scores[seat]:,}".replace("-", "\u2212") in row
    page.close()
