"""What a browser has to fetch before the first tile is seen."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import Browser

from tests.e2e.conftest import House
from tests.web.tables import table_opened

ALARM_BYTES = 120_000
"""The page may have 150 kB; this is where to think about it."""


def test_the_first_load_of_a_table_is_light(chromium: Browser, house: House) -> None:
    with ThreadPoolExecutor(1) as elsewhere:
        opening = table_opened(house.redis_url, [])
        table_id = elsewhere.submit(asyncio.run, opening).result()
    context = chromium.new_context()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    names: dict[str, str] = {}
    fetched: list[tuple[int, str]] = []

    def asked(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["request"]["url"].removeprefix(house.address)

    def came(event: dict[str, Any]) -> None:
        fetched.append((int(event["encodedDataLength"]), names[event["requestId"]]))

    devtools.on("Network.requestWillBeSent", asked)
    devtools.on("Network.loadingFinished", came)
    devtools.send("Network.enable")
    page.goto(f"{house.address}/table/{table_id}/")
    page.wait_for_selector("mj-centre .plate")
    page.wait_for_load_state("networkidle")
    context.close()
    assert len(fetched) > 10
    assert sum(size for size, _ in fetched) < ALARM_BYTES, sorted(fetched, reverse=True)[:12]
