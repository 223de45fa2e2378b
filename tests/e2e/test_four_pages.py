"""Four people play a hand with mouse, telephone, keyboard, and a connection that is cut again and
again. With LONG=1 they play an East round. A spectator's page is compared with the server's view
all the time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page

from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.live.process import Process
from game.tables.room import TableId
from tests.e2e.conftest import BrowserSite
from tests.e2e.players import Gate, Player, Toucher, Typist, chromium, record_frames
from tests.e2e.table_view import compare_views
from tests.kit.long_form import IS_LONG
from tests.kit.network_proxy import NetworkProxy
from tests.web.site import SignedPerson
from tests.web.tables import open_table

EAST_ROUND: Final = replace(TENHOU, length="east", tobi=False, renchan="none", extra_round=False)
"""Four hands, unless one is aborted."""
HANDS: Final = 4 if IS_LONG else 1
"""The least number of hands that are compared."""
COMPARISONS: Final = 4
"""The least number of comparisons: if the first hands are short, further ones are played."""
ROUND_S: Final = 1_000.0
COMPARED_EVERY: Final = 20
"""The number of events of the table between two comparisons."""
CUT_EVERY: Final = 6
"""The number of presses between two cuts of the unstable player's connection."""
OUT_S: Final = 0.4

DESK: Final = {"viewport": {"width": 1024, "height": 640}}
TABLET: Final = {"viewport": {"width": 800, "height": 600}}
TELEPHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class UnstablePlayer(Player):
    """A player whose connection breaks, often directly after a press."""

    network_proxy: NetworkProxy
    cuts = 0

    async def after_pressing(self) -> None:
        if self.pressed // CUT_EVERY > self.cuts and not self.is_over:
            self.cuts += 1
            self.network_proxy.disconnect()
            await asyncio.sleep(OUT_S)
            self.network_proxy.reconnect()
        await super().after_pressing()


class Site:
    """Pages of one table, in one browser."""

    def __init__(self, browser: Browser, table_id: TableId) -> None:
        self.browser = browser
        self.path = f"/table/{table_id}/"
        self.console_errors: list[str] = []

    async def window(
        self, address: str, person: SignedPerson | None, window: dict[str, Any]
    ) -> Page:
        """Open an empty page for that player, or for a spectator."""
        context = await self.browser.new_context(
            **window, reduced_motion="reduce", base_url=address
        )
        if person is not None:
            name, _, value = person.cookie.partition("=")
            await context.add_cookies([{"name": name, "value": value, "url": address}])
        page = await context.new_page()
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        return page

    async def enter(self, page: Page) -> None:
        """Open the table on that page."""
        await page.goto(self.path)
        await page.wait_for_selector("mj-centre .plate")
        await page.evaluate("window.isTheSamePage = true")


async def compare_while_played(
    process: Process, table_id: TableId, spectator: Page, gate: Gate
) -> int:
    """Compare after every hand and after every `COMPARED_EVERY` events until `HANDS` hands are over
    and all players have confirmed the result of the last one. Return the number of
    comparisons."""
    compared, hands, seen, phase = 0, 0, 0, Phase.IDLE
    while phase != Phase.ENDED and (
        hands < HANDS or compared < COMPARISONS or phase == Phase.RESULT
    ):
        room = await process.service.read_room(table_id)
        seq, entered = room.seq(-1), room.table.phase != phase
        phase = room.table.phase
        is_hand_over = entered and phase in (Phase.RESULT, Phase.ENDED)
        if is_hand_over or seq - seen > COMPARED_EVERY:
            await gate.close()
            room = await process.service.read_room(table_id)
            phase = room.table.phase
            if phase != Phase.ENDED:
                assert await compare_views(process, table_id, spectator) == []
            gate.open()
            compared, seen = compared + 1, room.seq(-1)
            hands += is_hand_over
        await asyncio.sleep(0.05)
    return compared


def check_one_answer_per_question(player: Player) -> set[str]:
    """Check that the player answered each question once; the same answer may be sent again.
    Return the kinds of the answers."""
    answers = {(frame["q"], frame["cid"]) for frame in player.sent if frame["t"] == "act"}
    assert len(answers) == len({q for q, _ in answers})
    return {frame["a"]["type"] for frame in player.sent if frame["t"] == "act"}


@pytest.mark.timeout(ROUND_S + 60)
def test_four_pages_and_a_spectator_show_the_same_table(browser_site: BrowserSite) -> None:
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright's event loop occupies this thread
        elsewhere.submit(asyncio.run, play_hands(browser_site)).result()


async def play_hands(browser_site: BrowserSite) -> None:
    people = browser_site.running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await open_table(browser_site.redis_url, people, rules=EAST_ROUND)
    process = Process(browser_site.redis_url)
    network_proxy = NetworkProxy(browser_site.address)
    try:
        async with chromium() as browser:
            site, gate = Site(browser, table_id), Gate()
            windows: list[dict[str, Any]] = [DESK, TELEPHONE, TABLET, TABLET]
            kinds: list[type[Player]] = [Player, Toucher, Typist, UnstablePlayer]
            players: list[Player] = []
            for number, (person, window, kind) in enumerate(
                zip(people, windows, kinds, strict=True)
            ):
                address = network_proxy.address if kind is UnstablePlayer else browser_site.address
                page = await site.window(address, person, window)
                players.append(kind(page, gate, Random(number)))
                record_frames(players[-1])
                await site.enter(page)
            unlucky = players[-1]
            assert isinstance(unlucky, UnstablePlayer)
            unlucky.network_proxy = network_proxy
            spectator = await site.window(browser_site.address, None, TABLET)
            await site.enter(spectator)
            async with asyncio.timeout(ROUND_S), asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(player.play()) for player in players]
                times = await compare_while_played(process, table_id, spectator, gate)
                if not IS_LONG:  # else they play on until the ranking is shown
                    await gate.close()
                    for task in playing:
                        task.cancel()
            assert times >= max(COMPARISONS, HANDS + 1)
            assert unlucky.cuts >= HANDS
            for page in (spectator, *(player.page for player in players)):
                assert await page.evaluate("window.isTheSamePage"), "a page was loaded anew"
            assert site.console_errors == []
            for player in players:
                assert any(frame["t"] == "act" for frame in player.sent)
                refused = [frame for frame in player.received if frame["t"] == "error"]
                assert refused == []
            answered = [check_one_answer_per_question(player) for player in players]
            assert all("dahai" in kinds for kinds in answered)
            # Each has only some seconds to confirm a result, which a busy machine may take away.
            assert any("confirm" in kinds for kinds in answered)
    finally:
        await process.stop()
        network_proxy.close()
