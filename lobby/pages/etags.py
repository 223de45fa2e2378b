"""Answers with an ETag: a browser loads them again only if they have changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, set_response_etag


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response, or 304 if the browser has the same content already."""
    response.headers["Cache-Control"] = "no-cache, private"
    set_response_etag(response)
    conditional = get_conditional_response(
        request, etag=response.headers["ETag"], response=response
    )
    return conditional if isinstance(conditional, HttpResponse) else response
