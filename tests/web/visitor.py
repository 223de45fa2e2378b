"""A browser without scripts that keeps cookies and sends forms."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar


@dataclass(frozen=True)
class FetchedPage:
    """The response at the end of its redirects."""

    status: int
    path: str
    text: str


class Visitor:
    """A browser that visits one site."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies), urllib.request.ProxyHandler({})
        )

    @property
    def cookie(self) -> str:
        """Return the cookies as a header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)

    def get(self, path: str) -> FetchedPage:
        return self._open(urllib.request.Request(self.address + path))

    def submit(self, page: FetchedPage, action: str, **fields: str) -> FetchedPage:
        """Send the form on that page that goes to `action`."""
        form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page.text, re.DOTALL)
        assert form, f"no form to {action} on {page.path}"
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form[0])
        assert token, "the form has no token"
        return self.post(action, csrfmiddlewaretoken=token[1], **fields)

    def post(self, path: str, **fields: str) -> FetchedPage:
        data = urllib.parse.urlencode(fields).encode()
        return self._open(urllib.request.Request(self.address + path, data=data))

    def _open(self, request: urllib.request.Request) -> FetchedPage:
        try:
            with self._opener.open(request, timeout=60) as answer:
                path = urllib.parse.urlsplit(answer.url).path
                return FetchedPage(answer.status, path, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                path = urllib.parse.urlsplit(error.url or "").path
                return FetchedPage(error.code, path, error.read().decode())
