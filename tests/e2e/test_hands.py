"""Three visitors play a hand each, to its end: one by keys alone, one by finger, one by drags."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, WebSocket

HAND_SECONDS = 240
LOOK_S = 0.05
OUTCOME = ".outcome:not([hidden])"
GO_ON = f"{OUTCOME} button[data-action]"
CALL = ".call--{}:not([aria-disabled])"
TILE = ".own mj-hand button.tile--live:not([aria-disabled])"
WIN_OR_PASS = ("tsumo", "ron", "none", "tenpai")
PATIENCE_MS = 1_000
"""What cannot be pressed by then has gone with its question."""
PAGE_MS = 30_000


class Seat:
    """A visitor at a table of bots, and what its socket has sent and heard."""

    def __init__(self, browser: Browser, address: str, *, finger: bool = False) -> None:
        size = {"width": 390, "height": 844} if finger else {"width": 1024, "height": 768}
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]}, has_touch=finger
        )
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.sent: list[dict[str, Any]] = []
        self.refused: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address, timeout=PAGE_MS)
        self.page.get_by_role("button", name="Play now").click(timeout=PAGE_MS)
        self.page.wait_for_url(re.compile(r"/table/[\w-]+/$"), timeout=PAGE_MS)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self._keep(json.loads(text), self.sent, {"act"}))
        socket.on(
            "framereceived",
            lambda text: self._keep(json.loads(text), self.refused, {"error", "stale"}),
        )

    @staticmethod
    def _keep(frame: dict[str, Any], kept: list[dict[str, Any]], types: set[str]) -> None:
        if frame["t"] in types:
            kept.append(frame)

    def has(self, selector: str) -> bool:
        return self.page.query_selector(selector) is not None

    @property
    def is_over(self) -> bool:
        return self.has(OUTCOME)


def by_keys(seat: Seat) -> None:
    """Letters for calls; a digit or an arrow to a tile, and Enter."""
    keyboard = seat.page.keyboard
    if seat.has(CALL.format("tsumo")) or seat.has(CALL.format("ron")):
        keyboard.press("t")
    elif seat.has(CALL.format("none")):
        keyboard.press("n")
    elif seat.has(TILE):
        keyboard.press("ArrowLeft" if len(seat.sent) % 2 else "End")
        keyboard.press("Enter")


def by_finger(seat: Seat) -> None:
    """One tap for calls, two for a tile."""
    for call in WIN_OR_PASS:
        if seat.has(CALL.format(call)):
            return seat.page.tap(CALL.format(call))
    tiles = seat.page.query_selector_all(TILE)
    if tiles:
        tile = tiles[len(seat.sent) % len(tiles)]
        tile.tap()
        tile.tap()
    return None


def by_drag(seat: Seat) -> None:
    """Tiles are dragged onto the table; calls cannot be, and are clicked."""
    for call in WIN_OR_PASS:
        if seat.has(CALL.format(call)):
            return seat.page.click(CALL.format(call))
    tiles = seat.page.query_selector_all(TILE)
    box = tiles[len(seat.sent) % len(tiles)].bounding_box() if tiles else None
    if box is not None:
        mouse = seat.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        mouse.move(500, 300, steps=3)
        mouse.up()
    return None


def go_on_by_keys(seat: Seat) -> None:
    seat.page.wait_for_selector(GO_ON, timeout=PAGE_MS)
    seat.page.keyboard.press("Enter")


def go_on_by_finger(seat: Seat) -> None:
    seat.page.tap(GO_ON, timeout=PAGE_MS)


def go_on_by_mouse(seat: Seat) -> None:
    seat.page.click(GO_ON, timeout=PAGE_MS)


Way = tuple[Seat, Callable[[Seat], None], Callable[[Seat], None]]


@pytest.mark.timeout(HAND_SECONDS + 60)
def test_a_hand_is_played_by_keys_by_finger_and_by_drag(chromium: Browser, address: str) -> None:
    ways: list[Way] = [
        (Seat(chromium, address), by_keys, go_on_by_keys),
        (Seat(chromium, address, finger=True), by_finger, go_on_by_finger),
        (Seat(chromium, address), by_drag, go_on_by_mouse),
    ]
    until = time.monotonic() + HAND_SECONDS
    while ways:
        playing = [act.__name__ for _, act, _ in ways]
        assert time.monotonic() < until, f"the hand does not end: {playing}"
        for seat, act, go_on in list(ways):
            if not seat.is_over:
                attempted(seat, act)
                continue
            check_what_was_sent(seat, act.__name__)
            check_the_result_is_left(seat, go_on)
            ways.remove((seat, act, go_on))
        time.sleep(LOOK_S)


def attempted(seat: Seat, act: Callable[[Seat], None]) -> None:
    """Do it; the table may go on at any moment, and with it what was there to press."""
    try:
        act(seat)
    except Error:
        seat.page.mouse.up()


def check_the_result_is_left(seat: Seat, go_on: Callable[[Seat], None]) -> None:
    go_on(seat)
    seat.page.wait_for_selector(OUTCOME, state="hidden", timeout=PAGE_MS)
    assert seat.sent[-1]["a"] == {"type": "confirm"}
    assert seat.complaints == []
    seat.page.context.close()


def check_what_was_sent(seat: Seat, how: str) -> None:
    """Each question was answered once, and no answer was refused or came too late."""
    assert seat.sent, how
    assert len({act["q"] for act in seat.sent}) == len({act["cid"] for act in seat.sent}), how
    assert [act["a"]["type"] for act in seat.sent].count("dahai") > 0, how
    assert seat.refused == [], how
