"""The websocket of the lobby's pages: sends the fragments that have changed, as HTML, and receives
heartbeats. Actions in the lobby are forms.

The server asks for each heartbeat: a page in the background stops its timers, but still receives
messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from game.live.authentication import find_person_of_socket
from game.live.rate_limits import message_bucket
from game.tables.database import reaching_database
from game.tables.errors import TableError
from lobby.accounts import rate_limits
from lobby.clubs import presence
from lobby.clubs.members import ClubAccess, find_access, find_club
from lobby.events import officials_views
from lobby.events.direction import feature_table, find_table
from lobby.events.registration import find_event
from lobby.models import Event
from lobby.play import chat, fragments, movements, pregame_services, pregame_store
from lobby.play.backend import Backend, current_backend
from lobby.play.notifications import LOBBY_GROUP, club_group, person_group, pregame_group
from lobby.play.origins import count_visitor
from lobby.play.player_location import PREGAME

log = logging.getLogger(__name__)

CLOSE_BAD_MESSAGE: Final = 4400
CLOSE_NOT_FOUND: Final = 4404
CLOSE_FLOOD: Final = 4429
CLOSE_UNAVAILABLE: Final = 4503
HEARTBEAT_EVERY_S: Final = 5.0
BATCH_S: Final = 0.15
"""The time within which changes are sent together."""
_MAX_LENGTH: Final = 200
_HEARTBEAT: Final = {"t": "here"}


class LivePage(AsyncWebsocketConsumer, ABC):  # type: ignore[misc]
    """A page whose fragments are sent again when they change."""

    templates: ClassVar[dict[str, str]]
    """The fragments by name."""
    shared: ClassVar[dict[str, tuple[str, ...]]] = {}
    """The fragments that are the same for most readers, with the variables that they use."""
    refresh_s = HEARTBEAT_EVERY_S
    """How often the page is updated without a notification."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = ""
        self.language = settings.LANGUAGE_CODE
        self.last_place = ""
        """The kind of the person's location at the last update. The first value is `was` in the
        URL."""
        self._sent: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._messages = message_bucket(time.monotonic())

    async def connect(self) -> None:
        await self.accept()
        try:
            self.person = await find_person_of_socket(self.scope)
        except TableError:
            await self.close(CLOSE_UNAVAILABLE)
            return
        with contextlib.suppress(TableError):
            await self._count_visitor()
        if (language := self.query("language")) in dict(settings.LANGUAGES):
            self.language = language
        self.last_place = self.query("was")
        try:
            for group in self.own_groups():
                await self.channel_layer.group_add(group, self.channel_name)
        except OSError as error:
            log.info("a page of the lobby cannot be followed: %s", error)
            await self.close(CLOSE_UNAVAILABLE)
            return
        self._task = asyncio.create_task(self._run())

    async def _count_visitor(self) -> None:
        if self.person:
            client = self.scope.get("client") or [""]
            await count_visitor(await current_backend(), self.person, str(client[0]))

    async def disconnect(self, code: int) -> None:
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
        for group in self.own_groups():
            with contextlib.suppress(Exception):  # any backend of the layer
                await self.channel_layer.group_discard(group, self.channel_name)

    def query(self, name: str) -> str:
        """Return a value of the URL's query."""
        query_string: bytes = self.scope.get("query_string", b"")
        query = parse_qs(query_string.decode("latin-1"))
        return query.get(name, [""])[0]

    def own_groups(self) -> list[str]:
        return [person_group(self.person)] if self.person else []

    async def page_update(self, event: dict[str, Any]) -> None:
        """Update the page after a notification."""
        (await current_backend()).cache.clear()
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
        """Record that the page is open."""

    @abstractmethod
    async def context(self, backend: Backend) -> dict[str, Any] | None:
        """Return the context of the fragments, or None if the person may not see the page."""

    async def not_found_code(self) -> int:
        """Return the close code for a page that the person may not see."""
        if self._sent:
            return CLOSE_NOT_FOUND
        # Guessing links by sockets has the same limit as by loading pages.
        client = self.scope.get("client") or [""]
        try:
            await database_sync_to_async(rate_limits.LINKS_OF_ADDRESS.count)(
                rate_limits.network_of(str(client[0]))
            )
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable):
            return CLOSE_FLOOD
        return CLOSE_NOT_FOUND

    async def go(self, path: str) -> None:
        """Make the browser load another page."""
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
            log.exception("a page of the lobby cannot be updated")
            with contextlib.suppress(Exception):
                await self.close(CLOSE_UNAVAILABLE)

    async def _send_changes(self) -> None:
        with translation.override(self.language):
            context = await self.context(await current_backend())
            if context is None:
                self._is_closed = True
                await self.close(await self.not_found_code())
                return
            current = await fragments.render(self.templates, context, self.shared)
        new = {name: html for name, html in current.items() if self._sent.get(name) != html}
        if new:
            self._sent |= new
            await self._send_message({"t": "parts", "parts": new})

    async def _send_message(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message, ensure_ascii=False))


class LobbyPage(LivePage):
    """Sends the parts of the lobby's page again when they change."""

    templates: ClassVar = {
        "mine": "lobby/fragments/own_place.html",
        "find": "lobby/fragments/find_button.html",
        "queues": "lobby/fragments/queues.html",
        "joinable": "lobby/fragments/joinable.html",
    }
    shared: ClassVar = {
        "queues": ("queues", "times"),
        "joinable": ("tables", "left", "table_id", "is_banned"),
    }

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), LOBBY_GROUP]

    async def record_heartbeat(self, backend: Backend) -> None:
        await movements.record_heartbeat(backend, self.person)

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        context = await fragments.lobby(backend, self.person)
        kind, table_id = context["location"] and context["location"].kind, context.get("table_id")
        if self.last_place in {"queue", PREGAME} and table_id:
            if await backend.tables.has_seat(table_id, self.person):
                await self.go(reverse("game:table", args=[table_id]))
                self.last_place = "table"
        elif kind != "table":
            self.last_place = kind or ""
        return context


class WaitingPage(LobbyPage):
    """Any other page of the site while the person waits for a game. It records the person's
    heartbeats, shows the kind of their location, and opens the table."""

    templates: ClassVar = {"place": "lobby/fragments/waiting_place.html"}

    def own_groups(self) -> list[str]:
        return LivePage.own_groups(self)


class PregamePage(LivePage):
    """A pregame table."""

    templates: ClassVar = {
        "seats": "lobby/fragments/seats.html",
        "chat": "lobby/fragments/chat_lines.html",
    }

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), pregame_group(self._id)]

    @property
    def _id(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["pregame_id"])

    async def record_heartbeat(self, backend: Backend) -> None:
        pregame = await pregame_store.find(backend, self._id)
        if pregame is not None and pregame.seat_of(self.person) is not None:
            await pregame_services.keep_alive(backend, pregame, self.person)

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        pregame = await pregame_store.find(backend, self._id)
        if pregame is None:
            return None
        if not await database_sync_to_async(pregame_services.can_see)(
            pregame, self.person, self.query("token")
        ):
            return None
        pregame = await pregame_services.start_planned_game(backend, pregame)
        context = await fragments.pregame_seats(backend, pregame, self.person)
        if self.last_place == PREGAME and context["seat"] is not None and pregame.is_open:
            await self.go(reverse("game:table", args=[context["table_id"]]))
            self.last_place = "table"
        lines: list[chat.ShownLine] = []
        if context["seat"] is not None:
            lines = await chat.read_lines(backend, chat.at_pregame_table(self._id), self.person)
        return context | {"chat_lines": lines}


class ClubPage(LivePage):
    """The page of a club, with its lobby."""

    templates: ClassVar = {
        "club": "lobby/fragments/club_lobby.html",
        "chat": "lobby/fragments/chat_lines.html",
    }

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), LOBBY_GROUP, club_group(self._slug)]

    @property
    def _slug(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["slug"])

    async def record_heartbeat(self, backend: Backend) -> None:
        access = await database_sync_to_async(find_club)(self._slug, self.person)
        if access is not None and access.is_member:
            await presence.record_heartbeat(backend, access.club, self.person)

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        access = await database_sync_to_async(find_club)(self._slug, self.person)
        if access is None:
            return None
        lines: list[chat.ShownLine] = []
        if access.is_member:
            lines = await chat.read_lines(backend, chat.in_club(access.club), self.person)
        context = await fragments.club_lobby(backend, access, self.person)
        return context | {"chat_lines": lines}

    async def _event(self) -> tuple[ClubAccess, Event] | None:
        """Return the club and the event of that address, None if the person may not see it."""
        access = await database_sync_to_async(find_access)(self._slug, self.person)
        if access is None:
            return None
        event = await database_sync_to_async(find_event)(
            access, str(self.scope["url_route"]["kwargs"]["event"])
        )
        return None if event is None else (access, event)


class EventPage(ClubPage):
    """The page of an event. Opens the table of each player when a round begins, and calls players
    of a list to a table at which others wait."""

    templates: ClassVar = {"event": "lobby/fragments/event.html"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._table = ""
        """The person's table when the page was loaded, or the table that was opened since."""
        self._waiting: frozenset[int] | None = None
        """The person's tables of the list at which others wait; None before the first update."""

    async def connect(self) -> None:
        self._table = self.query("was")
        await super().connect()

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        if (found := await self._event()) is None:
            return None
        context = await fragments.event_parts(backend, *found, self.person)
        table = context.get("own_table", "")
        if table and table != self._table:
            self._table = table
            await self.go(reverse("game:table", args=[table]))
        own = context.get("own_fixtures", ())
        waiting = frozenset(
            fixture["number"] for fixture in own if fixture["is_open"] and not fixture["pregame_id"]
        )
        if self._waiting is not None and waiting - self._waiting:
            await self._send_message({"t": "call"})
        self._waiting = waiting
        return context


class FeaturePage(ClubPage):
    """The feature table of an event. The page is reloaded when another table is chosen."""

    templates: ClassVar = {}
    refresh_s = 2.0

    async def connect(self) -> None:
        self._shown = self.query("was")
        await super().connect()

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        if (found := await self._event()) is None:
            return None
        table_id, _ = await database_sync_to_async(feature_table)(found[1])
        if table_id != self._shown:
            self._shown = table_id
            await self.go("")
        return {}


class OfficialsPage(ClubPage):
    """The officials' page of an event, for officers."""

    templates: ClassVar = {"officials": "lobby/fragments/officials.html"}
    refresh_s = 2.0

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        found = await self._event()
        if found is None or not found[0].is_officer:
            return None
        return await self._parts(backend, *found)

    async def _parts(
        self, backend: Backend, access: ClubAccess, event: Event
    ) -> dict[str, Any] | None:
        return await officials_views.live_tables(backend, access, event)


class OfficialsTablePage(OfficialsPage):
    """The officials' page of one table, for officers."""

    templates: ClassVar = {"tables": "lobby/fragments/officials_tables.html"}

    async def _parts(
        self, backend: Backend, access: ClubAccess, event: Event
    ) -> dict[str, Any] | None:
        place = self.scope["url_route"]["kwargs"]
        row = await database_sync_to_async(find_table)(event, place["round"], place["table"])
        if row is None:
            return None
        return await officials_views.one_table(backend, access, event, row)


class WatchPage(LivePage):
    """The list of live tables."""

    templates: ClassVar = {"live": "lobby/fragments/rendered.html"}
    refresh_s = 2.0

    async def context(self, backend: Backend) -> dict[str, Any] | None:
        return await fragments.live_list(backend, self.person)
