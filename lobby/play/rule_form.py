"""The form of a rule set: every switch with its name and explanation, in groups. Contradictions
are errors of their switch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from msgspec.structs import replace

from game.engine.consistency import contradictions
from game.engine.presets import ALL_PRESETS, PRESETS, preset
from game.engine.rules import TENHOU, RuleSet, is_switch_used, switch_type, unused_switches
from game.results.game_text import format_number
from game.results.ladders import preset_of
from lobby.accounts.forms import replace_error_texts
from lobby.play.rule_sheet import value_text
from lobby.play.rule_texts import GROUPS, SWITCHES, Switch

LENGTH: Final = "length"
_GIVEN: Final = (LENGTH, "players")
"""Switches that the form does not ask for: the table chooses the length, the preset the players."""
OWN: Final = "own"
"""The name of rules that are no preset."""
_MAX_NUMBER: Final = 1_000_000
_SEPARATOR: Final = re.compile(r"[\s,;]+")


class NumbersWidget(forms.TextInput):
    """A text field for each number of a row; all fields have one name. One text with all numbers
    is accepted as well.
    """

    template_name = "lobby/widgets/numbers.html"

    def __init__(self, labels: Sequence[Any], attrs: dict[str, Any]) -> None:
        super().__init__(attrs)
        self.labels = labels

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        texts = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]
        return ", ".join(texts) if len(texts) > 1 else data.get(name)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        text = str(value or "")
        texts = text.split(",") if "," in text else text.split()
        texts += [""] * (len(self.labels) - len(texts))
        context["widget"]["numbers"] = list(zip(self.labels, map(str.strip, texts), strict=False))
        return context


class NumbersField(forms.CharField):
    """One row of whole numbers, or several rows. `labels` name the numbers of a row."""

    def __init__(
        self, count: int, rows: int = 1, *, labels: Sequence[Any] = (), **options: Any
    ) -> None:
        self.count, self.rows = count, rows
        attrs = {"autocomplete": "off", "spellcheck": "false"}
        if rows > 1:
            widget: forms.Widget = forms.Textarea(attrs={**attrs, "rows": rows})
        else:
            widget = NumbersWidget(labels, attrs) if labels else forms.TextInput(attrs=attrs)
        super().__init__(widget=widget, max_length=400, **options)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str) or value is None:
            return value
        rows = value if self.rows > 1 else [value]
        return "\n".join(" ".join(map(str, row)) for row in rows)

    def clean(self, value: Any) -> Any:
        lines = [line for line in str(super().clean(value)).splitlines() if line.strip()]
        try:
            rows = tuple(self._row(line) for line in lines)
        except ValueError:
            text = _("Please write %(count)d whole numbers, such as %(sample)s.")
            sample = " ".join("0" * self.count)
            raise forms.ValidationError(text % {"count": self.count, "sample": sample}) from None
        if self.rows > 1:
            return rows
        return rows[0] if rows else ()

    def _row(self, line: str) -> tuple[int, ...]:
        texts = _SEPARATOR.split(line.strip().replace("\N{MINUS SIGN}", "-"))
        numbers = tuple(int(text) for text in texts)
        if len(numbers) != self.count or any(abs(number) > _MAX_NUMBER for number in numbers):
            raise ValueError(line)
        return numbers


class RuleForm(forms.Form):
    """The switches that exist for the players of these rules, but the length, which the table
    chooses.

    `known` are the rule sets that the page offers, by key; `key` is that of `rules` among them. The
    switches in the data are those of the rules that the page showed, whose key is `base`.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        rules: RuleSet,
        key: str = "",
        known: Mapping[str, RuleSet] = PRESETS,
    ) -> None:
        shown = {name: getattr(rules, name) for name in SWITCHES}
        super().__init__(data, initial=shown, prefix="rule", label_suffix="", auto_id="%s")
        self.initial_rules = rules
        self.known = known
        self._key = key or rules.name
        self._shown = self.known.get(self.data.get("base", ""), rules)
        for name, switch in SWITCHES.items():
            if name not in _GIVEN and is_switch_used(name, self._shown.players):
                self.fields[name] = _make_field(name, switch, self._shown)
                replace_error_texts(self.fields[name])

    @property
    def groups(self) -> Iterator[dict[str, Any]]:
        """Yield the name and the fields of each group, and whether they have errors."""
        for group in GROUPS:
            fields = [self[name] for name in group.switches if name in self.fields]
            if not fields:
                continue
            has_errors = any(field.errors for field in fields)
            yield {"name": group.name, "fields": fields, "has_errors": has_errors}

    @property
    def base(self) -> str:
        """Return the key of the rule set whose switches the page shows."""
        base = self.data.get("base", "") if self.is_bound else ""
        return base if base in self.known else self._key

    def differences(self) -> list[tuple[Any, Any]]:
        """Return the label and the value of each switch that differs from Tenhou's preset for as
        many players; [] for a preset.
        """
        rules = self.initial_rules
        if preset_of(rules):
            return []
        usual = preset("tenhou" if rules.players == TENHOU.players else "tenhou-3")
        return [
            (switch.label, value_text(rules, name))
            for name, switch in SWITCHES.items()
            if name != LENGTH and getattr(rules, name) != getattr(usual, name)
        ]

    def chosen(self, length: str) -> RuleSet | None:
        """Return the rules to play, with that length, or None with errors on the form.

        If the reader changed no switch, these are `initial_rules`, even if the page showed the
        switches of other rules (`base` in the data).
        """
        shown = self.known.get(self.data.get("base", ""))
        if shown is None:
            unknown = _("These rules are unknown. Choose a preset and show its switches first.")
            self.add_error(None, unknown)
            return None
        if length not in ("east", "east_south"):
            length = "east_south"
        rules = self.rules(length)
        if rules is None:
            return None
        if replace(rules, name=shown.name, version=shown.version, length=shown.length) == shown:
            return replace(self.initial_rules, length=length)
        if shown != self.initial_rules:
            wanted = _("These are other rules with changes of your own. Show its switches first.")
            self.add_error(None, wanted)
            return None
        return rules

    def rules(self, length: str) -> RuleSet | None:
        """Return the rules as edited in the switches, or None with errors on the form."""
        if not self.is_valid():
            return None
        players = self._shown.players
        given = {"players": players, "length": length, "name": OWN, **unused_switches(players)}
        chosen = msgspec.convert({**self.cleaned_data, **given}, RuleSet)
        for wrong in contradictions(chosen):
            text = str(_REASONS.get(wrong.code, wrong.text))
            nearest = ", ".join(map(format_number, wrong.nearest))
            self.add_error(wrong.switch, text.format(nearest=nearest))
        return None if self.errors else with_preset_name(chosen)


def with_preset_name(rules: RuleSet) -> RuleSet:
    """Return the rules, named as the preset that they equal, if any."""
    for name, known in ALL_PRESETS.items():
        same = replace(rules, name=name, version=known.version)
        if preset_of(same):
            return same
    return rules


def _make_field(name: str, switch: Switch, rules: RuleSet) -> forms.Field:
    texts: dict[str, Any] = {"label": switch.label, "help_text": switch.text}
    hint = switch_type(name)
    if name == "double_yakuman":
        return forms.MultipleChoiceField(
            choices=list(switch.values.items()),
            widget=forms.CheckboxSelectMultiple,
            required=False,
            **texts,
        )
    if name == "floating_uma":
        players = rules.players
        return NumbersField(players, rows=players + 1, required=False, **texts)
    if get_origin(hint) is tuple:
        count = len(getattr(rules, name))
        return NumbersField(count, labels=_LABELS.get(name, ())[:count], **texts)
    if get_origin(hint) is Literal:
        values = get_args(hint)
        choices = [(value, switch.values.get(str(value), str(value))) for value in values]
        return forms.TypedChoiceField(
            choices=choices, coerce=int if isinstance(values[0], int) else str, **texts
        )
    if hint is bool:
        return forms.BooleanField(required=False, **texts)
    return forms.IntegerField(min_value=0, max_value=_MAX_NUMBER, **texts)


PLACE_NAMES: Final = (
    pgettext_lazy("places.1", "1st"),
    pgettext_lazy("places.2", "2nd"),
    pgettext_lazy("places.3", "3rd"),
    pgettext_lazy("places.4", "4th"),
)
_LABELS: Final[dict[str, tuple[Any, ...]]] = {
    "uma": PLACE_NAMES,
    "red_fives": (
        pgettext_lazy("suits.m", "characters"),
        pgettext_lazy("suits.p", "circles"),
        pgettext_lazy("suits.s", "bamboo"),
    ),
    "noten_payments": (_("One tenpai"), _("Two tenpai"), _("Three tenpai")),
}
"""The labels of the numbers of a switch, by the name of the switch."""

_REASONS: Final = {
    "points_uneven": _("Points are whole hundreds."),
    "number_count": _("There are not as many numbers as the players need."),
    "not_with_players": _("This is not played with so many players."),
    "honba_uneven": _(
        "The payers of a self-draw each pay whole hundreds of it. The nearest that can be paid: "
        "{nearest}."
    ),
    "noten_uneven": _(
        "Points are whole hundreds, and the tenpai players share the last number. The nearest "
        "that can be paid: {nearest}."
    ),
    "no_yakuman": _("At least one yakuman must be paid."),
    "chombo_costs": _("If chombo is not possible, set its points and honba to 0."),
    "no_chombo": _("False declarations lead to a chombo, but chombo is set to “not possible”."),
    "chombo_not_after": _(
        "Points are taken off after the game, but chombo is not set to be paid then."
    ),
    "uma_sum": _("The numbers must add up to 0."),
    "floating_rows": _("There is one row for each number of players, from 0, or none at all."),
    "floating_sum": _("Each row must add up to 0."),
    "oka_sum": _(
        "The oka is 0 or what all players pay in: return points less starting points, for each of "
        "them."
    ),
    "return_below_start": _("They cannot be fewer than the starting points."),
    "red_fives": _("At most this number of fives of a suit can be red: {nearest}."),
    "no_such_five": _("Three players have no five of characters."),
    "tiles_left": _("At most this number of tiles can be left: {nearest}."),
    "kan_ura_without_ura": _("It counts ura dora, and ura dora are switched off."),
    "kan_ura_without_kan_dora": _("It lies under kan dora, and kan dora are switched off."),
    "never_pending": _(
        "With the dora of an open kan before the replacement tile none is ever due."
    ),
    "fifth_with_three": _("The wall of three players has other replacement tiles for it."),
    "fifth_without_ura": _("It uses ura indicators, and ura dora are switched off."),
}
"""Why rules contradict themselves, by code."""
