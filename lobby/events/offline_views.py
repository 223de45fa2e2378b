"""The page of an event's games at real tables: the list, and the forms of organisers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.results.game_text import format_signed, player_name
from lobby.accounts.forms import Form
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import person_id, require_person
from lobby.clubs.members import ClubAccess
from lobby.events import offline
from lobby.events.event_data import places_of
from lobby.events.forms import check_year
from lobby.events.impartiality import Official
from lobby.events.notes import NOTES
from lobby.events.offline import OfflineRefused, OfflineResult
from lobby.events.registration import table_size_of
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event, OfflineGame

_MAX_POINTS: Final = 999_900
WINDS: Final = (_("East"), _("South"), _("West"), _("North"))


def winds_of(event: Event) -> tuple[Any, ...]:
    """Name the seats of a table of the event, East first."""
    return WINDS[: table_size_of(event)]


_REFUSALS: Final = {
    "twice": _("A player has two seats."),
    "player": _("One of them does not take part."),
    "hundreds": _("Scores are in hundreds."),
    "own": _("You have played in this game. Another organiser has to enter it."),
    **{code: NOTES[code] for code in ("plays", "rival")},
    "gone": _("This game no longer exists."),
    "many": _("This event cannot have more games at real tables."),
    "changes": _("This game was changed too often."),
    "fixture": _("These players have no open table on the list of the event."),
}


class OfflineForm(Form):
    """The score sheet of a game at a real table."""

    played_at = forms.DateTimeField(
        label=_("Played at"),
        help_text=_("In the time zone of the event."),
        validators=[check_year],
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )
    round = forms.IntegerField(label=_("Round"), min_value=1, max_value=64, required=False)
    sticks = forms.IntegerField(
        label=_("Riichi sticks left on the table"), min_value=0, max_value=40, initial=0
    )
    reason = forms.CharField(
        label=_("Reason for the change"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Any, event: Event, people: list[tuple[str, str]], game: OfflineGame | None
    ) -> None:
        zone = ZoneInfo(event.time_zone)
        when = (game.played_at if game else timezone.now()).astimezone(zone)
        super().__init__(
            data,
            initial={
                "played_at": when.replace(tzinfo=None, second=0, microsecond=0),
                "round": game.round if game else None,
                "sticks": game.sticks if game else 0,
            },
        )
        self._zone = zone
        seats = list(game.seats.all()) if game else []
        self._seats = range(table_size_of(event))
        for seat, wind in enumerate(winds_of(event)):
            known = seats[seat] if seats else None
            self.fields[f"player{seat}"] = forms.ChoiceField(
                label=wind,
                choices=[("", "—"), *people],
                initial=str(known.person_id) if known else "",
            )
            self.fields[f"score{seat}"] = forms.IntegerField(
                label=_("Score"),
                min_value=-_MAX_POINTS,
                max_value=_MAX_POINTS,
                initial=known.written if known else None,
                widget=forms.NumberInput(attrs={"step": 100}),
            )
        if not event.has_rounds:
            del self.fields["round"]
        if game is None:
            del self.fields["reason"]
        self.order_fields(
            [
                "played_at",
                "round",
                *(f"{field}{at}" for at in self._seats for field in ("player", "score")),
            ]
        )

    def result(self) -> OfflineResult:
        """Read the score sheet from the valid form."""
        given = self.cleaned_data
        return OfflineResult(
            players=tuple(UUID(given[f"player{seat}"]) for seat in self._seats),
            scores=tuple(given[f"score{seat}"] for seat in self._seats),
            sticks=given["sticks"],
            played_at=cast("datetime", given["played_at"]).replace(tzinfo=self._zone),
            round=given.get("round"),
        )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def offline_games(
    request: HttpRequest, access: ClubAccess, event: Event, game: int = 0
) -> HttpResponse:
    """Show the list with the form of a new game, or the form of the game of that number."""
    games = offline.games_of(event)
    changed = next((listed for listed in games if listed.pk == game), None)
    if (game and changed is None) or ((game or request.method == "POST") and not access.is_officer):
        raise count_not_found(request)
    form = None
    if access.is_officer:
        people = [(str(player.pk), player.name) for player in offline.players_of(event)]
        form = OfflineForm(request.POST or None, event, people, changed)
    if form is not None and request.method == "POST" and _submit(request, event, changed, form):
        return redirect(event_address(access, event, "offline"))
    context = {
        **event_context(access, event),
        "list_page": event_address(access, event, "offline"),
        "form": form,
        "changed": changed,
        "games": [_row(game, person_id(request)) for game in games],
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "lobby/clubs/offline.html", context, status=status)


def _submit(
    request: HttpRequest, event: Event, changed: OfflineGame | None, form: OfflineForm
) -> bool:
    """Enter, correct or cancel the game. If that is refused, add an error to the form and return
    False."""
    by = require_person(request)
    try:
        if changed is not None and request.POST.get("do") == "cancel":
            form.full_clean()
            if "reason" in form.errors:
                return False
            official = Official(by, form.cleaned_data["reason"], places_of(event))
            offline.cancel_game(event, changed.pk, by=official)
            return True
        if not form.is_valid():
            return False
        if changed is None:
            offline.enter_game(event, form.result(), by=by)
        else:
            official = Official(by, form.cleaned_data["reason"], places_of(event))
            offline.correct_game(event, changed.pk, form.result(), by=official)
    except OfflineRefused as refusal:
        if refusal.code == "sum":
            text = _("The scores and the sticks do not add up to %(points)s.")
            form.add_error(None, text % {"points": refusal.expected})
        else:
            form.add_error(None, _REFUSALS[refusal.code])
        return False
    return True


def _row(game: OfflineGame, person: str) -> dict[str, Any]:
    seats = list(game.seats.all())
    return {
        "game": game,
        "has_played": any(str(seat.person_id) == person for seat in seats),
        "seats": [
            {
                "place": seat.place,
                "name": player_name(seat.person.name),
                "score": seat.score,
                "points": format_signed(seat.points, 1),
            }
            for seat in sorted(seats, key=lambda seat: (seat.place, seat.seat))
        ],
        "changes": list(game.changes.all()),
    }
