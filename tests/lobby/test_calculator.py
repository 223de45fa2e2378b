"""The calculator: its worth is the engine's, its discards are those of a review."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import AsyncClient
from msgspec.structs import replace

from game.engine.points import hand_points
from game.engine.presets import ALL_PRESETS
from game.engine.state import MeldType
from game.engine.tiles import EAST, tile_from_text
from game.engine.value import value_of
from game.results.game_text import format_number
from game.reviews.all_curves import curves_at
from game.reviews.game_review import review_hand
from game.reviews.moments import split_hands
from lobby.learn.calculator import answer_context
from lobby.learn.calculator_form import CalculatorForm
from lobby.learn.exercises import deal_win
from lobby.learn.shown_exercises import value_context
from lobby.learn.tile_rows import notation, row_of_tiles
from tests.lobby.pages import text_of
from tests.reviews.games import bot_game, tables_before_discards

WITHOUT_RED = "wrc-2025"


def answer(hand: str, **fields: Any) -> dict[str, Any]:
    """Return what the calculator says about the hand, in a situation as at first but for these
    fields."""
    form = CalculatorForm({"hand": hand, **fields})
    assert form.is_valid(), form.errors
    return answer_context(form)


def errors(hand: str, **fields: Any) -> dict[str, list[str]]:
    """Return what is wrong with the form, by field."""
    form = CalculatorForm({"hand": hand, **fields})
    return {name: [str(error) for error in found] for name, found in form.errors.items()}


@pytest.mark.parametrize("seed", range(40))
def test_worth_of_a_typed_win_is_that_of_the_engine(seed: int) -> None:
    win, _ = deal_win(random.Random(seed), has_kans=True)
    win = replace(win, rules=ALL_PRESETS[WITHOUT_RED])
    value = value_of(win)
    sets = [
        ("#" if meld.type == MeldType.ANKAN else "<") + notation(meld.tiles) for meld in win.melds
    ]
    shown = answer(
        " ".join([notation(win.tiles), notation((win.winning_tile,)), *sets]),
        rules=WITHOUT_RED,
        win="tsumo" if win.is_tsumo else "ron",
        seat="ESWN"[win.seat_wind - EAST],
        round="ESWN"[win.round_wind - EAST],
        riichi="riichi" if win.riichi else "",
    )
    assert shown["is_complete"]
    if value is None:
        assert shown["win"] is None
        return
    points = hand_points(win.rules, value, win.seat_wind == EAST, win.is_tsumo)
    assert shown["win"]["points"] == format_number(points)
    assert {name: shown["win"][name] for name in value_context(value)} == value_context(value)
    assert len(shown["win"]["payers"]) == (3 if win.is_tsumo else 1)


def test_honba_and_sticks_are_paid_to_the_winner() -> None:
    shown = answer("234m567p22789s34m5m", seat="E", win="tsumo", honba=2, sticks=1)["win"]
    assert shown["points"] == "3,700"  # 700 from each, 600 for the honba, 1,000 for the stick
    assert shown["payers"] == [("South", "900"), ("West", "900"), ("North", "900")]
    assert shown["sticks"] == "1,000"


def test_yakuman_have_no_han_and_fu() -> None:
    shown = answer("19m19p19s1234567z1z")["win"]
    assert (shown["points"], shown["han"], shown["fu_lines"]) == ("32,000", 0, [])
    assert [worth for _name, worth in shown["yaku"]] == ["Yakuman"]


def test_discards_have_the_figures_of_a_review() -> None:
    """In the dealer's first turn, in which nothing but the dora indicator is open."""
    events = bot_game(11)
    decision = review_hand(split_hands(events)[0])[0]
    table = next(tables_before_discards(events))
    assert decision.seat == table.dealer
    shown = answer(
        notation((*table.hands[table.dealer].tiles, table.drawn)),
        seat="E",
        dora=notation(table.dora),
    )["discards"]
    reviewed = [choice for choice in decision.choices if choice.action == "discard"]
    assert [discard["row"] for discard in shown] == [
        row_of_tiles((tile_from_text(choice.tile),)) for choice in reviewed
    ]
    all_curves = curves_at(events, decision.at, decision.seat)
    assert all_curves is not None
    found = [all_curves.curves[decision.choices.index(choice)] for choice in reviewed]
    for discard, choice, curves in zip(shown, reviewed, found, strict=True):
        assert (discard["shanten"], discard["unseen"]) == (choice.shanten, choice.unseen)
        assert discard["value"] == format_number(choice.value)
        assert discard["win"] == (f"{sum(curves.win) / 10:.1f} %" if curves else "")
    assert [place for place, discard in enumerate(shown) if discard["is_bots"]] == [
        reviewed.index(decision.choices[decision.bot.place])
    ]


def test_waits_have_their_copies_and_worth() -> None:
    prospect = answer("123m456p78s55z <999m")["prospect"]
    assert prospect["shanten"] == 0
    assert [(wait["left"], wait["ron"], wait["tsumo"]) for wait in prospect["waits"]] == [
        (4, "", ""),
        (4, "", ""),
    ]
    prospect = answer("123m456p78s22z <555z", dora="6s")["prospect"]
    assert [(wait["left"], wait["ron"]) for wait in prospect["waits"]] == [
        (3, "2,000 (2 han, 30 fu)"),
        (4, "2,000 (2 han, 30 fu)"),
    ]


def test_hand_before_tenpai_has_useful_tiles() -> None:
    prospect = answer("123m456p1357s22z7m")["prospect"]
    assert (prospect["shanten"], prospect["count"]) == (1, 8)


def test_open_win_without_yaku_is_none() -> None:
    shown = answer("123m456p78s22z9s <999m", dora="1z")
    assert shown["is_complete"]
    assert shown["win"] is None


@pytest.mark.parametrize(
    ("hand", "fields", "field", "text"),
    [
        ("123m", {}, "hand", "here there are 3"),
        ("123m456q", {}, "hand", "“123m456q” is not a group of tiles"),
        ("8z", {}, "hand", "“8z” is not a group of tiles"),
        ("123m456p789s11z <124m", {}, "hand", "“<124m” is not a set"),
        ("123m456p789s11z #111m", {}, "hand", "“#111m” is not a set"),
        ("123m456p789s11z <890m", {}, "hand", "“<890m” is not a set"),
        ("11111m456p789s123s", {}, "hand", "too many tiles 1 of characters; these rules have 4"),
        ("5555m456p789s123s", {}, "hand", "these rules have 3. A red five is written 0"),
        ("1234567m1234567z", {"rules": "tenhou-3"}, "hand", "Three players play without"),
        ("123p456p11z78s <123s", {"rules": "tenhou-3"}, "hand", "do not call chi"),
        ("19p19s1234567z11z", {"rules": "tenhou-3", "seat": "N"}, "seat", "no north seat"),
        ("123m456p789s1122z", {"norths": 1}, "norths", "Only three players"),
        ("123m456p789s1122z", {"dora": "x"}, "dora", "“x” is not a group of tiles"),
        ("123m456p789s1122z", {"dora": "123456m"}, "dora", "at most five"),
        ("123m456p789s1122z", {"ura": "1m"}, "ura", "in riichi only"),
        ("123m456p789s1122z", {"ippatsu": "on"}, "ippatsu", "needs riichi"),
        ("123m456p11z78s <123s", {"riichi": "riichi"}, "riichi", "needs a closed hand"),
        ("123m456p789s11222z", {"moment": "kan", "win": "tsumo"}, "moment", "needs a kan"),
        ("123m456p11z789s <123s", {"moment": "first"}, "moment", "nobody has called"),
        ("123m456p789s1122z", {"turn": 0}, "turn", "at least 1"),
        ("123m456p789s1122z", {"rules": "none"}, "rules", "choose one of the options"),
        ("1" * 61, {}, "hand", "At most 60 characters"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(
    hand: str, fields: dict[str, Any], field: str, text: str
) -> None:
    found = errors(hand, **fields)
    assert list(found) == [field]
    assert text in found[field][0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pages")
async def test_page_shows_the_form_a_win_waits_and_discards() -> None:
    client = AsyncClient()
    assert "Calculate" in text_of(await client.get("/learn/calculator/"))
    for hand, text in {
        "234m567p22789s34m5m": "1,000 points",
        "123m456p78s22z <555z": "8 tiles complete the hand",
        "123m456p1357s22z45m": "What to discard",
        "123m": "here there are 3",
    }.items():
        page = await client.get("/learn/calculator/", {"hand": hand})
        assert page.status_code == 200
        assert text in text_of(page)
