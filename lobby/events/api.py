"""The read-only interface of events for programs (`docs/api.md`): JSON, with pages and ETags."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from game.results.made_once import with_etag
from game.tables.bridge import ask
from lobby.accounts import rate_limits
from lobby.accounts.refusals import RequestRefused, View, answer_json
from lobby.accounts.visitors import person_id
from lobby.bots.accounts import bearer_of
from lobby.clubs.api_tokens import club_of_token
from lobby.clubs.members import ClubAccess, find_access
from lobby.events import event_data
from lobby.events.registration import events_of, find_event
from lobby.models import Club, Event, Membership
from lobby.play.backend import current_backend

VERSION: Final = 1
_DEFAULT_PAGE_SIZE: Final = 100
"""The number of items of a page, unless `per_page` in the query says otherwise."""
_MAX_PAGE_SIZE: Final = 500
_PARTS: Final = {
    "players": event_data.player_items,
    "rounds": event_data.round_items,
    "tables": event_data.table_items,
    "games": event_data.game_items,
    "meetings": event_data.meeting_items,
    "teams": event_data.team_items,
    "fixtures": event_data.fixture_items,
}
PARTS: Final = (*_PARTS, "standings", "provisional")
"""The last parts of the addresses below that of an event."""
ApiView = Callable[..., Any]


def _json_view(view: ApiView) -> View:
    """Send the dictionary that the view returns as JSON, or the reason if the request is refused.
    Other sites' pages may read the answer, but without cookies.
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, **named: object) -> HttpResponse:
        def read() -> HttpResponse:
            rate_limits.API_OF_ADDRESS.count(rate_limits.address_of(request))
            access = _access_of(request, str(named.pop("slug")))
            data = {"version": VERSION, **view(request, access, **named)}
            return with_etag(request, JsonResponse(data, json_dumps_params={"ensure_ascii": False}))

        response = answer_json(read)
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            response.headers["WWW-Authenticate"] = "Bearer"
        response.headers["Access-Control-Allow-Origin"] = "*"
        patch_vary_headers(response, ["Authorization", "Cookie"])
        return response

    return answer


@_json_view
def club_events(request: HttpRequest, access: ClubAccess) -> dict[str, Any]:
    """Return the events of a club."""
    if not access.may_see_club:
        raise _club_not_found(request)
    items = [
        _event_with_links(request, access.club, event)
        for event in events_of(access.club)
        if access.may_see(event)
    ]
    return _page(request, items)


@_json_view
def event(request: HttpRequest, access: ClubAccess, name: str) -> dict[str, Any]:
    """Return the settings of an event, and the addresses of its parts."""
    return _event_with_links(request, access.club, _find_event(request, access, name))


@_json_view
def part(request: HttpRequest, access: ClubAccess, name: str, part: str) -> dict[str, Any]:
    """Return one page of a part of the event."""
    found = _find_event(request, access, name)
    if part == "provisional":
        items = ask(event_data.provisional_items(ask(current_backend()), found))
        return _page(request, items)
    if part == "standings":
        return _page(request, event_data.standing_items(found))
    return _page(request, _PARTS[part](found))


def _access_of(request: HttpRequest, slug: str) -> ClubAccess:
    """Return the access of the token or of the session to the club. Raises RequestRefused."""
    token = bearer_of(request.headers.get("Authorization", ""))
    if token:
        club = club_of_token(token)
        if club is None:
            rate_limits.BOT_TRIES_OF_ADDRESS.count(rate_limits.address_of(request))
            raise RequestRefused(HTTPStatus.UNAUTHORIZED, "the token is not valid")
        if club.slug == slug:
            return ClubAccess(club, Membership.MEMBER)
    access = find_access(slug, person_id(request))
    if access is None:
        raise _club_not_found(request)
    return access


def _club_not_found(request: HttpRequest) -> RequestRefused:
    """Return the refusal for an unknown club, the same as for a private one; count the attempt."""
    rate_limits.LINKS_OF_ADDRESS.count(rate_limits.address_of(request))
    return RequestRefused(HTTPStatus.NOT_FOUND, "there is no such club, or it needs a token")


def _find_event(request: HttpRequest, access: ClubAccess, name: str) -> Event:
    if (found := find_event(access, name)) is not None:
        return found
    if not access.may_see_club:
        raise _club_not_found(request)
    raise RequestRefused(HTTPStatus.NOT_FOUND, "there is no such event, or it needs a token")


def _event_with_links(request: HttpRequest, club: Club, event: Event) -> dict[str, Any]:
    """Return the event with the addresses of its parts."""
    base = request.build_absolute_uri(reverse("lobby:api_event", args=[club.slug, event.slug]))
    links = {"self": base, **{part: f"{base}{part}/" for part in PARTS}}
    return {**event_data.event_item(club, event), "links": links}


def _page(request: HttpRequest, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the page of `items` that the query asks for."""
    number, size = (
        _read_number(request, "page", 1),
        _read_number(request, "per_page", _DEFAULT_PAGE_SIZE),
    )
    if size > _MAX_PAGE_SIZE:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"per_page is {_MAX_PAGE_SIZE} at most")
    pages = max(1, -(-len(items) // size))
    if number > pages:
        raise RequestRefused(HTTPStatus.NOT_FOUND, f"there are {pages} pages")
    next_address = None
    if number < pages:
        query = request.GET.copy()
        query["page"] = str(number + 1)
        next_address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return {
        "count": len(items),
        "page": number,
        "pages": pages,
        "next": next_address,
        "items": items[(number - 1) * size : number * size],
    }


def _read_number(request: HttpRequest, name: str, default: int) -> int:
    text = request.GET.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and int(text)):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"{name} has to be a number from 1")
    return int(text)
