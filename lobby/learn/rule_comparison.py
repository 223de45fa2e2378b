"""The differences of rule sets side by side, made from their switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.engine.rules import RuleSet
from game.results.game_text import preset_name
from lobby.pregame.rule_sheet import plays_part, value_text
from lobby.pregame.rule_texts import GROUPS
from lobby.pregame.rule_texts.switch import Switch


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """A value of a switch in words, and the rule sets that have it."""

    text: str
    meaning: Any
    """What holds with the value; '' if the row says it for all values."""
    presets: tuple[tuple[str, str], ...]
    """Keys and names."""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A switch in all the rule sets, its most frequent value first."""

    label: Any
    text: Any
    values: tuple[ComparedValue, ...]


@dataclass(frozen=True, slots=True)
class ComparedGroup:
    """Switches under one heading."""

    name: Any
    rows: tuple[ComparedRow, ...]


def compare(rule_sets: Mapping[str, RuleSet]) -> list[ComparedGroup]:
    """Return the switches that have not the same value in all of the rule sets. Rule sets in which
    a switch plays no part are left out of its row."""
    groups = []
    for group in GROUPS:
        rows = [_row(name, switch, rule_sets) for name, switch in group.switches.items()]
        different = tuple(row for row in rows if len(row.values) > 1)
        if different:
            groups.append(ComparedGroup(group.name, different))
    return groups


def _row(name: str, switch: Switch, rule_sets: Mapping[str, RuleSet]) -> ComparedRow:
    found: dict[Any, list[str]] = {}
    for key, rules in rule_sets.items():
        if plays_part(rules, name):
            found.setdefault(getattr(rules, name), []).append(key)
    has_meanings = bool(switch.meanings or switch.off)
    values = [
        ComparedValue(
            value_text(rule_sets[keys[0]], name),
            switch.meaning(value) if has_meanings else "",
            tuple((key, preset_name(key)) for key in keys),
        )
        for value, keys in found.items()
    ]
    values.sort(key=lambda value: -len(value.presets))
    return ComparedRow(switch.label, "" if has_meanings else switch.text, tuple(values))
