"""A visitor plays a hand in Chromium, from the first page on, and somebody else watches."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, ElementHandle, Error, Page, WebSocket

from tests.web.short_forms import full_event

HAND_SECONDS = 240
SIGHT_SECONDS = 10
TILE = ".own button.tile--live:not([aria-disabled])"
CALL = ".call:not([aria-disabled])"
OUTCOME = ".outcome:not([hidden])"


class Visitor:
    """A page, what its socket has sent and received, and what the browser complained about."""

    def __init__(self, browser: Browser, width: int, height: int) -> None:
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        self.page: Page = context.new_page()
        self.sent: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._read_console)

    def _read_console(self, line: Any) -> None:
        if line.type == "error":
            self.complaints.append(line.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: self.received.append(json.loads(text)))

    def rivers(self) -> list[list[str]]:
        """The four rivers, in an order that does not depend on where one sits."""
        rivers: list[list[str]] = self.page.evaluate(
            """() => [...document.querySelectorAll("mj-river")].map((river) =>
                 [...river.querySelectorAll(".tile")].map((tile) => tile.dataset.pai))"""
        )
        return sorted(rivers)

    def sees_result(self) -> bool:
        return self.page.query_selector(OUTCOME) is not None


def pressed(handle: ElementHandle | None, *, twice: bool = False) -> bool:
    """Whether it was there to be pressed, and was."""
    if handle is None:
        return False
    try:
        if twice:
            handle.dblclick(timeout=1_000)
        else:
            handle.click(timeout=1_000)
    except Error:
        return False  # the table went on in the meantime
    return True


def take_turn(page: Page) -> None:
    """Do what is asked, if anything is: win, else let calls go by, else discard."""
    for call in ("tsumo", "ron", "none"):
        if pressed(page.query_selector(f".call--{call}:not([aria-disabled])")):
            return
    tiles = page.query_selector_all(TILE)
    if tiles:
        pressed(tiles[-1], twice=True)


def wait_until(truth: Any, seconds: float, page: Page) -> bool:
    """Whether it becomes true in that time; the browser goes on meanwhile."""
    until = time.monotonic() + seconds
    while not truth():
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(50)
    return True


@pytest.mark.timeout(HAND_SECONDS + 60)
def test_hand_is_played_and_watched(chromium: Browser, address: str) -> None:
    player = Visitor(chromium, 1280, 800)
    player.page.goto(address)
    player.page.get_by_role("button", name="Play now").click()
    player.page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    table_path = player.page.url.removeprefix(address)
    player.page.wait_for_selector(".own button.tile")
    assert len(player.page.query_selector_all(".own button.tile")) in {13, 14}

    watcher = Visitor(chromium, 390, 844)
    watcher.page.goto(f"{address}/watch/")
    watcher.page.click(f'a[href="{table_path}"]')
    watcher.page.wait_for_selector(".own .tile")

    until = time.monotonic() + HAND_SECONDS
    while not play_and_compare(player, watcher, until):  # somebody won with the first tiles
        check_next_hand(player)
    check_result(player, watcher)
    check_sent_messages(player)
    check_spectator_frames(watcher)
    check_next_hand(player)
    assert player.complaints == []
    assert watcher.complaints == []
    player.page.context.close()
    watcher.page.context.close()


def play_and_compare(player: Visitor, watcher: Visitor, until: float) -> int:
    """Play to the end of the hand; how often player and watcher have seen the same rivers."""
    compared = 0
    while not player.sees_result():
        assert time.monotonic() < until, "the hand does not end"
        if not player.sent or player.page.query_selector(f"{CALL}, {TILE}"):
            if compared < 5 and sum(map(len, player.rivers())) > compared * 6:
                assert wait_until(
                    lambda: watcher.rivers() == player.rivers(), SIGHT_SECONDS, watcher.page
                )
                compared += 1
            take_turn(player.page)
        player.page.wait_for_timeout(60)
    return compared


def check_result(player: Visitor, watcher: Visitor) -> None:
    assert wait_until(watcher.sees_result, SIGHT_SECONDS, watcher.page)
    for selector in (".result-title", ".payments"):
        texts = [one.page.inner_text(f"{OUTCOME} {selector}") for one in (player, watcher)]
        assert texts[0] == texts[1] != ""
    assert watcher.page.query_selector(f"{OUTCOME} button[data-action]:not([hidden])") is None


def check_sent_messages(player: Visitor) -> None:
    """Every tile was clicked twice, and still each question was answered once."""
    acts = [frame for frame in player.sent if frame["t"] == "act"]
    assert acts
    assert len({act["cid"] for act in acts}) == len({act["q"] for act in acts})
    assert not [frame for frame in player.received if frame["t"] in {"error", "stale"}]


def check_spectator_frames(watcher: Visitor) -> None:
    assert all(frame["t"] != "act" for frame in watcher.sent)
    shown = [frame for frame in watcher.received if frame["t"] in {"sync", "ev"}]
    assert shown
    for frame in shown:
        assert not frame.get("legal")
        assert frame.get("clock") is None
        for event in map(full_event, frame.get("e", [])):
            assert event["type"] != "answer"
            if event["type"] == "tsumo":
                assert event["pai"] == "?"
        for hand in frame.get("view", {"hands": []})["hands"]:
            assert hand["shown"] or set(hand["tiles"]) <= {"?"}


def check_next_hand(player: Visitor) -> None:
    pressed(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
    assert wait_until(lambda: not player.sees_result(), 30, player.page)
    assert all(len(river) < 3 for river in player.rivers())
