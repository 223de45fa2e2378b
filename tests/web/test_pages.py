"""The pages around the table, as a browser shows them."""

from __future__ import annotations

import asyncio
import json
import re
import time

import pytest

from tests.kit.processes import wait_until
from tests.web.players import NewClient
from tests.web.site import RunningSite
from tests.web.tables import open_table
from tests.web.visitor import FetchedPage, Visitor


@pytest.fixture
def visitor(running_site: RunningSite) -> Visitor:
    return Visitor(running_site.daphnes[0].url)


def sat_down(visitor: Visitor) -> str:
    """Click on "Play now"; return the id of the table."""
    page = visitor.submit(visitor.get("/"), "/play/")
    found = re.fullmatch(r"/table/([\w-]+)/", page.path)
    assert found, page
    assert page.status == 200
    return found[1]


def test_one_click_opens_a_table(visitor: Visitor) -> None:
    assert "Play now" in visitor.get("/").text
    table_id = sat_down(visitor)
    page = visitor.get(f"/table/{table_id}/")
    assert f'data-ws="/ws/table/{table_id}/"' in page.text


async def test_guest_sits_among_three_bots(
    running_site: RunningSite, visitor: Visitor, new_client: NewClient
) -> None:
    table_id = sat_down(visitor)
    guest = new_client(running_site.socket_url(table_id), visitor.cookie)
    await guest.open()
    sync = await guest.until("sync")
    assert sync["you"] in range(4)
    assert sync["view"]["bots"].count(True) == 3
    assert sync["view"]["bots"][sync["you"]] is False
    assert sync["view"]["names"][sync["you"]].startswith("Guest ")
    rules = sync["view"]["rules"]
    assert (rules["name"], rules["length"]) == ("tenhou", "east_south")
    leads = {"lead_ms": 400, "deal_ms": 2_500}
    assert sync["time_control"] == {"base_ms": 5_000, "bank_ms": 20_000, **leads}


def test_first_page_links_to_a_running_table(visitor: Visitor, running_site: RunningSite) -> None:
    table_id = sat_down(visitor)
    page = visitor.get("/")
    assert "Return to table" in page.text
    assert f'href="/table/{table_id}/"' in page.text
    stranger = Visitor(running_site.daphnes[1].url)
    assert table_id not in stranger.get("/").text


def test_a_guest_keeps_the_name(visitor: Visitor) -> None:
    sat_down(visitor)
    name = re.search(r"Guest \d{4}", visitor.get("/").text)
    assert name
    sat_down(visitor)
    assert name[0] in visitor.get("/").text


def test_playing_needs_the_token_of_the_page(visitor: Visitor) -> None:
    assert visitor.post("/play/").status == 403
    assert visitor.get("/play/").status == 405


async def test_live_tables_are_listed_for_everybody(
    running_site: RunningSite, new_client: NewClient
) -> None:
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna])
    player = new_client(running_site.socket_url(table_id), anna.cookie)
    await player.open()
    await player.until("sync")
    page = await asyncio.to_thread(Visitor(running_site.daphnes[1].url).get, "/watch/")
    assert f'href="/table/{table_id}/"' in page.text
    assert "East 1" in page.text


async def test_a_private_table_is_not_listed(running_site: RunningSite, visitor: Visitor) -> None:
    people = running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await open_table(running_site.redis.url, people, public=False)
    assert table_id not in visitor.get("/watch/").text
    assert visitor.get(f"/table/{table_id}/").status == 200


@pytest.mark.parametrize("path", ["/table/nothing/", "/game/nothing/", "/nothing"])
def test_unknown_address_is_not_found(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)
    assert page.status == 404
    assert "There is no page at this address" in page.text


def test_opening_tables_is_rate_limited(visitor: Visitor) -> None:
    pages: list[FetchedPage] = []
    minutes: list[float] = []
    while len(pages) < 20 and (not pages or pages[-1].status == 200):
        minutes.append(time.time() // 60)
        pages.append(visitor.submit(visitor.get("/"), "/play/"))
    # The limit counts by the minute of the clock, and the next one may have begun meanwhile.
    assert 5 < minutes.count(minutes[-1]) < 10
    assert pages[-1].status == 429
    assert "One moment" in pages[-1].text


def test_site_reports_its_health(visitor: Visitor) -> None:
    assert visitor.get("/healthz").text == "ok\n"
    wait_until(lambda: visitor.get("/readyz").status == 200, within_s=60, what="it is ready")
    page = visitor.get("/readyz")
    assert json.loads(page.text) == {
        "database": True,
        "redis": True,
        "worker": True,
        "notifications": True,
        "keeps_up": True,
    }


def test_pages_load_nothing_from_elsewhere(visitor: Visitor) -> None:
    for path in ("/", "/watch/"):
        text = visitor.get(path).text
        assert not re.findall(r'(?:src|href)="(?!/|data:|#)[^"]*"', text)
        assert "<style" not in text
        assert " style=" not in text
        assert not re.findall(r"<script(?![^>]* src=)", text)
