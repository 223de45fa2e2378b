"""The pages of friends: requests, who is online, invitations to a table, and blocking."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.tables.bridge import ask
from game.tables.errors import TableError
from lobby.accounts import online, rate_limits, services
from lobby.accounts.profile_views import account_required
from lobby.accounts.refusals import REFUSALS, TOO_MANY_TRIES, count_not_found, with_error_pages
from lobby.accounts.visitors import account_of
from lobby.friends import friendships, meeting
from lobby.friends.friendships import FriendRefused
from lobby.models import Person
from lobby.play import fragments
from lobby.play.backend import current_backend
from lobby.play.pregame import PregameRefusal

TABLE_ID: Final = re.compile(r"[\w-]{1,40}", re.ASCII)


@never_cache
@require_safe
@account_required
@with_error_pages(TOO_MANY_TRIES)
def friends(request: HttpRequest, person: Person) -> HttpResponse:
    """Show the person's friends, requests and blocks."""
    backend = ask(current_backend())
    lists = friendships.lists_of(person)
    own_table = ask(meeting.own_waiting_table(backend, str(person.pk)))
    invited = [
        friend.pk for friend in lists.friends if own_table and own_table.is_invited(str(friend.pk))
    ]
    context = {
        "lists": lists,
        "invited": invited,
        "friends": ask(meeting.shown_friends(backend, lists.friends)),
        "invitations": ask(fragments.invitations_of(backend, str(person.pk))),
        "own_table": own_table,
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
        "done": _("Invited.") if request.GET.get("done") == "invite" else "",
    }
    return render(request, "lobby/friends.html", context)


@never_cache
@require_safe
@account_required
@with_error_pages(TOO_MANY_TRIES)
def friend(request: HttpRequest, person: Person, other: UUID) -> HttpResponse:
    """Show another account and the actions on it: request, answer or end a friendship, block."""
    found = Person.objects.filter(pk=other, deleted_at=None).first()
    if found is None or other == person.pk or not found.is_account:
        raise count_not_found(request)
    context = {
        "other": found,
        "avatar": services.find_avatar(found),
        "relation": friendships.relation_of(person, other),
        "is_blocked": friendships.has_blocked(person, other),
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
    }
    return render(request, "lobby/friend.html", context)


@never_cache
@require_POST
@account_required
@with_error_pages(TOO_MANY_TRIES)
def act_on_person(request: HttpRequest, person: Person, other: UUID) -> HttpResponse:
    """Carry out the action `do` on another person: ask, accept, end, block, unblock or invite."""
    verb = request.POST.get("do", "")
    back = redirect("lobby:friends")
    if request.POST.get("from") == "page":
        back = redirect("lobby:friend", other=other)
    rate_limits.FRIEND_ACTIONS_OF_PERSON.count(str(person.pk))
    try:
        match verb:
            case "ask":
                rate_limits.FRIEND_REQUESTS_OF_PERSON.count(str(person.pk))
                friendships.ask_for_friendship(person, other)
            case "accept":
                friendships.accept_request(person, other)
            case "end":
                friendships.end_friendship(person, other)
            case "block":
                friendships.block(person, other)
            case "unblock":
                friendships.unblock(person, other)
            case "invite":
                outcome = ask(meeting.invite_friend(ask(current_backend()), person, other))
                done = (
                    f"no={outcome.code}" if isinstance(outcome, PregameRefusal) else "done=invite"
                )
                back["Location"] += f"?{done}"
            case _:
                raise Http404
    except FriendRefused as refusal:
        back["Location"] += f"?no={refusal.code}"
    return back


@never_cache
@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return how many requests and invitations the account has to answer. The request records that
    the person is online. Pages of tables send `watching`, which records where the person watches.
    """
    person = account_of(request)
    if person is None:
        return HttpResponse(status=403)
    watched = request.GET.get("watching", "")
    if TABLE_ID.fullmatch(watched):
        online.record_watching(person, watched)
    requests = friendships.count_received(person)
    try:
        found = ask(fragments.invitations_of(ask(current_backend()), str(person.pk)))
        invitations = len(found)
    except TableError:
        invitations = 0
    return JsonResponse({"requests": requests, "invitations": invitations})
