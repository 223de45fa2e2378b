"""Games from other sites, sent to a running site: by people, by tools and by attackers."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import redis

from game.imports.imported_game import MAX_BYTES
from mahjong_site.daphne_guard import MAX_BODY_BYTES
from tests.web.site import RunningSite
from tests.web.visitor import Visitor

FIXTURES: Final = Path(__file__).parent.parent / "records" / "fixtures"
RECORDS: Final = {
    "mjlog": (FIXTURES / "own.mjlog").read_bytes(),
    "tenhou6": (FIXTURES / "own.json").read_bytes(),
    "mjai": (FIXTURES / "own.mjson").read_bytes(),
}
MJLOG: Final = RECORDS["mjlog"]
JSON: Final = {"Accept": "application/json"}
FORGED: Final = 403


@dataclass(frozen=True)
class Answer:
    """The status, the headers and the text of an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@pytest.fixture(autouse=True)
def no_limits(running_site: RunningSite) -> None:
    """Delete the counts of rate limits."""
    with redis.Redis.from_url(running_site.redis.url) as connection:
        for key in connection.scan_iter("*limit:*"):
            connection.delete(key)


def multipart(**fields: bytes) -> tuple[bytes, str]:
    """Return a form with these fields and its content type; `file` is sent as a file."""
    mark = secrets.token_hex(16)
    parts = []
    for name, value in fields.items():
        file = '; filename="game"\r\nContent-Type: application/octet-stream' * (name == "file")
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        parts.append(head.encode() + value + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


def request(
    running_site: RunningSite,
    method: str,
    path: str,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
) -> Answer:
    parts = urlsplit(running_site.daphnes[0].url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.getheaders()), answer.read())
    finally:
        connection.close()


def send(
    running_site: RunningSite,
    path: str = "/replay/",
    headers: dict[str, str] = JSON,
    **fields: bytes,
) -> Answer:
    body, kind = multipart(**fields)
    return request(running_site, "POST", path, body, {"Content-Type": kind, **headers})


# Tools


@pytest.mark.parametrize("field", ["file", "text"])
@pytest.mark.parametrize("kind", RECORDS)
def test_tool_gets_the_address_and_the_key_for_deletion(
    running_site: RunningSite, kind: str, field: str
) -> None:
    answer = send(running_site, **{field: RECORDS[kind]})
    assert answer.status == 201
    assert answer.json.keys() == {"url", "delete"}
    assert re.fullmatch(r"/replay/[\w-]{22}/", answer.json["url"])
    assert "Set-Cookie" not in answer.headers
    for part in ("", "about/"):
        page = request(running_site, "GET", answer.json["url"] + part)
        assert page.status == 200
        assert b'content="noindex' in page.body
        assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert answer.json["delete"].encode() not in page.body
        assert b"/delete/" not in page.body, "only the owner of the game is offered to delete it"


def test_only_the_key_deletes_the_game_of_a_tool(running_site: RunningSite) -> None:
    sent = send(running_site, file=gzip.compress(MJLOG)).json
    address = f"{sent['url']}delete/"
    for key in (b"", b"x", sent["url"].split("/")[2].encode(), b"\xff\x00"):
        refused = send(running_site, address, delete=key)
        assert (refused.status, refused.json["error"]) == (403, "wrong_key")
    assert request(running_site, "GET", sent["url"]).status == 200
    assert send(running_site, address, delete=sent["delete"].encode()).status == 204
    assert request(running_site, "GET", sent["url"]).status == 404
    assert send(running_site, address, delete=sent["delete"].encode()).status == 404


def test_session_of_a_tool_owns_nothing(running_site: RunningSite) -> None:
    owner = account(running_site)
    sent = send(running_site, headers=JSON | {"Cookie": owner.cookie}, file=MJLOG)
    assert sent.status == 201
    assert sent.json["url"] not in owner.get("/replay/").text
    page = request(
        running_site, "GET", f"{sent.json['url']}about/", headers={"Cookie": owner.cookie}
    )
    assert b"/delete/" not in page.body


def test_script_has_the_whole_game_and_its_differences(running_site: RunningSite) -> None:
    lines = [json.loads(line) for line in RECORDS["mjai"].splitlines()]
    lines[0]["names"] = ["Anna", "", "<b>", "D"]
    win = next(line for line in lines if line["type"] == "hora")
    win["deltas"] = [value + 100 for value in win["deltas"]]
    sent = send(running_site, text="\n".join(map(json.dumps, lines)).encode()).json
    answer = request(running_site, "GET", f"{sent['url']}replay.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    script = answer.json
    assert script["names"] == ["Anna", "Player 2", "<b>", "D"]
    assert len(script["hands"]) == sum(line["type"] == "start_kyoku" for line in lines)
    first = script["differences"][0]
    assert script["events"][first["at"]]["type"] == "hora"
    assert first["text"].startswith("Payments: by the rules ")
    page = request(running_site, "GET", f"{sent['url']}about/")
    place = f'{sent["url"]}?hand=1&amp;step={first["at"] - script["hands"][0]["at"]}"'
    assert f'href="{place}>Payments'.encode() in page.body


def test_points_that_a_record_lacks_are_not_claimed(running_site: RunningSite) -> None:
    lines = [json.loads(line) for line in RECORDS["mjai"].splitlines()]
    for line in lines:
        line.pop("scores", None)
        line.pop("deltas", None)
    sent = send(running_site, text="\n".join(map(json.dumps, lines)).encode()).json
    assert request(running_site, "GET", f"{sent['url']}replay.json").json["has_points"] is False
    whole = send(running_site, text=RECORDS["mjai"]).json
    assert request(running_site, "GET", f"{whole['url']}replay.json").json["has_points"] is True


def test_scripts_are_limited_by_address(running_site: RunningSite) -> None:
    address = f"{send(running_site, file=MJLOG).json['url']}replay.json"
    # The limit may begin a new window in between.
    statuses = [request(running_site, "GET", address).status for _ in range(2 * 40 + 1)]
    assert set(statuses) == {200, 429}


# People


def account(running_site: RunningSite) -> Visitor:
    visitor = Visitor(running_site.daphnes[0].url)
    name = f"P{secrets.token_hex(5)}"
    visitor.submit(visitor.get("/sign-up/"), "/sign-up/", name=name, password=secrets.token_hex())
    return visitor


def bring(running_site: RunningSite, visitor: Visitor, raw: bytes = MJLOG) -> Answer:
    """Send the form of the page, as the visitor's browser does."""
    page = visitor.get("/replay/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token
    headers = {"Cookie": visitor.cookie, "Accept": "text/html"}
    return send(
        running_site, headers=headers, csrfmiddlewaretoken=token[1].encode(), file=raw, text=b""
    )


def test_account_finds_its_games_in_a_list_and_deletes_them(running_site: RunningSite) -> None:
    owner, other = account(running_site), account(running_site)
    address = bring(running_site, owner).headers["Location"]
    assert address in owner.get("/replay/").text
    assert address not in other.get("/replay/").text
    for page in (owner.get("/replay/"), other.get("/replay/")):
        assert page.status == 200
    shown = owner.get(f"{address}about/")
    assert f'action="{address}delete/"' in shown.text
    assert f'action="{address}delete/"' not in other.get(f"{address}about/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', other.get("/replay/").text)
    assert token
    assert other.post(f"{address}delete/", csrfmiddlewaretoken=token[1]).status == 403
    page = owner.submit(shown, f"{address}delete/")
    assert (page.status, page.path) == (200, "/replay/")
    assert address not in page.text
    assert owner.get(address).status == 404


def test_guest_deletes_the_game_with_the_cookie_of_its_page(running_site: RunningSite) -> None:
    guest = Visitor(running_site.daphnes[0].url)
    answer = bring(running_site, guest)
    address, cookie = answer.headers["Location"], answer.headers["Set-Cookie"]
    assert f"Path={address}" in cookie
    assert "HttpOnly" in cookie
    key = cookie.partition(";")[0]
    headers = {"Cookie": f"{guest.cookie}; {key}"}
    page = request(running_site, "GET", f"{address}about/", headers=headers)
    assert f'action="{address}delete/"'.encode() in page.body
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
    assert token
    deleted = send(
        running_site,
        f"{address}delete/",
        {"Cookie": f"{guest.cookie}; {key}", "Accept": "text/html"},
        csrfmiddlewaretoken=token[1],
    )
    assert deleted.status == 302
    assert guest.get(address).status == 404


def test_forms_without_a_token_are_refused(running_site: RunningSite) -> None:
    owner = account(running_site)
    address = bring(running_site, owner).headers["Location"]
    headers = {"Cookie": owner.cookie, "Accept": "text/html"}
    for path in ("/replay/", f"{address}delete/"):
        assert send(running_site, path, headers, file=MJLOG).status == FORGED
    assert owner.get(address).status == 200


def test_deleted_account_takes_its_imported_games_along(running_site: RunningSite) -> None:
    visitor, word = Visitor(running_site.daphnes[0].url), secrets.token_hex()
    name = f"P{secrets.token_hex(5)}"
    visitor.submit(visitor.get("/sign-up/"), "/sign-up/", name=name, password=word)
    address = bring(running_site, visitor).headers["Location"]
    assert address.split("/")[2] in visitor.get("/privacy/own-data/").text
    visitor.submit(visitor.get("/profile/delete/"), "/profile/delete/", old=word)
    assert visitor.get(address).status == 404


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_refusal_on_the_page_is_in_the_language_of_the_reader(
    running_site: RunningSite, language: str
) -> None:
    visitor = Visitor(running_site.daphnes[0].url)
    visitor.get("/replay/")
    headers = {"Accept-Language": language, "Accept": "text/html", "Cookie": visitor.cookie}
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', visitor.get("/replay/").text)
    assert token
    page = send(running_site, headers=headers, csrfmiddlewaretoken=token[1].encode(), text=b"hello")
    assert page.status == 400
    words = {"en": "damaged, incomplete", "fr": "endommagé", "ja": "壊れて"}
    shown = page.body.decode()
    assert words[language] in shown
    assert ">hello</textarea>" in shown, "the text need not be pasted again"


# Attacks


def test_markup_in_a_record_is_text_on_the_page(running_site: RunningSite) -> None:
    script = "<script>alert(1)</script>"
    record = json.loads(RECORDS["tenhou6"]) | {"name": [script, "b", "c", "d"]}
    sent = send(running_site, text=json.dumps(record).encode()).json
    page = request(running_site, "GET", sent["url"])
    assert b"<script>alert" not in page.body
    assert b"&lt;script&gt;alert" in page.body
    broken = send(running_site, text=MJLOG.replace(b"<GO", b"<svg onload=alert(1)><GO"))
    assert broken.status == 400


@pytest.mark.parametrize(
    ("status", "code", "fields"),
    [
        (400, "empty", {"text": b"\r\n"}),
        (400, "empty", {"file": b""}),
        (413, "too_large", {"file": b"x" * (MAX_BYTES + 1)}),
        (413, "too_large", {"text": b"x" * (MAX_BYTES + 1)}),
        (413, "too_large", {"text": b"x" * (MAX_BODY_BYTES - 4_000)}),
        (400, "entities", {"file": b'<!DOCTYPE a [<!ENTITY b "c">]><mjloggm/>'}),
        (400, "damaged", {"text": b'{"log":' + b"[" * 1_000_000}),
        (400, "damaged", {"text": b"\xff\xfe\x00{"}),
        (400, "address", {"text": b"http://169.254.169.254/latest/meta-data/"}),
    ],
)
def test_interface_refuses_with_a_code(
    running_site: RunningSite, status: int, code: str, fields: dict[str, bytes]
) -> None:
    answer = send(running_site, **fields)
    assert (answer.status, answer.json["error"]) == (status, code)
    assert answer.json["text"]


def test_small_file_that_unpacks_to_a_huge_one_is_refused(running_site: RunningSite) -> None:
    """The file has a quarter of a MiB and unpacks to a quarter of a GiB. It is made here and not as
    a parameter of the test above, because each process of a run would make the parameter while it
    collects its tests."""
    answer = send(running_site, file=gzip.compress(bytes(2**28)))
    assert (answer.status, answer.json["error"]) == (413, "too_large")
    assert answer.json["text"]


@pytest.mark.parametrize(
    ("accept", "language", "kind", "word"),
    [
        ("application/json", "fr", "application/json", "trop volumineux"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "ja-JP,en;q=0.5", "text/html", "大きすぎ"),
        ("*/*", "xx", "text/html", "too large"),
    ],
)
def test_body_over_the_limit_is_refused_with_a_text(
    running_site: RunningSite, accept: str, language: str, kind: str, word: str
) -> None:
    headers = {"Accept": accept, "Accept-Language": language}
    answer = send(running_site, headers=headers, file=b"x" * (MAX_BODY_BYTES + 500_000))
    assert answer.status == 413
    assert answer.headers["Content-Type"] == f"{kind}; charset=utf-8"
    text = answer.json["text"] if kind == "application/json" else answer.body.decode()
    assert word in text
    if kind == "application/json":
        assert answer.json["error"] == "too_large"


def long_search(moves: int = 60_000) -> bytes:
    """Return one hand of tenhou.net/6 with that many moves of each seat. The time to order them
    grows with the square of their number: about a quarter of a second for 1,500, minutes for
    60,000."""
    record = json.loads(RECORDS["tenhou6"])
    hand = record["log"][0]
    for seat in range(4):
        hand[5 + 3 * seat] = [11] * moves
        hand[6 + 3 * seat] = [60] * moves
    return json.dumps(record, separators=(",", ":")).encode()


def test_costly_record_is_ended_while_the_site_answers(running_site: RunningSite) -> None:
    raw = long_search()
    assert len(raw) < MAX_BYTES
    with ThreadPoolExecutor() as pool:
        costly = pool.submit(send, running_site, text=raw)
        slowest = 0.0
        while wait([costly], timeout=0.05).not_done:
            began = time.monotonic()
            assert request(running_site, "GET", "/healthz").status == 200
            slowest = max(slowest, time.monotonic() - began)
        answer = costly.result()
    assert (answer.status, answer.json["error"]) == (400, "too_costly")
    assert slowest < 5, "the event loop read the record"


def test_each_address_may_bring_some_records_only(running_site: RunningSite) -> None:
    # The limit may begin a new window in between.
    answers = [send(running_site, text=b"") for _ in range(2 * 30 + 1)]
    assert {(answer.status, answer.json["error"]) for answer in answers} == {
        (400, "empty"),
        (429, "too_often"),
    }


def test_guessed_addresses_are_limited(running_site: RunningSite) -> None:
    statuses = {
        request(running_site, "GET", f"/replay/{number}/").status for number in range(2 * 60 + 1)
    }
    assert statuses == {404, 429}
