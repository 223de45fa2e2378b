"""No request to the site's forms and addresses causes a server error."""

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

from mahjong_site.daphne_guard import MAX_BODY_BYTES
from tests.hostile.conftest import TargetTable
from tests.web.visitor import FetchedPage, Visitor

PAGES: Final = ("/", "/lobby/", "/replay/", "/sign-up/", "/sign-in/", "/sign-in/forgotten/")
ACCOUNT_PAGES: Final = ("/profile/", "/tables/new/")
ODD_TEXTS: Final = st.sampled_from(
    [
        *("", "0", "-1", "1" * 400, "\0", "a\0b", "\r\nSet-Cookie: a=b", "<script>"),
        *("../../etc/passwd", "' OR 1=1 --", "\ud800", "\u202e", "é" * 400, "None", "on"),
        *("NaN", "1e999", "{}", "%s%n"),
    ]
)
ANSWER_WITHIN_S: Final = 60
"""On a busy machine an import, which is read with low priority, takes up to 20 s."""
VALUES: Final = ODD_TEXTS | st.text(max_size=30) | st.integers().map(str)
FUZZING: Final = settings(
    max_examples=int(os.environ.get("HOSTILE_EXAMPLES", "30")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Form:
    """A form on a page."""

    action: str
    fields: tuple[str, ...]
    token: str
    cookie: str
    """The cookie of the visitor who got the page."""


@dataclass(frozen=True)
class SiteForms:
    """The site's address and its forms."""

    address: str
    redis_url: str
    forms: tuple[Form, ...]

    def send(self, form: Form, body: bytes, kind: str, **headers: str) -> int:
        """Send this body to the form's address; return the status of the answer."""
        return self.request(
            "POST", form.action, body, Cookie=form.cookie, Content_Type=kind, **headers
        )

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """Send a request; return the status of the answer."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(
            str(parts.hostname), parts.port, timeout=ANSWER_WITHIN_S
        )
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            return connection.getresponse().status
        finally:
            connection.close()

    def reset_rate_limits(self) -> None:
        """Delete all counts, so that no request is refused by a rate limit."""
        with redis.Redis.from_url(self.redis_url) as connection:
            for key in connection.scan_iter("*limit:*"):
                connection.delete(key)


@pytest.fixture(scope="module")
def site_forms(target: TargetTable) -> SiteForms:
    address = target.running_site.daphnes[0].url
    anonymous, owner = Visitor(address), Visitor(address)
    anonymous.get("/")
    word = secrets.token_hex()
    owner.submit(owner.get("/sign-up/"), "/sign-up/", name="Odette", password=word)
    forms = dict[str, Form]()
    for visitor, paths in ((anonymous, PAGES), (owner, ACCOUNT_PAGES)):
        for path in paths:
            page = visitor.get(path)
            assert (page.status, page.path) == (200, path)
            forms |= {form.action: form for form in _forms(page, visitor.cookie)}
    return SiteForms(address, target.running_site.redis.url, tuple(forms.values()))


def _forms(page: FetchedPage, cookie: str) -> list[Form]:
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


def test_forms_are_found(site_forms: SiteForms) -> None:
    actions = {form.action for form in site_forms.forms}
    assert {"/play/", "/sign-up/", "/sign-in/", "/tables/new/", "/profile/name/"} <= actions
    assert sum(len(form.fields) for form in site_forms.forms) > 30


def test_no_field_value_causes_a_server_error(site_forms: SiteForms) -> None:
    forms = [form for form in site_forms.forms if len(form.fields) > 1]

    @FUZZING
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        form = data.draw(st.sampled_from(forms))
        names = st.sampled_from([*form.fields, "next", "user", "is_staff", "\0"])
        values = data.draw(st.dictionaries(names, st.lists(VALUES, max_size=2), max_size=8))
        values["csrfmiddlewaretoken"] = [form.token]
        body = urllib.parse.urlencode(values, doseq=True, errors="surrogatepass").encode()
        site_forms.reset_rate_limits()
        kind = "application/x-www-form-urlencoded"
        assert site_forms.send(form, body, kind) < 500

    fuzz()


def test_no_body_causes_a_server_error(site_forms: SiteForms) -> None:
    kinds = ["application/x-www-form-urlencoded", "application/json", "text/plain", "x", ""]
    kinds += ["multipart/form-data", "multipart/form-data; boundary=b", "multipart/mixed"]
    kinds += ["application/x-www-form-urlencoded; charset=nonsense", "text/html; charset=utf-16"]
    parts = st.sampled_from([b"--b\r\n", b"--b--", b"Content-Disposition: form-data; name="])
    bodies = st.binary(max_size=200) | st.lists(parts | st.binary(max_size=9)).map(b"".join)

    @FUZZING
    @given(st.sampled_from(site_forms.forms), st.sampled_from(kinds), bodies, st.booleans())
    def fuzz(form: Form, kind: str, body: bytes, has_token: bool) -> None:
        headers = {"X_CSRFToken": form.token} if has_token else {}
        site_forms.reset_rate_limits()
        assert site_forms.send(form, body, kind, **headers) < 500

    fuzz()


def test_unknown_form_address_is_refused(site_forms: SiteForms) -> None:
    (form,) = (form for form in site_forms.forms if form.action == "/profile/name/")
    nowhere = replace(form, action="/nowhere/")
    for kind in ("multipart/form-data", "multipart/form-data; boundary=b", "text/plain", ""):
        for body in (b"", b"x", b"--b--"):
            assert site_forms.send(nowhere, body, kind) in (400, 404)


def test_no_address_causes_a_server_error(site_forms: SiteForms, target: TargetTable) -> None:
    roots = ["/", "/table/", "/game/", "/player/", "/ranking/", "/tables/", "/sign-in/link/a/"]
    roots += ["/games/", "/watch/", "/lobby/take/", "/language/", "/static/", "/static/js/"]
    roots += [f"/table/{target.table_id}/", f"/game/{target.table_id}/"]
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
        assert site_forms.request(method, f"{root}{end}?{asked}") < 500

    fuzz()


def test_oversize_forms_are_refused(site_forms: SiteForms) -> None:
    (form,) = (form for form in site_forms.forms if form.action == "/sign-in/")
    token = f"csrfmiddlewaretoken={form.token}&"
    kind = "application/x-www-form-urlencoded"
    many = (token + "&".join(f"f{number}=1" for number in range(5_000))).encode()
    large = (token + "name=" + "x" * (MAX_BODY_BYTES - 1_000)).encode()
    for body in (many, large):
        assert site_forms.send(form, body, kind) in (400, 413)
    assert site_forms.request("POST", form.action, b"", Content_Length=str(10**12)) == 413
    assert site_forms.request("GET", "/healthz") == 200
