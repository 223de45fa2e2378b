"""The choice of light or dark colours is kept in a cookie."""

from __future__ import annotations

import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db(transaction=True)


def scheme_of(page: str) -> tuple[str, str]:
    """Return the scheme that the page names for itself, and that of the current button."""
    named = re.search(r'<html [^>]*data-scheme="(\w+)"', page)
    (current,) = re.findall(r'name="scheme" value="(\w*)" aria-current="true"', page)
    return named[1] if named else "", current


def test_choice_is_stored_and_reset() -> None:
    client = Client()
    assert scheme_of(client.get("/privacy/").text) == ("", "")
    for scheme in ("dark", "light"):
        answer = client.post("/scheme/", {"scheme": scheme, "next": "/privacy/?a=1"})
        assert answer.headers["Location"] == "/privacy/?a=1"
        cookie = answer.cookies["scheme"]
        assert (cookie["samesite"], cookie["httponly"]) == ("Lax", True)
        page = client.get("/privacy/").text
        assert scheme_of(page) == (scheme, scheme)
        assert f'<meta name="color-scheme" content="{scheme}">' in page
        assert scheme_of(client.get("/no-such-page/").text) == (scheme, scheme)
    client.post("/scheme/", {"scheme": "", "next": "/"})
    assert scheme_of(client.get("/privacy/").text) == ("", "")


@pytest.mark.parametrize(
    "next_page", ["https://example.org/", "//example.org", "javascript:1", "", "0", "lobby:home"]
)
def test_only_paths_on_this_site_are_followed(next_page: str) -> None:
    answer = Client().post("/scheme/", {"scheme": "dark", "next": next_page})
    assert answer.headers["Location"] == "/"


def test_unknown_scheme_in_request_or_cookie_is_ignored() -> None:
    client = Client()
    client.post("/scheme/", {"scheme": '"><script>', "next": "/"})
    assert scheme_of(client.get("/privacy/").text) == ("", "")
    client.cookies["scheme"] = '"><script>'
    assert scheme_of(client.get("/privacy/").text) == ("", "")


def test_scheme_needs_the_token_of_forms() -> None:
    assert Client(enforce_csrf_checks=True).post("/scheme/", {"scheme": "dark"}).status_code == 403
