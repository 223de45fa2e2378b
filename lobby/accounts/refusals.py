"""Answers of pages that refuse something: texts and templates of refusals, errors of forms, and the
status of a page that is not found or cannot be shown now."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from game.identity.seat_proofs import ProofsUnavailable
from game.tables.errors import NoNewTables, SiteBusy, TableError
from lobby.accounts import rate_limits, services
from lobby.accounts.forms import Form

log = logging.getLogger(__name__)

HTTP_TOO_MANY: Final = 429
HTTP_UNAVAILABLE: Final = 503
TOO_MANY_TABLES: Final = "lobby/too_many_tables.html"
TOO_MANY_TRIES: Final = "lobby/too_many_tries.html"
View = Callable[..., HttpResponse]

REFUSALS: Final = {
    "full": _("All seats are taken."),
    "begun": _("The game has begun."),
    "password": _("That is not the password of this table."),
    "taken": _("This seat is already taken."),
    "seated": _("You have a seat at a running table. Finish that game first, or leave it."),
    "no_bot": _("There is no bot of this name, or only its owner may add it."),
    "bot_away": _("This bot is not connected, or it has another game."),
    "gone": _("This table no longer exists."),
    "many_tables": _(
        "Too many tables that were opened from this address are not finished. Finish or leave a "
        "game first."
    ),
    "late": _("It is too late for a rematch at that table. Make a new one."),
    "event": _(
        "You cannot play in this event now: it is for members of the club during the season, and "
        "the number of games is limited."
    ),
    "fixture": _(
        "Only the players of this table of the event can sit down here, during the season "
        "and until it has been played."
    ),
    "playing": _("The game is not over yet."),
    "closed": _("This player takes no requests."),
    "many": _("There are too many friends, requests or blocks. Remove some first."),
    "request_gone": _("This request no longer exists."),
    "not_friends": _("Only friends can be invited."),
    "chat_text": _("This message is empty or too long."),
    "chat_muted": _("A moderator has muted you for now."),
    "chat_too_often": _("Too many messages in a short time."),
    "chat_report": _("This message cannot be reported."),
    "no_table": _("Create a table first. Then you can invite friends to its free seats."),
}
"""Texts of refusals by code. Some codes need no text."""
_BUSY_TEXT: Final = _("This site is busy. Running games come first: try again in some minutes.")
_UNAVAILABLE_ERROR: Final = (
    None,
    _("That is not possible at the moment. Please try again shortly."),
    HTTP_UNAVAILABLE,
)
_FORM_ERRORS: Final[dict[type[Exception], tuple[str | None, Any, int]]] = {
    services.NameTaken: ("name", _("Somebody has this name, or one that looks like it."), 200),
    services.SignInRefused: (None, _("There is no account with this name and password."), 200),
    services.WrongPassword: ("old", _("That is not your password."), 200),
    rate_limits.TooOften: (
        None,
        _("Too many attempts. Please wait a while, then try again."),
        HTTP_TOO_MANY,
    ),
    rate_limits.LimitsUnavailable: _UNAVAILABLE_ERROR,
    ProofsUnavailable: _UNAVAILABLE_ERROR,
}
"""The field with the error, its text and the status of the page, by the exception of a service."""


def submit_form(
    request: HttpRequest, form: Form, action: Callable[[dict[str, Any]], Any]
) -> int | None:
    """Call `action` with the data of a valid POST. Return None after success, else the status of
    the page that shows the form."""
    if request.method != "POST" or not form.is_valid():
        return 200
    try:
        action(form.cleaned_data)
    except tuple(_FORM_ERRORS) as error:
        field, text, status = _FORM_ERRORS[type(error)]
        form.add_error(field, text)
        if status == HTTP_UNAVAILABLE:
            log.warning("%s cannot be answered: %s", route_of(request), error)
        return status
    return None


def route_of(request: HttpRequest) -> str:
    """Return the pattern of the page's address for the log: addresses may hold keys of links."""
    return "" if request.resolver_match is None else f"/{request.resolver_match.route}"


def with_error_pages(template: str) -> Callable[[View], View]:
    """Render that template after TooOften, and the page "unavailable" if Redis cannot be
    reached."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
            try:
                return view(request, *args, **named)
            except rate_limits.TooOften:
                return render(request, template, status=HTTP_TOO_MANY)
            except NoNewTables as error:
                context = {"notice": _BUSY_TEXT if isinstance(error, SiteBusy) else str(error)}
                return render(request, "lobby/no_new_tables.html", context, status=HTTP_UNAVAILABLE)
            except (TableError, rate_limits.LimitsUnavailable) as error:
                log.warning("%s cannot be answered: %s", route_of(request), error)
                return render(request, "lobby/unavailable.html", status=HTTP_UNAVAILABLE)

        return answer

    return decorate


def count_not_found(request: HttpRequest) -> Http404:
    """Return the error for an object that does not exist or that the visitor may not see. Raises
    TooOften for a visitor who guesses links."""
    rate_limits.LINKS_OF_ADDRESS.count(rate_limits.address_of(request))
    return Http404()


class RequestRefused(Exception):
    """The request is refused with that status; the message says why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def answer_json(answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Call `answer` and return its response. If it raises a refusal, return the status and the
    reason as JSON.
    """
    try:
        return answer()
    except RequestRefused as refusal:
        return JsonResponse({"error": str(refusal)}, status=refusal.status)
    except rate_limits.TooOften:
        return JsonResponse({"error": "too many requests"}, status=HTTPStatus.TOO_MANY_REQUESTS)
    except (TableError, rate_limits.LimitsUnavailable):
        text = "not possible at the moment"
        return JsonResponse({"error": text}, status=HTTPStatus.SERVICE_UNAVAILABLE)


_MAX_DIGITS: Final = 18
"""The most digits of a key, so that it fits into a column of 64 bits."""


def read_key(text: str) -> int:
    """Return the key of a row. Return 0, which is the key of no row, for a text that is not a
    key."""
    is_key = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    return int(text) if is_key else 0


class CodedError(Exception):
    """The refusal of an action. `code` says why, and pages have a text for each code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
