"""A rule set in words: every switch with its value and its explanation, in groups.

The words are those of the form of the rules (`rule_texts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.engine.rules import RuleSet
from game.results.game_text import format_number, format_signed, join_list
from lobby.pregame.rule_texts import GROUPS, SWITCHES

_SIGNED: Final = frozenset({"uma", "floating_uma"})


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One switch."""

    label: Any
    value: str
    text: Any
    """What the switch means."""


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """Switches under one heading."""

    name: Any
    rows: tuple[SheetRow, ...]


def rule_sheet(rules: RuleSet) -> list[SheetGroup]:
    """Return all switches in the reader's language."""
    return [
        SheetGroup(
            group.name,
            tuple(
                SheetRow(switch.label, value_text(rules, name), switch.text)
                for name, switch in group.switches.items()
            ),
        )
        for group in GROUPS
    ]


def value_text(rules: RuleSet, name: str) -> str:
    """Return the value of a switch in words."""
    value, words = getattr(rules, name), SWITCHES[name].values
    if isinstance(value, bool):
        return pgettext("rule.yes", "yes") if value else pgettext("rule.no", "no")
    if isinstance(value, tuple):
        rows = value if value and isinstance(value[0], tuple) else (value,)
        if words:
            return join_list([str(words.get(str(item), item)) for item in value]) or _("none")
        shown = format_signed if name in _SIGNED else str
        return " / ".join(" ".join(map(shown, row)) for row in rows) or _("none")
    if str(value) in words:
        return str(words[str(value)])
    return format_number(value) if isinstance(value, int) else str(value)
