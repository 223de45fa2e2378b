"""The officers' page of an event's teams: create, rename and delete teams, choose their players."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import require_person
from lobby.clubs.members import ClubAccess
from lobby.events import teams
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event

_NOTES: Final = {
    "name": _("A team has a name of 40 characters at most."),
    "taken": _("Another team has this name."),
    "many": _("There can be 64 teams at most."),
}
"""Texts of refusals by the code in the query."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def event_teams(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    if not access.is_officer:
        raise count_not_found(request)
    if request.method == "POST":
        require_person(request)
        address, note = event_address(access, event, "teams"), ""
        try:
            if not _change(event, request.POST):
                raise count_not_found(request)
        except teams.TeamRefused as refusal:
            note = f"?note={refusal.code}"
        return redirect(address + note)
    context = {
        **event_context(access, event),
        "teams": teams.teams_of(event),
        "others": teams.players_without_team(event),
        "note": _NOTES.get(request.GET.get("note", ""), ""),
    }
    return render(request, "lobby/clubs/teams.html", context)


def _change(event: Event, form: QueryDict) -> bool:
    """Carry out the action `do`, such as `delete:` and the id of a team. Return False if something
    in the form is unknown. Raises TeamRefused."""
    verb, _sep, key = form.get("do", "").partition(":")
    name = form.get("name", "")
    try:
        match verb:
            case "make":
                teams.make_team(event, name)
                return True
            case "rename":
                return teams.rename_team(event, read_key(key), name)
            case "delete":
                return teams.delete_team(event, read_key(key))
            case "put":
                team, person = read_key(form.get("team", "")), UUID(form.get("person", ""))
                return teams.put_into_team(event, team, person)
            case "remove":
                teams.take_out_of_team(event, UUID(key))
                return True
            case _:
                return False
    except ValueError:
        return False
