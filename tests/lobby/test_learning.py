"""The lessons, the examples of yaku, the sheet of points, and the comparison of rules."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.utils import translation
from msgspec.structs import replace

from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.state import MeldType
from game.engine.tiles import NO_TILE, count_kinds
from game.records.yaku_names import TENHOU6_YAKU
from game.results.game_text import preset_name
from lobby.learn.examples import Example
from lobby.learn.final_ranking import final_ranking
from lobby.learn.glossary import GLOSSARY
from lobby.learn.lessons import LESSONS
from lobby.learn.points_sheet import limit_rows, points_rows
from lobby.learn.rule_comparison import compare
from lobby.learn.tile_rows import read_meld, shown_row
from lobby.learn.yaku_examples import YAKU_EXAMPLES, YakuExample
from lobby.learn.yaku_sheet import (
    ROMAJI,
    YakuRow,
    shown_example,
    yaku_of,
    yaku_sheet,
)
from lobby.play.rule_sheet import has_effect, value_text
from lobby.play.rule_texts import GROUPS

SCRIPT: Final = Path(__file__).parents[2] / "static" / "js" / "table" / "yaku_names.js"
NOT_ALONE: Final = {
    "ippatsu": {"riichi"},
    "shousangen": {"haku", "hatsu"},
    "honroutou": {"chiitoi"},
    "ura": {"riichi"},
    "dora": {"riichi"},
    "aka": {"riichi"},
}
"""Yaku that cannot be scored alone, and dora, which need a yaku."""


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def all_rows(rules: RuleSet) -> dict[str, YakuRow]:
    return {row.id: row for group in yaku_sheet(rules) for row in group.rows}


def test_every_yaku_of_the_engine_has_an_example() -> None:
    of_three = {"nukidora", "north"}  # the sheet is that of four players
    assert set(TENHOU6_YAKU.values()) - of_three == {entry.yaku for entry in YAKU_EXAMPLES}
    assert len(all_rows(RuleSet())) == len(YAKU_EXAMPLES)


@pytest.mark.parametrize("entry", YAKU_EXAMPLES, ids=lambda entry: entry.yaku)
def test_example_scores_exactly_its_yaku(entry: YakuExample) -> None:
    scored = yaku_of(shown_example(entry))
    assert set(scored) == {entry.yaku} | NOT_ALONE.get(entry.yaku, set())


@pytest.mark.parametrize("entry", YAKU_EXAMPLES, ids=lambda entry: entry.yaku)
def test_both_hands_of_an_example_score_the_yaku(entry: YakuExample) -> None:
    for example in (entry.closed, entry.open):
        if example is not None:
            assert entry.yaku in yaku_of(example)
            assert_possible(example)
    assert all(meld.startswith("#") for meld in entry.closed.melds)
    if entry.open is not None:
        assert any(not meld.startswith("#") for meld in entry.open.melds)


def assert_possible(example: Example) -> None:
    """Check that the example has fourteen tiles, a kan counting as three, and at most four of a
    kind."""
    context = example.context(RuleSet())
    assert len(context.tiles) + 1 + 3 * len(context.melds) == 14
    melded = [tile for meld in context.melds for tile in meld.tiles]
    assert max(count_kinds((*context.tiles, context.winning_tile, *melded))) <= 4


def test_yaku_without_an_open_hand_is_lost_by_a_call() -> None:
    tried = set()
    for entry in YAKU_EXAMPLES:
        if entry.open is None and not entry.closed.riichi:
            for opened in with_a_call(entry.closed):
                value = opened.value(replace(RuleSet(), renho="yakuman"))
                assert value is None or entry.yaku not in dict(value.yaku), entry.yaku
                tried.add(entry.yaku)
    closed = {"tsumo", "pinfu", "iipeikou", "ryanpeikou", "suuankou", "chuuren", "tenhou"}
    assert closed <= tried


def with_a_call(example: Example) -> Iterator[Example]:
    """Yield the hand with one of its runs or triplets called, for each of them."""
    tiles = [
        f"{rank}{suit}"
        for ranks, suit in re.findall(r"(\d+)([mpsz])", example.tiles)
        for rank in ranks
    ]
    for rank, suit in dict.fromkeys(tiles):
        for ranks in (rank * 3, "".join(str(int(rank) + more) for more in range(3))):
            rest = list(tiles)
            try:
                for called in ranks:
                    rest.remove(f"{called}{suit}")
            except ValueError:
                continue
            yield dataclasses.replace(
                example, tiles="".join(rest), melds=(*example.melds, f"<{ranks}{suit}")
            )


def test_worth_is_that_of_the_preset() -> None:
    tenhou, ema_2012, soul = (
        all_rows(PRESETS[name]) for name in ("tenhou", "ema-2012", "mahjong-soul")
    )
    assert (tenhou["chinitsu"].closed, tenhou["chinitsu"].open) == ("6 han", "5 han")
    assert (tenhou["tanyao"].open, ema_2012["tanyao"].open) == ("1 han", "")
    assert (tenhou["renhou"].counts, ema_2012["renhou"].closed) == (False, "Yakuman")
    assert (tenhou["daisuushi"].closed, soul["daisuushi"].open) == ("Yakuman", "Double yakuman")
    assert not all_rows(PRESETS["jpml-a"])["ippatsu"].counts
    assert not all_rows(PRESETS["jpml-a"])["ura"].counts
    assert not all_rows(PRESETS["ema-2025"])["aka"].counts


def test_romaji_of_yaku_are_those_of_the_table() -> None:
    at_table = dict(re.findall(r'^  (\w+): "(.+)",$', SCRIPT.read_text("utf-8"), re.MULTILINE))
    for entry in YAKU_EXAMPLES:
        assert ROMAJI.get(entry.yaku, entry.yaku) == at_table[entry.yaku].lower()


def test_points_are_those_of_well_known_sheets() -> None:
    others = {row.name: row.cells for row in points_rows(PRESETS["tenhou"], is_dealer=False)}
    dealer = {row.name: row.cells for row in points_rows(PRESETS["tenhou"], is_dealer=True)}
    assert (others["30"][0].ron, others["30"][0].tsumo) == ("1,000", "300 / 500")
    assert (others["20"][0].ron, others["20"][0].tsumo) == ("", "")
    assert (others["20"][2].ron, others["20"][2].tsumo) == ("", "700 / 1,300")
    assert (others["25"][1].ron, others["25"][1].tsumo) == ("1,600", "")
    assert (others["30"][3].ron, others["30"][3].tsumo) == ("7,700", "2,000 / 3,900")
    assert (dealer["40"][1].ron, dealer["40"][1].tsumo) == ("3,900", "1,300")
    rounded = {row.name: row.cells for row in points_rows(PRESETS["m-league"], is_dealer=False)}
    assert rounded["30"][3].ron == "8,000"


def test_limits_are_those_of_the_preset() -> None:
    limits = {row.name: row.cells for row in limit_rows(PRESETS["tenhou"])}
    assert limits["Counted yakuman (13+)"][1].ron == "48,000"
    assert limits["Haneman (6\N{EN DASH}7)"][0].tsumo == "3,000 / 6,000"
    assert "Sanbaiman (13+)" in {row.name for row in limit_rows(PRESETS["m-league"])}


@pytest.mark.parametrize("keys", [("tenhou", "m-league", "wrc-2025"), tuple(PRESETS)])
def test_comparison_has_every_difference_and_nothing_else(keys: tuple[str, ...]) -> None:
    chosen = {key: PRESETS[key] for key in keys}
    rows = {
        (str(group.name), str(label)): row
        for group in compare(chosen)
        for row in group.rows
        for label in row.labels
    }
    for group in GROUPS:
        for name, switch in group.switches.items():
            played = {key: rules for key, rules in chosen.items() if has_effect(rules, name)}
            values = {key: getattr(rules, name) for key, rules in played.items()}
            row = rows.pop((str(group.name), str(switch.label)), None)
            assert (row is not None) == (len(set(values.values())) > 1), name
            if row is None:
                continue
            shown = {key: value.text for value in row.values for key, _name in value.presets}
            assert shown == {key: value_text(rules, name) for key, rules in played.items()}
            assert len(row.values) == len(set(values.values())), name
    assert rows == {}
    assert compare({"tenhou": PRESETS["tenhou"], "jpml-a": PRESETS["tenhou"]}) == []


def test_rare_kinds_of_pao_share_a_row() -> None:
    rows = [row for group in compare(PRESETS) for row in group.rows]
    labels = "Full flush, All green, All honours, All terminals, Risky last tiles"
    (row,) = (row for row in rows if "Full flush" in row.labels)
    assert row.label == labels
    nobody, somebody = row.values
    assert list(map(str, nobody.meanings)) == ["Nobody is liable for it."]
    assert len(somebody.meanings) == 5
    assert somebody.presets == (("classic", preset_name("classic")),)


def test_furiten_lesson_marks_only_the_discarded_wait() -> None:
    (lesson,) = (lesson for lesson in LESSONS if lesson.slug == "furiten")
    _hand, discards = lesson.blocks[0].rows
    assert [tile.name for tile in shown_row(discards.tiles).tiles if tile.is_marked] == ["8s"]


def test_rows_of_tiles_are_drawn_as_called() -> None:
    row = shown_row("0m1z <312m #9999s !4p")
    assert [tile.name for tile in row.tiles] == [
        *("5mr", "E", "3m", "1m", "2m"),
        *("", "9s", "9s", "", "4p"),
    ]
    assert [at for at, tile in enumerate(row.tiles) if tile.is_sideways] == [2]
    assert [at for at, tile in enumerate(row.tiles) if tile.is_after_gap] == [2, 5, 9]
    assert row.tiles[-1].is_marked
    assert row.label.startswith("5 of characters (red), East wind, 3 of characters")
    with pytest.raises(ValueError, match="not a row of tiles"):
        shown_row("12x")


def test_melds_are_read_with_their_target() -> None:
    chi, pon, kan, closed = (read_meld(text) for text in ("<312m", "^555z", ">9999p", "#1111s"))
    assert (chi.type, chi.tiles, chi.called, chi.target) == (MeldType.CHI, (0, 2, 4), 4, 3)
    assert (pon.type, pon.target) == (MeldType.PON, 2)
    assert (kan.type, kan.target) == (MeldType.DAIMINKAN, 1)
    assert (closed.type, closed.called) == (MeldType.ANKAN, NO_TILE)


def test_ranking_of_the_lesson_adds_up() -> None:
    (scores,) = (
        block.final_scores for lesson in LESSONS for block in lesson.blocks if block.final_scores
    )
    assert sum(scores) == 4 * PRESETS["tenhou"].start_points
    lines = [
        (seat.place, seat.wind, seat.score, seat.from_return, seat.uma, seat.oka, seat.total)
        for seat in final_ranking(PRESETS["tenhou"], scores)
    ]
    minus = "\N{MINUS SIGN}"
    assert lines == [
        (1, "S", "41,000", "+11", "+20", "+20", "+51"),
        (2, "E", "27,000", f"{minus}3", "+10", "0", "+7"),
        (3, "W", "20,000", f"{minus}10", f"{minus}10", "0", f"{minus}20"),
        (4, "N", "12,000", f"{minus}18", f"{minus}20", "0", f"{minus}38"),
    ]


def test_lessons_and_glossary_are_complete() -> None:
    for lesson in LESSONS:
        for block in lesson.blocks:
            for row in block.rows:
                assert all(shown_row(line).tiles for line in row.lines)
        assert any(block.rows or block.final_scores for block in lesson.blocks), lesson.slug
    terms = [term.term for _, group in GLOSSARY for term in group]
    assert len(terms) == len(set(terms)) > 50
