"""Chat at the table in Chromium: the drawer on the gallery's table, and two windows of one
table."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.gallery import SIZES, resize, show
from tests.e2e.geometry import COVERED, GROUPS, OUTSIDE, OVERLAPS

ALL_SIZES = SIZES | {"small desktop": (1280, 720), "tablet upright": (768, 1024)}


@pytest.fixture(scope="module", params=SIZES)
def page(request: pytest.FixtureRequest, window: Page) -> Page:
    return resize(window, request.param)


def open_chat(page: Page, address: str, scene: str = "claims") -> Page:
    show(page, address, scene)
    page.evaluate("localStorage.removeItem('talk.muted')")
    page.click(".tool--chat")
    page.wait_for_selector(".chat:not([hidden])")
    return page


def last_sent_message(page: Page) -> object:
    """Return the last message that the page has sent."""
    return json.loads(page.get_attribute("#gallery", "data-sent") or "null")


def test_chat_drawer_covers_no_controls(page: Page, address: str) -> None:
    open_chat(page, address)
    assert page.evaluate(OUTSIDE, ".chat, .chat input, .chat-form button") == 0
    kept = ".own button.tile, .call, .auto:not([hidden]), .tool--chat, .chat input"
    assert page.evaluate(COVERED, kept) == 0
    own = ".own .tile, .call, .auto, mj-clock, mj-info, .tool, .leave"
    assert page.evaluate(OVERLAPS, {"chat": ".chat", "own": own}) == []
    lines = page.locator(".chat-lines")
    height = page.locator(".chat-line").first.evaluate("(node) => node.offsetHeight")
    size = page.viewport_size
    assert size is not None
    least = 8 if min(size["width"], size["height"]) > 600 else 4 if size["width"] < 600 else 1
    assert lines.evaluate("(node) => node.clientHeight") >= least * height
    assert page.evaluate(COVERED, ".chat-phrases button:not([hidden])") == 0, "all are in sight"
    assert lines.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    for _ in range(4):
        page.get_by_role("button", name="Nice hand!").click()
    expect(page.locator(".speech")).to_have_count(4)
    groups = {"speech": ".speech", "own": ".own .tile, .call, mj-clock, mj-info, .tool, .leave"}
    assert page.evaluate(OVERLAPS, groups) == []


@pytest.mark.parametrize("size", ALL_SIZES)
def test_open_chat_leaves_the_whole_table_in_sight(window: Page, address: str, size: str) -> None:
    resize(window, size, ALL_SIZES)
    for scene in ("claims", "crowded"):
        open_chat(window, address, scene)
        groups = GROUPS | {"chat": ".chat", "corner": ".tool, .leave"}
        assert window.evaluate(OVERLAPS, groups) == [], scene
        assert window.evaluate(OUTSIDE, ".board .tile, .own .tile, .chat") == 0
        box, button = (window.locator(at).bounding_box() for at in (".chat", ".tool--chat"))
        assert box is not None
        assert button is not None
        assert box["x"] <= button["x"] + button["width"] <= box["x"] + box["width"] + 10
        assert 0 <= box["y"] - button["y"] - button["height"] <= 40
        assert window.locator("mj-autos").is_visible()


def test_chat_text_is_escaped_and_sent(window: Page, address: str) -> None:
    page = open_chat(resize(window, "desktop"), address)
    expect(page.locator(".chat-line").nth(2)).to_contain_text("<b>not bold</b>")
    expect(page.locator(".chat-line").nth(0)).to_contain_text("Hello!")
    page.keyboard.type("1 ron n")
    assert page.get_attribute("#gallery", "data-pressed") is None, "keys type letters in the chat"
    page.keyboard.press("Enter")
    assert last_sent_message(page) == {"t": "say", "text": "1 ron n"}
    assert page.input_value(".chat input") == ""
    expect(page.locator(".speech--bottom")).to_have_text("1 ron n")
    page.get_by_role("button", name="Nice hand!").click()
    assert last_sent_message(page) == {"t": "say", "phrase": "nice"}
    page.keyboard.press("Escape")
    expect(page.locator(".chat")).to_be_hidden()
    expect(page.locator(".tool--chat")).to_be_focused()


def test_player_can_be_muted_and_reported(window: Page, address: str) -> None:
    page = open_chat(window, address)
    page.locator(".chat-author", has_text="Haru").first.click()
    page.get_by_role("button", name="Report").click()
    assert last_sent_message(page) == {"t": "report", "line": "t2-0"}
    page.get_by_role("button", name="Mute", exact=True).click()
    expect(page.locator(".chat-line", has_text="Haru")).to_have_count(0)
    page.get_by_role("button", name="Unmute everyone").click()
    expect(page.locator(".chat-line", has_text="Haru")).to_have_count(2)


def test_chat_reaches_both_windows_and_marks_news(chromium: Browser, address: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".own button.tile")
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".own button.tile")
    page.get_by_role("button", name="Chat").click()
    page.get_by_label("Message").fill("<i>good</i> evening")
    page.keyboard.press("Enter")
    for window in (page, other):
        if window is other:
            expect(window.locator(".tool--chat.has-news")).to_be_visible()
            window.get_by_role("button", name="Chat").click()
            expect(window.locator(".tool--chat.has-news")).to_have_count(0)
        expect(window.locator(".chat-line bdi")).to_have_text("<i>good</i> evening")
    context.close()
