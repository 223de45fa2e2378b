"""Serves pages: runs Django in a few threads, beside the event loop that may hold tables.

A page is made by one thread from its first middleware to its last byte, and only some threads make
pages. The others wait in a line of limited length. So requests, however dear, leave the event loop
its share of the processor, and the memory of a flood is limited.

Each reader has a budget of processor time (`page_budget`). While other pages wait, requests of a
reader who has used more are refused.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from prometheus_client import Counter, Gauge, Histogram

from game.identity.sessions import person_of_key
from game.live.authentication import read_cookies
from game.tables.bridge import tables_loop
from game.tables.errors import TablesUnavailable
from lobby.models import Person
from lobby.play.backend import current_backend
from lobby.play.player_location import PREGAME, find_location
from mahjong_site.error_pages import Refusal, refusal_page
from mahjong_site.origin_check import network_of_client
from mahjong_site.page_budget import Budget, Reader
from mahjong_site.probe_host import PATHS as PROBES

T = TypeVar("T")
Scope = dict[str, Any]

AT_ONCE: Final = 2
"""The number of pages that one process makes at once."""
MAX_WAITING: Final = 400
"""The number of requests that may wait for a thread, and of those of one reader that may wait for
their turn: some for each of a hundred people who come at once."""
_FILES_WAITING: Final = 10_000
"""A first visit asks for some thirty static files."""
_MAX_IMPORTS: Final = 16
"""Requests that wait for another process to read a game of another site. That refuses sooner."""
OF_READER_AT_ONCE: Final = 2
"""The number of requests of one reader in the line or at work."""
_VISITOR_CACHED_S: Final = 60.0
"""For how long a process remembers to whom a session belongs, for the budget only."""
_CACHED_VISITORS: Final = 10_000
_BUSY_RETRY_S: Final = 2
_IMPORT_PATH: Final = "/replay/"
_CHECK_PATHS: Final = (*sorted(PROBES), "/metrics")
"""What monitoring asks for, outside the line and the budget of pages."""

PAGE_S: Final = Histogram(
    "mahjong_page_seconds",
    "Processor time of a page.",
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
WAITING: Final = Gauge("mahjong_pages_waiting", "Requests that wait for a thread or their turn.")
REFUSED: Final = Counter(
    "mahjong_pages_refused_total", "Requests that were refused unread, by status.", ["status"]
)
AT_WORK: Final = Gauge("mahjong_pages_at_work", "Pages that are being made.")


class QueueFull(Exception):
    """Too many requests are waiting already."""


class _OverBudget(Exception):
    """The reader has used up the budget of processor time; `retry_s` says for how many seconds."""

    def __init__(self, retry_s: int) -> None:
        super().__init__()
        self.retry_s = retry_s


@dataclass(slots=True)
class _Turns:
    """The requests of one reader that run or wait."""

    semaphore: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(OF_READER_AT_ONCE)
    )
    requests: int = 0

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        return max(0, self.requests - OF_READER_AT_ONCE)


@dataclass(frozen=True, slots=True)
class _Visitor:
    """The visitor of a session: the person's id ('' without one), and the reader who is charged."""

    person: str
    reader: Reader
    until: float


class Line:
    """A thread pool with a queue of limited length."""

    def __init__(self, name: str, at_once: int, max_waiting: int = MAX_WAITING) -> None:
        self.name = name
        self._max_waiting = max_waiting
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)
        self._at_once = at_once
        self._open = 0
        """Work that waits or is being done."""

    @property
    def waiting(self) -> int:
        """How many calls of `run` wait for a thread."""
        return max(0, self._open - self._at_once)

    async def run(self, work: Callable[[], T], context: Context | None = None) -> T:
        """Run `work` in a thread with an empty context and return its result. Raises QueueFull.
        With `context`, run in that context and ignore the limit of the queue.

        If the caller is cancelled before a thread has begun, the work is not done. Once a thread
        has begun, it finishes the work, and the caller waits for it.
        """
        if context is None and self._open >= self._at_once + self._max_waiting:
            raise QueueFull
        loop = asyncio.get_running_loop()
        self._open += 1

        def count_down(_: Future[T]) -> None:
            loop.call_soon_threadsafe(self._count_down)

        doing = self._threads.submit((Context() if context is None else context).run, work)
        doing.add_done_callback(count_down)
        result = asyncio.wrap_future(doing)
        try:
            return await asyncio.shield(result)
        except asyncio.CancelledError:
            if not doing.cancel():
                await asyncio.wait({result})
            raise

    def _count_down(self) -> None:
        self._open -= 1


class Pages(ASGIHandler):
    """The ASGI application for HTTP requests. With `only_probes` it serves health checks alone."""

    def __init__(self, *, only_probes: bool = False) -> None:
        super().__init__()
        self._only_probes = only_probes
        """Whether other addresses are not found here: a table server makes no pages."""
        self.pages = Line("page", AT_ONCE)
        self._imports = Line("import", _MAX_IMPORTS)
        self._files, self._probes = Line("file", 1, _FILES_WAITING), Line("probe", 1)
        self._turns: defaultdict[str, _Turns] = defaultdict(_Turns)
        WAITING.set_function(self._count_waiting)
        self._budget = Budget(settings.PAGE_SECONDS_PER_ADDRESS)
        self._known: OrderedDict[str, _Visitor] = OrderedDict()

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as synchronous, whatever `is_async` says: it runs in threads."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        work = asyncio.ensure_future(self._answer(scope, body, send))
        gone = asyncio.ensure_future(receive())  # the next message is the end of the connection
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            work.cancel()  # the client has gone, if it is not done
            await asyncio.wait({work})
            body.close()
        if not work.cancelled():
            work.result()

    async def _answer(self, scope: Scope, body: Any, send: Any) -> None:
        path = scope["path"]
        try:
            if path.startswith(settings.STATIC_URL) and not self._only_probes:
                await self._send_page(self._files, scope, body, send)
            elif path in _CHECK_PATHS:
                async with self._turn(f"{self._probes.name} {network_of_client(scope)}"):
                    await self._send_page(self._probes, scope, body, send)
            elif self._only_probes:
                # On a kept connection a browser or proxy would ask for pages here, too.
                response = HttpResponse(
                    status=HTTPStatus.NOT_FOUND, headers={"Connection": "close"}
                )
                await self.send_response(response, send)
            else:
                is_import = path == _IMPORT_PATH and scope["method"] == "POST"
                line = self._imports if is_import else self.pages
                async with self._admitted(scope, line.name) as reader:
                    await self._send_page(line, scope, body, send, reader)
        except QueueFull:
            await self._refuse(scope, send, Refusal.BUSY, _BUSY_RETRY_S)
        except _OverBudget as error:
            await self._refuse(scope, send, Refusal.OVER_BUDGET, error.retry_s)

    async def _refuse(self, scope: Scope, send: Any, refusal: Refusal, retry_s: int) -> None:
        REFUSED.labels(str(refusal.value)).inc()
        headers = dict(scope["headers"])
        kind, content = refusal_page(
            refusal, _header_text(headers, b"accept"), _header_text(headers, b"accept-language")
        )
        response = HttpResponse(content, content_type=f"{kind}; charset=utf-8", status=refusal)
        response["Retry-After"], response["Cache-Control"] = str(retry_s), "no-store"
        await self.send_response(response, send)

    # Who may be served

    @asynccontextmanager
    async def _admitted(self, scope: Scope, line: str) -> AsyncIterator[Reader]:
        """Wait until this request's reader may use that line: each reader has few requests under
        way at once. Raises QueueFull, _OverBudget."""
        address = network_of_client(scope)
        key = read_cookies(scope).get(settings.SESSION_COOKIE_NAME, "")
        known = self._cached_visitor(key)
        if known is None or not known.reader.is_known:
            async with self._turn(f"{line} address {address}"):
                if known is None:
                    known = await self._look_up(key, address)
                if not known.reader.is_known:
                    await self._check_budget(scope, known)
                    yield known.reader
                    return
        # Outside the turn: people with accounts do not wait for strangers at their address.
        async with self._turn(f"{line} {known.reader.key}"):
            await self._check_budget(scope, known)
            yield known.reader

    @asynccontextmanager
    async def _turn(self, reader: str) -> AsyncIterator[None]:
        turns = self._turns[reader]
        if turns.waiting >= MAX_WAITING:
            raise QueueFull
        turns.requests += 1
        try:
            async with turns.semaphore:
                yield
        finally:
            turns.requests -= 1
            if not turns.requests:
                del self._turns[reader]

    async def _check_budget(self, scope: Scope, known: _Visitor) -> None:
        wait_s, path = self._budget.wait_s(known.reader), scope["path"]
        if not wait_s or not self._count_waiting():
            return
        if known.person and not (await _own_tables(known.person)).isdisjoint(path.split("/")):
            return
        raise _OverBudget(math.ceil(wait_s))

    def _count_waiting(self) -> int:
        every = list(self._turns.values())  # a copy, because a thread of metrics asks as well
        return self.pages.waiting + sum(turns.waiting for turns in every)

    def _cached_visitor(self, key: str) -> _Visitor | None:
        known = self._known.get(key) if key else None
        return known if known is not None and time.monotonic() < known.until else None

    async def _look_up(self, key: str, address: str) -> _Visitor:
        """Find out whether the session with that key belongs to an account or to a player with a
        seat."""
        stranger = Reader(f"address {address}", is_known=False)
        until = time.monotonic() + _VISITOR_CACHED_S
        if not key:
            return _Visitor("", stranger, until)
        person, is_account = await self.pages.run(lambda: _person_of(key))
        pays = bool(person) and (is_account or await _own_tables(person))
        reader = Reader(f"person {person}", is_known=True) if pays else stranger
        known = self._known[key] = _Visitor(person, reader, until)
        if len(self._known) > _CACHED_VISITORS:
            self._known.popitem(last=False)
        return known

    # The page itself

    async def _send_page(
        self, line: Line, scope: Scope, body: Any, send: Any, reader: Reader | None = None
    ) -> None:
        loop = asyncio.get_running_loop()

        def make() -> tuple[HttpResponseBase, Context]:
            return self._run_timed(
                loop, reader, lambda: self._make_response(scope, body, loop)
            ), copy_context()

        def make_part() -> Awaitable[bytes | None]:
            return line.run(
                lambda: self._run_timed(loop, reader, lambda: next(parts, None)), context
            )

        response, context = await line.run(make)
        if not response.streaming:
            await self.send_response(response, send)
            return
        parts: Iterator[bytes] = iter(response.streaming_content)  # type: ignore[attr-defined]
        try:
            await self._send_stream(response, send, make_part)
        finally:
            await line.run(response.close, context)

    async def _send_stream(
        self, response: Any, send: Any, make_part: Callable[[], Awaitable[bytes | None]]
    ) -> None:
        """Send the parts of the response as its iterator makes them, each in a thread."""
        headers = [
            (name.encode("ascii"), value.encode("latin1")) for name, value in response.items()
        ]
        status = response.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})
        while True:
            part = await make_part()
            await send(
                {"type": "http.response.body", "body": part or b"", "more_body": part is not None}
            )
            if part is None:
                return

    def _run_timed(
        self, loop: asyncio.AbstractEventLoop, reader: Reader | None, work: Callable[[], T]
    ) -> T:
        """Run `work` in this thread and charge its processor time to the reader, even if nobody
        waits for the result any more."""
        if reader is None:
            return work()
        began = time.thread_time()
        AT_WORK.inc()
        try:
            return work()
        finally:
            AT_WORK.dec()
            seconds = time.thread_time() - began
            PAGE_S.observe(seconds)
            loop.call_soon_threadsafe(self._budget.charge, reader, seconds)

    def _make_response(
        self, scope: Scope, body: Any, loop: asyncio.AbstractEventLoop
    ) -> HttpResponseBase:
        """Return Django's response, made in this thread. A response that is not streamed is
        closed."""
        tables_loop.set(loop)
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        response: HttpResponseBase | None = None
        try:
            request, response = self.create_request(scope, body)
            if response is None:
                assert isinstance(request, HttpRequest)
                response = self.get_response(request)
            return response
        finally:
            if response is None:
                request_finished.send(sender=self.__class__)
            elif not response.streaming:
                response.close()  # which ends the use of the database


def _person_of(key: str) -> tuple[str, bool]:
    """Return the person of the session with that key ('' if none), and whether they have an
    account. While the database is unavailable, return ('', False)."""
    try:
        person = person_of_key(key)
        if not person:
            return "", False
        return person, Person.objects.filter(pk=person, user__is_active=True).exists()
    except DatabaseError:
        return "", False
    finally:
        close_old_connections()


async def _own_tables(person: str) -> set[str]:
    """Return the ids of the tables at which the person sits, also of those whose games have not
    begun. Empty while they cannot be read."""
    try:
        backend = await current_backend()
        tables: set[str] = set(await backend.process.service.store.index.tables_of(person))
        location = await find_location(backend, person)
    except TablesUnavailable:
        return set()
    return tables | ({location.name} if location and location.kind == PREGAME else set())


def _header_text(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")
