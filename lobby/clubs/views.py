"""Pages of clubs: the list, the page of a club, its members, games, rules and settings.

The answer for a club that the visitor may not see is the same as for one that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final
from uuid import UUID

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.results.filters import NUMBERS, BadFilter, PlayFilter, number_links, number_of_query
from game.results.group_results import games_page, player_rows, sum_results
from game.tables.bridge import ask
from lobby.accounts import rate_limits
from lobby.accounts.refusals import (
    REFUSALS,
    TOO_MANY_TRIES,
    View,
    count_not_found,
    with_error_pages,
)
from lobby.accounts.services import find_avatars
from lobby.accounts.visitors import account_of, person_id, require_person, visitor_of
from lobby.clubs import members, presence
from lobby.clubs.forms import ClubSettings, ClubText, NewClub
from lobby.clubs.games import table_ids
from lobby.clubs.members import ClubAccess
from lobby.clubs.page_text import MAX_CELLS, TooComplex
from lobby.models import Club, JoinRequest, Membership, Person, RemovedMember
from lobby.play import chat, fragments
from lobby.play.backend import current_backend
from lobby.play.chat_form import answer_chat_form, chat_context
from lobby.play.rules_views import render_rules_list

_MAX_LISTED: Final = 200
_LAST_PAGE: Final = 1_000
_NOTES: Final = {
    "text": _("The text is saved."),
    "settings": _("The settings are saved."),
    "asked": _("Your request is on its way to the organisers."),
    "closed": _("This club accepts members by invitation only."),
    "owner": _("Make somebody else the owner first, or delete the club."),
}
"""Notes by the code in the query."""
_TOO_COMPLEX: Final = _(
    "This text has too much formatting: all tables together can have %(cells)d cells, and links, "
    "lists and emphasis are limited, too. Please shorten it."
)
ClubView = Callable[..., HttpResponse]


def visible_club(view: ClubView) -> View:
    """Pass the club of that address to the view; answer 404 to a visitor who may not see it."""

    @any_club
    @wraps(view)
    def check(request: HttpRequest, access: ClubAccess, **named: object) -> HttpResponse:
        if not access.may_see_club:
            raise count_not_found(request)
        return view(request, access, **named)

    return check


def any_club(view: ClubView) -> View:
    """Pass the club of that address to the view. The view checks what the visitor may see."""

    @with_error_pages(TOO_MANY_TRIES)
    @wraps(view)
    def check(request: HttpRequest, slug: str, **named: object) -> HttpResponse:
        access = members.find_access(slug, person_id(request))
        if access is None:
            raise count_not_found(request)
        try:
            return view(request, access, **named)
        except members.NotAllowed:
            raise count_not_found(request) from None

    return check


def _find_account(request: HttpRequest) -> Person | None:
    """Return the person of the visitor's account, or None. Raises TooOften, PermissionDenied."""
    return None if account_of(request) is None else require_person(request)


def _redirect_to_sign_in(request: HttpRequest, address: str) -> HttpResponse:
    return redirect(f"{reverse('lobby:sign_in')}?next={address}")


@never_cache
@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the visitor's clubs and the public ones."""
    own = members.clubs_of(visitor_of(request))
    known = {membership.club_id for membership in own}
    public = Club.objects.filter(is_public=True).exclude(pk__in=known)
    public = public.annotate(member_count=Count("memberships"))[:_MAX_LISTED]
    context = {
        "own": own,
        "public": list(public),
        "holds_site_events": members.may_hold_site_events(visitor_of(request)),
    }
    return render(request, "lobby/clubs/list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def new_club(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    person = _find_account(request)
    if person is None:
        return _redirect_to_sign_in(request, request.path)
    form = NewClub(request.POST or None)
    if request.method == "POST" and form.is_valid():
        rate_limits.CLUBS_OF_PERSON.count(str(person.pk))
        try:
            club = members.create_club(person, **form.cleaned_data)
        except members.AddressTaken:
            form.add_error("slug", _("This address is taken."))
        except members.TooManyClubs:
            text = _("You own %(count)d clubs, and more are not possible.")
            form.add_error(None, text % {"count": members.MAX_OWNED})
        else:
            return redirect("lobby:club", slug=club.slug)
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/new.html", {"form": form}, status=status)


@never_cache
@require_safe
@visible_club
def club(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the page of a club and its lobby. Loading it counts as a heartbeat of a member."""
    backend, person = ask(current_backend()), person_id(request)
    backend.cache.clear()
    if access.is_member:
        ask(presence.record_heartbeat(backend, access.club, person))
    context = ask(fragments.club_lobby(backend, access, person))
    context |= {
        "text": members.html_of(access.club),
        "member_count": Membership.objects.filter(club=access.club).count(),
        "has_asked": _has_asked(access.club, visitor_of(request)),
        "note": _NOTES.get(request.GET.get("note", ""), ""),
        "request_count": _count_requests(access),
        "default_rules": _default_rules(access.club),
    }
    if access.is_member:
        form_url = reverse("lobby:club_chat", args=[access.club.slug])
        context |= chat_context(chat.in_club(access.club), person, form_url)
        context["wrong"] = REFUSALS.get(request.GET.get("no", ""), "")
    return render(request, "lobby/clubs/club.html", context)


@never_cache
@require_POST
@visible_club
def write_chat(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Write a line to the chat of the club's members, or report one."""
    person = visitor_of(request)
    if person is None or not access.is_member:
        raise count_not_found(request)
    address = reverse("lobby:club", args=[access.club.slug])
    return answer_chat_form(request, chat.in_club(access.club), person.name, address)


@never_cache
@require_POST
@visible_club
def join(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Join the club, or send a request to join."""
    address = reverse("lobby:club", args=[access.club.slug])
    person = _find_account(request)
    if person is None:
        return _redirect_to_sign_in(request, address)
    outcome = members.join(access.club, person)
    return redirect(address if outcome == "joined" else f"{address}?note={outcome}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def invitation(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show an invitation, and join with it. Members come to the page of the club."""
    invited_to = members.find_invited(slug, key)
    if invited_to is None:
        raise count_not_found(request)
    access = members.find_access(slug, person_id(request))
    if access is not None and access.is_member:
        return redirect("lobby:club", slug=slug)
    if request.method == "POST":
        person = _find_account(request)
        if person is None:
            return _redirect_to_sign_in(request, request.path)
        if members.join(invited_to, person, is_invited=True) == "joined":
            return redirect("lobby:club", slug=slug)
    context = {
        "club": invited_to,
        "is_account": account_of(request) is not None,
        "has_asked": _has_asked(invited_to, visitor_of(request)),
    }
    return render(request, "lobby/clubs/invitation.html", context)


@never_cache
@require_POST
@visible_club
def leave(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Leave the club, or withdraw the request to join."""
    person = _find_account(request)
    if person is None:
        raise count_not_found(request)
    if not members.leave(access.club, person):
        return redirect(f"{reverse('lobby:club', args=[access.club.slug])}?note=owner")
    return redirect("lobby:clubs")


@never_cache
@require_safe
@visible_club
def club_members(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the members. Officers also see requests to join and the invitation link."""
    if not access.is_member:
        raise count_not_found(request)
    rows = list(Membership.objects.filter(club=access.club).select_related("person"))
    avatars = find_avatars([row.person_id for row in rows])
    requests = JoinRequest.objects.filter(club=access.club).select_related("person")
    link = reverse("lobby:club_invitation", args=[access.club.slug, access.club.invite_key])
    context = {
        "access": access,
        "club": access.club,
        "members": [
            {
                "person": row.person,
                "avatar": avatars.get(row.person_id, ""),
                "role": row.role,
                "joined_at": row.joined_at,
                "is_you": str(row.person_id) == person_id(request),
                "may_remove": row.role == Membership.MEMBER
                or (row.role == Membership.ORGANISER and access.is_owner),
            }
            for row in rows
        ],
        "requests": list(requests) if access.is_officer else [],
        "removed": list(
            RemovedMember.objects.filter(club=access.club).values_list("person_id", flat=True)
        )
        if access.is_officer
        else [],
        "link": request.build_absolute_uri(link) if access.is_officer else "",
    }
    return render(request, "lobby/clubs/members.html", context)


@never_cache
@require_POST
@visible_club
def change_members(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Carry out the action `do`, such as `accept:` and the id of a person."""
    if not access.is_officer:
        raise count_not_found(request)
    by = require_person(request)
    verb, _, rest = request.POST.get("do", "").partition(":")
    if verb == "new_link":
        members.renew_invitation(access, by=by)
        return redirect("lobby:club_members", slug=access.club.slug)
    try:
        person = UUID(rest)
    except ValueError:
        raise count_not_found(request) from None
    match verb:
        case "accept" | "decline":
            done = members.answer_request(access, person, is_accepted=verb == "accept", by=by)
        case "remove":
            done = members.remove_member(access, person, by=by)
        case Membership.OWNER | Membership.ORGANISER | Membership.MEMBER:
            done = members.set_role(access, person, verb, by=by)
        case _:
            done = False
    if not done:
        raise count_not_found(request)
    return redirect("lobby:club_members", slug=access.club.slug)


@never_cache
@require_safe
@visible_club
def club_games(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the players' figures and ratings in games of the club, and the list of its games."""
    page = request.GET.get("page", "1")
    if not (page.isascii() and page.isdecimal() and 1 <= int(page[:6]) <= _LAST_PAGE):
        raise count_not_found(request)
    number, tables = int(page[:6]), table_ids(access)
    games, has_more = games_page(tables, person_id(request), number)
    sums = sum_results(tables)
    played = [players for players in NUMBERS if players in sums]
    try:
        chosen = PlayFilter(number_of_query(request.GET, played))
    except BadFilter:
        raise count_not_found(request) from None
    context = {
        "access": access,
        "club": access.club,
        "games": games,
        "players": player_rows(tables, chosen.players, sums),
        "numbers": number_links(chosen, played),
        "chosen": chosen,
        "query": chosen.query,
        "you": person_id(request),
        "newer": number - 1 if number > 1 else None,
        "older": number + 1 if has_more else None,
    }
    return render(request, "lobby/clubs/games.html", context)


@never_cache
@require_safe
@visible_club
def club_rules(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the saved rules of the club."""
    return render_rules_list(request, access)


@never_cache
@require_POST
@visible_club
def set_default_rules(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Make saved rules of the club the default of its tables."""
    if not access.is_officer:
        raise count_not_found(request)
    by = require_person(request)
    if not members.set_default_rules(access, request.POST.get("key", ""), by=by):
        raise count_not_found(request)
    return redirect("lobby:club_rules", slug=access.club.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
def edit(request: HttpRequest, access: ClubAccess, section: str = "") -> HttpResponse:
    """Show the forms of the text and of the settings, and save the one of `section`."""
    if not access.is_officer or (section == "settings" and not access.is_owner):
        raise count_not_found(request)
    shown = access.club
    data = request.POST if request.method == "POST" else None
    text = ClubText(data if section == "text" else None, initial={"text": shown.text})
    settings = ClubSettings(
        data if section == "settings" else None,
        initial={"name": shown.name, "is_public": shown.is_public, "entry": shown.entry},
    )
    sent = settings if section == "settings" else text
    if data is not None and section and sent.is_valid():
        by = require_person(request)
        if section == "settings":
            members.change_settings(access, **sent.cleaned_data, by=by)
        else:
            try:
                members.change_text(access, sent.cleaned_data["text"], by=by)
            except TooComplex:
                sent.add_error("text", _TOO_COMPLEX % {"cells": MAX_CELLS})
        if sent.is_valid():
            return redirect(f"{reverse('lobby:club', args=[shown.slug])}?note={section}")
    context = {"access": access, "club": shown, "text_form": text, "settings_form": settings}
    return render(request, "lobby/clubs/edit.html", context, status=422 if sent.errors else 200)


@never_cache
@require_POST
@visible_club
def delete(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Delete the club, if its name was typed."""
    if not access.is_owner:
        raise count_not_found(request)
    if request.POST.get("name", "").strip() != access.club.name:
        return redirect("lobby:edit_club", slug=access.club.slug)
    members.delete_club(access, by=require_person(request))
    return redirect("lobby:clubs")


def _has_asked(shown: Club, visitor: Person | None) -> bool:
    if visitor is None:
        return False
    return JoinRequest.objects.filter(club=shown, person=visitor).exists()


def _count_requests(access: ClubAccess) -> int:
    if not access.is_officer:
        return 0
    return JoinRequest.objects.filter(club=access.club).count()


def _default_rules(shown: Club) -> dict[str, str] | None:
    row = Club.objects.select_related("default_rules").get(pk=shown.pk)
    if row.default_rules is None:
        return None
    return {"key": row.default_rules.pk, "name": row.default_rules.name}
