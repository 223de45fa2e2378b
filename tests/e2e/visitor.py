"""A page in Chromium that plays a table, and the messages of its socket."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import Browser, ElementHandle, Error, Page, WebSocket

TILE = ".own button.tile--live:not([aria-disabled])"
CALL = ".call:not([aria-disabled])"
OUTCOME = ".outcome:not([hidden])"


class Visitor:
    """A page, the messages of its socket, and the errors in the browser's console."""

    def __init__(self, browser: Browser, width: int, height: int) -> None:
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        self.page: Page = context.new_page()
        self.sent: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.console_errors: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        self.page.on("console", self._read_console)

    def _read_console(self, line: Any) -> None:
        if line.type == "error":
            self.console_errors.append(line.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: self.received.append(json.loads(text)))

    def rivers(self) -> list[list[str]]:
        """Return the four rivers, in an order that is the same for every viewer."""
        rivers: list[list[str]] = self.page.evaluate(
            """() => [...document.querySelectorAll("mj-river")].map((river) =>
                 [...river.querySelectorAll(".tile")].map((tile) => tile.dataset.pai))"""
        )
        return sorted(rivers)

    def sees_result(self) -> bool:
        return self.page.query_selector(OUTCOME) is not None


def press(handle: ElementHandle | None, *, twice: bool = False) -> bool:
    """Press the element; return False if it is gone."""
    if handle is None:
        return False
    try:
        if twice:
            handle.dblclick(timeout=1_000)
        else:
            handle.click(timeout=1_000)
    except Error:
        return False  # the table has changed since the element was found
    return True


def take_turn(page: Page) -> None:
    """Answer an open question: win, set a north aside, pass, or discard the last tile."""
    for call in ("tsumo", "ron", "kita", "none"):
        if press(page.query_selector(f".call--{call}:not([aria-disabled])")):
            return
    tiles = page.query_selector_all(TILE)
    if tiles:
        press(tiles[-1], twice=True)


def wait_until(condition: Any, seconds: float, page: Page) -> bool:
    """Return whether `condition()` becomes true within that time, while the page runs on."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(50)
    return True
