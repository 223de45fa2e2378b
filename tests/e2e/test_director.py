"""The director's page of a tournament in Chromium, on a desktop and on a telephone, and what
players see of the tournament."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import BrowserSite
from tests.kit.site_scripts import run_script
from tests.web.site import SignedPerson

WAIT_MS = 60_000
PATH = "/clubs/director/events/cup/"
_FOUND = """
import json, sys
from game.engine.presets import PRESETS
import msgspec
from lobby.models import Club, EventPlayer, Membership, Event
people = json.load(sys.stdin)
club = Club.objects.create(slug="director", name="Director's Club", entry="open", is_public=False)
Membership.objects.create(club=club, person_id=people[0], role="owner")
cup = Event.objects.create(
    club=club, slug="cup", name="Autumn Cup", rules=msgspec.to_builtins(PRESETS["ema-2025"]),
    clock="60+0", format="rounds", rounds=2, method="balanced", fill="refuse", round_minutes=75,
)
for person in people[1:]:
    Membership.objects.create(club=club, person_id=person)
    EventPlayer.objects.create(event=cup, person_id=person)
"""


_NOTE_TITLES = """
new MutationObserver(() => sessionStorage.setItem(
  "titles", (sessionStorage.getItem("titles") ?? "") + document.title + "|"
)).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Records the titles of the page: for a moment the title says that the table is ready, before the
page of the table is opened."""


@contextmanager
def page_of(
    chromium: Browser, site: BrowserSite, one: SignedPerson, width: int, height: int
) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=site.address,
        viewport={"width": width, "height": height},
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(WAIT_MS)
    name, _, value = one.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": site.address}])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert errors == []


@pytest.fixture(scope="module")
def people(browser_site: BrowserSite) -> list[SignedPerson]:
    """Return the official, and the four players of a tournament that has not begun."""
    running_site = browser_site.running_site
    signed = running_site.sign_in("Annabel", "Benedict", "Chiyo", "Delphine", "Emil")
    run_script(running_site.site.env, _FOUND, json.dumps([visitor.person for visitor in signed]))
    return signed


def expect_no_sideways_scrolling(page: Page) -> None:
    page.wait_for_load_state()  # wait for all style sheets
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{page.url} is {width} px too wide"


def test_official_runs_a_round(
    chromium: Browser, browser_site: BrowserSite, people: list[SignedPerson]
) -> None:
    official, benedict = people[:2]
    with (
        page_of(chromium, browser_site, official, 1440, 900) as desk,
        page_of(chromium, browser_site, benedict, 390, 844) as player,
    ):
        player.add_init_script(_NOTE_TITLES)
        player.goto(PATH)
        expect(player.get_by_label("Notify me when my table is ready")).to_be_visible()
        player.get_by_role("button", name="Check in").click()
        expect(player.get_by_text("You are checked in.")).to_be_visible()
        expect_no_sideways_scrolling(player)
        desk.goto(f"{PATH}officials/")
        expect(desk.locator(".check-in .badge")).to_have_text(["here"])
        desk.get_by_role("link", name="Start round 1").click()
        desk.get_by_role("button", name="Start round 1").click()
        expect(desk.locator(".counts")).to_contain_text("1 game is running")
        player.wait_for_url("**/table/**")
        assert "Your table is ready." in player.evaluate("sessionStorage.getItem('titles')")
        expect(player.locator(".status-round")).to_contain_text("Round 7")
        expect(desk.locator(".director-table .alarm")).to_have_text(["not at the table"] * 3)

        desk.get_by_role("link", name="Table 1").focus()
        desk.keyboard.press("Enter")
        desk.get_by_label("Reason").first.focus()
        desk.keyboard.type("the lamp fell")
        desk.keyboard.press("Tab")  # skip the field of the minutes
        desk.keyboard.press("Tab")
        expect(desk.get_by_role("button", name="Stop the clocks")).to_be_focused()
        desk.keyboard.press("Enter")
        expect(desk.locator(".director-table .standing")).to_have_text("clocks stopped")
        notice = player.locator(".requests-notice")
        expect(notice).to_have_text("An official has stopped the clocks. Reason: the lamp fell")
        expect(player.locator(".status-round")).to_contain_text("stopped")

    with page_of(chromium, browser_site, official, 390, 844) as phone:
        for language in ("en", "fr", "ja"):
            for path in ("officials/", "officials/1/1/", "log/"):
                phone.set_extra_http_headers({"Accept-Language": language})
                phone.goto(f"{PATH}{path}")
                expect_no_sideways_scrolling(phone)
        phone.set_extra_http_headers({"Accept-Language": "en"})
        phone.goto(f"{PATH}officials/1/1/")
        phone.get_by_label("Reason").first.fill("the lamp is back")
        phone.get_by_role("button", name="Let the clocks run").click()
        expect(phone.locator(".director-table .standing")).to_have_text("running")
        expect(phone.locator(".event-log strong")).to_have_text(
            ["clocks run again", "clocks stopped"]
        )
