"""Measures the pages of tables and replays in Chromium: first load, time of an event, memory.

The table's page gets the frames of a recorded game; the server only serves the files. The replay
shows a bots' game; arrow keys step through it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench import report
from bench.servers import own_redis
from bench.slow_network import SlowNetwork, open_slow_port
from tests.kit.fetched import measure_first_load
from tests.kit.processes import Site, migrate_database
from tests.kit.replayed_page import HANDS, ReplayedPage, record_hanchan
from tests.web.tables import open_table
from tools import bundle, system

CHROMIUM_ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARCHIVE_SCRIPT: Final = (
    "from tests.web.archived_games import archive, whole_game; archive('bench', whole_game(2))"
)
REPLAY_STEPS: Final = 300
SLOW_CONNECTION: Final = SlowNetwork(bytes_per_s=50_000, round_trip_s=0.4)
_STEP_SCRIPT: Final = """async (key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
_FIRST_PAINT_SCRIPT: Final = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WINDOW: Final[ViewportSize] = {"width": 1440, "height": 900}


def run(*, quick: bool) -> None:
    """Measure and print the figures, or print that there is no Chromium."""
    report.print_heading("client: the table's page in Chromium, 1440x900, a recorded game")
    program = system.find_program(system.CHROMIUM)
    if program is None:
        print(system.CHROMIUM.advice)
        return
    bundle.main([])
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        redis = stack.enter_context(own_redis())
        database = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        site = Site(redis, directory, migrate_database(database))
        stack.callback(site.stop)
        running_site = site.start_daphne()
        table_id = asyncio.run(open_table(redis.url, []))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_ARGUMENTS)
        _measure_first_visit(browser, running_site.port, f"/table/{table_id}/")
        _measure_table(browser, f"{running_site.url}/table/{table_id}/", 2 if quick else HANDS)
        archive = [sys.executable, "manage.py", "shell", "--no-imports", "-c", ARCHIVE_SCRIPT]
        subprocess.run(archive, env=site.env, check=True)
        _measure_replay(
            browser, f"{running_site.url}/game/bench/replay/", 60 if quick else REPLAY_STEPS
        )
        browser.close()


def _measure_first_visit(browser: Browser, port: int, path: str) -> None:
    """Print the times of the first paint and of the shown table in a new browser over a slow
    network."""
    with open_slow_port(SLOW_CONNECTION, port) as slow_port:
        context = browser.new_context(viewport=WINDOW)
        page = context.new_page()
        begun = time.monotonic()
        page.goto(f"http://127.0.0.1:{slow_port}{path}", wait_until="commit")
        page.wait_for_selector("#loading progress", state="visible")
        page.wait_for_selector("mj-centre .plate", timeout=60_000)
        shown_s = time.monotonic() - begun
        first_paint_s = page.evaluate(_FIRST_PAINT_SCRIPT) / 1000
        context.close()
    rate, delay_ms = SLOW_CONNECTION.bytes_per_s / 1000, SLOW_CONNECTION.round_trip_s * 1000
    label = f"first visit at {rate:.0f} kB/s and {delay_ms:.0f} ms"
    report.print_line(
        label, f"first paint after {first_paint_s:.1f} s, table after {shown_s:.1f} s"
    )


def _measure_table(browser: Browser, url: str, hands: int) -> None:
    fetched = measure_first_load(browser, url)
    total = sum(size for size, _ in fetched)
    report.print_line("first load, compressed", f"{total / 1000:>7.1f} kB in {len(fetched)} files")
    first, *others = record_hanchan(hands)
    without_motion = ReplayedPage(browser.new_page(viewport=WINDOW, reduced_motion="reduce"), url)
    without_motion.play(first)
    report.print_line(
        "an event, applied and drawn",
        report.format_latency(_event_costs_s(without_motion, others[0])),
    )
    page = ReplayedPage(browser.new_page(viewport=WINDOW), url)
    page.play(first)
    after_one = page.measure_held()
    spent = [cost for hand in others for cost in _event_costs_s(page, hand)]
    after_all = page.measure_held()
    report.print_line("an event, with all that moves meanwhile", report.format_latency(spent))
    for label, held in (("1 hand", after_one), (f"{hands} hands", after_all)):
        report.print_line(
            f"after {label}",
            f"{held.heap_bytes / 1e6:>7.2f} MB of heap, {held.nodes:,} nodes,"
            f" {held.listeners:,} listeners",
        )


def _measure_replay(browser: Browser, url: str, steps: int) -> None:
    fetched = measure_first_load(browser, url)
    total = sum(size for size, _ in fetched)
    report.print_line(
        "replay: first load, compressed", f"{total / 1000:>7.1f} kB in {len(fetched)} files"
    )
    page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
    page.goto(f"{url}?hand=2")
    page.wait_for_selector("#replay[data-ready]", state="attached")
    for label, key in (("forward", "ArrowRight"), ("back", "ArrowLeft")):
        costs = step_costs_s(page, key, steps)
        report.print_line(
            f"replay: a step {label}, applied and drawn", report.format_latency(costs)
        )


def step_costs_s(page: Page, key: str, steps: int) -> list[float]:
    """Return the CPU seconds of script, style and layout in the page's thread, for each step."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy_s() -> float:
        found = {
            metric["name"]: metric["value"]
            for metric in session.send("Performance.getMetrics")["metrics"]
        }
        kinds = ("Script", "RecalcStyle", "Layout")
        return sum(float(found[f"{kind}Duration"]) for kind in kinds)

    costs = list[float]()
    for _ in range(steps):
        before = busy_s()
        page.evaluate(_STEP_SCRIPT, key)
        costs.append(busy_s() - before)
    return costs


def _event_costs_s(page: ReplayedPage, texts: list[str]) -> list[float]:
    return [page.measure_cost_ms(text) / 1000 for text in texts]
