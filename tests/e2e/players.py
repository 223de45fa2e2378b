"""Plays pages by real clicks, taps and keys: reads what a page offers, chooses an action by simple
rules, and presses it as a person would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Error, Page, WebSocket, async_playwright

from game.engine.hand import distance
from game.engine.tiles import TEXT_TO_TILE
from tests.e2e.conftest import ARGUMENTS
from tools import system

Offered = dict[str, Any]

UPPER_ROW: Final = (*(f"Digit{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)), "Minus", "Equal")
"""The keys of the tiles by their place; the last has the key after them."""
LAST_KEY: Final = "Backspace"
DRAWN_KEY: Final = "KeyD"

MIDDLE_OF_TABLE: Final = (400, 240)
"""The point to which tiles are dragged, inside every tested window."""

OFFERED: Final = """() => new Promise((resolve) => {
  const root = document.getElementById("table");
  if (root === null) throw new Error("the page shows no table");
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const pressable = (selector) => [...root.querySelectorAll(selector)].filter((node) =>
    !node.hasAttribute("aria-disabled") && node.checkVisibility());
  const look = () => {
    const hand = [...root.querySelectorAll(".own mj-hand .tile")];
    const found = {
      hand: hand.map((node) => node.dataset.pai),
      tiles: pressable(".own button.tile--live").map((node) => ({
        ...middle(node), pai: node.dataset.pai, place: hand.indexOf(node),
        isDrawn: node.classList.contains("tile--drawn") })),
      calls: pressable("mj-prompt .call").map((node) => ({
        ...middle(node), letter: node.dataset.letter,
        call: [...node.classList].find((name) => /^call--(?!way|more)/.test(name)).slice(6) })),
      confirm: pressable(".outcome button[data-action]").map(middle)[0] ?? null,
      next: pressable(".outcome-foot button:not([data-action], .button--quiet)").map(middle)[0],
      isOver: root.querySelector("mj-ranking:not([hidden]) li") !== null,
    };
    const isAsked = found.confirm || found.next || found.tiles.length || found.calls.length;
    if (!found.isOver && !isAsked) return false;
    observer.disconnect();
    clearInterval(timer);
    resolve(found);
    return true;
  };
  let isPlanned = false;
  const observer = new MutationObserver(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      look();
    });
  });
  const timer = setInterval(look, 250);
  if (!look()) observer.observe(root, { subtree: true, childList: true, attributes: true });
})"""


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    program = system.find_browser()
    if program is None:
        pytest.fail(system.CHROMIUM.advice)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


class Gate:
    """A gate through which all players press: they press while it is open. `close` returns once no
    player is about to press anything."""

    def __init__(self) -> None:
        self.closings = 0
        """How often it was closed. Controls may have moved meanwhile."""
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._busy = 0
        self._idle = asyncio.Condition()

    async def __aenter__(self) -> None:
        await self._is_open.wait()
        self._busy += 1

    async def __aexit__(self, *_: object) -> None:
        self._busy -= 1
        async with self._idle:
            self._idle.notify_all()

    async def close(self) -> None:
        self.closings += 1
        self._is_open.clear()
        async with self._idle:
            await self._idle.wait_for(lambda: self._busy == 0)

    def open(self) -> None:
        self._is_open.set()


@dataclass
class Player:
    """A player with a mouse, who wins, sets norths aside and declares riichi when possible,
    sometimes calls, and discards towards tenpai."""

    page: Page
    gate: Gate
    rng: Random
    calls_one_in: int = 6
    pressed: int = 0
    """The number of presses."""
    is_over: bool = False
    sent: list[dict[str, Any]] = field(default_factory=list)
    received: list[dict[str, Any]] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)

    async def play(self) -> None:
        """Play until the ranking is shown."""
        while not self.is_over:
            closings = self.gate.closings
            try:
                offered: Offered = await self.page.evaluate(OFFERED)
                self.is_over = offered["isOver"]
                async with self.gate:
                    if closings == self.gate.closings:
                        await self.answer(offered)
            except Error as error:
                if "closed" in str(error):
                    raise
            await self.after_pressing()

    async def answer(self, offered: Offered) -> None:
        """Press the control of the chosen action."""
        if self.is_over:
            return
        self.pressed += 1
        if offered["confirm"] is not None:
            await self.press_confirm(offered["confirm"])
        elif (button := offered.get("next")) is not None:
            await self.press_next(button)
        elif (call := self.chosen_call(offered)) is not None:
            await self.press_call(call)
        elif offered["tiles"]:
            await self.press_tile(self.chosen_tile(offered))

    def chosen_call(self, offered: Offered) -> dict[str, Any] | None:
        calls: dict[str, dict[str, Any]] = {call["call"]: call for call in offered["calls"]}
        for wanted in ("tsumo", "ron", "kita", "reach"):
            if wanted in calls:
                return calls[wanted]
        bold = [calls[name] for name in ("pon", "chi") if name in calls]
        if bold and ("none" not in calls or self.rng.randrange(self.calls_one_in) == 0):
            return self.rng.choice(bold)
        return calls.get("none")

    def chosen_tile(self, offered: Offered) -> dict[str, Any]:
        def left_with(tile: dict[str, Any]) -> tuple[int, int]:
            rest = list(offered["hand"])
            rest.remove(tile["pai"])
            exchanges, useful = distance(tuple(sorted(TEXT_TO_TILE[pai] for pai in rest)))
            return exchanges, -useful.bit_count()

        tiles: list[dict[str, Any]] = self.rng.sample(offered["tiles"], len(offered["tiles"]))
        return min(tiles, key=left_with)

    async def press_confirm(self, button: dict[str, Any]) -> None:
        await self.page.mouse.click(button["x"], button["y"])

    async def press_next(self, button: dict[str, Any]) -> None:
        """Press the button that leads from the result of the last hand to the ranking."""
        await self.press_confirm(button)

    async def press_call(self, call: dict[str, Any]) -> None:
        await self.page.mouse.click(call["x"], call["y"])

    async def press_tile(self, tile: dict[str, Any]) -> None:
        """Click the tile, or in turn with that, drag it onto the table."""
        mouse = self.page.mouse
        if self.pressed % 2:
            await mouse.click(tile["x"], tile["y"])
            return
        await mouse.move(tile["x"], tile["y"])
        await mouse.down()
        await mouse.move(*MIDDLE_OF_TABLE, steps=2)
        await mouse.up()

    async def after_pressing(self) -> None:
        """Wait a moment until the page has taken the answer."""
        await asyncio.sleep(0.03)


def record_frames(player: Player) -> None:
    """Record what the sockets of the page send and receive."""

    def note(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: player.sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: player.received.append(json.loads(text)))

    player.page.on("websocket", note)


class Toucher(Player):
    """A player with a telephone: the first tap raises a tile, the second discards it."""

    async def press_confirm(self, button: dict[str, Any]) -> None:
        await self.page.touchscreen.tap(button["x"], button["y"])

    async def press_call(self, call: dict[str, Any]) -> None:
        await self.page.touchscreen.tap(call["x"], call["y"])

    async def press_tile(self, tile: dict[str, Any]) -> None:
        await self.page.touchscreen.tap(tile["x"], tile["y"])
        await self.page.wait_for_selector(".own .tile--raised", timeout=1_000)
        box = await self.page.locator(".own .tile--raised").bounding_box()
        if box is not None:
            await self.page.touchscreen.tap(
                box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            )


class Typist(Player):
    """A player with only a keyboard."""

    async def press_confirm(self, button: dict[str, Any]) -> None:
        await self.page.keyboard.press("Enter")

    async def press_next(self, button: dict[str, Any]) -> None:
        """Move the focus to the button with Tab, and press Enter."""
        for _ in range(60):
            await self.page.keyboard.press("Tab")
            if await self.page.evaluate("document.activeElement.matches('.outcome-foot button')"):
                break
        await self.page.keyboard.press("Enter")

    async def press_call(self, call: dict[str, Any]) -> None:
        """Press the call's letter. If several calls share it, it only moves the focus: press
        Enter."""
        await self.page.keyboard.press(call["letter"])
        if await self.page.evaluate("document.activeElement.matches('mj-prompt .call')"):
            await self.page.keyboard.press("Enter")

    async def press_tile(self, tile: dict[str, Any]) -> None:
        """Press the key of the tile twice; for the drawn tile, use End and Enter every second
        time."""
        place = tile["place"]
        if self.pressed % 2 and tile["isDrawn"]:
            await self.page.keyboard.press("End")
            await self.page.keyboard.press("Enter")
            return
        key = UPPER_ROW[place] if place < len(UPPER_ROW) else LAST_KEY
        for _ in range(2):  # the first press only moves the focus
            await self.page.keyboard.press(DRAWN_KEY if tile["isDrawn"] else key)
