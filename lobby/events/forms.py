"""The forms of events: what is chosen when one is created, and what may change later."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar, Final, cast
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from lobby.accounts.forms import Form
from lobby.clubs.forms import slug_field
from lobby.events.seating import Round, SeatingError, read_prescribed
from lobby.models import Club, Event
from lobby.play import saved_rules
from lobby.play.forms import MAX_DELAY_MINUTES, MIN_DELAY_MINUTES, WATCH_CHOICES

_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 2100
_USUAL_DELAY_S: Final = 300


def check_year(day: date) -> None:
    """Refuse years that a database or a time zone does not support. Raises ValidationError."""
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        text = _("A year from %(first)d to %(last)d, please.")
        raise forms.ValidationError(text, params={"first": _FIRST_YEAR, "last": _LAST_YEAR})


@cache
def _time_zones() -> list[tuple[str, str]]:
    """List the time zones as choices, once: their names are read from some 600 files."""
    return [(name, name) for name in sorted(available_timezones())]


def _time_zone_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Time zone"),
        choices=_time_zones,
        initial="UTC",
        required=False,
    )


def _moment_field(label: Any, help_text: Any = "") -> forms.DateTimeField:
    """Return a time on the clock of the event. Cleaned, it is aware."""
    return forms.DateTimeField(
        label=label,
        required=False,
        help_text=help_text,
        validators=[check_year],
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )


def _registration_choices(*more: tuple[str, Any]) -> list[tuple[str, Any]]:
    return [
        *more,
        (Event.OPEN, _("Members enter freely")),
        (Event.REQUEST, _("Members ask, and an organiser accepts")),
        (Event.LIST, _("Organisers make the list")),
    ]


class EventForm(Form):
    """The settings of an event of any format that can be changed later."""

    field_order: Sequence[str] = ()

    name = forms.CharField(
        label=_("Name of the event"),
        min_length=2,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    time_zone = _time_zone_field()
    registration = forms.ChoiceField(
        label=_("Registration"), choices=_registration_choices(), required=False
    )
    max_entrants = forms.IntegerField(
        label=_("Number of places"),
        min_value=0,
        max_value=1000,
        initial=0,
        required=False,
        help_text=_(
            "Whoever registers later is on a waiting list and moves up when a place becomes free. "
            "0: no limit."
        ),
    )
    registration_ends_at = _moment_field(
        _("Registration ends"), _("In the time zone of the event. Empty: when the event begins.")
    )

    ties = forms.ChoiceField(
        label=_("Tied players"),
        choices=[
            ("shared", _("Share a place")),
            ("broken", _("By average place, sum of results, first places, then the best game")),
        ],
        required=False,
    )

    is_public = forms.BooleanField(
        label=_("Everybody can see the event"),
        required=False,
        help_text=_(
            "Its pages, its tables and the games that it holds from now on. Otherwise only members "
            "of the club can see them."
        ),
    )
    watch = forms.ChoiceField(
        label=_("Spectators"),
        choices=WATCH_CHOICES.items(),
        required=False,
        help_text=_("Later: each hand is shown when it is over and this time has passed."),
    )
    watch_delay_s = forms.IntegerField(
        label=_("Seconds until a hand is shown"),
        min_value=60 * MIN_DELAY_MINUTES,
        max_value=60 * MAX_DELAY_MINUTES,
        initial=_USUAL_DELAY_S,
        required=False,
        help_text=format_lazy(
            _("Between {least} and {most}. Only if hands are shown later."),
            least=60 * MIN_DELAY_MINUTES,
            most=60 * MAX_DELAY_MINUTES,
        ),
    )

    defaults: ClassVar[dict[str, Any]] = {
        "watch": "closed",
        "watch_delay_s": _USUAL_DELAY_S,
        "ties": "shared",
        "time_zone": "UTC",
        "registration": Event.OPEN,
        "max_entrants": 0,
    }
    """The values of fields that were not sent."""
    kept: ClassVar[Sequence[str]] = ()
    """Fields whose value an event that exists keeps if none was sent."""

    def clean(self) -> dict[str, Any]:
        """Fill fields that were not sent with their defaults, and give times the zone of the
        event.
        """
        given = self.cleaned_data
        for name, value in self.defaults.items():
            if name in given and given[name] in (None, ""):
                given[name] = self.initial.get(name, value) if name in self.kept else value
        if "time_zone" in given:
            zone = ZoneInfo(given["time_zone"])
            for name, value in given.items():
                if isinstance(value, datetime):
                    given[name] = value.replace(tzinfo=zone)
        return given


class NewEvent(EventForm):
    """A new event, with settings that cannot be changed later."""

    slug = slug_field(_("The end of the address of its page. It cannot be changed later."))
    rules = forms.ChoiceField(
        label=_("Rules and clock"),
        help_text=_("All games of the event are played by them. They cannot be changed later."),
    )

    def __init__(self, data: Any = None, *, choices: list[tuple[str, Any]], club: Club) -> None:
        super().__init__(data, initial={"is_public": club.is_public})
        cast("forms.ChoiceField", self.fields["rules"]).choices = choices


class SeasonForm(EventForm):
    """An event without rounds: its days, who plays, and how results count."""

    defaults: ClassVar = EventForm.defaults | {"registration": Event.MEMBERS}
    field_order: Sequence[str] = ("name", "slug", "rules", "starts_on", "ends_on")

    starts_on = forms.DateField(
        label=_("First day"),
        validators=[check_year],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        validators=[check_year],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    registration = forms.ChoiceField(
        label=_("Who plays"),
        choices=_registration_choices((Event.MEMBERS, _("Every member of the club"))),
        required=False,
    )
    ranking = forms.ChoiceField(
        label=_("Standings by"),
        choices=[(Event.POINTS, _("Sum of results")), (Event.PLACES, _("Average place"))],
    )
    min_games = forms.IntegerField(
        label=_("Minimum number of games"),
        min_value=0,
        max_value=1000,
        initial=0,
        help_text=_("Whoever has played fewer has no place in the standings."),
    )
    max_games = forms.IntegerField(
        label=_("Maximum number of games"),
        min_value=0,
        max_value=1000,
        initial=0,
        help_text=_("Of each player. 0: any number."),
    )
    best_games = forms.IntegerField(
        label=_("Best games that count"),
        min_value=0,
        max_value=1000,
        initial=0,
        help_text=_("Of each player. 0: all games count."),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        first, last = given.get("starts_on"), given.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        most = given.get("max_games")
        if most and given.get("min_games", 0) > most:
            self.add_error("min_games", _("That is more than the greatest number."))
        return given


class NewSeason(SeasonForm, NewEvent):
    """A new event without rounds."""


_FILL_CHOICES: Final = [
    ("refuse", _("The event cannot begin")),
    ("bots", _("Bots take the seats that are left over")),
    ("substitutes", _("Members of the club take them, whose results do not count")),
    ("sit_out", _("Players sit out by turns")),
]


class RoundsForm(EventForm):
    """An event with rounds."""

    field_order: Sequence[str] = (
        *("name", "slug", "rules", "rounds", "method", "prescribed", "fill"),
        *("next_round_at", "starts_at", "ends_at"),
    )
    defaults: ClassVar = EventForm.defaults | {
        "rounds": 4,
        "fill": "refuse",
        "no_show_minutes": 0,
        "missed_points": 0,
    }
    kept: ClassVar = ("rounds", "fill", "no_show_minutes", "missed_points")

    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=32, initial=4, required=False
    )
    fill = forms.ChoiceField(
        label=_("If the entrants do not fill the tables"),
        choices=_FILL_CHOICES,
        required=False,
    )
    starts_at = _moment_field(_("Beginning of the event"), _("In the time zone of the event."))
    ends_at = _moment_field(_("End of the event"))
    no_show_minutes = forms.IntegerField(
        label=_("Minutes in which players have to come to their table"),
        min_value=0,
        max_value=120,
        initial=10,
        required=False,
        help_text=_("0: as long as they like."),
    )
    missed_points = forms.DecimalField(
        label=_("Points for each round that a player misses or sits out, in thousands"),
        min_value=-200,
        max_value=200,
        decimal_places=1,
        initial=0,
        required=False,
        help_text=_(
            "0 is the mean of a round. Organisers can enter players after the first round."
        ),
    )

    least_rounds = 0
    most_rounds: int | None = None
    """The number of rounds that have begun, and that prescribed seats have."""

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        rounds = given.get("rounds", self.least_rounds)
        if rounds < self.least_rounds:
            begun = _("Round %(number)d has begun.") % {"number": self.least_rounds}
            self.add_error("rounds", begun)
        if self.most_rounds is not None and rounds > self.most_rounds:
            text = _("The seats are for another number of rounds: %(count)d.")
            self.add_error("rounds", text % {"count": self.most_rounds})
        first, last = given.get("starts_at"), given.get("ends_at")
        if last and not first:
            self.add_error("starts_at", _("An event with an end has a beginning."))
        if first and last and last < first:
            self.add_error("ends_at", _("The end is before the beginning."))
        return given


class NewRounds(RoundsForm, NewEvent):
    """A new event with rounds, with settings that cannot be changed later."""

    defaults: ClassVar = RoundsForm.defaults | {
        "round_minutes": 0,
        "no_show": "bot",
        "no_show_points": 20,
        "substitute_points": -15,
    }

    method = forms.ChoiceField(
        label=_("Seating"),
        choices=[
            ("balanced", _("Balanced")),
            ("swiss", _("Swiss")),
            ("interval", _("At intervals")),
            ("random", _("By lot")),
            ("prescribed", _("Prescribed")),
        ],
        help_text=_(
            "Balanced: where possible nobody meets twice. Swiss: neighbours in the standings play "
            "together. At intervals: strong, middling and weak players together."
        ),
    )
    prescribed = forms.CharField(
        label=_("Prescribed seats"),
        required=False,
        max_length=400_000,
        help_text=_(
            "A line for each table with its round, its number and the numbers of its players in "
            "the order of their winds, East first, such as 1,1,5,2,7,4. Which player has which "
            "number is drawn by lot when the first round begins."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    round_minutes = forms.ChoiceField(
        label=_("Time of a round"),
        choices=[
            (0, _("No limit")),
            (75, _("75 minutes, then one more hand")),
            (90, _("90 minutes, then one more hand")),
        ],
        required=False,
    )
    no_show = forms.ChoiceField(
        label=_("If a player does not come in time"),
        choices=[
            ("bot", _("A bot plays this game")),
            ("penalty", _("The player gets a penalty")),
        ],
        help_text=_("A game that a bot plays has the fixed result."),
        required=False,
    )
    no_show_points = forms.DecimalField(
        label=_("Points of that penalty, in thousands"),
        min_value=0,
        max_value=200,
        decimal_places=1,
        initial=20,
        required=False,
    )
    substitute_points = forms.DecimalField(
        label=_("Fixed result of a game that somebody else plays, in thousands"),
        min_value=-200,
        max_value=200,
        decimal_places=1,
        initial=-15,
        required=False,
    )
    log_is_public = forms.BooleanField(
        label=_("Everybody may read the log of the officials"), required=False
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        text = given.pop("prescribed", "")
        if given.get("method") == "prescribed":
            if given.get("fill") == "sit_out":
                self.add_error("fill", _("Prescribed seats are for all players of each round."))
            named = saved_rules.find_named(given.get("rules", ""))
            if named is not None:
                players = named.rules.players
                given["schedule"] = self._read_seats(text, players, given.get("rounds"))
        return given

    def _read_seats(self, text: str, table_size: int, rounds: int | None) -> list[Round]:
        try:
            found = read_prescribed(text, table_size)
        except SeatingError as error:
            why = _("These seats cannot be used: %(why)s.") % {"why": error}
            self.add_error("prescribed", why)
            return []
        if rounds and len(found) != rounds:
            count = _("The seats are for another number of rounds: %(count)d.")
            self.add_error("prescribed", count % {"count": len(found)})
        return found


FORMATS: Final[dict[str, dict[str, Any]]] = {
    Event.OPEN_FORMAT: {
        "name": _("League"),
        "text": _(
            "Players make a table whenever enough of them meet, from the first day to the last."
        ),
    },
    Event.LIST_FORMAT: {
        "name": _("League with a list of tables"),
        "text": _("The players of each table of the list agree when they play."),
    },
    Event.ROUNDS: {
        "name": _("Tournament in rounds"),
        "text": _("All play at the same time, and each round is seated by a method."),
    },
}
"""The names of the formats, and what each means."""


def new_form(format: str, data: Any, choices: list[tuple[str, Any]], club: Club) -> EventForm:
    """Return the form of a new event of that format."""
    form_of = NewRounds if format == Event.ROUNDS else NewSeason
    return form_of(data, choices=choices, club=club)


_BEFORE_ROUNDS: Final = ("registration", "max_entrants", "registration_ends_at")
"""The settings without an effect once rounds have begun."""


def edit_form(event: Event, data: Any, *, begun: int, has_games: bool) -> EventForm:
    """Return the form of an event with its present values. Times are shown on the event's clock.
    `begun` is the number of rounds that have begun. If the event has games, the form asks for a
    reason.
    """
    form_of = RoundsForm if event.has_rounds else SeasonForm
    zone = ZoneInfo(event.time_zone)
    values = {name: getattr(event, name) for name in (*form_of.base_fields, "next_round_at")}
    values = {
        name: value.astimezone(zone).replace(tzinfo=None) if isinstance(value, datetime) else value
        for name, value in values.items()
    }
    form = form_of(data, initial=values)
    if isinstance(form, RoundsForm):
        form.least_rounds = begun
        if event.method == "prescribed":
            form.most_rounds = len(event.schedule or ())
            fill = cast("forms.ChoiceField", form.fields["fill"])
            fill.choices = [choice for choice in _FILL_CHOICES if choice[0] != "sit_out"]
    if begun:
        for name in _BEFORE_ROUNDS:
            del form.fields[name]
        if begun < event.rounds:
            label = _("Start of round %(number)d") % {"number": begun + 1}
            form.fields["next_round_at"] = _moment_field(label, _("The page of the event says so."))
    if has_games:
        form.fields["reason"] = forms.CharField(
            label=_("Reason of the change"),
            max_length=300,
            required=False,
            help_text=_(
                "The log says what has changed. Changes count from the next round or game. Say why "
                "if they concern how results count."
            ),
        )
    form.order_fields(form.field_order)
    return form


def describe_changes(event: Event, changes: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return the label, the old and the new value of each changed field, for the log."""
    fields = RoundsForm.base_fields if event.has_rounds else SeasonForm.base_fields
    more = {"next_round_at": _("Start of the next round")}
    return [
        {
            "label": fields[name].label if name in fields else more.get(name, name),
            "old": _describe_value(event, fields.get(name), old),
            "new": _describe_value(event, fields.get(name), new),
        }
        for name, (old, new) in changes.items()
    ]


def _describe_value(event: Event, field: forms.Field | None, value: Any) -> Any:
    """Turn a stored value into text for the reader."""
    if isinstance(field, forms.ChoiceField):
        return dict(field.choices).get(value, value)  # type: ignore[arg-type]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(field, forms.DateField) and value:
        return date_format(date.fromisoformat(value))
    if isinstance(field, forms.DateTimeField | None) and value:
        at = datetime.fromisoformat(value).astimezone(ZoneInfo(event.time_zone))
        return date_format(at, "DATETIME_FORMAT")
    return "\N{EN DASH}" if value in (None, "") else value
