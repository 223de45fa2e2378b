"""The pages for bad requests, unknown addresses, and failures of the site."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from typing import Any, Final, Literal

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_supported_language_variant, gettext_lazy
from django.utils.translation.trans_real import parse_accept_lang_header

from game.identity.seat_proofs import ProofsUnavailable
from game.tables.database import is_database_unavailable, note_database_unavailable
from game.tables.errors import TablesUnavailable

_RETRY_AFTER_S = 10


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a bad request, such as a form with too many fields (400)."""
    return render(request, "400.html", status=400)


class Refusal(IntEnum):
    """Why a request is refused before Django sees it; the value is the HTTP status."""

    TOO_LARGE = 413
    OVER_BUDGET = 429
    BUSY = 503


_TEXTS: Final[dict[Refusal, tuple[str, Any]]] = {
    Refusal.TOO_LARGE: ("too_large", gettext_lazy("The file is too large.")),
    Refusal.OVER_BUDGET: (
        "too_many",
        gettext_lazy("There were too many requests in a short time. Please wait a moment."),
    ),
    Refusal.BUSY: ("busy", gettext_lazy("This site is busy. Please try again in a moment.")),
}
"""By refusal its code for programs and its text."""


def refusal_page(refusal: Refusal, accept: str, accept_language: str) -> tuple[str, bytes]:
    """Return the content type and the content of the answer. `accept` and `accept_language` are the
    request's headers."""
    is_page = "text/html" in accept or "application/json" not in accept
    return _refusal_page(refusal, _preferred_language(accept_language), is_page)


@cache
def _refusal_page(refusal: Refusal, language: str, is_page: bool) -> tuple[str, bytes]:
    with translation.override(language):
        code, text = _TEXTS[refusal]
        if is_page:
            page = render_to_string("refused.html", {"status": int(refusal), "text": text})
            return "text/html", page.encode()
        answer = {"error": code, "text": str(text), "fault": "", "detail": ""}
        return "application/json", json.dumps(answer).encode()


def make_refusals() -> None:
    """Render the answers for all refusals in advance: the event loop that sends them renders
    nothing. Call it at the start."""
    for refusal in Refusal:
        for language, _name in settings.LANGUAGES:
            for is_page in (True, False):
                _refusal_page(refusal, language, is_page)


def _preferred_language(accept_language: str) -> str:
    """Return the language of the site that the header Accept-Language prefers."""
    for code, _weight in parse_accept_lang_header(accept_language[:200].lower()):
        with contextlib.suppress(LookupError):
            return get_supported_language_variant(code)
    return settings.LANGUAGE_CODE


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown address (404). Django's own view would read the posted form, which may
    fail."""
    return render(request, "404.html", status=404)


def refuse_library_page(request: HttpRequest, **named: str) -> HttpResponse:
    """Answer 404 at an address that a library adds and the site does not need."""
    raise Http404


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 if the database or Redis cannot be used, otherwise 500."""
    error = sys.exc_info()[1]
    missing = "" if error is None else _unavailable_part(error)
    if not missing:
        return render(request, "500.html", status=500)
    context = {"is_database_away": missing == "database"}
    response = render(request, "lobby/unavailable.html", context, status=503)
    response["Retry-After"] = str(_RETRY_AFTER_S)
    return response


def _unavailable_part(error: BaseException) -> Literal["tables", "database", ""]:
    """Return which part could not be used: "tables" (Redis), "database", or '' for neither. Log a
    failure of the database."""
    for cause in _with_causes(error):
        if isinstance(cause, (TablesUnavailable, ProofsUnavailable)):
            return "tables"
        if isinstance(cause, DatabaseError):
            if is_database_unavailable(cause):
                note_database_unavailable(cause)
                return "database"
            return ""
    return ""


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__
