"""A rule set in words: every switch that plays a part, with its value and what it means, in groups.

The words are those of the form of the rules (`rule_texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.engine.rules import TENHOU, RuleSet, is_switch_used
from game.results.game_text import format_number, format_signed, join_list, rules_name
from game.results.ladders import preset_of
from lobby.play.rule_texts import GROUPS, SWITCHES

_MAIN_SWITCHES: Final = ("start_points", "uma", "red_fives", "kuitan", "kiriage_mangan")
_SIGNED_SWITCHES: Final = frozenset({"uma", "floating_uma"})


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One switch."""

    label: Any
    value: str
    is_off: bool
    """Whether it is a switch that is on or off, and is off."""
    text: Any
    """The rule with its value."""


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """Switches under one heading."""

    name: Any
    rows: tuple[SheetRow, ...]


def rules_label(rules: RuleSet) -> str:
    """Return a text such as 'Tenhou, East only'."""
    return rules_name({"length": rules.length, "players": rules.players}, preset_of(rules))


def rule_sheet(rules: RuleSet) -> list[SheetGroup]:
    """Return the switches that play a part, in the reader's language."""
    return [
        SheetGroup(
            group.name,
            tuple(
                SheetRow(
                    switch.label,
                    value_text(rules, name),
                    getattr(rules, name) is False,
                    switch.meaning(getattr(rules, name)),
                )
                for name, switch in group.switches.items()
                if has_effect(rules, name)
            ),
        )
        for group in GROUPS
        if any(has_effect(rules, name) for name in group.switches)
    ]


def main_values(rules: RuleSet) -> list[tuple[Any, str]]:
    """Return the names and values of the few switches that tell a player most about the rules."""
    return [
        (SWITCHES[name].label, value_text(rules, name))
        for name in _MAIN_SWITCHES
        if has_effect(rules, name)
    ]


def has_effect(rules: RuleSet, name: str) -> bool:
    """Return whether the switch can change a game, given the values of the other switches."""
    needed = _NEEDS.get(name)
    return is_switch_used(name, rules.players) and (needed is None or needed(rules))


def value_text(rules: RuleSet, name: str) -> str:
    """Return the value of a switch in words."""
    value, words = getattr(rules, name), SWITCHES[name].values
    if isinstance(value, bool):
        return pgettext("rule.yes", "Yes") if value else pgettext("rule.no", "No")
    if name == "red_fives":
        return _red_fives(*value)
    if isinstance(value, tuple):
        rows = value if value and isinstance(value[0], tuple) else (value,)
        if words:
            return join_list([str(words.get(str(item), item)) for item in value]) or _("None")
        shown = format_signed if name in _SIGNED_SWITCHES else format_number
        return " / ".join(" ".join(map(shown, row)) for row in rows) or _("None")
    if str(value) in words:
        return str(words[str(value)])
    return format_number(value) if isinstance(value, int) else str(value)


def _red_fives(man: int, pin: int, sou: int) -> str:
    if man == pin == sou:
        return _("{count} of each suit").format(count=man) if man else _("None")
    text = _("{man} of characters, {pin} of circles, {sou} of bamboo")
    return text.format(man=man, pin=pin, sou=sou)


def _any_pao(rules: RuleSet) -> bool:
    return any(
        getattr(rules, name) is True for name in RuleSet.__struct_fields__ if name[:4] == "pao_"
    )


_NEEDS: Final[Mapping[str, Callable[[RuleSet], bool]]] = {
    "players": lambda rules: rules.players != TENHOU.players,
    "uma": lambda rules: not rules.floating_uma,
    "floating_uma": lambda rules: bool(rules.floating_uma),
    "dealer_stops": lambda rules: rules.agari_yame or rules.tenpai_yame,
    "tobi_at_zero": lambda rules: rules.tobi,
    "two_han_minimum_from": lambda rules: rules.minimum_han == 1,
    "honba_multi": lambda rules: rules.multi_ron != "head_bump",
    "sticks_multi": lambda rules: rules.multi_ron != "head_bump",
    "sanchaho": lambda rules: rules.multi_ron == "all",
    "kyushu_ankan_cancels": lambda rules: rules.kyushu_kyuhai,
    "kan_ura": lambda rules: rules.ura_dora and rules.kan_dora,
    "open_kan_dora": lambda rules: rules.kan_dora,
    "pending_dora_at_robbery": lambda rules: (
        rules.kan_dora and rules.open_kan_dora != "before_replacement"
    ),
    "nuki_interrupts": lambda rules: rules.nukidora != "off",
    "nuki_ron": lambda rules: rules.nukidora != "off",
    "nuki_rinshan": lambda rules: rules.nukidora != "off",
    "yakuman_cap": lambda rules: rules.yakuman_add_up,
    "pao_suukantsu_by": lambda rules: rules.pao_suukantsu,
    "pao_honba": _any_pao,
    "pao_composite": _any_pao,
    "chombo_points": lambda rules: rules.chombo == "after_game",
    "chombo_honba": lambda rules: rules.chombo != "impossible",
    "chombo_returns_riichi": lambda rules: rules.chombo != "impossible",
}
"""For switches that can be without effect: whether the switch has an effect under these rules."""
