"""Pages that are the same for all readers but for the frame around them.

Browsers keep them and ask each time whether they have changed. The answer needs no template.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition

from lobby.accounts.refusals import View
from lobby.accounts.visitors import visitor_of


def unchanging(view: View) -> View:
    """Answer 304 if the browser has the page as it is for this reader."""
    kept: View = cache_control(private=True, no_cache=True)(condition(etag_func=_etag)(view))
    return kept


def _etag(request: HttpRequest, *_args: object, **_named: object) -> str:
    """Hash what the page and its frame depend on: the release, the address, the language, the
    colours, the key of forms, and the reader."""
    visitor = visitor_of(request)
    reader = visitor and (visitor.pk, visitor.name, visitor.is_account)
    requests = getattr(request, "friend_request_count", 0)
    cookies = request.COOKIES.get("scheme"), request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    page = request.get_host(), request.get_full_path(), get_language()
    return f'"{sha256(repr((_release(), page, cookies, reader, requests)).encode()).hexdigest()}"'


@cache
def _release() -> str:
    """Hash the times and sizes of the files from which pages are made."""
    places = (("templates", "*.html"), ("locale", "*.mo"), ("build/static", "*"), ("lobby", "*.py"))
    files = [
        (str(path), path.stat().st_mtime_ns, path.stat().st_size)
        for place, pattern in places
        for path in sorted((settings.BASE_DIR / place).rglob(pattern))
    ]
    return sha256(repr(files).encode()).hexdigest()
