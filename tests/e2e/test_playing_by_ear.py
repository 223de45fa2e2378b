"""What a screen reader says is enough to play: a game against bots is played by accessible names
alone. Nothing here looks at tiles, classes or positions. By default two hands are played, with
LONG=1 a hanchan."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Final

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from game.engine.hand import distance
from game.engine.tiles import TEXT_TO_TILE
from tests.e2e.gallery import show
from tests.kit.long_form import IS_LONG

SUITS: Final = {"characters": "m", "circles": "p", "bamboo": "s"}
HONOURS: Final = {
    "East wind": "E",
    "South wind": "S",
    "West wind": "W",
    "North wind": "N",
    "White dragon": "P",
    "Green dragon": "F",
    "Red dragon": "C",
}
GAME_S: Final = 3_000 if IS_LONG else 400
BUTTON: Final = re.compile(r'^ *- button "([^"]+)"(.*)$', re.MULTILINE)


def tile_of(name: str) -> str | None:
    """Return the tile that a button of the hand is named after, in mjai's notation."""
    plain = name.split(",")[0].split(".")[0]
    if plain in HONOURS:
        return HONOURS[plain]
    if match := re.fullmatch(r"([1-9]) of (\w+)( \(red\))?", plain):
        return match[1] + SUITS[match[2]] + ("r" if match[3] else "")
    return None


def chosen_discard(discards: list[str], held: list[str]) -> str:
    """Return the discard that leaves the hand nearest to tenpai."""

    def left_with(name: str) -> tuple[int, int]:
        rest = Counter(held) - Counter([tile_of(name) or ""])
        exchanges, useful = distance(tuple(sorted(TEXT_TO_TILE[pai] for pai in rest.elements())))
        return exchanges, -useful.bit_count()

    return min(discards, key=left_with)


def take_turn(page: Page) -> str:
    """Press the button that a player would, by its name. Return the name, empty if none applies."""
    buttons = BUTTON.findall(page.get_by_role("main").aria_snapshot())
    names = [name for name, state in buttons if "[disabled]" not in state]
    held = [pai for name, _ in buttons if (pai := tile_of(name)) is not None]
    wanted = ("OK", "Final", "Tsumo", "Ron", "Riichi", "Show", "Pass")
    calls = [name for word in wanted for name in names if name.split(" ")[0] == word]
    discards = [name for name in names if tile_of(name) is not None]
    name = calls[0] if calls else chosen_discard(discards, held) if discards else ""
    if name != "":
        button = page.get_by_role("button", name=name, exact=True, disabled=False).last
        try:
            button.press("Enter", timeout=2_000)
        except Error:
            return ""  # the table has changed meanwhile
    return name


@pytest.mark.timeout(GAME_S + 500)
def test_game_is_played_by_names_alone(chromium: Browser, address: str) -> None:
    """The first hand in forced colours, the others with more contrast."""
    page = chromium.new_page(reduced_motion="reduce", forced_colors="active")
    page.goto(address)
    page.get_by_text("Options", exact=True).first.click()
    page.get_by_role("combobox", name="Length").select_option("East and South")
    page.get_by_role("checkbox", name="Bots answer quickly").check()
    page.get_by_role("button", name="Play now").click()
    log = page.get_by_role("log", name="Game log")
    ranking = page.get_by_role("heading", name="Final ranking")
    ends_at = time.monotonic() + GAME_S
    hands, discarded, is_told = 0, "", False
    while not ranking.is_visible() and (IS_LONG or hands < 2):
        assert time.monotonic() < ends_at, page.get_by_role("main").aria_snapshot()
        name = take_turn(page)
        if name == "":
            page.wait_for_timeout(60)
        elif name.startswith("OK"):
            hands += 1
            if hands == 1:
                page.emulate_media(forced_colors="none", contrast="more")
                page.reload()
        elif tile_of(name) is not None:
            discarded = name.split(",")[0]  # unless the table has changed meanwhile
        if discarded and not is_told:
            is_told = f"You discard {discarded}" in log.inner_text()
    assert hands >= 2
    assert is_told
    page.close()


def test_keys_read_what_lies_on_the_table(window: Page, address: str) -> None:
    show(window, address, "riichi")
    log = window.get_by_role("log", name="Game log")

    def read(key: str) -> str:
        before = log.get_by_role("paragraph").count()
        window.keyboard.press(key)
        expect(log.get_by_role("paragraph")).to_have_count(before + 1)
        return log.get_by_role("paragraph").last.inner_text()

    assert read("v").startswith(
        "Discards of Haru, South: North wind; 9 of circles; White dragon; 8"
    )
    assert read("v").startswith("Discards of Anna-Katharina, West: North wind; 9 of characters")
    read("v")
    assert "2 of circles, riichi tile" in read("v")
    assert read("e").startswith("East 3, 2 honba, 1 riichi stick, 33 tiles left. Anna-Katharina")
    assert read("i").startswith(
        "Dora 4 of circles, indicator 3 of circles. Dora Red dragon, indicator Green dragon."
    )
    assert read("h").startswith("Waits. After 5 of characters (red): 6 of bamboo, 4 unseen; 7 of")
    assert read("m") == "No moves yet"


def test_every_list_of_tiles_has_a_name(window: Page, address: str) -> None:
    show(window, address, "turn")
    fuyu = window.get_by_role("list", name="Discards of Fuyu, East, riichi at the 5th")
    assert fuyu.get_by_role("listitem").count() == 9
    haru = window.get_by_role("list", name="Discards of Haru, South")
    assert haru.get_by_role("listitem").count() == 10
    called = "4 of characters, called by Haru"
    assert fuyu.get_by_role("img", name=called, exact=True).count() == 1
    assert window.get_by_role("img", name="Hand of Aki, North: 10 closed tiles").count() == 1
    melds = window.get_by_role("group", name="Melds of Haru")
    assert melds.get_by_role("list", name="Chi from Fuyu").get_by_role("listitem").count() == 3
    assert melds.get_by_role("list", name="Closed kan").count() == 1
    hand = window.get_by_role("group", name="Your hand")
    assert hand.get_by_role("button", name="7 of bamboo, drawn").count() == 1
    dora = window.get_by_role("list", name="Dora").get_by_role("listitem")
    assert dora.get_by_role("img", name="Dora 4 of circles, indicator 3 of circles").count() == 1
    show(window, address, "tsumo")
    own = window.get_by_role("list", name="Discards of Anna-Katharina, East")
    called = "1 of bamboo, drawn and discarded, called by Fuyu"
    assert own.get_by_role("img", name=called, exact=True).count() == 1
