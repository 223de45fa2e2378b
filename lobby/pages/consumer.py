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

from game.live.lobby_api import (
    TableAccess,
    TablesUnavailable,
    house,
    message_bucket,
    person_behind,
    reaching_database,
)
from lobby.accounts import rate_limits
from lobby.matchmaking import queues
from lobby.matchmaking.player_location import place_of
from lobby.pages import fragments
from lobby.pages.notifications import EVERYBODY, of_gathering, of_person
from lobby.pregame import repository, services

log = logging.getLogger(__name__)

CLOSE_WRONG: Final = 4400
CLOSE_NOT_HERE: Final = 4404
CLOSE_FLOOD: Final = 4429
CLOSE_UNAVAILABLE: Final = 4503
ASK_EVERY_S: Final = 5.0
SETTLES_S: Final = 0.15
"""What changes within so short a time is sent together."""
_LONGEST: Final = 200
_HERE: Final = {"t": "here"}

Parts = dict[str, str]


class Page(AsyncWebsocketConsumer, ABC):  # type: ignore[misc]
    """What the pages of the lobby have in common."""

    groups: tuple[str, ...] = (EVERYBODY,)
    every_s = ASK_EVERY_S
    """How often the page is brought up to date when nothing says that it is old."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = ""
        self.language = settings.LANGUAGE_CODE
        self._sent: Parts = {}
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._messages = message_bucket(time.monotonic())

    async def connect(self) -> None:
        await self.accept()
        try:
            self.person = await person_behind(self.scope)
        except TablesUnavailable:
            await self.close(CLOSE_UNAVAILABLE)
            return
        asked = self.asked("language")
        if asked in dict(settings.LANGUAGES):
            self.language = asked
        for group in self.own_groups():
            await self.channel_layer.group_add(group, self.channel_name)
        self._task = asyncio.create_task(self._keep_up())

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
        return [of_person(self.person)] if self.person else []

    async def look_again(self, event: dict[str, Any]) -> None:
        """Something has changed."""
        fragments.look_again()
        self._news.set()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._messages.take(time.monotonic()):
            await self.close(CLOSE_FLOOD)
            return
        try:
            message = json.loads(text_data or "") if len(text_data or "") <= _LONGEST else None
        except ValueError:
            message = None
        if message != _HERE:
            await self.close(CLOSE_WRONG)
            return
        with contextlib.suppress(TablesUnavailable), reaching_database():
            await self.is_here(await house())

    async def is_here(self, home: TableAccess) -> None:
        """The page has answered."""

    @abstractmethod
    async def current(self, home: TableAccess) -> Parts | None:
        """The page's parts as they are; None if the page is not to be seen any more."""

    async def nothing_to_see(self) -> int:
        """The close code for a page that is not to be seen, or not any more."""
        if self._sent:
            return CLOSE_NOT_HERE
        # Who tries links finds out as seldom here as by loading pages.
        client = self.scope.get("client") or [""]
        try:
            await rate_limits.LINKS_OF_ADDRESS.count(rate_limits.neighbourhood(str(client[0])))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable):
            return CLOSE_FLOOD
        return CLOSE_NOT_HERE

    async def go(self, path: str) -> None:
        """Lead the page elsewhere."""
        await self._tell({"t": "go", "path": path})

    async def _keep_up(self) -> None:
        try:
            asked_at = -ASK_EVERY_S
            while not self._is_closed:
                if time.monotonic() - asked_at >= ASK_EVERY_S:
                    asked_at = time.monotonic()
                    await self._tell({"t": "ask", "now": (await house()).now_ms()})
                self._news.clear()
                with contextlib.suppress(TablesUnavailable), reaching_database():
                    await self._bring_up_to_date()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.every_s):
                        await self._news.wait()
                    await asyncio.sleep(SETTLES_S)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a page of the lobby could not be kept up to date")
            with contextlib.suppress(Exception):
                await self.close(CLOSE_UNAVAILABLE)

    async def _bring_up_to_date(self) -> None:
        with translation.override(self.language):
            current = await self.current(await house())
        if current is None:
            self._is_closed = True
            await self.close(await self.nothing_to_see())
            return
        new = {name: html for name, html in current.items() if self._sent.get(name) != html}
        if new:
            self._sent |= new
            await self._tell({"t": "parts", "parts": new})

    async def _tell(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message, ensure_ascii=False))


class LobbyPage(Page):
    """Where one finds a game or a table."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._was = ""

    async def connect(self) -> None:
        self._was = self.asked("was")
        await super().connect()

    async def is_here(self, home: TableAccess) -> None:
        place = await place_of(home, self.person)
        if place is None:
            return
        if place.kind == "queue" and place.name in queues.QUEUES:
            await queues.heard_of(home, self.person, queues.QUEUES[place.name])
        elif place.kind == "gathering":
            gathering = await repository.found(home, place.name)
            if gathering is not None:
                await services.look_after(home, gathering, self.person)

    async def current(self, home: TableAccess) -> Parts | None:
        own = await fragments.mine(home, self.person)
        kind = own["place"].kind if own["place"] else ""
        if self._was in {"queue", "gathering"} and own.get("table_id"):
            if await home.has_seat(own["table_id"], self.person):
                await self.go(reverse("game:table", args=[own["table_id"]]))
                kind = self._was = "table"
        elif kind != "table":
            self._was = kind
        return {
            "mine": fragments.rendered("lobby/parts/mine.html", own, self.language),
            "queues": fragments.rendered(
                "lobby/parts/queues.html", await fragments.waiting(home), self.language
            ),
            "joinable": fragments.rendered(
                "lobby/parts/joinable.html",
                await fragments.joinable(home, self.person),
                self.language,
            ),
        }


class GatheringPage(LobbyPage):
    """A table in the making."""

    groups = ()

    def own_groups(self) -> list[str]:
        return [*super().own_groups(), of_gathering(self._id)]

    @property
    def _id(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["gathering_id"])

    async def is_here(self, home: TableAccess) -> None:
        gathering = await repository.found(home, self._id)
        if gathering is not None and gathering.seat_of(self.person) is not None:
            await services.look_after(home, gathering, self.person)

    async def current(self, home: TableAccess) -> Parts | None:
        gathering = await repository.found(home, self._id)
        token = self.asked("token")
        if gathering is None or not services.is_let_in(gathering, self.person, token):
            return None
        gathering = await services.begin(home, gathering)
        context = await fragments.at_gathering(home, gathering, self.person)
        if self._was == "gathering" and context["seat"] is not None and gathering.is_open:
            await self.go(reverse("game:table", args=[context["table_id"]]))
            self._was = "table"
        return {"seats": fragments.rendered("lobby/parts/seats.html", context, self.language)}


class WatchPage(Page):
    """The list of live tables."""

    groups = ()
    every_s = 2.0

    async def current(self, home: TableAccess) -> Parts | None:
        return {
            "live": fragments.rendered(
                "game/live_tables.html", await fragments.live(home), self.language
            )
        }
