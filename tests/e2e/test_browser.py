"""A visitor plays a hand in Chromium, starting at the first page, while a spectator watches."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Browser

from tests.e2e.visitor import CALL, OUTCOME, TILE, Visitor, press, take_turn, wait_until
from tests.web.short_forms import full_event
from tests.web.wall_pages import LATE_FOR_THE_WALL

HAND_SECONDS = 240
COMPARED_WITHIN_S = 10


@pytest.mark.timeout(HAND_SECONDS + 60)
def test_hand_is_played_and_watched(chromium: Browser, address: str) -> None:
    player = Visitor(chromium, 1280, 800)
    player.page.goto(address)
    player.page.get_by_role("button", name="Play now").click()
    player.page.wait_for_url(re.compile(r"/table/[\w-]+/$"))
    table_path = player.page.url.removeprefix(address)
    player.page.wait_for_selector(".own button.tile")
    assert len(player.page.query_selector_all(".own button.tile")) in {13, 14}

    spectator = Visitor(chromium, 390, 844)
    spectator.page.goto(f"{address}/watch/")
    spectator.page.click(f'a[href="{table_path}"]')
    spectator.page.wait_for_selector(".own .tile")

    until = time.monotonic() + HAND_SECONDS
    while not play_and_compare(player, spectator, until):  # a hand can be won with the first tiles
        check_next_hand(player)
    check_result(player, spectator)
    check_sent_messages(player)
    check_spectator_frames(spectator)
    check_next_hand(player)
    assert player.console_errors == []
    assert spectator.console_errors == []
    player.page.context.close()
    spectator.page.context.close()


def play_and_compare(player: Visitor, spectator: Visitor, until: float) -> int:
    """Play the hand to its end; return how often player and spectator saw the same rivers."""
    compared = 0
    while not player.sees_result():
        assert time.monotonic() < until, "the hand does not end"
        if not player.sent or player.page.query_selector(f"{CALL}, {TILE}"):
            if compared < 5 and sum(map(len, player.rivers())) > compared * 6:
                assert wait_until(
                    lambda: spectator.rivers() == player.rivers(), COMPARED_WITHIN_S, spectator.page
                )
                compared += 1
            take_turn(player.page)
        player.page.wait_for_timeout(60)
    return compared


def check_result(player: Visitor, spectator: Visitor) -> None:
    assert wait_until(spectator.sees_result, COMPARED_WITHIN_S, spectator.page)
    for selector in (".result-title", ".payments"):
        texts = [reader.page.inner_text(f"{OUTCOME} {selector}") for reader in (player, spectator)]
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


def check_next_hand(player: Visitor) -> None:
    press(player.page.query_selector(f"{OUTCOME} button.button--main:not([aria-disabled])"))
    assert wait_until(lambda: not player.sees_result(), 30, player.page)
    assert all(len(river) < 3 for river in player.rivers())
