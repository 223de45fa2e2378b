"""The forms for a game and for a new table, and the texts of their choices. The switches of the
rules are in `rule_form`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from game.bots import BOTS, LEVELS
from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.results.game_text import bot_level, preset_name
from game.tables.settings import CLOCKS, DEFAULT_CLOCK, DELAYED, MIN_DELAY_S, TableSettings, Watch
from lobby.accounts.forms import Form
from lobby.accounts.passwords import MAX_LENGTH, hash_password
from lobby.models import Club
from lobby.play.queues import Queue
from lobby.play.rule_form import RuleForm
from lobby.play.saved_rules import NamedRules

_BOT_NAMES: Final[dict[str, Any]] = {bot: lazy(bot_level, str)(bot) for bot in BOTS}
BOT_DESCRIPTIONS: Final[dict[str, Any]] = {
    "novice": _("calls often, never folds"),
    "hasty": _("rushes to riichi, never folds"),
    "careful": _("calls little, folds to a riichi"),
    "sensible": _("plays for the final place"),
    "tsumogiri": _("discards what it draws, but takes every win"),
}


def bot_choices() -> list[tuple[str, Any]]:
    """Return every bot with its name, the strongest first."""
    return [(bot, _BOT_NAMES[bot]) for bot in (*reversed(LEVELS), "tsumogiri")]


def described_bot_choices() -> list[tuple[str, Any]]:
    """Return every bot with its name and how it plays, the strongest first."""
    return [(bot, _DescribedBot(bot)) for bot, _name in bot_choices()]


def bot_level_choices() -> list[tuple[str, Any]]:
    """Return the levels with their names and how they play, the strongest first."""
    return [choice for choice in described_bot_choices() if choice[0] in LEVELS]


class _DescribedBot:
    """The name of a bot and how it plays, in the language of the reader."""

    def __init__(self, bot: str) -> None:
        self._bot = bot

    def __str__(self) -> str:
        line = _("%(name)s: %(description)s")
        return str(line) % {
            "name": _BOT_NAMES[self._bot],
            "description": BOT_DESCRIPTIONS[self._bot],
        }


WATCH_CHOICES: Final[dict[Watch, Any]] = {
    "closed": _("In real time, all hands closed"),
    "closed_delayed": _("Later, all hands closed"),
    "open_delayed": _("Later, all hands open"),
    "nobody": _("No spectators"),
}


def describe_watch(watch: str, delay_s: int) -> Any:
    """Return in words what spectators see and when, as pages of tables and events show it."""
    if watch not in DELAYED:
        return WATCH_CHOICES["nobody" if watch == "nobody" else "closed"]
    minutes, seconds = divmod(delay_s, 60)
    if seconds:
        count = {"seconds": delay_s}
        if watch == "open_delayed":
            text = ngettext(
                "All hands open, %(seconds)s second after each hand",
                "All hands open, %(seconds)s seconds after each hand",
                delay_s,
            )
        else:
            text = ngettext(
                "All hands closed, %(seconds)s second after each hand",
                "All hands closed, %(seconds)s seconds after each hand",
                delay_s,
            )
    else:
        count = {"minutes": minutes}
        if watch == "open_delayed":
            text = ngettext(
                "All hands open, %(minutes)s minute after each hand",
                "All hands open, %(minutes)s minutes after each hand",
                minutes,
            )
        else:
            text = ngettext(
                "All hands closed, %(minutes)s minute after each hand",
                "All hands closed, %(minutes)s minutes after each hand",
                minutes,
            )
    return text % count


NEVER: Final = "never"
_BOT_WAIT_CHOICES: Final = {  # by the number of seconds
    15: _("after 15 seconds"),
    30: _("after 30 seconds"),
    60: _("after a minute"),
    120: _("after two minutes"),
}


def preset_field(
    help_text: Any = "", widget: type[forms.Select] = forms.Select
) -> forms.ChoiceField:
    """Return a field in which the reader chooses a preset."""
    return forms.ChoiceField(
        label=_("Rules"),
        choices=lambda: [(name, preset_name(name)) for name in ALL_PRESETS],
        initial="tenhou",
        help_text=help_text,
        widget=widget,
    )


class PresetSelect(forms.Select):
    """A choice of rules. Each option says for how many players its rules are."""

    known: Mapping[str, RuleSet] = ALL_PRESETS

    def create_option(self, name: str, value: Any, *rest: Any, **more: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *rest, **more)
        option["attrs"]["data-players"] = self.known[value].players
        return option


class GameForm(Form):
    """The fields that all forms of games have: the rules and the length."""

    preset = preset_field()
    length = forms.ChoiceField(
        label=_("Length"),
        choices=[
            ("east_south", pgettext_lazy("lengths.east_south", "East and South")),
            ("east", pgettext_lazy("lengths.east", "East only")),
        ],
    )


class SeekForm(GameForm):
    """The form to find a game: the queue, and when bots may take seats."""

    bots = forms.ChoiceField(
        label=_("Bots for empty seats"),
        choices=[
            *((str(wait), text) for wait, text in _BOT_WAIT_CHOICES.items()),
            (NEVER, _("never: wait for people")),
        ],
        initial="60",
    )

    def queue(self) -> Queue:
        return Queue(self.cleaned_data["preset"], self.cleaned_data["length"])

    def bots_after_s(self) -> int | None:
        """Return after how many seconds bots take empty seats; None for never."""
        bots = self.cleaned_data["bots"]
        return None if bots == NEVER else int(bots)


MIN_DELAY_MINUTES: Final = MIN_DELAY_S // 60
MAX_DELAY_MINUTES: Final = 60
_BOT_SEATS: Final = ("seat_1", "seat_2", "seat_3")
_SEAT_FIELDS: Final = (*_BOT_SEATS, "quick_bots", "may_join")
CLOCK_NAMES: Final = {
    "5+10": _("5 seconds a move, 10 in the bank"),
    "5+20": _("5 seconds a move, 20 in the bank"),
    "15+30": _("15 seconds a move, 30 in the bank"),
    "60+0": _("60 seconds a move"),
    "none": _("No clock: for learners among friends"),
}


def _seat(label: Any, help_text: Any = "") -> forms.ChoiceField:
    choices = [("", _("Open seat")), *described_bot_choices()]
    return forms.ChoiceField(label=label, required=False, choices=choices, help_text=help_text)


def rules_name_field(*, is_required: bool = False) -> forms.CharField:
    """Return the field for the name under which rules are saved."""
    return forms.CharField(
        label=_("Name of the rules"),
        required=is_required,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class TableForm(GameForm):
    """The form of a new table, with the switches of its rules in `rules`.

    `key` names the rules that the form shows at first: a preset, or one of `saved`. If the data
    has `show`, the form keeps what was entered and shows the switches of the chosen rules.
    """

    field_order = ("preset", "length")

    preset = preset_field(_("You can change every switch below."), PresetSelect)
    clock = forms.ChoiceField(
        label=_("Clock"),
        choices=[(name, CLOCK_NAMES[name]) for name in CLOCKS],
        initial=DEFAULT_CLOCK,
        help_text=_(
            "The bank lasts for a whole hand, and is used when the time of a move is over."
        ),
    )
    seat_1 = _seat(_("Second seat"))
    seat_2 = _seat(_("Third seat"))
    seat_3 = _seat(_("Fourth seat"), _("Only with four players."))
    quick_bots = forms.BooleanField(
        label=_("Bots answer quickly"),
        required=False,
        help_text=_("Only at a table with one person."),
    )
    entry = forms.ChoiceField(
        label=_("Who can join"),
        choices=[
            ("public", _("Public (listed in the lobby)")),
            ("invited", _("Only people with the link")),
        ],
        help_text=_(
            "The game is as public as the table: in the list of live tables, and afterwards."
        ),
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        max_length=MAX_LENGTH,
        help_text=_("Needed to take a seat. Leave it empty for no password."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    may_join = forms.BooleanField(
        label=_("Abandoned seats can be taken over"),
        required=False,
        initial=True,
        help_text=_(
            "When a player leaves a game in progress, somebody else may take over the seat."
        ),
    )
    help = forms.BooleanField(
        label=_("Hints"),
        required=False,
        initial=True,
        help_text=_("Players may use help for their own hand: waits, furiten, value."),
    )
    watch = forms.ChoiceField(
        label=_("Spectators"),
        choices=WATCH_CHOICES.items(),
        help_text=_(
            "Later: a hand is shown only when it is over and the delay has passed, at the speed at "
            "which it was played. Anybody may watch, opponents too."
        ),
    )
    rules_name = rules_name_field()
    delay_minutes = forms.IntegerField(
        label=_("Delay in minutes"),
        min_value=MIN_DELAY_MINUTES,
        max_value=MAX_DELAY_MINUTES,
        required=False,
        initial=5,
        help_text=format_lazy(
            _("Only if hands are shown later. At least {least}."), least=MIN_DELAY_MINUTES
        ),
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        key: str,
        saved: Sequence[NamedRules],
        club: Club | None,
    ) -> None:
        known = ALL_PRESETS | {named.key: named.rules for named in saved}
        key = key if key in known else "tenhou"
        initial: dict[str, Any] = {"preset": key}
        for named in saved:
            if named.key == key:
                initial |= {"length": named.rules.length, "clock": named.clock}
        self.shows_rules = "show" in (data or ())
        if data is not None and self.shows_rules:
            initial = {"help": False, "may_join": False, **data.dict(), **initial}
            data = None
        super().__init__(data, initial=initial)
        self.rules = RuleForm(data, rules=known[key], key=key, known=known)
        cast("PresetSelect", self.fields["preset"].widget).known = known
        self.club = club
        self.has_saved = bool(saved)
        """Whether the form offers more than the presets."""
        if club is not None:
            entry = cast("forms.ChoiceField", self.fields["entry"])
            entry.choices = [("club", _("Members, and people with the link"))]
            entry.help_text = _("The game is as public as the club.")
            self.fields["may_join"].initial = False
        if saved:
            own = (_("Saved rules"), [(rules.key, rules.name) for rules in saved])
            field = cast("forms.ChoiceField", self.fields["preset"])
            presets = cast("Iterable[tuple[Any, Any]]", field.choices)
            field.choices = [*presets, own]

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """Return headings with their fields."""
        return [
            (_("The game"), [self[name] for name in ("preset", "length", "clock", "help")]),
            (_("The seats"), [self[name] for name in _SEAT_FIELDS]),
            (_("Access"), [self[name] for name in ("entry", "password", "watch", "delay_minutes")]),
        ]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("watch") in DELAYED and given.get("delay_minutes") is None:
            self.add_error("delay_minutes", _("Please enter the delay in minutes."))
        given["rules"] = self.rules.chosen(given.get("length", ""))
        return given

    def is_valid(self) -> bool:
        return super().is_valid() and self.rules.is_valid()

    def settings(self) -> TableSettings:
        """Return the chosen settings. A field with the name of a setting is that setting."""
        given, club = self.cleaned_data, self.club
        chosen = {name: given[name] for name in TableSettings.__struct_fields__ if name in given}
        is_delayed = given["watch"] in DELAYED
        chosen |= {
            "password": hash_password(given["password"]) if given["password"] else "",
            "public": club.is_public if club is not None else given["entry"] == "public",
            "watch_delay_s": 60 * given["delay_minutes"] if is_delayed else 0,
            "club": club.slug if club is not None else "",
        }
        return TableSettings(**chosen)

    def bots(self) -> list[str]:
        """Return the bots of the other seats, as many as the chosen rules have."""
        given = self.cleaned_data
        return [given[name] for name in _BOT_SEATS[: given["rules"].players - 1]]
