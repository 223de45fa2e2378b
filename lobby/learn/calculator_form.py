"""The form of the calculator: a hand, its situation and the rules."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from game.engine.hand import is_closed
from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.engine.state import KAN_TYPES, MeldType
from game.engine.tiles import EAST, NORTH
from game.results.game_text import preset_name, table_text
from lobby.accounts.forms import Form
from lobby.learn.typed_hands import (
    HandRefused,
    TypedHand,
    check_tiles,
    read_typed_hand,
    read_typed_tiles,
)

_MOST_INDICATORS: Final = 5
_WINDS: Final = "ESWN"
_INITIAL_VALUES: Final = {
    "rules": "tenhou",
    "win": "ron",
    "seat": "S",
    "round": "E",
    "norths": 0,
    "honba": 0,
    "sticks": 0,
    "turn": 1,
}
_COLLAPSED_FIELDS: Final = {"ippatsu", "moment", "norths", "honba", "sticks", "turn"}
"""The fields that the page folds up."""


def _number(label: Any, *, most: int, least: int = 0) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most)


class CalculatorForm(Form):
    """The entered hand. After validation `hand_read`, `dora_read` and `ura_read` hold the tiles."""

    hand = forms.CharField(
        label=_("Hand"),
        max_length=60,
        help_text=_(
            "123m are characters, 456p circles, 789s bamboo; 1z to 4z are the winds, 5z, 6z and 7z "
            "the white, green and red dragon; 0 is a red five. The drawn or winning tile comes "
            "last. Open sets follow with <, closed kans with #: 340p99s78p9p <312m #1111z."
        ),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )
    rules = forms.ChoiceField(label=_("Rules"))
    win = forms.ChoiceField(label=_("Win by"), choices=[("ron", _("Ron")), ("tsumo", _("Tsumo"))])
    seat = forms.ChoiceField(label=_("Seat wind"))
    round = forms.ChoiceField(label=_("Round wind"))
    riichi = forms.ChoiceField(
        label=_("Riichi"),
        choices=[("", _("No")), ("riichi", _("Riichi")), ("double", _("Double riichi"))],
        required=False,
    )
    moment = forms.ChoiceField(
        label=_("Special moment"),
        choices=[
            ("", _("None")),
            ("last", _("Last tile (haitei, houtei)")),
            ("kan", _("Kan (rinshan, chankan)")),
            ("first", _("First go-around (tenhou, chiihou, renhou)")),
        ],
        required=False,
    )
    ippatsu = forms.BooleanField(label=_("Ippatsu"), required=False)
    dora = forms.CharField(label=_("Dora indicators"), max_length=20, required=False)
    ura = forms.CharField(label=_("Ura dora indicators"), max_length=20, required=False)
    norths = _number(_("Norths set aside"), most=4)
    honba = _number(_("Honba"), most=99)
    sticks = _number(_("Riichi sticks"), most=99)
    turn = _number(_("Turn"), least=1, most=18)

    def __init__(self, data: Any = None) -> None:
        # What an address leaves out is as in the empty form.
        filled = data and {**_INITIAL_VALUES, **{name: data[name] for name in data}}
        super().__init__(filled, initial=_INITIAL_VALUES)
        for name, values in (
            ("rules", [(key, preset_name(key)) for key in ALL_PRESETS]),
            ("seat", [(wind, table_text("winds", wind)) for wind in _WINDS]),
            ("round", [(wind, table_text("winds", wind)) for wind in _WINDS]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = values
        self.hand_read = TypedHand((), ())
        self.dora_read: tuple[int, ...] = ()
        self.ura_read: tuple[int, ...] = ()

    @property
    def chosen_rules(self) -> RuleSet:
        """The rules of the chosen preset."""
        return ALL_PRESETS[self.cleaned_data["rules"]]

    @property
    def is_special(self) -> bool:
        """Whether a field in the collapsed part differs from its initial value."""
        return self.is_bound and bool(_COLLAPSED_FIELDS & set(self.changed_data))

    def wind(self, name: str) -> int:
        """Return the chosen wind of the field `name` (`seat` or `round`) as a kind of tile."""
        return EAST + _WINDS.index(self.cleaned_data[name])

    def clean(self) -> dict[str, Any]:
        """Read the tiles, and refuse what cannot happen together."""
        if not self.errors:
            self._read_tiles()
        if not self.errors:
            self._check_situation()
        return self.cleaned_data

    def _read_tiles(self) -> None:
        name = "hand"
        try:
            self.hand_read = read_typed_hand(self.cleaned_data["hand"])
            name = "dora"
            self.dora_read = read_typed_tiles(self.cleaned_data["dora"])
            name = "ura"
            self.ura_read = read_typed_tiles(self.cleaned_data["ura"])
            name = "hand"
            melded = [tile for meld in self.hand_read.melds for tile in meld.tiles]
            norths = [2 * NORTH] * self.cleaned_data["norths"]
            held = (*self.hand_read.tiles, *melded, *norths)
            check_tiles((*held, *self.dora_read, *self.ura_read), self.chosen_rules)
        except HandRefused as refusal:
            self.add_error(name, str(refusal))

    def _check_situation(self) -> None:
        chosen, rules, hand = self.cleaned_data, self.chosen_rules, self.hand_read
        riichi, moment = chosen["riichi"], chosen["moment"]
        has_kan = any(meld.type in KAN_TYPES for meld in hand.melds)
        if any(len(found) > _MOST_INDICATORS for found in (self.dora_read, self.ura_read)):
            self.add_error("dora", _("There are at most five indicators."))
        if riichi and not is_closed(hand.melds):
            self.add_error("riichi", _("Riichi needs a closed hand."))
        if chosen["ippatsu"] and (not riichi or (moment == "kan" and chosen["win"] == "tsumo")):
            self.add_error("ippatsu", _("Ippatsu needs riichi, and a kan ends it."))
        if self.ura_read and not riichi:
            self.add_error("ura", _("Ura dora count in riichi only."))
        if moment == "first" and (riichi or hand.melds):
            self.add_error("moment", _("In the first go-around nobody has called or discarded."))
        is_replaced = has_kan or (chosen["norths"] and rules.nuki_rinshan)
        if moment == "kan" and chosen["win"] == "tsumo" and not is_replaced:
            self.add_error("moment", _("Rinshan needs a kan in the hand."))
        if rules.players == 3:
            self._check_three(hand)
        elif chosen["norths"]:
            self.add_error("norths", _("Only three players set norths aside."))

    def _check_three(self, hand: TypedHand) -> None:
        if self.cleaned_data["seat"] == "N":
            self.add_error("seat", _("Three players have no north seat."))
        if any(meld.type == MeldType.CHI for meld in hand.melds):
            self.add_error("hand", _("Three players do not call chi."))
        if self.cleaned_data["norths"] and self.chosen_rules.nukidora != "north":
            self.add_error("norths", _("These rules do not set norths aside."))
