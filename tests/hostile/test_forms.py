"""Whatever is sent to the forms and addresses of the site is answered, and not by a fault."""

from __future__ import annotations

import http.client
import os
import re
import secrets
import urllib.parse
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mahjong_site.daphne_guard import LARGEST_BODY_BYTES
from tests.hostile.conftest import Place
from tests.web.visitor import Page, Visitor

PAGES: Final = ("/", "/lobby/", "/sign-up/", "/sign-in/", "/sign-in/forgotten/")
PAGES_OF_AN_ACCOUNT: Final = ("/profile/", "/tables/new/")
ODD_TEXTS: Final = st.sampled_from(
    [
        *("", "0", "-1", "1" * 400, "\0", "a\0b", "\r\nSet-Cookie: a=b", "<script>"),
        *("../../etc/passwd", "' OR 1=1 --", "\ud800", "\u202e", "é" * 400, "None", "on"),
        *("NaN", "1e999", "{}", "%s%n"),
    ]
)
VALUES: Final = ODD_TEXTS | st.text(max_size=30) | st.integers().map(str)
FUZZING: Final = settings(
    max_examples=int(os.environ.get("HOSTILE_EXAMPLES", "30")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Form:
    """A form as a page shows it."""

    action: str
    fields: tuple[str, ...]
    token: str
    cookie: str
    """Of whom it was shown to."""


@dataclass(frozen=True)
class Site:
    """The way to the site, and the forms that are shown there."""

    address: str
    redis_url: str
    forms: tuple[Form, ...]

    def send(self, form: Form, body: bytes, kind: str, **headers: str) -> int:
        """The status of the answer to that form, filled in like this."""
        return self.ask("POST", form.action, body, Cookie=form.cookie, Content_Type=kind, **headers)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """The status of the answer."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=15)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            return connection.getresponse().status
        finally:
            connection.close()

    def forget_tries(self) -> None:
        """So that a limit does not stand before what is to be tried."""
        with redis.Redis.from_url(self.redis_url) as connection:
            for key in connection.scan_iter("*limit:*"):
                connection.delete(key)


@pytest.fixture(scope="module")
def way_in(place: Place) -> Site:
    address = place.served.daphnes[0].url
    nobody, owner = Visitor(address), Visitor(address)
    nobody.get("/")
    word = secrets.token_hex()
    owner.submit(owner.get("/sign-up/"), "/sign-up/", name="Odette", password=word)
    forms = dict[str, Form]()
    for visitor, paths in ((nobody, PAGES), (owner, PAGES_OF_AN_ACCOUNT)):
        for path in paths:
            page = visitor.get(path)
            assert (page.status, page.path) == (200, path)
            forms |= {form.action: form for form in _forms(page, visitor.cookie)}
    return Site(address, place.served.redis.url, tuple(forms.values()))


def _forms(page: Page, cookie: str) -> list[Form]:
    found = []
    for opening, inside in re.findall(r"<form([^>]*)>(.*?)</form>", page.text, re.DOTALL):
        if 'method="post"' not in opening:
            continue
        action = re.search(r'action="([^"]*)"', opening)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', inside)
        names = tuple(dict.fromkeys(re.findall(r'\bname="([^"]+)"', inside)))
        if token:
            found.append(
                Form((action and action[1].partition("#")[0]) or page.path, names, token[1], cookie)
            )
    return found


def test_the_forms_are_found(way_in: Site) -> None:
    actions = {form.action for form in way_in.forms}
    assert {"/play/", "/sign-up/", "/sign-in/", "/tables/new/", "/profile/name/"} <= actions
    assert sum(len(form.fields) for form in way_in.forms) > 30


def test_no_value_in_a_field_is_a_fault(way_in: Site) -> None:
    forms = [form for form in way_in.forms if len(form.fields) > 1]

    @FUZZING
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        form = data.draw(st.sampled_from(forms))
        names = st.sampled_from([*form.fields, "next", "user", "is_staff", "\0"])
        values = data.draw(st.dictionaries(names, st.lists(VALUES, max_size=2), max_size=8))
        values["csrfmiddlewaretoken"] = [form.token]
        body = urllib.parse.urlencode(values, doseq=True, errors="surrogatepass").encode()
        way_in.forget_tries()
        kind = "application/x-www-form-urlencoded"
        assert way_in.send(form, body, kind) < 500

    fuzz()


def test_no_body_is_a_fault(way_in: Site) -> None:
    kinds = ["application/x-www-form-urlencoded", "application/json", "text/plain", "x", ""]
    kinds += ["multipart/form-data", "multipart/form-data; boundary=b", "multipart/mixed"]
    kinds += ["application/x-www-form-urlencoded; charset=nonsense", "text/html; charset=utf-16"]
    parts = st.sampled_from([b"--b\r\n", b"--b--", b"Content-Disposition: form-data; name="])
    bodies = st.binary(max_size=200) | st.lists(parts | st.binary(max_size=9)).map(b"".join)

    @FUZZING
    @given(st.sampled_from(way_in.forms), st.sampled_from(kinds), bodies, st.booleans())
    def fuzz(form: Form, kind: str, body: bytes, has_token: bool) -> None:
        headers = {"X_CSRFToken": form.token} if has_token else {}
        way_in.forget_tries()
        assert way_in.send(form, body, kind, **headers) < 500

    fuzz()


def test_no_form_where_there_is_nothing_is_a_fault(way_in: Site) -> None:
    (form,) = (form for form in way_in.forms if form.action == "/profile/name/")
    nowhere = replace(form, action="/nowhere/")
    for kind in ("multipart/form-data", "multipart/form-data; boundary=b", "text/plain", ""):
        for body in (b"", b"x", b"--b--"):
            assert way_in.send(nowhere, body, kind) in (400, 404)


def test_no_address_is_a_fault(way_in: Site, place: Place) -> None:
    roots = ["/", "/table/", "/game/", "/player/", "/ranking/", "/tables/", "/sign-in/link/a/"]
    roots += ["/games/", "/watch/", "/lobby/take/", "/language/", "/static/", "/static/js/"]
    roots += [f"/table/{place.table_id}/", f"/game/{place.table_id}/"]
    ends = st.text(max_size=20) | ODD_TEXTS | st.sampled_from(["%00", "%ff", "..%2f..%2f", "%"])
    keys = st.sampled_from(["page", "next", "preset", "q", "seat", "hand", "lang", "\0"])

    @FUZZING
    @given(
        st.sampled_from(roots),
        ends.map(lambda text: urllib.parse.quote(text, safe="/%", errors="surrogatepass")),
        st.dictionaries(keys, VALUES, max_size=3),
        st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]),
    )
    def fuzz(root: str, end: str, query: dict[str, str], method: str) -> None:
        asked = urllib.parse.urlencode(query, errors="surrogatepass")
        assert way_in.ask(method, f"{root}{end}?{asked}") < 500

    fuzz()


def test_too_many_fields_and_too_large_a_body_are_refused(way_in: Site) -> None:
    (form,) = (form for form in way_in.forms if form.action == "/sign-in/")
    token = f"csrfmiddlewaretoken={form.token}&"
    kind = "application/x-www-form-urlencoded"
    many = (token + "&".join(f"f{number}=1" for number in range(5_000))).encode()
    large = (token + "name=" + "x" * (LARGEST_BODY_BYTES - 1_000)).encode()
    for body in (many, large):
        assert way_in.send(form, body, kind) in (400, 413)
    assert way_in.ask("POST", form.action, b"", Content_Length=str(10**12)) == 413
    assert way_in.ask("GET", "/healthz") == 200
