"""The form of the rules agrees with `docs/rules.md`, the engine and the presets."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, get_args, get_origin

import pytest

from game.engine.presets import PRESETS, PRESETS_OF_THREE
from game.engine.rules import RuleSet, switch_type
from lobby.play.rule_form import LENGTH, OWN, RuleForm
from lobby.play.rule_sheet import rule_sheet
from lobby.play.rule_texts import SWITCHES
from tests.engine.contradictory_rules import CONTRADICTIONS
from tests.kit.random_rules import random_rules
from tests.lobby.pages import rule_fields
from tools import rule_tables

PAGE = rule_tables.PAGE.read_text(encoding="utf-8")
TENHOU = PRESETS["tenhou"]


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, tuple):
        rows = value if value and isinstance(value[0], tuple) else [value]
        return "\n".join(" ".join(map(str, row)) for row in rows)
    return str(value)


def test_old_tables_of_the_rules_page_are_written_anew() -> None:
    row = "| `tobi` | `true`, `false` | `true` |"
    assert rule_tables.rewrite_tables(PAGE) == PAGE
    assert rule_tables.rewrite_tables(PAGE.replace(row, "| `tobi` | no | no |")) == PAGE
    assert (
        rule_tables.rewrite_tables(PAGE.replace("| `kuitan` |  |", "| `kuitan` | true |")) == PAGE
    )


def test_every_switch_has_its_texts() -> None:
    assert [*SWITCHES] == [name for name in RuleSet.__struct_fields__ if name in SWITCHES]
    assert {*RuleSet.__struct_fields__} - {*SWITCHES} == {"name", "version"}


@pytest.mark.parametrize("name", SWITCHES)
def test_every_value_of_a_switch_has_a_name(name: str) -> None:
    hint = switch_type(name)
    if get_origin(hint) is Literal and isinstance(get_args(hint)[0], str):
        assert list(SWITCHES[name].values) == list(get_args(hint))
    assert all(str(text) for text in SWITCHES[name].values.values())


@pytest.mark.parametrize("name", SWITCHES)
def test_every_value_of_a_switch_says_what_holds(name: str) -> None:
    hint, switch = switch_type(name), SWITCHES[name]
    assert bool(switch.off) == (hint is bool)
    if hint is bool:
        assert switch.meaning(False) != switch.meaning(True)
    elif switch.meanings:
        values = [str(value) for value in get_args(hint)] if get_origin(hint) is Literal else []
        assert set(switch.meanings) == set(values) or not values


def test_switches_without_a_part_are_left_out() -> None:
    rows = {str(row.label): row for group in rule_sheet(TENHOU) for row in group.rows}
    assert "Points of a chombo" not in rows
    assert rows["Kiriage mangan"].value == "No"
    assert "not rounded up" in str(rows["Kiriage mangan"].text)
    assert rows["Red fives"].value == "1 of each suit"
    assert rows["Two-han minimum"].value == "None"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("length", ["east", "east_south"])
def test_preset_passes_its_form_unchanged(rules: RuleSet, length: str) -> None:
    chosen = RuleForm(rule_fields(rules), rules=rules).rules(length)
    assert chosen is not None
    assert chosen.name == rules.name
    assert chosen.length == length
    assert chosen.uma == rules.uma
    assert chosen.double_yakuman == rules.double_yakuman


def test_random_rules_pass_the_form_unchanged() -> None:
    """The tests of the engine play under rules such as these."""
    for number in range(25):
        rules = random_rules(Random(number))
        form = RuleForm(rule_fields(rules), rules=TENHOU)
        assert form.rules(rules.length) == rules, form.errors


def test_noten_payments_that_cannot_be_paid_are_refused_with_the_nearest() -> None:
    form = RuleForm(rule_fields(TENHOU, noten_payments="1300 2000 4000"), rules=TENHOU)
    assert form.rules("east") is None
    (error,) = form.errors["noten_payments"]
    assert "1,300, 2,000, 3,900" in error
    form = RuleForm(rule_fields(TENHOU, noten_payments="1300 2000 3900"), rules=TENHOU)
    chosen = form.rules("east")
    assert chosen is not None
    assert chosen.noten_payments == (1_300, 2_000, 3_900)


def test_form_of_three_players_asks_for_their_switches_alone() -> None:
    for number in range(25):
        rules = random_rules(Random(number), 3)
        form = RuleForm(rule_fields(rules), rules=PRESETS_OF_THREE["tenhou-3"])
        assert form.rules(rules.length) == rules, form.errors
    assert {"nukidora", "tsumo_with_three"} <= set(form.fields)
    assert not {"sanchaho", "sucha_riichi", "players"} & set(form.fields)
    assert "nukidora" not in RuleForm(rules=TENHOU).fields


def test_one_changed_switch_makes_own_rules() -> None:
    chosen = RuleForm(rule_fields(TENHOU, kuitan=""), rules=TENHOU).rules("east")
    assert chosen is not None
    assert chosen.name == OWN
    assert not chosen.kuitan
    shown = RuleForm(rules=chosen).differences()
    assert [(str(label), str(value)) for label, value in shown] == [("Open tanyao", "No")]


@pytest.mark.parametrize(("switches", "reason"), CONTRADICTIONS)
def test_contradiction_is_shown_at_its_switch(switches: dict[str, Any], reason: str) -> None:
    changes = {name: as_text(value) for name, value in switches.items()}
    form = RuleForm(rule_fields(TENHOU, **changes), rules=TENHOU)
    assert form.rules("east") is None
    assert form.errors
    for texts in form.errors.values():
        assert all(name not in text for text in texts for name in SWITCHES if "_" in name)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("uma", "20 10 -10"),
        ("uma", "a b c d"),
        ("uma", "99999999 0 0 -99999999"),
        ("red_fives", "1"),
        ("red_fives", "4 4 4"),
        ("red_fives", "1 -1 1"),
        ("start_points", "-100"),
        ("start_points", "99999999999"),
        ("renchan", "sometimes"),
        ("double_wind_fu", "3"),
        ("double_yakuman", "tenhou"),
        ("floating_uma", "1 2 3"),
    ],
)
def test_invalid_value_is_refused_at_its_field(field: str, text: str) -> None:
    form = RuleForm(rule_fields(TENHOU, **{field: text}), rules=TENHOU)
    assert form.rules("east") is None
    assert list(form.errors) == [field]


@pytest.mark.parametrize("base", ["", "house", "TENHOU"])
def test_unknown_base_is_refused(base: str) -> None:
    data = rule_fields(TENHOU, kuitan="")
    data["base"] = base
    form = RuleForm(data, rules=TENHOU)
    assert form.chosen("east") is None
    assert form.non_field_errors()
    assert form.base == "tenhou"


def test_typographic_minus_signs_and_commas_are_read() -> None:
    text = "30, 10, \N{MINUS SIGN}10, \N{MINUS SIGN}30"
    chosen = RuleForm(rule_fields(TENHOU, uma=text), rules=TENHOU).rules("east")
    assert chosen is not None
    assert chosen.uma == (30, 10, -10, -30)


def test_another_preset_without_changes_is_accepted() -> None:
    """Without a script the page still shows the switches of the first preset."""
    other = PRESETS["wrc-2025"]

    def sent(shown: RuleSet, **changes: str) -> RuleForm:
        fields = rule_fields(shown, **changes)
        fields["base"] = shown.name
        return RuleForm(fields, rules=other)

    assert sent(TENHOU).chosen("east_south") == other
    form = sent(TENHOU, kuitan="")
    assert form.chosen("east_south") is None
    assert form.non_field_errors()
    chosen = sent(other, kuitan="").chosen("east_south")
    assert chosen is not None
    assert chosen.name == OWN


def test_length_comes_from_the_table_form() -> None:
    assert LENGTH not in RuleForm(rules=TENHOU).fields
