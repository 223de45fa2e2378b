"""What search engines may list: the first page and what is the same for everybody.

Games, players, rankings and tables name people, so they are not listed.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_TEXT: Final = """User-agent: *
Allow: /$
Allow: /gallery/
Allow: /privacy/
Allow: /static/
Disallow: /
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """``/robots.txt``, as RFC 9309 has it."""
    return HttpResponse(_TEXT, content_type="text/plain; charset=utf-8")
