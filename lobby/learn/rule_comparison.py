"""The differences of rule sets side by side, made from their switches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from game.engine.rules import RuleSet
from lobby.pregame.rule_sheet import value_text
from lobby.pregame.rule_texts import GROUPS


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a switch in words."""

    text: str
    differs: bool
    """From the first of the rule sets."""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A switch in all the rule sets."""

    label: Any
    text: Any
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ComparedGroup:
    """Switches under one heading."""

    name: Any
    rows: tuple[ComparedRow, ...]


def compare(rule_sets: Sequence[RuleSet]) -> list[ComparedGroup]:
    """Return the switches that have not the same value in all of the rule sets."""
    groups = []
    for group in GROUPS:
        rows = tuple(
            ComparedRow(
                switch.label,
                switch.text,
                tuple(
                    Cell(
                        value_text(rules, name),
                        getattr(rules, name) != getattr(rule_sets[0], name),
                    )
                    for rules in rule_sets
                ),
            )
            for name, switch in group.switches.items()
            if len({repr(getattr(rules, name)) for rules in rule_sets}) > 1
        )
        if rows:
            groups.append(ComparedGroup(group.name, rows))
    return groups
