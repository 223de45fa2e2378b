"""Measures the files that a browser without a cache loads for a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser


def measure_first_load(browser: Browser, url: str) -> list[tuple[int, str]]:
    """Return pairs of size (in bytes, headers included) and URL of the files that the page at `url`
    loads, the largest first."""
    context = browser.new_context()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    names: dict[str, str] = {}
    fetched: list[tuple[int, str]] = []

    def note_request(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["request"]["url"]

    def note_finished(event: dict[str, Any]) -> None:
        fetched.append((int(event["encodedDataLength"]), names[event["requestId"]]))

    devtools.on("Network.requestWillBeSent", note_request)
    devtools.on("Network.loadingFinished", note_finished)
    devtools.send("Network.enable")
    page.goto(url)
    page.wait_for_selector("mj-centre .plate")
    page.wait_for_load_state("networkidle")
    context.close()
    return sorted(fetched, reverse=True)
