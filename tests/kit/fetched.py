"""What a browser that comes for the first time fetches of a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser


def first_load(browser: Browser, url: str) -> list[tuple[int, str]]:
    """Each file of that table's page, with its bytes on the line, headers and all; the heaviest
    first."""
    context = browser.new_context()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    names: dict[str, str] = {}
    fetched: list[tuple[int, str]] = []

    def asked(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["request"]["url"]

    def came(event: dict[str, Any]) -> None:
        fetched.append((int(event["encodedDataLength"]), names[event["requestId"]]))

    devtools.on("Network.requestWillBeSent", asked)
    devtools.on("Network.loadingFinished", came)
    devtools.send("Network.enable")
    page.goto(url)
    page.wait_for_selector("mj-centre .plate")
    page.wait_for_load_state("networkidle")
    context.close()
    return sorted(fetched, reverse=True)
