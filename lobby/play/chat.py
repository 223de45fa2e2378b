"""Chat where people meet before a game: at a table before its game, and among the members of a
club.

Lines are stored like those of a running table, with the same limits, blocks, reports and time after
which they are deleted (`game.live.chat_store`). The pages are told by their groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async

from game.live.chat import RECENT_LINES, count_or_refuse, file_report
from game.live.chat_store import ChatMessage, StoredLine, append_line, lines_after
from game.live.inbound import MAX_LINE_CHARS, plain
from game.live.outbound import line_id
from game.moderation.blocks import blocked_by
from game.tables.database import reaching_database
from game.tables.room import TableId
from lobby.accounts.refusals import CodedError
from lobby.models import Club
from lobby.play.backend import Backend
from lobby.play.notifications import club_group, notify, pregame_group


class ChatRefused(CodedError):
    """The line was not written or not reported. `code`: "chat_text" (it is empty or too long),
    "chat_muted", "chat_too_often" (too many lines in a short time), "chat_report" (there is no
    such line, or the person has reported too many).
    """


class Place(msgspec.Struct, frozen=True):
    """Where people chat: a table before its game, or a club."""

    id: TableId
    """The name under which the lines are stored. It differs from the id of every table."""
    group: str
    """The pages that show the lines."""


class ShownLine(msgspec.Struct, frozen=True):
    """A line of the chat as a reader sees it."""

    id: str
    name: str
    text: str
    is_own: bool


def at_pregame_table(pregame_id: str) -> Place:
    return Place(TableId(f"pregame-{pregame_id}"), pregame_group(pregame_id))


def in_club(club: Club) -> Place:
    return Place(TableId(f"club-{club.pk}"), club_group(club.slug))


async def read_lines(backend: Backend, place: Place, reader: str) -> list[ShownLine]:
    """Return the latest lines, without those of people whom the reader blocks. Raises
    TableError."""
    lines = await _stored_lines(backend, place)
    if reader and any(line.message.person != reader for line in lines):
        with reaching_database():
            blocked = await database_sync_to_async(blocked_by)(UUID(reader))
        lines = [line for line in lines if line.message.person not in blocked]
    return [
        ShownLine(
            line_id(line), line.message.name, line.message.text, line.message.person == reader
        )
        for line in lines[-RECENT_LINES:]
    ]


async def write_line(backend: Backend, place: Place, person: str, name: str, text: str) -> None:
    """Write a line. Raises ChatRefused, TableError."""
    text = plain(text)
    if not text or len(text) > MAX_LINE_CHARS:
        raise ChatRefused("chat_text")
    now, redis = backend.now_ms(), backend.process.redis
    with reaching_database():
        refused = await count_or_refuse(redis, person, now)
    if refused:
        raise ChatRefused(f"chat_{refused}")
    await append_line(redis, place.id, "table", ChatMessage(now, person, name, -1, text))
    await notify(place.group)


async def report_line(backend: Backend, place: Place, reported: str, reader: str) -> None:
    """Report the line with that id to the moderators. Raises ChatRefused, TableError."""
    lines = await _stored_lines(backend, place)
    if not await file_report(place.id, lines, reported, reader):
        raise ChatRefused("chat_report")


async def _stored_lines(backend: Backend, place: Place) -> Sequence[StoredLine]:
    return await lines_after(backend.process.redis, place.id, "table", "")
