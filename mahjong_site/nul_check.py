"""Refuses requests with a NUL character in their query, their form or their cookies.

No browser sends one. PostgreSQL cannot compare or store NUL in a text, so each query with such a
value would be a server error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict

NUL: Final = "\0"


class NoNulCharacters:
    """Middleware that answers such requests with status 400. Forms are checked only for views with
    protection against forged requests, because that protection reads the form anyway."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _has_nul(request.GET) or any(NUL in value for value in request.COOKIES.values()):
            raise BadRequest("a NUL character in the query or in a cookie")
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, named: Any
    ) -> None:
        """Raise BadRequest for a form with a NUL character."""
        is_checked = request.method == "POST" and not getattr(view, "csrf_exempt", False)
        if is_checked and _has_nul(request.POST):
            raise BadRequest("a NUL character in the form")


def _has_nul(values: QueryDict) -> bool:
    return any(NUL in text for name, found in values.lists() for text in (name, *found))
