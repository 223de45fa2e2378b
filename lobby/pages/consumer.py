"""The lobby's websocket: sends the parts of a page that have changed, as HTML, and hears that
the page is still there. What is done in the lobby is done by forms, not here.

The server asks and the page answers: a page in the background has its timers stopped, but
not what it hears.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from typing import Any, Final
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from game.live.authentication import person_behind
from game.live.rate_limits import message_bucket
from game.tables.database import reaching_database
from game.tables.errors import TableError
from lobby.accounts import rate_limits
from lobby.matchmaking import queues
from lobby.matchmaking.backend import Backend, current_backend
from lobby.matchmaking.notifications import LOBBY_GROUP, person_group, pregame_group
from lobby.matchmaking.player_location import PREGAME, find_place
from lobby.pages import fragments
from lobby.pregame import repository, services

log = logging.getLogger(__name__)

CLOSE_BAD_MESSAGE: Final = 4400
CLOSE_NOT_FOUND: Final = 4404
CLOSE_FLOOD: Final = 4429
CLOSE_UNAVAILABLE: Final = 4503
HEARTBEAT_EVERY_S: Final = 5.0
BATCH_S: Final = 0.15
"""What changes within so short a time is sent together."""
_MAX_LENGTH: Final = 200
_HEARTBEAT: Final = {"t": "here"}

Fragments = dict[str, str]


class Page(AsyncWebsocketConsumer, ABC):  # type: ignore[misc]
    """What the pages of the lobby have in common."""

    groups: tuple[str, ...] = (LOBBY_GROUP,)
    refresh_s = HEARTBEAT_EVERY_S
    """How often the page is brought up to date when nothing says that it is old."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = ""
        self.language = settings.LANGUAGE_CODE
        self._sent: Fragments = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._messages = message_bucket(time.monotonic())

    async def connect(self) -> None:
        await self.accept()
        try:
            self.person = await person_behind(self.scope)
        except TableError:
            await self.close(CLOSE_UNAVAILABLE)
            return
        asked = self.asked("language")
        if asked in dict(settings.LANGUAGES):
            self.language = asked
        for group in self.own_groups():
            await self.channel_layer.group_add(group, self.channel_name)
        self._task = asyncio.create_task(self._run())

    async def disconnect(self, code: int) -> None:
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
        for group in self.own_groups():
            with contextlib.suppress(Exception):  # whatever the layer is made of
                await self.channel_layer.group_discard(group, self.channel_name)

    def asked(self, name: str) -> str:
        """A word of the address's query."""
        query_string: bytes = self.scope.get("query_string", b"")
        query = parse_qs(query_string.decode("latin-1"))
        return query.get(name, [""])[0]

    def own_groups(self) -> list[str]:
        return [person_group(self.person)] if self.person else []

    async def page_update(self, event: dict[str, Any]) -> None:
        """Something has changed."""
        fragments.invalidate()
        self._changed.set()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._messages.take(time.monotonic()):
            await self.close(CLOSE_FLOOD)
            return
        try:
            message = json.loads(text_data or "") if len(text_data or "") <= _MAX_LENGTH else None
        except ValueError:
            message = None
        if message != _HEARTBEAT:
            await self.close(CLOSE_BAD_MESSAGE)
            return
        with contextlib.suppress(TableError), reaching_database():
            await self.record_heartbeat(await current_backend())

    async def record_heartbeat(self, backend: Backend) -> None:
        """The page has answered."""

    @abstractmethod
    async def current(self, backend: Backend) -> Fragments | None:
        """The page's parts as they are; None if the page is not to be seen any more."""

    async def not_found_code(self) -> int:
        """The close code for a page that is not to be seen, or not any more."""
        if self._sent:
            return CLOSE_NOT_FOUND
        # Who tries links finds out as seldom here as by loading pages.
        client = self.scope.get("client") or [""]
        try:
            await rate_limits.LINKS_OF_ADDRESS.count(rate_limits.network_of(str(client[0])))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable):
            return CLOSE_FLOOD
        return CLOSE_NOT_FOUND

    async def go(self, path: str) -> None:
        """Lead the page elsewhere."""
        await self._send_message({"t": "go", "path": path})

    async def _run(self) -> None:
        try:
            asked_at = -HEARTBEAT_EVERY_S
            while not self._is_closed:
                if time.monotonic() - asked_at >= HEARTBEAT_EVERY_S:
                    asked_at = time.monotonic()
                    await self._send_message(
                        {"t": "ask", "now": (await current_backend()).now_ms()}
                    )
                self._changed.clear()
                with contextlib.suppress(TableError), reaching_database():
                    await self._send_changes()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.refresh_s):
                        await self._changed.wait()
                    await asyncio.sleep(BATCH_S)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a page of the lobby could not be kept up to date")
            with contextlib.suppress(Exception):
                await self.close(CLOSE_UNAVAILABLE)

    async def _send_changes(self) -> None:
        with translation.override(self.language):
            current = await self.current(await current_backend())
        if current is None:
            self._is_closed = True
            await self.close(await self.not_found_code())
            return
        new = {name: html for name, html in current.items() if self._sent.get(name) != html}
        if new:
            self._sent |= new
            await self._send_message({"t": "parts", "parts": new})

    async def _send_message(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message, ensure_ascii=False))


class LobbyPage(Page):
    """Where one finds a game or a table."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._last_place = ""

    async def connect(self) -> None:
        self._last_place = self.asked("was")
        await super().connect()

    async def record_heartbeat(self, backend: Backend) -> None:
        place = await find_place(backend, self.person)
        if place is None:
            return
        if place.kind == "queue" and place.name in queues.QUEUES:
            await queues.record_heartbeat(backend, self.person, queues.QUEUES[place.name])
        elif place.kind == PREGAME:
            pregame = await repository.find(backend, place.name)
            if pregame is not None:
                await services.keep_alive(backend, pregame, self.person)

    async def current(self, backend: Backend) -> Fragments | None:
        own = await fragments.own_place(backend, self.person)
        kind = own["place"].kind if own["place"] else ""
        if self._last_place in {"queue", PREGAME} and own.get("table_id"):
            if await backend.has_seat(own["table_id"], self.person):
                await self.go(reverse("game:table", args=[own["table_id"]]))
                kind = self._last_place = "table"
        elif kind != "table":
            self._last_place = kind
        return {
            "mine": fragments.render("lobby/fragments/own_place.html", own, self.language),
            "queues": fragments.render(
                "lobby/fragments/queues.html",
                await fragments.waiting_queues(backend),
                self.language,
            ),
            "joinable": fragments.render(
                "lobby/fragments/joinable.html",
                await fragments.joinable_tables(backend, self.person),
                self.language,
            ),
        }


class PregamePage(LobbyPage):
    """A table in the making."""

    groups = ()

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), pregame_group(self._id)]

    @property
    def _id(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["pregame_id"])

    async def record_heartbeat(self, backend: Backend) -> None:
        pregame = await repository.find(backend, self._id)
        if pregame is not None and pregame.seat_of(self.person) is not None:
            await services.keep_alive(backend, pregame, self.person)

    async def current(self, backend: Backend) -> Fragments | None:
        pregame = await repository.find(backend, self._id)
        token = self.asked("token")
        if pregame is None or not services.can_see(pregame, self.person, token):
            return None
        pregame = await services.start_planned_game(backend, pregame)
        context = await fragments.pregame_seats(backend, pregame, self.person)
        if self._last_place == PREGAME and context["seat"] is not None and pregame.is_open:
            await self.go(reverse("game:table", args=[context["table_id"]]))
            self._last_place = "table"
        return {"seats": fragments.render("lobby/fragments/seats.html", context, self.language)}


class WatchPage(Page):
    """The list of live tables."""

    groups = ()
    refresh_s = 2.0

    async def current(self, backend: Backend) -> Fragments | None:
        return {
            "live": fragments.render(
                "game/live_tables.html", await fragments.live_list(backend), self.language
            )
        }
