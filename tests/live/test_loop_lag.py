"""A process knows when it is late, and a site when all its web servers are."""

from __future__ import annotations

import asyncio

import pytest

from game.live.loop_lag import BEHIND_FACTOR, KEPT_TICKS, LoopLag
from game.live.spectator_pacer import AT_ONCE, SpectatorPacer
from game.tables.room import TableId
from tests.tables.staging import MakeProcess, wait_for

LIMIT_MS = 50
LATE_S = 2 * LIMIT_MS / 1000


def test_one_stall_makes_a_process_behind_but_not_busy() -> None:
    lag = LoopLag(LIMIT_MS)
    for _ in range(KEPT_TICKS):
        lag.note(0.0)
    lag.note(2 * BEHIND_FACTOR * LIMIT_MS / 1000)
    assert (lag.is_behind, lag.is_busy) == (True, False)
    for _ in range(KEPT_TICKS):
        lag.note(0.0)
    assert (lag.is_behind, lag.is_busy) == (False, False)


def test_process_is_busy_when_it_is_late_for_seconds_and_recovers_within_them() -> None:
    lag = LoopLag(LIMIT_MS)
    for _ in range(KEPT_TICKS - 1):
        lag.note(LATE_S)
    assert not lag.is_busy, "it may have just started"
    lag.note(LATE_S)
    assert (lag.is_behind, lag.is_busy) == (False, True)
    for _ in range(KEPT_TICKS):
        lag.note(0.0)
    assert not lag.is_busy


def test_without_a_limit_no_process_is_busy() -> None:
    lag = LoopLag(0)
    for _ in range(KEPT_TICKS):
        lag.note(60.0)
    assert (lag.is_behind, lag.is_busy) == (False, False)


async def test_stall_of_the_loop_is_measured() -> None:
    lag, loop = LoopLag(1), asyncio.get_running_loop()
    lag.start()
    handle = lag._tick
    assert handle is not None
    lag.stop()
    lag._measure(loop, handle.when() - 5.0)
    lag.stop()
    assert lag.is_behind


class Page:
    """A spectator's socket that counts its writes."""

    writes = 0

    def flush(self) -> None:
        self.writes += 1


async def test_spectators_of_a_process_that_is_behind_get_several_frames_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("game.live.spectator_pacer.BEHIND_PAUSE_S", 0.01)
    lag, page = LoopLag(LIMIT_MS), Page()
    pacer = SpectatorPacer(lag)
    pacer.send(TableId("a"), [page])
    assert page.writes == 1, "a process that keeps up sends at once"
    lag.note(60.0)
    for _ in range(5):
        pacer.send(TableId("a"), [page])
    assert page.writes == 1
    await wait_for(lambda: page.writes == 2)
    await pacer.stop()


async def test_process_that_is_behind_serves_all_spectators_after_one_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pause_s = "game.live.spectator_pacer.BEHIND_PAUSE_S"

    class First(Page):
        """The next pause does not end within the test."""

        def flush(self) -> None:
            super().flush()
            monkeypatch.setattr(pause_s, 3_600)

    monkeypatch.setattr(pause_s, 0.01)
    lag, pages = LoopLag(LIMIT_MS), [First(), *(Page() for _ in range(5 * AT_ONCE))]
    lag.note(60.0)
    pacer = SpectatorPacer(lag)
    pacer.send(TableId("a"), pages)
    await wait_for(lambda: all(page.writes == 1 for page in pages), wait_s=20)
    await pacer.stop()


async def test_site_is_busy_when_all_living_web_servers_are(make_process: MakeProcess) -> None:
    first, second, page = [await make_process(name) for name in ("first", "second", "page")]
    busy = {"first": True, "second": False}
    for process in (first, second):
        name = process.heartbeat.process
        process.heartbeat.is_busy = lambda name=name: busy[name]  # type: ignore[misc]
        await process.heartbeat.register()
        await process.heartbeat.beat()
    assert not await page.heartbeat.is_site_busy(), "the second has room"
    busy["second"] = True
    await second.heartbeat.beat()
    assert await page.heartbeat.is_site_busy()
    await first.heartbeat.unregister()
    assert await page.heartbeat.is_site_busy()
    await second.heartbeat.unregister()
    assert not await page.heartbeat.is_site_busy(), "no web server has said so"
