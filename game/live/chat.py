"""Chat at tables: decides who may write and who reads what.

Players read only their own stream. Spectators read both and write to theirs. Spectators with open
hands get a player's line when the delayed view reaches the moment at which it was written. A
notification makes this process read the streams. New lines are encoded once for all readers; a
reader who blocks a writer gets a frame without that writer's lines. Blocks are looked up for each
new line, and for the recent lines of a new reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils.module_loading import import_string

from game.engine.perspective import DELAYED_VIEWERS, is_seat
from game.live import outbound
from game.live.chat_store import (
    CHAT_STREAMS,
    ChatMessage,
    ChatStream,
    StoredLine,
    append_line,
    count_line,
    lines_after,
)
from game.live.delayed_view import DelayedView
from game.live.heartbeat import NowMs
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscriber, Subscribers
from game.moderation.blocks import readers_who_block
from game.moderation.reports import ChatLine, report_line
from game.moderation.sanctions import is_silenced
from game.redis.cancellation import cancel_and_wait
from game.redis.clients import Redis
from game.tables.database import reaching_database
from game.tables.errors import DatabaseUnavailable
from game.tables.room import Room, TableId
from game.tables.table_tasks import TableTasks

log = logging.getLogger(__name__)

RECENT_LINES: Final = 50
"""The number of lines that a new reader gets."""
_LINES_AROUND: Final = 10
"""The number of lines before and after a reported one that are kept with it."""
_REFRESH_EVERY_S: Final = 1.0
ReadBlocks = Callable[[set[str], set[str]], Awaitable[set[tuple[str, str]] | None]]
"""A function that takes writers and readers. It returns the pairs of a reader and a writer whom the
reader blocks; None if the blocks cannot be read now."""


async def read_blocks(writers: set[str], readers: set[str]) -> set[tuple[str, str]] | None:
    """Return all pairs (reader, writer) in which the reader has blocked the writer; None while the
    database is unavailable."""
    try:
        with reaching_database():
            found: set[tuple[str, str]] = await database_sync_to_async(readers_who_block)(
                [UUID(writer) for writer in writers], [UUID(reader) for reader in readers]
            )
            return found
    except DatabaseUnavailable:
        return None


@dataclass(slots=True)
class _ReadChat:
    """The part of a table's chat that this process has read."""

    lines: deque[StoredLine] = field(default_factory=lambda: deque(maxlen=400))
    last: dict[str, str] = field(default_factory=dict)
    delayed_until: int = 0
    """The moment that the delayed view has reached. Its spectators have got the players' lines
    until then."""


class TableChat:
    """The chat of the tables at which this process has sockets."""

    def __init__(
        self,
        redis: Redis,
        subscribers: Subscribers,
        pacer: SpectatorPacer,
        delayed_view: DelayedView,
        *,
        now_ms: NowMs,
        read_blocks: ReadBlocks = read_blocks,
    ) -> None:
        self._read_blocks = read_blocks
        self._redis = redis
        self._subscribers = subscribers
        self._pacer = pacer
        self._delayed_view = delayed_view
        self._now_ms = now_ms
        self._chats: dict[TableId, _ReadChat] = {}
        self._table_tasks = TableTasks("chat", self._send_new)
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await cancel_and_wait([self._task])
        await self._table_tasks.stop()

    async def join(self, table_id: TableId) -> None:
        """Load the chat of the table. Raises TableError."""
        if self._task is None:
            self._task = asyncio.create_task(self._refresh_regularly(), name="chat")
        if table_id not in self._chats:
            chat = self._chats[table_id] = _ReadChat(
                delayed_until=self._delayed_view.seen_until(table_id)
            )
            await self._read(table_id, chat)

    async def recent(self, table_id: TableId, reader: Subscriber) -> str | None:
        """Return the frame with the lines of chat that a new socket is shown first; None if there
        are none."""
        looked_up: set[str] = set()
        while (chat := self._chats.get(table_id)) is not None:
            lines = [line for line in chat.lines if self._may_read(chat, line, reader.viewer)]
            writers = {line.message.person for line in lines}
            if writers <= looked_up or not reader.person:
                lines = _without(lines, reader.blocked_people)
                return outbound.encode_chat(lines[-RECENT_LINES:], is_all=True) if lines else None
            await self._look_up_blocks([reader], writers)
            looked_up |= writers
        return None

    def request_refresh(self, table_id: TableId) -> None:
        """Ask for the table's chat to be read again, because there may be a new line. Returns at
        once."""
        if table_id in self._chats:
            self._table_tasks.request(table_id)

    async def report(self, table_id: TableId, line_id: str, viewer: int, person: str) -> bool:
        """File a report of the line with that id. Return False if this viewer cannot see the line,
        or if the person has made too many reports. Raises DatabaseUnavailable."""
        chat = self._chats.get(table_id)
        if chat is None or not person:
            return False
        readable = [line for line in chat.lines if self._may_read(chat, line, viewer)]
        return await file_report(table_id, readable, line_id, person)

    def _may_read(self, chat: _ReadChat, line: StoredLine, viewer: int) -> bool:
        if line.stream == "watchers":
            return not is_seat(viewer)
        return viewer not in DELAYED_VIEWERS or line.message.at <= chat.delayed_until

    async def _send_new(self, table_id: TableId) -> None:
        chat = self._chats.get(table_id)
        if chat is None:
            return
        new = await self._read(table_id, chat)
        for stream in CHAT_STREAMS:
            self._send(table_id, [line for line in new if line.stream == stream], delayed=False)

    async def _read(self, table_id: TableId, chat: _ReadChat) -> list[StoredLine]:
        new: list[StoredLine] = []
        found: list[tuple[ChatStream, str, list[StoredLine]]] = []
        for stream in CHAT_STREAMS:
            last = chat.last.get(stream, "")
            found.append((stream, last, await lines_after(self._redis, table_id, stream, last)))
        await self._update_blocks(table_id, [line for _, _, lines in found for line in lines])
        # No `await` from here until the lines are sent: a reader who joins would get them twice.
        for stream, last, lines in found:
            if lines and chat.last.get(stream, "") == last:
                chat.last[stream] = lines[-1].id
                new += lines
        new.sort(key=lambda line: line.message.at)
        chat.lines.extend(new)
        return new

    async def _update_blocks(self, table_id: TableId, lines: list[StoredLine]) -> None:
        """Look up which readers of the table have blocked the writers of these lines. Readers who
        join during the look-up are included."""
        writers = {line.message.person for line in lines}
        looked_up: set[int] = set()
        while writers:
            everybody = self._subscribers.all_sockets(table_id)
            readers = [
                reader for reader in everybody if reader.person and id(reader) not in looked_up
            ]
            if not readers:
                return
            await self._look_up_blocks(readers, writers)
            looked_up.update(map(id, readers))

    async def _look_up_blocks(self, readers: list[Subscriber], writers: set[str]) -> None:
        """Look up which of these readers have blocked these writers. While the database is
        unavailable, keep the blocks that were read before."""
        pairs = await self._read_blocks(writers, {reader.person for reader in readers})
        if pairs is None:
            return
        for reader in readers:
            blocked = {writer for person, writer in pairs if person == reader.person}
            if blocked != reader.blocked_people & writers:
                reader.blocked_people = reader.blocked_people - writers | blocked

    def _send(self, table_id: TableId, lines: list[StoredLine], *, delayed: bool) -> None:
        """Send these lines, all of one stream. With `delayed`, players' lines go to the spectators
        of the delayed view alone."""
        if not lines:
            return
        frame = outbound.encode_chat(lines, is_all=False)
        of_table = lines[0].stream == "table"

        def may_read(viewer: int) -> bool:
            return (viewer in DELAYED_VIEWERS) == delayed if of_table else not is_seat(viewer)

        readers = [
            reader for reader in self._subscribers.all_sockets(table_id) if may_read(reader.viewer)
        ]
        writers = {line.message.person for line in lines}
        for reader in readers:
            try:
                if reader.blocked_people.isdisjoint(writers):
                    reader.deliver_chat(frame)
                elif others := _without(lines, reader.blocked_people):
                    reader.deliver_chat(outbound.encode_chat(others, is_all=False))
            except Exception:
                log.exception("table %s: a line of chat was not delivered", table_id)
        self._pacer.send(table_id, [reader for reader in readers if not is_seat(reader.viewer)])

    async def _refresh_regularly(self) -> None:
        while True:
            await asyncio.sleep(_REFRESH_EVERY_S)
            for table_id, chat in list(self._chats.items()):
                if not self._subscribers.has_any(table_id):
                    del self._chats[table_id]
                    continue
                if not chat.lines:
                    continue
                until = self._delayed_view.seen_until(table_id)
                await self._update_blocks(table_id, _delayed_lines(chat, until))
                due = _delayed_lines(chat, until)
                chat.delayed_until = until
                self._send(table_id, due, delayed=True)

    async def say(
        self, room: Room, seat: int | None, person: str, *, text: str, phrase: str
    ) -> str:
        """Write a line (a text or a quick phrase) to the chat of the players or, without a seat, of
        the spectators. Return "" if it is written, otherwise the code of the refusal."""
        if not person:
            return "nobody"
        now = self._now_ms()
        if refused := await count_or_refuse(self._redis, person, now):
            return refused
        if seat is None:
            find_name: Callable[[str], Awaitable[str]] = import_string(settings.FIND_NAME)
            name = await find_name(person)
        else:
            name = room.meta.seats[seat].name
        message = ChatMessage(now, person, name, -1 if seat is None else seat, text, phrase)
        stream: ChatStream = "watchers" if seat is None else "table"
        await append_line(self._redis, room.table_id, stream, message)
        return ""


def _delayed_lines(chat: _ReadChat, until: int) -> list[StoredLine]:
    """Return the players' lines that the delayed view has not shown yet and that were written by
    `until` (ms)."""
    return [
        line
        for line in chat.lines
        if line.stream == "table" and chat.delayed_until < line.message.at <= until
    ]


def _without(lines: list[StoredLine], people: frozenset[str]) -> list[StoredLine]:
    """Return the lines that none of these people has written."""
    return [line for line in lines if line.message.person not in people] if people else lines


async def count_or_refuse(
    redis: Redis, person: str, now_ms: int
) -> Literal["", "muted", "too_often"]:
    """Count one more line of that person. Return '' if they may write it, otherwise the reason."""
    if await database_sync_to_async(is_silenced)(person):
        return "muted"
    return "too_often" if await count_line(redis, person, now_ms) else ""


async def file_report(place: str, lines: Sequence[StoredLine], line_id: str, reporter: str) -> bool:
    """File a report of the line with that id, together with the lines around it. Return False if it
    is not among `lines`, or if the reporter has made too many reports. Raises
    DatabaseUnavailable."""
    at = next((at for at, line in enumerate(lines) if outbound.line_id(line) == line_id), None)
    if at is None:
        return False
    around = lines[max(0, at - _LINES_AROUND) : at + _LINES_AROUND + 1]
    with reaching_database():
        is_filed = await database_sync_to_async(report_line)(
            place, line_id, _chat_line(lines[at]), [_chat_line(line) for line in around], reporter
        )
    return bool(is_filed)


def _chat_line(line: StoredLine) -> ChatLine:
    message = line.message
    return ChatLine(message.at, message.name, message.person, message.text or message.phrase)
