"""Chat at tables: who may write and who reads what.

Players hear the table's circle and nothing else. Watchers hear both and speak in their own;
spectators with open hands hear a player's line when they have reached the moment of the game at
which it was said. A notification says that there is a new line. The circle is then read, and
encoded once for each kind of reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils.module_loading import import_string

from game.engine.perspective import OPEN_SPECTATOR
from game.engine.state import SEATS
from game.live import outbound
from game.live.chat_store import (
    CIRCLES,
    ChatMessage,
    Circle,
    StoredLine,
    is_too_often,
    line_said,
    lines_after,
)
from game.live.delayed_view import DelayedView
from game.live.heartbeat import NowMs
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscribers
from game.moderation.reports import ChatLine, file_report
from game.moderation.sanctions import is_silenced
from game.redis.clients import Redis
from game.tables.cancellation import end
from game.tables.database import reaching_database
from game.tables.refresher import Refresher
from game.tables.room import Room, TableId

log = logging.getLogger(__name__)

TOLD_AT_FIRST: Final = 50
AROUND: Final = 10
"""Lines kept before and after one that is reported."""
_LOOK_EVERY_S: Final = 1.0


@dataclass(slots=True)
class _Talk:
    """What has been said at one table, as far as this process has read."""

    lines: deque[StoredLine] = field(default_factory=lambda: deque(maxlen=400))
    last: dict[str, str] = field(default_factory=dict)
    told_late: int = 0
    """The moment of the game that spectators with open hands have reached: what players said until
    then has been told to them."""


class TableChat:
    """The chat of the tables at which sockets of this process are."""

    def __init__(
        self,
        redis: Redis,
        subscribers: Subscribers,
        pacer: SpectatorPacer,
        delayed_view: DelayedView,
        *,
        now_ms: NowMs,
    ) -> None:
        self._redis = redis
        self._subscribers = subscribers
        self._pacer = pacer
        self._delayed_view = delayed_view
        self._now_ms = now_ms
        self._talks: dict[TableId, _Talk] = {}
        self._refresher = Refresher("chat", self._send_new)
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await end([self._task])
        await self._refresher.stop()

    async def join(self, table_id: TableId) -> None:
        """Have what was said there at hand. Raises TableError."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="talk")
        if table_id not in self._talks:
            talk = self._talks[table_id] = _Talk(told_late=self._seen_until(table_id))
            await self._read(table_id, talk)

    def recent(self, table_id: TableId, audience: int) -> str | None:
        """The frame with what that audience may know of what was said; None if nothing was."""
        talk = self._talks.get(table_id)
        if talk is None:
            return None
        lines = [one for one in talk.lines if self._may_hear(talk, one, audience)]
        return outbound.encode_chat(lines[-TOLD_AT_FIRST:], is_all=True) if lines else None

    def check(self, table_id: TableId) -> None:
        """Somebody has spoken there, or may have."""
        if table_id in self._talks:
            self._refresher.request(table_id)

    async def report(self, table_id: TableId, line_id: str, audience: int, person: str) -> bool:
        """File a report of that line. Return False if that audience has no such line, or if the
        person has made too many reports. Raises DatabaseUnavailable."""
        talk = self._talks.get(table_id)
        if talk is None or not person:
            return False
        heard = [one for one in talk.lines if self._may_hear(talk, one, audience)]
        found = [at for at, one in enumerate(heard) if outbound.line_id(one) == line_id]
        if not found:
            return False
        at = found[0]
        around = heard[max(0, at - AROUND) : at + AROUND + 1]
        lines = [_for_report(one) for one in around]
        with reaching_database():
            is_filed = await database_sync_to_async(file_report)(
                table_id, line_id, _for_report(heard[at]), lines, person
            )
        return bool(is_filed)

    def _may_hear(self, talk: _Talk, one: StoredLine, audience: int) -> bool:
        if one.circle == "watchers":
            return audience not in SEATS
        return audience != OPEN_SPECTATOR or one.line.at <= talk.told_late

    async def _send_new(self, table_id: TableId) -> None:
        talk = self._talks.get(table_id)
        if talk is None:
            return
        new = await self._read(table_id, talk)
        for circle in CIRCLES:
            self._tell(table_id, [one for one in new if one.circle == circle], late=False)

    async def _read(self, table_id: TableId, talk: _Talk) -> list[StoredLine]:
        new: list[StoredLine] = []
        for circle in CIRCLES:
            last = talk.last.get(circle, "")
            lines = await lines_after(self._redis, table_id, circle, last)
            if lines and talk.last.get(circle, "") == last:
                talk.last[circle] = lines[-1].id
                new += lines
        new.sort(key=lambda one: one.line.at)
        talk.lines.extend(new)
        return new

    def _tell(self, table_id: TableId, lines: list[StoredLine], *, late: bool) -> None:
        """Tell those who may hear these lines, all of one circle: at once, or late."""
        if not lines:
            return
        frame = outbound.encode_chat(lines, is_all=False)
        of_table = lines[0].circle == "table"

        def may_hear(audience: int) -> bool:
            return (audience == OPEN_SPECTATOR) == late if of_table else audience not in SEATS

        readers = [one for one in self._subscribers.everybody(table_id) if may_hear(one.audience)]
        for reader in readers:
            reader.deliver_chat(frame)
        self._pacer.send(table_id, [one for one in readers if one.audience not in SEATS])

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            for table_id, talk in list(self._talks.items()):
                if not self._subscribers.has_any(table_id):
                    del self._talks[table_id]
                    continue
                since, talk.told_late = talk.told_late, self._seen_until(table_id)
                due = [
                    one
                    for one in talk.lines
                    if one.circle == "table" and since < one.line.at <= talk.told_late
                ]
                self._tell(table_id, due, late=True)

    def _seen_until(self, table_id: TableId) -> int:
        return self._delayed_view.seen_until(table_id)

    async def say(
        self, room: Room, seat: int | None, person: str, *, text: str, phrase: str
    ) -> str:
        """Write that to the chat of the players or of the spectators. Return why not, "" if it is
        written."""
        if not person:
            return "nobody"
        if await is_silenced(person):
            return "muted"
        now = self._now_ms()
        if await is_too_often(self._redis, person, now):
            return "too_often"
        if seat is None:
            find_name: Callable[[str], Awaitable[str]] = import_string(settings.FIND_NAME)
            name = await find_name(person)
        else:
            name = room.meta.seats[seat].name
        line = ChatMessage(now, person, name, -1 if seat is None else seat, text, phrase)
        circle: Circle = "watchers" if seat is None else "table"
        await line_said(self._redis, room.table_id, circle, line)
        return ""


def _for_report(one: StoredLine) -> ChatLine:
    line = one.line
    return ChatLine(line.at, line.name, line.person, line.text or line.phrase)
