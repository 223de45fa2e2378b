"""Three people play a game of three, from the form of a new table and its invitation to the ranking
and the replay, with mouse, telephone and keyboard. Again and again the game stops: the page of a
spectator is compared with the server's view, and every window gets another of five sizes."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, Final

import pytest
from playwright.async_api import Page, TimeoutError, expect
from playwright.sync_api import Browser

from game.engine.presets import preset
from game.engine.state import Phase
from game.live.process import Process
from game.tables.room import TableId
from game.tables.settings import CLOCKS
from tests.e2e.conftest import PATIENCE_MS, BrowserSite
from tests.e2e.geometry import OUTSIDE
from tests.e2e.players import Gate, Player, Toucher, Typist, chromium, record_frames
from tests.e2e.table_view import compare_views
from tests.web.tables import open_table

GAME_S: Final = 1_000.0
STOPPED_EVERY: Final = 16
"""The number of events of the table between two stops."""
SIZES: Final = ((1440, 900), (390, 844), (768, 1024), (844, 390), (320, 568))
KINDS: Final = (Player, Toucher, Typist)
SHORT: Final = {
    "rule-start_points": "1000",
    "rule-return_points": "1000",
    "rule-goal_points": "1000",
    "rule-oka": "0",
}
"""Rules under which most payments make a score negative, which ends the game."""

IN_VIEW: Final = ".plate, .call, .own mj-hand .tile, .norths .tile, .tool, .leave, .outcome-foot *"
"""What lies inside a window of any size."""
FITS_ACROSS: Final = "document.documentElement.scrollWidth <= innerWidth"

expect.set_options(timeout=PATIENCE_MS)


async def make_table(page: Page) -> str:
    """Make a table of three for people with the link; return the link."""
    await page.goto("/tables/new/")
    fourth = page.get_by_label("Fourth seat")
    await expect(fourth).to_be_visible()
    await page.get_by_label("Rules", exact=True).select_option("tenhou-3")
    await expect(fourth).to_be_hidden()
    await page.wait_for_selector("[name=rule-nukidora]", state="attached")
    await page.get_by_label("Length").select_option("east")
    await page.get_by_label("Clock").select_option("60+0")
    await page.get_by_label("Who can join").select_option("invited")
    await page.get_by_text("Rules in detail").click()
    await page.get_by_text("Game format").click()
    for name, value in SHORT.items():
        await page.fill(f"[name={name}]", value)
    await page.get_by_role("button", name="Create the table").click()
    await expect(page.locator(".pregame-seat")).to_have_count(3)
    return await page.input_value(".copy-field input[readonly]")


async def sit_down(page: Page, link: str) -> None:
    await page.goto(link)
    await page.get_by_role("button", name="Sit down").click()
    await page.get_by_role("button", name="Ready", exact=True).click()


async def watch(page: Page, link: str) -> None:
    """Follow the link of the table to the running game."""
    await page.goto(link)
    await page.get_by_role("main").get_by_role("link", name="Watch").click()
    await page.wait_for_selector("mj-centre .plate")


async def check_sides(page: Page) -> None:
    """Check that the page shows three seats and no empty fourth side, and does not scroll."""
    await expect(page.locator(".plate:visible")).to_have_count(3)
    for part in (".side--top", ".plate--top", ".stick--top"):
        await expect(page.locator(part)).to_be_hidden()
    await page.wait_for_function(FITS_ACROSS, timeout=PATIENCE_MS)


async def resize(page: Page, number: int, selector: str = IN_VIEW) -> None:
    """Give the window the size of that number, and check that these parts lie inside it."""
    width, height = SIZES[number % len(SIZES)]
    await page.set_viewport_size({"width": width, "height": height})
    is_inside = f"(selector) => ({OUTSIDE})(selector) === 0"
    try:
        await page.wait_for_function(is_inside, arg=selector, timeout=PATIENCE_MS)
    except TimeoutError:
        outside = await page.evaluate(OUTSIDE, selector)
        pytest.fail(f"{outside} parts are outside the window of {page.viewport_size}")


async def leave_and_return(absent: Page, witness: Page) -> None:
    """Let a player close the table; another one sees that. The player comes back to the seat."""
    table, name = absent.url, await absent.text_content(".plate--bottom .plate-who")
    mark = witness.locator(".plate", has_text=name or "?").get_by_label("No connection")
    await absent.goto("about:blank")
    await expect(mark).to_be_visible()
    await absent.goto(table)
    await expect(mark).to_be_hidden()
    await expect(absent.locator(".plate--bottom .plate-who")).to_have_text(name or "?")
    await expect(absent.locator(".own mj-hand .tile").first).to_be_visible()


async def stop_again_and_again(
    process: Process, table_id: TableId, gate: Gate, players: list[Page], spectator: Page
) -> int:
    """Stop the players at the beginning, after some events and after each hand, until the game is
    over: compare the spectator's view, and give the windows other sizes. During the first stop one
    player loads the page again, and another leaves it. Return the number of stops."""
    stops, seen, phase = 0, -STOPPED_EVERY, Phase.IDLE
    while phase != Phase.ENDED:
        room = await process.service.read_room(table_id)
        entered, phase = room.table.phase != phase, room.table.phase
        if (entered and phase == Phase.RESULT) or room.seq(-1) - seen > STOPPED_EVERY:
            await gate.close()
            assert await compare_views(process, table_id, spectator) == []
            stops += 1
            for number, page in enumerate((*players, spectator)):
                await resize(page, number + stops)
                await check_sides(page)
            if stops == 1:
                await players[0].reload()
                await players[0].wait_for_selector("mj-centre .plate")
                await leave_and_return(players[1], players[2])
            gate.open()
            seen = room.seq(-1)
        await asyncio.sleep(0.05)
    return stops


async def watch_replay(page: Page) -> None:
    """Open the replay from the ranking, and step through it in every size."""
    await page.get_by_role("link", name="Hands and replay").click()
    await page.wait_for_url("**/game/**")
    # The worker archives a game some time after its end.
    while (await page.title()).strip().startswith("Page not found"):
        await asyncio.sleep(0.5)
        await page.reload()
    await expect(page.locator("ol.ranking > li")).to_have_count(3)
    await page.get_by_role("link", name="Watch the replay").click()
    await page.wait_for_selector("#replay[data-ready]", state="attached")
    await expect(page.locator(".timeline-key li").first).to_be_attached()
    await expect(page.locator(".timeline-key")).not_to_contain_text("Chi")
    for number in range(len(SIZES)):
        for _ in range(3):
            await page.keyboard.press("ArrowDown")
        await resize(page, number, ".plate, .norths .tile")
        await check_sides(page)


def refusals(player: Player) -> list[dict[str, Any]]:
    """Return the refusals that the page received, without those that show only a slow machine: its
    contribution to the wall came late, or Redis did not answer in time."""
    return [
        frame
        for frame in player.received
        if frame["t"] == "error"
        and frame["code"] != "unavailable"
        and (frame["code"] != "illegal" or "cid" in frame)
    ]


async def play_game(browser_site: BrowserSite) -> None:
    process, gate = Process(browser_site.redis_url), Gate()
    errors: list[str] = []
    try:
        async with chromium() as browser:
            pages = []
            for number, (width, height) in enumerate(SIZES[:4]):
                options: dict[str, Any] = {"has_touch": KINDS[number:][:1] == (Toucher,)}
                context = await browser.new_context(
                    **options,
                    base_url=browser_site.address,
                    reduced_motion="reduce",
                    viewport={"width": width, "height": height},
                )
                pages.append(await context.new_page())
                pages[-1].on("pageerror", lambda error: errors.append(str(error)))
            *seated, spectator = pages
            players = [
                kind(page, gate, Random(number))
                for number, (kind, page) in enumerate(zip(KINDS, seated, strict=True))
            ]
            for player in players:
                record_frames(player)
            host = seated[0]
            link = await make_table(host)
            for friend in seated[1:]:
                await sit_down(friend, link)
            await host.get_by_role("button", name="Ready", exact=True).click()
            for page in seated:
                await page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
                await page.wait_for_selector("mj-centre .plate")
            await watch(spectator, link)
            table_id = TableId(host.url.split("/")[-2])
            async with asyncio.timeout(GAME_S), asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(player.play())
                assert await stop_again_and_again(process, table_id, gate, seated, spectator)
            await spectator.get_by_role("button", name="Final ranking").click()
            for page in pages:
                await expect(page.locator(".ranking .rank-who")).to_have_count(3)
            names = [await page.locator(".ranking .rank-who").all_inner_texts() for page in pages]
            assert names == names[:1] * 4
            for page in pages:
                for number in range(len(SIZES)):
                    await resize(page, number, ".ranking li, .outcome-foot .button")
            await watch_replay(host)
            assert errors == []
            for player in players:
                assert refusals(player) == []
    finally:
        await process.stop()


def test_board_in_the_list_of_tables_leaves_the_side_across_free(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    with ThreadPoolExecutor(1) as elsewhere:
        opening = open_table(browser_site.redis_url, [], CLOCKS["5+20"], rules=preset("tenhou-3"))
        elsewhere.submit(asyncio.run, opening).result()
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{browser_site.address}/watch/")
    card = page.locator(".live-table", has_text="Tenhou, three players")
    card.locator(".live-side .live-tile").first.wait_for(timeout=PATIENCE_MS)
    sides = card.locator(".live-side").all()
    classes = [(side.get_attribute("class") or "").split("--")[-1] for side in sides]
    assert classes == ["0", "1", "3"]
    page.close()


@pytest.mark.timeout(GAME_S + 60)
def test_three_people_play_a_game_from_the_invitation_to_the_replay(
    browser_site: BrowserSite,
) -> None:
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright's event loop occupies this thread
        elsewhere.submit(asyncio.run, play_game(browser_site)).result()
