"""Two people and two bots play a game in Chromium, from signing up to the page of the finished
game, and a third person watches."""

from __future__ import annotations

import re
import secrets
import time

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import BrowserSite
from tests.e2e.visitor import CALL, OUTCOME, TILE, Visitor, press, take_turn, wait_until
from tests.web.short_forms import full_event
from tests.web.wall_pages import LATE_FOR_THE_WALL

GAME_SECONDS = 400
COMPARED_WITHIN_S = 60
SHORT = {
    "rule-start_points": "0",
    "rule-return_points": "0",
    "rule-goal_points": "0",
    "rule-oka": "0",
}
"""Rules under which any payment, even for noten, makes a score negative and ends the game. If
nobody pays in the first hand, the people end it."""

NEXT = f"{OUTCOME} .outcome-foot > .button--main:not([hidden], [aria-disabled])"
"""The controls after the result of a hand: confirm it, or show the ranking."""


def sign_up(page: Page, address: str, name: str) -> str:
    """Sign up under a new name that begins with `name`; return the whole name."""
    page.goto(f"{address}/sign-up/")
    name += secrets.token_hex(3)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("four tiles and a pair")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
    return name


def make_table(page: Page, address: str) -> str:
    """Make a table for friends with bots in two seats; return the invite link."""
    page.goto(f"{address}/lobby/")
    page.get_by_role("link", name="Create a table").click()
    page.get_by_label("Length").select_option("east")
    page.get_by_label("Clock").select_option("60+0")
    for seat in ("Third seat", "Fourth seat"):
        page.get_by_label(seat).select_option("sensible")
    page.get_by_text("Rules in detail").click()
    page.get_by_text("Game format").click()
    for name, value in SHORT.items():
        page.fill(f"[name={name}]", value)
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_url(re.compile(r"/tables/[\w-]+/$"))
    return page.input_value(".copy-field input[readonly]")


def chat_before_the_game(one: Page, other: Page) -> None:
    """Write lines with the Enter key, which reports no line of the other, and report one. Lines
    that are there stay, so that screen readers read only the new one."""
    for writer, reader, text in ((one, other, "Ready?"), (other, one, "In a minute")):
        writer.get_by_role("textbox", name="Message").fill(text)
        writer.get_by_role("textbox", name="Message").press("Enter")
        expect(reader.get_by_role("log", name="Chat")).to_contain_text(text)
        expect(writer.get_by_role("textbox", name="Message")).to_have_value("")
        if writer is one:
            first_line = other.locator(".chat-line-row").element_handle()
    assert first_line is not None
    expect(other.locator(".chat-line-row")).to_have_count(2)
    assert first_line.evaluate("(row) => row.isConnected")
    one.get_by_role("button", name="Report the message").click()
    expect(one.get_by_text("The moderators will look at this message.")).to_be_visible()
    expect(other.get_by_text("The moderators will look at this message.")).to_have_count(0)


def press_ready_together(host: Visitor, friend: Visitor) -> None:
    """Let the host hold "Ready" while the friend's answer changes the page, and then release it."""
    host.page.get_by_role("button", name="Ready", exact=True).hover()
    host.page.mouse.down()
    before = len(host.received)
    friend.page.get_by_role("button", name="Ready", exact=True).click()
    expect(friend.page.locator(".pregame-seat.ready")).to_have_count(3)
    assert wait_until(
        lambda: any(message["t"] == "parts" for message in host.received[before:]), 30, host.page
    )
    host.page.mouse.up()


def decline_each_other(one: Page, other: Page) -> None:
    """Let one person propose the end of the game and the other a pause; each declines the other's
    proposal, which leaves their own."""
    for page, motion in ((other, "a pause"), (one, "to end the game")):
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name=f"Propose {motion}").click()
    for page, motion, left in ((one, "a pause?", 1), (other, "end the game?", 0)):
        votes = page.get_by_role("status", name="Game options").get_by_role("listitem")
        votes.filter(has_text=motion).get_by_role("button", name="Decline").click()
        expect(votes).to_have_count(left)


def end_by_vote(one: Page, other: Page) -> None:
    """Let both people vote for the end of the game."""
    one.get_by_role("button", name="Settings").click()
    one.get_by_role("button", name="Propose to end the game").click()
    beside = other.get_by_role("status", name="Game options")
    beside.get_by_role("button", name="Agree").click()


def play_the_game(host: Visitor, friend: Visitor, spectator: Visitor) -> None:
    """Play until all three see the ranking. Meanwhile the spectator sees the same rivers as the
    host, and the same result."""
    until = time.monotonic() + GAME_SECONDS
    everybody = (host, friend, spectator)
    compared, has_seen_outcome, is_ended = 0, False, False
    while not all(visitor.page.query_selector(".ranking li") for visitor in everybody):
        assert time.monotonic() < until, "the game does not end"
        if host.page.query_selector(f"{CALL}, {TILE}") and tiles_in(host.rivers()) > compared * 6:
            assert wait_until(
                lambda: spectator.rivers() == host.rivers(), COMPARED_WITHIN_S, host.page
            )
            compared += 1
        sees_outcome = host.sees_result()
        if sees_outcome and not has_seen_outcome:
            compare_results(host, spectator)
            has_seen_outcome = True
        if has_seen_outcome and not sees_outcome and not is_ended:
            assert all(len(river) < 3 for river in host.rivers()), "the next hand has begun"
            end_by_vote(host.page, friend.page)
            is_ended = True
        for visitor in everybody:
            asked = visitor.page.query_selector(f"{CALL}, {TILE}, {NEXT}")
            if asked is not None and visitor is not spectator:
                take_turn(visitor.page)
            if asked is not None:
                press(visitor.page.query_selector(NEXT))
        host.page.wait_for_timeout(150)
    assert compared


def tiles_in(rivers: list[list[str]]) -> int:
    return sum(map(len, rivers))


def compare_results(player: Visitor, spectator: Visitor) -> None:
    """Check that both see the same result of a hand, and the spectator nothing to answer."""
    assert wait_until(spectator.sees_result, COMPARED_WITHIN_S, spectator.page)
    for selector in (".result-title", ".payments"):
        texts = [
            reader.page.text_content(f"{OUTCOME} {selector}") for reader in (player, spectator)
        ]
        assert texts[0] == texts[1] != ""
    assert spectator.page.query_selector(f"{OUTCOME} button[data-action]:not([hidden])") is None


def check_sent_messages(player: Visitor) -> None:
    """Check that each question was answered once, although every tile was clicked twice. The page
    may have been too late for the draw of the wall."""
    acts = [frame for frame in player.sent if frame["t"] == "act"]
    assert acts
    assert len({act["cid"] for act in acts}) == len({act["q"] for act in acts})
    refusals = [frame for frame in player.received if frame["t"] in {"error", "stale"}]
    assert [frame for frame in refusals if frame.get("reason") not in LATE_FOR_THE_WALL] == []


def check_spectator_frames(spectator: Visitor) -> None:
    """Check that a spectator is asked nothing and sees no hidden tile."""
    assert all(frame["t"] != "act" for frame in spectator.sent)
    shown = [frame for frame in spectator.received if frame["t"] in {"sync", "ev"}]
    assert shown
    for frame in shown:
        assert not frame.get("legal")
        assert frame.get("clock") is None
        for event in map(full_event, frame.get("e", [])):
            assert event["type"] != "answer"
            if event["type"] == "tsumo":
                assert event["pai"] == "?"
        for hand in frame.get("view", {"hands": []})["hands"]:
            assert hand["shown"] or set(hand["tiles"]) <= {"?"}


def play_again(host: Page, friend: Page, table: str, friends_name: str) -> None:
    """Let the friend ask for a rematch; the host is told of the request and joins by one press."""
    for page in (host, friend):
        page.goto(table)
        to_ranking = page.get_by_role("button", name="Final ranking")
        expect(to_ranking.or_(page.locator(".ranking li")).first).to_be_visible()
        if to_ranking.is_visible():  # the game ended with a hand, not by the vote
            to_ranking.click()
    friend.get_by_role("button", name="Play again").click()
    expect(host.get_by_text(f"Rematch wanted by {friends_name}")).to_be_visible()
    host.get_by_role("button", name="Play again").click()
    for page in (host, friend):
        page.wait_for_url(lambda url: "/table/" in url and url != table, timeout=60_000)
    assert host.url == friend.url


def test_two_people_and_two_bots_finish_a_game(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    host, friend = Visitor(chromium, 1280, 800), Visitor(chromium, 390, 844)
    third = Visitor(chromium, 1024, 768)
    people = [
        sign_up(visitor.page, browser_site.address, name)
        for visitor, name in ((host, "Anna"), (friend, "Ben"))
    ]
    link = make_table(host.page, browser_site.address)

    friend.page.goto(link)
    friend.page.get_by_role("button", name="Sit down").click()
    expect(host.page.locator(".pregame-seat .badge", has_text="bot")).to_have_count(2)
    expect(host.page.locator(".pregame-seat.free")).to_have_count(0)
    third.page.goto(f"{browser_site.address}/watch/")
    expect(third.page.get_by_text("No people play here right now.")).to_be_visible()
    chat_before_the_game(host.page, friend.page)
    press_ready_together(host, friend)
    for visitor in (host, friend):
        visitor.page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
        visitor.page.wait_for_selector(".own button.tile")
    table = host.page.url
    decline_each_other(host.page, friend.page)

    card = third.page.locator(f'a[href="{table.removeprefix(browser_site.address)}"]')
    card.click()
    third.page.wait_for_selector(".own .tile")

    play_the_game(host, friend, third)
    for visitor in (host, friend):
        check_sent_messages(visitor)
    check_spectator_frames(third)
    names = [
        visitor.page.locator(".ranking .rank-who").all_inner_texts() for visitor in (host, friend)
    ]
    assert set(people) < set(names[0])
    assert names[0] == names[1] == third.page.locator(".ranking .rank-who").all_inner_texts()

    host.page.get_by_role("link", name="Hands and replay").click()
    host.page.wait_for_url(re.compile(r"/game/[\w-]+/$"))
    for name in names[0]:
        expect(host.page.locator("main")).to_contain_text(name)
    friend.page.goto(f"{browser_site.address}/games/")
    game = host.page.url.removeprefix(browser_site.address)
    expect(friend.page.locator(f'a.game-card[href="{game}"]')).to_contain_text(people[0])
    play_again(host.page, friend.page, table, people[1])
    assert [visitor.console_errors for visitor in (host, friend, third)] == [[], [], []]
    for visitor in (host, friend, third):
        visitor.page.context.close()
