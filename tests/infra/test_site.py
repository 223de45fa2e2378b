"""Files and headers of the web server, and forms that it cannot read."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from http.client import HTTPResponse
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from mahjong_site.static_files import remove_comments
from tests.kit.processes import Site
from tests.web.visitor import Visitor


def fetch(url: str, **headers: str) -> HTTPResponse | HTTPError:
    try:
        response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=60)
    except HTTPError as error:
        return error
    return response


def test_web_server_does_not_load_numpy() -> None:
    program = "import sys, mahjong_site.asgi; print('numpy' in sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, stdout=subprocess.PIPE, check=True
    )
    assert ended.stdout == b"False\n"


def test_served_scripts_keep_lines_without_comments() -> None:
    script = b"""/**
 * What it owns.
 */
import { el } from "./dom.js"; /* stays */

  /** @param {string} a */
  const url = `http://${a}/*.js`; // stays, */ too
"""
    lines = remove_comments(script).split(b"\n")
    assert lines == [
        b"",
        b"",
        b"",
        b'import { el } from "./dom.js"; /* stays */',
        b"",
        b"",
        b"  const url = `http://${a}/*.js`; // stays, */ too",
        b"",
    ]


def test_no_string_of_a_script_looks_like_a_comment() -> None:
    scripts = sorted((settings.BASE_DIR / "static/js").rglob("*.js"))
    assert scripts
    for path in scripts:
        for text in re.findall(r"`[^`]*`", remove_comments(path.read_bytes()).decode()):
            assert text in path.read_text(encoding="utf-8"), f"{path}: {text}"


def test_site_serves_compressed_files_with_security_headers(site: Site) -> None:
    web = site.start_daphne()

    with fetch(web.url) as page:
        assert page.status == 200
        policy = dict(
            part.strip().split(" ", 1)
            for part in page.headers["Content-Security-Policy"].split(";")
        )
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["connect-src"] == f"'self' ws://127.0.0.1:{web.port}"
    assert "unsafe" not in str(policy)

    with fetch(f"{web.url}/static/js/net/socket.js") as module:
        assert module.status == 200
        assert module.headers["Content-Type"].startswith("text/javascript")
        assert module.headers["Cache-Control"] == "max-age=0, public"
        assert len(module.read()) == int(module.headers["Content-Length"])
        plain = module.headers["Content-Length"]
    with fetch(module.url, **{"If-None-Match": module.headers["ETag"]}) as again:
        assert again.status == 304
    with fetch(module.url, **{"Accept-Encoding": "br, gzip"}) as packed:
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.headers["Vary"] == "Accept-Encoding"
        body = packed.read()
        assert len(body) == int(packed.headers["Content-Length"])
        assert int(plain) * 0.4 < len(gzip.decompress(body)) < int(plain)
    with fetch(module.url, **{"Accept-Encoding": "gzip;q=0"}) as unpacked:
        assert unpacked.headers["Content-Encoding"] is None

    with fetch(web.url, Host="evil.example") as page:
        assert page.status == 400
    with fetch(f"{web.url}/no-such-page") as page:
        assert page.status == 404
        assert b"Traceback" not in page.read()

    for path, origin in [
        ("/ws/table/none/", "http://evil.example"),
        ("/ws/table/none/", None),
        ("/ws/nowhere/", web.origin),
    ]:
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(
                web.websocket_url + path,
                origin=Origin(origin) if origin else None,
                proxy=None,
            ),
        ):
            pass


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            "application/x-www-form-urlencoded",
            urlencode([(f"field{number}", "1") for number in range(1_200)]),
        ),
        (
            "multipart/form-data; boundary=b",
            "".join(
                f'--b\r\nContent-Disposition: form-data; name="field{number}"\r\n\r\n1\r\n'
                for number in range(1_200)
            )
            + "--b--\r\n",
        ),
    ],
    ids=["urlencoded", "multipart"],
)
def test_unreadable_form_is_refused_without_a_log_line(
    site: Site, capfd: pytest.CaptureFixture[str], kind: str, body: str
) -> None:
    web = site.start_daphne()
    visitor = Visitor(web.url)
    visitor.get("/sign-in/")
    capfd.readouterr()
    headers = {"Content-Type": kind, "Cookie": visitor.cookie, "Accept-Language": "en"}
    with (
        pytest.raises(HTTPError, match="400") as refused,
        urlopen(Request(f"{web.url}/sign-in/", body.encode(), headers), timeout=60),
    ):
        pass
    with refused.value as page:
        assert "cannot read what your browser has sent" in page.read().decode()
    assert capfd.readouterr().err == ""
