"""Views that leagues and tournaments share: create, change and delete an event, show its rules."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.engine.presets import PRESETS
from game.results.game_text import preset_name
from game.tables.settings import DEFAULT_CLOCK
from lobby.accounts.guests import require_person
from lobby.accounts.refusals import View, count_not_found
from lobby.clubs.members import ClubAccess
from lobby.clubs.views import ClubView, any_club, visible_club
from lobby.events import registration
from lobby.events.forms import LeagueForm, NewLeague, NewTournament, TournamentForm, values_of
from lobby.events.registration import ClubEvent, find_event, rules_of
from lobby.models import League
from lobby.play import saved_rules
from lobby.play.rules_views import render_sheet


def visible_event(view: ClubView) -> View:
    """Pass the club and the league or tournament of that address to the view; answer 404 to a
    visitor who may not see it."""

    @any_club
    @wraps(view)
    async def check(request: HttpRequest, access: ClubAccess, **named: Any) -> HttpResponse:
        kind = "league" if "league" in named else "tournament"
        found = await find_event(access, f"{kind}s", named.pop(kind))
        if found is None:
            raise await count_not_found(request)
        return await view(request, access, found, **named)

    return check


def event_address(access: ClubAccess, event: ClubEvent, end: str = "") -> str:
    """Return the address of the page of the event, or of a page below it such as `entrants`."""
    name = f"{event.KIND}_{end}" if end else event.KIND
    return reverse(f"lobby:{name}", args=[access.club.slug, event.slug])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
async def new_event(request: HttpRequest, access: ClubAccess, kind: str) -> HttpResponse:
    """Create a league or a tournament. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    own = await saved_rules.saved_by(access.club)
    choices = [(rules.key, rules.name) for rules in own]
    choices += [(name, preset_name(name)) for name in PRESETS]
    form_of = NewLeague if kind == League.KIND else NewTournament
    form = form_of(request.POST or None, choices=choices, club=access.club)
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        given = dict(form.cleaned_data)
        named = await saved_rules.find_named(given.pop("rules"))
        if named is None:
            raise await count_not_found(request)
        model = registration.EVENT_MODELS[f"{kind}s"]
        try:
            made = await registration.make_event(
                model, access.club, named.rules, named.clock or DEFAULT_CLOCK, **given
            )
        except registration.EventTaken:
            form.add_error("slug", _("This address is taken."))
        else:
            return redirect(event_address(access, made))
    context = {"access": access, "club": access.club, "form": form}
    status = 422 if form.errors else 200
    return render(request, f"lobby/clubs/{kind}_form.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
async def edit(request: HttpRequest, access: ClubAccess, event: ClubEvent) -> HttpResponse:
    """Change the event. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    form_of = LeagueForm if isinstance(event, League) else TournamentForm
    form = form_of(request.POST or None, initial=values_of(event, tuple(form_of.base_fields)))
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        await registration.change_event(event, **form.cleaned_data)
        await registration.fill_places(event)
        return redirect(event_address(access, event))
    context = {"access": access, "club": access.club, "form": form, event.KIND: event}
    status = 422 if form.errors else 200
    return render(request, f"lobby/clubs/{event.KIND}_form.html", context, status=status)


@require_safe
@visible_event
async def event_rules(request: HttpRequest, access: ClubAccess, event: ClubEvent) -> HttpResponse:
    """Show the rules of the event in words."""
    return render_sheet(request, rules_of(event), title=event.name, clock=event.clock)


@never_cache
@require_POST
@visible_event
async def delete(request: HttpRequest, access: ClubAccess, event: ClubEvent) -> HttpResponse:
    """Delete the event, if its name was typed. Its games stay games of the club. For the owner of
    the club."""
    if not access.may_delete_events:
        raise await count_not_found(request)
    if request.POST.get("name", "").strip() != event.name:
        if isinstance(event, League):
            return redirect("lobby:edit_league", slug=access.club.slug, league=event.slug)
        return redirect(event_address(access, event))
    await require_person(request)
    await event.adelete()
    return redirect("lobby:club_leagues", slug=access.club.slug)
