"""The bot `tsumogiri` discards what it draws, and `bot_named` finds bots by name."""

from __future__ import annotations

import random

import pytest

from game.bots import BOTS, bot_named
from game.engine.actions import Action, Discard, Pass, Win
from game.engine.state import Table
from game.engine.tiles import NO_TILE
from tests.bots.staging import ME, answer, chi, discarded_tile, offer_call, on_turn


def stand_in(table: Table) -> Action:
    return answer(table, bot="tsumogiri")


def test_tsumogiri_discards_the_drawn_tile() -> None:
    choice = stand_in(on_turn("123m456p34s99s678p", "5m"))
    assert isinstance(choice, Discard)
    assert (discarded_tile(choice), choice.tsumogiri) == ("5m", True)


def test_tsumogiri_wins_by_self_draw_and_by_ron() -> None:
    assert stand_in(on_turn("123m456p34599sEE", "9s")) == Win()
    assert stand_in(offer_call("234m456p34s66sPPP", "5s", may_ron=True)) == Win()


def test_tsumogiri_calls_nothing() -> None:
    assert stand_in(offer_call("234m56p678s99sPPN", "P", by=1)) == Pass()


def test_tsumogiri_discards_the_last_tile_after_a_call() -> None:
    called = on_turn("34m567p22s678sN", "", melds=[chi("456m")])
    assert called.drawn == NO_TILE
    assert discarded_tile(stand_in(called)) == "N"


def test_unknown_bot_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match=r"oracle.*sensible, tsumogiri"):
        bot_named("oracle")


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bot_chooses_an_offered_action(name: str) -> None:
    table = on_turn("159m2468p357s1sWN", "5p")
    offer = (Discard(table.hands[ME].tiles[3], False), Discard(table.hands[ME].tiles[9], False))
    assert bot_named(name).choose(table, ME, offer, random.Random(1)) in offer
