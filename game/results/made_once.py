"""Makes content that is the same for all readers once in each process, and lets browsers keep it.

`made_once` keeps a value; the template tag `cache` with `using="made"` keeps a part of a page. Both
use the cache `made` of the settings, with a key made of all values that the content depends on. It
is empty when a process starts, so a new release begins afresh. `with_etag` tells a browser that its
copy is still valid.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar, cast

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, set_response_etag

T = TypeVar("T")

CACHE: Final = "made"
PUBLIC_S: Final = 600
"""For how long everybody may keep what is public: games can be hidden, and names forgotten."""


def made_once(name: str, *depends_on: object, make: Callable[[], T]) -> T:
    """Return the result of `make`. Later calls with the same name and the same `depends_on` get the
    cached result."""
    key = f"{name}:{sha256(repr(depends_on).encode()).hexdigest()[:32]}"
    return cast("T", caches[CACHE].get_or_set(key, make))


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response, or a 304 if the browser's copy is the same. Unless the response says
    otherwise, browsers have to ask each time."""
    response.headers.setdefault("Cache-Control", "no-cache, private")
    set_response_etag(response)  # none for an empty body
    etag = response.headers.get("ETag")
    conditional = get_conditional_response(request, etag=etag, response=response)
    return conditional if isinstance(conditional, HttpResponse) else response
