"""How the server makes pages: few at once, the others in a line of limited length."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from mahjong_site.error_pages import make_refusals
from mahjong_site.page_budget import Reader
from mahjong_site.pages import AT_ONCE, MAX_WAITING, OF_READER_AT_ONCE, Line, Pages, _Visitor
from tests.lobby.conftest import pages, redis_url, shared_redis
from tests.tables.staging import wait_for

__all__ = ["pages", "redis_url", "shared_redis"]
pytestmark = pytest.mark.usefixtures("pages")

PATIENCE_S = 60


class Gated(Pages):
    """A server whose pages take until the test opens the gate."""

    def __init__(self, **options: bool) -> None:
        super().__init__(**options)
        self.gate = threading.Event()
        self.at_work = 0
        self.most_at_work = 0
        self.begun = list[str]()
        self._lock = threading.Lock()

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        with self._lock:
            self.begun.append(request.path)
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
        assert self.gate.wait(PATIENCE_S)
        began = time.thread_time()
        while time.thread_time() - began < 0.002:
            pass
        with self._lock:
            self.at_work -= 1
        return HttpResponse("page")


class Request:
    """One request, whose client may go."""

    def __init__(
        self,
        server: Pages,
        path: str = "/",
        address: str = "192.0.2.1",
        cookie: str = "",
        method: str = "GET",
    ) -> None:
        self.sent = list[dict[str, Any]]()
        self._gone = asyncio.Event()
        self._has_body = False
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [
                (b"host", b"localhost"),
                (b"accept", b"text/html"),
                (b"cookie", cookie.encode()),
            ],
            "client": (address, 1),
        }
        self.task = asyncio.create_task(server(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if not self._has_body:
            self._has_body = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def go(self) -> None:
        self._gone.set()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])


@pytest.fixture(autouse=True)
def _refusals_are_made(settings: Any) -> None:
    make_refusals()
    settings.PAGE_SECONDS_PER_ADDRESS = 0


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Gated]:
    made = Gated()
    yield made
    made.gate.set()


async def test_few_pages_are_made_at_once(server: Gated) -> None:
    requests = [Request(server, address=f"192.0.2.{number}") for number in range(12)]
    await wait_for(lambda: server.pages.waiting == 12 - AT_ONCE)
    server.gate.set()
    await asyncio.gather(*[request.task for request in requests])
    assert {request.status for request in requests} == {200}
    assert server.most_at_work == AT_ONCE


async def test_requests_beyond_the_line_are_refused_with_a_page(server: Gated) -> None:
    requests = [
        Request(server, address=f"198.51.{number // 250}.{number % 250}")
        for number in range(AT_ONCE + MAX_WAITING)
    ]
    await wait_for(lambda: server.pages.waiting == MAX_WAITING)
    late = Request(server, address="192.0.2.1")
    await late.task
    assert (late.status, late.headers[b"Retry-After"]) == (503, b"2")
    assert b"busy" in late.sent[1]["body"]
    probe = Request(server, "/healthz", address="192.0.2.1")  # has a thread of its own
    server.gate.set()
    await asyncio.gather(probe.task, *[request.task for request in requests])
    assert probe.status == 200
    assert {request.status for request in requests} == {200}


async def test_requests_of_one_address_wait_for_each_other(server: Gated) -> None:
    """The others of the address wait outside the line, so that a page of somebody else is next."""
    flood = [Request(server, "/flood/") for _ in range(20)]
    await wait_for(lambda: server.at_work == OF_READER_AT_ONCE)
    other = Request(server, "/other/", address="192.0.2.2")
    await wait_for(lambda: server.pages.waiting == 1)
    server.gate.set()
    await asyncio.gather(other.task, *[request.task for request in flood])
    assert server.begun.index("/other/") == OF_READER_AT_ONCE


async def test_requests_of_one_account_wait_for_each_other(
    server: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_account(key: str, _address: str) -> _Visitor:
        return _Visitor(key, Reader(f"person {key}", is_known=True), until=float("inf"))

    monkeypatch.setattr(server, "_look_up", find_account)
    cookie = f"{settings.SESSION_COOKIE_NAME}=flood"
    flood = [Request(server, "/flood/", f"192.0.2.{at}", cookie) for at in range(10, 30)]
    await wait_for(lambda: server.at_work == OF_READER_AT_ONCE)
    other = Request(server, "/other/", address="192.0.2.2")
    await wait_for(lambda: server.pages.waiting == 1)
    server.gate.set()
    await asyncio.gather(other.task, *[request.task for request in flood])
    assert server.begun.index("/other/") == OF_READER_AT_ONCE


async def test_imports_do_not_delay_pages_of_their_address(server: Gated) -> None:
    imports = [Request(server, "/replay/", method="POST") for _ in range(3)]
    await wait_for(lambda: server.at_work == OF_READER_AT_ONCE)
    page = Request(server)
    await wait_for(lambda: server.at_work == OF_READER_AT_ONCE + 1)
    server.gate.set()
    await asyncio.gather(page.task, *[request.task for request in imports])


async def test_health_checks_of_one_address_do_not_delay_others(server: Gated) -> None:
    flood = [Request(server, "/readyz") for _ in range(20)]
    await wait_for(lambda: server.at_work == 1)
    other = Request(server, "/healthz", address="192.0.2.2")
    await wait_for(lambda: server._count_waiting() == len(flood) - OF_READER_AT_ONCE)
    server.gate.set()
    await asyncio.gather(other.task, *[request.task for request in flood])
    assert server.begun.index("/healthz") == OF_READER_AT_ONCE


async def test_client_that_goes_is_forgotten_in_the_line_and_charged_at_work(
    server: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged = list[tuple[Reader, float]]()
    monkeypatch.setattr(server._budget, "charge", lambda *args: charged.append(args))
    at_work = [Request(server, "/work/", address=f"192.0.2.{number}") for number in range(AT_ONCE)]
    await wait_for(lambda: server.at_work == AT_ONCE)
    waiting = Request(server, "/line/", address="192.0.2.9")
    await wait_for(lambda: server.pages.waiting == 1)
    for request in (waiting, *at_work):
        request.go()
    with suppress(asyncio.CancelledError):
        await waiting.task
    await wait_for(lambda: server.pages.waiting == 0)
    server.gate.set()
    await asyncio.gather(*[request.task for request in at_work], return_exceptions=True)
    await wait_for(lambda: len(charged) == AT_ONCE)
    assert server.begun == ["/work/"] * AT_ONCE
    assert all(seconds >= 0.002 for _, seconds in charged)


async def test_begun_answer_goes_on_in_its_language_though_the_line_is_full() -> None:
    class Streaming(Gated):
        def get_response(self, request: HttpRequest) -> HttpResponseBase:
            if request.path == "/other/":
                return super().get_response(request)
            translation.activate("fr")
            return StreamingHttpResponse(translation.get_language() for _ in range(2))

    class Slow(Request):
        """Its client takes the head of the answer when the only thread works for another one."""

        async def _send(self, message: dict[str, Any]) -> None:
            self.sent.append(message)
            if message["type"] == "http.response.start":
                others.append(Request(server, "/other/", address="192.0.2.9"))
                await wait_for(lambda: server.at_work == 1)

    server, others = Streaming(), list[Request]()
    server.pages = Line("page", 1, max_waiting=0)
    try:
        slow = Slow(server)
        await wait_for(lambda: server.pages.waiting == 1 or slow.task.done())
    finally:
        server.gate.set()
    await asyncio.gather(slow.task, *[other.task for other in others])
    bodies = [message["body"] for message in slow.sent[1:]]
    assert (slow.status, bodies) == (200, [b"fr", b"fr", b""])


async def test_ipv6_network_of_one_household_is_one_reader(server: Gated) -> None:
    requests = [Request(server, address=f"2001:db8::{number:x}") for number in range(1, 6)]
    await wait_for(lambda: server.at_work == OF_READER_AT_ONCE)
    assert server._count_waiting() == len(requests) - OF_READER_AT_ONCE
    server.gate.set()
    await asyncio.gather(*[request.task for request in requests])


async def test_table_server_makes_no_pages() -> None:
    server = Gated(only_probes=True)
    server.gate.set()
    page, probe = Request(server, "/lobby/"), Request(server, "/healthz")
    await asyncio.gather(page.task, probe.task)
    assert (page.status, probe.status) == (404, 200)
    assert page.headers[b"Connection"] == b"close", "the next page would come here, too"
