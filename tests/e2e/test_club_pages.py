"""The pages of clubs and of rules in Chromium, on a desktop and on a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.geometry import CUT_CHOICES
from tests.kit.long_form import IS_LONG

WAIT_MS = 30_000
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1)
  .map((node) => `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`)"""


def pages_of(chromium: Browser, address: str, width: int, height: int) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def desk(chromium: Browser, address: str) -> Iterator[Page]:
    yield from pages_of(chromium, address, 1280, 900)


@pytest.fixture
def phone(chromium: Browser, address: str) -> Iterator[Page]:
    yield from pages_of(chromium, address, 360, 740)


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill("four winds, one wall")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.locator("a.me")).to_have_text(name)


def expect_no_sideways_scrolling(page: Page) -> None:
    page.wait_for_load_state()  # wait for all style sheets
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    wide = page.evaluate(TOO_WIDE) if width > 0 else []
    assert width <= 0, f"{page.url} is {width} px too wide: {wide}"


def make_league(page: Page) -> None:
    page.goto("/clubs/thursday/events/new/")
    page.get_by_role("link", name="League Players make").click()
    today = date.today()  # noqa: DTZ011
    page.get_by_label("Name of the event").fill("Autumn League")
    page.get_by_label("Address").fill("autumn")
    page.get_by_label("First day").fill((today - timedelta(days=3)).isoformat())
    page.get_by_label("Last day").fill((today + timedelta(days=3)).isoformat())
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn League")


def make_tournament(page: Page) -> None:
    page.goto("/clubs/thursday/events/new/?format=rounds")
    page.get_by_label("Name of the event").fill("Autumn Cup")
    page.get_by_label("Address").fill("cup")
    page.get_by_label("If the entrants do not fill").select_option("bots")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn Cup")


def test_club_is_founded_joined_and_played_in(desk: Page, phone: Page) -> None:
    sign_up(desk, "Annabel")
    sign_up(phone, "Benedict")
    desk.goto("/clubs/new/")
    for width in (1440, 1280):
        desk.set_viewport_size({"width": width, "height": 900})
        assert desk.evaluate(CUT_CHOICES) == [], width
    desk.get_by_label("Name of the club").fill("Thursday Club")
    desk.get_by_label("Address").fill("thursday")
    desk.get_by_role("button", name="Found the club").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Thursday Club")
    expect(desk.locator(".here .chair")).to_have_text(["Annabel"])

    phone.goto("/clubs/thursday/")
    expect_no_sideways_scrolling(phone)
    phone.get_by_role("button", name="Ask to join").click()
    desk.goto("/clubs/thursday/members/")
    desk.get_by_role("button", name="Accept").click()
    expect(desk.locator(".member-list .who")).to_have_text(["Annabel", "Benedict"])

    desk.goto("/tables/new/?club=thursday")
    desk.get_by_text("Save the rules and the clock").click()
    desk.get_by_label("Name of the rules").fill("Our rules")
    desk.get_by_role("button", name="Save the rules for the club").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Our rules")
    desk.goto("/clubs/thursday/rules/")
    desk.get_by_role("button", name="Make these the default").click()
    expect(desk.locator(".saved-rules .badge")).to_have_text("default")

    phone.goto("/clubs/thursday/")
    expect(phone.locator(".here .chair")).to_have_text(["Annabel", "Benedict"])
    desk.goto("/tables/new/?club=thursday")
    expect(desk.get_by_label("Rules", exact=True).locator("option:checked")).to_have_text(
        "Our rules"
    )
    desk.get_by_label("Second seat").select_option("sensible")
    desk.get_by_label("Third seat").select_option("sensible")
    desk.get_by_role("button", name="Create the table").click()
    phone.get_by_role("link", name=re.compile("Sit down")).click()
    expect_no_sideways_scrolling(phone)
    phone.get_by_role("button", name="Sit down").click()
    phone.get_by_role("button", name="Ready", exact=True).click()
    desk.get_by_role("button", name="Ready", exact=True).click()
    desk.wait_for_url("**/table/**")
    phone.wait_for_url("**/table/**")
    make_league(desk)
    for path in ("", "games/", "rules/", "members/", "events/"):
        phone.goto(f"/clubs/thursday/{path}")
        expect_no_sideways_scrolling(phone)
        expect(phone.get_by_role("heading", level=1)).to_contain_text("Thursday Club")
    phone.goto("/clubs/thursday/events/autumn/")
    expect_no_sideways_scrolling(phone)
    expect(phone.get_by_role("heading", name="Standings")).to_be_visible()
    phone.get_by_role("button", name="Make a table of the event").click()
    expect(phone.locator(".pregame-seat .who").first).to_have_text("Benedict")
    desk.goto("/clubs/thursday/events/autumn/")
    expect(desk.locator("a.table-card .go")).to_have_text("Sit down")
    make_tournament(desk)
    phone.goto("/clubs/thursday/events/cup/")
    phone.get_by_role("button", name="Take part").click()
    expect(phone.locator(".here .chair")).to_have_text(["Benedict"])
    expect(desk.locator(".here .chair")).to_have_text(["Benedict"])
    expect_no_sideways_scrolling(phone)
    desk.get_by_role("link", name="Start round 1").click()
    expect(desk.get_by_role("alert")).to_have_text(
        'The entrants do not fill the tables. Enter somebody, or choose under "Edit the event" '
        "who takes the seats that are left over."
    )
    phone.goto("/clubs/thursday/")
    expect(phone.locator("a.table-card .go").last).to_have_text("Return to table")


@pytest.mark.parametrize("language", ["en", "fr", "ja"] if IS_LONG else ["fr"])
def test_rules_fit_a_phone_and_paper(phone: Page, language: str) -> None:
    phone.goto(f"/rules/ema-2025/?language={language}")
    expect_no_sideways_scrolling(phone)
    expect(phone.locator("[data-print]")).to_be_visible()
    phone.emulate_media(media="print")
    expect(phone.locator(".top")).to_be_hidden()
    expect(phone.locator("[data-print]")).to_be_hidden()
    expect(phone.locator(".rules dt").first).to_be_visible()
