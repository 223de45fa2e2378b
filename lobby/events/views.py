"""Pages of events: the list of a club, the page of an event with its forms, and its rules."""

from __future__ import annotations

from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.engine.presets import ALL_PRESETS
from game.moderation.sanctions import banned_until
from game.results.game_text import format_signed, preset_name
from game.tables.bridge import ask
from game.tables.settings import DEFAULT_CLOCK
from lobby.accounts import rate_limits
from lobby.accounts.refusals import REFUSALS, View, count_not_found
from lobby.accounts.visitors import person_id, require_person
from lobby.clubs.members import ClubAccess
from lobby.clubs.views import ClubView, any_club, visible_club
from lobby.events import registration, terms
from lobby.events.event_data import places_of
from lobby.events.forms import FORMATS, edit_form, new_form
from lobby.events.impartiality import Official
from lobby.events.notes import EVENT_NOTES, NOTES
from lobby.events.registration import events_of, find_event, rules_of, settings_of, table_size_of
from lobby.events.rounds import progress_by_event
from lobby.events.rulings import RulingRefused
from lobby.models import Club, Event
from lobby.play import fragments, pregame_services, saved_rules
from lobby.play.backend import current_backend
from lobby.play.club_tables import may_play, season_of
from lobby.play.forms import CLOCK_NAMES, describe_watch
from lobby.play.rule_sheet import rules_label
from lobby.play.rules_views import render_sheet

_MOVED: Final = {"director/": "officials/", "rulings/": "log/"}
"""The new names of pages of events whose address has changed."""


def visible_event(view: ClubView) -> View:
    """Pass the club and the event of that address to the view; answer 404 to a visitor who may not
    see it."""

    @any_club
    @wraps(view)
    def check(request: HttpRequest, access: ClubAccess, **named: Any) -> HttpResponse:
        found = find_event(access, named.pop("event"))
        if found is None:
            raise count_not_found(request)
        return view(request, access, found, **named)

    return check


def event_address(access: ClubAccess, event: Event, end: str = "") -> str:
    """Return the address of the page of the event, or of a page below it such as `entrants`."""
    name = f"event_{end}" if end else "event"
    return reverse(f"lobby:{name}", args=[access.club.slug, event.slug])


def event_context(access: ClubAccess, event: Event) -> dict[str, Any]:
    """Return the template context for the head of each page of the event."""
    return {"access": access, "club": access.club, "event": event}


def moved(_request: HttpRequest, start: str, slug: str, kind: str, rest: str) -> HttpResponse:
    """Redirect an old address of a league or a tournament to that of the event."""
    name, _sep, end = rest.partition("/")
    for old, new in _MOVED.items():
        end = f"{new}{end.removeprefix(old)}" if end.startswith(old) else end
    own = Event.objects.filter(club__slug=slug, club__is_public=True, slug=name, is_public=True)
    is_round = kind == "tournament"
    if is_round and own.exclude(format=Event.ROUNDS).exists():
        name = f"{name[:29]}-tournament"
    place = f"{name}/{end}" if name else ""
    query = _request.META.get("QUERY_STRING", "")
    address = f"/{start}/{slug}/events/{place}" + (f"?{query}" if query else "")
    return HttpResponsePermanentRedirect(address)


@never_cache
@require_safe
@visible_club
def club_events(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the events of the club."""
    states = progress_by_event(access.club)
    context = {
        "access": access,
        "club": access.club,
        "events": [
            {
                "event": event,
                "state": states.get(event.pk, "") if event.has_rounds else season_of(event),
            }
            for event in events_of(access.club)
            if access.may_see(event)
        ],
    }
    return render(request, "lobby/clubs/events.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
def new_event(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Create an event of the `format` in the query; without one, let the organiser choose. For
    officers."""
    if not access.is_officer:
        raise count_not_found(request)
    kind = request.GET.get("format", "")
    context: dict[str, Any] = {"access": access, "club": access.club, "formats": FORMATS}
    if kind not in FORMATS:
        return render(request, "lobby/clubs/event_form.html", context)
    form = new_form(kind, request.POST or None, _rule_choices(access.club), access.club)
    if request.method == "POST" and form.is_valid():
        require_person(request)
        given = dict(form.cleaned_data)
        named = saved_rules.find_named(given.pop("rules"))
        if named is None:
            raise count_not_found(request)
        try:
            made = registration.make_event(
                access.club, named.rules, named.clock or DEFAULT_CLOCK, format=kind, **given
            )
        except registration.EventTaken:
            form.add_error("slug", _("This address is taken."))
        else:
            return redirect(event_address(access, made))
    context |= {"form": form, "format": FORMATS[kind]}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/event_form.html", context, status=status)


def _rule_choices(club: Club) -> list[tuple[str, Any]]:
    """Return the rules with which an event can be played."""
    choices: list[tuple[str, Any]] = [
        (rules.key, rules.name) for rules in saved_rules.saved_by(club)
    ]
    return choices + [(name, preset_name(name)) for name in ALL_PRESETS]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def edit(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Change the event. For officers."""
    if not access.is_officer:
        raise count_not_found(request)
    form = edit_form(
        event,
        request.POST or None,
        begun=terms.rounds_begun(event),
        has_games=terms.has_games(event),
    )
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        person, places = require_person(request), places_of(event)
        by = Official(person, given.pop("reason", ""), places)
        try:
            terms.change_terms(event, by, **given)
        except RulingRefused as refusal:
            field = "reason" if "reason" in form.fields else None
            form.add_error(field, NOTES[refusal.code])
        else:
            return redirect(event_address(access, event))
    context = {**event_context(access, event), "form": form}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/event_form.html", context, status=status)


@never_cache
@require_safe
@visible_event
def event(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the event: registration, tables, standings and terms."""
    backend, person = ask(current_backend()), person_id(request)
    backend.cache.clear()
    context = ask(fragments.event_parts(backend, access, event, person))
    note = request.GET.get("note", "")
    is_open = event.format == Event.OPEN_FORMAT
    context |= {
        "clock": CLOCK_NAMES[event.clock],
        "rules": rules_label(rules_of(event)),
        "missed_points": format_signed(event.missed_points, 1),
        "watching": describe_watch(event.watch, event.watch_delay_s),
        "may_play": is_open and context["may_sit"] and may_play(event.pk, person),
        "note": EVENT_NOTES.get(note) or REFUSALS.get(note, ""),
        "banned_until": banned_until(person) if person else None,
    }
    return render(request, "lobby/clubs/event.html", context)


@never_cache
@require_POST
@visible_event
def make_table(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Make a table of the event, with the member on its first seat."""
    visitor = person_id(request)
    if not visitor or not may_play(event.pk, visitor):
        raise count_not_found(request)
    person = require_person(request)
    rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    rate_limits.TABLES_OF_PERSON.count(visitor)
    pregame = ask(
        pregame_services.create_table(
            ask(current_backend()),
            person=visitor,
            name=person.name,
            settings=settings_of(event, club=access.club.slug, event=event.pk),
            bots=[""] * (table_size_of(event) - 1),
        )
    )
    return redirect("lobby:pregame_table", pregame_id=pregame.id)


@require_safe
@visible_event
def event_rules(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the rules of the event in words."""
    return render_sheet(request, rules_of(event), title=event.name, clock=event.clock)


@never_cache
@require_POST
@visible_event
def delete(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Delete the event, if its name was typed. Its games stay games of the club. For the owner of
    the club."""
    if not access.may_delete_events:
        raise count_not_found(request)
    if request.POST.get("name", "").strip() != event.name:
        return redirect(event_address(access, event, "edit"))
    require_person(request)
    event.delete()
    return redirect("lobby:club_events", slug=access.club.slug)
