"""Replays recorded frames on a table's page, without a socket, to measure their cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from playwright.sync_api import CDPSession, Page

from game.engine.rules import TENHOU
from tests.kit.recorded_frames import record_frames

HANCHAN_SEED: Final = 4
HANDS: Final = 8
"""The number of the hand after which the page is compared with the page after the first hand."""

_SOCKET: Final = """
  let socket = null;
  class Recording {
    readyState = 0;
    constructor() {
      socket = this;
      setTimeout(() => {
        this.readyState = 1;
        this.onopen?.();
      });
    }
    send(text) {
      const { t, at } = JSON.parse(text);
      if (t === "ping") this.says(JSON.stringify({ t: "pong", at, now: Date.now() }));
    }
    says(data) {
      setTimeout(() => this.onmessage?.({ data }));
    }
    close() {}
  }
  window.WebSocket = Recording;
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  window.played = async (frames, together) => {
    for (let at = 0; at < frames.length; at += together) {
      for (const data of frames.slice(at, at + together)) socket.onmessage({ data });
      await drawn();
    }
  };
"""


@dataclass(frozen=True)
class HeldMemory:
    """What the page still holds after a garbage collection."""

    heap_bytes: int
    nodes: int
    listeners: int


class ReplayedPage:
    """A table's page that gets recorded frames in place of a socket's."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._devtools.send("HeapProfiler.enable")
        page.add_init_script(_SOCKET)
        page.goto(url)
        page.wait_for_selector("mj-status")

    def play(self, texts: Sequence[str], *, together: int = 1) -> None:
        """Send the frames, `together` at a time. After each batch, wait until the page has drawn
        it."""
        self.page.evaluate("([texts, n]) => window.played(texts, n)", [list(texts), together])

    def measure_cost_ms(self, text: str) -> float:
        """Send a frame, wait until the page has drawn it, and return how many milliseconds scripts,
        style and layout took."""
        before = self.busy_ms()
        self.play([text])
        return self.busy_ms() - before

    def busy_ms(self) -> float:
        """Return the milliseconds that all scripts, style and layout of the page have taken so far.
        It is processor time of the page's thread, so that other processes do not count."""
        metrics = self._metrics()
        kinds = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
        return sum(float(metrics[kind]) for kind in kinds) * 1000

    def wait_for_animations(self) -> None:
        """Wait until calls are no longer shown and no tile moves."""
        self.page.wait_for_timeout(2_500)

    def measure_held(self) -> HeldMemory:
        """Wait for the end of all animations, collect garbage, and return the memory that the page
        still holds."""
        self.wait_for_animations()
        for _ in range(2):
            self._devtools.send("HeapProfiler.collectGarbage")
        heap = self._devtools.send("Runtime.getHeapUsage")["usedSize"]
        metrics = self._metrics()
        return HeldMemory(int(heap), int(metrics["Nodes"]), int(metrics["JSEventListeners"]))

    def _metrics(self) -> dict[str, Any]:
        found = self._devtools.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] for metric in found}


def record_hanchan(hands: int = HANDS) -> list[list[str]]:
    """Return the frames of a recorded game for its first dealer, by hand. Each hand ends with the
    deal of the next one, so that the table looks the same after each hand."""
    by_hand: list[list[str]] = [[] for _ in range(hands + 1)]
    for text, hand in record_frames(HANCHAN_SEED, TENHOU, hands + 1, 0):
        by_hand[max(0, hand - 1)].append(text)  # the first frame comes before the first deal
    for hand_before, hand_after in pairwise(by_hand):
        hand_before.append(hand_after.pop(0))
    return by_hand[:hands]
