"""The differences of rule sets side by side, made from their switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from game.engine.rules import RuleSet
from game.results.game_text import join_list, preset_name
from lobby.play.rule_sheet import has_effect, value_text
from lobby.play.rule_texts import GROUPS
from lobby.play.rule_texts.switch import Switch


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """A value of a switch in words, and the rule sets that have it."""

    text: str
    meanings: tuple[Any, ...]
    """The rule with this value in words; empty if the row says it for all values."""
    presets: tuple[tuple[str, str], ...]
    """The keys and names of the presets."""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A switch and its values in all the rule sets, the most frequent value first. Switches of one
    group share a row if they have the same values in the same rule sets and the same text when
    off.
    """

    labels: tuple[Any, ...]
    text: Any
    values: tuple[ComparedValue, ...]

    @property
    def label(self) -> str:
        """The names of its switches."""
        return join_list([str(label) for label in self.labels])


@dataclass(frozen=True, slots=True)
class ComparedGroup:
    """The compared switches under one heading."""

    name: Any
    rows: tuple[ComparedRow, ...]


def compare(rule_sets: Mapping[str, RuleSet]) -> list[ComparedGroup]:
    """Return the switches whose values differ between the rule sets. A switch's row leaves out
    rule sets in which the switch has no effect.
    """
    groups = []
    for group in GROUPS:
        alike: dict[object, list[ComparedRow]] = {}
        for name, switch in group.switches.items():
            row = _compare_switch(name, switch, rule_sets)
            if len(row.values) > 1:
                shared = [(value.text, value.presets) for value in row.values]
                key = (str(switch.off), *shared) if switch.off else name
                alike.setdefault(key, []).append(row)
        if alike:
            groups.append(ComparedGroup(group.name, tuple(map(_merge_rows, alike.values()))))
    return groups


def _merge_rows(rows: Sequence[ComparedRow]) -> ComparedRow:
    """Merge rows with the same values into one. Equal texts are kept once."""
    values = tuple(
        ComparedValue(
            same[0].text,
            tuple({str(text): text for value in same for text in value.meanings}.values()),
            same[0].presets,
        )
        for same in zip(*(row.values for row in rows), strict=True)
    )
    return ComparedRow(tuple(label for row in rows for label in row.labels), rows[0].text, values)


def _compare_switch(name: str, switch: Switch, rule_sets: Mapping[str, RuleSet]) -> ComparedRow:
    found: dict[Any, list[str]] = {}
    for key, rules in rule_sets.items():
        if has_effect(rules, name):
            found.setdefault(getattr(rules, name), []).append(key)
    has_meanings = bool(switch.meanings or switch.off)
    values = [
        ComparedValue(
            value_text(rule_sets[keys[0]], name),
            (switch.meaning(value),) if has_meanings else (),
            tuple((key, preset_name(key)) for key in keys),
        )
        for value, keys in found.items()
    ]
    values.sort(key=lambda value: -len(value.presets))
    return ComparedRow((switch.label,), "" if has_meanings else switch.text, tuple(values))
