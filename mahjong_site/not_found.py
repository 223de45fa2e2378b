"""What is answered where there is nothing.

Django's own answer reads the form that was sent along, and fails when that is no form.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an address that leads nowhere."""
    return render(request, "404.html", status=404)


def no_page(request: HttpRequest, **named: str) -> HttpResponse:
    """For an address that a library opens and the site does not."""
    raise Http404
