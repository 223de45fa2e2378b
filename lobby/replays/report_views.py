"""The page on which a player in a replay is reported to the moderators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.identity.sessions import person_of
from game.models import GameSeat
from game.moderation.reports import REASONS, report_player
from game.results.game_text import player_name
from game.results.replay_views import find_link, find_replay, shared_names
from lobby.accounts.forms import Form
from lobby.accounts.refusals import HTTP_TOO_MANY, TOO_MANY_TRIES, with_error_pages
from lobby.accounts.visitors import require_person

_MAX_TEXT: Final = 300
_POSITION: Final = re.compile(r"\?hand=\d{1,3}&step=\d{1,4}&seat=[0-3]&open=[01]")


class ReportForm(Form):
    """A report: the player and the reason. `position` is the query of the position in the
    replay."""

    seat = forms.TypedChoiceField(label=_("Player"), coerce=int)
    reason = forms.ChoiceField(label=_("Reason"), choices=list(REASONS.items()))
    text = forms.CharField(
        label=_("What should the moderators know?"),
        required=False,
        max_length=_MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    position = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, players: Sequence[tuple[int, str]], position: str) -> None:
        super().__init__(data, initial={"position": position})
        self.fields["seat"].choices = players  # type: ignore[attr-defined]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def of_game(request: HttpRequest, table_id: str) -> HttpResponse:
    """Report a player of a finished game."""
    _game, seats = find_replay(table_id, person_of(request.session))
    names = [player_name(seat.name) for seat in seats]
    return _answer(request, seats, names, reverse("game:replay", args=[table_id]))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def of_link(request: HttpRequest, key: str) -> HttpResponse:
    """Report a player of the game that a link shows. The page hides the names that the link
    hides."""
    link = find_link(key)
    seats = sorted(link.game.seats.all(), key=lambda seat: seat.seat)
    address = reverse("game:shared_replay", args=[key])
    response = _answer(request, seats, shared_names(link), address)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _answer(
    request: HttpRequest, seats: Sequence[GameSeat], names: Sequence[str], replay: str
) -> HttpResponse:
    """Show the form, or store the report that is sent. `replay` is the address of the replay."""
    person = person_of(request.session)
    if not person:
        return_here = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('lobby:sign_in')}?{return_here}")
    players = [
        (seat.seat, name)
        for seat, name in zip(seats, names, strict=True)
        if seat.person_id is not None and str(seat.person_id) != person
    ]
    data = request.POST if request.method == "POST" else None
    form = ReportForm(data, players, _position(request.GET.urlencode()))
    status, is_kept = 200, False
    if request.method == "POST" and form.is_valid():
        require_person(request)
        is_kept = _store_report(form.cleaned_data, seats, person)
        if not is_kept:
            form.add_error(None, _("You have made many reports today. Try again tomorrow."))
            status = HTTP_TOO_MANY
    position = _position(str(form["position"].value() or "").removeprefix("?"))
    context = {
        "form": form,
        "has_players": bool(players),
        "is_kept": is_kept,
        "back_url": replay + position,
    }
    response = render(request, "lobby/report.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


def _store_report(given: dict[str, Any], seats: Sequence[GameSeat], reporter: str) -> bool:
    reported = next(seat for seat in seats if seat.seat == given["seat"])
    is_kept: bool = report_player(
        reported,
        reporter,
        reason=given["reason"],
        text=given["text"],
        position=_position(given["position"].removeprefix("?")),
    )
    return is_kept


def _position(query: str) -> str:
    """Return the query of a position, or '' for any other text."""
    found = _POSITION.match(f"?{query}")
    return found[0] if found else ""
